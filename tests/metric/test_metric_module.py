"""The metric as `evaluate` loads it: from the script, from a copy of the folder, in batches, combined."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import evaluate
import pytest
from hand_worked import CASES

import bap_v2_metric
from bap_v2_dataset.tasks.table import TASKS
from bap_v2_metric.errors import UserError
from bap_v2_metric.tasks import SCORERS, UnknownTaskError, scorer_of

FOLDER = Path(bap_v2_metric.__file__).parent
PREDICTIONS = ["\n".join(case.prediction) for case in CASES]
REFERENCES = [case.reference for case in CASES]


@pytest.fixture
def metric(tmp_path):
    return evaluate.load(str(FOLDER / "bap_v2.py"), cache_dir=str(tmp_path))


def test_compute_returns_what_score_returns(metric):
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == bap_v2_metric.score(
        PREDICTIONS, REFERENCES
    )


def test_items_and_batches_may_be_added_one_after_the_other(metric):
    metric.add(prediction=PREDICTIONS[0], reference=REFERENCES[0])
    for start in range(1, len(CASES), 7):
        metric.add_batch(predictions=PREDICTIONS[start : start + 7], references=REFERENCES[start : start + 7])
    assert metric.compute() == bap_v2_metric.score(PREDICTIONS, REFERENCES)


def test_a_metric_can_be_used_again_after_it_was_computed_and_after_an_error(metric):
    expected = bap_v2_metric.score(PREDICTIONS, REFERENCES)
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == expected
    with pytest.raises(ValueError, match="item 1, field 'after': unknown color 'pink'"):
        metric.compute(predictions=["", ""], references=[REFERENCES[0], {"before": [], "after": ["pink 0 1 0"]}])
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES) == expected


def test_it_combines_with_other_metrics(metric, tmp_path):
    both = evaluate.combine([metric, evaluate.load(str(FOLDER / "bap_v2.py"), cache_dir=str(tmp_path / "other"))])
    scores = both.compute(predictions=PREDICTIONS, references=REFERENCES)
    assert scores["bap_v2_0_fairer_f1"] == scores["bap_v2_1_fairer_f1"] > 0


def test_intervals_and_counts_are_returned_on_request(metric):
    scores = metric.compute(predictions=PREDICTIONS, references=REFERENCES, n_resamples=50, per_item=True)
    low, high = scores["confidence_intervals"]["fairer_f1"]
    assert low <= scores["fairer_f1"] <= high
    assert scores["items"] == bap_v2_metric.score_items(PREDICTIONS, REFERENCES)
    assert scores["signature"] == bap_v2_metric.signature(n_resamples=50)
    again = metric.compute(predictions=PREDICTIONS, references=REFERENCES, n_resamples=50, seed=7)
    assert again["signature"] == f"{bap_v2_metric.SIGNATURE}|bs:50|seed:7"


def test_clusters_can_be_drawn_in_place_of_items(metric):
    n = len(PREDICTIONS)
    inputs = {"predictions": PREDICTIONS, "references": REFERENCES, "n_resamples": 50}
    halves = metric.compute(**inputs, clusters=[number * 2 // n for number in range(n)])
    assert halves["signature"] == f"{bap_v2_metric.SIGNATURE}|bs:50|seed:20260|unit:cluster"
    items = metric.compute(**inputs)
    assert halves["confidence_intervals"] != items["confidence_intervals"]
    assert halves["fairer_f1"] == items["fairer_f1"]
    single = metric.compute(**inputs, clusters=list(range(n)))
    assert single["confidence_intervals"] == items["confidence_intervals"]
    with pytest.raises(Exception, match=f"1 clusters but {n} items") as error:
        metric.compute(**inputs, clusters=["a"])
    assert type(error.value).__name__ == "InputError"


def test_no_name_is_the_task_bap(metric, tmp_path):
    named = evaluate.load(str(FOLDER / "bap_v2.py"), "bap", cache_dir=str(tmp_path / "named"))
    assert named.features == metric.features
    assert named.compute(predictions=PREDICTIONS, references=REFERENCES) == bap_v2_metric.score(PREDICTIONS, REFERENCES)


def test_another_task_is_an_error_that_names_those_there_are(tmp_path):
    with pytest.raises(
        ValueError, match="no task 'bop': pass one of 'bap', 'robust', 'gsu', 'plancraft', 'architect' to evaluate"
    ):
        evaluate.load(str(FOLDER / "bap_v2.py"), "bop", cache_dir=str(tmp_path))
    with pytest.raises(UnknownTaskError, match="'bop'"):
        scorer_of("bop")
    assert issubclass(UnknownTaskError, UserError)
    assert scorer_of("gsu") is TASKS["gsu"].scorer and scorer_of("bap") is SCORERS["bap"]


def test_an_argument_of_another_task_is_an_error(metric):
    with pytest.raises(ValueError, match="no argument 'tools'"):
        metric.compute(predictions=PREDICTIONS, references=REFERENCES, tools="M S")


EPISODES = """
from .resampling import Statistics

def _count(predictions, references, window=1):
    return [{"right": int(len(p["turns"]) <= window and p["success"]), "kind": r["kind"]}
            for p, r in zip(predictions, references)]

