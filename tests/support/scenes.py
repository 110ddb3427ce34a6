"""Boards, poses and scenes for tests of the language."""

from random import Random

from hypothesis import strategies as st
from strategies import cells

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.language.references import Scene
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.pose import Pose, wrapped_yaw
from bap_v2_simulators.view import View

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
