"""From prediction files to the score table."""

import dataclasses
import io
import json
from pathlib import Path

import orjson
import pytest
from rich.console import Console

from bap_v2_dataset.evaluation import score_tables
from bap_v2_dataset.evaluation.results import Resampling, scored
from bap_v2_dataset.evaluation.test_sets import labels_of
from bap_v2_dataset.predictions.files import (
    PredictionError,
    check_output,
    made_for,
    matched,
    read_predictions,
    rows_with_predictions,
)
from bap_v2_dataset.tasks.building.paper import COLUMNS
from bap_v2_metric import SIGNATURE
from bap_v2_simulators.whole_files import OutputError

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


def cells(part) -> list[list[str]]:
    """The cells of a table's lines, its heading's and the rows'."""
    lines = [line.replace("┃", "│").split("│")[1:-1] for line in printed(part).splitlines()]
    return [[cell.strip() for cell in line] for line in lines if line]


# --- Prediction files.
def test_predictions_are_read_by_id_in_any_order(tmp_path):
    path = tmp_path / "model.jsonl"
    path.write_bytes(b'{"id": "b/0", "prediction": "pick 0 1 0\\n", "seconds": 1}\r\n\n{"prediction": "", "id": "a/0"}')
    assert read_predictions(path) == {"b/0": "pick 0 1 0\n", "a/0": ""}


GOOD = b'{"id": "a/0", "prediction": ""}\n'


@pytest.mark.parametrize(
    ("data", "cause"),
    [
        (GOOD + b"place red 0 1 0\n", "line 2 is not JSON .*: write one object per line, e.g."),
        (GOOD + b'{"id": "b/0", "prediction": "', "line 2 is not JSON"),
        (GOOD + b'\xff\xfe{"id": "b/0"}', "line 2 is not JSON"),
        (GOOD + b'\n\n{"id": "b/0"}', 'line 4 needs the strings "id" and "prediction"'),
        (GOOD + b'{"prediction": ""}', 'line 2 needs the strings "id" and "prediction"'),
        (GOOD + b'{"id": 1, "prediction": ""}', 'line 2 needs the strings "id" and "prediction"'),
        (GOOD + b'{"id": "b/0", "prediction": null}', 'line 2 needs the strings "id" and "prediction"'),
        (GOOD + b'{"id": "b/0", "prediction": ["pick 0 1 0"]}', 'line 2 needs the strings "id" and "prediction"'),
        (GOOD + b"[]", 'line 2 needs the strings "id" and "prediction"'),
        (GOOD + b"\n" + GOOD, "line 3: duplicate prediction for a/0"),
        (GOOD + 100_000 * b"[", "line 2 is not JSON"),
        (b"", "holds no predictions"),
        (b"\n \n", "holds no predictions"),
    ],
)
def test_a_malformed_line_is_an_error_that_names_file_and_line(data, cause, tmp_path):
    path = tmp_path / "model.jsonl"
    path.write_bytes(data)
    with pytest.raises(PredictionError, match=cause) as caught:
        read_predictions(path)
    assert str(path) in str(caught.value)


def test_a_malformed_line_is_shown_as_text_and_not_whole(tmp_path):
    path = tmp_path / "model.jsonl"
    path.write_text('{"id": "größe/0"}\r\n')
    with pytest.raises(PredictionError, match=r'--prediction-field\): {"id": "größe/0"}$'):
        read_predictions(path)
    path.write_text(2 * (json.dumps({"text": 500 * "a"}) + "\n"))
    with pytest.raises(PredictionError, match=r"aaa…$") as caught:
        read_predictions(path)
    assert len(str(caught.value)) < len(str(path)) + 200


def test_a_file_that_cannot_be_opened_is_an_error_that_names_it(tmp_path):
    with pytest.raises(PredictionError, match=r"nowhere\.jsonl: No such file"):
        read_predictions(tmp_path / "nowhere.jsonl")
    with pytest.raises(PredictionError, match="directory"):
        read_predictions(tmp_path)


# --- Matching them with rows.
def test_predictions_come_in_the_order_of_the_rows():
    assert matched({"b": "2", "a": "1"}, ["a", "b"], "model") == ["1", "2"]


def test_items_of_other_labels_are_named_as_such():
    with pytest.raises(PredictionError, match=r"2 items of this split's games .* made under other labels\?"):
        matched({"a/0": "", "a/7": "", "a/8": ""}, ["a/0", "a/1"], "model")


