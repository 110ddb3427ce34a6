"""Phrases and what they denote: the reference rules of 10.2, superlatives against an oracle, the tables of words."""

import itertools
import math
import re
from itertools import product
from random import Random
from string import Formatter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cells

from bap_v2_metric.actions import ActionType, NetAction
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators import wording
from bap_v2_simulators.language.block_instructions import BlockInstruction
from bap_v2_simulators.language import Words, article, beside, going_to, number_word, steps_away
from bap_v2_simulators.number_words import NUMBER_WORDS
from bap_v2_simulators.pose import Pose, perspective_coordinates, wrapped_yaw
from bap_v2_simulators.language.references import (
    ELLIPSIS,
    NO_REFERENCE,
    LanguageError,
    ReferringExpression,
    Scene,
    could_be_told_apart,
    referring_expression,
    superlatives,
)
from bap_v2_simulators.language.shape_instructions import ShapeInstruction
from bap_v2_simulators.shapes import ShapeKind
from bap_v2_simulators.view import Direction, Offset, View

RELATIONS = [Offset(*signs) for signs in product((-1, 0, 1), repeat=3) if any(signs)]
FLAT_OR_EDGE = [relation for relation in RELATIONS if len(relation.directions) < 3]
REFERENCE = "the reference"

boards = st.dictionaries(cells(3, 4), st.sampled_from([Color.RED, Color.RED, Color.BLUE]), min_size=1, max_size=10)
poses = st.builds(
    lambda x, y, z, side, off: Pose(x, y, z, wrapped_yaw(side + off), 20.0),
    st.floats(-8, 8), st.floats(1, 9), st.floats(-8, 8), st.sampled_from([0.0, 90.0, 180.0, 270.0]), st.floats(-30, 30),
)  # fmt: skip


def scene_of(board, pose=None, last=None, removed=False, last_color=None):
    pose = pose or Pose(0.5, 1.0, -8.0, 0.0, 0.0)
    board = {Cell(*cell): color for cell, color in board.items()}
    color = last_color or board.get(last)
    return Scene(board, pose, View.of(pose.yaw), last, color, removed)


def words(seed=0):
    return Words(Random(f"words {seed}"))


# --- which block


@given(boards, poses, st.data())
def test_a_reference_denotes_the_block_for_which_it_is_made(board, pose, data):
    last = data.draw(st.sampled_from([None, *board]))
    scene = scene_of(board, pose, last)
    for cell in board:
        reference = referring_expression(cell, scene)
        if reference is not None:
            assert reference.denotes(scene) == cell


@given(boards, poses, st.data())
def test_the_rules_of_10_2_from_the_highest_to_the_lowest(board, pose, data):
    last = data.draw(st.sampled_from([None, *board]))
    scene = scene_of(board, pose, last)
    for cell, color in board.items():
        reference = referring_expression(cell, scene)
        alone = list(board.values()).count(color) == 1
        if cell == last:
            assert reference.rule == "last"
        elif alone:
            assert reference == ReferringExpression("unique", color)
        elif reference is not None:
            assert reference.rule == "superlative" and reference.color is color and reference.superlatives


def test_the_last_block_may_be_one_that_was_removed():
    gone = Cell(1, 1, 0)
    scene = scene_of({(0, 1, 0): Color.RED}, last=gone, removed=True, last_color=Color.BLUE)
    assert referring_expression(gone, scene) == ReferringExpression("last")
    assert referring_expression(gone, scene).denotes(scene) == gone
    assert referring_expression(Cell(0, 1, 0), scene) == ReferringExpression("unique", Color.RED)


def test_an_empty_cell_has_no_reference():
    assert referring_expression(Cell(3, 3, 3), scene_of({(0, 1, 0): Color.RED})) is None


def test_a_block_in_the_middle_of_its_color_has_no_reference():
    row = {(x, 1, 0): Color.RED for x in range(-2, 3)}
    far_away = Pose(0.5, 1.0, -9.0, 0.0, 0.0)
    scene = scene_of({**row, (0, 1, 1): Color.RED, (0, 1, -1): Color.RED, (0, 2, 0): Color.RED}, far_away)
    assert referring_expression(Cell(0, 1, 0), scene) is None
    assert not could_be_told_apart(Cell(0, 1, 0), scene.board, None)


