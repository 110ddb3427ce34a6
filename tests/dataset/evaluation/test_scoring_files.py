"""From prediction files to the score table."""

import dataclasses
import io
import re
from pathlib import Path

import orjson
import pytest
from rich.console import Console

from bap_v2_dataset.evaluation import answered_splits
from bap_v2_dataset.evaluation.answered_splits import by_split
from bap_v2_dataset.evaluation.results import Answers, Resampling, Result, ScoredSplit, scored
from bap_v2_dataset.evaluation.score_formats import check_output, to_json
from bap_v2_dataset.evaluation.score_tables import score_report, tables_on, titled
from bap_v2_dataset.evaluation.system_files import read_systems
from bap_v2_dataset.games.tables import games_json
from bap_v2_dataset.predictions.answered_rows import matched, rows_with_predictions
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.tables.cells import ScoreTable, Value
from bap_v2_dataset.tables.fitted import print_report
from bap_v2_dataset.tasks.building.dataset import labels_of
from bap_v2_dataset.tasks.building.paper import COLUMNS
from bap_v2_dataset.tasks.building.task import BUILDING
from bap_v2_metric import SIGNATURE
from bap_v2_metric.scoring import SCORER
from bap_v2_simulators.atomic_files import OutputError

pytestmark = pytest.mark.usefixtures("few_are_enough")

# Two items whose scores are worked by hand. On the empty board everything is right: every F1 is 1.
# On the other board two green blocks stand where one blue one should be, one of them in its cell:
#     Type      placements 2 against 1: tp 1, fp 1, fn 0      F1 = 2/3
#     Color     no (place, blue): tp 0, fp 2, fn 1            F1 = 0
#     Location  one cell of two: tp 1, fp 1, fn 0             F1 = 2/3
#     Shape     colors differ: tp 0, fp 2, fn 1              F1 = 0
#     Overall   tp 0, fp 2, fn 1                              F1 = 0
# Together: Type and Location tp 2, fp 1, fn 0, F1 = 4/5; the others tp 1, fp 2, fn 1, F1 = 2/5.
REFERENCES = [
    {"before": [], "after": ["red 0 1 0"], "interpretations": "unique"},
    {"before": ["red 0 1 0"], "after": ["red 0 1 0", "blue 1 1 0"], "interpretations": "unique"},
]
WORKED = ["place red 0 1 0", "place green 1 1 0\nplace green 2 1 0"]
RIGHT = ["place red 0 1 0", "place blue 1 1 0"]


def printed(part) -> str:
    console = Console(file=io.StringIO(), width=200)
    console.print(part)
    return console.file.getvalue()


GOOD = b'{"id": "a/0", "prediction": ""}\n'


# --- Matching them with rows.
def test_predictions_come_in_the_order_of_the_rows_and_missing_ones_may_be_empty():
    assert matched({"b": "2", "a": "1"}, ["a", "b"], "model") == ["1", "2"]
    assert matched({"b": "2"}, ["a", "b", "c"], "model", partial=True) == ["", "2", ""]


MANY = [f"a/{number}" for number in range(1161)]


@pytest.mark.parametrize(
    ("predictions", "ids", "cause"),
    [
        (["a/0", "a/7", "a/8"], ["a/0", "a/1"], r"2 items of this split's games .* made under other labels\?"),
        (["x", "a", "y"], ["a"], r"model has 2 ids not in dss, test, e\.g\. 'x' .* e\.g\. 'a'"),
        (["x", "a"], ["a"], "model has 1 id not in dss, test"),
        (["x"], ["a"], r"none of the 1 id of model is in dss, test, e\.g\. 'x' .* with --data"),
        (["b"], ["a", "b", "c"], r"model has no prediction for 2 of 3 items, e\.g\. 'a': finish it"),
        (["a/7"], MANY, "no prediction for 1,160 of 1,161 items"),
        (MANY, ["b/0"], "none of the 1,161 ids of model is in dss, test"),
    ],
)
def test_predictions_that_do_not_answer_the_rows_are_an_error_that_says_why(predictions, ids, cause):
    with pytest.raises(PredictionError, match=cause):
        matched(dict.fromkeys(predictions, ""), ids, "model", where="dss, test")


