"""What the symbolic reader builds on the words of an Architect."""

from collections.abc import Mapping
from typing import Any

from bap_v2_dataset.architect.rows import builder_item
from bap_v2_dataset.baselines.symbolic_reader import symbolic

READER = "symbolic"  # its name in signatures


def built(row: Mapping[str, Any], text: str) -> str:
    """The actions of the symbolic reader, one per line, when it reads a text in place of a row's utterances.

    >>> row = {"id": "mine/0", "history": ["<Architect> a red block", "place red 0 1 0"], "before": ["red 0 1 0"]}
    >>> built(row, "two blue blocks on top")
    'place blue 0 2 0\\nplace blue 0 3 0'
    """
    return symbolic(builder_item(row, text))
