"""Lists of blocks in questions, in all four forms that the paper compares (GSU, 3.1.3)."""

import re

from bap_v2_dataset.tasks.gsu.reading.phrases import POSITION, GsuQuestionError, found

_WHOLE = r"-?\d+"
_BLOCK = re.compile(
    rf"an? (?P<text>\w+) block at (?P<at>{POSITION})"
    rf"|\((?P<set>[a-z]+)(?P<of_set>(?:, {_WHOLE}){{2,3}})\)"
    rf"|\(color = (?P<dict>[a-z]+)(?P<of_dict>(?:, [xyz] = {_WHOLE}){{2,3}})\)"
    rf"|(?P<plain>[a-z]+)(?P<of_plain>(?: {_WHOLE}){{2,3}})"
)
_FORMS = {"text": "at", "set": "of_set", "dict": "of_dict", "plain": "of_plain"}

Cell = tuple[int, int, int]  # z is 0 on a grid of two dimensions


def read_blocks(question: str) -> dict[Cell, str]:
    """The color of each block that a question names, by its cell.

    Raises:
        GsuQuestionError: for something in the list that is not a block, and for two blocks in one cell.
    """
    text = found(r"(?:There is |\nBlocks: | Blocks: )([^\n]*)\.\n", question, "the blocks")[1]
    blocks: dict[Cell, str] = {}
    at = 0
    for match in _BLOCK.finditer(text):
        _check_between(text[at : match.start()])
        form = next(form for form in _FORMS if match[form])
        x, y, *z = map(int, re.findall(_WHOLE, match[_FORMS[form]]))
        cell = (x, y, z[0] if z else 0)
        if cell in blocks:
            raise GsuQuestionError(f"two blocks at {cell}: expected one block per cell")
        blocks[cell] = match[form]
        at = match.end()
    _check_between(text[at:])
    if not blocks:
        raise GsuQuestionError(f"cannot find a block in {text[:80]!r}")
    return blocks


def _check_between(text: str) -> None:
    if not re.fullmatch(r"(?:,? and |, )?", text):
        raise GsuQuestionError(f"{text[:80]!r} between blocks: expected a comma or 'and'")
