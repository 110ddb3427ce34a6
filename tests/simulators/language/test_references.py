"""Which block is meant: the priority rules of 10.2, and superlatives against an oracle."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenes import boards, poses, scene_of, words

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.language.references import (
    ELLIPSIS,
    LanguageError,
    ReferringExpression,
    could_be_told_apart,
    referring_expression,
    superlatives,
)
from bap_v2_simulators.pose import Pose, perspective_coordinates, wrapped_yaw


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
    grid = wrapped_yaw(90.0 * round(pose.yaw / 90.0))
    if name.startswith(("closest", "furthest")):
        sign = 1 if name.startswith("closest") else -1
        points = [(pose.x, pose.y + height, pose.z) for height in (0.0, 1.62)]

        def distance(one, point):
            return math.dist([part + 0.5 for part in one], point)

        def along_the_view(one, yaw):
            return sign * (seen(one, pose, yaw)[2] - seen(cell, pose, yaw)[2])

        # Hardly ahead for the eye is not ahead; a hair's breadth to either side of that is no error.
        hardly = -0.29 if name.endswith("by distance") else -0.31
        unbeaten = all(along_the_view(one, grid) > -1e-9 and along_the_view(one, pose.yaw) > hardly for one in others)
        by_distance = all(sign * distance(cell, at) < sign * distance(one, at) for one in others for at in points)
        return by_distance and unbeaten != name.endswith("by distance")
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


def test_the_closest_block_is_closest_by_distance_and_not_beaten_along_the_view():
    # From (0.5, 0.5), looking along z: (1, 1) is closer by distance, (-5, 0) along the view.
    near, aside = Cell(1, 1, 1), Cell(-5, 1, 0)
    scene = scene_of({near: Color.RED, aside: Color.RED, (6, 1, 6): Color.RED}, Pose(0.5, 1.0, 0.5, 0.0, 0.0))
    assert "closest" not in superlatives(near, scene) and "closest" not in superlatives(aside, scene)
    assert superlatives(near, scene) == ("closest by distance",)
    assert superlatives(Cell(6, 1, 6), scene) == ("leftmost", "backmost", "furthest")
    without = scene_of({near: Color.RED, (6, 1, 6): Color.RED}, Pose(0.5, 1.0, 0.5, 0.0, 0.0))
    assert "closest" in superlatives(near, without)


@given(boards, poses)
def test_only_a_block_without_other_superlatives_is_closest_by_distance_alone(board, pose):
    scene = scene_of(board, pose)
    for cell in board:
        names = superlatives(cell, scene)
        assert len(names) == 1 or not any(name.endswith("by distance") for name in names)


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
