"""Cards: what `datasets` reads from them, that every number is the build's, that the code in them runs."""

import ast
import inspect
import json
import re
from dataclasses import replace
from importlib.resources import files as package_files
from pathlib import Path

import datasets
import pytest
import small_corpus
import typer
from datasets.info import DatasetInfosDict
from datasets.utils import resources
from datasets.utils.metadata import MetadataConfigs, known_task_ids
from hub_stand_in import HubStandIn
from huggingface_hub import DatasetCard, ModelCard, SpaceCard, constants
from paths import ROOT

import bap_v2_dataset  # noqa: F401 (registers the name)
import bap_v2_metric
from bap_v2_dataset.analysis.stats import clean_test_counts
from bap_v2_dataset.cli import app
from bap_v2_dataset.evaluation.systems import baseline_predictions
from bap_v2_dataset.evaluation.test_sets import scored_rows
from bap_v2_dataset.features import FEATURES
from bap_v2_dataset.human import game_store
from bap_v2_dataset.items import items
from bap_v2_dataset.labels.agreement import annotators_of, compared
from bap_v2_dataset.labels.label_file import labels_name, read_labels
from bap_v2_dataset.loading import install
from bap_v2_dataset.loading.builder import builder_of
from bap_v2_dataset.loading.sampling import SOURCES
from bap_v2_dataset.paper import PAPER_ITEMS, PUBLISHED_TEST
from bap_v2_dataset.prompts import REPRESENTATIONS
from bap_v2_dataset.publishing import dataset_card as dataset_cards
from bap_v2_dataset.publishing import model_card as model_cards
from bap_v2_dataset.publishing.dataset_card import dataset_card
from bap_v2_dataset.publishing.model_card import ModelFacts, SplitResult, facts_of_run, model_card, split_result
from bap_v2_dataset.publishing.template import CardError
from bap_v2_dataset.rows import row
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.simulation import play

SPACE_CARD = ROOT / "bap_v2_metric" / "README.md"
TEMPLATES = ("dataset_card.md", "model_card.md")
SYNTHETIC = tuple(SIMULATORS)
Parts = dict[str, dict[str, datasets.Dataset]]


# --- A small build of every config: real rows, few of them.
@pytest.fixture(scope="module")
def corpus_path(tmp_path_factory) -> Path:
    return small_corpus.write(tmp_path_factory.mktemp("corpus") / "mdc")


@pytest.fixture(scope="module")
def games(corpus_path) -> game_store.KeptGames:
    return game_store.mdc_games(corpus_path)


@pytest.fixture(scope="module")
def parts(corpus_path, tmp_path_factory) -> Parts:
    folder = tmp_path_factory.mktemp("build")
    labels = folder / "mine.csv"
    lines = ["game_id,item_index,context,structure"]
    for game_id, context in ((small_corpus.EARLY, "unique"), (small_corpus.IDLE, "multiple")):
        lines += [
            f"{game_id},0,{context},correct",
            f"{game_id},1,{'unclear,' if context == 'unique' else 'unique,correct'}",
        ]
    labels.write_text("\n".join(lines))
    parts: Parts = {}
    for name in ("mdc_v2", "mdc"):
        own = str(labels) if name == "mdc_v2" else None
        builder = builder_of(name, str(corpus_path), own, cache_dir=str(folder))
        builder.download_and_prepare()
        parts[name] = dict(builder.as_dataset())
    for name in SIMULATORS:
        parts[name] = {split: simulated(name, split) for split in ("train", "validation", "test")}
    parts["all"] = {
        **{split: joined(parts, split) for split in ("train", "validation")},
        "validation_matched": parts["dr"]["validation"],
        **{f"test_{name}": parts[name]["test"] for name in SOURCES},
    }
    return parts


def simulated(name: str, split: str) -> datasets.Dataset:
    games = (play(simulator_of(name), split, index) for index in range(2))
    return datasets.Dataset.from_list([row(item) for game in games for item in items(game)], features=FEATURES)


