"""What makes an instruction of people hard, by rules over its words: kinds that an engineer can act on.

The rules read the dialogue since the Builder's last action, as people type it. They were compared with kinds that were
read by hand, item by item (training/LOG.md has the agreement).
"""

from collections.abc import Mapping

from bap_v2_dataset.augmentation.patterns import patterns_beside
from bap_v2_metric.blocks import Color
from bap_v2_simulators.number_words import NUMBER_WORDS

_SAID = patterns_beside(
    __file__,
    COLOR_WORDS="|".join(f"{color.value}s?" for color in Color),
    NUMBER_WORDS="|".join(word for word in NUMBER_WORDS if word not in ("a", "an", "one")),
)
_REMOVES = "removes or changes"

KINDS = (
    _REMOVES, "correction", "again or more", "named shape", "number", "question in between",
    "neither color nor place", "none of these",
)  # fmt: skip


def kinds_of_instruction(row: Mapping) -> tuple[str, ...]:
    """Return the kinds of a row, in the order of `KINDS`: several may hold.

    >>> row = {"before": [], "after": ["red 0 1 0"], "dialogue": ["<Architect> no, put two more reds on each end"]}
    >>> kinds_of_instruction(row)
    ('correction', 'again or more', 'number')
    >>> kinds_of_instruction({"before": [], "after": ["red 0 1 0"], "dialogue": ["<Architect> a red one on the left"]})
    ('none of these',)
    """
    lines = [line.partition("> ")[2] for line in row["dialogue"] if line.startswith("<Architect>")]
    text = "\n".join(lines)
    asked = any(line.startswith("<Builder>") and line.rstrip().endswith("?") for line in row["dialogue"])
    holds = {
        _REMOVES: bool(set(row["before"]) - set(row["after"])),
        "correction": bool(_SAID.CORRECTIONS.search(text) or _SAID.DENIED.search(text)),
        "again or more": bool(_SAID.REPEATED.search(text)),
        "named shape": bool(_SAID.SHAPES.search(text) or _SAID.LETTERS.search(text)),
        "number": bool(_SAID.NUMBERS.search(text)),
        "question in between": asked,
        "neither color nor place": not (_SAID.COLORS.search(text) or _SAID.PLACES.search(text)),
    }
    return tuple(kind for kind in KINDS if holds.get(kind)) or (KINDS[-1],)
