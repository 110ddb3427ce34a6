"""The scorer "robust": references of rows, consistency, what cannot be scored, and `evaluate`."""

import json
from pathlib import Path

import datasets
import evaluate
import pytest
from hypothesis import given
from hypothesis import strategies as st
from robust_items import answer_in, original, random_answers, variant_of, wanting
from strategies import action_lists, structures

import bap_v2_metric
from bap_v2_metric import InputError, score_item
from bap_v2_metric.blocks import Color, Structure
from bap_v2_metric.notation import format_action, format_structure
from bap_v2_metric.robustness import REFERENCE, aggregate, bootstrap, reference_of, score_items
from bap_v2_metric.symmetry import IDENTITY, Symmetry
from bap_v2_metric.tasks import SCORERS

SCRIPT = str(Path(bap_v2_metric.__file__).parent / "bap_v2.py")
TURN, MIRROR = Symmetry(quarter_turns=1), Symmetry(mirror=True)


def pair(row, prediction, variant_prediction, symmetry=IDENTITY, family="sa_turn", board=None):
    """The scored variant of a row; `board` are more blocks that the variant has."""
    variant = variant_of(row, family, 1, symmetry)
    if board:
        variant = {**variant, **{name: [*board, *variant[name]] for name in ("before", "after")}}
    return score_items([prediction, variant_prediction], [row, variant])[1]


def agreement(item):
    return item["consistent"], tuple(item["agreement"].values())


# --- references
def test_the_reference_of_a_row_has_what_scores_need():
    row = original(1)
    assert reference_of(row) == {
        "id": "g1/1", "before": [], "after": ["red 0 1 0"], "interpretations": "unique",
        "parent": "g1/1", "family": "", "variant": 0, "transform": "",
    }  # fmt: skip
    reference = reference_of(variant_of(row, "sa_turn", 2, TURN))
    assert json.loads(reference.pop("transform")) == TURN.to_json()
    assert reference == {
        "id": "g1~sa_turn-2/1", "before": [], "after": ["red 0 1 0"], "interpretations": "unique",
        "parent": "g1/1", "family": "sa_turn", "variant": 2,
    }  # fmt: skip


def test_a_reference_stays_what_it_is():
    for row in (original(1), variant_of(original(1), "sa_turn", 2, TURN)):
        reference = reference_of(row)
        assert reference_of(reference) == reference
        assert list(reference) == list(REFERENCE)
        assert SCORERS["robust"].reference_of(row) == reference


def test_metadata_may_be_text_or_missing_and_a_missing_transform_is_the_identity():
    row = variant_of(original(1), "spl", 1)
    assert reference_of({**row, "metadata": json.dumps(row["metadata"])}) == reference_of(row)
    for nothing in (None, {}, {"perturbation": None}):
        assert reference_of({**original(1), "metadata": nothing}) == reference_of(original(1))
    short = {"perturbation": {"parent": "g1/1", "family": "spl", "variant": 1}}
    assert reference_of({**row, "metadata": short}) == reference_of(row)
    plain = {"id": "g1/1", "before": [], "after": ["red 0 1 0"]}
    assert reference_of(plain) == reference_of(original(1))


def test_the_counts_are_those_of_each_item_alone():
    answers, rows = random_answers(1)
    items = score_items(answers, rows)
    for text, row, item in zip(answers, rows, items, strict=True):
        plain = score_item(text, row)
        assert {name: item[name] for name in plain} == plain
        names = reference_of(row)
        assert {name: item[name] for name in item if name not in plain and name not in ("consistent", "agreement")} == {
            name: names[name] for name in ("id", "parent", "family", "variant")
        }
        assert (item["consistent"] is None) == (item["agreement"] is None) == (item["family"] == "")