def joined(parts: Parts, split: str) -> datasets.Dataset:
    return datasets.concatenate_datasets([parts[name][split] for name in SOURCES])


def infos_of(parts: Parts) -> dict[str, datasets.DatasetInfo]:
    return {
        name: datasets.DatasetInfo(
            features=FEATURES,
            splits=datasets.SplitDict(
                {split: datasets.SplitInfo(split, rows.data.nbytes, len(rows)) for split, rows in splits.items()}
            ),
            download_size=1,
        )
        for name, splits in parts.items()
    }


def files_of(parts: Parts) -> dict[str, dict[str, str]]:
    return {name: {split: f"data/{name}/{split}-*.parquet" for split in splits} for name, splits in parts.items()}


def card_of(parts: Parts, *names: str, **options) -> DatasetCard:
    chosen = {name: parts[name] for name in names}
    return dataset_card(
        "USER/bap_v2", infos_of(chosen), files_of(chosen), **{"rows": chosen, "labels": "mine.csv", **options}
    )


def repository(folder: Path, parts: Parts, *names: str, **options) -> Path:
    """What is published, as a directory."""
    for name in names:
        for split, rows in parts[name].items():
            file = folder / "data" / name / f"{split}-00000-of-00001.parquet"
            file.parent.mkdir(parents=True, exist_ok=True)
            rows.to_parquet(file)
    card_of(parts, *names, **options).save(folder / "README.md")
    return folder


ALL = ("mdc_v2", "mdc", *SYNTHETIC, "all")
SUBSETS = {"synthetic": SYNTHETIC, "one": ("dss",), "legacy": ("mdc",), "human": ("mdc_v2", "mdc"), "all": ALL}
subsets = pytest.mark.parametrize("names", SUBSETS.values(), ids=SUBSETS)


# --- The front matter of a dataset.
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


# --- The text of a dataset card.
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


@pytest.mark.parametrize("template", TEMPLATES)
def test_no_number_is_written_into_a_template(template):
    text = (ROOT / "hub_cards" / template).read_text(encoding="utf-8")
    text = re.sub(r"\{% raw -?%\}.*?\{% endraw -?%\}|\{[{%].*?[}%]\}|https://github.com\S+", " ", text, flags=re.DOTALL)
    names = {
        "v2",
        "bap-v2",
        "bap_v2",
        "mdc_v2",
        "fairer_f1",
        "F1",
        "Apache-2.0",
        "B1-A3",
        "SHA-256",
        "prashant-jayan21",
    }
    of_papers = {"2501.10836", "2019", "2025", "5", "2.3", "3.1", "3.2"}  # arXiv, years, Table 5, sections
    of_yaw = {"-180", "180", "0", "90"}
    code = {"512", "0", "1"}  # new tokens; indices
    numbers = {word.strip(".") for word in re.findall(r"[\w.-]*\d[\w.-]*", text)}
    assert numbers <= names | of_papers | (of_yaw if template == "dataset_card.md" else code)


def code_of(text: str) -> str:
    return "\n".join(re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL))


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


# --- Models.
@pytest.fixture(scope="module")
def measured() -> SplitResult:
    """A rule's scores on some items of dss, with intervals."""
    rows = scored_rows(simulated("dss", "test"))
    references = [{key: row[key] for key in ("before", "after", "interpretations")} for row in rows]
    counts = bap_v2_metric.score_items(baseline_predictions("stack", rows), references)
    intervals = bap_v2_metric.bootstrap(counts, 50)
    return SplitResult("dss", "test", bap_v2_metric.aggregate(counts), "none needed (synthetic)", 1000, intervals)


