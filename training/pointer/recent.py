"""The last results of a function, in any process."""

from collections.abc import Callable
from functools import lru_cache
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """A function of a number that keeps its last two results. It can be pickled, without them, if the function can."""

    def __init__(self, function: Callable[[int], T]):
        self._function = function
        self._kept = lru_cache(maxsize=2)(function)

    def __call__(self, number: int) -> T:
        return self._kept(number)

    def __reduce__(self) -> tuple:
        return Recent, (self._function,)