# --- consistency
def test_an_answer_is_consistent_if_it_is_the_transformed_one_right_or_wrong():
    row = original(1, ["green 2 1 0"], ["green 2 1 0", "red 0 1 0", "red 1 1 0"])
    prediction = "place blue 2 2 0\npick 5 1 5"
    assert answer_in(TURN, prediction) == "place blue 0 2 2\npick -5 1 5"
    assert agreement(pair(row, prediction, "place blue 0 2 2", TURN)) == (True, (1, 0, 0))
    assert agreement(pair(row, prediction, prediction, TURN)) == (False, (0, 0, 1))  # what floats there is infeasible
    assert agreement(pair(row, prediction, "place blue 0 2 2\nplace red 0 1 0", TURN)) == (False, (1, 1, 0))
    assert agreement(pair(row, "", "I cannot.", TURN)) == (True, (0, 0, 0))


def test_what_leaves_no_trace_and_the_order_play_no_part():
    row = wanting(1, 2)
    prediction = "place red 0 1 0\nplace red 1 1 0"
    detour = "place red 1 1 0\nplace blue 5 1 5\nplace red 0 1 0\npick 5 1 5\npick 3 1 3"
    assert agreement(pair(row, prediction, detour, family="spl")) == (True, (2, 0, 0))


def test_both_answers_are_carried_out_on_the_board_of_the_variant():
    row = original(1, ["green 5 1 5"], ["green 5 1 5", "red 0 1 0"])
    prediction = "place red 0 1 0\nplace red 1 1 0"
    distractor = ["blue 1 1 0"]
    item = pair(row, prediction, "place red 0 1 0", family="spc_add", board=distractor)
    assert agreement(item) == (True, (1, 0, 0))  # the second block of the answer has no place there
    item = pair(row, prediction, "place red 0 1 0\nplace red 0 2 0", family="spc_add", board=distractor)
    assert agreement(item) == (False, (1, 1, 0))
    shift = Symmetry(dx=5)
    row = original(1, [], ["red 0 1 0"])
    item = pair(row, "place red 0 1 0\nplace red 1 1 0", "place red 5 1 0", shift, "sa_shift")
    assert agreement(item) == (True, (1, 0, 0))  # x = 6 is outside


def test_where_several_interpretations_are_right_the_place_is_free():
    row = original(1, (), ["red 0 1 0", "red 1 1 0"], "multiple")
    line, elsewhere, in_depth = "place red 0 1 0\nplace red 1 1 0", "place red 3 1 2\nplace red 4 1 2", None
    in_depth = answer_in(TURN, line)
    assert agreement(pair(row, line, elsewhere, TURN)) == (True, (2, 0, 0))
    assert agreement(pair(row, line, line, TURN)) == (True, (2, 0, 0))
    unique = {**row, "interpretations": "unique"}
    assert agreement(pair(unique, line, in_depth, TURN)) == (True, (2, 0, 0))
    assert agreement(pair(unique, line, elsewhere, TURN)) == (False, (0, 2, 2))
    assert agreement(pair(row, line, "place red 3 1 2\nplace red 3 2 2", TURN)) == (False, (1, 1, 1))


def test_a_mirror_image_is_not_another_place():
    row = original(1, (), ["red 0 1 0", "blue 1 1 0", "green 0 1 1"], "multiple")
    prediction = "\n".join(f"place {line}" for line in row["after"])
    assert agreement(pair(row, prediction, answer_in(MIRROR, prediction), MIRROR, "sa_mirror")) == (True, (3, 0, 0))
    assert agreement(pair(row, prediction, prediction, MIRROR, "sa_mirror")) == (False, (2, 1, 1))


