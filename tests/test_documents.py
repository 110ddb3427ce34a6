"""The documents keep their word: the code in them runs, and the numbers in them are those of the code."""

import re
from pathlib import Path

import datasets
import pytest

import bap_v2_dataset  # noqa: F401 (registers the name)
import bap_v2_metric
from bap_v2_dataset import install
from bap_v2_dataset.annotations import read_labels
from bap_v2_dataset.download import manifest
from bap_v2_dataset.items import items
from bap_v2_dataset.mixture import SOURCES, matched_sizes
from bap_v2_dataset.paraphrases import LEXICON
from bap_v2_dataset.stats import PUBLISHED_ITEMS, PUBLISHED_TEST, clean_test_counts
from bap_v2_simulators.corpora import SIMULATORS, SIZES, simulator_of
from bap_v2_simulators.simulation import play

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
CARD = (ROOT / "bap_v2_metric" / "README.md").read_text(encoding="utf-8")


def code_blocks(text: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)


def test_the_code_of_the_metric_card_runs_and_gives_what_it_says():
    install.install_metric()
    names: dict = {}
    (block,) = code_blocks(CARD)
    exec(block, names)
    assert (names["scores"]["strict_f1"], names["scores"]["fairer_f1"]) == (0.0, 1.0)
    assert "# (0.0, 1.0)" in block


@pytest.mark.slow
def test_the_code_of_the_readme_runs():
    install.install_metric()
    names: dict = {}
    for block in code_blocks(README):
        exec(block, names)
    assert names["scores"]["fairer_f1"] == 1.0 and names["scores"]["n_items"] == SIZES["dss"]["test"]
    low, high = names["scores"]["confidence_intervals"]["fairer_f1"]
    assert low <= names["scores"]["fairer_f1"] <= high


def test_the_readme_names_the_sizes_of_the_splits():
    sizes = {"mdc_v2": {"train": 14_836, "validation": 1_331, "test": 1_161}, "mdc": PUBLISHED_ITEMS, **SIZES}
    for name, its in sizes.items():  # of the human configs: tests/test_published_corpora.py
        assert f"| `{name}` | {' | '.join(f'{items:,}' for items in its.values())} |" in README
    train, validation = (sum(sizes[name][split] for name in SOURCES) for split in ("train", "validation"))
    assert f"| `all` | {train:,} | {validation:,} |" in README
    matched = matched_sizes(*({name: sizes[name][split] for name in SOURCES} for split in ("train", "validation")))
    assert f"`validation_matched` ({sum(matched.values()):,}\nitems)" in README


def test_the_readme_names_the_size_of_the_download_and_of_the_lexicon():
    files = manifest()
    size = sum(size for _, size in files.values()) / 10**6
    assert f"({size:.0f} MB in {len(files)} files;" in README
    forms = len({form for group in LEXICON for entry in group.entries for form in entry.sought})
    entries = sum(len(group.entries) for group in LEXICON)
    assert f"({entries} entries, {forms} words and phrases)" in " ".join(README.split())


def test_the_readme_says_what_the_labels_give_and_how_far_they_agree(mdc_games):
    counts = clean_test_counts(mdc_games, read_labels())
    text = " ".join(README.split())
    assert (
        f"{counts['unclear']} items unclear, {counts['unfixable']} not fixable, {counts['fixed']} fixed, "
        f"{counts['items']:,} left, {counts['multiple']} of them with multiple interpretations (the paper: "
        f"{PUBLISHED_TEST['unclear']}, {PUBLISHED_TEST['unfixable']}, {PUBLISHED_TEST['fixed']}, "
        f"{PUBLISHED_TEST['items']:,} and {PUBLISHED_TEST['multiple']};"
    ) in text


def test_the_readme_names_every_field_of_the_metadata_of_synthetic_items():
    for name in SIMULATORS:
        item = next(items(play(simulator_of(name), "train", 0)))
        inner = (value for value in item.metadata.values() if isinstance(value, dict))
        fields = set(item.metadata).union(*inner)
        for field in fields - {"directions", "shape_size", "shape_orientation", "build_order"}:
            assert f"`{field}`" in README, field


@pytest.mark.slow
def test_the_baselines_table_of_the_readme_is_what_the_command_prints(mdc_games):
    from bap_v2_dataset import scoreboard

    rows = scoreboard.scored_rows(datasets.load_dataset("bap_v2", "mdc_v2", split="test"))
    references = [{key: row[key] for key in ("before", "after", "interpretations")} for row in rows]
    printed = dict(re.findall(r"^\| `([\w-]+)`: [^|]*\|(.*)\|$", README, flags=re.MULTILINE))
    assert set(printed) == set(scoreboard.BASELINES)
    for name, cells in printed.items():
        scores = bap_v2_metric.score(scoreboard.baseline_predictions(name, rows), references)
        expected = [f"{100 * scores[f'{measure}_f1']:.1f}" for measure in scoreboard.COLUMNS]
        assert [cell.strip() for cell in cells.split("|")] == expected, name


@pytest.mark.slow
def test_the_table_of_the_other_test_sets_is_what_the_command_prints(mdc_rows):
    from bap_v2_dataset import scoreboard

    printed = dict(re.findall(r"^\| `(stack|symbolic)` \|(.*)\|$", README, flags=re.MULTILINE))
    assert set(printed) == {"stack", "symbolic"}
    names = ("mdc", *SIMULATORS)
    tests = [scoreboard.scored_rows(datasets.load_dataset("bap_v2", name, split="test")) for name in names]
    for name, cells in printed.items():
        found = [
            bap_v2_metric.score(
                scoreboard.baseline_predictions(name, rows),
                [{key: row[key] for key in ("before", "after", "interpretations")} for row in rows],
            )
            for rows in tests
        ]
        assert [cell.strip() for cell in cells.split("|")] == [f"{100 * one['fairer_f1']:.1f}" for one in found]


def test_the_metric_card_asks_for_the_labels_beside_the_signature():
    assert 'metadata["annotation"]["labels"]' in CARD


@pytest.mark.parametrize("measure", ["strict", "fairer", "type", "color", "location", "shape"])
def test_the_card_explains_every_measure(measure):
    assert f"| `{measure}` |" in CARD
