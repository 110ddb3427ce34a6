"""The shards of the GSU configs, and items of settings of the user's own."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from bap_v2_dataset.generation.single_items import ItemSource
from bap_v2_dataset.generation.workers import GenerationError
from bap_v2_dataset.interface.task import RowsOf
from bap_v2_dataset.loading.shards import MixedShard, joint_shards, runs
from bap_v2_dataset.tasks.gsu.rows import row_of
from bap_v2_dataset.tasks.gsu.task import GSU, JOINT, MAIN_CONFIGS
from bap_v2_dataset.tasks.gsu.versions import GSU_DATA_VERSION, PROMPT_VERSION
from bap_v2_simulators.gsu.configs import CONFIGS, SIZES, GsuConfig, config_of
from bap_v2_simulators.settings import settings_of

if TYPE_CHECKING:
    from bap_v2_dataset.loading.config import BapV2Config


class GsuShard(NamedTuple):
    """A run of items that are made when their rows are needed."""

    config: str
    split: str
    seed: int
    first: int  # index
    end: int

    def rows(self) -> Iterator[dict[str, Any]]:
        config = CONFIGS[self.config]
        return (row_of(config, self.split, index, self.seed) for index in range(self.first, self.end))


def shards(config: "BapV2Config", rows_of: RowsOf) -> dict[str, Sequence[GsuShard | MixedShard]]:
    """Return the shards of each split of a config, in the order of the rows.

    Args:
        rows_of: gives the splits of another config.
    """
    if config.name == JOINT:
        return joint_shards({name: rows_of(name) for name in MAIN_CONFIGS})
    return {
        split: [GsuShard(config.name, split, config.seed, first, end) for first, end in runs(size)]
        for split, size in SIZES.items()
    }


def source(config: str, settings: Mapping[str, str]) -> ItemSource:
    """Return the items of a config with settings of its simulator other than the published ones.

    Args:
        settings: by name, as text: {"most_steps": "8"}.
    Raises:
        GenerationError: for a config that joins others.
        bap_v2_simulators.settings.SettingsError: for an unknown config, and for settings that are not valid.
    """
    if parts := GSU.configs[config].made_of:
        raise GenerationError(f"{config} joins other configs: generate the items of {' or '.join(parts)}")
    chosen = config_of(config, settings)
    facts = {
        "config": config,
        "simulator": chosen.simulator.name,
        "version": chosen.simulator.version,
        "settings": settings_of(chosen.simulator),
        "data_version": GSU_DATA_VERSION,
        "prompt_version": PROMPT_VERSION,
    }
    return ItemSource(facts, facts["settings"], partial(_rows, chosen), "bap_v2_dataset.tasks.gsu.dataset:GSU_FEATURES")


def _rows(config: GsuConfig, split: str, seed: int, indices: range) -> list[dict[str, Any]]:
    return [row_of(config, split, index, seed) for index in indices]