@pytest.mark.parametrize(
    ("reference", "board", "last", "removed"),
    [
        (ReferringExpression("last"), {(0, 1, 0): Color.RED}, None, False),
        (ELLIPSIS, {(0, 1, 0): Color.RED}, None, False),
        (ELLIPSIS, {(0, 1, 0): Color.RED}, Cell(1, 1, 0), True),  # what was left unsaid would be a gap
        (ReferringExpression("unique", Color.RED), {(0, 1, 0): Color.RED, (1, 1, 0): Color.RED}, None, False),
        (ReferringExpression("unique", Color.BLUE), {(0, 1, 0): Color.RED}, None, False),
        (
            ReferringExpression("superlative", Color.RED, ("topmost",)),
            {(0, 1, 0): Color.RED, (1, 1, 0): Color.RED},
            None,
            False,
        ),
    ],
)
def test_a_phrase_that_denotes_nothing_or_two_things_is_an_error(reference, board, last, removed):
    with pytest.raises(LanguageError):
        reference.denotes(scene_of(board, last=last, removed=removed, last_color=Color.RED))


AXES = {
    "leftmost": (0, 1), "rightmost": (0, -1), "topmost": (1, 1), "bottommost": (1, -1),
    "backmost": (2, 1), "frontmost": (2, -1),
}  # fmt: skip


def seen(cell, pose, yaw=None):
    """The paper's perspective coordinates, level with the ground."""
    return perspective_coordinates(cell, Pose(pose.x, pose.y, pose.z, pose.yaw if yaw is None else yaw, 0.0))


def deserves(name, cell, others, pose):
    """Whether no other block could be meant by a Builder that goes by its own yaw, nor by one that goes by the grid."""
    if name in ("closest", "furthest"):
        sign = 1 if name == "closest" else -1
        points = [(pose.x, pose.y + height, pose.z) for height in (0.0, 1.62)]

        def distance(one, point):
            return math.dist([part + 0.5 for part in one], point)

        return all(sign * distance(cell, point) < sign * distance(one, point) for one in others for point in points)
    grid = wrapped_yaw(90.0 * round(pose.yaw / 90.0))
    ends = [AXES[end] for end in name.split("+")]
    if len(ends) == 1:
        ((axis, sign),) = ends
        return all(
            sign * seen(one, pose, yaw)[axis] < sign * seen(cell, pose, yaw)[axis] - 1e-9
            for one in others
            for yaw in (pose.yaw, grid)
        )
    # A corner: first one end and then the other, in either order.
    for (axis, sign), (then_axis, then_sign) in (ends, ends[::-1]):
        most = max(sign * round(seen(one, pose, grid)[axis] * 1e6) for one in (cell, *others))
        extreme = [one for one in (cell, *others) if sign * round(seen(one, pose, grid)[axis] * 1e6) == most]
        if cell not in extreme:
            return False
        for yaw in (pose.yaw, grid):
            if any(
                then_sign * seen(one, pose, yaw)[then_axis] > then_sign * seen(cell, pose, yaw)[then_axis] - 1e-9
                for one in extreme
                if one != cell
            ):
                return False
    return True


@given(boards, poses)
def test_a_superlative_is_deserved_by_one_block_only(board, pose):
    scene = scene_of(board, pose)
    for cell, color in board.items():
        others = [one for one, other in board.items() if other is color and one != cell]
        for name in superlatives(cell, scene):
            assert deserves(name, cell, others, pose), (name, cell)
            assert ReferringExpression("superlative", color, (name,)).denotes(scene) == cell


@given(boards, st.sampled_from([0.0, 90.0, -180.0, -90.0]))
def test_straight_along_the_grid_every_extreme_block_gets_its_superlatives(board, yaw):
    pose = Pose(0.5, 2.0, 0.5, yaw, 0.0)
    scene = scene_of(board, pose)
    for cell, color in board.items():
        others = [one for one, other in board.items() if other is color and one != cell]
        expected = {name for name in AXES if others and deserves(name, cell, others, pose)}
        assert set(superlatives(cell, scene)) & set(AXES) == expected


@given(boards, st.data())
def test_what_could_be_told_apart_is_told_apart_by_who_looks_straight_along_the_grid(board, data):
    last = data.draw(st.sampled_from([None, *board]))
    for cell in board:
        straight = [
            referring_expression(cell, scene_of(board, Pose(0.5, 2.0, 0.5, yaw, 0.0), last))
            for yaw in (0.0, 90.0, -180.0, -90.0)
        ]
        if could_be_told_apart(cell, board, last):
            assert None not in straight


