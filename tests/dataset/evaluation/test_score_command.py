"""`bap-v2 score`: what it takes and prints, for people and for programs."""

import csv
import io
import json
import os
import re
from pathlib import Path

import pytest
from click.testing import Result
from small_test_sets import SPLITS, use_small_test_sets, write
from typer.testing import CliRunner

import bap_v2_metric
from bap_v2_dataset.cli import app
from bap_v2_dataset.cli.score_modes import check_threshold
from bap_v2_dataset.evaluation import scoring
from bap_v2_dataset.evaluation.answered_splits import read_files_for
from bap_v2_dataset.evaluation.score_formats import CSV_COLUMNS
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.tables.console import Console
from bap_v2_simulators.atomic_files import OutputError

pytestmark = pytest.mark.usefixtures("few_are_enough")

ROWS = SPLITS["dss", "test"]
TEXTS = [row["completion"] for row in ROWS]


@pytest.fixture(autouse=True)
def small(monkeypatch, tmp_path):
    use_small_test_sets(monkeypatch)
    monkeypatch.chdir(tmp_path)


def score(*arguments: object, command: str = "score", **options) -> Result:
    """Output, errors and exit code; an error of the user's is raised."""
    result = CliRunner().invoke(app, [command, *map(str, arguments)], **options)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def fairer(texts) -> float:
    return bap_v2_metric.score(texts, ROWS)["fairer_f1"]


# --- What it takes.
@pytest.mark.parametrize("form", ["object", "list", "csv", "stdin"])
def test_every_command_takes_every_form(form):
    predictions = {row["id"]: "" if number < 2 else text for number, (row, text) in enumerate(zip(ROWS, TEXTS))}
    table = io.StringIO()
    csv.writer(table).writerows([("key", "reply"), *predictions.items()])
    records = [{"key": key, "reply": text} for key, text in predictions.items()]
    text = {"object": json.dumps(predictions), "list": json.dumps(records)}.get(form, table.getvalue())
    Path("answers").write_text(text, newline="")
    named = [] if form == "object" else ["--id-field", "key", "--prediction-field", "reply"]
    file, given = ("-", text.encode()) if form == "stdin" else ("answers", None)
    out = score(file, *named, "--brief", "--resamples", 0, input=given).stdout
    expected = f"{100 * fairer(list(predictions.values())):.1f}"
    assert out == f"fairer_f1 {expected} {'stdin' if form == 'stdin' else 'answers'}\n"
    out = score(f"mine={file}", *named, "--format", "csv", "--resamples", 0, command="report", input=given).stdout
    (value,) = [row["value"] for row in csv.DictReader(io.StringIO(out)) if row["score"] == "fairer_f1"]
    assert f"{100 * float(value):.1f}" == expected


def test_systems_are_named_alike_by_score_and_report():
    files = [write(Path("a") / "dss.jsonl", "dss"), write(Path("gru-dss.jsonl"), "dss"), f"x={write(Path('y'), 'dss')}"]
    for command in ("score", "report"):
        out = score(*files, "--format", "csv", "--resamples", 0, command=command).stdout
        assert list(dict.fromkeys(row["system"] for row in csv.DictReader(io.StringIO(out)))) == ["a", "gru", "x"]


@pytest.mark.parametrize("form", ["list", "lines"])
def test_texts_without_ids_answer_the_rows_of_the_config_in_their_order(form):
    lines = "".join(text.replace("\n", "\\n") + "\n" for text in ["", *TEXTS[1:]])
    Path("answers").write_text(json.dumps(["", *TEXTS[1:]]) if form == "list" else lines)
    expected = f"fairer_f1 {100 * fairer(['', *TEXTS[1:]]):.1f} answers\n"
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    for option in (["--config", "dss"], ["--data", "rows.jsonl"]):
        assert score("answers", *option, "--brief", "--resamples", 0).stdout == expected
    with pytest.raises(PredictionError, match=r"answers has no ids: .* in their order: `bap-v2 score` with"):
        score("answers")
    Path("answers").write_text(json.dumps(TEXTS[1:]))
    with pytest.raises(
        PredictionError, match=f"answers has {len(ROWS) - 1} texts without ids, and dss, test {len(ROWS)}"
    ):
        score("answers", "--config", "dss")


