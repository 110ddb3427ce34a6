"""How far a set of terms agrees with the right one: relations, colors, numbers and shapes (GSU, 3.1.2, 3.1.3, A.1).

All four are symmetric, lie in 0..1, and are 1 if both sides are empty.
"""

from collections.abc import Collection, Mapping
from functools import lru_cache
from itertools import permutations

from bap_v2_simulators.gsu.boxes import KINDS

# Tenths, for a shape that is called by another word (A.1); equal words have 10 and other pairs 0.
CREDITS = {
    frozenset(("row", "column")): 6,
    frozenset(("column", "tower")): 6,
    frozenset(("tower", "cube")): 5,
    frozenset(("row", "tower")): 2,
    frozenset(("tower", "plane")): 1,
    frozenset(("plane", "cube")): 1,
}
FULL_CREDIT = 10


def set_overlap(predicted: Collection, right: Collection) -> float:
    """O_S of relations and O_N of numbers: what is in both sets, of what is in either.

    >>> set_overlap({"above", "front", "left"}, {"front", "left"})
    0.6666666666666666
    """
    predicted, right = set(predicted), set(right)
    either = len(predicted | right)
    return len(predicted & right) / either if either else 1.0


def multiset_overlap(predicted: Mapping[str, int], right: Mapping[str, int]) -> float:
    """O_C of colors: how often each occurs in both, of how often in either.

    >>> multiset_overlap({"yellow": 1, "red": 1}, {"yellow": 2, "red": 1})
    0.6666666666666666
    """
    words = predicted.keys() | right.keys()
    either = sum(max(predicted.get(word, 0), right.get(word, 0)) for word in words)
    return sum(min(predicted.get(word, 0), right.get(word, 0)) for word in words) / either if either else 1.0


def shape_overlap(predicted: Mapping[str, int], right: Mapping[str, int]) -> float:
    """O_F of shape words: the best matching with credits, of predicted and right words without those matched twice.

    Equal words are matched first. Of the others only pairs with credit are matched, and the matching is the one with
    the greatest quotient.

    Args:
        predicted, right: how often each of KINDS occurs.

    >>> shape_overlap({"row": 1, "plane": 1, "tower": 1}, {"row": 1, "plane": 1, "cube": 1})
    0.8333333333333334
    """
    return _shape_overlap(
        tuple(predicted.get(kind, 0) for kind in KINDS), tuple(right.get(kind, 0) for kind in KINDS)
    )  # fmt: skip


@lru_cache(maxsize=16_384)
def _shape_overlap(predicted: tuple[int, ...], right: tuple[int, ...]) -> float:
    n_equal = sum(map(min, predicted, right))
    n_either = sum(predicted) + sum(right) - n_equal
    if not n_either:
        return 1.0
    # Now no kind is left on both sides.
    left = {kind: a - b for kind, a, b in zip(KINDS, predicted, right) if a > b}
    wanted = {kind: b - a for kind, a, b in zip(KINDS, predicted, right) if b > a}
    pairs = [
        (kind, other, credit) for kind in left for other in wanted if (credit := CREDITS.get(frozenset((kind, other))))
    ]
    # The kinds with credit are two triangles with the tower in both. Those of one side are never matched, so at most
    # four pairs remain, and they are no circle: then some order of the pairs, each matched as often as it can be,
    # gives each corner of the polytope of matchings, and the greatest quotient is at a corner.
    best, best_divisor = FULL_CREDIT * n_equal, FULL_CREDIT * n_either
    for order in permutations(pairs):
        credit, matched, here, there = 0, 0, dict(left), dict(wanted)
        for kind, other, of_pair in order:
            times = min(here[kind], there[other])
            here[kind] -= times
            there[other] -= times
            matched += times
            credit += of_pair * times
        total, divisor = FULL_CREDIT * n_equal + credit, FULL_CREDIT * (n_either - matched)
        if total * best_divisor > best * divisor:
            best, best_divisor = total, divisor
    return best / best_divisor
