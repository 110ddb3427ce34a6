"""Training batches without end: simulated and human items in fixed shares, mixed and sorted by length.

A stream is cut into chunks. Chunk c is a function of the settings, the seed and c: so a training that is resumed gets
the batches that it would have got, and several processes and workers make different chunks without knowing of one
another.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Any

import numpy as np
from torch.utils.data import IterableDataset, get_worker_info

from bap_v2_simulators.corpora import SIMULATORS
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.vocabulary import Vocabulary
from bap_v2_training.pointer.augmentation import AugmentationSettings, augmented, has_paraphrases
from bap_v2_training.pointer.examples import PointerExample
from bap_v2_training.pointer.features import EVERYTHING, PLAIN, UNKNOWN, FeatureSettings, PackedItems, vocabulary_of
from bap_v2_training.pointer.row_answers import TURNS, AnswerSettings
from bap_v2_training.pointer.shards import ShardItems, shards_in
from bap_v2_training.pointer.sources import ExampleSource, RowItems, SimulatedItems, rows_of, variants_in
from bap_v2_training.tasks.settings import RobustArguments

ALL = "all"  # settings of every simulator
_ANSWERS = ("joined_turns", "readings", "repairs", "synthetic_instructions", "next_turn_weights")  # those of rows
_READ_AT_ONCE = 1_000  # streamed rows whose words are counted together

Batch = dict[str, np.ndarray]


@dataclass(frozen=True)
class StreamSettings:
    """The items that are learned, and how they come together."""

    mix: Mapping[str, float]  # the weight of each source: dr, dsb, dss, dh, or a name of `rows`
    seed: int
    batch_size: int
    simulators: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # settings by simulator, or by ALL
    rows: Mapping[str, str] = field(default_factory=dict)  # configs, or own data, by the name of a source
    augmentation: Mapping[str, AugmentationSettings] = field(default_factory=dict)  # by source
    word_dropout: Mapping[str, float] = field(default_factory=dict)  # share of words that become <unk>, by source
    simulated_items: int | None = None  # only so many different ones, all simulators together
    chunk_items: int = 8192
    robust: RobustArguments = field(default_factory=RobustArguments, repr=False)  # variants that are learned with rows
    joined_turns: Mapping[str, float] = field(default_factory=dict, repr=False)  # share of items, by source of rows
    readings: Mapping[str, float] = field(default_factory=dict, repr=False)  # see `AnswerSettings`, by source of rows
    repairs: Mapping[str, float] = field(default_factory=dict, repr=False)
    synthetic_instructions: Mapping[str, float] = field(default_factory=dict, repr=False)
    next_turn_weights: Mapping[str, float] = field(default_factory=dict, repr=False)  # by `row_answers.TURNS`
    streaming: bool = field(default=False, repr=False)  # rows of Parquet files are read as they are needed

    def __post_init__(self) -> None:
        # Names of sources
        sources = (*SIMULATORS, *self.rows)
        if taken := [name for name in self.rows if name in SIMULATORS]:
            raise UsageError(f"rows: {taken[0]} is the name of a simulator: name the rows otherwise")
        for name, known in (
            ("mix", sources), ("word_dropout", sources), ("augmentation", sources),
            ("simulators", (*SIMULATORS, ALL)), ("next_turn_weights", TURNS),
            *((name, tuple(self.rows)) for name in _ANSWERS[:-1]),
        ):  # fmt: skip
            if unknown := [key for key in getattr(self, name) if key not in known]:
                what = "turn" if known == TURNS else "source"
                expected = ", ".join(known) or "none"
                raise UsageError(f"{name}: unknown {what} {unknown[0]!r} (expected one of {expected})")
        # Settings that do not go together
        if not self.mix or min(self.mix.values()) < 0 or not sum(self.mix.values()):
            raise UsageError(f"mix: {dict(self.mix)} (expected a positive weight for some source, e.g. dsb: 1.0)")
        if self.robust.robust and not any(self.mix.get(name) for name in self.rows):
            raise UsageError(
                "robust training needs rows, and new items of simulators are none: set e.g. rows: {items: dsb} and "
                "mix: {items: 1.0}"
            )
        if self.streaming and self.robust.robust:
            raise UsageError("robust training holds its rows in memory: leave out streaming, or robust")
        for name in _ANSWERS:
            if getattr(self, name) and (self.streaming or self.robust.robust):
                raise UsageError(f"{name} needs rows in memory, without variants: leave out streaming and robust")
        # Numbers
        for name in ("word_dropout", *_ANSWERS):
            below = name in ("word_dropout", "joined_turns")  # of all, nothing would be left as it is
            if wrong := [one for one in getattr(self, name).values() if not 0.0 <= one <= 1.0 or (below and one == 1)]:
                expected = "rate from 0 to below 1" if below else "number from 0 to 1"
                raise UsageError(f"{name} is {wrong[0]}: expected a {expected}")
        for name in ("batch_size", "simulated_items"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError(f"{name} is {value}: expected a positive number")

    @property
    def batches_per_chunk(self) -> int:
        """Number of batches in a chunk."""
        return max(1, self.chunk_items // self.batch_size)

    def answers(self, name: str) -> AnswerSettings | None:
        """Return how often which answers of a source of rows are learned; None if what was built always is."""
        shares = self.joined_turns.get(name, 0.0), self.readings.get(name, 0.0), self.repairs.get(name)
        weights, synthetic = self.next_turn_weights, self.synthetic_instructions.get(name, 0.0)
        return AnswerSettings(*shares, weights, synthetic) if any(shares) or weights or synthetic else None

    def items_per_chunk(self) -> dict[str, int]:
        """Count the items of each source in a chunk: whole batches together, in the proportions of `mix`."""
        return _shares(self.mix, self.batches_per_chunk * self.batch_size)


class Sources:
    """The sources that the settings name, those that are not in the mix for their words alone."""

    def __init__(self, settings: StreamSettings):
        """Raises: UsageError, or SettingsError of a simulator, for what there is not."""
        # Simulators in the mix, each with its settings
        self.settings = settings
        numbers = settings.items_per_chunk()
        simulated = {name: weight for name, weight in settings.mix.items() if name in SIMULATORS and weight}
        limits: Mapping[str, int | None] = dict.fromkeys(SIMULATORS)
        if settings.simulated_items is not None:
            limits = {name: max(1, share) for name, share in _shares(simulated, settings.simulated_items).items()}
        forms = {name: partial(augmented, settings=change) for name, change in settings.augmentation.items()}
        every = settings.simulators.get(ALL, {})
        self.simulated = {}
        for name in simulated:
            own = {**every, **settings.simulators.get(name, {})}
            self.simulated[name] = SimulatedItems(
                name, settings.seed, numbers[name], own, limits[name], forms.get(name)
            )
        # Rows, in memory or read as they are needed
        self.rows, self.shards, self.variants = {}, {}, {}
        for name, config in settings.rows.items():
            if settings.streaming and (paths := shards_in(config)):
                self.shards[name] = ShardItems(name, settings.seed, paths, forms.get(name))
                continue
            variants: Sequence[Mapping[str, Any] | None] = ()
            if settings.robust.robust and settings.mix.get(name):
                variants, self.variants[name] = variants_in(config, settings.robust)
            rows = rows_of(config, "train")
            self.rows[name] = RowItems(name, settings.seed, rows, forms.get(name), variants, settings.answers(name))
        for name, change in settings.augmentation.items():
            known = self.rows[name].originals if name in self.rows else ()
            if change.paraphrases and name not in self.shards and not any(map(has_paraphrases, known)):
                raise UsageError(
                    f"augmentation: no line of {name} has paraphrases; lines of mdc, split train, have some"
                )
        if settings.next_turn_weights and all(one == 1.0 for rows in self.rows.values() for one in rows.weights):
            raise UsageError(
                'next_turn_weights: all rows have 1: metadata["annotation"] needs next_turn or clear, as that of mdc'
            )
        if settings.streaming and not self.shards:
            raise UsageError(
                f"streaming: none of the rows ({', '.join(settings.rows.values()) or 'none were named'}) is a Parquet "
                "file or a folder of them: name one, e.g. rows: {big: FOLDER}, or leave out streaming"
            )

    def __getitem__(self, name: str) -> ExampleSource:
        return self.simulated[name] if name in SIMULATORS else self.shards.get(name) or self.rows[name]

    def vocabulary(self, items: int, least: int) -> Vocabulary:
        """The words that occur at least so many times in the rows, of which so many are read where they are streamed.

        Args:
            items: of each simulator, and of each source of streamed rows.
        """
        return vocabulary_of(self._read(items), least)

    def _read(self, read: int) -> Iterator[PointerExample]:
        for source in self.simulated.values():
            number = min(read, source.limit or read)
            for start in range(0, number, source.block):
                yield from source.examples(start, min(source.block, number - start))
        for shards in self.shards.values():
            number = min(read, len(shards))
            for start in range(0, number, _READ_AT_ONCE):
                yield from shards.examples(start, min(_READ_AT_ONCE, number - start))
        for rows in self.rows.values():
            yield from rows.originals

    def counts(self) -> dict[str, int | None]:
        """Count the different items of the sources of the mix; None: as many as are asked for."""
        return {
            name: (self.simulated[name].limit if name in SIMULATORS else self._rows_in(name))
            for name, weight in self.settings.mix.items()
            if weight
        }

    def _rows_in(self, name: str) -> int:
        return len(self.shards[name]) if name in self.shards else len(self.rows[name].originals)

    def fingerprint(self) -> dict[str, str]:
        """Return what the order of streamed rows depends on besides the settings, by source."""
        return {name: shards.sha256 for name, shards in self.shards.items()}


class Chunks:
    """The chunks of a stream: batches by (chunk, number in the chunk)."""

    def __init__(self, sources: Sources, vocabulary: Vocabulary, features: FeatureSettings = EVERYTHING):
        self.settings = sources.settings
        self._sources, self._vocabulary, self._features = sources, vocabulary, features
        self._numbers = {name: number for name, number in self.settings.items_per_chunk().items() if number}

    def chunk(self, chunk: int, first: int = 0) -> Iterator[Batch]:
        """Yield the batches of a chunk, from this number on: items of about the same lengths are together."""
        # The items of all sources, in batches of alike ones
        examples: list[PointerExample] = []
        for name, number in self._numbers.items():
            examples += self._sources[name].examples(chunk * number, number)
        items = PackedItems(examples, self._vocabulary, self._features)
        rates = [self.settings.word_dropout.get(name, 0.0) for name in self._numbers]
        rate = np.repeat(rates, list(self._numbers.values()))
        rng = self._numbered("order", chunk)
        batches = alike(items.lengths, rng.permutation(len(items)), self.settings.batch_size)
        # The batches in a random order, without the words that are dropped
        order = rng.permutation(len(batches))
        for number in range(first, len(batches)):
            members = batches[order[number]]
            batch = items.batch(members)
            if any(rates):
                words = batch["words"]
                drawn = self._numbered("words", chunk, number).random(words.shape)
                batch["words"] = np.where((drawn < rate[members, None]) & (words >= PLAIN), UNKNOWN, words)
            yield batch

    def _numbered(self, *name: object) -> np.random.Generator:
        return np.random.default_rng(Random(f"pointer {self.settings.seed} {name}").getrandbits(128))


class Stream(IterableDataset):
    """The batches of one of several processes, for a DataLoader with `batch_size=None` and any number of workers.

    Each process and each worker makes chunks of its own, and batches of the workers take turns. So the batches are a
    function of their number, the seed, and the numbers of processes and workers.
    """

    def __init__(self, chunks: Chunks, process: int = 0, processes: int = 1, first: int = 0):
        """
        Args:
            first: the number of the first batch of this process: how many it has learned from.
        """
        self.chunks, self.process, self.processes, self.first = chunks, process, processes, first

    def __iter__(self) -> Iterator[Batch]:
        info = get_worker_info()
        worker, workers = (0, 1) if info is None else (info.id, info.num_workers)
        # The loader begins with worker 0, which here takes the place of the one whose turn it is.
        round_, lane = divmod(self.first + worker, workers)
        own, start = divmod(round_, self.chunks.settings.batches_per_chunk)
        while True:
            yield from self.chunks.chunk((own * workers + lane) * self.processes + self.process, start)
            own, start = own + 1, 0


def alike(lengths: np.ndarray, items: np.ndarray, size: int) -> list[np.ndarray]:
    """Return the items in batches of this size, each of items of about the same lengths, so that little is padded.

    Measured on a chunk of 8,192 items, batches of 64, words and blocks an item with padding: 86 at random, 54 sorted by
    their sum, 42 here; 39 without padding.

    Args:
        lengths: [items, kinds of tokens].
        items: the numbers of whole batches of items; equally long ones stay in this order.
    """
    batches = len(items) // size
    if batches <= 1:
        return [items]
    halves = []  # cut in the middle by one kind of length; the best leaves the least to be padded
    for kind in range(lengths.shape[1]):
        ordered = items[np.argsort(lengths[items, kind], kind="stable")]
        parts = ordered[: batches // 2 * size], ordered[batches // 2 * size :]
        halves.append((sum(len(part) * lengths[part].max(0).sum() for part in parts), kind, parts))
    _, _, (shorter, longer) = min(halves, key=lambda half: half[:2])
    return [*alike(lengths, shorter, size), *alike(lengths, longer, size)]


def _shares(weights: Mapping[str, float], total: int) -> dict[str, int]:
    """Whole numbers in the proportions of the weights, `total` together: the largest remainders are rounded up."""
    whole = sum(weights.values())
    exact = {name: total * weight / whole for name, weight in weights.items()}
    shares = {name: int(share) for name, share in exact.items()}
    by_remainder: Iterable[str] = sorted(exact, key=lambda name: (shares[name] - exact[name], name))
    for name in list(by_remainder)[: total - sum(shares.values())]:
        shares[name] += 1
    return shares
