"""How often people take back, change, repeat, mirror and extend: rules over the words and the blocks of an item.

The same rules count human and simulated items. They are rules of thumb: compare corpora with them, not sentences.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import yaml

from bap_v2_dataset.items.item import Item
from bap_v2_dataset.tasks.building.kinds_of_instruction import KINDS, kinds_of_instruction
from bap_v2_metric.notation import format_structure

_NONE = KINDS[-1]


_WORDS: Mapping[str, re.Pattern] = {
    kind: re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)
    for kind, pattern in yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8")).items()
}
TURN_KINDS = (
    *(kind for kind in KINDS if kind != _NONE), "only removes", "removes and places", "changes a color", *_WORDS,
)  # fmt: skip


def turn_kinds(item: Item) -> list[str]:
    """The kinds of an item, of `TURN_KINDS`: several may hold."""
    before, after = format_structure(item.before), format_structure(item.after)
    found = [
        kind
        for kind in kinds_of_instruction({"before": before, "after": after, "dialogue": item.dialogue})
        if kind != _NONE
    ]
    gone, new = set(before) - set(after), set(after) - set(before)
    if gone:
        found.append("removes and places" if new else "only removes")
        if {block.partition(" ")[2] for block in gone} & {block.partition(" ")[2] for block in new}:
            found.append("changes a color")
    text = "\n".join(line.partition("> ")[2] for line in item.dialogue if line.startswith("<Architect>"))
    return found + [kind for kind, words in _WORDS.items() if words.search(text)]
