"""Error analysis: which items a bin holds, and that its scores are those of the metric on these items."""

import random

import pytest

import bap_v2_metric
from bap_v2_dataset.evaluation import error_analysis
from bap_v2_dataset.evaluation.error_analysis import DIMENSIONS, binned
from bap_v2_dataset.items import items
from bap_v2_dataset.rows import row
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.simulation import play

BY_NAME = {dimension.name: dimension for dimension in DIMENSIONS}


@pytest.fixture(scope="module", params=SIMULATORS)
def rows(request) -> list[dict]:
    return [row(item) for index in range(12) for item in items(play(simulator_of(request.param), "test", index))]


def scores(rows: list[dict], share: float, seed: str = "answers") -> list[dict]:
    """The counts of a system that is right in so many cases, and else says nothing."""
    rng = random.Random(seed)
    return bap_v2_metric.score_items([its["completion"] if rng.random() < share else "" for its in rows], rows)


def item(**changes) -> dict:
    return {"before": [], "after": ["red 0 1 0"], "history": [], "pose": {"yaw": 0.0}, "metadata": {}} | changes


def labels(name: str, **changes) -> tuple[str, ...]:
    return BY_NAME[name].bins(item(**changes))


# --- Bins worked by hand.
@pytest.mark.parametrize(
    ("name", "changes", "expected"),
    [
        ("actions", {}, ("1",)),
        ("actions", {"after": []}, ("0",)),
        ("actions", {"before": ["red 0 1 0"], "after": ["blue 0 1 0"]}, ("2",)),  # one picked, one placed
        ("actions", {"after": [f"red {x} 1 0" for x in range(-5, 6)]}, ("11 or more",)),
        ("actions", {"after": [f"red {x} 1 0" for x in range(5)]}, ("4–5",)),
        ("change", {}, ("places",)),
        ("change", {"before": ["red 0 1 0"], "after": []}, ("removes",)),
        ("change", {"before": ["red 0 1 0"], "after": ["blue 0 1 0"]}, ("both",)),
        ("change", {"before": ["red 0 1 0"]}, ("no change",)),
        ("board", {}, ("empty",)),
        ("board", {"before": ["red 0 1 0"]}, ("not empty",)),
        ("history", {}, ("0",)),
        ("history", {"history": ["x"] * 10}, ("1–10",)),
        ("history", {"history": ["x"] * 101}, ("101 or more",)),
        ("yaw", {"pose": {"yaw": -90.0}}, ("at most 10°",)),
        ("yaw", {"pose": {"yaw": 135.0}}, ("30° to 45°",)),
        ("yaw", {"pose": {"yaw": 179.9}}, ("at most 10°",)),
        ("floating", {"after": ["red 0 2 0", "red 0 1 0"]}, ("not needed",)),  # the order does not matter
        ("floating", {"after": ["red 0 2 0"]}, ("needed",)),
        ("floating", {"before": ["red 0 3 0"], "after": ["red 0 3 0", "red 0 2 0"]}, ("not needed",)),  # hangs below
        ("floating", {"before": ["red 0 1 0"], "after": []}, ()),
        ("relation", {}, ()),
        ("relation", {"metadata": {"plan": {"relation": "top+behind"}}}, ("top", "behind")),
        ("relation", {"metadata": {"plan": {"relation": None}}}, ()),
        ("relation_type", {"metadata": {"plan": {"relation_type": None}}}, ("no relation",)),
        ("shape", {"metadata": {"plan": {"shape": "u-shape"}}}, ("u-shape",)),
        ("dialogue_acts", {"metadata": {"dialogue_acts": ["instruction"]}}, ("instruction only",)),
        ("dialogue_acts", {"metadata": {"dialogue_acts": ["instruction", "instruction"]}}, ("several instructions",)),
        (
            "dialogue_acts",
            {"metadata": {"dialogue_acts": ["confirmation", "instruction", "clarification question", "answer"]}},
            ("clarification", "confirmation"),
        ),
        ("dialogue_acts", {}, ()),
        ("context", {"metadata": {"annotation": {"context": "multiple", "fixed": False}}}, ("several readings",)),
        ("structure", {"metadata": {"annotation": {"context": "multiple", "fixed": True}}}, ("fixed",)),
        ("context", {}, ()),
    ],
)
def test_an_item_is_in_its_bins(name, changes, expected):
    assert labels(name, **changes) == expected