def test_a_subset_is_the_rows_that_all_files_answer(tmp_path):
    rows = [{"id": name} for name in "abc"]
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    subset = rows_with_predictions(rows, {one: {"c": "", "a": ""}, two: {"a": "", "c": ""}})
    assert [row["id"] for row in subset] == ["a", "c"]
    with pytest.raises(PredictionError, match="answer different items"):
        rows_with_predictions(rows, {one: {"a": ""}, two: {"b": ""}})
    with pytest.raises(PredictionError, match=r"no id of .* is in this split"):
        rows_with_predictions(rows, {one: {"x": ""}})


# --- Whose labels.
def test_every_kind_of_row_names_whose_labels_were_used():
    labeled = {"metadata": {"annotation": {"labels": "theirs.csv (SHA-256 01234567)"}}}
    plain, simulated = {"metadata": {"source": "human"}}, {"metadata": {"source": "simulated"}}
    assert labels_of([labeled, labeled], "mdc_v2") == "theirs.csv (SHA-256 01234567)"
    assert "legacy" in labels_of([plain], "mdc")
    assert "synthetic" in labels_of([simulated], "dss")
    assert labels_of([plain], "mdc_v2").startswith("none: of human items")


# --- What a file was made for.
def assigned(paths: list[Path], config: str | None = None, split: str | None = None) -> tuple[str, str]:
    """The config and split that files are scored on."""
    ((*made, _),) = by_split(read_systems([str(path) for path in paths]), config, split)
    return tuple(made)


@pytest.fixture
def file(tmp_path) -> Path:
    """Predictions for items of which only people know the config."""
    (tmp_path / "model.jsonl").write_bytes(GOOD)
    return tmp_path / "model.jsonl"


def test_ids_of_simulated_items_say_config_and_split(file):
    file.write_text('{"id": "dss-validation-3/1", "prediction": ""}')
    assert assigned([file]) == ("dss", "validation")
    assert assigned([file], None, "test") == ("dss", "test")
    assert assigned([file], "dr", None) == ("dr", "test")


def test_config_and_split_are_those_the_predictions_were_made_for(monkeypatch, file):
    for human, installed in {"mdc": [], "mdc_v2": ["mdc", "mdc_v2"]}.items():
        monkeypatch.setattr(answered_splits.install, "is_set_up", installed.__contains__)
        assert assigned([file]) == (human, "test") and assigned([file], None, "train") == (human, "train")
    Path(f"{file}.settings.json").write_text('{"dataset_config": "dss", "split": "validation"}')
    assert assigned([file]) == assigned([file], "dss", "validation") == ("dss", "validation")
    with pytest.raises(PredictionError, match=r"model\.jsonl was made for split 'validation', not 'test'"):
        assigned([file], None, "test")
    other = file.with_name("b.jsonl")
    other.write_bytes(GOOD)
    Path(f"{other}.settings.json").write_text('{"split": "test"}')
    with pytest.raises(PredictionError, match=r"b\.jsonl was made for split 'test', not 'validation'"):
        assigned([file, other])


@pytest.mark.parametrize("settings", ["{", "[1]", "null", '{"dataset_config": ["dss"]}', '{"split": 5}'])
def test_malformed_settings_are_an_error_that_names_the_file(settings, file):
    Path(f"{file}.settings.json").write_text(settings)
    with pytest.raises(PredictionError, match=r"model\.jsonl\.settings\.json"):
        assigned([file])


# --- The tables.
NONE, FEW = Resampling(0), Resampling(20)


def result(name: str, texts: list[str], times: int = 1, resampling: Resampling = NONE, missing: int = 0) -> Result:
    answers = Answers(name, times * texts, times * texts, missing=missing)
    return scored(answers, times * REFERENCES[: len(texts)], SCORER, resampling)


def table_of(systems: list[Result], resampling: Resampling = NONE) -> list[ScoreTable]:
    return tables_on(BUILDING.scores, systems, resampling, "title")


