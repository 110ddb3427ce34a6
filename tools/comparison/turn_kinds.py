"""How often people take back, change, repeat, mirror and extend: rules over the words and the blocks of an item.

The same rules count human and simulated items. They are rules of thumb: compare corpora with them, not sentences.
"""

import re
from collections.abc import Mapping

from bap_v2_dataset.items.item import Item
from bap_v2_dataset.tasks.building.kinds_of_instruction import KINDS, kinds_of_instruction
from bap_v2_metric.notation import format_structure

_NONE = KINDS[-1]


def _said(pattern: str) -> re.Pattern:
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)


_WORDS: Mapping[str, re.Pattern] = {
    "asks to remove": _said(
        r"remov\w+|delet\w+|destroy|break|get rid of|undo|knock out|punch|take (?:\w+ ){0,3}(?:away|off|out)"
    ),
    "asks to move": _said(r"(?:move|shift) (?:it|that|this|them|those|these|the|all|both|everything|one)"),
    "asks for another color": _said(
        r"(?:should(?: have)? (?:be|been)|make (?:it|that|them|those|the \w+(?: \w+)?)|i meant"
        r"|(?:change|switch|replace) .{0,30}) (?:red|orange|yellow|green|blue|purple)"
    ),
    "the same again": _said("same|repeat|copy|copies|again|(?:another|more) of (?:those|these|them)"),
    "the other side, mirrored": _said(r"mirror\w*|symmetr\w+|(?:other|opposite) sides?"),
    "longer, taller, more of it": _said(
        r"longer|taller|higher|extend\w*|continu\w+|(?:one|two|three|four|[1-9]) more|(?:another|more) layers?"
    ),
    "each, every, both": _said("each|every|both"),
    "says that it was earlier": _said(
        r"earlier|from before|as before|(?:the|that) first (?:thing|shape|one|row|line|tower|column|structure)"
        r"|(?:we|you) (?:made|built|did) (?:first|before)|original|previous\w*"
    ),
    "then": _said("then|after that"),
}  # fmt: skip
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