def test_ids_of_another_split_are_an_error():
    with pytest.raises(PredictionError, match=r"model has 2 ids not in this split, e\.g\. 'x' .* e\.g\. 'a'"):
        matched({"x": "", "a": "", "y": ""}, ["a"], "model")
    with pytest.raises(PredictionError, match="model has 1 id not in this split"):
        matched({"x": "", "a": ""}, ["a"], "model")
    with pytest.raises(PredictionError, match="none of the 1 id of model is in dss, test, e"):
        matched({"x": ""}, ["a"], "model", where="dss, test")


def test_items_of_own_data_are_passed_with_data():
    message = r"none of the 1 id of own\.jsonl is in this split, e\.g\. 'dss-seed1-train-0/0' .* with --data"
    with pytest.raises(PredictionError, match=message):
        matched({"dss-seed1-train-0/0": ""}, ["a"], "own.jsonl")


def test_large_counts_have_separators():
    ids = [f"a/{number}" for number in range(1161)]
    with pytest.raises(PredictionError, match="no prediction for 1,160 of 1,161 items"):
        matched({"a/7": ""}, ids, "model")
    with pytest.raises(PredictionError, match="none of the 1,161 ids of model is in this split"):
        matched(dict.fromkeys(ids, ""), ["b/0"], "model")


def test_missing_predictions_are_an_error_unless_they_may_be_empty():
    with pytest.raises(PredictionError, match=r"model has no prediction for 2 of 3 items, e\.g\. 'a': finish it"):
        matched({"b": "2"}, ["a", "b", "c"], "model")
    assert matched({"b": "2"}, ["a", "b", "c"], "model", partial=True) == ["", "2", ""]


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
def test_ids_of_simulated_items_say_config_and_split(tmp_path):
    path, an_id = tmp_path / "p.jsonl", "dss-validation-3/1"
    assert made_for([path], None, None, an_id) == ("dss", "validation")
    assert made_for([path], None, "test", an_id) == ("dss", "test")
    assert made_for([path], "dr", None, an_id) == ("dr", "test")


def test_config_and_split_are_those_the_predictions_were_made_for(tmp_path):
    path = tmp_path / "model.jsonl"
    assert made_for([path], None, None) == ("mdc_v2", "test")
    assert made_for([path], None, "train", default=lambda: "mdc") == ("mdc", "train")
    settings = {"dataset_config": "dss", "split": "validation"}
    (tmp_path / "model.jsonl.settings.json").write_text(json.dumps(settings))
    assert made_for([path], None, None) == ("dss", "validation")
    assert made_for([path], "dss", "validation") == ("dss", "validation")
    with pytest.raises(PredictionError, match=r"model\.jsonl was made for split 'validation', not 'test'"):
        made_for([path], None, "test")


def test_files_that_were_made_for_different_splits_are_an_error(tmp_path):
    paths = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path, split in zip(paths, ("test", "validation")):
        path.with_name(f"{path.name}.settings.json").write_text(json.dumps({"split": split}))
    with pytest.raises(PredictionError, match=r"b\.jsonl was made for split 'validation', not 'test'"):
        made_for(paths, None, None)


@pytest.mark.parametrize("settings", ["{", "[1]", "null", '{"dataset_config": ["dss"]}', '{"split": 5}'])
def test_malformed_settings_are_an_error_that_names_the_file(settings, tmp_path):
    (tmp_path / "model.jsonl.settings.json").write_text(settings)
    with pytest.raises(PredictionError, match=r"model\.jsonl\.settings\.json"):
        made_for([tmp_path / "model.jsonl"], None, None)


def test_a_group_without_items_has_no_score():
    table = score_tables.score_table([scored("worked", WORKED[:1], REFERENCES[:1], n_resamples=0)], "title")
    assert cells(table)[3] == ["NEB", "0", "–", "–", "–", "–", "–"]


def test_the_signature_is_printed_on_one_line_however_narrow_the_terminal():
    from io import StringIO

    from rich.console import Console

    out = StringIO()
    report = score_tables.report([scored("model", WORKED, REFERENCES)], "title", "the labels")
    score_tables.print_report(report, Console(file=out, width=60, force_terminal=True, color_system=None))
    assert f"signature: {SIGNATURE}|bs:1000|seed:20260\n" in out.getvalue()


# --- The table.
def test_the_table_holds_the_numbers_worked_by_hand():
    table = score_tables.score_table([scored("worked", WORKED, REFERENCES, n_resamples=0)], "title")
    assert cells(table) == [
        ["", "", "", "", "", "", "Overall"],
        ["Board", "Items", "Type", "Color", "Location", "Shape", "(fairer F1)"],
        ["EB", "1", "100.0", "100.0", "100.0", "100.0", "100.0"],
        ["NEB", "1", "66.7", "0.0", "66.7", "0.0", "0.0"],
        ["all items", "2", "80.0", "40.0", "80.0", "40.0", "40.0"],
    ]