def lines_of(table: ScoreTable) -> list[list[str]]:
    return [[f"{cell.value:.1f}" if isinstance(cell, Value) else cell for cell in line.cells] for line in table.lines]


def report_of(systems: list[Result], resampling: Resampling = NONE):
    test = ScoredSplit(BUILDING, "mdc", "test", [{"metadata": {}}] * len(systems[0].items), len(systems[0].items))
    return score_report(test, systems, resampling)


def on_terminal(part, width: int) -> str:
    out = io.StringIO()
    print_report(part, Console(file=out, width=width, force_terminal=True, color_system=None))
    return out.getvalue()


def test_a_group_without_items_has_no_score():
    (table,) = table_of([result("worked", WORKED[:1])])
    assert lines_of(table)[1] == ["NEB", "0", "–", "–", "–", "–", "–"]


def test_the_tables_hold_the_numbers_worked_by_hand():
    (table,) = table_of([result("right", RIGHT), result("worked", WORKED)])
    assert table.headings == ("Board", "System", "Items", *COLUMNS.values())
    assert lines_of(table) == [
        ["EB", "right", "1", "100.0", "100.0", "100.0", "100.0", "100.0"],
        ["EB", "worked", "1", "100.0", "100.0", "100.0", "100.0", "100.0"],
        ["NEB", "right", "1", "100.0", "100.0", "100.0", "100.0", "100.0"],
        ["NEB", "worked", "1", "66.7", "0.0", "66.7", "0.0", "0.0"],
        ["all items", "right", "2", "100.0", "100.0", "100.0", "100.0", "100.0"],
        ["all items", "worked", "2", "80.0", "40.0", "80.0", "40.0", "40.0"],
    ]
    text = printed(report_of([result("worked", WORKED)]))
    assert re.search(r"all items │ +2 │ +80\.0 │ +40\.0 │ +80\.0 │ +40\.0 │ +40\.0", text)


def test_intervals_stand_below_their_scores():
    """Resampling two items, one right and one wrong, gives anything from all wrong to all right."""
    text = printed(report_of([result("worked", WORKED, resampling=Resampling(500))], FEW))
    assert re.search(r"│ +66\.7–100\.0 │ +0\.0–100\.0 │ +66\.7–100\.0 │ +0\.0–100\.0 │ +0\.0–100\.0 │", text)


LONG = ["llama-3-8b-qlora-mdc_v2-dss-all-seed-20260", "checkpoint-12000-predictions", "a", "b", "[bold]c"]


