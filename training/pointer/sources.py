"""Where training items come from: games that simulators play as they are needed, and rows of the dataset.

A source is a sequence of items without end, and each item is a function of the source's settings, the seed and its
number: whoever asks for it, and in whatever order.
"""

from bisect import bisect
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, count, islice
from random import Random
from typing import Any, Generic, Protocol, TypeVar

from datasets import Dataset

from bap_v2_dataset.items.item import items
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.simulation import play
from bap_v2_simulators.simulator import Simulator
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.dataset_rows import complete_rows, config_and_split, load_rows
from bap_v2_training.pointer.examples import PointerExample, centered, example_of_item, example_of_row
from bap_v2_training.pointer.row_answers import AnswerSettings, answers_of, shares_of
from bap_v2_training.tasks.robustness import counts_of_variants, variants_chosen_once
from bap_v2_training.tasks.settings import RobustArguments

COLUMNS = ("id", "history", "dialogue", "pose", "before", "after", "actions")  # that are read of rows
_GAMES = 1_000_000  # numbers of games that a block may use

Augmentation = Callable[[PointerExample, Random], PointerExample]
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


class ExampleSource(Protocol):
    """Items without end."""

    def examples(self, start: int, number: int) -> list[PointerExample]:
        """So many items, from this number on."""


class SimulatedItems:
    """New items of one simulator, of its train split: none comes twice, unless their number is limited.

    Games are played in blocks. Block 0 has the first items of games 0, 1, 2, ..., block 1 those of games 1,000,000,
    1,000,001, ..., so that each can be made without the others. The last game of a block may be cut.
    """

    def __init__(
        self, name: str, seed: int, block: int, settings: Mapping[str, Any] = {}, limit: int | None = None,
        augmented: Augmentation | None = None,
    ):  # fmt: skip
        """
        Args:
            block: how many items a block has.
            settings: of the simulator, by name, as for `corpora.simulator_of`.
            limit: how many different items there are: after the last comes the first again.
            augmented: makes another example of one, a new one each time it comes; drawn by (seed, number).
        Raises:
            SettingsError: for an unknown setting.
        """
        self.simulator: Simulator = simulator_of(name, settings)
        self.seed, self.block, self.limit, self.augmented = seed, block, limit, augmented
        self._block = Recent(self._new_block)  # two stretches of items in a row share one at most

    def examples(self, start: int, number: int) -> list[PointerExample]:
        return [self._example(place) for place in range(start, start + number)]

    def _example(self, place: int) -> PointerExample:
        item = place if self.limit is None else place % self.limit
        example = self._block(item // self.block)[item % self.block]
        if self.augmented is None:
            return example
        return centered(self.augmented(example, Random(f"pointer {self.seed} augmented {self.simulator.name} {place}")))

    def _new_block(self, block: int) -> list[PointerExample]:
        size = self.block if self.limit is None else min(self.block, self.limit - block * self.block)
        return list(islice(self._played(block * _GAMES), size))

    def _played(self, first: int) -> Iterator[PointerExample]:
        for index in count(first):
            for item in items(play(self.simulator, "train", index, self.seed)):
                yield centered(example_of_item(item))


class RowItems:
    """The rows of a split again and again: once each in every epoch, in an order of its own.

    Variants of rows come right after their parents. Of several answers of a row one is drawn in each epoch. With
    weights an epoch has as many rows as these sum to, each at most once and as often as its weight says.
    """

    def __init__(
        self, name: str, seed: int, rows: Sequence[Mapping[str, Any]], augmented: Augmentation | None = None,
        variants: Sequence[Mapping[str, Any] | None] = (), answers: AnswerSettings | None = None,
    ):  # fmt: skip
        """
        Args:
            name: of the source.
            rows: with COLUMNS; those of a game one after the other.
            augmented: makes another example of one; drawn by (seed, id of the row, epoch).
            variants: of each row the one that is learned with it, None for a row without; or none at all.
            answers: how often which answer of a row is learned, without variants. None: what was built.
        """
        # Each row, with its variant after it
        self.name, self.seed, self.augmented = name, seed, augmented
        self._groups = [[number] for number in range(len(rows))]
        every = list(rows)
        for group, variant in zip(self._groups, variants):
            if variant is not None:
                group.append(len(every))
                every.append(variant)
        self.ids = [row["id"] for row in every]
        self.originals = [example_of_row(row) for row in every]
        # The answers of the rows, and how many items an epoch has
        self._answers = answers_of(name, rows, self.originals, answers) if answers is not None else []
        self.shares = shares_of(self._answers) if self._answers else {}
        weighted = answers is not None and answers.weights
        self.weights = [sum(answer.weight for answer in own) for own in self._answers] if weighted else []
        self._epoch = max(1, int(sum(self.weights) + 1e-6)) if weighted else len(every)
        self._order = Recent(self._new_order)

    def examples(self, start: int, number: int) -> list[PointerExample]:
        return [self._example(*divmod(place, self._epoch)) for place in range(start, start + number)]

    def _example(self, epoch: int, place: int) -> PointerExample:
        index = self._order(epoch)[place]
        example = self.originals[index]
        if self._answers and len(own := self._answers[index]) > 1:
            rng = Random(f"pointer {self.seed} joined {self.ids[index]} {epoch}")
            example = rng.choices(own, [answer.weight for answer in own])[0].example
        if self.augmented is not None:
            example = self.augmented(example, Random(f"pointer {self.seed} augmented {self.ids[index]} {epoch}"))
        return centered(example)

    def _new_order(self, epoch: int) -> list[int]:
        groups = list(self._groups)
        rng = Random(f"pointer {self.seed} order {self.name} {epoch}")
        rng.shuffle(groups)
        if self.weights:
            # The weights one after the other are a line, which equal steps from a random start on cut
            ends = list(accumulate(self.weights[number] for (number,) in groups))
            step, start = ends[-1] / self._epoch, rng.random()
            cuts = ((number + start) * step for number in range(self._epoch))
            groups = [groups[bisect(ends, cut, hi=len(ends) - 1)] for cut in cuts]
        return [number for group in groups for number in group]


def rows_of(name: str, split: str, max_items: int | None = None) -> list[dict[str, Any]]:
    """Return the rows of a split of a config of the dataset, or of own data: COLUMNS, and what else is read if there.

    Args:
        name: `mdc`, or with a split of its own `mdc_v2:validation_clear`, or a file, a folder or USER/NAME[:CONFIG] on
            the Hub if it has a slash or a suffix.
    Raises:
        UsageError: there are no such rows, or some lack what is learned from.
    """
    try:
        return complete_rows(_loaded(name, split, max_items), COLUMNS, ["interpretations", "metadata"])
    except UsageError as error:
        raise UsageError(f"{name}: {error}") from error


def variants_in(name: str, robust: RobustArguments) -> tuple[list[dict[str, Any] | None], dict[str, Any]]:
    """Of each train row the variant that is learned with it, in the order of `rows_of`, and what to record of them.

    Raises:
        UsageError: no row has any.
    """
    rows = _loaded(name, "train").to_list()
    variants = variants_chosen_once(rows, robust)
    return variants, counts_of_variants(len(rows), [variant for variant in variants if variant is not None])


def _loaded(name: str, split: str, max_items: int | None = None) -> Dataset:
    if "/" in name or "." in name:
        return load_rows(None, split, name, max_items)
    return load_rows(*config_and_split(name, split), None, max_items)
