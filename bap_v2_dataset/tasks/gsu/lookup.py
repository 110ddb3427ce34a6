"""The GSU item of an id, made again: no config has to be set up, and any seed and any index will do."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from bap_v2_dataset.sentences import unknown_name
from bap_v2_dataset.tasks.building.lookup import NotFoundError
from bap_v2_dataset.tasks.gsu.ids import parse_id
from bap_v2_dataset.tasks.gsu.rows import row_of
from bap_v2_dataset.tasks.gsu.task import JOINT, MAIN_CONFIGS
from bap_v2_simulators.gsu.configs import CONFIGS, SIZES
from bap_v2_simulators.simulation import SPLITS

_LIKE = re.compile(r"(?P<config>gsu\w*?)(?:-seed-?\d+)?-(?P<split>[A-Za-z]\w*)(?:-(?P<index>.*))?")
_EXAMPLE = "gsu_follower_ego_2d-test-7, or gsu_follower_ego_2d-seed1-test-7 of another seed"


class LocatedGsuItem(NamedTuple):
    """The row of an item, and where it is from."""

    row: Mapping[str, Any]
    config: str
    split: str
    published: bool  # whether the split of the config holds it: not if its seed is another one, or its index larger


def is_gsu(item_id: str) -> bool:
    """Whether an id is meant to be one of GSU."""
    return item_id.partition("-")[0].partition("_")[0] == JOINT


def gsu_item(item_id: str, config: str | None = None, split: str | None = None) -> LocatedGsuItem:
    """The item of an id.

    Args:
        config, split: where it has to be, if they are given: also the joint config `gsu` and its splits.
    Raises:
        NotFoundError: for an id that is not one of GSU, and for another config or split than it says.
        bap_v2_simulators.settings.SettingsError: for a seed of more than 64 bits.
    """
    item = parse_id(item_id)
    if item is None:
        raise NotFoundError(_no_such_id(item_id))
    if config == JOINT and item.config not in MAIN_CONFIGS:
        raise NotFoundError(f"{item_id} is not in the joint config {JOINT}: leave out --config")
    if config not in (None, JOINT, item.config):
        raise NotFoundError(f"{item_id} is an item of {item.config}, not of {config}: leave out --config")
    if split not in (None, item.split, *([f"test_{item.config}"] * (config == JOINT and item.split == "test"))):
        raise NotFoundError(f"{item_id} is an item of {item.split}, not of {split}: leave out --split")
    published = not item.seed and item.index < SIZES[item.split]
    return LocatedGsuItem(
        row_of(CONFIGS[item.config], item.split, item.index, item.seed), item.config, item.split, published
    )


def _no_such_id(item_id: str) -> str:
    """What is wrong with an id.

    >>> _no_such_id("gsu_structure-dev-3")
    "there is no item gsu_structure-dev-3: unknown split 'dev' (expected one of train, validation, test)"
    """
    like = _LIKE.fullmatch(item_id)
    start = f"there is no item {item_id}"
    if like and like["config"] == JOINT:
        return (
            f"{start}: the joint config {JOINT} has the items of other configs, with ids like {MAIN_CONFIGS[0]}-test-7"
        )
    if like and like["config"] not in CONFIGS:
        return f"{start}: {unknown_name('config', like['config'], CONFIGS)}"
    if like and like["split"] not in SPLITS:
        return f"{start}: {unknown_name('split', like['split'], SPLITS)}"
    return f"{start}: ids of GSU end in the number of the item, like {_EXAMPLE}"
