"""The rows of GSU. The types of their columns are in `gsu_features`."""

from typing import Any

from bap_v2_dataset.tasks.gsu.blocks import format_block
from bap_v2_dataset.tasks.gsu.ids import ItemId
from bap_v2_dataset.tasks.gsu.prompts import render
from bap_v2_dataset.tasks.gsu.solved import own_settings, solved
from bap_v2_simulators.gsu.configs import GsuConfig

GSU_DATA_VERSION = "1.0.0"  # raised whenever columns change; simulators and prompts have versions of their own


def row_of(config: GsuConfig, split: str, index: int, seed: int = 0) -> dict[str, Any]:
    """The dataset row of an item.

    Raises:
        SettingsError: for an unknown split, a seed that is not a whole number of 64 bits, and a negative index.
    """
    item, simulator = solved(config, split, seed, index), config.simulator
    metadata = {
        "source": "simulated",
        "simulator": simulator.name,
        "simulator_version": simulator.version,
        "seed": seed,
        "index": index,
    }
    if own := own_settings(config):
        metadata["settings"] = own
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
