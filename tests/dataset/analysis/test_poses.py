"""Where human Builders stand and look: the known figures of the corpus."""

import pytest

from bap_v2_dataset.analysis.poses import PoseStatistics

# 6,656 items: the figures by which the simulators are judged, to the digits that are known.
HUMAN_SHARES = {"above_the_ground": 0.70, "outside_the_region": 0.21, "in_view": 0.90,
                "within_5_of_the_grid": 0.49, "within_20_of_the_grid": 0.78}  # fmt: skip
HUMAN_QUANTILES = {  # 5, 25, 50, 75 and 95%, standard deviation
    "horizontal_distance": (0.95, 2.2, 3.2, 4.6, 7.0, 2.0),
    "distance": (1.3, 2.5, 3.5, 5.0, 7.5, 2.0),
    "yaw_off": (-52, -16, -1, 15, 51, 36),
    "pitch_off": (-23, -4, 6, 16, 32, 18),
    "pitch": (-7, 13, 27, 41, 68, 22),
}


@pytest.fixture(scope="module")
def human_poses(mdc_items):
    """Where human Builders look from."""
    poses = PoseStatistics()
    for split in mdc_items.values():
        for item in split:
            poses.add(item)
    return poses


def test_human_poses_are_those_that_were_measured_before(human_poses):
    numbers = human_poses.numbers(corners=True)
    assert {name: round(numbers[name], 2) for name in HUMAN_SHARES} == HUMAN_SHARES
    assert numbers["y_median"] == pytest.approx(3.0, abs=0.05)
    assert numbers["y_95"] == pytest.approx(6.9, abs=0.06)
    for name, expected in HUMAN_QUANTILES.items():
        for value, known in zip(numbers[name].values(), expected, strict=True):
            assert value == pytest.approx(known, abs=0.06 if "distance" in name else 0.55), name


def test_a_yaw_is_more_precise_when_it_is_measured_to_the_middle_of_the_block(human_poses):
    corners, middles = human_poses.numbers(corners=True)["yaw_off"], human_poses.numbers()["yaw_off"]
    assert middles["sd"] < corners["sd"] - 3.0
    assert middles["75%"] - middles["25%"] < corners["75%"] - corners["25%"] - 5.0
