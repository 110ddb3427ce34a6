"""Parts of a split whose rows can be made anywhere: in any process and on any machine the rows are the same.

A shard is small and can be pickled: it holds where games lie, or which games to play, and makes their rows on demand.
"""

import gzip
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

import datasets

from bap_v2_dataset.augmentation.variants import augmented
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.labels.clean_test import clean_test
from bap_v2_dataset.labels.label import Label
from bap_v2_dataset.labels.readings import is_clear_and_kept, read_items
from bap_v2_dataset.loading.sampling import matched_sizes, sampled, shuffled
from bap_v2_simulators.corpora import games_of, simulator_of
from bap_v2_simulators.corpus_table import SIZES
from bap_v2_simulators.game import Game
from bap_v2_simulators.simulation import play

SHARDS_PER_SPLIT = 16


class KeptShard(NamedTuple):
    """A run of whole lines in a file of games; with `variants`, each game is followed by so many augmented ones."""

    path: str  # .gz: compressed
    start: int  # bytes, as they are without compression
    end: int
    variants: int = 0

    def games(self) -> Iterator[Game]:
        with _opened(self.path) as file:
            file.seek(self.start)
            while file.tell() < self.end:
                game = Game.from_json(file.readline())
                yield game
                yield from (augmented(game, variant + 1) for variant in range(self.variants))

    def rows(self) -> Iterator[dict[str, Any]]:
        for game in self.games():
            yield from map(row, items(game))


class ReadShard(NamedTuple):
    """A run of human train or validation games, whose items say how they are read and what the next turn does."""

    shard: KeptShard
    only_clear: bool = False  # without those that are unclear or undone

    def rows(self) -> Iterator[dict[str, Any]]:
        for game in self.shard.games():
            yield from (row(item) for item in read_items(game) if not self.only_clear or is_clear_and_kept(item))


class CleanTestShard(NamedTuple):
    """A run of test games, of which only the clean items are kept (3.2)."""

    shard: KeptShard
    labels: Sequence[Label]  # of these games at least
    source: str  # whose labels

    def rows(self) -> Iterator[dict[str, Any]]:
        for game in self.shard.games():
            labels = [label for label in self.labels if label.game_id == game.game_id]
            yield from map(row, clean_test(items(game), labels, self.source).items)


class SimulatedShard(NamedTuple):
    """A run of games that are played when their rows are needed."""

    simulator: str
    split: str
    seed: int
    games_with_turns: tuple[tuple[int, int], ...]
    settings: Mapping[str, Any] = {}

    def games(self) -> Iterator[Game]:
        simulator = simulator_of(self.simulator, self.settings)
        for index, turns in self.games_with_turns:
            yield play(simulator, self.split, index, self.seed, turns=turns)

    def rows(self) -> Iterator[dict[str, Any]]:
        for game in self.games():
            yield from map(row, items(game))


class MixedShard(NamedTuple):
    """Rows of other configs, by name and position."""

    sources: Mapping[str, datasets.Dataset]
    picks: Sequence[tuple[str, int]]

    def rows(self) -> Iterator[dict[str, Any]]:
        for name, position in self.picks:
            yield self.sources[name][position]


Shard = KeptShard | ReadShard | CleanTestShard | SimulatedShard | MixedShard


def _opened(path: str) -> BinaryIO:
    return cast(BinaryIO, (gzip.open if path.endswith(".gz") else open)(path, "rb"))


def kept_shards(path: Path) -> list[KeptShard]:
    """Return the games of a file, in order."""
    ends = [0]
    with _opened(str(path)) as file:
        for line in file:
            ends.append(ends[-1] + len(line))
    return [KeptShard(str(path), ends[a], ends[b]) for a, b in runs(len(ends) - 1)]


def simulated_shards(name: str, split: str, seed: int, settings: Mapping[str, Any]) -> list[SimulatedShard]:
    """Return the games of a synthetic corpus, in order; the published ones have no settings of their own."""
    games = [tuple(game) for game in games_of(simulator_of(name, settings), split, SIZES[name][split], seed)]
    return [SimulatedShard(name, split, seed, tuple(games[a:b]), settings) for a, b in runs(len(games))]


def mixed_shards(sources: Mapping[str, datasets.Dataset], picks: Sequence[tuple[str, int]]) -> list[MixedShard]:
    """Rows of other configs, in the order of `picks`."""
    return [MixedShard(sources, picks[a:b]) for a, b in runs(len(picks))]


def rows_shards(rows: datasets.Dataset, positions: Sequence[int] | None = None) -> list[MixedShard]:
    """Rows of another config, by default all, in order."""
    return mixed_shards({"": rows}, [("", n) for n in (range(len(rows)) if positions is None else positions)])


def joint_shards(
    sources: Mapping[str, Mapping[str, datasets.Dataset]], matched: bool = False
) -> dict[str, Sequence[MixedShard]]:
    """Return the train and validation rows of several configs, shuffled together, and a test split for each.

    Args:
        sources: by config its rows by split.
        matched: also a split `validation_matched`, the largest set of validation items in the proportions of train.
    """
    # Train and validation of all sources, shuffled.
    joint = {
        split: {name: rows[split] for name, rows in sources.items() if split in rows}
        for split in ("train", "validation")
    }
    order = {split: shuffled({name: rows["id"][:] for name, rows in of.items()}) for split, of in joint.items()}
    splits = {split: mixed_shards(joint[split], order[split]) for split in joint}
    # Of validation also the largest set in the proportions of train (11.2).
    if matched:
        train, validation = joint["train"], joint["validation"]
        sizes = matched_sizes(
            {name: len(rows) for name, rows in train.items()}, {name: len(rows) for name, rows in validation.items()}
        )
        chosen = {name: set(sampled(rows["id"][:], sizes.get(name, 0))) for name, rows in validation.items()}
        picks = [(name, position) for name, position in order["validation"] if position in chosen[name]]
        splits["validation_matched"] = mixed_shards(validation, picks)
    # A test split for each source.
    tests = {f"test_{name}": rows_shards(rows["test"]) for name, rows in sources.items() if "test" in rows}
    return splits | tests


def runs(length: int) -> "pairwise[tuple[int, int]]":
    """Return where each shard of so many rows or games begins and ends."""
    return pairwise(sorted({round(length * share / SHARDS_PER_SPLIT) for share in range(SHARDS_PER_SPLIT + 1)}))
