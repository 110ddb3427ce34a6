"""The ids of GSU rows: `<config>[-seed<seed>]-<split>-<index>`."""

import re
from typing import NamedTuple

from bap_v2_simulators.gsu.configs import CONFIGS
from bap_v2_simulators.simulation import SPLITS

_ID = re.compile(
    rf"(?P<config>{'|'.join(CONFIGS)})(?:-seed(?P<seed>-?[0-9]+))?-(?P<split>{'|'.join(SPLITS)})-(?P<index>[0-9]+)"
)


class ItemId(NamedTuple):
    """The place of an item: config, split, seed and index."""

    config: str
    split: str
    seed: int
    index: int

    def __str__(self) -> str:
        seed = f"-seed{self.seed}" if self.seed else ""
        return f"{self.config}{seed}-{self.split}-{self.index}"


def parse_id(row_id: str) -> ItemId | None:
    """Return what an id says; None if it is not of GSU.

    >>> parse_id("gsu_structure-seed7-train-12")
    ItemId(config='gsu_structure', split='train', seed=7, index=12)
    >>> str(parse_id("gsu_structure-seed7-train-12")), parse_id("dss-test-0/1")
    ('gsu_structure-seed7-train-12', None)
    """
    match = _ID.fullmatch(row_id)
    if match is None:
        return None
    return ItemId(match["config"], match["split"], int(match["seed"] or 0), int(match["index"]))


def split_of_id(row_id: str) -> tuple[str, str] | None:
    """Return the config and split of a row of the published configs; None for others."""
    item = parse_id(row_id)
    return (item.config, item.split) if item and not item.seed else None
