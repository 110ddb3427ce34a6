"""Cards of datasets: what `datasets` reads from them, that every number is the build's, that their code runs."""

import json
import re
from importlib.resources import files as package_files

import datasets
import pytest
import typer
from datasets.utils import resources
from datasets.utils.metadata import known_task_ids
from small_cards import (
    ALL,
    OF_ALL_TASKS,
    SYNTHETIC,
    assert_well_formed,
    card_of,
    code_of,
    files_of,
    infos_of,
    of_all_tasks,
    repository,
    subsets,
)  # fmt: skip

import bap_v2_dataset  # noqa: F401 (registers the name)
import bap_v2_metric
from bap_v2_dataset.cli import app
from bap_v2_dataset.interface.table import TASKS, task_of
from bap_v2_dataset.interface.task import Config, Task
from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.labels.agreement import annotators_of, compared
from bap_v2_dataset.labels.label_file import labels_name, read_labels
from bap_v2_dataset.loading import install
from bap_v2_dataset.publishing import dataset_card as dataset_cards
from bap_v2_dataset.publishing import template
from bap_v2_dataset.publishing.dataset import chosen_configs
from bap_v2_dataset.publishing.dataset_card import dataset_card
from bap_v2_dataset.tasks.building.corpus_stats import clean_test_counts
from bap_v2_dataset.tasks.building.paper import PAPER_ITEMS, PUBLISHED_TEST
from bap_v2_dataset.tasks.building.task import BUILDING
from bap_v2_dataset.tasks.robustness.task import ROBUSTNESS
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.simulation import play


@pytest.mark.slow
@of_all_tasks
def test_a_published_directory_loads_with_the_same_columns_and_rows(tmp_path, parts, games, names):
    folder = repository(tmp_path / "published", parts, *names, default=names[-1], games=games)
    for name in names:
        loaded = datasets.load_dataset(str(folder), name)
        assert list(loaded) == list(parts[name])
        for split, rows in parts[name].items():
            assert loaded[split].features == rows.features
            assert loaded[split].to_list() == rows.to_list()
    first = next(iter(parts[names[-1]]))
    unnamed = datasets.load_dataset(str(folder), split=first)
    assert unnamed["id"][:] == parts[names[-1]][first]["id"][:]


def known(name: str) -> list[str]:
    return json.loads((package_files(resources) / f"{name}.json").read_text())


@of_all_tasks
def test_every_identifier_is_one_that_the_hub_knows(parts, games, names):
    data = card_of(parts, *names, games=games).data
    creators = known("creators")
    assert set(data.annotations_creators) <= set(creators["annotations"])
    assert set(data.language_creators) <= set(creators["language"])
    assert set(data.multilinguality) <= set(known("multilingualities"))
    assert set(data.language) <= set(known("languages"))
    assert set(data.size_categories) <= set(known("size_categories"))
    assert set(data.task_categories) <= set(known_task_ids)
    assert all(data.get(key) for key in ("pretty_name", "tags", "configs", "dataset_info", "source_datasets"))


SIZES = {0: "n<1K", 999: "n<1K", 1000: "1K<n<10K", 99_999: "10K<n<100K", 10**12 - 1: "100B<n<1T", 10**12: "n>1T"}


@pytest.mark.parametrize(("rows", "name"), SIZES.items())
def test_sizes_have_the_names_of_the_hub(rows, name):
    info = datasets.DatasetInfo(splits=datasets.SplitDict({"test": datasets.SplitInfo("test", 1, rows)}))
    assert dataset_cards._size_category({"dss": info}) == name and name in known("size_categories")


LICENSES = {
    ("dss",): ["apache-2.0"],
    ("mdc",): ["apache-2.0", "ncsa"],
    ("mdc_v2",): ["apache-2.0", "ncsa"],
    ("all",): ["apache-2.0", "ncsa"],
    ("robust_dss",): ["apache-2.0"],
    ("robust_mdc_v2",): ["apache-2.0", "ncsa"],
    ("gsu_structure",): ["apache-2.0"],
    ("plancraft",): ["mit"],
    ("mdc", "gsu_structure", "plancraft"): ["apache-2.0", "ncsa", "mit"],
}