@pytest.fixture(scope="module")
def facts(measured) -> ModelFacts:
    return ModelFacts(
        repo_id="USER/builder",
        kind="adapter",
        base_model="meta-llama/Meta-Llama-3-8B",
        data={"dr": 300, "dss": 11_868},
        representation="n_posb_s",
        hyperparameters={"use_peft": True, "lora_r": 16, "learning_rate": 2e-4, "max_prompt_tokens": 2048},
        results=[measured],
        seed=20,
        versions={"torch": "2.13.0", "peft": "0.21.2"},
        dataset_repo="USER/bap_v2",
        hardware="one GPU",
        seconds=90.0,
        limits=["It was stopped early."],
    )


def test_results_survive_the_front_matter(facts, measured):
    data = ModelCard(str(model_card(facts))).data
    assert data.model_name == "builder" and data.base_model == facts.base_model
    assert data.eval_results[0].metric_type == "fairer_f1"
    assert {entry.metric_type: entry.metric_value for entry in data.eval_results} == {
        f"{measure}_f1": measured.scores[f"{measure}_f1"]
        for measure in ("strict", "fairer", "type", "color", "location", "shape")
    }
    for result in data.eval_results:
        assert (result.dataset_type, result.dataset_config, result.dataset_split) == ("USER/bap_v2", "dss", "test")
        assert result.metric_args == {"signature": bap_v2_metric.SIGNATURE}
        assert result.dataset_args == {"items": measured.scores["n_items"], "labels": measured.labels}


def test_the_table_shows_the_scores_with_their_signature_and_labels(facts, measured):
    text = model_card(facts).text
    scores = measured.scores
    for prefix, title in (("eb_", "EB"), ("neb_", "NEB"), ("", "Overall")):
        cells = [f"{100 * scores[f'{prefix}{name}_f1']:.1f}"
                 for name in ("type", "color", "location", "shape", "fairer", "strict")]  # fmt: skip
        assert f"| {scores[f'{prefix}n_items']} | {title} | {' | '.join(cells)} |" in text
    low, high = measured.intervals["fairer_f1"]
    assert f"Overall {100 * low:.1f}–{100 * high:.1f} (95% bootstrap interval)" in text
    assert f"a subset, {scores['n_items']} of 1,000 items" in text
    assert f"labels: {measured.labels}; signature `{bap_v2_metric.SIGNATURE}`" in text


@pytest.mark.parametrize("kind", ["adapter", "full"])
@pytest.mark.parametrize("base", ["meta-llama/Meta-Llama-3-8B", None])
@pytest.mark.parametrize("representation", REPRESENTATIONS)
def test_a_card_fits_the_kind_of_model(facts, kind, base, representation):
    card = model_card(replace(facts, kind=kind, base_model=base, representation=representation))
    data = ModelCard(str(card)).data
    assert data.library_name == ("peft" if kind == "adapter" else "transformers")
    assert data.base_model == base
    relation = {"adapter": "adapter", "full": "finetune"}[kind]
    assert data.get("base_model_relation") == (relation if base else None)
    assert data.license == ("other" if base else "apache-2.0")
    assert data.get("license_link") == (f"https://huggingface.co/{base}" if base else None)
    assert ("lora" in data.tags) == ("from peft import" in card.text) == (kind == "adapter")
    assert ("random weights" in card.text) == (base is None)
    assert f'row["prompt_{representation}"]' in card.text
    assert ("the blocks on the board" in card.text) == (representation == "n_posb_s")
    ast.parse(code_of(card.text))


def test_a_card_says_what_was_learned_and_how(facts):
    text = model_card(facts).text
    for line in ("| `dr` | 300 |", "| `dss` | 11,868 |", "| hardware | one GPU |", "| time | 1.5 minutes |",
                 "| libraries | torch 2.13.0, peft 0.21.2 |", "lora_r: 16", "learning_rate: 0.0002", "seed: 20",
                 "- It was stopped early.", "Prompts of more than 2,048 tokens lost"):  # fmt: skip
        assert line in text, line
    assert "```yaml\nmodel_name_or_path: meta-llama/Meta-Llama-3-8B\n" in text