SCORERS["episodes"] = Scorer(
    prediction={"turns": ["string"], "success": "bool", "tokens": "int64"},
    reference={"id": "string", "kind": "string"},
    check_items=lambda predictions, references: None,
    score_items=_count,
    statistics=lambda items: {"": Statistics([(i["right"], 1) for i in items], lambda n: {"success": n[0] / n[1]}, 2)},
    signature=lambda n_resamples, seed, window=1: f"episodes|window:{window}|bs:{n_resamples}",
    defaults={"kind": ""},
    options=("window",),
)
"""


def test_a_new_task_is_one_entry_of_the_table(tmp_path):
    copy = tmp_path / "bap_v2"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    with open(copy / "tasks.py", "a", encoding="utf-8") as tasks:
        tasks.write(EPISODES)
    metric = evaluate.load(str(copy), "episodes", cache_dir=str(tmp_path / "cache"))
    predictions = [
        {"turns": ["think: \ud800", "move"], "success": True, "tokens": 40},
        {"turns": [], "success": False},
        {"turns": ["move"], "success": True, "tokens": None},
    ]
    references = [{"id": "a", "kind": "smelting", "more": 1}, {"id": "b"}, {"id": "c", "kind": None}]
    scores = metric.compute(predictions=predictions, references=references, window=2, per_item=True, n_resamples=9)
    assert scores == {
        "success": 2 / 3,
        "items": [{"right": 1, "kind": "smelting"}, {"right": 0, "kind": ""}, {"right": 1, "kind": ""}],
        "confidence_intervals": {"success": pytest.approx([1 / 3, 1.0], abs=1 / 3)},
        "signature": "episodes|window:2|bs:9",
    }
    bap = evaluate.load(str(copy), cache_dir=str(tmp_path / "cache"))
    assert bap.compute(predictions=PREDICTIONS, references=REFERENCES) == bap_v2_metric.score(PREDICTIONS, REFERENCES)


def test_interpretations_may_be_missing_in_some_references(metric):
    references = [
        {"before": [], "after": ["red 0 1 0"]},
        {"before": [], "after": ["red 0 1 0"], "interpretations": "multiple"},
    ]
    scores = metric.compute(predictions=["place red 3 1 3"] * 2, references=references)
    assert scores["fairer_recall"] == 0.5


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        (["", ""], [REFERENCES[0]], "2 predictions but 1 references"),
        ("ab", [REFERENCES[0]] * 2, "predictions are 'ab'"),
        ([""], [{"before": [], "after": iter(["red 0 1 0"])}], "field 'after'"),
        ([""], None, "references are missing"),
        ([None], [REFERENCES[0]], "the prediction is None"),
        ([["place red 0 1 0"]], [REFERENCES[0]], "expected a string"),
        ([""], [{"before": "red 0 1 0", "after": []}], "expected a list"),
        ([""], ["red 0 1 0"], "the reference is 'red 0 1 0'"),
    ],
)
def test_malformed_input_is_an_error_and_is_not_cast(metric, predictions, references, message):
    with pytest.raises(ValueError, match=message):
        metric.compute(predictions=predictions, references=references)


def test_no_items_give_empty_scores(metric):
    assert metric.compute(predictions=[], references=[]) == bap_v2_metric.score([], [])


@pytest.mark.parametrize("noise", ["\0", "\ud800", "ص" * 1000, "place red " + "9" * 5000 + " 1 0"])
def test_any_prediction_string_can_be_stored(metric, noise):
    assert metric.compute(predictions=[noise], references=[REFERENCES[0]])["unparsed_lines"] == 1


@pytest.mark.slow
def test_the_folder_works_alone_without_the_rest_of_the_project(tmp_path):
    copy = tmp_path / "anywhere" / "bap_v2"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__"))
    program = f"""
import sys
sys.modules["bap_v2_metric"] = sys.modules["bap_v2_dataset"] = sys.modules["bap_v2_simulators"] = None
import evaluate
metric = evaluate.load({str(copy)!r}, cache_dir={str(tmp_path / "cache")!r})
reference = {{"before": [], "after": ["red 0 1 0"]}}
print(metric.compute(predictions=["place red 0 1 0"], references=[reference])["fairer_f1"])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.strip() == "1.0", done.stderr


@pytest.mark.slow
def test_the_installed_metric_has_its_tasks_from_any_directory(tmp_path):
    install = "from bap_v2_dataset.loading.install import install_metric; install_metric()"
    program = f"""
import sys
sys.modules["bap_v2_metric"] = sys.modules["bap_v2_dataset"] = sys.modules["bap_v2_simulators"] = None
import evaluate
metric = evaluate.load("bap_v2", "bap")
reference = {{"before": [], "after": ["red 0 1 0"]}}
scores = metric.compute(predictions=["place red 0 1 0"], references=[reference], n_resamples=10)
assert scores["signature"] == {bap_v2_metric.signature(n_resamples=10)!r}
try:
    evaluate.load("bap_v2", "bop")
except ValueError as error:
    print(error)
"""
    env = {**os.environ, "HF_HOME": str(tmp_path / "home"), "HF_EVALUATE_OFFLINE": "1", "HF_HUB_OFFLINE": "1"}
    for code in (install, program):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, env=env)
        assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("the metric has no task 'bop'")


@pytest.mark.slow
def test_the_kernel_needs_nothing_but_the_standard_library(tmp_path):
    copy = tmp_path / "kernel"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__", "bap_v2.py", "app.py"))
    program = (
        "import kernel; print(kernel.score(['place red 0 1 0'], [{'before': [], 'after': ['red 0 1 0']}])['strict_f1'])"
    )
    done = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.strip() == "1.0", done.stderr
