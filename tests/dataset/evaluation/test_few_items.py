"""What is said where there is too little to know: few items, few targets, answers that could not be read."""

import csv
import io
import json
from pathlib import Path

import pytest
from small_test_sets import SPLITS, use_small_test_sets
from typer.testing import CliRunner

import bap_v2_dataset as bap
from bap_v2_dataset.cli import app
from bap_v2_dataset.evaluation import model_items, test_sets
from bap_v2_dataset.interface.table import TASKS

ITEMS = [
    {"id": "mine/0", "dialogue": ["<Architect> a red one"], "before": [], "after": ["red 0 1 0"]},
    {"id": "mine/1", "dialogue": ["<Architect> away"], "before": ["red 0 1 0"], "after": []},
]
LEAST = "No interval and no p below 20 items"


@pytest.fixture(autouse=True)
def small(monkeypatch, tmp_path):
    use_small_test_sets(monkeypatch)
    monkeypatch.setattr(model_items, "split_rows", test_sets.split_rows)
    monkeypatch.chdir(tmp_path)
    Path("items.jsonl").write_text("\n".join(map(json.dumps, ITEMS)))
    for name, texts in {"right": ("place red 0 1 0", "pick 0 1 0"), "wrong": ("place red 0 1 0", "")}.items():
        Path(f"{name}.json").write_text(json.dumps(dict(zip(("mine/0", "mine/1"), texts))))


def run(*arguments: object):
    result = CliRunner().invoke(app, list(map(str, arguments)), env={"COLUMNS": "200"})
    assert result.exception is None, result.exception
    return result


@pytest.mark.parametrize("form", ["terminal", "markdown", "latex"])
def test_two_items_have_scores_and_differences_alone(form):
    text = run("score", "right.json", "wrong.json", "--data", "items.jsonl", "--format", form).stdout
    assert f"{LEAST} (EB: 1 item, NEB: 1 item, all items: 2 items)." in " ".join(text.split())
    (line,) = [line for line in text.splitlines() if "-100.0" in line]  # NEB
    assert " to " not in line and line.count("--" if form == "latex" else "–") == 2
    assert "0.001" not in text and "95%" not in text and "bs:" not in text


def test_two_items_have_no_interval_in_forms_for_programs():
    arguments = ["score", "right.json", "wrong.json", "--data", "items.jsonl"]
    assert run(*arguments, "--brief").stdout == "fairer_f1 100.0 [–] right\nfairer_f1 66.7 [–] wrong\n"
    record = json.loads(run(*arguments, "--format", "json").stdout)
    assert [system["confidence_intervals"] for system in record["systems"]] == [{}, {}]
    rows = csv.DictReader(io.StringIO(run(*arguments, "--format", "csv").stdout))
    assert {(row["low"], row["high"], row["unit"]) for row in rows} == {("", "", "")}


def test_a_report_and_a_session_say_so_too():
    text = run("report", "right.json", "wrong.json", "--data", "items.jsonl", "--format", "markdown").stdout
    assert f"items: {LEAST} (EB: 1 item, NEB: 1 item, all items: 2 items)." in text
    assert not [line for line in text.splitlines() if line.startswith("|") and " to " in line] and "95%" not in text
    right = bap.evaluate_model(lambda row: "place red 0 1 0", data=ITEMS)
    wrong = bap.evaluate_model("do-nothing", data=ITEMS)
    assert LEAST in right._repr_html_() and right.confidence_intervals == {}
    comparison = right.compare(wrong)
    assert comparison.p_value is None and comparison.difference > 0 and LEAST in str(comparison)


# --- Targets.
@pytest.mark.parametrize("config", ["mdc_v2", "mdc", "robust_mdc_v2", "architect_mdc"])
def test_what_is_made_of_human_games_is_resampled_by_targets(config):
    (task,) = [task for task in TASKS.values() if config in task.configs]
    assert task.default_unit(config) == "target" and task.default_unit("my own") == "item"


def test_parts_of_the_joint_config_are_resampled_as_they_are_alone():
    assert [TASKS["bap"].default_unit("all", f"test_{part}") for part in ("mdc_v2", "dss")] == ["target", "item"]


def test_the_signature_names_the_items_with_their_right_answers():
    def signature(right: str) -> str:
        items = [{**item, "after": [right]} for item in ITEMS]
        return bap.evaluate_model(lambda row: right, data=items, n_resamples=0).signature

    rows = [{"metadata": {"annotation": {"labels": "mine (SHA-256 8e7b6d84)"}}, **ITEMS[0]}]
    named = bap.evaluate_model(lambda row: "", data=rows, n_resamples=0, unit="item").signature
    assert "|labels:8e7b6d84|items:" in named
    one, same, other = signature("red 0 1 0"), signature("red 0 1 0"), signature("red 1 1 0")
    assert one == same != other and one.rpartition(":")[0] == other.rpartition(":")[0] and "\n" not in one


# --- Answers that cannot be read.
@pytest.mark.parametrize("text", ["I would put a red block there.", ""])
@pytest.mark.parametrize("command", ["score", "report"])
def test_a_file_of_which_nothing_can_be_read_is_a_warning(command, text):
    rows = SPLITS["dss", "test"]
    Path("dss.json").write_text(json.dumps({row["id"]: text for row in rows}))
    result = run(command, "dss.json", "--resamples", 0, "--baseline", "do-nothing")
    n = sum(row["before"] != row["after"] for row in rows)
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("warning: ")]
    assert f"nothing could be read of {n} of {len(rows)} answers" in line and repr(text) in line
    assert "place COLOR X Y Z" in line and "--prediction-field" in line
    with pytest.warns(UserWarning, match="nothing could be read"):
        bap.score_file("dss.json", n_resamples=0)
    with pytest.warns(UserWarning, match="nothing could be read"):
        bap.evaluate_model(lambda row: text, "dss", n_resamples=0)


def test_it_is_said_why_answers_are_empty():
    rows, thoughts = SPLITS["dss", "test"], {"prediction": "<think>red or"}
    why = [{"prediction": "", "finished": False}, {"prediction": "", "finished": False, "unfinished": "refused"}]
    lines = [{"id": row["id"], **(why[number] if number < 2 else thoughts)} for number, row in enumerate(rows)]
    Path("dss.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    said = run("score", "dss.jsonl", "--resamples", 0).stderr
    kinds = f"{len(rows) - 2} × only thoughts, 1 × cut off at the limit of tokens, 1 × refused"
    assert f": {len(rows)} of {len(rows)} answers not whole: {kinds}" in said and "--prediction-field" not in said
    assert f"{kinds}. Ask again with more tokens (`bap-v2 predict --max-new-tokens`)" in said


def test_some_answers_that_cannot_be_read_and_rows_without_one_are_no_warning():
    ids = [row["id"] for row in SPLITS["dss", "test"]]
    texts = [row["completion"] for row in SPLITS["dss", "test"]]
    half = len(ids) // 2
    Path("half.json").write_text(json.dumps(dict(zip(ids, ["hm"] * half + texts[half:]))))
    Path("part.json").write_text(json.dumps(dict(zip(ids[:2], texts))))
    Path("few.json").write_text(json.dumps(dict(zip(ids[:2], ["hm", texts[1]]))))
    for arguments in (["half.json"], ["part.json", "--partial"], ["few.json", "--partial"]):
        assert "warning" not in run("score", *arguments, "--resamples", 0).stderr
