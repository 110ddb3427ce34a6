"""The cells of the BuildRegion, 11 x 9 x 11, as numbers 0 to 1,088: x, then y, then z.

The functions take whole numbers and arrays or tensors of them.
"""

from typing import TypeVar

from bap_v2_metric.blocks import X_MAX, X_MIN, Y_MAX, Y_MIN, Z_MAX, Z_MIN

SHAPE = WIDTH, HEIGHT, DEPTH = X_MAX - X_MIN + 1, Y_MAX - Y_MIN + 1, Z_MAX - Z_MIN + 1
CELLS = WIDTH * HEIGHT * DEPTH  # 1,089
FIRST = (X_MIN, Y_MIN, Z_MIN)  # the cell with number 0

Numbers = TypeVar("Numbers")  # int, numpy.ndarray or torch.Tensor


def cell_number(x: Numbers, y: Numbers, z: Numbers) -> Numbers:
    """Return the number of a cell of the region.

    >>> cell_number(-5, 1, -5), cell_number(-5, 1, -4), cell_number(5, 9, 5)
    (0, 1, 1088)
    """
    return ((x - X_MIN) * HEIGHT + y - Y_MIN) * DEPTH + z - Z_MIN


def coordinates(number: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Return the inverse of `cell_number`.

    >>> coordinates(1088)
    (5, 9, 5)
    """
    return number // (HEIGHT * DEPTH) + X_MIN, number // DEPTH % HEIGHT + Y_MIN, number % DEPTH + Z_MIN