@pytest.mark.parametrize(
    ("yaw", "left", "front"),
    [
        (0, (1, 1, 0), (0, 1, -1)),
        (90, (0, 1, 1), (1, 1, 0)),
        (-180, (-1, 1, 0), (0, 1, 1)),
        (-90, (0, 1, -1), (-1, 1, 0)),
    ],
)
def test_leftmost_and_frontmost_by_hand(yaw, left, front):
    # A plus of four red blocks, seen from its middle: each is at one end.
    plus = {(1, 1, 0): Color.RED, (-1, 1, 0): Color.RED, (0, 1, 1): Color.RED, (0, 1, -1): Color.RED}
    scene = scene_of(plus, Pose(0.5, 1.0, 0.5, float(yaw), 0.0))
    assert superlatives(Cell(*left), scene) == ("leftmost",)
    assert superlatives(Cell(*front), scene) == ("frontmost",)


def test_a_block_that_is_nearly_as_far_left_is_not_told_apart_by_it():
    # Along the grid the second block is a cell further left; at 30 degrees both look equally far left.
    two = {(0, 1, 0): Color.RED, (1, 1, 2): Color.RED}
    assert "leftmost" in superlatives(Cell(1, 1, 2), scene_of(two, Pose(0.5, 1.0, -8.0, 0.0, 0.0)))
    assert "leftmost" not in superlatives(Cell(1, 1, 2), scene_of(two, Pose(0.5, 1.0, -8.0, -26.0, 0.0)))


@pytest.mark.parametrize("rule", ["last", "removed", "unique", *AXES, "closest", "furthest"])
def test_no_phrase_names_blocks_by_two_rules(rule):
    def phrases_for(rule):
        scene = scene_of({(0, 1, 0): Color.RED}, last=Cell(0, 1, 0), removed=rule == "removed")
        expression = {
            "last": ReferringExpression("last"),
            "removed": ReferringExpression("last"),
            "unique": ReferringExpression("unique", Color.RED),
        }.get(rule) or ReferringExpression("superlative", Color.RED, (rule,))
        return {expression.phrase(words(seed), scene) for seed in range(300)}

    mine = phrases_for(rule)
    assert len(mine) >= 5
    for other in {"last", "removed", "unique", *AXES, "closest", "furthest"} - {rule}:
        assert not mine & phrases_for(other), other


# --- where


def phrases(make, n=250):
    return {make(words(seed)) for seed in range(n)}


@pytest.mark.parametrize(("reference", "count"), [(REFERENCE, 1), (REFERENCE, 3), (None, 1)])
def test_no_place_phrase_is_used_for_two_relations(reference, count):
    owner = {}
    for relation in FLAT_OR_EDGE:
        for text in phrases(lambda w, relation=relation: beside(w, relation, reference, count)):
            assert owner.setdefault(text, relation) == relation, text
            assert (REFERENCE in text) == (reference is not None)
    assert len(owner) > 18 * 4


@pytest.mark.parametrize("relation", FLAT_OR_EDGE, ids=lambda relation: relation.relation)
def test_left_and_right_are_said_for_what_is_there(relation):
    for text in phrases(lambda w: beside(w, relation, REFERENCE)):
        assert bool(re.search(r"\bleft\b", text)) == (relation.left > 0), text
        assert bool(re.search(r"\bright\b", text)) == (relation.left < 0), text


def test_counted_steps_say_every_number_and_no_two_offsets_alike():
    numbers = {word: number for number, word in enumerate(NUMBER_WORDS)}
    owner = {}
    for offset in itertools.starmap(
        Offset,
        [(2, 0, 0), (-2, 0, 0), (0, 3, -1), (0, -3, 1), (2, 1, 3), (1, 2, 3), (3, -1, 2), (-4, -2, -1), (0, 0, 5)],
    ):
        for reference in (REFERENCE, None):
            for text in phrases(lambda w, o=offset, r=reference: steps_away(w, o, r)):
                tokens = [numbers.get(word, word) for word in re.findall(r"[a-z]+|\d+", text)]
                counts = [int(word) for word in tokens if str(word).isdigit()]
                assert sorted(counts) == sorted(abs(part) for part in offset if part), text
                assert owner.setdefault(text, offset) == offset, text


