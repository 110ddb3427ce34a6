"""Where the Builder stands and looks: each promise of 5.2.1, worked out again from the pose alone."""

import math
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from lines_of_sight import cells_on_the_line
from strategies import cells

from bap_v2_metric.blocks import Cell
from bap_v2_simulators.viewpoint import Looks, is_visible, sample_pose

H, V, EYES, HEIGHT, RADIUS = 102.4, 70.0, 1.62, 1.8, 0.3  # degrees (5.2.1); cells, of a Minecraft player
OPEN = Cell(0, 1, 0)


def middle(cell):
    return [part + 0.5 for part in cell]


def eye_of(pose):
    return pose.x, pose.y + EYES, pose.z


def poses_of(focus, board, n, seed=0, suits=lambda pose: True, **looks):
    rng = Random(f"viewpoint {seed}")
    return [sample_pose(rng, focus, board, suits, Looks(**looks)) for _ in range(n)]


def side(pose):
    return round(pose.yaw / 90.0) % 4


def off_grid(pose):
    return min(abs((pose.yaw - way + 180) % 360 - 180) for way in (0, 90, 180, 270))


def thick_hit(eye, target, cell, margin):
    """Whether the line meets the cell grown (margin > 0) or shrunk (margin < 0) by the margin: clipping, by slabs."""
    low, high = 0.0, 1.0
    for start, end, side in zip(eye, middle(target), cell):
        near, far = side - margin, side + 1 + margin
        step = end - start
        if abs(step) < 1e-12:
            if not near <= start <= far:
                return False
            continue
        a, b = sorted(((near - start) / step, (far - start) / step))
        low, high = max(low, a), min(high, b)
    return low < high


def random_board(rng, n):
    board = {(0, 1, 0)}
    while len(board) < n:
        x, y, z = rng.choice(sorted(board))
        axis, way = rng.randrange(3), rng.choice((-1, 1))
        cell = (x + way * (axis == 0), y + way * (axis == 1), z + way * (axis == 2))
        if Cell(*cell).in_region:
            board.add(cell)
    return board


@pytest.fixture(scope="module")
def sampled():
    """(focus, board, pose) for blocks of many random structures."""
    poses = []
    for seed in range(60):
        rng = Random(f"boards {seed}")
        board = random_board(rng, 2 + seed)
        for focus in rng.sample(sorted(board), min(8, len(board))):
            for pose in poses_of(Cell(*focus), board, 2, seed=f"{seed} {focus}"):
                if pose is not None:
                    poses.append((Cell(*focus), board, pose))
    assert len(poses) > 700
    return poses


def test_the_reference_is_inside_the_field_of_view(sampled):
    for focus, _, pose in sampled:
        x, y, z = (a - b for a, b in zip(middle(focus), eye_of(pose)))
        # The direction to the reference, turned by the yaw: 0 faces +z, 90 faces -x (facts of the corpus).
        yaw = math.radians(pose.yaw)
        left, ahead = math.cos(yaw) * x + math.sin(yaw) * z, -math.sin(yaw) * x + math.cos(yaw) * z
        assert abs(math.degrees(math.atan2(left, ahead))) <= H / 2 + 0.01
        optimal_pitch = math.degrees(math.atan2(-y, math.hypot(x, z)))
        assert abs(pose.pitch - optimal_pitch) <= V / 2 + 0.01


def test_the_orientation_varies_around_the_optimal_one(sampled):
    off_yaw, off_pitch = [], []
    for focus, _, pose in sampled:
        x, y, z = (a - b for a, b in zip(middle(focus), eye_of(pose)))
        off_yaw.append((pose.yaw - math.degrees(math.atan2(-x, z)) + 180) % 360 - 180)
        off_pitch.append(pose.pitch - math.degrees(math.atan2(-y, math.hypot(x, z))))
    for offsets, half in ((off_yaw, H / 2), (off_pitch, V / 2)):
        mean = sum(offsets) / len(offsets)
        spread = math.sqrt(sum((off - mean) ** 2 for off in offsets) / len(offsets))
        assert abs(mean) < 0.1 * half
        assert 0.3 * half < spread < 0.6 * half  # normal, half the field of view being two deviations


@pytest.mark.slow
def test_nothing_stands_between_the_eyes_and_the_reference(sampled):
    for focus, board, pose in sampled:
        line = cells_on_the_line(eye_of(pose), middle(focus), samples=4000)
        between = {cell for cell in line if cell in board} - {tuple(focus)}
        # A corner grazed by less than the spacing of the samples counts for neither side.
        assert not [cell for cell in between if thick_hit(eye_of(pose), focus, cell, -1e-3)]


def test_the_builder_stands_in_no_block_and_never_below_the_ground(sampled):
    for _, board, pose in sampled:
        assert pose.y >= 1.0
        for x, y, z in board:
            apart = (
                pose.x + RADIUS <= x or pose.x - RADIUS >= x + 1
                or pose.z + RADIUS <= z or pose.z - RADIUS >= z + 1
                or pose.y + HEIGHT <= y or pose.y >= y + 1
            )  # fmt: skip
            assert apart, (pose, (x, y, z))


def test_the_yaw_is_within_30_degrees_of_the_grid_and_angles_are_in_range(sampled):
    for _, _, pose in sampled:
        assert off_grid(pose) <= 30.0 + 1e-9
        assert -180.0 <= pose.yaw < 180.0
        assert -90.0 <= pose.pitch <= 90.0


