"""The Builder's view: Minecraft's yaw convention, and the coordinates that the logs themselves record."""

import json
import math
import os
import tarfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_simulators.pose import Pose, perspective_coordinates, wrapped_yaw

angles = st.floats(-1e4, 1e4, allow_nan=False)
coordinates = st.floats(-20, 20, allow_nan=False)
poses = st.builds(
    Pose, coordinates, coordinates, coordinates, st.floats(-180, 180, exclude_max=True), st.floats(-90, 90)
)


@pytest.mark.parametrize(
    ("yaw", "ahead", "left"),
    [
        (0, (0, 0, 1), (1, 0, 0)),
        (90, (-1, 0, 0), (0, 0, 1)),
        (-180, (0, 0, -1), (-1, 0, 0)),
        (-90, (1, 0, 0), (0, 0, -1)),
    ],
)
def test_the_four_directions(yaw, ahead, left):
    pose = Pose(2.0, 1.0, -3.0, float(yaw), 0.0)

    def at(direction, steps=2):
        return [place + steps * part for place, part in zip((2.0, 1.0, -3.0), direction)]

    assert perspective_coordinates(at(ahead), pose) == pytest.approx((0, 0, 2), abs=1e-12)
    assert perspective_coordinates(at(left), pose) == pytest.approx((2, 0, 0), abs=1e-12)
    assert perspective_coordinates(at((0, 1, 0)), pose) == pytest.approx((0, 2, 0), abs=1e-12)


def test_looking_straight_down_the_ground_below_is_ahead_and_what_was_ahead_is_above():
    pose = Pose(0.0, 5.0, 0.0, yaw=0.0, pitch=90.0)
    assert perspective_coordinates((0, 1, 0), pose) == pytest.approx((0, 0, 4), abs=1e-12)
    assert perspective_coordinates((0, 5, 2), pose) == pytest.approx((0, 2, 0), abs=1e-12)


@given(poses, st.tuples(coordinates, coordinates, coordinates))
def test_distances_do_not_depend_on_the_view(pose, point):
    seen = math.hypot(*perspective_coordinates(point, pose))
    assert seen == pytest.approx(math.dist(point, (pose.x, pose.y, pose.z)), abs=1e-9)


@given(poses, st.tuples(coordinates, coordinates, coordinates))
def test_turning_world_and_builder_together_changes_nothing(pose, point):
    # One quarter turn takes (x, z) to (-z, x) and adds 90 degrees to the yaw (as in `bap_v2_metric.alignment`).
    turned = Pose(-pose.z, pose.y, pose.x, wrapped_yaw(pose.yaw + 90), pose.pitch)
    x, y, z = point
    assert perspective_coordinates((-z, y, x), turned) == pytest.approx(perspective_coordinates(point, pose), abs=1e-9)


@given(angles)
def test_a_wrapped_yaw_is_in_range_and_the_same_direction(yaw):
    wrapped = wrapped_yaw(yaw)
    assert -180.0 <= wrapped < 180.0
    assert math.cos(math.radians(wrapped - yaw)) == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["x", "y", "z", "yaw", "pitch"])
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_pose_of_numbers_that_are_not_finite_is_refused(name, value):
    values = dict.fromkeys(("x", "y", "z", "yaw", "pitch"), 0.0)
    with pytest.raises(ValueError, match=f"finite.*{name}={value}"):
        Pose(**values | {name: value})


def raw_logs(corpus: Path):
    """The logs as they lie, read with the standard library: nothing of ours stands between them and the test."""
    if corpus.is_dir():
        for path in sorted(corpus.rglob("postprocessed-observations.json")):
            yield path.read_bytes()
    else:
        with tarfile.open(corpus) as archive:
            for member in archive:
                if os.path.basename(member.name) == "postprocessed-observations.json":
                    yield archive.extractfile(member).read()


@pytest.mark.slow
def test_perspective_coordinates_are_those_in_the_logs_over_the_whole_corpus(corpus):
    # The logs measure from the floor of the Builder's position.
    if corpus.suffix == ".zip":
        pytest.skip("reads a directory or a tar archive")
    logs = blocks = 0
    worst = 0.0
    for data in raw_logs(corpus):
        logs += 1
        for state in json.loads(data)["WorldStates"]:
            position = state["BuilderPosition"]
            if position is None:
                continue
            pose = Pose(*(math.floor(position[axis]) for axis in "XYZ"), yaw=position["Yaw"], pitch=position["Pitch"])
            for block in state["BlocksInGrid"]:
                seen = perspective_coordinates([block["AbsoluteCoordinates"][axis] for axis in "XYZ"], pose)
                logged = block["PerspectiveCoordinates"]
                worst = max(worst, *(abs(value - logged[axis]) for value, axis in zip(seen, "XYZ")))
                blocks += 1
    assert logs == 547 and blocks > 400_000
    assert worst < 1e-6
