"""The scores: hand-worked cases, laws, aggregation, resampling, and errors."""

import math
import random

import pytest
from case_tables import cases_of
from hand_worked import CASES
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import action_lists, structures, transforms_within

import bap_v2_metric
from bap_v2_metric import (
    SIGNATURE,
    Counts,
    InputError,
    aggregate,
    bootstrap,
    bootstrap_f1,
    paired_bootstrap,
    score,
    score_item,
    score_items,
    signature,
)
from bap_v2_metric.actions import execute, net_actions
from bap_v2_metric.blocks import Block, Cell, Structure
from bap_v2_metric.notation import format_action, format_structure, read_prediction

pytestmark = pytest.mark.usefixtures("few_are_enough")

MEASURES = ("strict", "fairer", "type", "color", "location", "shape")


@pytest.mark.parametrize("case", CASES, ids=[case.reason[:70] for case in CASES])
def test_hand_worked_case(case):
    item = score_item("\n".join(case.prediction), case.reference)
    counts = {measure: (item[measure]["tp"], item[measure]["fp"], item[measure]["fn"]) for measure in MEASURES}
    assert counts == case.expected, case.reason
    assert (item["infeasible_actions"], item["unparsed_lines"]) == (case.infeasible, case.unparsed)
    assert item["empty_board"] == (not case.before)


@pytest.mark.parametrize(
    ("figure", "measure", "printed"),
    cases_of(__file__, "papers_examples"),
)
def test_the_papers_examples_have_the_papers_scores(figure, measure, printed):
    (case,) = [case for case in CASES if case.reason.startswith(figure)]
    scores = score(["\n".join(case.prediction)], [case.reference])
    assert round(scores[f"{measure}_f1"] + 1e-9, 2) == printed


# --- laws
def reference(before, after, interpretations="unique"):
    return {"before": format_structure(before), "after": format_structure(after), "interpretations": interpretations}


def text(actions):
    return "\n".join(format_action(action) for action in actions)


def building(structure):
    """Actions that build a structure on an empty board, lowest first, with a scaffold column under each block."""
    lines = []
    for color, (x, y, z) in sorted(structure, key=lambda block: block.cell.y):
        column = [Cell(x, height, z) for height in range(1, y)]
        for cell in column:
            lines.append(f"place green {cell.x} {cell.y} {cell.z}")
        lines.append(f"place {color.value} {x} {y} {z}")
        for cell in reversed(column):
            if structure.color_at(cell) is None:
                lines.append(f"pick {cell.x} {cell.y} {cell.z}")
    return lines


@given(structures(), action_lists())
def test_executing_and_netting_agree(before, actions):
    after, _ = execute(before, actions)
    colors = before.colors()
    for net in net_actions(before, after):
        if net.type == "pick":
            assert colors.pop(net.cell) == net.color
    for net in net_actions(before, after):
        if net.type == "place":
            assert net.cell not in colors
            colors[net.cell] = net.color
    assert Structure.from_colors(colors) == after
    assert len(net_actions(before, after)) == before.distance(after)


@given(structures(), action_lists())
def test_a_prediction_of_exactly_the_reference_is_perfect(before, actions):
    after, failures = execute(before, actions)
    item = score_item(text(actions), reference(before, after))
    gold = len(net_actions(before, after))
    assert all(item[measure] == {"tp": gold, "fp": 0, "fn": 0} for measure in MEASURES)
    assert item["infeasible_actions"] == len(failures)


@pytest.mark.slow
@given(structures(), structures(), action_lists(), st.sampled_from(["unique", "multiple"]))
def test_every_score_is_between_0_and_1_and_the_loosest_measure_counts_most(before, after, actions, interpretations):
    item = score_item(text(actions), reference(before, after, interpretations))
    scores = aggregate([item])
    assert all(0.0 <= value <= 1.0 for key, value in scores.items() if key.endswith(("precision", "recall", "f1")))
    predicted = {item[measure]["tp"] + item[measure]["fp"] for measure in MEASURES}
    gold = {item[measure]["tp"] + item[measure]["fn"] for measure in MEASURES}
    assert len(predicted) == len(gold) == 1  # all measures divide by the same numbers
    tp = {measure: item[measure]["tp"] for measure in MEASURES}
    assert tp["strict"] <= tp["fairer"] <= tp["color"] <= tp["type"]
    assert tp["fairer"] <= tp["location"]
    assert tp["strict"] <= tp["shape"] <= tp["color"]
    if interpretations == "unique":
        assert tp["strict"] == tp["fairer"]