@pytest.mark.parametrize("spelled", ["_", "-", "__"])
@pytest.mark.parametrize("option", [["--config", "dss"], []])
def test_ids_are_known_as_a_provider_of_batches_allows_them(spelled, option):
    """Those of Anthropic are letters, digits, `-` and `_`."""
    records = [
        {"custom_id": row["id"].replace("/", spelled),
         "result": {"type": "succeeded", "message": {"content": [{"type": "text", "text": text}]}}}
        for row, text in zip(ROWS, TEXTS)
    ]  # fmt: skip
    records[0]["result"] = {"type": "expired"}
    Path("a.jsonl").write_text("\n".join(map(json.dumps, records)))
    result = score("a.jsonl", *option, "--partial", "--brief", "--resamples", 0)
    assert result.stdout == f"fairer_f1 {100 * fairer(['', *TEXTS[1:]]):.1f} a\n"
    assert f"a.jsonl: 1 of {len(ROWS)} answers are missing (1 × expired): they count as no prediction" in result.stderr
    with pytest.raises(PredictionError, match=r"'dss-test-0/0' \(1 × expired\): ask again, write \"\" for an"):
        score("a.jsonl", *option)


def lm_eval(name: str, docs: list[dict], answers: list) -> None:
    folder = Path("run/org__m")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results_2026-11-22T04-02-15.json").write_text('{"model_name": "org/m"}')
    lines = [{"doc_id": n, "doc": doc, "resps": [[text]], "filtered_resps": [text], "filter": "none"}
             for n, (doc, text) in enumerate(zip(docs, answers))]  # fmt: skip
    (folder / f"samples_{name}_2026-11-22T04-02-15.jsonl").write_text("\n".join(map(json.dumps, lines)))


def test_a_folder_of_lm_eval_is_scored_task_by_task_without_foreign_ones():
    for config in ("dss", "dr"):
        rows = SPLITS[config, "test"]
        lm_eval(f"bap_v2_{config}", rows, [row["completion"] if config == "dss" else "" for row in rows])
    lm_eval("hellaswag", [{"ind": 24, "ctx": "A man"}], [[-1.5, False]])
    lm_eval("squadv2", [{"id": "56ddde6b9a695914005b9628", "question": "Where?"}], ["France"])
    result = score("run", "--brief", "--resamples", 0)
    assert sorted(result.stdout.splitlines()) == ["fairer_f1 0.0 m on dr", "fairer_f1 100.0 m on dss"]
    assert "skipped hellaswag: " in result.stderr and "skipped squadv2: " in result.stderr
    assert score("run", "--config", "dss", "--brief", "--resamples", 0).stdout == "fairer_f1 100.0 m\n"
    out = score("run", "--format", "csv", "--resamples", 0).stdout
    values = {row["config"]: row["value"] for row in csv.DictReader(io.StringIO(out)) if row["score"] == "fairer_f1"}
    assert {name: float(value) for name, value in values.items()} == {"dss": 1.0, "dr": 0.0}
    assert score("run", "--resamples", 0, command="report").exit_code == 0
    assert score("run", "--brief", "--fail-under", 50, "--resamples", 0).exit_code == 3
    with pytest.raises(PredictionError, match=r"--out is .* the answers to dr, test and dss, test: pass"):
        score("run", "--out", "scores.json", "--resamples", 0)
    with pytest.raises(PredictionError, match="these are the answers to dr, test and dss, test: choose one"):
        read_files_for(["run"])


def test_files_of_several_test_sets_and_the_folder_of_a_run_get_the_tables_of_report():
    for config in ("dss", "dr"):
        file = Path(f"runs/m/{config}.jsonl")
        file.parent.mkdir(parents=True, exist_ok=True)
        write(file, config)
        Path(f"{file}.settings.json").write_text(
            json.dumps({"model": "runs/m", "dataset_config": config, "split": "test"})
        )
    Path("runs/m/losses.jsonl").write_text("no predictions\n")
    for form in ("terminal", "markdown", "csv"):
        whole = score("runs/m/", "--resamples", 0, "--format", form).stdout
        assert whole == score("runs/m/dr.jsonl", "runs/m/dss.jsonl", "--resamples", 0, "--format", form).stdout
        if form != "csv":  # whose lines are in the order of the files
            assert whole == score("runs/m", "--resamples", 0, "--format", form, command="report").stdout
    assert "All measures on dr" in score("runs/m", "--resamples", 0).stdout
    assert "All measures" not in score("runs/m", "--config", "dr", "--resamples", 0).stdout
    assert len(score("runs/m", "--brief", "--resamples", 0).stdout.splitlines()) == 2
    write(file, "dr", wrong=1)
    assert score("runs/m", "--fail-under", 100, "--resamples", 0).exit_code == 3
    with pytest.raises(PredictionError, match="--variants is for one test set"):
        score("runs/m", "--variants", 1)


