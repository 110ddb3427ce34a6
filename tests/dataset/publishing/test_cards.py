"""What holds for all cards: their templates, the card of the metric, the papers that are cited."""

import inspect
import re
from dataclasses import replace

import pytest
from huggingface_hub import SpaceCard
from paths import ROOT
from small_cards import ALL, card_of

import bap_v2_metric
from bap_v2_dataset.loading import install
from bap_v2_dataset.loading.builder import builder_of
from bap_v2_dataset.publishing.model_card import model_card

SPACE_CARD = ROOT / "bap_v2_metric" / "README.md"
TASKS_FOLDER = ROOT / "bap_v2_dataset" / "tasks"
TEMPLATES = {
    file.relative_to(ROOT).as_posix(): file
    for file in (ROOT / "hub_cards" / "model_card.md", *TASKS_FOLDER.glob("*/*card.md"))
}
_NAMES = {
    "v2", "bap-v2", "bap_v2", "bap_v2_dataset.items.prompts", "bap_v2_training.decoding.learned_builder",
    "bap_v2_dataset.tasks.gsu.prompts", "card2ego", "mdc_v2", "fairer_f1", "F1", "Apache-2.0", "B1-A3", "SHA-256",
    "prashant-jayan21", "VAL0", "TEST0003", "I1", "I3", "I4", "I36",
}  # fmt: skip
_OF_PAPERS = {
    "building": {"2501.10836", "2019", "2025", "2026", "65.8", "5", "2.3", "3.1", "3.2"},  # arXiv, years
    "robustness": {"2021"},
    "gsu": {"2603.17333", "2026", "1"},  # arXiv, year, Table 1
    "plancraft": {"2412.21033", "2025"},
    "hub_cards": {"1.b"},  # of the license of Llama 3
}
_OF_CODE = {
    "building/card.md": {"-180", "180", "0", "90"},  # yaws
    "gsu/card.md": {"0"},
    "plancraft/card.md": {"10", "45", "0", "1", "5", "2"},  # slots, bins, an episode, an issue
    "robustness/card.md": {"200"},
}


@pytest.mark.parametrize("template", TEMPLATES)
def test_no_number_is_written_into_a_template(template):
    text = TEMPLATES[template].read_text(encoding="utf-8")
    text = re.sub(r"^@\w+\{.*?^\}$", " ", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|https://github.com\S+", " ", text, flags=re.DOTALL)
    room, file = template.split("/")[-2:]
    code = _OF_CODE.get(f"{room}/{file}", set()) | ({"640", "0", "1"} if file == "model_card.md" else set())
    numbers = {word.strip(".") for word in re.findall(r"[\w.-]*\d[\w.-]*", text)}
    assert numbers <= _NAMES | _OF_PAPERS[room] | code


def test_the_space_is_described_for_the_hub():
    data = SpaceCard.load(SPACE_CARD).data
    assert (data.sdk, data.app_file, data.license, data.pinned) == ("gradio", "app.py", "apache-2.0", False)
    assert (SPACE_CARD.parent / data.app_file).is_file()
    assert {"evaluate", "metric"} <= set(data.tags) and data.title and data.emoji and data.description
    assert len(data.short_description) <= 60  # the Hub's limit
    pinned = re.search(r"^gradio==(.+)$", (ROOT / "constraints.txt").read_text(), re.MULTILINE)[1]
    assert data.sdk_version == pinned


def test_the_cases_of_the_metric_card_score_as_it_says():
    text = SPACE_CARD.read_text(encoding="utf-8")
    wall = {"before": [], "after": ["red 0 1 0", "red 0 2 0"]}
    right, moved, half = ("place red 0 1 0\nplace red 0 2 0", "place red 3 1 1\nplace red 3 2 1",
                          "place red 0 1 0\nplace blue 1 1 0")  # fmt: skip
    cases = {
        "the reference itself": (right, "unique"),
        "nothing predicted": ("", "unique"),
        "the right structure elsewhere, item `multiple`": (moved, "multiple"),
        "the right structure elsewhere, item `unique`": (moved, "unique"),
        "two blocks, one of them right": (half, "unique"),
    }
    rows = re.findall(r"^\| ([^|]+) \| ([\d.]+) \| ([\d.]+) \|", text, re.MULTILINE)
    assert {case for case, *_ in rows} == set(cases)
    for case, strict, fairer in rows:
        prediction, interpretations = cases[case]
        scores = bap_v2_metric.score([prediction], [wall | {"interpretations": interpretations}])
        assert (scores["strict_f1"], scores["fairer_f1"]) == (float(strict), float(fairer)), case
    assert bap_v2_metric.score([moved], [wall])["shape_f1"] == 1.0 and "Shape F1 is 1.0" in text


def test_the_metric_card_names_the_defaults_and_the_world():
    from bap_v2_metric import blocks
    from bap_v2_metric.bap_v2 import BapV2 as Metric

    text = SPACE_CARD.read_text(encoding="utf-8")
    defaults = {name: parameter.default for name, parameter in inspect.signature(Metric._compute).parameters.items()}
    for name, shown in (("n_resamples", "int, {}"), ("confidence", "{}"), ("seed", "{}"), ("per_item", "bool, {}")):
        assert f"**{name}** ({shown.format(defaults[name])})" in text
    assert f"`z` in {blocks.X_MIN}..{blocks.X_MAX}, `y` in {blocks.Y_MIN}..{blocks.Y_MAX}" in " ".join(text.split())
    assert ", ".join(color.value for color in blocks.Color) in text


def test_a_paper_is_cited_alike_everywhere(parts, games, facts):
    import evaluate

    install.install_metric()
    texts = [
        card_of(parts, *ALL, games=games).text,
        model_card(replace(facts, data={"all": 1})).text,
        SPACE_CARD.read_text(encoding="utf-8"),
        (ROOT / "README.md").read_text(encoding="utf-8"),
        builder_of("dss").info.citation,
        evaluate.load("bap_v2").citation,
    ]
    entries: dict[str, set[str]] = {}
    for text in texts:
        for key, entry in re.findall(r"^@\w+\{([\w-]+),\n(.*?)^\}", text, re.DOTALL | re.MULTILINE):
            entries.setdefault(key, set()).add(entry)
    assert {"jayannavar2025bapv2", "narayan-chen2019mdc", "jayannavar2020learning"} == set(entries)
    assert all(len(variants) == 1 for variants in entries.values())