@given(structures(max_size=6), structures(max_size=6), st.data())
def test_scores_of_multiple_items_do_not_depend_on_where_the_prediction_stands(built, after, data):
    transform = data.draw(transforms_within(built))
    moved = Structure(Block(color, transform(cell)) for color, cell in built)
    unmoved, elsewhere = (
        score_item("\n".join(building(structure)), reference(Structure(), after, "multiple"))
        for structure in (built, moved)
    )
    for measure in ("fairer", "type", "color", "location", "shape"):
        assert unmoved[measure] == elsewhere[measure]


@given(structures(), structures())
def test_swapping_prediction_and_reference_swaps_precision_and_recall(one, other):
    forth = score_item("\n".join(building(one)), reference(Structure(), other))
    back = score_item("\n".join(building(other)), reference(Structure(), one))
    for measure in ("strict", "fairer", "type", "color", "location"):
        assert forth[measure] == {"tp": back[measure]["tp"], "fp": back[measure]["fn"], "fn": back[measure]["fp"]}


@given(structures(max_size=5, reach=1), structures(max_size=5, reach=1))
def test_swapping_also_holds_for_alignment_where_the_border_is_far(one, other):
    forth = score_item("\n".join(building(one)), reference(Structure(), other, "multiple"))
    back = score_item("\n".join(building(other)), reference(Structure(), one, "multiple"))
    for measure in ("fairer", "shape"):
        assert forth[measure]["tp"] == back[measure]["tp"]


@given(st.lists(st.tuples(structures(max_size=4), action_lists(max_size=6)), min_size=2, max_size=6), st.randoms())
def test_the_order_of_the_items_does_not_matter(items, rng):
    pairs = [(text(actions), reference(Structure(), after)) for after, actions in items]
    shuffled = list(pairs)
    rng.shuffle(shuffled)
    assert score(*zip(*pairs)) == score(*zip(*shuffled))


# --- aggregation
def test_scores_are_micro_averages_over_all_empty_board_and_other_items():
    references = [
        {"before": [], "after": ["red 0 1 0"]},
        {"before": ["red 0 1 0"], "after": ["red 0 1 0", "red 1 1 0", "red 2 1 0", "red 3 1 0"]},
    ]
    scores = score(["place red 0 1 0", "place red 1 1 0\nplace red 0 1 5"], references)
    assert scores["eb_fairer_f1"] == 1.0
    assert scores["neb_fairer_precision"] == 1 / 2
    assert scores["neb_fairer_recall"] == 1 / 3
    assert scores["neb_fairer_f1"] == 2 / 5
    assert scores["fairer_f1"] == 4 / 7  # not the mean of the items' or the groups' scores
    assert (scores["n_items"], scores["eb_n_items"], scores["neb_n_items"]) == (2, 1, 1)


def test_the_keys_are_those_that_the_card_lists():
    scores = score([], [])
    expected = {
        f"{group}{measure}_{name}"
        for group in ("", "eb_", "neb_")
        for measure in MEASURES
        for name in ("precision", "recall", "f1")
    } | {"n_items", "eb_n_items", "neb_n_items", "unparsed_lines", "infeasible_actions", "signature"}
    assert set(scores) == expected
    assert all(value == 0.0 for key, value in scores.items() if key != "signature")


def test_the_signature_names_version_alignment_ties_and_the_empty_rule():
    assert score([], [])["signature"] == signature() == SIGNATURE
    parts = dict(part.split(":", 1) for part in SIGNATURE.split("|")[1:])
    assert set(parts) == {"version", "align", "ties", "empty"}
    assert parts["version"] == bap_v2_metric.METRIC_VERSION


numbers = st.integers(0, 30)
counts = st.builds(Counts, numbers, numbers, numbers)


@given(counts)
def test_f1_is_the_harmonic_mean_of_precision_and_recall(one):
    assert one.f1 == pytest.approx(2 * one.precision * one.recall / (one.precision + one.recall) if one.tp else 0.0)
    assert 0.0 <= one.f1 <= 1.0 and (one.n_predicted, one.n_reference) == (one.tp + one.fp, one.tp + one.fn)