def test_a_folder_of_foreign_logs_alone_is_an_error():
    lm_eval("hellaswag", [{"ind": 24, "ctx": "A man"}], [[-1.5, False]])
    with pytest.raises(PredictionError, match="line 1: \"doc\" has no string 'id'"):
        score("run")


# --- What it prints.
def test_thoughts_in_an_unknown_mark_are_said_and_those_in_a_known_one_do_not_count():
    thoughts = "place blue 5 1 5\npick 1 1 1\n"
    for name, form in (("gpt", "analysis{}assistantfinal"), ("other", "<musing>\n{}</musing>\n")):
        answers = {row["id"]: form.format(thoughts) + text for row, text in zip(ROWS, TEXTS)}
        Path(f"{name}.json").write_text(json.dumps(answers))
    result = score("gpt.json", "--brief", "--resamples", 0)
    assert result.stdout == "fairer_f1 100.0 gpt\n" and "thoughts" not in result.stderr
    result = score("other.json", "--brief", "--resamples", 0)
    said = f"other: {len(ROWS)} predictions of {len(ROWS)} seem to hold thoughts in marks that are not known"
    assert f"{said}, such as </musing>" in " ".join(result.stderr.split()) and "100.0" not in result.stdout


def test_the_output_for_programs_holds_nothing_else():
    file = write(Path("mine.jsonl"), "dss", 1)
    out = score(file, "--baseline", "stack", "--format", "json", "--resamples", 20).stdout
    systems = json.loads(out)["systems"]
    assert [system["name"] for system in systems] == ["mine", "stack"]
    low, high = systems[0]["confidence_intervals"]["fairer_f1"]
    out = score(file, "--format", "csv", "--resamples", 20).stdout
    rows = {row["score"]: row for row in csv.DictReader(io.StringIO(out))}
    assert tuple(rows["fairer_f1"]) == CSV_COLUMNS and rows["n_items"]["value"] == str(len(ROWS))
    assert float(rows["fairer_f1"]["value"]) == systems[0]["scores"]["fairer_f1"] == fairer(["", *TEXTS[1:]])
    assert (float(rows["fairer_f1"]["low"]), float(rows["fairer_f1"]["high"])) == (low, high)
    assert score(file, "--brief", "--resamples", 20).stdout == (
        f"fairer_f1 {100 * systems[0]['scores']['fairer_f1']:.1f} [{100 * low:.1f}, {100 * high:.1f}] mine\n"
    )


def test_runs_are_told_in_every_form():
    files = [f"mine={write(Path(f'{n}.jsonl'), 'dss', n)}" for n in (1, 2)]
    assert score(*files, "--brief").stdout.endswith(" (2 runs) mine\n")
    out = score(*files, "--baseline", "stack", "--resamples", 20).stdout
    assert "mine (mean of 2 runs), stack" in out and re.search(
        r"mine: in 2 runs, \d+ to \d+ of \d+ items exact, 0 unparsed lines", out
    )
    assert "±: standard deviation over the runs" in out and "p leaves out the spread between runs" in out
    rows = csv.DictReader(io.StringIO(score(*files, "--format", "csv").stdout))
    deviation = next(float(row["standard_deviation"]) for row in rows if row["score"] == "fairer_f1")
    assert deviation == pytest.approx(abs(fairer(["", *TEXTS[1:]]) - fairer(["", "", *TEXTS[2:]])) / 2**0.5)
    for form, sign in (("markdown", " ± "), ("latex", r"$\pm$")):
        out = score(*files, "--format", form).stdout
        assert f"{100 * deviation:.1f}" in out and sign in out and "the mean of 2 runs" in out


def test_the_three_most_frequent_unparsed_lines_are_shown():
    lines = ["Sure!"] * 3 + ["bad \x1b[31m"] * 2 + ["I stop here."] * 2 + ["once"]
    texts = ["\n".join(lines), *[""] * (len(ROWS) - 1)]
    Path("mine.json").write_text(json.dumps({row["id"]: text for row, text in zip(ROWS, texts)}))
    out = score("mine.json", "--resamples", 0).stdout
    assert " items exact, 8 unparsed lines" in out and "    3 times: Sure!\n" in out
    assert "    2 times: bad �[31m\n" in out and "\x1b" not in out and out.count(" times: ") == 3