@pytest.mark.parametrize(("names", "licenses"), LICENSES.items())
def test_licenses_follow_the_rows(parts, games, names, licenses):
    card = card_of(parts, *names, games=games)
    assert card.data.license == licenses
    assert ("LICENSE-MDC.txt" in card.text) == ("ncsa" in licenses)
    assert ("LICENSE-PLANCRAFT.txt" in card.text) == ("mit" in licenses)


OF_PEOPLE = ("Minecraft Dialogue Corpus", "players", "NCSA", "ncsa", "LICENSE-MDC", "mine.csv", "mdc", "augment")


def test_a_synthetic_push_claims_no_human_data(parts, games):
    text = str(card_of(parts, *SYNTHETIC))
    assert [word for word in OF_PEOPLE if word in text] == []
    assert "nothing here was written or done by people" in text and "Personal data\n\nNone" in text
    everything = str(card_of(parts, *ALL, games=games))
    assert all(word in everything for word in OF_PEOPLE)


def test_the_legacy_config_alone_claims_no_labels_and_nothing_simulated(parts, games):
    text = card_of(parts, "mdc", games=games).text
    assert not re.search(r"[Ll]abel|[Ss]imulat(?!ed item, as)|Augmentation", text)
    assert "jayannavar2020learning" in text and "narayan-chen2019mdc" in text


@subsets
def test_every_split_stands_beside_the_paper(parts, games, names):
    text = card_of(parts, *names, games=games).text
    table = re.findall(r"^\| (?:`(\w+)` – [^|]+)?\s*\| `(\w+)` \| ([\d,]+) \| ([\d,]+|–) \|$", text, re.MULTILINE)
    table_cells, config = {}, ""
    for name, split, number, paper in table:
        config = name or config
        table_cells[config, split] = (number, paper)
    for name in names:
        for split, rows in parts[name].items():
            paper = PAPER_ITEMS.get(name, {}).get(split)
            assert table_cells.pop((name, split)) == (f"{len(rows):,}", f"{paper:,}" if paper else "–")
    assert not table_cells


@of_all_tasks
def test_every_column_is_explained_with_its_type(parts, games, names):
    text = card_of(parts, *names, games=games).text
    explained: dict[str, set[str]] = {}
    for columns, type_name in re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| ([^|]+) \|", text, re.MULTILINE):
        for column in re.findall(r"`(\w+)`", columns):
            explained.setdefault(column, set()).add(type_name)
    for name in names:
        for column, feature in next(iter(parts[name].values())).features.items():
            assert template._type_name(feature) in explained[column], column


def test_types_are_said_in_words():
    text = datasets.Value("string")
    pose = {"x": datasets.Value("float64"), "yaw": datasets.Value("float64")}
    words = {"string": text, "list of string": datasets.List(text), "JSON": datasets.Json(),
             "{x, yaw} of float64": pose, "list of {x} of string": datasets.List({"x": text})}  # fmt: skip
    assert {name: template._type_name(feature) for name, feature in words.items()} == {name: name for name in words}


@pytest.mark.parametrize("name", (*ALL, "robust_dss", "robust_mdc_v2", "gsu_card2ego_2d", "gsu_structure"))
def test_every_field_of_the_metadata_is_explained(parts, games, name):
    text = card_of(parts, name, games=games).text
    for rows in parts[name].values():
        for metadata in rows["metadata"]:
            inner = [set(value) for key, value in metadata.items() if key in ("plan", "difficulty", "annotation",
                     "augmentation", "perturbation") and isinstance(value, dict)]  # fmt: skip
            for field in set(metadata).union(*inner) - {"colors"}:
                assert f"`{field}`" in text or f"`metadata.{field}`" in text, field


def test_statistics_are_those_of_the_rows():
    """Worked by hand: two items of one game."""
    first = next(items(play(simulator_of("dss"), "train", 0)))
    empty = row(first) | {
        "game_id": "g", "dialogue": ["<Architect> a red one, please", "<Builder> ok"], "before": [],
        "after": ["red 0 1 0", "red 1 1 0"], "interpretations": "multiple", "prompt_n_posb_s": "x" * 10,
    }  # fmt: skip
    later = row(first) | {
        "game_id": "g", "dialogue": ["<Architect> Make that red one blue"], "before": ["red 0 1 0", "red 1 1 0"],
        "after": ["blue 0 1 0", "red 1 1 0"], "interpretations": "unique", "prompt_n_posb_s": "x" * 1500,
    }  # fmt: skip
    parts = {"dss": {"train": datasets.Dataset.from_list([empty, empty, later], features=FEATURES)}}
    # Of three items two are on an empty board; two net actions each; 5, 5 and 5 words; red, blue, ... are 8 of them.
    line = "| `dss` | `train` | 1 | 67% | 67% | 33% | 2.0 | 5.0 | 8 | 10 | 1,500 |"
    assert line in card_of(parts, "dss").text


