"""Cubes and what they tell: the same as the metric counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import action_lists, structures

from bap_v2_dataset.pictures.cubes import MARKS, Look, best_fit, change, judged, legend, target_cubes
from bap_v2_metric.actions import execute, net_actions
from bap_v2_metric.alignment import Transform
from bap_v2_metric.blocks import Block, Cell, Color, Structure
from bap_v2_metric.notation import format_action, format_structure, parse_structure
from bap_v2_metric.scoring import InputError, score_item


def solid(cubes) -> Structure:
    return Structure.from_colors({cube.cell: cube.color for cube in cubes if cube.solid})


@pytest.mark.slow
@given(structures(), structures())
def test_what_is_solid_after_a_change_is_the_board_after_it(before, after):
    cubes = change(before, after)
    assert solid(cubes) == after
    assert sum(cube.solid for cube in cubes) == len(after)
    assert sum(cube.look is not Look.OLD for cube in cubes) == len(net_actions(before, after))


@given(structures(), action_lists(), structures(), st.sampled_from(["unique", "multiple"]))
def test_judged_cubes_are_those_that_the_metric_counts(before, actions, after, interpretations):
    predicted = execute(before, actions).after
    cubes = judged(before, predicted, after, interpretations)
    reference = {"before": format_structure(before), "after": format_structure(after)}
    counts = score_item("\n".join(map(format_action, actions)), {**reference, "interpretations": interpretations})
    numbers = {look: sum(cube.look is look for cube in cubes) for look in MARKS}
    assert numbers == {look: counts["fairer"][name] for look, name in zip(MARKS, ("tp", "fp", "fn"))}


@given(structures(), action_lists(), structures())
def test_what_is_solid_beside_the_reference_is_what_was_predicted(before, actions, after):
    predicted = execute(before, actions).after
    assert solid(judged(before, predicted, after)) == predicted


def test_a_judged_board_by_hand():
    before = parse_structure(["red 0 1 0", "blue 1 1 0", "green 2 1 0", "yellow 3 1 0"])
    predicted = parse_structure(["blue 1 1 0", "yellow 3 1 0", "orange 0 1 1", "purple 0 1 2"])
    after = parse_structure(["green 2 1 0", "yellow 3 1 0", "orange 0 1 1", "purple 0 2 2"])
    red, blue, green, yellow = ((Cell(x, 1, 0), color) for x, (color, _) in enumerate(before))
    looks = {
        (cube.cell, cube.color): (cube.look, cube.removal, cube.solid) for cube in judged(before, predicted, after)
    }
    assert looks == {
        red: (Look.RIGHT, True, False),
        blue: (Look.MISSED, True, True),
        green: (Look.WRONG, True, False),
        yellow: (Look.OLD, False, True),
        (Cell(0, 1, 1), Color.ORANGE): (Look.RIGHT, False, True),
        (Cell(0, 1, 2), Color.PURPLE): (Look.WRONG, False, True),
        (Cell(0, 2, 2), Color.PURPLE): (Look.MISSED, False, False),
    }


def test_other_interpretations_are_refused_by_name():
    with pytest.raises(InputError, match=r"'both' .expected 'unique' or 'multiple'"):
        judged(Structure(), Structure(), Structure(), "both")


def test_every_look_is_explained_and_every_judgment_has_a_mark_of_its_own():
    assert set(legend()) == set(Look)
    assert len(set(MARKS.values())) == len(MARKS) == 3
    assert all(mark in legend()[look] for look, mark in MARKS.items())


@given(structures(), st.integers(0, 3))
def test_a_target_is_shown_where_it_was_built(target, turns):
    built = Structure(Block(color, Transform(turns, 0, 0)(cell)) for color, cell in target)
    assert best_fit(target, built) == built
    assert solid(target_cubes(target)) == target
