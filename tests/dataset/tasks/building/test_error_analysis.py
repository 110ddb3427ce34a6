"""Error analysis: which items a bin holds, and that its scores are those of the metric on these items."""

import random

import pytest
from case_tables import cases_of

import bap_v2_metric
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.tasks.building import error_analysis
from bap_v2_dataset.tasks.building.error_analysis import DIMENSIONS, binned
from bap_v2_metric.counts import Counts
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.simulation import play

BY_NAME = {dimension.name: dimension for dimension in DIMENSIONS}


@pytest.fixture(scope="module", params=SIMULATORS)
def rows(request) -> list[dict]:
    return [row(item) for index in range(12) for item in items(play(simulator_of(request.param), "test", index))]


def scores(rows: list[dict], share: float, seed: str = "answers") -> list[dict]:
    """The counts of a system that is right in so many cases, and else says nothing."""
    rng = random.Random(seed)
    return bap_v2_metric.score_items([row["completion"] if rng.random() < share else "" for row in rows], rows)


def item(**changes) -> dict:
    return {"before": [], "after": ["red 0 1 0"], "history": [], "pose": {"yaw": 0.0}, "metadata": {}} | changes


def labels(name: str, **changes) -> tuple[str, ...]:
    return BY_NAME[name].bins(item(**changes))


# --- Bins worked by hand.
@pytest.mark.parametrize(
    ("name", "changes", "expected"),
    [
        *cases_of(__file__, "bins"),
        ("relation", {"metadata": {"plan": {"relation": None}}}, ()),
        ("relation_type", {"metadata": {"plan": {"relation_type": None}}}, ("no relation",)),
    ],
)
def test_an_item_is_in_its_bins(name, changes, expected):
    assert labels(name, **changes) == tuple(expected)


# --- Laws on simulated items.
def test_what_the_rows_say_of_supports_is_what_the_simulators_planned(rows):
    plans = [(columns, columns["metadata"]["plan"]) for columns in rows]
    placing = [
        pair for pair in plans if pair[1]["action"] == "place" and "floating" in pair[1] and "then" not in pair[1]
    ]
    assert placing
    for columns, plan in placing:
        needed = error_analysis.needs_supports(columns)
        if "build_order" in plan:  # of whole shapes the plan says whether anything holds any block
            assert needed or not plan["floating"]
        else:
            assert needed == plan["floating"]


def test_net_actions_are_counted_as_the_metric_counts_them(rows):
    assert [error_analysis.count_net_actions(row) for row in rows] == [
        Counts.of(item, "strict").n_reference for item in scores(rows, 0.5)
    ]


def test_a_bin_scores_as_the_metric_does_on_its_items(rows):
    systems = [scores(rows, 0.5), scores(rows, 1.0)]
    bins = binned(rows, systems, n_resamples=0)
    assert bins
    for part in bins:
        inside = [position for position, row in enumerate(rows) if part.label in part.dimension.bins(row)]
        assert part.n_items == len(inside)
        expected = [
            bap_v2_metric.aggregate([counts[position] for position in inside])["fairer_f1"] for counts in systems
        ]
        assert part.f1 == pytest.approx(expected)
        assert part.intervals == ()


def test_the_bins_of_a_dimension_hold_every_item_once_unless_it_says_otherwise(rows):
    bins = binned(rows, [scores(rows, 0.5)], n_resamples=0)
    for dimension in {part.dimension for part in bins}:
        total = sum(part.n_items for part in bins if part.dimension is dimension)
        if dimension.name in ("actions", "change", "board", "history", "yaw", "relation_type"):
            assert total == len(rows)
        if not dimension.overlapping:
            assert all(len(dimension.bins(row)) <= 1 for row in rows)


def test_intervals_are_those_of_the_metric(rows, few_are_enough):
    system = scores(rows, 0.6)
    rest = [counts for counts, row in zip(system, rows) if row["before"]]
    bins = {part.label: part for part in binned(rows, [system], n_resamples=200) if part.dimension.name == "board"}
    assert bins["not empty"].intervals[0] == bap_v2_metric.bootstrap(rest, n_resamples=200)["fairer_f1"]


def test_a_question_with_one_answer_is_left_out():
    rows = [item(), item()]
    counts = bap_v2_metric.score_items(["", ""], rows)
    assert binned(rows, [counts], 0) == []
