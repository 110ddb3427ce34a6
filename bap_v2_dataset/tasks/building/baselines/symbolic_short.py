"""Reads lines that say neither a color nor a block: "two more that way", "one more on top", "then 3 up from there"."""

import re

from bap_v2_dataset.tasks.building.baselines.symbolic_changes import Effect, continued
from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import number_of, phrases, ways

_P = phrases("short")
_WAYS = ways(_P.WAYS)


def continuation(text: str, *, named: bool) -> Effect | None:
    """Return what a whole line does that goes on from the last block; None if it is no such line.

    Args:
        named: the lines before name a color, and nothing else yet: this one places what they name.
    """
    if named or not _P.goes_on.search(text):
        return None
    for (pattern,) in _P.MORE:
        if match := re.fullmatch(pattern, text):
            said = match.groupdict()
            count = number_of(said["n"] or said["m"])
            to = said.get("to")
            return continued(next((way for way, words in _WAYS.items() if to and re.fullmatch(words, to)), None), count)
    return None
