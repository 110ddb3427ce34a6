"""The scorer "gsu": what is counted for an item, how it is added up, and how sure it is."""

import json
import math
import random

import pytest
from case_tables import cases_of
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_dataset.tasks.gsu.counts import MEASURES, check_items, score_items
from bap_v2_dataset.tasks.gsu.scorer import GSU_VERSION, SCORER, signature
from bap_v2_metric.scoring import InputError

pytestmark = pytest.mark.usefixtures("few_are_enough")

aggregate = SCORER.aggregate
bootstrap = SCORER.bootstrap
paired_bootstrap = SCORER.paired_bootstrap


def reference(task, answer, frame="egocentric", dims=2, group="1"):
    return {"task": task, "frame": frame, "dims": dims, "group": group, "answer": answer}


FOLLOWER = reference("follower", "(3, 0)", group="2")
FOLLOWER_3D = reference("follower", "(3, 0, 3)", dims=3, group="3")
INSTRUCTOR = reference("instructor", "right 2, forward 1", group="2")
CARDINAL = reference("instructor", "right 2, forward 1", "cardinal", group="2")
CARD2EGO = reference("card2ego", "right 2, left 1", group="2")
LOCALIZATION = reference("localization", "left, front", dims=3, group="+y")
COMBINED = reference("combined", "above", "allocentric", 3, "2")
SIMPLE = reference("structure", "a 3 x 3 x 3 green cube", "viewer", 3, "simple")
COMPOSITE = reference(
    "structure",
    "a 2 x 2 x 8 red tower, with a 3 x 4 blue plane to the left of it and a 3 x 4 blue plane to the right of it",
    "viewer",
    3,
    "composite",
)
REFERENCES = [
    FOLLOWER, FOLLOWER_3D, INSTRUCTOR, CARDINAL, CARD2EGO, LOCALIZATION, COMBINED, SIMPLE, COMPOSITE,
]  # fmt: skip
WRONG = [
    "(3, 1)", "", "right 3", "forward 2", "left 1", "front", "above, left", "a red row",
    "a red cube with height 8 and width 2, with a blue wall to its left",
]  # fmt: skip


def item_of(prediction, of):
    (item,) = score_items([prediction], [of])
    return item


def test_answers_score_one():
    scores = aggregate(score_items([f"Answer: {row['answer']}" for row in REFERENCES], REFERENCES))
    assert scores["score"] == 1 and scores["unparsed"] == 0 and scores["n_items"] == len(REFERENCES)
    for name, score in scores.items():
        if name.split("_", 1)[0] in MEASURES and not name.endswith("n_items"):
            assert score == (0 if name.endswith("distance") else 1), name


@pytest.mark.parametrize(
    ("prediction", "of", "accuracy", "distance"),
    [
        ("(3, 4)", FOLLOWER, 0, 4),
        ("no idea", FOLLOWER, 0, 20 * math.sqrt(2)),
        ("no idea", FOLLOWER_3D, 0, 20 * math.sqrt(3)),
        ("(3, 0)", FOLLOWER_3D, 0, 20 * math.sqrt(3)),
        ("right 3", INSTRUCTOR, 0, 0),
        ("right 2, right 1", INSTRUCTOR, 0, math.sqrt(2)),
        ("", INSTRUCTOR, 0, 3),
        ("", CARDINAL, 0, math.sqrt(5)),
        ("forward 1, right 2", CARDINAL, 0, 0),
        ("right 2, up 4, forward 1", INSTRUCTOR, 0, 4),
        ("right 2, up 4, forward 1, down 4", INSTRUCTOR, 0, 0),
        ("right 2, forward 1.0", INSTRUCTOR, 1, 0),
    ],
)
def test_walks_are_right_or_end_at_a_distance(prediction, of, accuracy, distance):
    item = item_of(prediction, of)
    assert (item["accuracy"], item["distance"]) == (accuracy, distance)
    assert item.get("reached", 0) == (distance == 0)


def test_the_penalties_are_those_of_the_paper():
    assert [round(item_of("", of)["distance"], 2) for of in (FOLLOWER, FOLLOWER_3D)] == [28.28, 34.64]


@pytest.mark.parametrize(
    ("prediction", "overlap", "exact"),
    [
        ("right", 0, 0),
        ("front, above", 1 / 3, 0),
        ("front", 1 / 2, 0),
        ("above left front", 2 / 3, 0),
        ("left, front", 1, 1),
    ],
)
def test_directions_overlap(prediction, overlap, exact):
    item = item_of(prediction, LOCALIZATION)
    assert (item["overlap"], item["exact"]) == (overlap, exact)


@pytest.mark.parametrize(
    ("prediction", "spatial", "color", "number", "shape"),
    [
        ("a red cube with height 8 and width 2, with a blue wall to its left", 1 / 2, 2 / 3, 2 / 4, 0.5),
        (
            "a red column 8 high and a blue 3 x 4 plane left of it and a blue 3 x 4 rectangle right of it",
            1, 1, 3 / 4, 2.6 / 3,
        ),
        ("", 0, 0, 0, 0),
    ],
)  # fmt: skip
def test_descriptions_agree_in_four_ways(prediction, spatial, color, number, shape):
    item = item_of(prediction, COMPOSITE)
    assert [item[name] for name in ("spatial", "color", "number", "shape")] == pytest.approx(
        [spatial, color, number, shape], abs=1e-15
    )
    assert item["score"] == pytest.approx((spatial + color + number + shape) / 4) and not item["exact"]
    assert item["composite_spatial"] == item["spatial"]


