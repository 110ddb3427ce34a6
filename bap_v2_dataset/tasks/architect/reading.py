"""What a simple Builder builds on the words of an Architect."""

from collections.abc import Mapping
from typing import Any

from bap_v2_dataset.tasks.architect.rows import builder_item
from bap_v2_dataset.tasks.building.baselines.by_name import BASELINES

READER = "symbolic"  # who reads where nobody else is named


def built(row: Mapping[str, Any], text: str, reader: str = READER) -> str:
    """The actions of a Builder that reads a text in place of a row's utterances, one per line.

    Args:
        reader: a baseline of Builder Action Prediction; `replay` does what was done in the game, whatever it reads.

    >>> row = {"id": "mine/0", "history": ["<Architect> a red block", "place red 0 1 0"], "before": ["red 0 1 0"]}
    >>> built(row, "two blue blocks on top")
    'place blue 0 2 0\\nplace blue 0 3 0'
    """
    item = builder_item(row, text)
    return BASELINES[reader](item | {"completion": "\n".join(item.get("actions", ()))})
