"""A submission is a record and its predictions; the check computes every score again, and believes nothing else."""

import hashlib
import json
import re
from dataclasses import replace
from pathlib import Path

import datasets
import orjson
import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from small_test_sets import SPLITS, use_small_test_sets, write
from typer.testing import CliRunner

import bap_v2_metric
from bap_v2_dataset.cli import app
from bap_v2_dataset.cli.leaderboard import terminal_table
from bap_v2_dataset.evaluation import test_sets
from bap_v2_dataset.leaderboard import checking, submission
from bap_v2_dataset.leaderboard.board import board_of, lines_of, page, tables
from bap_v2_dataset.leaderboard.record import VERSIONS, Record, SubmissionError
from bap_v2_dataset.tables.fitted import fitted
from bap_v2_dataset.tasks.building.scores import actions_alone
from bap_v2_metric.notation import read_prediction

pytestmark = pytest.mark.usefixtures("few_are_enough")

RESULTS = Path("results")


@pytest.fixture(autouse=True)
def small(monkeypatch, tmp_path):
    use_small_test_sets(monkeypatch)
    monkeypatch.chdir(tmp_path)


def bap(*arguments: object) -> Result:
    """Output and exit code of a command; an error of the user's is raised."""
    result = CliRunner().invoke(app, list(map(str, arguments)))
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def submit(name: str = "My model", config: str = "dss", wrong: int = 1, **options: str) -> Path:
    """The record of a system with so many wrong answers."""
    more = [part for key, value in options.items() for part in (f"--{key}", value)]
    bap("submit", write(Path(f"{config}.jsonl"), config, wrong), "--name", name, *more)
    return RESULTS / "records" / config / f"{name.lower().replace(' ', '-')}.json"


def problems(path: Path | None = None) -> list[str]:
    """What the check finds, of one record or of all."""
    verdicts = checking.check(RESULTS)
    return [each for verdict in verdicts if path is None or RESULTS / verdict.path == path for each in verdict.problems]


def edit(path: Path, **fields: object) -> None:
    """Somebody edits a record by hand."""
    path.write_bytes(orjson.dumps({**orjson.loads(path.read_bytes()), **fields}))


# --- Submissions.


def test_a_record_has_the_scores_that_score_prints_to_the_digit():
    path = submit(submitter="Me", link="https://example.org/model")
    bap("score", "dss.jsonl", "--out", "scores.json")
    (system,) = json.loads(Path("scores.json").read_bytes())["systems"]
    record = Record.from_json(path.read_bytes())
    recorded = {score["score"]: score["value"] for score in record.scores}
    expected = {key: value for key, value in system["scores"].items() if isinstance(value, (int, float))}
    assert {key: recorded[key] for key in expected} == expected
    assert [record.value, [record.low, record.high]] == [
        system["scores"]["fairer_f1"], system["confidence_intervals"]["fairer_f1"]
    ]  # fmt: skip
    assert record.signature == system["scores"]["signature"]
    assert (record.submitter, record.link, record.items) == ("Me", "https://example.org/model", 9 - 3)
    assert Record.from_json(record.to_json()) == record


def test_records_hold_no_text_of_human_items_and_predictions_only_actions():
    rows = SPLITS["mdc_v2", "test"]
    spoken = [line for row in rows for line in (*row["dialogue"], *row["history"]) if line.startswith("<")]
    texts = [f"{' '.join(spoken)}\n{row['completion']}\nThat was: {spoken[0]}" for row in rows]
    lines = [json.dumps({"id": row["id"], "prediction": text}) for row, text in zip(rows, texts)]
    Path("mdc_v2.jsonl").write_text("\n".join(lines))
    bap("submit", "mdc_v2.jsonl", "--name", "Talker", "--config", "mdc_v2")
    stored = b"".join(path.read_bytes() for path in RESULTS.rglob("*") if path.is_file()).decode()
    assert not any(line.split("> ")[1] in stored for line in spoken)
    (path,) = (RESULTS / "records").rglob("*.json")
    record = Record.from_json(path.read_bytes())
    assert {score["score"]: score["value"] for score in record.scores}["unparsed_lines"] == 2 * len(rows)
    assert problems() == []