@pytest.mark.parametrize("n_systems", [1, 2, 5])
@pytest.mark.parametrize("width", [40, 60, 80, 160])
def test_nothing_is_cut_at_any_width_of_the_terminal(width, n_systems):
    """1,200 items with scores and intervals of 100.0, the widest there are."""
    pair = result("", RIGHT, 600, FEW), result("", WORKED, 600, FEW)
    systems = [dataclasses.replace(pair[n % 2], name=LONG[n]) for n in range(n_systems)]
    text = on_terminal(report_of(systems, FEW), width)
    tables = text.partition("EB, NEB: items")[0]
    assert "…" not in text and (width < 60 or max(map(len, tables.splitlines())) <= width)
    words = tables.replace("│", " ").replace("┃", " ").split()
    assert {"EB", "NEB", "Items", *" ".join(COLUMNS.values()).split()} <= set(words)
    assert words.count("1,200") == n_systems
    assert words.count("100.0–100.0") == 5 * (3 * ((n_systems + 1) // 2) + n_systems // 2)
    for system in systems if n_systems > 1 else ():  # whole or folded
        assert system.name[:10] in text and system.name[-4:] in text
    signature = f"signature: {SIGNATURE}|bs:20|seed:20260|unit:item\n"
    assert signature in text  # on one line


def test_the_title_says_how_many_items_were_predicted():
    assert titled(result("model", WORKED)) == "model"
    one = result("model", WORKED, missing=1)
    assert titled(one) == "model (1 of 2 items predicted, the rest scored as empty)"
    many = result("model", WORKED, 600, missing=100)
    assert titled(many) == "model (1,100 of 1,200 items predicted, the rest scored as empty)"


def test_systems_are_tested_against_the_first():
    systems = [result("right", RIGHT, 40), result("worked", WORKED, 40)]
    _, tests = table_of(systems, Resampling(1000, 0.95, 1))
    eb, neb, overall = lines_of(tests)
    assert tests.title == "Against right (paired bootstrap over items)"
    assert eb == ["worked", "EB", "+0.0", "+0.0 to +0.0", "1.000"]
    assert neb == ["worked", "NEB", "-100.0", "-100.0 to -100.0", "<0.001"]
    assert overall[:3] == ["worked", "all items", "-60.0"] and overall[4] == "<0.001"
    _, tests = table_of([result("a", WORKED, 20), result("b", WORKED, 20)], FEW)
    assert {tuple(line[2:]) for line in lines_of(tests)} == {("+0.0", "+0.0 to +0.0", "1.000")}


# --- What is printed and written besides.
def test_the_report_says_how_its_numbers_were_made():
    how = Resampling(100, 0.9, 7)
    text = printed(report_of([result("m", ["place red 0 1 0\nand so on", "place red 5 9 5"], 1, how, 3)], how))
    for sentence in (
        "m: 1 of 2 items exact, 1 unparsed line, 1 infeasible action, strict F1 66.7, 3 items without a prediction",
        "EB, NEB: items that start from an empty, a non-empty board",
        "1 time: and so on",
        "90% percentile bootstrap over items, 100 resamples, seed 7",
        "labels: none (legacy MDC)",
        SIGNATURE,
    ):
        assert sentence in text
    text = printed(report_of([result("a", RIGHT), result("b", WORKED)]))
    assert "bootstrap" not in text and "–" not in text  # without resampling


def test_scores_are_written_as_json_with_their_settings():
    record = orjson.loads(to_json([result("worked", WORKED, resampling=Resampling(50))], split="test"))
    assert record["settings"] == {"split": "test"}
    (system,) = record["systems"]
    assert (system["name"], system["scores"]["fairer_f1"], system["scores"]["type_f1"]) == ("worked", 0.4, 0.8)
    assert system["missing"] == 0
    assert system["confidence_intervals"]["fairer_f1"] == [0.0, 1.0]


# --- Where scores are written.
def test_scores_are_written_to_a_new_file_an_empty_one_or_over_earlier_scores(tmp_path):
    path = tmp_path / "scores.json"
    check_output(path, [])
    path.touch()
    check_output(path, [])
    for record in (
        to_json([result("worked", WORKED)], split="test"),
        games_json({}),
        b'{"unit": "item", "labels": {}}',
    ):
        path.write_bytes(record)
        check_output(path, [tmp_path / "nowhere.jsonl"])
    check_output(Path("/dev/null"), [])


def test_scores_are_not_written_over_predictions_by_whatever_name(tmp_path, monkeypatch):
    path, link = tmp_path / "model.jsonl", tmp_path / "link"
    path.write_bytes(GOOD)
    link.symlink_to(path)
    monkeypatch.chdir(tmp_path)
    for name in (path, link, Path("model.jsonl")):
        with pytest.raises(PredictionError, match=f"{name} is what is scored: name another file"):
            check_output(name, [path])
    assert path.read_bytes() == GOOD


@pytest.mark.parametrize("data", [GOOD, GOOD + GOOD, b"notes", b"[1]", b"null", b'{"settings": {}}', b"\xff"])
def test_scores_are_not_written_over_a_file_of_another_kind(data, tmp_path):
    (tmp_path / "mine").write_bytes(data)
    with pytest.raises(PredictionError, match=r"mine exists and does not hold scores .*: remove it, or name another"):
        check_output(tmp_path / "mine", [])


def test_scores_are_not_written_to_a_directory(tmp_path):
    with pytest.raises(OutputError, match="is a directory: name a file"):
        check_output(tmp_path, [])
