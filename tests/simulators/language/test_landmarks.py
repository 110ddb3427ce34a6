"""Landmarks: each denotes one block, by an oracle that goes by the paper's coordinates; examples by hand."""

from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenes import poses, scene_of, words
from strategies import cells

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.language.arrangements import LARGEST_ORDINAL, SIDES
from bap_v2_simulators.language.landmark_search import KINDS, kinds_in_use, landmarks
from bap_v2_simulators.language.landmarks import (
    BetweenLandmark,
    BothSides,
    CornerOfL,
    InLine,
    InPlane,
    OfColor,
    OtherOfTwo,
)
from bap_v2_simulators.language.references import LanguageError
from bap_v2_simulators.pose import Pose, perspective_coordinates, wrapped_yaw
from bap_v2_simulators.simulation import played_turns, streams
from bap_v2_simulators.view import View
from bap_v2_simulators.wording.phrases import mirror_image, table

RED, BLUE, GREEN = Color.RED, Color.BLUE, Color.GREEN
CORNERS = [name for name in table("SUPERLATIVE_NAMES") if "+" in name]
LINES = ("row", "column", "diagonal")
AHEAD = Pose(0.5, 1.0, -8.0, 0.0, 0.0)  # looks along z; its left is +x


@st.composite
def pieces(draw):
    """A line, a filled rectangle or a single block, as cells."""
    start = draw(cells(2, 3))
    u, v = draw(st.permutations([(1, 0, 0), (0, 1, 0), (0, 0, 1)]))[:2]
    if draw(st.booleans()):
        u = tuple(a + b * draw(st.sampled_from([-1, 0, 1])) for a, b in zip(u, v))
    m, n = draw(st.integers(1, 5)), draw(st.sampled_from([1, 1, 1, 2, 3]))
    return [Cell(*(a + i * b + j * c for a, b, c in zip(start, u, v))) for i, j in product(range(m), range(n))]


@st.composite
def scenes(draw):
    """Boards of a few lines, rectangles and blocks; sometimes the last turn placed a whole piece."""
    board, placed = {}, ()
    for color in draw(st.lists(st.sampled_from([RED, RED, RED, BLUE, GREEN]), min_size=1, max_size=5)):
        placed = tuple(cell for cell in draw(pieces()) if cell not in board)
        board |= dict.fromkeys(placed, color)
    last = placed[-1] if placed and draw(st.booleans()) else draw(st.sampled_from([None, *board]))
    scene = scene_of(board, draw(poses), last)
    turn = placed if placed and last == placed[-1] else (last,) if last else ()
    return replace(scene, last_cells=turn, last_count=len(turn))


def every_landmark(color):
    """All that can be expressed about blocks of a color."""
    ranks = list(product(SIDES, range(2, LARGEST_ORDINAL + 1)))
    for of, line in product((color, None), LINES):
        yield InLine(of, line, "middle")
        yield from (InLine(of, line, "end", side) for side in (*SIDES, "closest", "furthest", "other"))
        yield from (InLine(of, line, "second", side, number) for side, number in ranks)
    yield from (InPlane(color, plane, corner) for plane in ("square", "rectangle", "wall") for corner in ("", *CORNERS))
    yield from (CornerOfL(color), OtherOfTwo(color), OfColor(color))
    yield from (OfColor(color, side, number) for side, number in ranks)
    others = [other for other in (RED, BLUE, GREEN) if other is not color]
    yield from (BothSides(color, other) for other in others)
    yield from (BetweenLandmark(color, (other, other)) for other in others)
    yield BetweenLandmark(color, tuple(others))


def denoted(mark, scene):
    try:
        return mark.denotes(scene)
    except LanguageError:
        return None


@pytest.mark.slow
@given(scenes())
def test_landmarks_are_all_that_denote_the_block_and_no_others(scene):
    for color in set(scene.board.values()):
        some = [cell for cell, its_color in scene.board.items() if its_color is color]
        expected = {cell: set() for cell in some}
        for mark in every_landmark(color):
            of_this_color = getattr(mark, "color", color) or scene.last_color
            cell = denoted(mark, scene)
            if len(some) > 1 and cell is not None and of_this_color is color and in_board_order(mark, scene):
                expected[cell].add(mark)
        assert {cell: set(landmarks(cell, scene)) for cell in some} == expected


def in_board_order(mark, scene):
    """Two colors are named in the order in which they came to the board."""
    order = list(dict.fromkeys(scene.board.values()))
    return not isinstance(mark, BetweenLandmark) or order.index(mark.colors[0]) <= order.index(mark.colors[1])


# --- an oracle: what people see, by the paper's coordinates


def seen(cell, scene, grid):
    pose = scene.pose
    yaw = wrapped_yaw(90.0 * round(pose.yaw / 90.0)) if grid else pose.yaw
    return perspective_coordinates(cell, Pose(pose.x, pose.y, pose.z, yaw, 0.0))


