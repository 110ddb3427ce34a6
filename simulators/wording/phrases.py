"""A table of ways to say one thing, each as frequent as among human Architects.

`{r}` is the reference ("the last block"), `{c}` a color, `{n}` and `{m}` numbers, `{v}` a verb, `{g}` its -ing form,
`{np}` what is to be built, `{pp}` or `{at}` where, `{to}` a direction.

The weights are counts of our own phrases in the human train split (phrase_counts.json). No human sentence is kept.
"""

import json
from bisect import bisect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import accumulate
from typing import Generic, TypeVar

T = TypeVar("T")

TAIL = 0.04  # the share of a table that is spread evenly: what is correct and rare is heard, too


class Phrases(Generic[T], Sequence[T]):
    """Ways to say one thing.

    Args:
        name: under which they are counted; names of tables are unique.
        options: texts, or tuples that begin with a text ("place", "placing").
        counts: of each option; those of phrase_counts.json if they are not given.
    """

    __slots__ = ("_cumulative", "counts", "name", "options")

    def __init__(self, name: str, options: Iterable[T], counts: Sequence[int] | None = None):
        self.name = name
        self.options = tuple(options)
        if counts is None:
            known = _counts().get(name, {})
            counts = [known.get(text_of(option), 0) for option in self.options]
        self.counts = tuple(counts)
        total = sum(self.counts)
        even = (TAIL * total if total else 1.0) / len(self.options)
        weights = [(1.0 - TAIL) * count + even for count in self.counts]
        self._cumulative = [value / sum(weights) for value in accumulate(weights)]

    def at(self, share: float) -> T:
        """The option at this share of the table: a random number in [0, 1) draws one by its weight."""
        return self.options[min(bisect(self._cumulative, share), len(self.options) - 1)]

    def only(self, keep: Callable[[T], object]) -> "Phrases[T]":
        """Those options for which `keep` is true, with the weights that they have."""
        kept = [pair for pair in zip(self.options, self.counts, strict=True) if keep(pair[0])]
        return Phrases(self.name, [option for option, _ in kept], [count for _, count in kept])

    def __getitem__(self, index):
        return self.options[index]

    def __len__(self) -> int:
        return len(self.options)

    def __iter__(self) -> Iterator[T]:
        return iter(self.options)

    def __contains__(self, option: object) -> bool:
        return option in self.options

    def __repr__(self) -> str:
        return f"Phrases({self.name!r}, {len(self.options)} options)"


def text_of(option: object) -> str:
    """The text under which an option is counted."""
    return option if isinstance(option, str) else option[0]


@cache
def _counts() -> Mapping[str, Mapping[str, int]]:
    return json.loads(resources.files(__package__).joinpath("phrase_counts.json").read_text(encoding="utf-8"))
