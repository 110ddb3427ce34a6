"""The shards of Architect generation, which are made of the items of Builder Action Prediction, split by split."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from bap_v2_dataset.interface.task import RowsOf
from bap_v2_dataset.loading.shards import MixedShard, rows_shards
from bap_v2_dataset.tasks.architect.rows import architect_row
from bap_v2_dataset.tasks.architect.task import BASE_OF

if TYPE_CHECKING:
    from bap_v2_dataset.loading.config import BapV2Config


class ArchitectShard(NamedTuple):
    """The rows that are made of a run of items."""

    items: MixedShard
    config: str
    split: str

    def rows(self) -> Iterator[dict[str, Any]]:
        rows = (architect_row(item, self.config, self.split) for item in self.items.rows())
        return (row for row in rows if row is not None)


def shards(config: "BapV2Config", rows_of: RowsOf) -> dict[str, Sequence[ArchitectShard]]:
    """Return the shards of each split, in the order of the items.

    Args:
        rows_of: gives the splits of another config, made from the same corpus.
    """
    return {
        split: [ArchitectShard(shard, config.name, split) for shard in rows_shards(items)]
        for split, items in rows_of(BASE_OF[config.name]).items()
    }