@pytest.mark.parametrize("form", ["markdown", "latex"])
def test_tables_for_papers_hold_our_scores_alone(form):
    out = score(write(Path("mine.jsonl"), "dss"), "--baseline", "stack", "--format", form, "--resamples", 20).stdout
    assert "Scores on dss" in out and "Against mine" in out and "Overall (fairer F1)" in out
    assert "Llama" not in out and "Source" not in out


def test_no_text_of_others_controls_the_terminal_or_computes_in_a_spreadsheet():
    rows = [{**row, "dialogue": ["<Architect> \x1b[2Jred\x9b1A"]} for row in ROWS[:1]]
    Path("own.jsonl").write_text(json.dumps({**rows[0], "prompt_n": None}) + "\n")
    Path("m.jsonl").write_text(json.dumps({"id": rows[0]["id"], "prediction": "=1+1"}) + "\n")
    Path("m.jsonl.settings.json").write_text('{"model": "@\\u001b]0;x\\u0007"}')
    Console(file=(printed := io.StringIO())).print("headings: id,\x1b[31mtext", markup=False)  # as errors are
    assert printed.getvalue() == "headings: id,␛[31mtext\n"
    shown = [
        ("own.jsonl", "show", rows[0]["id"], "--data"),
        ("own.jsonl", "show", rows[0]["id"], "--prompt", "n", "--data"),
    ]
    shown += [
        ("own.jsonl", "score", "m.jsonl", "--resamples", 0, *form, "--data")
        for form in ([], ["--json"], ["--format", "csv"])
    ]
    for data, command, *arguments in shown:
        out = score(*arguments, data, command=command).output
        assert not {"\x1b", "\x9b", "\x07"} & {*out}, arguments
    assert ",'@\u241b]0;x" in out
    score("m.jsonl", "--data", "own.jsonl", "--per-item", "items.csv", "--resamples", 0)
    assert "'=1+1" in Path("items.csv").read_text()


# --- The threshold.
@pytest.mark.parametrize(("least", "code"), [(0, 0), (99.9, 3), (100, 3)])
def test_a_threshold_is_an_exit_code(least, code):
    file = write(Path("mine.jsonl"), "dss", 2)
    result = score(file, "--baseline", "do-nothing", "--brief", "--fail-under", least, "--resamples", 0)
    assert result.exit_code == code and result.stdout.count("fairer_f1") == 2
    assert ("mine: fairer_f1" in result.stderr) == bool(code) and "do-nothing" not in result.stderr


def test_a_score_of_the_threshold_itself_passes():
    """In floating-point numbers 100 * 0.57 is less than 57."""
    for permille in range(1001):
        result = scoring.Result("mine", [], {"fairer_f1": permille / 1000}, {})
        check_threshold([result], [], "fairer_f1", permille / 10)


def test_without_a_file_the_threshold_is_for_the_baselines():
    assert score("--config", "dss", "--baseline", "do-nothing", "--fail-under", 1, "--resamples", 0).exit_code == 3


# --- Items.
def test_the_scores_of_items_add_up_to_those_of_the_system():
    file = write(Path("mine.jsonl"), "dss", 1)
    score(file, "--baseline", "stack", "--per-item", "items.jsonl", "--resamples", 0)
    records = [json.loads(line) for line in Path("items.jsonl").read_text().splitlines()]
    assert [record["id"] for record in records] == 2 * [row["id"] for row in ROWS]
    mine = [record for record in records if record["system"] == "mine"]
    right, wrong, missed = (sum(record[key] for record in mine) for key in ("right", "wrong", "missed"))
    assert bap_v2_metric.Counts(right, wrong, missed).f1 == fairer(["", *TEXTS[1:]])
    score(file, "--baseline", "stack", "--per-item", "items.csv", "--resamples", 0)
    rows = list(csv.DictReader(io.StringIO(Path("items.csv").read_text())))
    assert [[row[key] for key in ("id", "system", "right")] for row in rows] == [
        [record["id"], record["system"], str(record["right"])] for record in records
    ]