def test_a_run_that_shortened_no_prompts_has_a_card(facts):
    text = model_card(replace(facts, hyperparameters={"use_peft": True, "max_length": 4096})).text
    assert "max_length: 4096" in text and "lost" not in text


def test_human_data_are_only_claimed_where_there_are_any(facts, measured):
    assert "simulated dialogues only" in model_card(facts).text
    learned = model_card(replace(facts, data={"all": 52_419})).text
    tested = model_card(replace(facts, results=[replace(measured, config="mdc_v2", labels="theirs")])).text
    for text in (learned, tested):
        assert "simulated dialogues only" not in text and "narayan-chen2019mdc" in text


def test_a_model_without_scores_says_so(facts):
    card = model_card(replace(facts, results=[]))
    assert "It was not scored." in card.text
    assert "model-index" not in str(card) and "model_name:" not in str(card)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "lora"}, "kind='lora': expected adapter or full"),
        ({"representation": "prompt_n"}, "expected one of n, n_posb, n_posb_s"),
        ({"data": {}}, "says what was learned"),
        ({"base_model": "/home/me/llama"}, "'/home/me/llama' is not a name on the Hub"),
        ({"repo_id": "a b"}, "'a b' is not a name on the Hub"),
        ({"results": [SplitResult("dss", "test", {"f1": 0.5}, "none")]}, "the scores on dss lack .*signature"),
    ],
)
def test_what_makes_no_model_card_is_refused(facts, change, message):
    with pytest.raises(CardError, match=message):
        model_card(replace(facts, **change))


def test_records_that_are_missing_or_others_are_refused(tmp_path):
    with pytest.raises(CardError, match=r"training_run.json: No such file .*written by training/train_sft.py"):
        facts_of_run("USER/builder", tmp_path)
    (tmp_path / "training_run.json").write_text("{")
    with pytest.raises(CardError, match="is not JSON"):
        facts_of_run("USER/builder", tmp_path)
    (tmp_path / "training_run.json").write_text('{"arguments": {}}')
    with pytest.raises(CardError, match="is not a record of training"):
        facts_of_run("USER/builder", tmp_path)


TINY = {
    "vocab_size": 300, "hidden_size": 8, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 1,
    "num_key_value_heads": 1, "max_position_embeddings": 1024,
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["adapter", "full", "adapter of a model"])
def test_the_card_of_a_run_repeats_its_training_and_its_code_runs(tmp_path, parts, kind, monkeypatch, capsys):
    from bap_v2_training import train_sft

    def trained(name: str, **settings) -> Path:
        folder = Path("USER") / name
        settings = {"dataset_path": str(own), "max_prompt_tokens": 400, "max_length": 640, "max_steps": 1,
                    "output_dir": str(folder), "save_strategy": "no", "report_to": "none", **settings}  # fmt: skip
        Path("own.yaml").write_text(json.dumps(settings))  # JSON is YAML
        train_sft.main(*train_sft.parse_arguments(["--config", "own.yaml", "--disable_tqdm", "true"]))
        return folder

    monkeypatch.chdir(tmp_path)
    own = tmp_path / "items.jsonl"
    simulated("dss", "train").to_json(own)
    lora = {"use_peft": True, "lora_r": 4, "lora_target_modules": "all-linear"}
    if kind == "adapter of a model":
        trained("model", new_model=TINY)
        folder, base = trained("builder", model_name_or_path="USER/model", **lora), "USER/model"
    else:
        folder, base = trained("builder", new_model=TINY, **(lora if kind == "adapter" else {})), None
    facts = facts_of_run("USER/builder", folder, dataset_repo="USER/bap_v2", limits=["It is tiny."])
    record = json.loads((folder / "training_run.json").read_text())
    assert facts.kind == kind.split()[0] and facts.base_model == base and facts.seed == record["seed"]
    assert facts.data == {"items.jsonl": record["train"]["items"]}
    text = model_card(facts).text
    assert "It is tiny." in text and str(tmp_path) not in text

    # The settings in the card are those of the run.
    Path("settings.yaml").write_text(re.search(r"```yaml\n(.*?)```", text, re.DOTALL)[1])
    again = train_sft.parse_arguments(["--config", "settings.yaml", "--output_dir", str(folder)])
    bap, training, model = (vars(part) for part in again)
    assert bap == record["arguments"]["bap"] | {"dataset_path": "items.jsonl", "dataset_config": None}
    assert {name: model[name] for name in facts.hyperparameters if name in model} == {
        name: value for name, value in record["arguments"]["model"].items() if name in facts.hyperparameters
    }
    recorded = record["arguments"]["training"]
    assert all(
        training[name] == recorded[name] for name in (*model_cards._TRAINING, "max_steps", "seed") if name in recorded
    )

    # And the model answers.
    repository(tmp_path / "USER" / "bap_v2", parts, "dss")
    capsys.readouterr()
    code = code_of(text).replace("max_new_tokens=512", "max_new_tokens=8")
    exec(code.replace('snapshot_download("USER/builder")', '"USER/builder"'), {})  # it is here already
    assert capsys.readouterr().out