# --- resampling
def random_items(seed, n=60):
    rng = random.Random(seed)
    predictions, references = [], []
    for _ in range(n):
        after = [f"red {x} 1 0" for x in range(rng.randint(1, 5))]
        references.append({"before": [] if rng.random() < 0.4 else ["blue 5 1 5"], "after": after})
        if references[-1]["before"]:
            after.append("blue 5 1 5")
        predictions.append("\n".join(f"place red {x} 1 0" for x in range(rng.randint(0, 6))))
    return score_items(predictions, references)


def plain_bootstrap(items, n_resamples, seed):
    """The same resampling, written the slow and obvious way."""
    rng = random.Random(seed)
    return [aggregate(rng.choices(items, k=len(items))) for _ in range(n_resamples)]


@pytest.mark.parametrize("measure", MEASURES)
def test_the_interval_of_one_measure_is_that_of_all_measures(measure):
    items = random_items(4)
    interval = bootstrap_f1([Counts.of(item, measure) for item in items], 50, confidence=0.9, seed=3)
    assert interval == bootstrap(items, 50, confidence=0.9, seed=3)[f"{measure}_f1"]


def test_a_seed_gives_the_same_intervals_in_every_version():
    assert bootstrap(random_items(8), 100)["fairer_f1"] == pytest.approx((0.47428736517719566, 0.6446845212235822))
    one_block = [{"before": [], "after": ["red 0 1 0"]}] * 10
    better, worse = (score_items(["place red 0 1 0"] * right + [""] * (10 - right), one_block) for right in (6, 3))
    test = paired_bootstrap(better, worse, 100)["fairer_f1"]
    assert (test["low"], test["high"], test["p_value"]) == pytest.approx((0.0, 0.6410984848484835, 8 / 101))


def test_resampling_equals_plain_resampling():
    items = random_items(1)
    intervals = bootstrap(items, n_resamples=41, confidence=0.9, seed=7)
    samples = plain_bootstrap(items, 41, 7)
    for key, (low, high) in intervals.items():
        ordered = sorted(sample[key] for sample in samples)
        assert math.isclose(low, ordered[2], abs_tol=1e-12)  # 5% of 40 steps
        assert math.isclose(high, ordered[38], abs_tol=1e-12)
    assert set(intervals) == {key for key in samples[0] if key.endswith(("precision", "recall", "f1"))}


def test_a_group_of_few_items_is_not_judged_by_resamples_without_it():
    # Of three items one starts from an empty board: 8 in 27 resamples do not draw it, and 0/0 would count as 0.
    references = [{"before": [], "after": ["red 0 1 0"]}] + [{"before": ["red 0 1 0"], "after": []}] * 2
    items = score_items(["place red 0 1 0", "pick 0 1 0", "pick 0 1 0"], references)
    assert bootstrap(items, 200)["eb_fairer_f1"] == (1.0, 1.0)
    nothing = score_items(["", "", ""], references)
    assert paired_bootstrap(items, nothing, 200)["eb_fairer_f1"]["low"] == 1.0


def test_intervals_are_seeded_and_hold_the_score():
    items = random_items(2)
    assert bootstrap(items, 200) == bootstrap(items, 200)
    assert bootstrap(items, 200, seed=1) != bootstrap(items, 200, seed=2)
    scores = aggregate(items)
    for key, (low, high) in bootstrap(items, 300).items():
        assert low <= scores[key] <= high
    narrow, wide = bootstrap(items, 300, confidence=0.5), bootstrap(items, 300, confidence=0.99)
    assert all(wide[key][0] <= narrow[key][0] and narrow[key][1] <= wide[key][1] for key in narrow)


def test_a_system_does_not_differ_from_itself():
    items = random_items(3)
    for test in paired_bootstrap(items, items, 100).values():
        assert (test["difference"], test["low"], test["high"], test["p_value"]) == (0.0, 0.0, 0.0, 1.0)


def test_a_better_system_is_told_from_a_worse_one_and_the_signs_are_right():
    references = [{"before": [], "after": ["red 0 1 0"]}] * 80
    better = score_items(["place red 0 1 0"] * 72 + [""] * 8, references)
    worse = score_items(["place red 0 1 0"] * 40 + ["place blue 0 1 0"] * 40, references)
    test = paired_bootstrap(better, worse, 500)["fairer_f1"]
    assert test["difference"] > 0 and test["low"] > 0 and test["p_value"] < 0.01
    mirrored = paired_bootstrap(worse, better, 500)["fairer_f1"]
    assert math.isclose(mirrored["difference"], -test["difference"])
    assert math.isclose(mirrored["low"], -test["high"], abs_tol=1e-12)