def test_no_direction_from_the_builder_is_said_as_another():
    owner = {}
    for relation in FLAT_OR_EDGE:
        for text in phrases(lambda w, relation=relation: going_to(w, relation.directions)):
            assert owner.setdefault(text, relation) == relation, text


@pytest.mark.parametrize(
    ("number", "word"), [(1, "one"), (2, "two"), (3, "three"), (9, "nine"), (10, "ten"), (11, "11"), (20, "20")]
)
def test_numbers_are_words_up_to_ten(number, word):
    assert number_word(number) == word


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a orange block", "an orange block"), ("a red block", "a red block"), ("one orange block", "one orange block")],
)
def test_articles(text, expected):
    assert article(text) == expected


# --- what instructions denote, by hand


RED_BLOCK = {(0, 1, 0): Color.RED}


def test_a_block_to_the_left_of_the_last_one_by_hand():
    # The Builder faces -x: its left is +z.
    scene = scene_of(RED_BLOCK, Pose(8.0, 1.0, 0.5, 90.0, 0.0), last=Cell(0, 1, 0))
    instruction = BlockInstruction(False, Color.BLUE, 1, Offset(1, 0, 0), ReferringExpression("last"), False, None)
    assert instruction.denotes(scene) == {NetAction(ActionType.PLACE, Color.BLUE, Cell(0, 1, 1))}


def test_a_run_of_three_diagonally_up_and_away_by_hand():
    # The Builder faces +x: away is +x.
    scene = scene_of(RED_BLOCK, Pose(-8.0, 1.0, 0.5, -90.0, 0.0))
    instruction = BlockInstruction(
        False, Color.BLUE, 3, Offset(0, 1, 1), ReferringExpression("unique", Color.RED), True, None
    )
    assert instruction.denotes(scene) == {NetAction(ActionType.PLACE, Color.BLUE, Cell(i, 1 + i, 0)) for i in (1, 2, 3)}


def test_removals_by_hand():
    board = {**RED_BLOCK, (1, 1, 0): Color.BLUE}
    scene = scene_of(board, Pose(0.5, 1.0, -8.0, 0.0, 0.0), last=Cell(1, 1, 0))
    that_block = BlockInstruction(True, Color.BLUE, 1, None, NO_REFERENCE, False, None)
    assert that_block.denotes(scene) == {NetAction(ActionType.REMOVE, Color.BLUE, Cell(1, 1, 0))}
    to_its_right = BlockInstruction(True, Color.RED, 1, Offset(-1, 0, 0), ReferringExpression("last"), False, None)
    assert to_its_right.denotes(scene) == {NetAction(ActionType.REMOVE, Color.RED, Cell(0, 1, 0))}


@pytest.mark.parametrize(
    ("instruction", "why"),
    [
        (
            BlockInstruction(False, Color.RED, 1, Offset(1, 0, 0), ReferringExpression("last"), False, None),
            "a block already",
        ),
        (
            BlockInstruction(True, Color.RED, 1, Offset(1, 0, 0), ReferringExpression("last"), False, None),
            "no red block",
        ),
        (
            BlockInstruction(True, Color.BLUE, 1, Offset(0, 1, 0), ReferringExpression("last"), False, None),
            "no blue block",
        ),
    ],
)
def test_what_cannot_be_done_is_an_error(instruction, why):
    board = {**RED_BLOCK, (1, 1, 0): Color.BLUE}
    with pytest.raises(LanguageError, match=why):
        instruction.denotes(scene_of(board, Pose(0.5, 1.0, -8.0, 0.0, 0.0), last=Cell(0, 1, 0)))


def test_the_first_block_may_go_anywhere():
    first = BlockInstruction(False, Color.RED, 1, None, NO_REFERENCE, False, None)
    assert first.denotes(scene_of({})) is None


def test_a_wall_behind_the_last_block_by_hand():
    # The Builder faces -z: left is -x, away is -z. Two to the left, three up, from the cell behind the last block.
    scene = scene_of(RED_BLOCK, Pose(0.5, 1.0, 8.0, -180.0, 0.0), last=Cell(0, 1, 0))
    instruction = ShapeInstruction(
        ShapeKind.PLANE, Color.GREEN, (2, 3), (Offset(1, 0, 0), Offset(0, 1, 0)), Offset(0, 0, 1), False, None
    )
    assert {tuple(action.cell) for action in instruction.denotes(scene)} == {
        (x, y, -1) for x in (0, -1) for y in (1, 2, 3)
    }  # fmt: skip
    assert {action.color for action in instruction.denotes(scene)} == {Color.GREEN}