def test_scores_of_the_command_line_become_results(tmp_path, measured):
    settings = {"config": "dss", "split": "test", "items": 26, "split_items": 1000, "labels": "none needed",
                "confidence": 0.95}  # fmt: skip
    system = {"name": "stack", "scores": measured.scores, "confidence_intervals": measured.intervals}
    (tmp_path / "scores.json").write_text(json.dumps({"settings": settings, "systems": [system]}))
    assert split_result(tmp_path / "scores.json") == replace(
        measured, labels="none needed", intervals=json.loads(json.dumps(measured.intervals))
    )
    (tmp_path / "scores.json").write_text("{}")
    with pytest.raises(CardError, match="was not written by bap-v2 score --json"):
        split_result(tmp_path / "scores.json")


# --- The Space, and all cards together.
def assert_well_formed(text: str) -> None:
    """Headings and tables stand apart, rows have the columns of their table, and no gap was left by a template."""
    outside = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    lines = ["", *outside.split("\n"), ""]
    for before, line, after in zip(lines, lines[1:], lines[2:]):
        if line.startswith("#"):
            assert not before and not after, line
        if line.startswith("|"):
            assert not before or before.startswith("|"), line
            if before:
                assert line.count("|") == before.count("|"), line
            assert not after or after.startswith("|"), line
    assert text.count("```") % 2 == 0 and "\n\n\n" not in text and "{" + "{" not in outside and "{%" not in outside
    assert not re.search(r"[ (]None\b|Undefined| ,| \.(?!\.)", outside), re.search(r".*(None| ,| \.).*", outside)


@subsets
def test_a_dataset_card_is_well_formed(parts, games, names):
    assert_well_formed(card_of(parts, *names, games=games, metric_space="USER/metric").text)
    assert_well_formed(card_of(parts, *names, games=games, rows=None).text)


@pytest.mark.parametrize("kind", ["adapter", "full"])
@pytest.mark.parametrize("base", ["meta-llama/Meta-Llama-3-8B", None])
def test_a_model_card_is_well_formed(facts, kind, base):
    assert_well_formed(model_card(replace(facts, kind=kind, base_model=base)).text)
    assert_well_formed(
        model_card(replace(facts, kind=kind, base_model=base, results=[], hardware=None, limits=[])).text
    )


def test_the_hub_accepts_every_card(parts, games, facts, monkeypatch):
    """As far as the stand-in judges: that a front matter is there and closed."""
    with HubStandIn() as hub:
        monkeypatch.setattr(constants, "ENDPOINT", hub.url)
        monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
        for card in (card_of(parts, *ALL, games=games), model_card(facts), SpaceCard.load(SPACE_CARD)):
            card.validate()


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
