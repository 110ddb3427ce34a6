"""Walks of some steps: what Follower, Instructor and Card2Ego are asked about (GSU, 3.1.1).

A walk is drawn once for each number of dimensions: item i of every navigation config has the same directions and
lengths, only what is told and what is asked differ.
"""

from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from random import Random
from typing import ClassVar

from bap_v2_simulators.gsu.streams import split_of, stream
from bap_v2_simulators.gsu.walks import WalkStep, chain_text, directions_of, plain
from bap_v2_simulators.settings import SettingsError

_TRIES = 10_000  # half of all chains belong to train, a quarter each to the others: this many are never needed


@dataclass(frozen=True)
class Navigation:
    """Walks whose number of steps goes round from 1 to `most_steps`, with no direction twice in a row."""

    name: ClassVar[str] = "navigation"
    version: ClassVar[str] = "1.0.0"

    dims: int = 2
    fewest_steps: int = 1
    most_steps: int = 4
    longest: int = 10  # cells of a step
    decimals: int = 0  # of the length of a step

    def __post_init__(self) -> None:
        """Raises: SettingsError for values that make no walks."""
        if self.dims not in (2, 3):
            raise SettingsError(f"dims={self.dims}: expected 2 or 3")
        for name, least, most in (
            ("fewest_steps", 1, 1000),
            ("most_steps", self.fewest_steps, 1000),
            ("longest", 1, 1_000_000),
            ("decimals", 0, 6),
        ):
            value = getattr(self, name)
            if not isinstance(value, int) or not least <= value <= most:
                raise SettingsError(f"{name}={value}: expected a whole number from {least} to {most}")

    def item(self, split: str, seed: int, index: int) -> tuple[WalkStep, ...]:
        """Return the steps of a walk, a function of the settings and the arguments.

        Raises:
            SettingsError: as `streams.stream`, and if the settings leave the split no walk.
        """
        rng = stream(self.name, self.version, str(self.dims), split, seed, index, "steps")
        n = self.fewest_steps + index % (self.most_steps - self.fewest_steps + 1)
        for _ in range(_TRIES):
            steps = self.sample(rng, n)
            if split_of(f"{self.dims} {chain_text(steps)}") == split:
                return steps
        raise SettingsError(f"no walk of {n} steps for the split {split!r}: allow longer steps ({self})")

    def sample(self, rng: Random, n: int) -> tuple[WalkStep, ...]:
        """n steps: directions uniform over those that differ from the one before, lengths uniform."""
        words, longest, draw = directions_of(self.dims), self.longest * 10**self.decimals, rng.random
        choices, steps = self._next, []
        word = words[int(draw() * len(words))]
        for _ in range(n):
            units = 1 + int(draw() * longest)
            steps.append(WalkStep(word, units if not self.decimals else plain(Decimal(units).scaleb(-self.decimals))))
            following = choices[word]
            word = following[int(draw() * len(following))]
        return tuple(steps)

    @cached_property
    def _next(self) -> dict[str, tuple[str, ...]]:
        """The directions that may follow each."""
        words = directions_of(self.dims)
        return {word: tuple(other for other in words if other != word) for word in words}