@given(
    st.text() | st.lists(st.sampled_from(["place red 0 1 0", "1. pick(0, 1, 0)", "?", "I think", "```"])).map("\n".join)
)
def test_what_is_stored_of_a_text_scores_as_the_text(text):
    stored, read = read_prediction(actions_alone(text)), read_prediction(text)
    assert (stored.actions, stored.unparsed_lines) == (read.actions, read.unparsed_lines)
    assert actions_alone(actions_alone(text)) == actions_alone(text)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--name", "!!"], "has no Latin letter or digit"),
        (["--name", "строитель"], "has no Latin letter or digit"),
        (["--name", "x" * 81], "at most 80 printable characters"),
        (["--name", "a\nb"], "printable characters"),
        (["--name", "a", "--link", "javascript:alert(1)"], "is not an address"),
        (["--name", "a", "--pull-request"], "--pull-request belongs to --push"),
        (["--name", "a", "--push", "nobody"], "is not the name of a repository"),
        (["--name", "a", "--split", "train"], "for whole test splits"),
        (["--name", "a", "--split", "test+train"], "for whole test splits"),
        (["--name", "a", "--baseline", "stack"], "one of the two"),
        ([], "name the system"),
    ],
)
def test_what_cannot_be_submitted_is_said(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        bap("submit", write(Path("dss.jsonl"), "dss"), *options)
    assert not RESULTS.exists()


def test_an_incomplete_file_is_refused():
    lines = Path(write(Path("dss.jsonl"), "dss")).read_text().splitlines()
    Path("dss.jsonl").write_text("\n".join(lines[1:]))
    with pytest.raises(SubmissionError, match=r"has no prediction for 1 of 6 items, .*: finish it$"):
        bap("submit", "dss.jsonl", "--name", "a")


def test_full_games_have_no_leaderboard():
    bap("play", "dss", "--games", "1", "--out", "games.jsonl")
    with pytest.raises(SubmissionError, match="holds full games, and full games have no leaderboard"):
        bap("submit", "games.jsonl", "--name", "a")


def test_another_system_of_the_same_name_needs_replace_and_the_same_one_does_not():
    path = submit(wrong=1)
    before = path.read_bytes()
    submit(wrong=1)
    with pytest.raises(SubmissionError, match="is there already: name the system otherwise, or pass --replace"):
        submit(wrong=2)
    assert path.read_bytes() == before
    bap("submit", "dss.jsonl", "--name", "My model", "--replace")
    assert path.read_bytes() != before


def test_a_test_set_whose_scores_need_settings_is_refused():
    with pytest.raises(SubmissionError, match="a leaderboard has the test sets of bap, gsu"):
        submission.check_test_set("plancraft", "test")
    with pytest.raises(SubmissionError, match="submit for each of mdc_v2, dr, dsb, dss"):
        submission.check_test_set("all", "test")


# --- The check.


@pytest.mark.parametrize("split", ["train", "validation", "test[:3]", "test+train", "test\n[:3]"])
def test_a_record_of_a_part_or_of_another_split_is_refused(split):
    path = submit()
    elsewhere = RESULTS / "records" / f"dss-{split}" / path.name
    elsewhere.parent.mkdir()
    path.rename(elsewhere)
    edit(elsewhere, split=split)
    assert problems(elsewhere) == [f"dss, {split}: a leaderboard is for whole test splits"]


@pytest.mark.slow
def test_what_was_submitted_is_right_and_shown_once_it_is_checked():
    submit("One", wrong=1)
    submit("Two", wrong=2)
    bap("submit", "--baseline", "stack", "--config", "dss")
    assert board_of(RESULTS).records == [] and board_of(RESULTS).note.startswith("3 records are not shown")
    checked = bap("leaderboard", "check")
    assert checked.exit_code == 0 and "3 right, 0 refused" in checked.output
    assert [line[1] for line in lines_of(board_of(RESULTS).of("dss"))] == ["One", "Two", "stack"]
    assert "stack" in bap("leaderboard", "show").output


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"value": 0.99}, "value is 0.99"),
        ({"signature": "bap_v2|version:0.9.0"}, r"the signature is bap_v2\|version:0\.9\.0, and here"),
        ({"labels_sha256": "0" * 64}, "the labels .* are not those here"),
        ({"items_sha256": "0" * 64}, "the items .* are not those here"),
        ({"predictions_sha256": "0" * 64}, "was changed: its SHA-256 is not the record's"),
        ({"scores": []}, "color_f1 is missing in the record, and .* when computed again"),
        ({"form": 7}, "its form is 7"),
        ({"dialogue": "<Architect> hello"}, "has the unknown field 'dialogue'"),
        ({"items": "many"}, "items is 'many': expected a whole number"),
        ({"config": "plancraft"}, "belongs in records/plancraft"),
        ({"date": "yesterday"}, "the date 'yesterday' is not one until today: expected YYYY-MM-DD"),
        ({"date": "9999-01-01"}, "is not one until today"),
        ({"date": "20260101"}, "expected YYYY-MM-DD"),
        ({"versions": {"metric": "1.3.0"}}, "versions has 'metric': expected bap-v2, data, prompts, metric"),
        ({"versions": dict.fromkeys(VERSIONS, 1)}, "the version of bap-v2 is 1: expected a short text"),
        ({"versions": dict.fromkeys(VERSIONS, "word " * 20)}, "expected a short text"),
        ({"name": "Other"}, "belongs in records/dss/other.json"),
    ],
)
def test_an_edited_record_is_refused(fields, sentence):
    path = submit()
    edit(path, **fields)
    assert any(re.search(sentence, problem) for problem in problems(path)), problems(path)