def test_distances_are_those_of_human_builders(sampled):
    distances = sorted(math.dist((pose.x, pose.y, pose.z), (f.x + 0.5, f.y, f.z + 0.5)) for f, _, pose in sampled)
    assert distances[0] >= 0.7
    assert distances[-1] <= 9.0 + 0.01
    assert 2.5 < distances[len(distances) // 2] < 5.0
    for focus, _, pose in sampled:
        assert math.hypot(pose.x - focus.x - 0.5, pose.z - focus.z - 0.5) >= 0.69  # never straight above or below
        assert max(abs(pose.x), abs(pose.z)) <= 10.5 and pose.y <= 11.0


def test_some_builders_stand_on_the_ground_and_others_fly(sampled):
    on_the_ground = sum(pose.y == 1.0 for _, _, pose in sampled) / len(sampled)
    assert 0.15 < on_the_ground < 0.5


def test_on_an_empty_board_every_heading_is_equally_likely():
    # Chi-square with 12 sectors, 11 degrees of freedom: 31.3 is the 0.1% point.
    poses = poses_of(OPEN, (), 2400)
    counts = [0] * 12
    for pose in poses:
        counts[int((math.degrees(math.atan2(pose.z - 0.5, pose.x - 0.5)) % 360.0) // 30.0)] += 1
    assert sum((count - 200) ** 2 / 200 for count in counts) < 31.3, counts


@pytest.mark.parametrize("weights", [(0.2, 1.0, 0.2, 1.0), (1.0, 0.5, 1.0, 0.5), (0.0, 1.0, 0.0, 1.0)])
def test_sides_are_taken_by_their_weights(weights):
    # 3 degrees of freedom, or 1: 16.3 is the 0.1% point of 3.
    poses = poses_of(OPEN, (), 2000, weights=weights)
    counts = [sum(side(pose) == one for pose in poses) for one in range(4)]
    expected = [2000 * weight / sum(weights) for weight in weights]
    assert all(count == 0 for count, weight in zip(counts, weights) if weight == 0.0)
    assert sum((n - wanted) ** 2 / wanted for n, wanted in zip(counts, expected) if wanted) < 16.3, counts


def test_a_side_without_weight_is_taken_if_no_other_will_do():
    poses = poses_of(OPEN, (), 30, suits=lambda pose: side(pose) == 0, weights=(0.0, 1.0, 0.0, 1.0))
    assert None not in poses and {side(pose) for pose in poses} == {0}


@pytest.mark.parametrize(
    ("farthest", "oblique", "share"),
    [(45.0, 1.0, 1 / 3), (37.5, 1.0, 0.2), (45.0, 0.5, 0.2), (30.0, 1.0, 0.0), (45.0, 0.0, 0.0)],
)
def test_yaws_far_off_the_grid_come_by_their_weight_and_up_to_where_all_is_clear(farthest, oblique, share):
    # All yaws are about equally likely, so that 15 degrees of 45 are a third. 0.03: three standard deviations.
    poses = poses_of(OPEN, (), 2000, farthest_off_grid=farthest, oblique=oblique)
    assert max(map(off_grid, poses)) <= (farthest if oblique else 30.0) + 1e-9
    assert sum(off_grid(pose) > 30.0 + 1e-9 for pose in poses) / 2000 == pytest.approx(share, abs=0.03)


@pytest.mark.parametrize("chosen", range(4))
def test_what_the_pose_must_suit_is_respected(chosen):
    def suits(pose):
        return side(pose) == chosen and pose.y > 2.0

    poses = poses_of(Cell(2, 2, -3), {(2, 2, -3), (2, 1, -3)}, 50, suits=suits)
    assert None not in poses
    assert all(map(suits, poses))


def test_there_is_no_pose_if_nothing_suits():
    assert poses_of(OPEN, (), 3, suits=lambda pose: False) == [None] * 3


def test_there_is_no_pose_for_a_block_that_is_walled_in():
    inside = Cell(0, 3, 0)
    assert poses_of(inside, {tuple(inside), *map(tuple, inside.neighbors)}, 3) == [None] * 3


def test_a_block_open_to_one_side_is_seen_from_there():
    wall = {(x, y, z) for x in (-1, 0, 1) for y in (1, 2, 3, 4) for z in (-1, 0, 1)} - {(1, 3, 0)}
    poses = [pose for pose in poses_of(Cell(0, 3, 0), wall, 20) if pose]
    assert len(poses) >= 10
    assert all(pose.x > 1.0 for pose in poses)


@settings(max_examples=300)
@given(
    cells(3, 5), st.tuples(st.floats(-6, 6), st.floats(2.62, 9), st.floats(-6, 6)), st.sets(cells(3, 5), max_size=40)
)
def test_visibility_is_what_clipping_the_line_to_every_block_finds(target, eye, board):
    eye = tuple(round(part, 3) for part in eye)
    others = [cell for cell in board if cell != target]
    # Lines that graze a block within a hundredth of a cell may count either way.
    hits = [cell for cell in others if thick_hit(eye, target, cell, -0.01)]
    grazes = [cell for cell in others if thick_hit(eye, target, cell, 0.01)]
    assume(bool(hits) or not grazes)
    assert is_visible(target, eye, board) == (not hits)
