"""Where training items come from: games that simulators play as they are needed, and rows of the dataset.

A source is a sequence of items without end, and each item is a function of the source's settings, the seed and its
number: whoever asks for it, and in whatever order.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count, islice, pairwise
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
from bap_v2_training.tasks.robustness import counts_of_variants, variants_chosen_once
from bap_v2_training.tasks.settings import RobustArguments

COLUMNS = ("id", "history", "dialogue", "pose", "before", "after", "actions")  # that are read of rows
_GAMES = 1_000_000  # numbers of games that a block may use
_LONGEST = 40  # actions of two turns that are joined

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
        return self.augmented(example, Random(f"pointer {self.seed} augmented {self.simulator.name} {place}"))

    def _new_block(self, block: int) -> list[PointerExample]:
        size = self.block if self.limit is None else min(self.block, self.limit - block * self.block)
        return list(islice(self._played(block * _GAMES), size))

    def _played(self, first: int) -> Iterator[PointerExample]:
        for index in count(first):
            for item in items(play(self.simulator, "train", index, self.seed)):
                yield centered(example_of_item(item))


class RowItems:
    """The rows of a split again and again: once each in every epoch, in an order of its own.

    Variants of rows come right after their parents. A row may come joined with the next turn of its game.
    """

    def __init__(
        self, name: str, seed: int, rows: Sequence[Mapping[str, Any]], augmented: Augmentation | None = None,
        variants: Sequence[Mapping[str, Any] | None] = (), joined: float = 0.0,
    ):  # fmt: skip
        """
        Args:
            name: of the source.
            rows: with COLUMNS; those of a game one after the other.
            augmented: makes another example of one; drawn by (seed, id of the row, epoch).
            variants: of each row the one that is learned with it, None for a row without; or none at all.
            joined: how often a row comes with the next one as one item; drawn by (seed, id of the row, epoch).
        """
        # Each row, with its variant after it
        self.name, self.seed, self.augmented, self.joined = name, seed, augmented, joined
        self._groups = [[number] for number in range(len(rows))]
        every = list(rows)
        for group, variant in zip(self._groups, variants):
            if variant is not None:
                group.append(len(every))
                every.append(variant)
        self.ids = [row["id"] for row in every]
        self.originals = [example_of_row(row) for row in every]
        # Some rows also as one item with the next turn
        both = [joined_turns(*pair) for pair in pairwise(rows)] if joined else []
        self._with_next = {number: example_of_row(row) for number, row in enumerate(both) if row is not None}
        if joined and not self._with_next:
            raise UsageError(
                f"joined_turns: no row of {name} follows the one before it in its game: their ids are GAME/NUMBER, and "
                "the rows of a game come one after the other"
            )
        self._order = Recent(self._new_order)

    def examples(self, start: int, number: int) -> list[PointerExample]:
        return [self._example(*divmod(place, len(self.originals))) for place in range(start, start + number)]

    def _example(self, epoch: int, place: int) -> PointerExample:
        index = self._order(epoch)[place]
        example = self.originals[index]
        if index in self._with_next:
            drawn = Random(f"pointer {self.seed} joined {self.ids[index]} {epoch}").random()
            example = self._with_next[index] if drawn < self.joined else example
        if self.augmented is not None:
            example = self.augmented(example, Random(f"pointer {self.seed} augmented {self.ids[index]} {epoch}"))
        return centered(example)

    def _new_order(self, epoch: int) -> list[int]:
        groups = list(self._groups)
        Random(f"pointer {self.seed} order {self.name} {epoch}").shuffle(groups)
        return [number for group in groups for number in group]


def joined_turns(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return two turns of a game as one item: what was said in both, and what was done, from the first pose and board.

    None, if the second does not follow the first in their game, or if both together are long.
    """
    (game, _, _), (same, _, _) = first["id"].rpartition("/"), second["id"].rpartition("/")
    if not game or game != same or sorted(first["after"]) != sorted(second["before"]):
        return None
    actions = [*first["actions"], *second["actions"]]
    if len(actions) > _LONGEST:
        return None
    return {
        **first, "dialogue": [*first["dialogue"], *second["dialogue"]], "actions": actions, "after": second["after"]
    }  # fmt: skip


def rows_of(name: str, split: str, max_items: int | None = None) -> list[dict[str, Any]]:
    """Return the rows of a split of a config of the dataset, or of own data: COLUMNS, and `interpretations` for scores.

    Args:
        name: `mdc`, or with a split of its own `mdc_v2:validation_clear`, or a file, a folder or USER/NAME[:CONFIG] on
            the Hub if it has a slash or a suffix.
    Raises:
        UsageError: there are no such rows, or some lack what is learned from.
    """
    try:
        return complete_rows(_loaded(name, split, max_items), COLUMNS, ["interpretations"])
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
