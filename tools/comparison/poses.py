"""How Builders look at what they change: where they stand, how far off, and at which angles.

poses = PoseStatistics()
for item in items(game):
    poses.add(item)
poses.numbers()["yaw_off"]
"""

from array import array
from typing import Any

import numpy as np

from bap_v2_dataset.items.item import Item
from bap_v2_metric.actions import net_actions
from bap_v2_metric.blocks import EYE_HEIGHT, Cell
from bap_v2_simulators.view import off_cardinal
from bap_v2_simulators.viewpoint import HORIZONTAL_FOV


class PoseStatistics:
    """From where the Builder looks at what it changes first, item by item."""

    def __init__(self) -> None:
        self._poses = array("d")  # x, y, z, yaw, pitch
        self._lasting = array("b")  # x, y, z of the first cell whose change lasts: no temporary support

    def add(self, item: Item) -> None:
        """Takes one more item in."""
        pose = item.pose
        self._poses.extend((pose.x, pose.y, pose.z, pose.yaw, pose.pitch))
        self._lasting.extend(_first_lasting(item) or item.actions[0].cell)

    def numbers(self) -> dict[str, Any]:
        """Shares, and the quantiles of distances (cells) and angles (degrees).

        Angles are measured to the middle of the first cell whose change lasts, distances to the middle of its bottom.
        """
        if not self._poses:
            return {}
        x, y, z, yaw, pitch = np.frombuffer(self._poses).reshape(-1, 5).T
        cells = np.frombuffer(self._lasting, dtype=np.int8).reshape(-1, 3).T.astype(float)
        dx, dy, dz = cells[0] + 0.5 - x, cells[1] - y, cells[2] + 0.5 - z
        horizontal = np.hypot(dx, dz)
        yaw_off = _wrapped(yaw - np.degrees(np.arctan2(-dx, dz)))
        pitch_off = pitch - np.degrees(np.arctan2(-(dy + 0.5 - EYE_HEIGHT), horizontal))
        off_grid = np.array([off_cardinal(angle) for angle in yaw])
        return {
            "above_the_ground": float(np.mean(y > 1.0)),
            "outside_the_region": float(np.mean((np.abs(x - 0.5) > 5.5) | (np.abs(z - 0.5) > 5.5))),
            "y_median": float(np.median(y)),
            "y_95": float(np.percentile(y, 95)),
            "in_view": float(np.mean(np.abs(yaw_off) <= HORIZONTAL_FOV / 2)),
            "within_5_of_the_grid": float(np.mean(off_grid <= 5.0)),
            "within_20_of_the_grid": float(np.mean(off_grid <= 20.0)),
            "beyond_30_of_the_grid": float(np.mean(off_grid > 30.0)),
            "horizontal_distance": _quantiles(horizontal),
            "distance": _quantiles(np.hypot(horizontal, dy)),
            "yaw_off": _quantiles(yaw_off),
            "pitch_off": _quantiles(pitch_off),
            "pitch": _quantiles(pitch),
        }


def _first_lasting(item: Item) -> Cell | None:
    changed = {action.cell for action in net_actions(item.before, item.after)}
    return next((action.cell for action in item.actions if action.cell in changed), None)


def _wrapped(degrees: np.ndarray) -> np.ndarray:
    return (degrees + 180.0) % 360.0 - 180.0


def _quantiles(values: np.ndarray) -> dict[str, float]:
    quantiles = np.percentile(values, [5, 25, 50, 75, 95])
    return {
        **{name: float(value) for name, value in zip(("5%", "25%", "50%", "75%", "95%"), quantiles, strict=True)},
        "sd": float(np.std(values)),
    }
