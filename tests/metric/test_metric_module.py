"""The metric as `evaluate` loads it: from the script, from a copy of the folder, in batches, combined."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import evaluate
import pytest
from hand_worked import CASES
from robust_items import original, variant_of

import bap_v2_metric
from bap_v2_dataset.interface.table import TASKS
from bap_v2_metric.errors import UserError
from bap_v2_metric.tasks import UnknownTaskError, scorer_of

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


def test_it_works_in_memory(tmp_path):
    metric = evaluate.load(str(FOLDER / "bap_v2.py"), cache_dir=str(tmp_path), keep_in_memory=True)
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES)["n_items"] == len(CASES)


def test_intervals_and_counts_are_returned_on_request(metric):
    scores = metric.compute(predictions=PREDICTIONS, references=REFERENCES, n_resamples=50, per_item=True)
    low, high = scores["confidence_intervals"]["fairer_f1"]
    assert low <= scores["fairer_f1"] <= high
    assert scores["items"] == bap_v2_metric.score_items(PREDICTIONS, REFERENCES)
    assert scores["signature"] == bap_v2_metric.signature(n_resamples=50)
    again = metric.compute(predictions=PREDICTIONS, references=REFERENCES, n_resamples=50, seed=7)
    assert again["signature"] == f"{bap_v2_metric.SIGNATURE}|bs:50|seed:7|unit:item"
    few = metric.compute(predictions=PREDICTIONS[:2], references=REFERENCES[:2], n_resamples=50)
    assert (few["confidence_intervals"], few["signature"]) == ({}, bap_v2_metric.SIGNATURE)


def test_clusters_can_be_drawn_in_place_of_items(metric):
    n = len(PREDICTIONS)
    inputs = {"predictions": PREDICTIONS, "references": REFERENCES, "n_resamples": 50}
    halves = metric.compute(**inputs, clusters=[number * 10 // n for number in range(n)])
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


def test_the_package_adds_its_tasks_and_others_are_an_error_that_names_them(tmp_path):
    for call in (
        lambda: evaluate.load(str(FOLDER / "bap_v2.py"), "bop", cache_dir=str(tmp_path)),
        lambda: scorer_of("bop"),
    ):
        with pytest.raises(ValueError, match=r"no task 'bop': pass one of 'bap', 'robust', .*'gsu', ") as error:
            call()
        assert all(f"'{name}'" in str(error.value) for name in TASKS) and "install" not in str(error.value)
    assert issubclass(UnknownTaskError, UserError)


def test_where_the_package_is_installed_its_tasks_are_scored(tmp_path):
    def scores(task, predictions, references, **options):
        metric = evaluate.load(str(FOLDER / "bap_v2.py"), task, cache_dir=str(tmp_path))
        return metric.compute(predictions=predictions, references=references, n_resamples=9, per_item=True, **options)

    question = {"task": "follower", "frame": "egocentric", "dims": 2, "group": "1", "answer": "(3, 0)"}
    walked = scores("gsu", ["I turn right and walk.\nAnswer: (3, 0)", "\ud800"] * 10, [question] * 20)
    assert walked["follower_accuracy"] == 0.5 and "score" in walked["confidence_intervals"]
    episodes = [
        {"turns": ["smelt: from [I3] to [I4] with quantity 1"], "success": True, "tokens": None},
        {"turns": ["\ud800"], "success": False},  # fields that are missing are stored as None
    ]
    recipe = {"id": "VAL0", "impossible": False, "complexity_bin": 0, "oracle_length": 1, "recipe_type": "smelting"}
    played = scores("plancraft", episodes, [recipe | {"more": 1}, recipe | {"id": "VAL1"}], tools="M S")
    assert played["success"] == 0.5 and len(played["items"]) == 2


def test_an_argument_of_another_task_is_an_error(metric):
    with pytest.raises(ValueError, match="no argument 'tools'"):
        metric.compute(predictions=PREDICTIONS, references=REFERENCES, tools="M S")


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


def test_no_items_are_an_error(metric):
    with pytest.raises(ValueError, match="there are no items to score: pass predictions and references"):
        metric.compute(predictions=[], references=[])


@pytest.mark.parametrize("noise", ["\0", "\ud800", "ص" * 1000, "place red " + "9" * 5000 + " 1 0"])
def test_any_prediction_string_can_be_stored(metric, noise):
    assert metric.compute(predictions=[noise], references=[REFERENCES[0]])["unparsed_lines"] == 1


ALONE = """
import sys
sys.modules.update(dict.fromkeys(["bap_v2_metric", "bap_v2_dataset", "bap_v2_simulators"]))
import evaluate
reference = {{"before": [], "after": ["red 0 1 0"]}}
inputs = {{"predictions": ["place red 0 1 0"] * 20, "references": [reference] * 20}}
scores = evaluate.load({name!r}).compute(**inputs, n_resamples=10)
assert scores["fairer_f1"] == 1.0 and scores["signature"] == {signature!r}, scores
robust = evaluate.load({name!r}, "robust").compute(predictions=["place red 0 1 0", ""], references={rows!r})
assert (robust["all_standard_f1"], robust["all_robust_f1"]) == (1.0, 0.0), robust
for task in ("gsu", "bop"):
    try:
        evaluate.load({name!r}, task)
    except ValueError as error:
        print(error)
"""


@pytest.mark.slow
@pytest.mark.parametrize("installed", [True, False])
def test_without_the_package_the_metric_has_building_and_says_what_to_install_for_others(tmp_path, installed):
    name, env = "bap_v2", {**os.environ, "HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": "1"}
    if installed:
        install = "from bap_v2_dataset.loading.install import install_metric; install_metric()"
        subprocess.run([sys.executable, "-c", install], cwd=tmp_path, env=env, check=True)
    else:
        name = str(tmp_path / "anywhere" / "bap_v2")
        shutil.copytree(FOLDER, name, ignore=shutil.ignore_patterns("__pycache__"))
    rows = [original(0), variant_of(original(0), "spl", 1)]
    program = ALONE.format(name=name, signature=bap_v2_metric.signature(n_resamples=10), rows=rows)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, env=env)
    assert done.stdout.splitlines() == [
        f"the metric has no task '{task}': pass one of 'bap', 'robust' to evaluate.load('bap_v2', TASK); "
        "other tasks need the package: pip install bap-v2"
        for task in ("gsu", "bop")
    ], done.stderr


@pytest.mark.slow
def test_the_kernel_needs_nothing_but_the_standard_library(tmp_path):
    copy = tmp_path / "kernel"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__", "bap_v2.py", "app.py"))
    program = (
        "import kernel; print(kernel.score(['place red 0 1 0'], [{'before': [], 'after': ['red 0 1 0']}])['strict_f1'])"
    )
    done = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.strip() == "1.0", done.stderr
