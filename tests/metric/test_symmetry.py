"""Symmetries of the world: their inverses, what they do to values, their JSON, and that no score sees them."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from robust_items import answer_in, by_measure
from strategies import action_lists, cells, colors, structures

from bap_v2_metric.actions import NetAction, Place, Remove, execute, net_actions
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_metric.errors import UserError
from bap_v2_metric.notation import format_action, format_structure, parse_structure
from bap_v2_metric.symmetry import IDENTITY, Symmetry, SymmetryError

permutations = st.permutations(list(Color)).map(tuple)
shifts = st.integers(-6, 6)
symmetries = st.builds(Symmetry, st.booleans(), st.integers(0, 3), shifts, shifts, permutations)
without_shift = st.builds(Symmetry, st.booleans(), st.integers(0, 3), st.just(0), st.just(0), permutations)
anywhere = st.builds(Cell, st.integers(-20, 20), st.integers(1, 9), st.integers(-20, 20))
TURN, MIRROR = Symmetry(quarter_turns=1), Symmetry(mirror=True)


def text(actions):
    return "\n".join(map(format_action, actions))


# --- what they do
@given(symmetries, anywhere, colors)
def test_the_inverse_leads_back(symmetry, cell, color):
    assert symmetry.inverse.cell(symmetry.cell(cell)) == symmetry.cell(symmetry.inverse.cell(cell)) == cell
    assert symmetry.inverse.color(symmetry.color(color)) == color
    assert symmetry.inverse.inverse == symmetry and IDENTITY.inverse == IDENTITY


@given(symmetries, symmetries)
def test_equal_symmetries_are_those_that_do_the_same(first, second):
    board = [Cell(0, 1, 0), Cell(1, 1, 0), Cell(0, 1, 2)]

    def effect(symmetry):
        return [symmetry.cell(cell) for cell in board], [symmetry.color(color) for color in Color]

    assert (first == second) == (effect(first) == effect(second))


def test_what_each_part_does():
    cell = Cell(2, 3, 1)
    assert MIRROR.cell(cell) == Cell(-2, 3, 1)
    assert [Symmetry(quarter_turns=turns).cell(cell) for turns in range(4)] == [
        (2, 3, 1), (-1, 3, 2), (-2, 3, -1), (1, 3, -2)
    ]  # fmt: skip
    assert Symmetry(dx=3, dz=-4).cell(cell) == Cell(5, 3, -3)
    # first the mirror, then the turn, then the shift
    assert Symmetry(mirror=True, quarter_turns=1, dx=1, dz=2).cell(cell) == Cell(-1 + 1, 3, -2 + 2)
    swapped = Symmetry(colors=(Color.BLUE, Color.ORANGE, Color.YELLOW, Color.GREEN, Color.RED, Color.PURPLE))
    assert (swapped.color(Color.RED), swapped.color(Color.BLUE), swapped.color(Color.GREEN)) == ("blue", "red", "green")


# --- values
@given(symmetries, cells(), colors)
def test_actions_move_with_their_cells(symmetry, cell, color):
    assert symmetry.action(Place(color, cell)) == Place(symmetry.color(color), symmetry.cell(cell))
    assert symmetry.action(Remove(cell)) == Remove(symmetry.cell(cell))
    for type_ in ("place", "pick"):
        moved = symmetry.net_action(NetAction(type_, color, cell))
        assert moved == NetAction(type_, symmetry.color(color), symmetry.cell(cell))


@given(symmetries, structures())
def test_a_structure_keeps_its_order(symmetry, structure):
    moved = symmetry.structure(structure)
    assert [(symmetry.color(color), symmetry.cell(cell)) for color, cell in structure] == list(moved)
    assert list(symmetry.inverse.structure(moved)) == list(structure)


@given(without_shift, structures(), action_lists())
def test_the_world_is_symmetric(symmetry, before, actions):
    """What actions do in the transformed world is the transform of what they do."""
    after, failures = execute(before, actions)
    moved, moved_failures = execute(symmetry.structure(before), [symmetry.action(action) for action in actions])
    assert moved == symmetry.structure(after)
    assert [(f.index, f.reason) for f in moved_failures] == [(f.index, f.reason) for f in failures]
    changes = net_actions(symmetry.structure(before), moved)
    assert changes == {symmetry.net_action(action) for action in net_actions(before, after)}


# --- JSON
@given(symmetries)
def test_json_gives_the_same_symmetry_back(symmetry):
    record = json.loads(json.dumps(symmetry.to_json()))
    assert list(record) == ["mirror", "quarter_turns", "dx", "dz", "colors"]
    assert Symmetry.from_json(record) == symmetry


def test_what_a_record_does_not_name_is_as_in_the_identity():
    assert Symmetry.from_json({}) == Symmetry.from_json({"colors": None}) == IDENTITY
    assert Symmetry.from_json({"quarter_turns": 3}) == Symmetry(quarter_turns=3)


SIX = {color.value: color.value for color in Color}


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"turns": 1}, r"'turns' is not part of a symmetry \(expected mirror, quarter_turns, dx, dz, colors\)"),
        ([1, 2], r"\[1, 2\] is not part of a symmetry"),
        ("mirror", "'mirror' is not part of a symmetry"),
        (None, "None is not part of a symmetry"),
        ({"mirror": 1}, r"mirror is 1 \(expected true or false\)"),
        ({"quarter_turns": 4}, r"quarter_turns is 4 \(expected 0, 1, 2 or 3\)"),
        ({"quarter_turns": -1}, "quarter_turns is -1"),
        ({"quarter_turns": True}, r"quarter_turns is True \(expected a whole number\)"),
        ({"dx": 1.0}, r"dx is 1.0 \(expected a whole number\)"),
        ({"dz": "2"}, r"dz is '2' \(expected a whole number\)"),
        ({"colors": {**SIX, "red": "blue"}}, "expected a permutation of red, orange, yellow, green, blue, purple"),
        ({"colors": {"red": "red"}}, "expected a permutation"),
        ({"colors": {**SIX, "red": "pink"}}, "expected a permutation"),
        ({"colors": {**SIX, "pink": "red"}}, "expected a permutation"),
        ({"colors": list(SIX)}, "expected a permutation"),
    ],
)
def test_a_record_that_is_not_a_symmetry_is_named(record, message):
    with pytest.raises(SymmetryError, match=message):
        Symmetry.from_json(record)
    assert issubclass(SymmetryError, UserError)


# --- scores
@st.composite
def attempts(draw):
    """A row and an answer; only items on an empty board have multiple interpretations, as in the paper."""
    before, after = draw(st.one_of(st.just(Structure()), structures(6, 3))), draw(structures(6, 3))
    interpretations = "unique" if len(before) else draw(st.sampled_from(["unique", "multiple"]))
    return text(draw(action_lists())), {
        "before": format_structure(before),
        "after": format_structure(after),
        "interpretations": interpretations,
    }


def moved(row, symmetry):
    structures_of = {name: symmetry.structure(parse_structure(row[name])) for name in ("before", "after")}
    return {**row, **{name: format_structure(structure) for name, structure in structures_of.items()}}


@given(attempts(), without_shift)
def test_all_measures_are_the_same_in_a_turned_mirrored_recolored_world(attempt, symmetry):
    prediction, row = attempt
    assert by_measure(answer_in(symmetry, prediction), moved(row, symmetry)) == by_measure(prediction, row)


@given(attempts(), st.randoms(use_true_random=False))
def test_all_measures_are_the_same_whatever_the_order_of_the_blocks(attempt, rng):
    prediction, row = attempt
    shuffled = {**row, **{name: rng.sample(row[name], len(row[name])) for name in ("before", "after")}}
    assert by_measure(prediction, shuffled) == by_measure(prediction, row)


@given(attempts(), st.integers(-2, 2), st.integers(-2, 2))
def test_strict_type_and_color_are_the_same_in_a_shifted_world_that_holds_the_answer(attempt, dx, dz):
    prediction, row = attempt  # all in -3..3
    symmetry = Symmetry(dx=dx, dz=dz)
    there, here = by_measure(answer_in(symmetry, prediction), moved(row, symmetry)), by_measure(prediction, row)
    assert {name: there[name] for name in ("strict", "type", "color")} == {
        name: here[name] for name in ("strict", "type", "color")
    }


@pytest.mark.slow
@given(attempts(), st.integers(0, 10_000))
def test_all_measures_are_the_same_beside_blocks_that_the_answer_does_not_touch(attempt, seed):
    prediction, row = attempt  # all in -3..3
    far = [f"{color} {x} 1 {z}" for color, x, z in random.Random(seed).sample(
        [(color.value, x, z) for color in list(Color)[:2] for x, z in ((5, 5), (5, -5), (-5, 0))][:3], 2
    )]  # fmt: skip
    if row["interpretations"] == "unique":
        more = {**row, **{name: [*far, *row[name]] for name in ("before", "after")}}
        assert by_measure(prediction, more) == by_measure(prediction, row)
