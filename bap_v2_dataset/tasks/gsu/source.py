"""What makes any number of items of a config of GSU, for `bap-v2 generate`."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from bap_v2_dataset.generation.single_items import Source
from bap_v2_dataset.generation.workers import GenerationError
from bap_v2_dataset.tasks.gsu.prompts import PROMPT_VERSION
from bap_v2_dataset.tasks.gsu.rows import GSU_DATA_VERSION, row_of
from bap_v2_dataset.tasks.table import all_configs
from bap_v2_simulators.gsu.configs import GsuConfig, config_of
from bap_v2_simulators.settings import settings_of


def source(config: str, settings: Mapping[str, str]) -> Source:
    """The items of a config with settings of its simulator other than the published ones.

    Args:
        settings: by name, as text: {"most_steps": "8"}.
    Raises:
        GenerationError: for a config that joins others.
        bap_v2_simulators.settings.SettingsError: for an unknown config, and for settings that are not valid.
    """
    if parts := all_configs()[config].made_of:
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
    return Source(facts, facts["settings"], partial(_rows, chosen), "bap_v2_dataset.tasks.gsu.features:GSU_FEATURES")


def _rows(config: GsuConfig, split: str, seed: int, indices: range) -> list[dict[str, Any]]:
    return [row_of(config, split, index, seed) for index in indices]