@pytest.mark.slow
def test_whatever_stands_in_a_field_is_refused_and_ends_no_check():
    path = submit()
    before = path.read_bytes()
    score = {"score": "f1", "value": 1.0, "low": None, "high": None}
    values = [None, True, -1, 1.5, "", "x", "../x", "\0", [], ["x"], [[]], {}, {"x": []}]
    values += [[{**score, "score": ["x"]}], [{**score, "value": "1"}], [{**score, "low": 0.5}], [score, score]]
    for field, right in orjson.loads(before).items():
        for value in values:
            # Who submits it, and where it may be found, is the submitter's to say; the rest is not.
            if value != right and field not in ("submitter", "link"):
                edit(path, **{field: value})
                assert problems(path), (field, value)
                path.write_bytes(before)
    for data in (b"", b"[]", b"\xff", b"[" * 100_000, b"null"):
        path.write_bytes(data)
        assert problems(path), data[:10]


def test_a_folder_or_a_broken_link_in_place_of_a_record_is_refused():
    path = submit()
    folder, link = path.with_name("x.json"), path.with_name("y.json")
    folder.mkdir()
    link.symlink_to("nowhere")
    done = bap("leaderboard", "check")
    assert done.exit_code == 1 and "1 right, 2 refused" in done.output
    assert problems(folder) + problems(link) == [
        "a record is a file that can be read (Is a directory)",
        "a record is a file that can be read (No such file or directory)",
    ]
    assert [record["name"] for record in board_of(RESULTS).records] == ["My model"]


def test_a_score_that_is_better_by_the_last_digit_is_refused():
    path = submit()
    scores = orjson.loads(path.read_bytes())["scores"]
    better = [
        {**score, "value": score["value"] + 1e-15} if score["score"] == "strict_f1" else score for score in scores
    ]
    edit(path, scores=better)
    (problem,) = problems(path)
    assert problem.startswith("strict_f1 is ")


