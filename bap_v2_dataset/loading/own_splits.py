"""Data of the user's own: rows by split, and which split and rows are meant."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import datasets

from bap_v2_metric.errors import UserError

if TYPE_CHECKING:
    from bap_v2_dataset.interface.task import Task

LONE_SPLIT = "test"  # of data that do not say which split they are


class DataError(UserError):
    """Own data that cannot be used; the message names the file, the row, the column and the fix."""


@dataclass(frozen=True)
class OwnData:
    """Own data: in tables and files their name stands where that of a config does.

    Attributes:
        name: of the file, the folder or the repository; never that of a config of `load_dataset("bap_v2")`.
        splits: the rows by split; of a single file, one split called "test".
        task: that the items are of; None for rows that nobody checked (`own_data.read_splits`).
        alone: whether that one split serves whatever split is asked for.
        source: as it was passed.
    """

    name: str
    splits: Mapping[str, datasets.Dataset]
    task: "Task | None" = None
    alone: bool = False
    source: str = ""

    def split_named(self, split: str | None = None) -> str:
        """Return the split that is meant: by default "test", or the only one.

        Raises:
            DataError: if there is no such split, or if several could be meant.
        """
        if self.alone:
            return next(iter(self.splits))
        if split is None and (LONE_SPLIT in self.splits or len(self.splits) == 1):
            return LONE_SPLIT if LONE_SPLIT in self.splits else next(iter(self.splits))
        if split is None:
            raise DataError(f"{self.name} has several splits: pass --split with one of {', '.join(self.splits)}")
        if split not in self.splits:
            raise DataError(f"{self.name} has no split {split!r} (expected one of {', '.join(self.splits)})")
        return split

    def rows(self, split: str | None = None) -> tuple[str, datasets.Dataset]:
        """Return a split and its rows, or those of a part of it such as "test[:100]", as `datasets` writes them.

        Raises:
            DataError: as `split_named`, and for a part that cannot be read.
        """
        base = split_of(split)
        name = self.split_named(base)
        if split == base:
            return name, self.splits[name]
        try:
            parts = datasets.ReadInstruction.from_spec(split).to_absolute({base: len(self.splits[name])})
        except (ValueError, AssertionError):
            raise DataError(f"{split!r} is not a part of a split: write e.g. {base}[:100] or {base}[:10%]") from None
        return name, self.splits[name].select([row for part in parts for row in range(part.from_, part.to)])


def split_of(part_of_split: str | None) -> str | None:
    """Return the split of "test[:100]"."""
    return part_of_split and part_of_split.partition("[")[0]
