"""The shards of the robustness configs: test items as they are, and their variants, a split for each family."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from bap_v2_dataset.interface.task import RowsOf
from bap_v2_dataset.loading.sampling import sampled
from bap_v2_dataset.loading.shards import MixedShard, rows_shards
from bap_v2_dataset.tasks.robustness.families import FAMILIES, variants_in_all
from bap_v2_dataset.tasks.robustness.task import BASE_OF, ROBUSTNESS

if TYPE_CHECKING:
    from bap_v2_dataset.loading.config import BapV2Config

PROBE = 200  # parents of the split `probe`


class PerturbedShard(NamedTuple):
    """The variants of the rows of another shard."""

    shard: MixedShard
    config: str  # of those rows
    families: tuple[str, ...]
    most: int | None = None  # variants of a family
    with_parents: bool = False  # each row in front of its variants

    def rows(self) -> Iterator[dict[str, Any]]:
        for parent in self.shard.rows():
            if self.with_parents:
                yield parent
            yield from variants_in_all(parent, self.families, self.most, self.config)


def shards(config: "BapV2Config", rows_of: RowsOf) -> dict[str, Sequence[MixedShard | PerturbedShard]]:
    """Return the shards of each split: `original`, the families that have variants, and `probe`.

    Args:
        rows_of: gives the splits of another config, made from the same corpus and labels.
    """
    base = BASE_OF[config.name]
    splits = rows_of(base)
    if "test" not in splits:
        return {}
    original = rows_shards(splits["test"])
    families = families_of(config.name, (row for shard in original for row in shard.rows()))
    probe = rows_shards(splits["test"], sampled(splits["test"]["id"][:], PROBE))
    return {
        "original": original,
        **{family: [PerturbedShard(shard, base, (family,)) for shard in original] for family in families},
        "probe": [PerturbedShard(shard, base, families, 1, True) for shard in probe],
    }


def families_of(config: str, rows: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """The families of a config's splits of which any of these rows has a variant: others would be empty splits."""
    families = tuple(name for name in ROBUSTNESS.configs[config].splits if name in FAMILIES)
    missing = set(families)
    for parent in rows:
        missing -= {family for family in missing if any(True for _ in variants_in_all(parent, (family,), 1))}
        if not missing:
            break
    return tuple(family for family in families if family not in missing)