def test_predictions_whose_digest_is_another_are_refused():
    path = submit()
    file = RESULTS / "predictions" / "dss" / "my-model.jsonl"
    file.write_bytes(file.read_bytes().replace(b'""', b'"place red 0 1 0"'))
    assert "was changed" in problems(path)[0]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda data: data.replace(b'""', b'"place red 0 1 0"'), "in the record, and"),
        (lambda data: data.split(b"\n", 1)[1], "has no prediction for 1 of 6 items"),
        (lambda data: data + b'{"id":"dss-test-0/77","prediction":""}\n', "that the split lacks"),
        (lambda data: data + data.split(b"\n", 1)[0] + b"\n", "an id twice"),
        (lambda data: data.replace(b'""', b'"<Architect> red please"'), "holds more than actions"),
        (lambda data: data + b'{"id": 3}\n', "two texts"),
        (lambda data: data + b"no JSON\n", "two texts"),
    ],
)
def test_changed_predictions_are_refused_even_if_their_digest_was_changed_with_them(change, problem):
    path = submit()
    file = RESULTS / "predictions" / "dss" / "my-model.jsonl"
    file.write_bytes(change(file.read_bytes()))
    edit(path, predictions_sha256=hashlib.sha256(file.read_bytes()).hexdigest())
    assert problem in problems(path)[0]


@pytest.mark.slow
def test_a_copy_with_an_earlier_date_does_not_take_the_place_of_a_checked_record():
    path = submit("Zebra")
    assert problems(path) == [] and bap("leaderboard", "check").exit_code == 0
    copy = submit("Ant")
    edit(copy, date="2020-01-01")
    assert problems(path) == []
    assert problems(copy) == ["a duplicate: its predictions are those of records/dss/zebra.json"]
    bap("leaderboard", "check")
    assert [record["name"] for record in board_of(RESULTS).records] == ["Zebra"]


@pytest.mark.slow
def test_of_records_with_the_same_predictions_none_is_right_where_none_was_checked_before():
    paths = submit("Zebra"), submit("Ant")
    for path, other in (paths, paths[::-1]):
        assert problems(path) == [
            f"a duplicate: its predictions are those of records/dss/{other.name}; none was checked before the others: "
            "keep one of them"
        ]
    paths[1].unlink()
    assert problems(paths[0]) == []


@pytest.mark.slow
def test_an_edited_record_is_no_longer_the_first_of_its_copies():
    path = submit("Zebra")
    bap("leaderboard", "check")
    edit(path, submitter="Me")
    copy = submit("Ant")
    assert all("keep one of them" in problems(each)[0] for each in (path, copy))


def test_files_without_a_record_are_named():
    path = submit()
    path.rename(path.with_suffix(".bak"))
    submit("Other", wrong=2)
    assert problems() == ["no record names this file"]


def test_other_labels_are_noticed(monkeypatch):
    path = submit("Human", "mdc_v2", wrong=1)
    assert problems(path) == []
    other = [{**row, "after": row["after"][:-1]} for row in SPLITS["mdc_v2", "test"]]
    features = datasets.Dataset.from_list(SPLITS["mdc_v2", "test"]).features
    monkeypatch.setattr(
        test_sets, "split_rows", lambda config, split, hint="": datasets.Dataset.from_list(other, features=features)
    )
    assert any("the labels (mine) are not those here" in problem for problem in problems(path))


def test_the_check_ends_with_code_1_and_the_table_leaves_the_record_out():
    path = submit()
    bap("leaderboard", "check")
    assert [record["name"] for record in board_of(RESULTS).records] == ["My model"]
    edit(path, submitter="Somebody else")  # no score differs, and yet nobody has checked these bytes
    assert board_of(RESULTS).records == []
    edit(path, value=1.0)
    done = bap("leaderboard", "check")
    assert done.exit_code == 1 and "0 right, 1 refused" in done.output
    with pytest.raises(SubmissionError, match="no records"):
        checking.check(Path("elsewhere"))


