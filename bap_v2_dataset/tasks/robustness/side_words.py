"""Left and right in the words of an item, for the item in a mirror: which of them are directions, and change.

In the games of the human test split every such word was read with the lines around it (mirror_tokens.jsonl has
what each one means); elsewhere the rules of `augmentation.mirroring` decide by the words beside it. What neither can
decide has no mirror image. The simulators say "right" for something else only in the few ways that are listed here.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

import orjson

from bap_v2_dataset.augmentation.mirroring import SIDE_WORD, is_direction, swapped
from bap_v2_dataset.augmentation.patterns import patterns_beside

MIRROR_TOKENS = Path(__file__).parent / "mirror_tokens.jsonl"
CLASSES: Mapping[str, bool | None] = {"direction": True, "other": False, "undecided": None}

_SAID = patterns_beside(__file__)


def mirrored_lines(lines: Sequence[str], human: bool) -> tuple[str, ...] | None:
    """Utterances, `<Architect> ...`, as they would be said in the mirrored world; None if there is no saying that.

    Mirrored twice, the lines are as they were.

    Args:
        lines: of the history and the dialogue of an item together, because some are understood by the one before;
            those of actions are for `Symmetry.action`.
        human: whether people said them: simulated players use left and right in known ways only.

    >>> mirrored_lines(["<Architect> one to the Left, right on top of the rightmost red"], human=True)
    ('<Architect> one to the Right, right on top of the leftmost red',)
    >>> mirrored_lines(["<Builder> so it's 5 blocks left ?"], human=True) is None
    True
    """
    once = _swapped_lines(lines, human)
    return once if once is not None and _swapped_lines(once, human) == tuple(lines) else None


def names_a_chiral_figure(lines: Sequence[str]) -> bool:
    """Return whether one of the lines names a figure that looks different in a mirror: an S, a 7, a spiral, an arrow.

    >>> names_a_chiral_figure(["<Architect> an L shape"]), names_a_chiral_figure(["<Architect> a T of 5 blocks"])
    (True, False)
    """
    return any(_SAID.CHIRAL.search(_text(line)) for line in lines)


def counts_columns(lines: Sequence[str]) -> bool:
    """Return whether one of the lines says what stands in a numbered column: such a drawing is made from the left.

    >>> counts_columns(["<Architect> 2nd column: red, empty"]), counts_columns(["<Architect> a column of 2"])
    (True, False)
    """
    return any(_SAID.COUNTED_COLUMN.search(_text(line)) for line in lines)


def line_digest(line: str, previous: str = "") -> str:
    """Return the name of a line in the file of read words, which holds no text of the corpus.

    Args:
        previous: the utterance before it, where the line alone means different things in different places.
    """
    return hashlib.sha256(f"{previous}\n{line}".encode() if previous else line.encode()).hexdigest()[:16]


@cache
def read_classes() -> Mapping[str, Mapping[int, bool | None]]:
    """By the name of the line: the offset of each word in the text behind the speaker, and if it is a direction."""
    classes: dict[str, dict[int, bool | None]] = {}
    for record in map(orjson.loads, MIRROR_TOKENS.read_bytes().splitlines()):
        classes.setdefault(record["line"], {})[record["offset"]] = CLASSES[record["class"]]
    return classes


def _swapped_lines(lines: Sequence[str], human: bool) -> tuple[str, ...] | None:
    mirrored = []
    for previous, line in zip(("", *lines), lines):
        speaker, space, text = line.partition(" ")
        if human and _has_other_side_words(text):
            return None
        other = swapped(text, _human_direction(previous, line) if human else _simulated_direction)
        if other is None:
            return None
        mirrored.append(f"{speaker}{space}{other}")
    return tuple(mirrored)


def _human_direction(previous: str, line: str) -> Callable[[str, re.Match], bool | None]:
    classes = read_classes()
    read = classes.get(line_digest(line, previous)) or classes.get(line_digest(line)) or {}
    return lambda text, match: read[match.start()] if match.start() in read else is_direction(text, match)


def _text(line: str) -> str:
    return line.partition(" ")[2]


def _has_other_side_words(text: str) -> bool:
    """Return whether a side is named in a form that would not be swapped: misspelled, or joined to another word."""
    whole = {match.start() for match in SIDE_WORD.finditer(text)}
    joined = (match for match in _SAID.INSIDE.finditer(text) if not _SAID.INNOCENT.fullmatch(match[0]))
    return bool(_SAID.MISSPELLED.search(text)) or any(match.start() not in whole for match in joined)


def _simulated_direction(text: str, match: re.Match) -> bool:
    before, after = text[: match.start()].lower(), text[match.end() :].lower()
    if match["word"].lower() == "left":
        return not _SAID.WENT_AWAY.search(before)
    if _SAID.CORRECT.search(before) or _SAID.THERE.match(after):
        return False
    return bool(_SAID.TO_A_SIDE.search(before)) or not _SAID.EXACTLY.match(after)