@given(st.integers(0, 10_000), action_lists(), st.booleans(), st.integers(0, 3), st.permutations(list(Color)))
def test_a_system_that_is_equivariant_loses_nothing(seed, actions, mirror, turns, colors):
    symmetry = Symmetry(mirror, turns, colors=tuple(colors))
    answers, rows = [], []
    for text, row in zip(*random_answers(seed, 4, [])):
        prediction = "\n".join([text, *map(format_action, actions)])
        rows += [row, variant_of(row, "sa_own", 1, symmetry), variant_of(row, "spl", 1)]
        answers += [prediction, answer_in(symmetry, prediction), prediction]
    scores = aggregate(score_items(answers, rows))
    for family in ("sa_own", "spl", "all"):
        assert scores[f"{family}_robust_f1"] == scores[f"{family}_standard_f1"] == scores[f"{family}_perturbed_f1"]
        assert (scores[f"{family}_consistency"], scores[f"{family}_soft_consistency"]) == (1.0, 1.0)
        assert scores[f"{family}_degradation"] == 0.0


@pytest.mark.slow
@given(structures(5, 3), structures(5, 3), action_lists(), action_lists())
def test_consistency_and_agreement_say_the_same(before, after, actions, others):
    for interpretations in ("unique", "multiple"):
        board = Structure() if interpretations == "multiple" else before
        row = original(1, format_structure(board), format_structure(after), interpretations)
        predictions = ["\n".join(map(format_action, some)) for some in (actions, others)]
        item, back = pair(row, *predictions, family="spl"), pair(row, *predictions[::-1], family="spl")
        assert item["consistent"] == (not item["agreement"]["fp"] and not item["agreement"]["fn"])
        assert item["consistent"] == back["consistent"]
        assert item["agreement"]["tp"] == back["agreement"]["tp"]


# --- what cannot be scored
ROW = original(1)
VARIANT = variant_of(ROW, "sa_turn", 1, TURN)


def perturbed_by(**changes):
    return {**VARIANT, "metadata": {"perturbation": {**VARIANT["metadata"]["perturbation"], **changes}}}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("red 0 1 0", "item 1: the reference is 'red 0 1 0'"),
        ({**VARIANT, "before": None}, "item 1, field 'before': None"),
        ({**VARIANT, "id": None}, "item 1, field 'id': None"),
        ({name: VARIANT[name] for name in ("before", "after")}, "item 1, field 'id': None"),
        (perturbed_by(parent=7), "item 1, field 'parent': 7"),
        (perturbed_by(parent=""), "item 1, field 'parent': ''"),
        (perturbed_by(family=None), "item 1, field 'family': ''"),
        (perturbed_by(family="all"), r"item 1, field 'family': 'all' \(expected a name such as spl, not 'all'\)"),
        (perturbed_by(family="by hand"), "item 1, field 'family': 'by hand'"),
        (perturbed_by(family=3), "item 1, field 'family': 3"),
        (perturbed_by(variant="1"), r"item 1, field 'variant': '1' \(expected a whole number\)"),
        (perturbed_by(variant=0), r"item 1, field 'variant': 0 \(expected 1 or more"),
        (perturbed_by(variant=None), "item 1, field 'variant': 0"),
        (perturbed_by(transform="{"), r"item 1, field 'transform': '{' \(expected JSON as of Symmetry.to_json\)"),
        (perturbed_by(transform={"turns": 1}), "item 1, field 'transform': 'turns' is not part of a symmetry"),
        (perturbed_by(transform=[1]), "item 1, field 'transform': "),
        ({**VARIANT, "metadata": {"perturbation": [1]}}, r"item 1: the perturbation of '.*' is \[1\]"),
        ({**VARIANT, "metadata": "{"}, r"item 1: the metadata of 'g1~sa_turn-1/1' are '{' \(expected an object"),
        ({**VARIANT, "metadata": 5}, "item 1: the metadata of 'g1~sa_turn-1/1' are 5"),
    ],
)
def test_a_malformed_reference_is_named(row, message):
    for call in (score_items, SCORERS["robust"].check_items):
        with pytest.raises(InputError, match=message):
            call(["", ""], [ROW, row])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([ROW, ROW], "item 1 is g1/1, which item 0 is already: pass every original and every variant once"),
        ([ROW, VARIANT, VARIANT], "item 2 is g1~sa_turn-1/1, which item 1 is already"),
        ([ROW, VARIANT, {**VARIANT, "id": "other"}], "item 2 is other, which item 1 is already"),
    ],
)
def test_every_item_is_there_once(rows, message):
    with pytest.raises(InputError, match=message):
        score_items([""] * len(rows), rows)


