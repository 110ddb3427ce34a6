"""Cards of datasets: what `datasets` reads from them, that every number is the build's, that their code runs."""

import json
import re
from importlib.resources import files as package_files

import datasets
import pytest
import typer
from datasets.info import DatasetInfosDict
from datasets.utils import resources
from datasets.utils.metadata import MetadataConfigs, known_task_ids
from huggingface_hub import DatasetCard
from small_cards import ALL, SYNTHETIC, assert_well_formed, card_of, code_of, files_of, infos_of, repository, subsets

import bap_v2_dataset  # noqa: F401 (registers the name)
import bap_v2_metric
from bap_v2_dataset.analysis.stats import clean_test_counts
from bap_v2_dataset.cli import app
from bap_v2_dataset.labels.agreement import annotators_of, compared
from bap_v2_dataset.labels.label_file import labels_name, read_labels
from bap_v2_dataset.loading import install
from bap_v2_dataset.publishing import dataset_card as dataset_cards
from bap_v2_dataset.publishing.dataset_card import dataset_card
from bap_v2_dataset.publishing.template import CardError
from bap_v2_dataset.tasks.building.features import FEATURES
from bap_v2_dataset.tasks.building.items import items
from bap_v2_dataset.tasks.building.paper import PAPER_ITEMS, PUBLISHED_TEST
from bap_v2_dataset.tasks.building.rows import row
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.simulation import play


@subsets
def test_a_published_directory_loads_with_the_same_columns_and_rows(tmp_path, parts, games, names):
    folder = repository(tmp_path / "published", parts, *names, default=names[-1], games=games)
    for name in names:
        loaded = datasets.load_dataset(str(folder), name)
        assert list(loaded) == list(parts[name])
        for split, rows in parts[name].items():
            assert loaded[split].features == FEATURES
            assert loaded[split].to_list() == rows.to_list()
    first = next(iter(parts[names[-1]]))
    unnamed = datasets.load_dataset(str(folder), split=first)
    assert unnamed["id"][:] == parts[names[-1]][first]["id"][:]


def test_rows_stream_from_a_published_directory(tmp_path, parts):
    folder = repository(tmp_path / "published", parts, *SYNTHETIC)
    streamed = datasets.load_dataset(str(folder), "dsb", split="test", streaming=True)
    assert list(streamed) == parts["dsb"]["test"].to_list()


def test_datasets_reads_back_what_it_was_told(parts, games):
    card = DatasetCard(str(card_of(parts, *ALL, default="all", games=games)))
    infos = DatasetInfosDict.from_dataset_card_data(card.data)
    configs = MetadataConfigs.from_dataset_card_data(card.data)
    assert set(infos) == set(configs) == set(ALL) and configs.get_default_config_name() == "all"
    for name, splits in parts.items():
        assert infos[name].features == FEATURES
        assert {split: splits.num_examples for split, splits in infos[name].splits.items()} == {
            split: len(rows) for split, rows in splits.items()
        }


def known(name: str) -> list[str]:
    return json.loads((package_files(resources) / f"{name}.json").read_text())


@subsets
def test_every_identifier_is_one_that_the_hub_knows(parts, games, names):
    data = card_of(parts, *names, games=games).data
    creators = known("creators")
    assert set(data.annotations_creators) <= set(creators["annotations"])
    assert set(data.language_creators) <= set(creators["language"])
    assert set(data.multilinguality) <= set(known("multilingualities"))
    assert set(data.language) <= set(known("languages"))
    assert set(data.size_categories) <= set(known("size_categories"))
    assert set(data.task_categories) <= set(known_task_ids)
    assert set(data.license) <= {"apache-2.0", "ncsa"}
    assert all(data.get(key) for key in ("pretty_name", "tags", "configs", "dataset_info", "source_datasets"))


SIZES = {0: "n<1K", 999: "n<1K", 1000: "1K<n<10K", 99_999: "10K<n<100K", 10**12 - 1: "100B<n<1T", 10**12: "n>1T"}


@pytest.mark.parametrize(("rows", "name"), SIZES.items())
def test_sizes_have_the_names_of_the_hub(rows, name):
    assert dataset_cards._size_category(rows) == name and name in known("size_categories")


def test_licences_follow_the_rows(parts, games):
    assert card_of(parts, "dss").data.license == ["apache-2.0"]
    assert card_of(parts, "mdc", games=games).data.license == ["ncsa"]
    assert card_of(parts, "mdc_v2", games=games).data.license == ["apache-2.0", "ncsa"]
    assert card_of(parts, "all", games=games).data.license == ["apache-2.0", "ncsa"]


OF_PEOPLE = ("Minecraft Dialogue Corpus", "players", "NCSA", "ncsa", "LICENSE-MDC", "mine.csv", "mdc", "augment")


def test_a_synthetic_push_claims_no_human_data(parts, games):
    text = str(card_of(parts, *SYNTHETIC))
    assert [word for word in OF_PEOPLE if word in text] == []
    assert "nothing here was written or done by people" in text and "Personal data\n\nNone" in text
    everything = str(card_of(parts, *ALL, games=games))
    assert all(word in everything for word in OF_PEOPLE)


