"""The random stream of language."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from bap_v2_simulators.wording.phrases import Phrases, table

T = TypeVar("T")


class Words:
    """The random stream of language: it picks one of many ways to say a thing."""

    __slots__ = ("random",)

    def __init__(self, rng: Random):
        self.random = rng.random

    def pick(self, options: Phrases[T] | Sequence[T] | str) -> T:
        """Return one of the options: of a table (or of that with this name) by its weights, of other sequences each
        equally often."""
        share = self.random()
        if isinstance(options, str):
            options = table(options)
        if isinstance(options, Phrases):
            return options.at(share)
        return options[int(share * len(options))]

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.random() < probability
