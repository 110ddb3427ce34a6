"""The metric as `evaluate` loads it: from the script, from a copy of the folder, in batches, combined."""

import shutil
import subprocess
import sys
from pathlib import Path

import evaluate
import pytest
from hand_worked import CASES

import bap_v2_metric

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
    with pytest.raises(ValueError, match="item 1, field 'after': unknown colour 'pink'"):
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
def test_the_kernel_needs_nothing_but_the_standard_library(tmp_path):
    copy = tmp_path / "kernel"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("__pycache__", "bap_v2.py", "app.py"))
    program = (
        "import kernel; print(kernel.score(['place red 0 1 0'], [{'before': [], 'after': ['red 0 1 0']}])['strict_f1'])"
    )
    done = subprocess.run([sys.executable, "-S", "-c", program], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.strip() == "1.0", done.stderr