def ahead(one, other, side, scene):
    """Whether one block lies further to that side than the other, on the grid and for the eye."""
    axis, sign = SIDES[side]
    return all(sign * (seen(one, scene, grid)[axis] - seen(other, scene, grid)[axis]) > 1e-6 for grid in (True, False))


def straight_lines(some):
    """Maximal runs of two cells or more, found by walking from every pair of neighbors."""
    found = set()
    for a, b in combinations(sorted(some), 2):
        step = tuple(q - p for p, q in zip(a, b))
        if max(map(abs, step)) == 1:
            line = [a, b]
            while (after := Cell(*(p + d for p, d in zip(line[-1], step)))) in some:
                line.append(after)
            while (before := Cell(*(p - d for p, d in zip(line[0], step)))) in some:
                line.insert(0, before)
            found.add(tuple(line))
    return found


def kind_of_line(line):
    moved = [p != q for p, q in zip(line[0], line[1])]
    return "diagonal" if sum(moved) > 1 else "column" if moved[1] else "row"


def touch(a, b):
    return sum(abs(p - q) for p, q in zip(a, b)) == 1


def is_what_people_mean(mark, cell, scene):
    color = mark.color or scene.last_color
    some = {other for other, its_color in scene.board.items() if its_color is color}
    rest = some - {cell}
    if isinstance(mark, InLine):
        lines = {line for line in straight_lines(some) if kind_of_line(line) == mark.line}
        if mark.line == "diagonal" and mark.color:
            lines = {ln for ln in lines if len(ln) > 2 and not any(touch(a, b) for a in ln for b in some)}
        if mark.color is None:
            lines = {line for line in lines if set(line) == set(scene.last_cells)}
        (line,) = lines
        others = set(line) - {cell}
        if mark.part == "middle":
            return len(line) % 2 == 1 and line.index(cell) == len(line) // 2
        if mark.side == "other":
            return {cell, scene.last} == {line[0], line[-1]}
        if mark.side in ("closest", "furthest"):
            return cell in (line[0], line[-1]) and nearer_end(cell, line, scene) == (mark.side == "closest")
        before = [other for other in others if ahead(other, cell, mark.side, scene)]
        after = [other for other in others if ahead(cell, other, mark.side, scene)]
        return len(before) == max(0, mark.number - 1) and len(before) + len(after) == len(others)
    if isinstance(mark, OfColor) and mark.side:
        before = [other for other in rest if ahead(other, cell, mark.side, scene)]
        after = [other for other in rest if ahead(cell, other, mark.side, scene)]
        ordered = all(
            ahead(a, b, mark.side, scene) or ahead(b, a, mark.side, scene) for a, b in combinations(before, 2)
        )
        return len(before) == mark.number - 1 and len(before) + len(after) == len(rest) and ordered
    if isinstance(mark, OfColor):
        # As many blocks on the one side as on the other, from some side, and from no side is another in the middle.
        def is_middle(one, side, opposite):
            beyond = sum(ahead(other, one, side, scene) for other in some)
            behind = sum(ahead(other, one, opposite, scene) for other in some)
            return beyond == behind == len(rest) // 2

        sides = (("left", "right"), ("top", "bottom"), ("back", "front"))
        return any(is_middle(cell, *side) for side in sides) and not any(
            is_middle(other, *side) for other in rest for side in sides
        )
    if isinstance(mark, InPlane):
        plane = {cell}
        while grown := {one for one in some - plane if any(touch(one, other) for other in plane)}:
            plane |= grown
        neighbors = sum(touch(cell, other) for other in plane)
        if not mark.corner:
            return neighbors == 4 and len(plane) % 2 == 1
        return neighbors == 2 and not any(
            ahead_on_the_grid(other, cell, name.removesuffix("most"), scene)
            for name in mark.corner.split("+")
            for other in plane
        )
    if isinstance(mark, CornerOfL):
        arms = [other for other in rest if touch(cell, other)]
        meets = [c for c in some if bent(c, some)]
        return len(arms) == 2 and meets == [cell]
    if isinstance(mark, BetweenLandmark):
        ends = [other for other, its_color in scene.board.items() if its_color in mark.colors]
        a, b = ends
        return tuple(2 * p for p in cell) == tuple(p + q for p, q in zip(a, b))
    if isinstance(mark, BothSides):

        def both(one):
            return any(
                scene.board.get((one.x + dx, one.y, one.z + dz)) is mark.other
                and scene.board.get((one.x - dx, one.y, one.z - dz)) is mark.other
                for dx, dz in ((1, 0), (0, 1))
            )

        return both(cell) and not any(map(both, rest))
    return rest == {scene.last}


def ahead_on_the_grid(one, other, side, scene):
    axis, sign = SIDES[side]
    return sign * (seen(one, scene, True)[axis] - seen(other, scene, True)[axis]) > 1e-6