def test_paired_systems_must_have_scored_the_same_items():
    items = random_items(6)
    with pytest.raises(InputError, match="60 items of one system but 59"):
        paired_bootstrap(items, items[1:])
    with pytest.raises(InputError, match="same items in the same order"):
        paired_bootstrap(items, items[::-1])


@pytest.mark.parametrize(("n_resamples", "confidence"), [(0, 0.95), (-1, 0.95), (10, 0.0), (10, 1.0), (10, 95)])
def test_impossible_resampling_is_refused(n_resamples, confidence):
    with pytest.raises(InputError, match="expected"):
        bootstrap(random_items(1, 3), n_resamples, confidence)
    with pytest.raises(InputError, match="expected"):
        bootstrap_f1([Counts(1, 0, 0)], n_resamples, confidence)


def test_no_items_have_no_intervals():
    assert bootstrap([], 10) == {} == paired_bootstrap([], [], 10) and bootstrap_f1([], 10) is None


# --- errors
GOOD = {"before": [], "after": ["red 0 1 0"]}


@pytest.mark.parametrize(
    ("bad", "field", "value"),
    [
        *cases_of(__file__, "malformed_references"),
        ({"before": None, "after": []}, "'before'", "None"),
        (None, "before", "None"),
    ],
)
def test_a_malformed_reference_is_named_with_item_field_and_value(bad, field, value):
    with pytest.raises(InputError) as raised:
        score(["", "", ""], [GOOD, GOOD, bad])
    assert "item 2" in str(raised.value) and field in str(raised.value) and value in str(raised.value)


@pytest.mark.parametrize(
    ("predictions", "references", "message"),
    [
        (["", ""], [GOOD], "2 predictions but 1 references"),
        ("place red 0 1 0", [GOOD] * 15, "predictions are 'place red 0 1 0'"),
        ({"a": ""}, [GOOD], "predictions are"),
        ({""}, [GOOD], "predictions are"),
        (iter([""]), [GOOD], "predictions are"),
        (None, [GOOD], "predictions are None"),
        ([""], iter([GOOD]), "references are"),
        ([""], {"before": [[]], "after": [[]]}, "references are"),
        ([""], [{"before": [], "after": iter(["red 0 1 0"])}], "item 0, field 'after'"),
        ([""], [{"before": set(), "after": []}], "item 0, field 'before'"),
        ([""], [{**GOOD, "interpretation": "multiple"}], "'interpretation' is called 'interpretations'"),
        ([""], [{1: [], "x": []}], "has no field 'before'"),
    ],
)
def test_input_that_is_no_list_or_misspelt_is_refused(predictions, references, message):
    with pytest.raises(InputError) as raised:
        score(predictions, references)
    assert message in str(raised.value)


def test_tuples_arrays_and_columns_are_lists_too():
    import numpy as np

    reference = {"before": (), "after": np.array(["red 0 1 0"])}
    assert score(("place red 0 1 0",), np.array([reference], dtype=object))["strict_f1"] == 1.0


@pytest.mark.parametrize("prediction", [None, 3, ["place red 0 1 0"], b"place red 0 1 0"])
def test_a_prediction_that_is_no_string_is_refused(prediction):
    with pytest.raises(InputError, match="item 1: the prediction is"):
        score(["", prediction], [GOOD, GOOD])


def test_missing_interpretations_mean_unique():
    for missing in ({}, {"interpretations": None}):
        assert score(["place red 3 1 3"], [{**GOOD, **missing}])["fairer_f1"] == 0.0


# --- predictions may be anything


def test_a_hundred_kilobytes_of_noise_are_counted_line_by_line():
    rng = random.Random(0)
    alphabet = "place pick red 0123456789-\t \0\u05d0\u0634\U0001f600"
    noise = "".join(rng.choice(alphabet + "\n") for _ in range(100_000))
    read = read_prediction(noise)
    blank = sum(1 for line in noise.split("\n") if not line or line.isspace())
    assert read.unparsed_lines + len(read.actions) == noise.count("\n") + 1 - blank
    long_line = "place red 0 1 " + " " * 100_000 + "x"
    assert read_prediction(long_line) == ((), (long_line[:200],))


@given(st.text(max_size=300))
@settings(max_examples=300)
def test_no_text_raises_and_every_line_is_accounted_for(noise):
    read = read_prediction(noise)
    lines = noise.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert len(read.actions) + read.unparsed_lines <= len(lines)
    score_item(noise, GOOD)