# --- Laws on simulated items.
def test_what_the_rows_say_of_supports_is_what_the_simulators_planned(rows):
    placing = [its for its in rows if its["metadata"]["plan"]["action"] == "place"]
    assert placing
    for its in placing:
        plan, needed = its["metadata"]["plan"], error_analysis.needs_supports(its)
        if "build_order" in plan:  # of whole shapes the plan says whether anything holds any block
            assert needed or not plan["floating"]
        else:
            assert needed == plan["floating"]


def test_net_actions_are_those_that_the_metric_wants(rows):
    counted = scores(rows, 0.5)
    assert [error_analysis.net_actions(its) for its in rows] == [
        its["strict"]["tp"] + its["strict"]["fn"] for its in counted
    ]


def test_a_bin_scores_as_the_metric_does_on_its_items(rows):
    systems = [scores(rows, 0.5), scores(rows, 1.0)]
    found = binned(rows, systems, n_resamples=0)
    assert found
    for its in found:
        inside = [position for position, one in enumerate(rows) if its.label in its.dimension.bins(one)]
        assert its.n_items == len(inside)
        expected = [
            bap_v2_metric.aggregate([counts[position] for position in inside])["fairer_f1"] for counts in systems
        ]
        assert its.f1 == pytest.approx(expected)
        assert its.intervals == ()


def test_the_bins_of_a_dimension_hold_every_item_once_unless_it_says_otherwise(rows):
    found = binned(rows, [scores(rows, 0.5)], n_resamples=0)
    for dimension in {its.dimension for its in found}:
        total = sum(its.n_items for its in found if its.dimension is dimension)
        if dimension.name in ("actions", "change", "board", "history", "yaw", "relation_type"):
            assert total == len(rows)
        if not dimension.overlapping:
            assert all(len(dimension.bins(its)) <= 1 for its in rows)


def test_bins_come_in_their_order(rows):
    for dimension in DIMENSIONS:
        found = [its.label for its in binned(rows, [scores(rows, 0.5)], 0) if its.dimension is dimension]
        known = [label for label in dimension.order if label in found]
        assert found == known + sorted(set(found) - set(known))


def test_intervals_hold_the_score_repeat_and_are_points_for_a_perfect_system(rows):
    systems = [scores(rows, 0.5), scores(rows, 1.0)]
    found = binned(rows, systems, n_resamples=200)
    assert found == binned(rows, systems, n_resamples=200)
    for its in found:
        (low, high), perfect = its.intervals
        assert 0 <= low <= high <= 1 and perfect == (1.0, 1.0)
        if its.n_items >= 30:
            assert low <= its.f1[0] <= high and low < high


def test_intervals_agree_with_those_of_the_metric(rows):
    rows = rows * 6  # many: percentiles of resamples of few items jump
    system = scores(rows, 0.6)
    rest = [counts for counts, its in zip(system, rows) if its["before"]]
    found = {its.label: its for its in binned(rows, [system], n_resamples=2000) if its.dimension.name == "board"}
    expected = bap_v2_metric.bootstrap(rest, n_resamples=2000)["fairer_f1"]
    assert found["not empty"].intervals[0] == pytest.approx(expected, abs=0.02)


def test_a_question_with_one_answer_is_left_out():
    rows = [item(), item()]
    counted = bap_v2_metric.score_items(["", ""], rows)
    assert binned(rows, [counted], 0) == []