def test_an_item_says_what_was_not_read_not_feasible_and_how_it_was_moved():
    empty = next(row for row in ROWS if not row["before"] and row["interpretations"] == "multiple")
    moved = [line.split() for line in empty["completion"].splitlines()]
    shift = -1 if max(int(words[2]) for words in moved) == 5 else 1
    text = "\n".join(f"place {w[1]} {int(w[2]) + shift} {w[3]} {w[4]}" for w in moved)
    Path("mine.jsonl").write_text(json.dumps({"id": empty["id"], "prediction": f"half \ud83d\n{text}\npick 5 9 5"}))
    score("mine.jsonl", "--subset", "--per-item", "items.jsonl", "--resamples", 0)
    (record,) = map(json.loads, Path("items.jsonl").read_text().splitlines())
    assert record["fairer_f1"] == 1.0 and record["strict_f1"] < 1.0 and record["board"] == "EB"
    turns, dx, dz = record["alignment"]
    assert any((turns, dx, dz)) and record["unparsed"] == ["half \ud83d"]
    assert record["infeasible"] == ["pick 5 9 5: no block"]
    score("mine.jsonl", "--subset", "--per-item", "items.csv", "--resamples", 0)
    (row,) = csv.DictReader(io.StringIO(Path("items.csv").read_text()))
    assert row["alignment"] == f"{turns} {dx} {dz}" and row["unparsed"] == "half ?"


@pytest.mark.parametrize("name", ["items.jsonl", "items.csv"])
def test_items_say_which_run_they_are_of_and_have_the_same_columns_for_all_systems(name):
    one, *runs = [write(Path(f"{n}.jsonl"), "dss", n) for n in range(3)]
    score(f"one={one}", *(f"mine={file}" for file in runs), "--per-item", name, "--resamples", 0)
    text = Path(name).read_text()
    read = csv.DictReader(io.StringIO(text)) if name.endswith("csv") else map(json.loads, text.splitlines())
    assert [(record["system"], record["run"]) for record in read] == [
        pair for pair in (("one", ""), ("mine", "run 1"), ("mine", "run 2")) for _ in ROWS
    ]


# --- Requests that are refused before anything is computed.
@pytest.mark.parametrize(
    ("options", "error", "cause"),
    [
        (["--format", "html"], PredictionError, "--format html: expected one of terminal, markdown, latex, csv, json"),
        (["--brief", "--format", "csv"], PredictionError, "--brief and --format csv are mutually exclusive"),
        (["--per-item", "items.txt"], PredictionError, r"items\.txt has to end in \.jsonl or \.csv"),
        (["--per-item", "mine.jsonl"], PredictionError, r"--per-item: mine\.jsonl is what is scored"),
        (["--per-item", "notes.csv"], PredictionError, r"notes\.csv exists and does not hold scores"),
        (["--per-item", "no/items.csv"], OutputError, "there is no directory"),
        (["--out", "no/scores.json"], OutputError, "there is no directory"),
        (["--out", "a.jsonl", "--per-item", "a.jsonl"], PredictionError, "name the same file, a.jsonl: name two"),
        (["--fail-under", "nan"], PredictionError, "--fail-under nan: expected a percentage, 0 to 100"),
        (["--fail-under", "101"], PredictionError, "--fail-under 101: expected a percentage, 0 to 100"),
    ],
)
def test_a_request_that_cannot_be_met_is_refused_at_once(options, error, cause, monkeypatch):
    file = write(Path("mine.jsonl"), "dss")
    Path("notes.csv").write_text("my,notes\n")
    monkeypatch.setattr(bap_v2_metric.scoring, "score_items", None)  # so nothing is scored
    with pytest.raises(error, match=cause):
        score(file, *options)


@pytest.mark.parametrize(
    ("command", "options"),
    [("score", ["--out", "closed/scores.json"]), ("score", ["--per-item", "closed/a.csv"]),
     ("report", ["--out", "closed/report"]), ("report", ["--out", "closed"])],
)  # fmt: skip
def test_a_folder_that_may_not_be_written_is_found_before_anything_is_computed(command, options, monkeypatch):
    Path("closed").mkdir()
    monkeypatch.setattr("os.access", lambda path, mode: not mode & os.W_OK or Path(path).name != "closed")
    with pytest.raises(OutputError, match=r"closed cannot be written: check its permissions"):
        score("nowhere.jsonl", *options, command=command)


def test_earlier_scores_of_items_are_replaced():
    file = write(Path("mine.jsonl"), "dss")
    for name in ("items.jsonl", "items.csv"):
        for resamples in (0, 10):
            assert score(file, "--per-item", name, "--resamples", resamples).exit_code == 0
