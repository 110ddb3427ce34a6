"""The rows of GSU. The types of their columns are in `dataset`."""

from functools import lru_cache
from typing import Any

from bap_v2_dataset.tasks.gsu.blocks import format_block
from bap_v2_dataset.tasks.gsu.ids import ItemId
from bap_v2_dataset.tasks.gsu.prompts import render
from bap_v2_dataset.tasks.gsu.solved import solved
from bap_v2_simulators.gsu.configs import CONFIGS, GsuConfig, GsuSimulator
from bap_v2_simulators.settings import settings_of


def row_of(config: GsuConfig, split: str, index: int, seed: int = 0) -> dict[str, Any]:
    """Return the dataset row of an item.

    Raises:
        SettingsError: for an unknown split, a seed that is not a whole number of 64 bits, and a negative index.
    """
    item, simulator = solved(config, split, seed, index), config.simulator
    # Where the item comes from; settings only if they are not the usual ones.
    metadata = {
        "source": "simulated",
        "simulator": simulator.name,
        "simulator_version": simulator.version,
        "seed": seed,
        "index": index,
    }
    if own := _own_settings(config.name, simulator):
        metadata["settings"] = own
    # The prompt is made of the other columns.
    columns: dict[str, Any] = {
        "id": str(ItemId(config.name, split, seed, index)),
        "task": config.task,
        "frame": config.frame,
        "dims": config.dims,
        "group": item.group,
        "question": item.question,
        "prompt": "",
        "reasoning": item.reasoning,
        "answer": item.answer,
        "completion": item.completion,
        "blocks": [format_block(block) for block in item.blocks],
        "metadata": {**metadata, **item.facts},
    }
    columns["prompt"] = render(columns)
    return columns


@lru_cache(maxsize=256)
def _own_settings(config: str, simulator: GsuSimulator) -> dict[str, Any]:
    """Return the settings of a config's simulator that are not the published ones."""
    usual = settings_of(CONFIGS[config].simulator)
    return {name: value for name, value in settings_of(simulator).items() if value != usual[name]}