def test_the_example_is_a_row_of_the_build(parts):
    for names in (("dss",), ("dr",), SYNTHETIC):
        text = card_of(parts, *names).text
        match = re.search(r"The row `(\w+)-train-(\d+)/(\d+)`", text)
        example = row([*items(play(simulator_of(match[1]), "train", int(match[2])))][int(match[3])])
        assert match[1] in names
        assert f"```\n{example['prompt_n_posb_s']}```" in text and f"```\n{example['completion']}\n```" in text
        assert example["before"] and "### AS:\n```" in text


def test_what_the_human_corpus_lost_is_what_its_report_says(parts, games):
    text = " ".join(card_of(parts, "mdc", games=games).text.split())
    report = games.report
    assert f"{report.logs} logs" in text and f"of which {report.games.total()} belong to a split" in text
    assert f"{len(report.warm_ups)} warm-up games" in text and f"{report.states_without_pose} world states" in text
    assert "(train 2, validation 1, test 2)" in text and "train 0, validation 3, test 0" in text  # small_corpus.COUNTS
    assert f"Of {report.steps} steps in the logs {report.steps_of_several_blocks} change" in text
    assert games.digest[:12] in text and "could not be read" not in text


def test_labels_of_others_stand_alone(parts, games):
    text = card_of(parts, "mdc_v2", games=games).text
    assert text.count("Labels: mine.csv") == 2
    assert "kappa" not in text and "Two language models" not in text


def test_our_labels_come_with_their_agreement_and_what_they_give(parts, mdc_games):
    text = card_of(parts, "mdc_v2", games=mdc_games, labels=labels_name()).text
    assert card_of(parts, "mdc_v2", games=mdc_games, labels=None).text == text
    assert text.count(f"Labels: {labels_name()}") == 2
    for question in compared(*annotators_of()).questions:
        assert f"| {question.items:,} | {question.equal:,} | {question.kappa:.2f} |" in text
    counts = clean_test_counts(mdc_games, read_labels())
    for name, number in counts.items():
        paper = f"{PUBLISHED_TEST[name]:,} " if name in PUBLISHED_TEST else ""
        assert f"| {paper}| {number:,} |" in text, name


@of_all_tasks
def test_the_code_in_the_card_runs(tmp_path, parts, games, names, monkeypatch, capsys):
    repository(tmp_path / "USER" / "bap_v2", parts, *names, default=names[0], games=games)
    install.install_metric()
    monkeypatch.chdir(tmp_path)
    namespace: dict = {}
    exec(code_of((tmp_path / "USER" / "bap_v2" / "README.md").read_text(encoding="utf-8")), namespace)
    printed = capsys.readouterr().out
    if "load_dataset" in namespace and names[0] in BUILDING.configs:
        assert f"1.0 {bap_v2_metric.SIGNATURE}\n" in printed


@of_all_tasks
def test_a_card_names_its_tasks_and_how_its_rows_are_made_and_scored(parts, games, names):
    card = card_of(parts, *names, games=games, metric_space="USER/metric")
    outside = re.sub(r"```.*?```", "", card.text, flags=re.DOTALL)
    headings = re.findall(r"^(#+) (.*)$", outside, re.MULTILINE)
    assert [level for level, _ in headings].count("#") == 1 and len({name for _, name in headings}) == len(headings)
    tasks = {task_of(name) for name in names}
    assert card.data.pretty_name == " and ".join(
        dict.fromkeys(task.card.TITLE for task in TASKS.values() if task in tasks)
    )
    for task in tasks - {ROBUSTNESS}:
        assert task.scorer.signature() in card.text and any(task.title in heading for _, heading in headings)
        name = "" if task is BUILDING else f', "{task.name}"'
        assert f'evaluate.load("USER/metric"{name})' in card.text
    assert 'evaluate.load("bap_v2"' in card_of(parts, *names, games=games).text
    for name in names:
        citation = re.match(r"@\w+\{([\w-]+),", task_of(name).dataset.info(name).citation)[1]
        assert citation in card.text and f"`{name}`" in card.text
    for name, rest in re.findall(r"bap-v2 (setup|push)([^`\n]*)", card.text):
        options = {word for option in typer.main.get_command(app).commands[name].params for word in option.opts}
        assert options >= set(re.findall(r"--[\w-]+", rest)), (name, rest)