def test_the_legacy_config_alone_claims_no_labels_and_nothing_simulated(parts, games):
    text = card_of(parts, "mdc", games=games).text
    assert not re.search(r"[Ll]abel|[Ss]imulat(?!ed item, as)|Augmentation|Apache", text)
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
            paper = PAPER_ITEMS[name].get(split)
            assert table_cells.pop((name, split)) == (f"{len(rows):,}", f"{paper:,}" if paper else "–")
    assert not table_cells


def test_the_papers_joint_corpus_is_the_sum_of_its_parts():
    assert PAPER_ITEMS["all"]["train"] == 52_419 and PAPER_ITEMS["all"]["validation"] == 4_678


@subsets
def test_every_column_is_explained_with_its_type(parts, games, names):
    text = card_of(parts, *names, games=games).text
    types = {"string": datasets.Value("string"), "list of string": datasets.List(datasets.Value("string")),
             "JSON": datasets.Json()}  # fmt: skip
    explained = {}
    for columns, type_name in re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| ([^|]+) \|", text, re.MULTILINE):
        explained.update(dict.fromkeys(re.findall(r"`(\w+)`", columns), type_name))
    for name, feature in FEATURES.items():
        if name == "pose":
            assert explained[name] == f"{{{', '.join(feature)}}} of float64"
        else:
            assert types[explained[name]] == feature, name


@pytest.mark.parametrize("name", ALL)
def test_every_field_of_the_metadata_is_explained(parts, games, name):
    text = card_of(parts, name, games=games).text
    for rows in parts[name].values():
        for metadata in rows["metadata"]:
            inner = [set(value) for key, value in metadata.items() if isinstance(value, dict) and key != "settings"]
            for field in set(metadata).union(*inner) - {"colors"}:
                assert f"`{field}`" in text, field


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
    assert "kappa" not in text and "language model" not in text


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


@pytest.mark.parametrize("names", [SYNTHETIC, ALL], ids=["synthetic", "all"])
def test_the_code_in_the_card_runs(tmp_path, parts, games, names, monkeypatch, capsys):
    repository(tmp_path / "USER" / "bap_v2", parts, *names, default=names[-1], games=games)
    install.install_metric()
    monkeypatch.chdir(tmp_path)
    namespace: dict = {}
    exec(code_of((tmp_path / "USER" / "bap_v2" / "README.md").read_text(encoding="utf-8")), namespace)
    assert namespace["scores"]["fairer_f1"] == 1.0
    assert capsys.readouterr().out.endswith(f"1.0 {bap_v2_metric.SIGNATURE}\n")


def test_the_commands_in_the_card_exist(parts, games):
    commands = re.findall(r"bap-v2 (setup|push)([^`\n]*)", card_of(parts, *ALL, games=games).text)
    assert {name for name, _ in commands} == {"setup", "push"}
    for name, rest in commands:
        options = {word for option in typer.main.get_command(app).commands[name].params for word in option.opts}
        assert options >= set(re.findall(r"--[\w-]+", rest)), (name, rest)


def test_the_metric_space_is_named_where_there_is_one(parts):
    assert 'evaluate.load("USER/metric")' in card_of(parts, "dss", metric_space="USER/metric").text
    assert 'evaluate.load("bap_v2")' in card_of(parts, "dss").text


def test_configs_that_are_not_pushed_now_have_a_card_without_statistics(parts):
    chosen = {name: parts[name] for name in SYNTHETIC}
    text = dataset_card("USER/bap_v2", infos_of(chosen), files_of(chosen), rows={"dr": chosen["dr"]}).text
    assert "| `dr` | `train` | 2 |" in text and "| `dss` | `train` | 2 |" not in text


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda infos, files: infos.clear(), "at least one config"),
        (lambda infos, files: infos.update(fresh=infos.pop("dss")), "unknown configs fresh"),
        (lambda infos, files: files.pop("dss"), "name the same configs"),
        (lambda infos, files: files["dss"].pop("test"), "dss has the splits"),
        (lambda infos, files: setattr(infos["dss"], "splits", None), "no splits"),
    ],
)
def test_configs_that_do_not_agree_are_refused(parts, change, message):
    chosen = {"dss": parts["dss"]}
    infos, files = infos_of(chosen), files_of(chosen)
    change(infos, files)
    with pytest.raises(CardError, match=message):
        dataset_card("USER/bap_v2", infos, files)


def test_a_default_that_is_not_published_is_refused(parts):
    with pytest.raises(CardError, match="the default config mdc is none of those published: dss"):
        card_of(parts, "dss", default="mdc")


@subsets
def test_a_dataset_card_is_well_formed(parts, games, names):
    assert_well_formed(card_of(parts, *names, games=games, metric_space="USER/metric").text)
    assert_well_formed(card_of(parts, *names, games=games, rows=None).text)