def test_several_systems_share_a_table_row_by_row():
    systems = [scored("right", RIGHT, REFERENCES, 0), scored("worked", WORKED, REFERENCES, 0)]
    assert cells(score_tables.score_table(systems, "title")) == [
        ["", "", "", "", "", "", "", "Overall"],
        ["Board", "System", "Items", "Type", "Color", "Location", "Shape", "(fairer F1)"],
        ["EB", "right", "1", "100.0", "100.0", "100.0", "100.0", "100.0"],
        ["", "worked", "1", "100.0", "100.0", "100.0", "100.0", "100.0"],
        ["NEB", "right", "1", "100.0", "100.0", "100.0", "100.0", "100.0"],
        ["", "worked", "1", "66.7", "0.0", "66.7", "0.0", "0.0"],
        ["all items", "right", "2", "100.0", "100.0", "100.0", "100.0", "100.0"],
        ["", "worked", "2", "80.0", "40.0", "80.0", "40.0", "40.0"],
    ]


def test_intervals_stand_below_their_scores():
    """Resampling two items, one right and one wrong, gives anything from all wrong to all right."""
    system = scored("worked", WORKED, REFERENCES, n_resamples=500)
    table = cells(score_tables.score_table([system], "title"))
    overall = next(number for number, row in enumerate(table) if row[0] == "all items")
    assert table[overall][-1] == "40.0"
    assert table[overall + 1] == ["", "", "66.7–100.0", "0.0–100.0", "66.7–100.0", "0.0–100.0", "0.0–100.0"]


def test_names_are_printed_as_they_are():
    systems = [scored("[bold]a", RIGHT, REFERENCES, 10), scored("run[red]", WORKED, REFERENCES, 10)]
    text = printed(score_tables.report(systems, "mdc, test: [bold]a, run[red]", "labels", Resampling(10)))
    assert "mdc, test: [bold]a, run[red]" in text
    assert "│ [bold]a " in text and "│ run[red] " in text
    assert "Against [bold]a (paired bootstrap over items)" in text


LONG = ["llama-3-8b-qlora-mdc_v2-dss-all-seed-20260", "checkpoint-12000-predictions", "a", "b", "c"]


