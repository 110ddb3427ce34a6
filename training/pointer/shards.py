"""Rows of Parquet files, read while a model learns from them: however many there are, only their sizes are held.

In every epoch the row groups of all files come in an order of its own, and so do the rows of each group; a chunk of the
stream mixes all that it has. So each row comes once in every epoch, and any stretch of rows can be read by itself, by
any process and worker, also when a training is resumed.
"""

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from bap_v2_dataset.loading.own_files import ParquetFiles, opened
from bap_v2_training.errors import UsageError
from bap_v2_training.pointer.examples import PointerExample, centered, example_of_row
from bap_v2_training.pointer.sources import COLUMNS, Augmentation, Recent


class RowGroup(NamedTuple):
    """A row group: what is read at once."""

    path: Path
    number: int  # in its file
    rows: int


class ShardItems:
    """The rows of Parquet files again and again, for a stream: once each in every epoch, in an order of its own."""

    def __init__(self, name: str, seed: int, paths: Sequence[Path], augmented: Augmentation | None = None):
        """
        Args:
            name: of the source.
            paths: of the files; of each the end is read, where the sizes of its row groups stand.
            augmented: makes another example of one; drawn by (seed, id of the row, epoch).
        Raises:
            UsageError: for a file that is not whole, or lacks a column.
        """
        self.name, self.seed, self.augmented = name, seed, augmented
        self.groups = [group for path in sorted(paths) for group in _groups_of(path)]
        self.rows = sum(group.rows for group in self.groups)
        if not self.rows:
            raise UsageError(f"{name}: the Parquet files of {paths[0].parent} have no rows")
        self._order = Recent(self._new_order)

    def __len__(self) -> int:
        return self.rows

    @property
    def sha256(self) -> str:
        """Of the names of the files and the rows of their groups: what the order depends on."""
        facts = "\n".join(f"{group.path.name} {group.number} {group.rows}" for group in self.groups)
        return hashlib.sha256(facts.encode()).hexdigest()

    def examples(self, start: int, number: int) -> list[PointerExample]:
        """Return so many items, from this number on."""
        examples: list[PointerExample] = []
        while number > 0:
            epoch, place = divmod(start, self.rows)
            order, starts = self._order(epoch)
            position = bisect_right(starts, place) - 1
            group = self.groups[order[position]]
            first = place - int(starts[position])
            taken = min(number, group.rows - first)
            members = self._shuffled(epoch, group.rows, int(order[position]))[first : first + taken]
            examples += self._read(group, members, epoch)
            start, number = start + taken, number - taken
        return examples

    def _new_order(self, epoch: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the numbers of the groups in the order of an epoch, and with which of its rows each begins."""
        order = _numbered("pointer", self.seed, "order", self.name, epoch).permutation(len(self.groups))
        sizes = np.array([group.rows for group in self.groups])[order]
        return order, np.concatenate(([0], np.cumsum(sizes)[:-1]))

    def _shuffled(self, epoch: int, rows: int, group: int) -> np.ndarray:
        return _numbered("pointer", self.seed, "order", self.name, epoch, group).permutation(rows)

    def _read(self, group: RowGroup, members: np.ndarray, epoch: int) -> list[PointerExample]:
        examples = []
        for row in rows_at(group, members):
            example = example_of_row(row)
            if self.augmented is not None:
                example = self.augmented(example, Random(f"pointer {self.seed} augmented {row['id']} {epoch}"))
            examples.append(centered(example))
        return examples


def shards_in(source: str, split: str = "train") -> tuple[Path, ...]:
    """Return the Parquet files of a split of own data; () if it is not made of such files.

    Args:
        source: a file, a folder, or anything else that has a name.
    Raises:
        bap_v2_dataset.loading.own_files.DataError: for a folder or file that cannot be read.
    """
    if not Path(source).expanduser().exists():
        return ()
    data = opened(source)
    part = next(iter(data.parts.values())) if data.alone else data.parts.get(split)
    return part.paths if isinstance(part, ParquetFiles) else ()


def rows_at(group: RowGroup, members: Sequence[int]) -> list[dict[str, Any]]:
    """Rows of a group, by their numbers in it, with COLUMNS; others are not made into Python objects.

    Raises:
        UsageError: if the file cannot be read, or a row has nothing in one of the columns.
    """
    with _errors_of(group.path), pq.ParquetFile(group.path) as file:
        table = file.read_row_group(group.number, columns=list(COLUMNS), use_threads=False)
    table = table.take(pa.array(members))
    for name in COLUMNS:
        if unknown := table[name].null_count:
            row_id = table["id"][table[name].is_null().index(True).as_py()]
            raise UsageError(f"{group.path}: {unknown} items have no {name}, e.g. {row_id}: this model reads it")
    return table.to_pylist()


def _groups_of(path: Path) -> list[RowGroup]:
    with _errors_of(path), pq.ParquetFile(path) as file:
        names = file.schema_arrow.names
        sizes = [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)]
    if missing := [name for name in COLUMNS if name not in names]:
        raise UsageError(f"{path} has no column {', '.join(missing)}; it has {', '.join(names)}")
    return [RowGroup(path, number, rows) for number, rows in enumerate(sizes) if rows]


@contextmanager
def _errors_of(path: Path) -> Iterator[None]:
    """Errors of Arrow as sentences that name the file."""
    try:
        yield
    except (pa.ArrowException, OSError, EOFError) as error:
        reason = str(error).split("\n")[0]
        raise UsageError(
            f"{path} is not a whole Parquet file ({reason}): it was cut off or damaged; delete it and make it again, "
            "with the same `bap-v2 generate` if it is of its shards"
        ) from None


def _numbered(*name: object) -> np.random.Generator:
    return np.random.default_rng(Random(" ".join(map(str, name))).getrandbits(128))
