"""The answer within what a reasoning model writes: what follows its last marker."""

import re
from typing import NamedTuple

from bap_v2_metric.answers import read_prediction
from bap_v2_metric.blocks import Color
from bap_v2_metric.chat_marks import answer_of
from bap_v2_metric.wrappings import TERMINAL, unwrapped

MARKER = "ANSWER:"  # as the model is told it

# At the start of a line in any case and with any marks of Markdown; within a line only as the model was told it.
_MARKERS = re.compile(
    r"(?i:^[ \t>#*_`~-]*(?:final[ \t]+)?answer[ \t*_`]*(?::[ \t*_`]*|$)|<answer>)|\bANSWER:[ \t*_`]*", re.MULTILINE
)
_ACTION_WORDS = {"place", "pick", "color", "colour", "x", "y", "z", *(color.value for color in Color)}
_WORD = re.compile(r"[a-z]+|\?")
_FENCE = re.compile(r"\s*(?:```\w*|~~~\w*)?\s*")


class FinalAnswer(NamedTuple):
    """The part of a text that is the answer."""

    text: str
    marked: bool  # whether there was a marker


def final_answer(text: str) -> FinalAnswer:
    """Return what follows the last marker; without one, the last lines that are actions and nothing else.

    If nothing that can be read follows the last marker, it is the last one that actions do follow: a model may go on
    talking about its answer.

    Thoughts in the marks of a chat format (`bap_v2_metric.chat_marks`) are left out before.
    A text with neither a marker nor such lines is returned whole: the metric counts its lines as unparsed.

    >>> final_answer("To its left is 1 1 0.\\n\\n**ANSWER:**\\nplace red 1 1 0\\n")
    FinalAnswer(text='place red 1 1 0', marked=True)
    >>> final_answer("First place red 0 1 0? No.\\n\\nplace red 1 1 0\\npick 0 1 0\\nThat is all.")
    FinalAnswer(text='place red 1 1 0\\npick 0 1 0', marked=False)
    """
    text = TERMINAL.sub("", answer_of(unwrapped(text)))
    markers = list(_MARKERS.finditer(text))
    if markers:
        ends = [*(marker.start() for marker in markers[1:]), len(text)]
        answers = [text[marker.end() : end].strip() for marker, end in zip(markers, ends)][::-1]
        return FinalAnswer(next((answer for answer in answers if read_prediction(answer).actions), answers[0]), True)
    return FinalAnswer(_last_actions(text.splitlines()) or text.strip(), False)


def _last_actions(lines: list[str]) -> str:
    """The last lines without a break that hold actions and nothing else; blank lines and code fences are no break."""
    actions: list[str] = []
    for line in reversed(lines):
        if _is_action(line):
            actions.append(line)
        elif actions and not _FENCE.fullmatch(line):
            break
    return "\n".join(reversed(actions))


def _is_action(line: str) -> bool:
    """Tell if a line holds actions without a word more: "first place red 0 1 0? No." is a thought."""
    if not _ACTION_WORDS.issuperset(_WORD.findall(line.lower())):
        return False
    actions, unparsed = read_prediction(line)
    return bool(actions) and not unparsed
