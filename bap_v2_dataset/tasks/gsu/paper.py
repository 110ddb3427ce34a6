"""What the paper on GSU reports, as data: Tables 1 to 3, 5 and 8, and notes where its tables differ or are silent.

GSU is Sidhu and Hockenmaier (2026). Its test sets were not released: ours follow the same recipe, and are other items.

The numbers, where it is silent or unclear, and where they differ from each other stand in `paper.toml`.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

KEY = "sidhu2026gsu"  # in the citation of the dataset
_PAPER = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
PROMPTED, FULL, LORA = "prompted", "full fine-tuning", "LoRA"


class PaperColumn(NamedTuple):
    """A column of Table 1: a score on the test set of a config."""

    config: str
    score: str  # in those of the metric
    heading: str


COLUMNS = tuple(PaperColumn(*column) for column in _PAPER["columns"])
WALKS = 5  # columns of Table 1 that Table 8 has distances of


class PaperModel(NamedTuple):
    """A model of Table 1."""

    name: str
    training: str  # PROMPTED, FULL or LORA
    scores: tuple[float, ...]  # as COLUMNS
    distances: tuple[float, ...] = ()  # Table 8: in cells, of the first columns


TABLE_1 = tuple(PaperModel(name, training, *map(tuple, numbers)) for name, training, *numbers in _PAPER["table_1"])
TABLE_2: Mapping[str, Mapping[str, float]] = _PAPER["table_2"]  # in percent, as Tables 3 and 5
TABLE_3: Mapping[str, Mapping[str, float]] = _PAPER["table_3"]
TABLE_5: Mapping[str, Mapping[str, float]] = _PAPER["table_5"]


class Note(NamedTuple):
    """Where the paper is silent or contradicts itself, on the columns of some configs."""

    configs: tuple[str, ...]
    text: str


NOTES = tuple(Note(tuple(note["configs"]), note["text"]) for note in _PAPER["notes"])