class Words:
    """What a room says of words to spell."""

    TITLE = "Spelling"

    def front_matter(published):
        fields = ("task_categories", "annotations_creators", "language_creators", "source_datasets")
        return {"license": ["mit"], "tags": ["letters"], **{field: [] for field in fields}}

    def text(published):
        return f"## Spelling\n\nThese are {published.repo_id}'s words."


class Spelling(Task):
    name, title, card, configs = "spelling", "Spelling", Words, {"spelling": Config(splits=("test",))}


def test_a_task_of_a_new_room_has_its_part(parts, monkeypatch):
    monkeypatch.setitem(TASKS, "spelling", Spelling())
    words = datasets.Dataset.from_dict({"id": ["spelling-test-0"]})
    card = card_of(parts | {"spelling": {"test": words}}, "dss", "spelling")
    assert_well_formed(card.text)
    assert "## Spelling\n\nThese are USER/bap_v2's words." in card.text
    assert card.data.license == ["apache-2.0", "mit"] and "letters" in card.data.tags
    assert card.data.pretty_name == "Builder Action Prediction (BAP) v2 and Spelling"
    assert chosen_configs(["spelling"], human=False) == ["spelling"]


def test_a_card_speaks_of_other_tasks_only_where_they_are(parts):
    alone, both, other = (card_of(parts, *n).text for n in (("dss",), ("dss", "gsu_structure"), ("gsu_structure",)))
    assert "Grid Spatial" not in alone and "Minecraft" not in other
    assert "also holds another task" in both and other.strip().partition("\n")[2].strip()[:200] in both


@pytest.mark.parametrize(
    "names", [OF_ALL_TASKS[name] for name in ("with variants", "variants alone", "human variants")]
)
def test_a_card_with_variants_has_their_numbers(parts, games, names):
    card = card_of(parts, *names, games=games)
    robust = [name for name in names if name.startswith("robust")]
    section = card.text.split("## Robustness")[1].splitlines()
    table = {line.split("|")[1].strip(): line for line in section if line[:3] == "| `"}
    for split in {split for name in robust for split in parts[name]}:
        numbers = [cell.strip() for cell in table[f"`{split}`"].split("|")[3:-1]]
        assert numbers == [f"{len(parts[name][split]):,}" if split in parts[name] else "–" for name in robust]
    assert "`parent`, `config`" in card.text and "dan2021generalization" in card.text
    assert "() depends on" not in card.text


def test_a_card_without_variants_has_nothing_of_them_but_how_they_are_made(parts):
    text = card_of(parts, "dss").text
    assert "## Robustness" not in text and "`metadata.perturbation`" not in text and "dan2021" not in text
    assert "`bap-v2 setup --robust`" in text


def test_numbers_of_other_tasks_are_those_of_their_rows(parts):
    text = card_of(parts, "gsu_structure", "plancraft").text
    assert "| `gsu_structure` | what blocks form | yes | 9 | 3 | 4 |" in text
    kinds = parts["plancraft"]["test"]["difficulty"][:]
    counts = " | ".join(str(kinds.count(name)) for name in ("easy", "medium", "hard", "impossible"))
    assert f"| test | {counts} |" in text


def test_configs_that_are_not_pushed_now_have_a_card_without_statistics(parts):
    chosen = {name: parts[name] for name in SYNTHETIC}
    text = dataset_card("USER/bap_v2", infos_of(chosen), files_of(chosen), rows={"dr": chosen["dr"]}).text
    assert "| `dr` | `train` | 2 |" in text and "| `dss` | `train` | 2 |" not in text


@of_all_tasks
def test_a_dataset_card_is_well_formed(parts, games, names):
    assert_well_formed(card_of(parts, *names, games=games, metric_space="USER/metric").text)
    assert_well_formed(card_of(parts, *names, games=games, rows=None).text)