def bent(cell, some):
    """Whether two arms meet here at a right angle, and neither goes on."""
    ways = [tuple(p - q for p, q in zip(other, cell)) for other in some if touch(cell, other)]
    return len(ways) >= 2 and any(
        sum(p * q for p, q in zip(a, b)) == 0 and tuple(-p for p in a) not in ways and tuple(-p for p in b) not in ways
        for a, b in combinations(ways, 2)
    )


def nearer_end(cell, line, scene):
    """Whether this end of the line is the one nearer to the Builder's feet; the other must be farther, and deeper."""
    other = line[-1] if cell == line[0] else line[0]

    def distance(one):
        return sum((p + 0.5 - q) ** 2 for p, q in zip(one, (scene.pose.x, scene.pose.y, scene.pose.z)))

    nearer = distance(cell) < distance(other)
    near, far = (cell, other) if nearer else (other, cell)
    assert not ahead_on_the_grid(far, near, "front", scene)
    return nearer


@pytest.mark.slow
@given(scenes())
def test_a_landmark_is_what_people_mean_by_it(scene):
    for cell in scene.board:
        for mark in landmarks(cell, scene):
            assert is_what_people_mean(mark, cell, scene), (mark, cell)


# --- words


def mirrored(value):
    """The cell, scene or landmark as in a mirror that exchanges left and right."""
    if isinstance(value, Cell):
        return Cell(-value.x - 1, value.y, value.z)
    if isinstance(value, Pose):
        return Pose(-value.x, value.y, value.z, wrapped_yaw(-value.yaw), value.pitch)
    if isinstance(value, InLine | OfColor):
        return replace(value, side=mirror_image(value.side))
    return replace(value, corner=mirror_image(value.corner)) if isinstance(value, InPlane) else value


def mirrored_scene(scene):
    pose = mirrored(scene.pose)
    return replace(
        scene, board={mirrored(cell): color for cell, color in scene.board.items()}, pose=pose, view=View.of(pose.yaw),
        last=scene.last and mirrored(scene.last), last_cells=tuple(map(mirrored, scene.last_cells)),
    )  # fmt: skip


@pytest.mark.slow
@given(scenes(), st.integers(0, 9))
def test_in_a_mirror_the_phrases_are_mirrored(scene, seed):
    image = mirrored_scene(scene)
    for cell in scene.board:
        marks = landmarks(cell, scene)
        assert {mirrored(mark) for mark in marks} == set(landmarks(mirrored(cell), image))
        for mark in marks:
            assert mirrored(mark).phrase(words(seed), image) == mirror_image(mark.phrase(words(seed), scene))


def test_no_phrase_is_used_for_two_landmarks():
    scene = replace(scene_of({(0, 1, 0): RED}, last=Cell(0, 1, 0)), last_cells=(Cell(0, 1, 0),))
    owner = {}
    for mark in every_landmark(RED):
        texts = {mark.phrase(words(seed), scene) for seed in range(120)}
        assert len(texts) >= 3, mark
        for text in texts:
            assert owner.setdefault(text, mark) == mark, text
            assert not set("{}") & set(text) and "  " not in text


# --- by hand


def test_left_must_be_left_on_the_grid_and_for_the_eye():
    # On the grid the second is left of the third by one cell; 30 degrees off, they look the other way round.
    three = {(4, 1, 0): RED, (1, 1, 0): RED, (0, 1, 3): RED}
    scene = scene_of(three, AHEAD)
    assert OfColor(RED, "left", 2) in landmarks(Cell(1, 1, 0), scene)
    turned = scene_of(three, replace_yaw(AHEAD, 30.0))
    assert OfColor(RED, "left", 2) not in landmarks(Cell(1, 1, 0), turned)


def replace_yaw(pose, yaw):
    return Pose(pose.x, pose.y, pose.z, yaw, pose.pitch)


# --- how often


def test_without_a_rate_no_kind_is_used_and_with_it_the_middle_most_often():
    assert kinds_in_use(0.0, 0.0) == ()
    assert set(kinds_in_use(0.0, 0.5)) == set(KINDS)
    assert set(kinds_in_use(0.7, 0.8)) == {kind for kind, part in KINDS.items() if part == 1.0}


@pytest.mark.parametrize("name", ["dr", "dsb"])
def test_landmarks_are_said_in_games_unless_they_are_switched_off(name):
    simulator = simulator_of(name)
    said = {}
    for rate in (0.0, 0.8):
        talking = replace(simulator, talk=replace(simulator.talk, landmarks=rate))
        said[rate] = set()
        for index in range(40):
            structure, looks, language = streams(talking, "train", 0, index)
            for turn in played_turns(talking, talking.plan(structure, "train"), looks, language):
                if turn.instruction.expression.rule == "landmark":
                    said[rate].add(turn.instruction.expression.kind)
                    assert turn.instruction.expression.denotes(turn.scene) == turn.instruction.reference
    assert not said[0.0] and len(said[0.8]) >= 4