@pytest.mark.parametrize(
    ("symmetry", "recorded"), [(TURN, IDENTITY), (IDENTITY, TURN), (TURN, Symmetry(quarter_turns=2))]
)
def test_a_transform_that_does_not_lead_to_the_variant_is_an_error(symmetry, recorded):
    row = original(1, ["red 1 1 1"], ["blue 2 1 1"])
    variant = variant_of(row, "sa_turn", 1, symmetry)
    variant["metadata"]["perturbation"]["transform"] = recorded.to_json()
    with pytest.raises(InputError, match=r"item 1: the transform of g1~sa_turn-1/1 does not .* g1/1 to its own"):
        score_items(["", ""], [row, variant])


def test_predictions_are_checked_as_in_plain_scores():
    with pytest.raises(InputError, match="1 predictions but 2 references"):
        score_items([""], [ROW, VARIANT])
    with pytest.raises(InputError, match="item 1: the prediction is None"):
        score_items(["", None], [ROW, VARIANT])
    with pytest.raises(InputError, match=r"references are \{\}"):
        score_items([], {})


def test_the_original_may_come_after_its_variants():
    assert score_items(["", "place red 0 1 0"], [VARIANT, ROW])[0]["agreement"] == {"tp": 0, "fp": 0, "fn": 1}


# --- evaluate
@pytest.fixture
def metric(tmp_path):
    return evaluate.load(SCRIPT, "robust", cache_dir=str(tmp_path))


def test_evaluate_takes_the_rows_of_the_dataset(metric):
    answers, rows = random_answers(11)
    scores = metric.compute(predictions=answers, references=rows, per_item=True)
    items = score_items(answers, rows)
    assert scores.pop("items") == items
    assert scores == aggregate(items)
    assert scores["all_robust_f1"] < scores["all_standard_f1"]


def test_evaluate_takes_a_dataset_in_batches_and_gives_intervals(metric):
    answers, rows = random_answers(12, 40)
    features = datasets.Features({
        **{name: datasets.Value("string") for name in ("id", "interpretations")},
        **{name: datasets.List(datasets.Value("string")) for name in ("before", "after")},
        "metadata": datasets.Json(),
    })  # fmt: skip
    stored = datasets.Dataset.from_list(rows, features=features)
    metric.add(prediction=answers[0], reference=stored[0])
    for start in range(1, len(rows), 4):
        metric.add_batch(predictions=answers[start : start + 4], references=list(stored)[start : start + 4])
    games = [row["id"].split("/")[0].split("~")[0] for row in rows]
    scores = metric.compute(n_resamples=30, seed=5, clusters=games)
    items = score_items(answers, rows)
    expected = bootstrap(items, 30, seed=5, clusters=games)
    assert expected and scores["confidence_intervals"] == {key: list(interval) for key, interval in expected.items()}
    facts = "families:spl,spp_history,sa_color|variants:3,1,2"
    assert scores["signature"] == (
        f"bap_v2_robust|version:1.0.0|worst:corpus-min|{facts}|{bap_v2_metric.SIGNATURE}|bs:30|seed:5|unit:cluster"
    )


@pytest.mark.slow
def test_evaluate_takes_references_as_well_and_can_be_used_again_after_an_error(metric):
    answers, rows = random_answers(13)
    with pytest.raises(ValueError, match="which is not among the items"):
        metric.compute(predictions=answers[1:], references=rows[1:])
    with pytest.raises(ValueError, match="item 1, field 'transform'"):
        metric.compute(predictions=["", ""], references=[ROW, perturbed_by(transform="no")])
    expected = aggregate(score_items(answers, rows))
    assert metric.compute(predictions=answers, references=list(map(reference_of, rows))) == expected
