"""The scorer "architect": what was built on the words, against the game and against the target."""

import evaluate
import pytest
from case_tables import cases_of
from hypothesis import given
from hypothesis import strategies as st
from paths import ROOT
from strategies import structures, transforms_within

from bap_v2_dataset.tasks.architect.scorer import SCORER, right_actions, score_items, signature
from bap_v2_metric.actions import net_actions
from bap_v2_metric.alignment import best_transforms, largest_overlap
from bap_v2_metric.blocks import Structure
from bap_v2_metric.scoring import InputError
from bap_v2_metric.scoring import score_items as bap_items

pytestmark = pytest.mark.usefixtures("few_are_enough")

aggregate = SCORER.aggregate
bootstrap = SCORER.bootstrap
paired_bootstrap = SCORER.paired_bootstrap

TOWER = ["red 0 1 0", "red 0 2 0", "blue 0 3 0"]
REFERENCE = {"before": TOWER[:1], "after": TOWER[:2], "interpretations": "unique", "target": TOWER}


def counts(prediction: str, **changes) -> dict:
    return score_items([prediction], [REFERENCE | changes])[0]


def progress(prediction: str, **changes) -> tuple[int, int]:
    return tuple(counts(prediction, **changes)["progress"].values())


@pytest.mark.parametrize(
    ("prediction", "changes", "right_and_wrong"),
    cases_of(__file__, "progress"),
)
def test_progress_by_hand(prediction, changes, right_and_wrong):
    assert progress(prediction, **changes) == tuple(right_and_wrong)


def test_of_equally_good_places_the_one_that_suits_the_actions_counts():
    row = ["red 0 1 0", "red 1 1 0", "red 2 1 0"]
    for cell in ("1 1 0", "-1 1 0", "0 1 1", "0 1 -1"):
        assert progress(f"place red {cell}", before=["red 0 1 0"], target=row) == (1, 0)
    assert progress("place red 1 1 0\nplace red 0 1 1", before=["red 0 1 0"], target=row) == (1, 1)  # not both at once


def test_a_target_has_to_fit_into_the_region():
    row = ["blue -5 1 0", *(f"red {x} 1 0" for x in range(-4, 6))]  # from border to border
    assert progress("place blue 5 1 3", before=[], target=row) == (1, 0)
    assert progress("place blue 0 1 0", before=[], target=row) == (0, 1)  # no room for the reds


@given(structures().flatmap(lambda target: st.tuples(st.just(target), transforms_within(target))), st.data())
def test_all_that_leads_to_the_target_is_right_wherever_it_stands(case, data):
    target, transform = case
    goal = Structure.from_colors({transform(cell): color for color, cell in target})
    kept = [block for block in goal if data.draw(st.booleans())]
    before = Structure(kept)
    actions = net_actions(before, goal)
    assert right_actions(target, before, actions) == len(actions)


@given(structures(max_size=6), structures(max_size=6))
def test_the_best_transforms_are_those_with_the_largest_overlap(moving, fixed):
    labeled = [[(color, cell) for color, cell in structure] for structure in (moving, fixed)]
    most = largest_overlap(*labeled)
    transforms = best_transforms(*labeled)
    assert bool(transforms) == bool(most)
    for transform in transforms:
        assert sum((color, transform(cell)) in set(labeled[1]) for color, cell in labeled[0]) == most


def test_what_it_reads_is_counted_as_for_builders():
    predictions = ["place red 0 2 0", "place blue 0 2 0\nnonsense", "", "pick 0 1 0"]
    for item, plain in zip(score_items(predictions, [REFERENCE] * 4), bap_items(predictions, [REFERENCE] * 4)):
        for name in ("fairer", "empty_board", "unparsed_lines", "infeasible_actions"):
            assert item[name] == plain[name]


def test_scores_are_micro_averages():
    items = score_items(["place red 0 2 0", "place blue 0 2 0\nplace red 1 1 0", ""], [REFERENCE] * 3)
    scores = aggregate(items)
    assert scores["reads_precision"] == scores["progress"] == 1 / 3 == scores["reads_recall"]
    assert (scores["right_actions"], scores["built"], scores["n_items"]) == (1 / 3, 2 / 3, 3)
    assert (scores["eb_n_items"], scores["neb_n_items"], scores["eb_progress"]) == (0, 3, 0.0)
    assert aggregate([])["progress"] == 0.0


@pytest.mark.parametrize(
    ("reference", "message"),
    [
        ({**REFERENCE, "target": ["pink 0 1 0"]}, "item 0, field 'target': .*pink"),
        ({**REFERENCE, "target": None}, "item 0, field 'target': 'None'"),
        ({name: REFERENCE[name] for name in ("before", "after")}, "item 0, field 'target'"),
        ({**REFERENCE, "before": 3}, "item 0, field 'before'"),
    ],
)
def test_references_that_cannot_be_scored_are_named(reference, message):
    with pytest.raises(InputError, match=message):
        score_items([""], [reference])


def test_other_items_are_not_compared():
    one, other = score_items([""], [REFERENCE]), score_items([""], [REFERENCE | {"after": TOWER}])
    with pytest.raises(InputError, match=r"item 0 is an item with 1 reference net actions on .* and an item with 2"):
        paired_bootstrap(one, other, 10)
    with pytest.raises(InputError, match="1 items of one system but 2"):
        paired_bootstrap(one, one * 2, 10)


def test_evaluate_scores_the_task_and_signs_who_read(tmp_path):
    metric = evaluate.load(str(ROOT / "bap_v2_metric" / "bap_v2.py"), "architect", cache_dir=str(tmp_path))
    inputs = {"predictions": ["place red 0 2 0"] * 20, "references": [REFERENCE] * 20}
    found = metric.compute(**inputs, n_resamples=20, reader="symbolic")
    assert found["reads_f1"] == found["progress"] == 1.0
    assert found["signature"] == signature(20, reader="symbolic")
