"""Student's t distribution, for intervals and tests from a handful of seeds: normal ones would be too narrow."""

import math

import numpy as np

_NORMAL = 10_000.0  # degrees of freedom from which on it is taken for the normal distribution
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(256)


def two_sided_p(t: float, degrees: float) -> float:
    """How probable it is that |T| is at least |t|.

    Args:
        degrees: of freedom, at least 1; any real number, `math.inf` for the normal distribution.

    >>> round(two_sided_p(4.302653, 2), 6), round(two_sided_p(1.959964, math.inf), 6)
    (0.05, 0.05)
    """
    if degrees > _NORMAL:
        return math.erfc(abs(t) / math.sqrt(2))
    # With t = sqrt(degrees) tan(angle) the density is proportional to a power of the cosine.
    return _area(math.atan(abs(t) / math.sqrt(degrees)), degrees) / _area(0.0, degrees)


def two_sided_quantile(confidence: float, degrees: float) -> float:
    """The t with |T| <= t in this share of all cases.

    >>> round(two_sided_quantile(0.95, 10), 3)
    2.228
    """
    low, high = 0.0, 1.0
    while two_sided_p(high, degrees) > 1 - confidence:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if two_sided_p(middle, degrees) > 1 - confidence else (low, middle)
    return (low + high) / 2


def _area(low: float, degrees: float) -> float:
    """The integral of cos(angle) ** (degrees - 1) from `low` to a right angle."""
    half = (math.pi / 2 - low) / 2
    return half * float(_WEIGHTS @ np.cos(low + half * (_NODES + 1)) ** (degrees - 1))
