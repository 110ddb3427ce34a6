"""The Builder asks by proposing: "to the left of it?" - "yep", "so two more?" - "no, 3"."""

import re
from collections.abc import Mapping, Sequence

from bap_v2_metric.blocks import Color
from bap_v2_simulators.language.turns import Line
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.number_words import NUMBER_WORDS

_RIGHT = 0.55  # of the proposals
_WHICH_SIDE = 0.5  # of the places of a block that are asked for: "next to it" - "which side?" - "left"
_POLITE = re.compile(
    r"^(?:(?:oh )?sorry, |oops, |my bad, )|^(?:make it|it's|it is|use|put it|place it|it should (?:be|go)|it goes|it"
    r"|by) (?!starts)| (?:please|this time)$"
)
_SIDES = {"left": "right", "right": "left", "behind": "in front of", "in front of": "behind", "above": "below"}
_OTHERS: tuple[Mapping[str, Sequence[str]], ...] = (  # what is proposed in place of a word; of each answer one word
    {side: (other,) for side, other in _SIDES.items()},
    {color.value: [other.value for other in Color if other is not color] for color in Color},
    {
        numbers[n]: (numbers[n + 1], numbers[n - 1 if n > 2 else 3])
        for numbers in (NUMBER_WORDS, "0123456789")
        for n in range(2, 9)
    },
)
_PLACE = re.compile(r"(?:to the (left|right)|(behind|in front))(?: of)? ((?:the|that|it)\b[\w\s-]*)")
_SEVERAL = re.compile(rf"\b(?:\w+s|another|more|[2-9]|{'|'.join(NUMBER_WORDS[2:10])})\b(?<!this)(?<!let's)")


def proposed(lines: list[Line], words: Words, rate: float) -> list[Line]:
    """Return the dialogue; at this rate a question of the Builder says an answer, and the Architect yes or no."""
    lines = list(lines)
    for position in range(len(lines) - 1):
        (_, act, question), (_, _, answer) = lines[position : position + 2]
        if act != "clarification question" or " or " in question:
            continue
        answer = _POLITE.sub("", _POLITE.sub("", answer))
        place, text = _PLACE.fullmatch(answer), lines[position - 1][2].rstrip(".!? ")
        if place and not _SEVERAL.search(text) and words.chance(_WHICH_SIDE):
            lines[position - 1] = (*lines[position - 1][:2], f"{text} {words.pick('NEXT_TO').format(r=place[3])}")
            lines[position] = ("Builder", act, words.pick("WHICH_SIDE"))
            side = words.pick(f"SIDE.{place[1] or place[2].split()[-1]}")
            lines[position + 1] = ("Architect", "answer", side)
            continue
        if not words.chance(rate):
            continue
        other = answer if words.chance(_RIGHT) else _another(words, answer)
        reply = words.pick("PROPOSAL.yes" if other == answer else "PROPOSAL.no").format(x=answer)
        lines[position] = ("Builder", act, words.pick("PROPOSAL.asked").format(x=other))
        lines[position + 1] = ("Architect", "answer", reply)
    return lines


def _another(words: Words, answer: str) -> str:
    """Return another answer of the same kind: the other side, another color, a number more or less."""
    for others in _OTHERS:
        said = [word for word in others if re.search(rf"\b{word}\b", answer)]
        if said:
            return re.sub(rf"\b{said[0]}\b", words.pick(others[said[0]]), answer) if len(said) == 1 else answer
    return answer