def test_silence_about_relations_is_right_where_there_are_none():
    scores = aggregate(score_items(["", ""], [SIMPLE, COMPOSITE]))
    assert scores["structure_spatial"] == 0.5 and scores["structure_composite_spatial"] == 0
    assert scores["unparsed"] == 2
    assert "structure_composite_spatial" not in aggregate(score_items([""], [SIMPLE]))


def test_scores_are_also_given_by_group_and_frame():
    scores = aggregate(score_items(["(3, 1)", "(3, 0, 3)", "left"], [FOLLOWER, FOLLOWER_3D, LOCALIZATION]))
    assert scores["groups"] == {
        "follower/2": {"accuracy": 0, "distance": 1, "n_items": 1},
        "follower/3": {"accuracy": 1, "distance": 0, "n_items": 1},
        "follower/egocentric": {"accuracy": 0.5, "distance": 0.5, "n_items": 2},
        "localization/+y": {"overlap": 0.5, "exact": 0, "n_items": 1},
        "localization/egocentric": {"overlap": 0.5, "exact": 0, "n_items": 1},
    }
    assert (scores["follower_n_items"], scores["localization_n_items"]) == (2, 1)
    assert scores["score"] == 0.5 and scores["signature"] == signature()


def test_no_items_have_no_scores():
    scores = aggregate([])
    assert (scores["score"], scores["n_items"], scores["unparsed"], scores["groups"]) == (0, 0, 0, {})


TEXTS = st.one_of(st.sampled_from([row["answer"] for row in REFERENCES] + WRONG), st.text(max_size=30))
ITEMS = st.lists(st.tuples(TEXTS, st.sampled_from(REFERENCES)), min_size=1, max_size=12)


@given(ITEMS, st.randoms(use_true_random=False))
def test_any_text_has_scores_in_range_in_any_order(pairs, rng):
    items = score_items(*map(list, zip(*pairs)))
    assert json.loads(json.dumps(items)) == items
    for item in items:
        for name in (*MEASURES[item["task"]], "score"):
            assert item[name] >= 0 and (item[name] <= 1 or name == "distance")
        if item.get("exact"):
            assert item["score"] == 1
        if item.get("accuracy"):
            assert item["distance"] == 0
    shuffled = rng.sample(items, len(items))
    assert aggregate(shuffled) == aggregate(items)


def test_intervals_contain_the_scores():
    rng = random.Random(0)
    predictions = [rng.choice((row["answer"], wrong)) for _ in range(5) for row, wrong in zip(REFERENCES, WRONG)]
    items = score_items(predictions, REFERENCES * 5)
    scores = aggregate(items)
    intervals = bootstrap(items, n_resamples=200)
    flat = {name for name in scores if name.split("_")[0] in (*MEASURES, "score") and not name.endswith("n_items")}
    assert intervals.keys() == flat
    for name, (low, high) in intervals.items():
        assert low <= scores[name] <= high
    assert bootstrap(items, n_resamples=200) == intervals


def test_a_paired_test_tells_systems_apart():
    right = score_items([row["answer"] for row in REFERENCES] * 4, REFERENCES * 4)
    wrong = score_items(WRONG * 4, REFERENCES * 4)
    tests = paired_bootstrap(right, wrong, 200)
    assert tests.keys() == bootstrap(right, 10).keys()
    assert tests["score"].keys() == {"a", "b", "difference", "low", "high", "p_value"}
    assert tests["score"]["p_value"] < 0.01 and tests["follower_distance"]["difference"] < 0
    assert tests["score"]["a"] == 1 and tests["score"]["b"] == aggregate(wrong)["score"]


def test_systems_with_other_items_are_not_compared():
    a, b = score_items(["", ""], [FOLLOWER, INSTRUCTOR]), score_items(["", ""], [INSTRUCTOR, FOLLOWER])
    with pytest.raises(InputError, match=r"item 0 is an item of follower, .* and an item of instructor"):
        paired_bootstrap(a, b, 10)
    with pytest.raises(InputError, match="2 items of one system but 1"):
        paired_bootstrap(a, b[:1], 10)


def test_items_of_several_runs_that_are_added_have_the_mean_scores():
    from bap_v2_dataset.evaluation.results import _added

    runs = [score_items(predictions, REFERENCES) for predictions in (WRONG, [row["answer"] for row in REFERENCES])]
    added = aggregate([_added(counts) for counts in zip(*runs)])
    for name, score in aggregate(runs[0]).items():
        if name in MEASURES or name.split("_")[0] in MEASURES or name == "score":
            assert added[name] == pytest.approx((score + aggregate(runs[1])[name]) / 2), name


@pytest.mark.parametrize(
    ("prediction", "changes", "message"),
    [*cases_of(__file__, "errors"), ("", {"task": None}, "item 0: the reference has no field 'task'")],
)
def test_what_cannot_be_scored_is_an_error_that_names_it(prediction, changes, message):
    for call in (check_items, score_items):
        with pytest.raises(InputError, match=message):
            call([prediction], [{**FOLLOWER, **changes}])


def test_lists_and_rows_are_needed():
    with pytest.raises(InputError, match="1 predictions but 2 references"):
        check_items([""], [FOLLOWER] * 2)
    with pytest.raises(InputError, match="expected a row of a GSU config"):
        check_items([""], ["(3, 0)"])


def test_a_group_may_be_missing():
    of = {name: value for name, value in FOLLOWER.items() if name != "group"}
    assert aggregate(score_items(["(3, 0)"], [of]))["groups"].keys() == {"follower/egocentric"}


def test_the_signature_names_version_and_resampling():
    assert signature().startswith(f"bap_v2_gsu|version:{GSU_VERSION}|")
    assert signature(100, 7, "cluster") == f"{signature()}|bs:100|seed:7|unit:cluster"