# --- The table.


def test_the_page_escapes_what_submitters_write():
    names = ("--name", "<b>bold</b>", "--submitter", "<script>alert(1)</script>")
    bap("submit", write(Path("dss.jsonl"), "dss", 1), *names, "--link", "https://example.org/?a=1&b=2")
    path = next((RESULTS / "records").rglob("*.json"))
    assert path.name == "b-bold-b.json"
    bap("leaderboard", "check")
    bap("leaderboard", "show", "--out", "board.html")
    text = Path("board.html").read_text()
    assert "<script" not in text and "&lt;b&gt;bold&lt;/b&gt;" in text and "?a=1&amp;b=2" in text


def test_equal_scores_have_equal_ranks_and_one_test_set_can_be_shown_alone():
    submit("A", wrong=1)
    record = Record.from_json((RESULTS / "records" / "dss" / "a.json").read_bytes())
    board = [dict(orjson.loads(replace(record, name=name, value=value).to_json())) for name, value in
             (("x", 0.5), ("y", 0.5), ("z", 0.25))]  # fmt: skip
    assert [line[0] for line in lines_of(board)] == ["1", "1", "3"]
    submit("B", "dr", wrong=0)
    bap("leaderboard", "check")
    both = board_of(RESULTS)
    assert both.test_sets == ["dr", "dss"]
    assert "<h2>dr</h2>" in page(both) and "<h2>dss</h2>" not in tables(both, "dr")
    with pytest.raises(SubmissionError, match="no checked record is of dsb"):
        bap("leaderboard", "show", "--config", "dsb")


@pytest.mark.parametrize("width", [40, 60, 120])
def test_a_terminal_of_any_width_shows_whole_names(width):
    submit("One", wrong=1, submitter="Somebody")
    submit("A quite long name of a system", wrong=2)
    bap("leaderboard", "check")
    table = fitted(terminal_table("dss", board_of(RESULTS).of("dss")))
    with (console := Console(width=width, force_terminal=True, color_system=None)).capture() as shown:
        console.print(table)
    text = shown.get()
    assert max(map(len, text.splitlines())) <= width
    for word in ["One", "A", "quite", "long", "name", "of", "a", "system", "Somebody", "Items"]:
        assert word in text


def test_a_column_of_submitters_without_any_is_left_out():
    submit("One", wrong=1)
    bap("leaderboard", "check")
    records = board_of(RESULTS).of("dss")
    assert "Submitted by" not in terminal_table("dss", records).headings
    table = terminal_table("dss", [{**records[0], "submitter": "Me"}])
    assert table.lines[0].cells[table.headings.index("Submitted by")] == "Me"


def test_show_says_what_it_wrote_and_what_is_missing():
    RESULTS.mkdir()
    assert "no records yet: `bap-v2 submit` makes one" in bap("leaderboard", "show").output
    submit()
    said = bap("leaderboard", "show", "--out", "board.html").output
    assert re.search(r"board\.html: \d+ kB", said)
    assert "1 record is not shown (refused, edited or not checked): run `bap-v2 leaderboard check results`" in said


def test_the_records_are_a_table_of_datasets():
    submit("A", wrong=1)
    bap("submit", "--baseline", "stack", "--config", "dr")
    files = [str(path) for path in (RESULTS / "records").rglob("*.json")]
    rows = datasets.load_dataset("json", data_files=files, split="train")
    assert sorted(rows["name"]) == ["A", "stack"]
    assert {score["score"] for score in rows[0]["scores"]} == {score["score"] for score in rows[1]["scores"]}


def test_the_metric_of_the_records_is_the_one_that_is_installed():
    record = Record.from_json(submit().read_bytes())
    assert f"version:{record.versions['metric']}" in bap_v2_metric.signature()
