"""What people do in their turns: groups A to I and single phenomena, by rules over words and changes of blocks.

The same rules count people and simulators. They are rules of thumb: compare corpora with them, not sentences. What is
said is a table of patterns, `phenomena.yaml`.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import yaml

from comparison.language import WORDS, words_of
from comparison.turns import Turn

GROUPS = {
    "A": "several places: spots or sides",
    "B": "repair or undo of the last turn",
    "C": "yes builds on, proposal, no line",
    "D": "no color said, or at most 4 words",
    "E": "remove middle, beneath, except",
    "F": "connect, fill, complete, a total",
    "G": "out, center, edge, by a block",
    "H": "part, comparison, announcement",
    "I": "next to",
}

_KINDS = {
    "{number}": r"(?:\d|two|three|four|five|six|seven)",
    "{color}": r"(?:red|orange|yellow|green|blue|purple)s?",
    "{removes}": r"(?:remov\w+|delet\w+|destroy\w*|break|get(?:ting)? rid of|erase|take|taking|clear|knock|punch|pick)",
}
_COLORS = re.compile(rf"\b{_KINDS['{color}']}\b", re.IGNORECASE)
_YES_NO = re.compile(
    r"\W*(?:yes|yep|yup|yeah|ya|yea|no|nope|nah|correct|right|exactly|sure|perfect|ok)\b", re.IGNORECASE
)


def _praise_only(turn: Turn) -> bool:
    return bool(turn.said) and set(words_of(turn.said)) <= WORDS["praise"]


def _proposal(turn: Turn) -> bool:
    """Whether the Builder asks, the Architect says yes or no to it, and little more."""
    for place, answer in enumerate(turn.dialogue[1:], 1):
        question = turn.dialogue[place - 1]
        if question.startswith("<Builder>") and "?" in question and answer.startswith("<Architect>"):
            said = [line.partition("> ")[2] for line in turn.dialogue[place:] if line.startswith("<Architect>")]
            if _YES_NO.match(said[0]):
                return sum(len(words_of(line)) for line in said) <= 4
    return False


def _few_words(turn: Turn) -> bool:
    return 0 < len(words_of(turn.said)) <= 4 and not _praise_only(turn)


def _takes_back(turn: Turn) -> bool:
    return not turn.last_placed.isdisjoint(turn.removed)


def _no_color(turn: Turn) -> bool:
    return bool(turn.placed and turn.said) and not _COLORS.search(turn.said)


_DONE: Mapping[str, tuple[str, Callable[[Turn], bool]]] = {  # phenomenon: (group or "", test)
    "two or more separate spots": ("A", lambda turn: turn.spots > 1),
    "last turn's blocks taken back, others placed": ("B", lambda turn: _takes_back(turn) and bool(turn.placed)),
    "last turn's blocks taken back only": ("B", lambda turn: _takes_back(turn) and not turn.placed),
    "nothing but praise or yes, and built on": ("C", _praise_only),
    "Builder proposes, Architect says yes or no": ("C", _proposal),
    "no Architect line": ("C", lambda turn: not turn.architect),
    "no color said (placing turn)": ("D", _no_color),
    "at most 4 words, not only praise": ("D", _few_words),
    "removes older blocks": ("", lambda turn: bool(turn.removed.keys() - turn.last_placed)),
    "two colors placed": ("", lambda turn: len(set(turn.placed.values())) > 1),
    "Builder's question": ("", lambda turn: any("?" in line for line in turn.builder)),
    "Builder's utterance": ("", lambda turn: bool(turn.builder)),
}


def _said(row: Mapping) -> Callable[[Turn], bool]:
    pattern = "|".join(row["patterns"])
    for kind, words in _KINDS.items():
        pattern = pattern.replace(kind, words)
    if row.get("as_typed"):
        found = re.compile(pattern, re.MULTILINE)
    else:
        found = re.compile(rf"\b(?:{pattern})(?!\w)", re.IGNORECASE | re.MULTILINE)
    return lambda turn: found.search(turn.said) is not None


PHENOMENA: dict[str, tuple[str, Callable[[Turn], bool]]] = {
    **_DONE,
    **{
        row["name"]: (row.get("group", ""), _said(row))
        for row in yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
    },
}


def phenomena(turn: Turn) -> list[str]:
    """The phenomena that a turn has, of `PHENOMENA`, the letters of its groups, and "any" with one."""
    names = [name for name, (_, test) in PHENOMENA.items() if test(turn)]
    groups = sorted({PHENOMENA[name][0] for name in names} - {""})
    return [*names, *groups, *["any"][: len(groups)]]