@pytest.mark.parametrize("n_resamples", [0, 20])
@pytest.mark.parametrize("n_systems", [1, 2, 5])
@pytest.mark.parametrize("width", [60, 80, 100, 160])
def test_nothing_is_cut_at_any_width_of_the_terminal(width, n_systems, n_resamples):
    """1,200 items with scores and intervals of 100.0, the widest there are."""
    references = 600 * REFERENCES
    right, worked = scored("", 600 * RIGHT, references, n_resamples), scored("", 600 * WORKED, references, n_resamples)
    systems = [dataclasses.replace((right, worked)[n % 2], name=LONG[n]) for n in range(n_systems)]
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=True, color_system=None)
    console.print(score_tables.score_table(systems, "a title"))
    if n_systems > 1:
        console.print(score_tables.comparison_table(systems, Resampling(20, 0.95, 1)))
    text = out.getvalue()
    assert "…" not in text and max(map(len, text.splitlines())) <= width
    words = text.replace("│", " ").replace("┃", " ").split()
    assert {"a", "title", "EB", "NEB", "Items", *" ".join(COLUMNS.values()).split()} <= set(words)
    assert words.count("1,200") == n_systems
    if n_resamples:
        assert words.count("100.0–100.0") == 5 * (3 * ((n_systems + 1) // 2) + n_systems // 2)
    if n_systems > 1:
        assert words.count("(-100.0") == words.count("-100.0)") == n_systems // 2
        for system in systems:  # whole or folded
            assert system.name[:16] in text and system.name[-4:] in text


def test_a_terminal_that_is_too_narrow_for_the_numbers_gets_them_all():
    out = io.StringIO()
    report = score_tables.report([scored("model", RIGHT, REFERENCES, 20)], "title", "labels", Resampling(20))
    score_tables.print_report(report, Console(file=out, width=40, force_terminal=True, color_system=None))
    assert "…" not in out.getvalue() and out.getvalue().count("100.0–100.0") == 15


def test_the_title_says_how_many_items_were_predicted():
    assert score_tables.titled(scored("model", WORKED, REFERENCES, 0)) == "model"
    one = scored("model", WORKED, REFERENCES, 0, missing=1)
    assert score_tables.titled(one) == "model (1 of 2 items predicted, the rest scored as empty)"
    many = scored("model", 600 * WORKED, 600 * REFERENCES, 0, missing=100)
    assert score_tables.titled(many) == "model (1,100 of 1,200 items predicted, the rest scored as empty)"


# --- Comparisons.
def test_systems_are_compared_with_the_first():
    references, worked = 40 * REFERENCES, 40 * WORKED
    systems = [scored("right", 40 * RIGHT, references, 0), scored("worked", worked, references, 0)]
    table = cells(score_tables.comparison_table(systems, Resampling(1000, 0.95, 1)))
    assert [row[:3] for row in table] == [
        ["", "", "Overall"],
        ["System", "Board", "(fairer F1)"],
        ["worked", "EB", "100.0"],
        ["", "NEB", "0.0"],
        ["", "all items", "40.0"],
    ]
    eb, neb, overall = table[2:]
    assert eb[3] == "+0.0 (+0.0 to +0.0)" and float(eb[4]) == 1.0
    assert neb[3:] == ["-100.0 (-100.0 to -100.0)", "<0.001"]
    assert overall[3].startswith("-60.0 (-") and overall[4] == "<0.001"


def test_a_system_does_not_differ_from_itself():
    systems = [scored("a", 20 * WORKED, 20 * REFERENCES, 0), scored("b", 20 * WORKED, 20 * REFERENCES, 0)]
    for row in cells(score_tables.comparison_table(systems, Resampling(200, 0.95, 1)))[2:]:
        assert row[3].startswith("+0.0 (+0.0 to +0.0)") and float(row[4]) == 1.0


# --- What is printed and written besides.
def test_the_report_says_how_its_numbers_were_made():
    predictions = ["place red 0 1 0\nand so on", "place red 5 9 5"]
    system = scored("model", predictions, REFERENCES, 100, confidence=0.9, seed=7, missing=3)
    text = printed(score_tables.report([system], "title", "the labels", Resampling(100, 0.9, 7)))
    assert "model: 1 unparsed line, 1 infeasible action, strict F1 66.7, 3 items without a prediction" in text
    assert "EB, NEB: items that start from an empty, a non-empty board" in text
    assert "1 time: and so on" in text and "infeasible actions change nothing" in text
    assert "90% percentile bootstrap over items, 100 resamples, seed 7" in text
    assert "labels: the labels" in text
    assert SIGNATURE in text


def test_without_resampling_there_are_no_intervals_and_no_comparison():
    systems = [scored("a", RIGHT, REFERENCES, 0), scored("b", WORKED, REFERENCES, 0)]
    text = printed(score_tables.report(systems, "title", "labels", Resampling(0)))
    assert "bootstrap" not in text and "–" not in text


def test_scores_are_written_as_json_with_their_settings():
    systems = [scored("worked", WORKED, REFERENCES, 50)]
    record = orjson.loads(score_tables.to_json(systems, split="test"))
    assert record["settings"] == {"split": "test"}
    (system,) = record["systems"]
    assert (system["name"], system["scores"]["fairer_f1"], system["scores"]["type_f1"]) == ("worked", 0.4, 0.8)
    assert system["missing"] == 0
    assert system["confidence_intervals"]["fairer_f1"] == [0.0, 1.0]


def test_a_piped_report_is_not_folded():
    console = Console(file=io.StringIO(), width=40)
    names = [f"{100 * letter}.jsonl" for letter in "ab"]
    systems = [scored(name, RIGHT, REFERENCES, 20) for name in names]
    score_tables.print_report(score_tables.report(systems, "title", "labels", Resampling(20)), console)
    lines = console.file.getvalue().splitlines()
    for name in names:
        assert sum(f"│ {name} │" in line and line.count("100.0") == 5 for line in lines) == 3
    assert any(score_tables.LEGEND in line for line in lines)


# --- Where scores are written.
def test_scores_are_written_to_a_new_file_an_empty_one_or_over_earlier_scores(tmp_path):
    path = tmp_path / "scores.json"
    check_output(path, [])
    path.touch()
    check_output(path, [])
    path.write_bytes(score_tables.to_json([scored("worked", WORKED, REFERENCES, 0)], split="test"))
    check_output(path, [tmp_path / "nowhere.jsonl"])
    check_output(Path("/dev/null"), [])


def test_scores_are_not_written_over_predictions_by_whatever_name(tmp_path, monkeypatch):
    path, link = tmp_path / "model.jsonl", tmp_path / "link"
    path.write_bytes(GOOD)
    link.symlink_to(path)
    monkeypatch.chdir(tmp_path)
    for name in (path, link, Path("model.jsonl")):
        with pytest.raises(PredictionError, match=f"{name} is a prediction file: name another file"):
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
    with pytest.raises(OutputError, match="there is no directory"):
        check_output(tmp_path / "no" / "x.json", [])
