"""Rows of GSU for tests, made as the published ones are."""

import json
from pathlib import Path
from typing import Any

import datasets

from bap_v2_dataset.tasks.gsu.rows import row_of
from bap_v2_simulators.gsu.configs import config_of


def gsu_rows(config: str, items: int, split: str = "train", seed: int = 0) -> list[dict[str, Any]]:
    """The first rows of a split of a config."""
    return [row_of(config_of(config), split, index, seed) for index in range(items)]


def gsu_table(config: str, items: int) -> datasets.Dataset:
    """The first train rows of a config, as `datasets` has them."""
    rows = gsu_rows(config, items)
    text = datasets.Value("string")
    features = dict.fromkeys(rows[0], text) | {"dims": datasets.Value("int8"), "blocks": datasets.List(text)}
    return datasets.Dataset.from_list(rows, datasets.Features(features | {"metadata": datasets.Json()}))


def save_rows(path: Path, rows: list[dict[str, Any]]) -> Path:
    """A file of one's own with these rows."""
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return path
