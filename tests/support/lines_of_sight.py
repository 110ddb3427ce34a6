"""An oracle for what lies on a line: many points of it, and nothing to get wrong."""

from collections import Counter
from collections.abc import Sequence

import numpy as np


def cells_on_the_line(start: Sequence[float], end: Sequence[float], samples: int) -> Counter[tuple[int, int, int]]:
    """How many of the evenly spaced points from start to end (without the end) lie in each cell."""
    shares = np.arange(samples)[:, None] / samples
    points = np.asarray(start) + (np.asarray(end) - np.asarray(start)) * shares
    return Counter(map(tuple, np.floor(points).astype(int).tolist()))
