"""Reads lines that say neither a color nor a block: "two more that way", "one more on top", "then 3 up from there"."""

import re

from bap_v2_dataset.tasks.building.baselines.symbolic_changes import Effect, continued
from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import AWAY, DOWN, LEFT, RIGHT, TOWARDS, UP, Way
from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import NUMBER, number_of, one_line

_IT = r"(?:it|that|that one|this|this one)"
_WAYS: dict[Way, str] = {
    LEFT: rf"(?:to (?:the|your) |on (?:the|your) )?left(?: of {_IT})?|(?:on|to) its left",
    RIGHT: rf"(?:to (?:the|your) |on (?:the|your) )?right(?: of {_IT})?|(?:on|to) its right",
    UP: rf"on top(?: of {_IT})?|(?:right )?above {_IT}|on {_IT}|(?:straight )?up(?:wards)?|higher",
    DOWN: rf"(?:right )?(?:below|under|beneath|underneath)(?: {_IT})?|(?:straight )?down(?:wards)?|lower",
    TOWARDS: rf"(?:right )?in front(?: of {_IT})?|towards? you",
    AWAY: rf"(?:right )?behind {_IT}|away from you",
}
_TO = f"(?P<to>{'|'.join(_WAYS.values())})"
_COUNT = rf"(?:(?:another|a) )?(?P<n>{NUMBER}|another(?: one)?)(?: one)?(?: more)?(?: blocks?)?(?: more)?"
_VERB = r"(?:just )?(?:(?:add|put|place|do|stick|go|continue|keep going|turn and go|turn the corner and go)(?: for)? )?"
_THAT_WAY = one_line(r"""
    (?:(?:going )?(?:that|the same) way|in (?:that|the same) direction|going that way|along the same line)
""")
_MORE = (
    re.compile(rf"{_VERB}{_COUNT} {_THAT_WAY}|(?:keep going|continue)(?: for)? (?P<m>{NUMBER}) more(?: blocks?)?"),
    re.compile(rf"(?:from there )?{_VERB}{_COUNT} {_TO}(?: from there)?"),
)


_GOES_ON = re.compile(rf"\b(?:more|another|from there|go|going|continue)\b|^(?:{NUMBER}) (?:straight )?(?!blocks?)")


def continuation(text: str, *, named: bool) -> Effect | None:
    """Return what a whole line does that goes on from the last block; None if it is no such line.

    Args:
        named: the lines before name a color, and nothing else yet: this one places what they name.
    """
    if named or not _GOES_ON.search(text):
        return None
    for pattern in _MORE:
        if match := pattern.fullmatch(text):
            said = match.groupdict()
            count = number_of(said["n"] or said["m"])
            to = said.get("to")
            return continued(next((way for way, words in _WAYS.items() if to and re.fullmatch(words, to)), None), count)
    return None