def test_a_first_shape_may_go_anywhere_and_a_second_must_fit():
    row = (ShapeKind.ROW, Color.GREEN, (3,), (Offset(1, 0, 0),))
    first = ShapeInstruction(*row, None, False, None)
    assert first.denotes(scene_of({})) is None
    placed = first.denotes_from(Cell(0, 1, 0), scene_of({}))
    with pytest.raises(LanguageError, match="no last block"):
        ShapeInstruction(*row, Offset(1, 0, 0), False, None).denotes(scene_of({}))
    assert {action.cell for action in placed} == {(0, 1, 0), (1, 1, 0), (2, 1, 0)}
    scene = scene_of({**RED_BLOCK, (2, 1, 0): Color.RED}, last=Cell(0, 1, 0))
    with pytest.raises(LanguageError, match="a block already"):
        ShapeInstruction(*row, Offset(1, 0, 0), False, None).denotes(scene)


# --- the tables of words


def leaves(table):
    """Every text in a table, whatever its nesting."""
    if isinstance(table, str):
        yield table
    elif isinstance(table, dict):
        for part in table.values():
            yield from leaves(part)
    elif isinstance(table, (tuple, list)):
        for part in table:
            yield from leaves(part)


TABLES = {name: table for name, table in vars(wording).items() if name.isupper() and len(name) > 1}
PLACEHOLDERS = {"r", "c", "n", "m", "v", "g", "np", "pp", "d", "f", "s", "l", "at", "to", "a", "b", "going",
                "corner", "first", "second", "steps"}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_every_template_can_be_filled_in(name):
    texts = list(leaves(TABLES[name]))
    assert texts or TABLES[name]
    for text in texts:
        fields = {field for _, field, _, _ in Formatter().parse(text) if field is not None}
        assert fields <= PLACEHOLDERS, text
        filled = text.format(**dict.fromkeys(fields, "xy"))
        assert not set("{}") & set(filled)
        assert "  " not in filled and filled == filled.rstrip(), text


BY_DIRECTION = [
    name
    for name, table in TABLES.items()
    if isinstance(table, dict) and all(isinstance(key, Direction) for key in table)
]


@pytest.mark.parametrize("name", [*BY_DIRECTION, "CORNERS"])
def test_no_phrase_of_a_table_is_listed_under_two_directions(name):
    owner = {}
    for key, texts in TABLES[name].items():
        for text in leaves(texts):
            assert owner.setdefault(text, key) == key, text
    assert {direction for key in TABLES[name] for direction in (key if isinstance(key, tuple) else (key,))} == set(
        Direction
    )


@pytest.mark.parametrize("name", [*BY_DIRECTION, "CORNERS"])
def test_right_is_said_as_richly_as_left(name):
    def mirrored(key):
        swap = {Direction.LEFT: Direction.RIGHT}
        return tuple(swap.get(part, part) for part in key) if isinstance(key, tuple) else swap.get(key, key)

    for key, texts in TABLES[name].items():
        if Direction.LEFT in (key if isinstance(key, tuple) else (key,)):
            assert [text.replace("left", "right") for text in leaves(texts)] == list(
                leaves(TABLES[name][mirrored(key)])
            )


def test_no_superlative_is_said_as_another():
    owner = {}
    for name, texts in wording.SUPERLATIVES.items():
        for text in leaves(texts):
            assert owner.setdefault(text, name) == name, text


def test_no_shape_is_called_as_another():
    owner = {}
    for (kind, upright), (plain, upward) in wording.SHAPE_NAMES.items():
        assert plain and bool(upward) == upright
        for text in {*plain, *upward}:
            assert owner.setdefault(text, kind) == kind, text
        for text in upward:  # a name that says "up" does not name what lies flat
            assert text not in wording.SHAPE_NAMES[kind, False][0]


def test_words_take_every_option_equally_often():
    some = words()
    counts = [0] * 7
    for _ in range(7000):
        counts[int(some.pick("0123456"))] += 1
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 22.5  # 6 degrees of freedom, 0.1%
    assert not any(some.chance(0.0) for _ in range(100)) and all(some.chance(1.0) for _ in range(100))
