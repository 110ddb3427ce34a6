"""Builders that need no training: what the scores of a corpus mean before any model is there.

A baseline is a function from a dataset row to a prediction, raw text as a model would write it. `replay` and
`first-ten` read the answer, `reading` that of a large language model: they are bounds, not systems. `symbolic`
understands every instruction of the simulated Architects (`symbolic_reader`). The names of all are in `by_name`.
"""

import re
from collections.abc import Mapping

from bap_v2_dataset.labels.readings import reading_of
from bap_v2_metric.blocks import Y_MAX, Y_MIN, Cell, Color
from bap_v2_metric.errors import UserError
from bap_v2_metric.notation import parse_action, parse_block
from bap_v2_simulators.number_words import NUMBER_WORDS

_COLOR = re.compile(rf"\b({'|'.join(color.value for color in Color)})s?\b")
_COUNTS = {word: count for count, word in enumerate(NUMBER_WORDS[:12])}  # zero to eleven
_COUNT = re.compile(rf"\b({'|'.join(_COUNTS)}|[1-9]|1[01])\b")
_REMOVAL = re.compile(r"\b(remove|delete|destroy|break|get rid|take away|undo|pick)\b")


def do_nothing(row: Mapping) -> str:
    """Return no action at all."""
    return ""


def replay(row: Mapping) -> str:
    """Return the logged actions: what a perfect imitator scores (below 1 where the logged order is not feasible)."""
    return row["completion"]


def first_ten(row: Mapping) -> str:
    """Return the first ten logged actions: the bound of a model that stops after ten, as the 2020 decoder did."""
    return "\n".join(row["completion"].split("\n")[:10])


def reading(row: Mapping) -> str:
    """Return what a careful reader, a language model, would have built: about what words allow. Raises: UserError."""
    if (text := reading_of(row)) is None:
        raise UserError(f"{row.get('id')} has no reading: human items of train and validation have one (mdc, mdc_v2)")
    return text


def stack(row: Mapping) -> str:
    """Return a rule that uses only colors, numbers and removals, no spatial words.

    The last color that the Architect names and the last number before it: so many blocks, stacked on the block that
    changed last (in the middle of the board if there is none). With a word of removal and no color the block placed
    last is taken away instead. Without a color the last one used is kept.
    """
    text = " ".join(line.removeprefix("<Architect>") for line in row["dialogue"] if line.startswith("<Architect>"))
    text = text.lower()
    before = [parse_block(line) for line in row["before"]]
    colors = list(_COLOR.finditer(text))
    # Without a color: take the last block away, or keep its color.
    if before and _REMOVAL.search(text) and not colors:
        x, y, z = before[-1].cell
        return f"pick {x} {y} {z}"
    if not colors and not before:
        return ""
    # The last color, and the last number before it.
    color = colors[-1][1] if colors else before[-1].color.value
    counts = _COUNT.findall(text[: colors[-1].start()] if colors else text)
    count = (int(counts[-1]) if counts[-1].isdigit() else _COUNTS[counts[-1]]) if counts else 1
    # The free cells above the block that changed last.
    x, _, z = _last_cell(row, before)
    occupied = {block.cell for block in before}
    free = [y for y in range(Y_MIN, Y_MAX + 1) if Cell(x, y, z) not in occupied]
    return "\n".join(f"place {color} {x} {y} {z}" for y in free[:count])


def _last_cell(row: Mapping, before: list) -> Cell:
    occupied = {block.cell for block in before}
    for line in reversed(row["history"]):
        if not line.startswith("<") and (cell := parse_action(line, anywhere=True).cell) in occupied:
            return cell
    return before[-1].cell if before else Cell(0, 1, 0)
