"""An error analysis: the scores of systems on the items of a test set, in bins."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

Labels = tuple[str, ...]  # the bins that an item is in: none, one, or several


@dataclass(frozen=True)
class Dimension:
    """One way to put items into bins."""

    name: str  # of files and in code
    title: str
    bins: Callable[[Mapping], Labels]  # from a row
    order: Labels  # of the bins; others follow in alphabetical order
    overlapping: bool = False  # an item can be in several bins


@dataclass(frozen=True)
class Bin:
    """The scores of all systems on the items of a bin."""

    dimension: Dimension
    label: str
    n_items: int
    f1: tuple[float, ...]  # fairer F1, 0..1, one per system
    intervals: tuple[tuple[float, float], ...]  # empty without resampling
