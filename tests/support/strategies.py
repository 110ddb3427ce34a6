"""Hypothesis strategies for the metric's values."""

from hypothesis import strategies as st

from bap_v2_metric.actions import Place, Remove
from bap_v2_metric.alignment import Transform
from bap_v2_metric.blocks import Block, Cell, Color, Structure

colors = st.sampled_from(list(Color))


def cells(reach: int = 5, height: int = 9):
    """Cells with x and z in -reach..reach and y in 1..height."""
    flat = st.integers(-reach, reach)
    return st.builds(Cell, flat, st.integers(1, height), flat)


def structures(max_size: int = 12, reach: int = 5, height: int = 4):
    """Structures of few colors, so that blocks have something to match."""
    blocks = st.dictionaries(cells(reach, height), st.sampled_from(list(Color)[:3]), max_size=max_size)
    return blocks.map(Structure.from_colors)


def action_lists(max_size: int = 15, reach: int = 3):
    """Actions close together, feasible or not."""
    near = cells(reach, 3)
    return st.lists(st.one_of(st.builds(Place, colors, near), st.builds(Remove, near)), max_size=max_size)


@st.composite
def transforms_within(draw, structure: Structure):
    """An allowed transform of a structure: it stays inside the BuildRegion."""
    turns = draw(st.integers(0, 3))
    turned = [Transform(turns, 0, 0)(cell) for _, cell in structure] or [Cell(0, 1, 0)]
    xs, zs = [cell.x for cell in turned], [cell.z for cell in turned]
    dx = draw(st.integers(-5 - min(xs), 5 - max(xs)))
    dz = draw(st.integers(-5 - min(zs), 5 - max(zs)))
    return Transform(turns, dx, dz)


blocks = st.builds(Block, colors, cells())

# As in the rows: cells and degrees; also outside the BuildRegion.
poses = st.builds(
    lambda x, y, z, yaw, pitch: {"x": x, "y": y, "z": z, "yaw": yaw, "pitch": pitch},
    *[st.floats(low, high) for low, high in ((-12, 12), (1, 8), (-12, 12), (-180, 179.9), (-60, 85))],
)
