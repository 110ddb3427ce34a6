"""Reads turns that change, repeat, mirror or extend what is there: "mirror that on the other side of the red block".

Each line that is one of them as a whole is carried out by itself, also one that says neither a color nor a block: "two
more that way". All other lines are left to the reader.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from bap_v2_dataset.tasks.building.baselines.symbolic_changes import Effect, continued, drawn, with_part
from bap_v2_dataset.tasks.building.baselines.symbolic_objects import adds_part
from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import COLOR_WORD, COLORS, number_of, phrases, ways
from bap_v2_dataset.tasks.building.baselines.symbolic_things import DRAWN
from bap_v2_dataset.tasks.building.baselines.symbolic_turn_rules import effect_of, taken_away

_P, _SHORT = phrases("turns"), phrases("short")
_SIDES = ("first", "side", "wide", "wide2")


@dataclass(frozen=True, slots=True)
class ParsedTurn:
    """A line, or a line with the answer to the Builder's question, that is one request as a whole."""

    effect: Effect
    lines: Sequence[str] = ()


def turns(lines: Sequence[str], names: Collection[str] = ()) -> list[ParsedTurn | list[str]]:
    """Return the dialogue in steps, in order: turns of these kinds, and the lines in between that are something else.

    Args:
        lines: of both speakers, with their names.
        names: of parts of objects that stand.
    """
    steps: list[ParsedTurn | list[str]] = [[]]
    position = 0
    while position < len(lines):
        line = lines[position]
        # A turn may begin at a line of the Architect that answers no question.
        taken, turn = 1, None
        if line.startswith("<Architect>"):
            begun = _says_something(steps[-1])
            if not begun or not _is_question(lines[position - 1]):
                taken, turn = _turn_at(lines[position:], begun=begun, named=not begun and _names_a_color(steps[-1]))
        # Other lines are collected until the next turn.
        if turn is None and adds_part(line, names):
            turn = ParsedTurn(with_part(line))
        if turn is None:
            if isinstance(steps[-1], ParsedTurn):
                steps.append([])
            steps[-1].append(line)
        else:
            steps.append(replace(turn, lines=lines[position : position + taken]))
        position += taken
    return [step for step in steps if step]


def _turn_at(lines: Sequence[str], *, begun: bool, named: bool) -> tuple[int, ParsedTurn | None]:
    """Return the turn that begins with the first of the lines, and how many it takes."""
    text, corrected = _bare(lines[0])
    drawing = _P.drawn.fullmatch(text)
    if drawing and any(map(drawing.group, ("how", "after"))) and any(map(drawing.group, _SIDES)):
        return _drawing(drawing, lines)
    if len(lines) > 2 and _is_question(lines[1]) and lines[2].startswith("<Architect>"):
        effect = effect_of(f"{text} {_bare(lines[2])[0]}", corrected=corrected, begun=begun)
        if effect is not None:
            return 3, ParsedTurn(effect)
    effect = effect_of(text, corrected=corrected, begun=begun)
    if effect is None and not (len(lines) > 1 and _is_question(lines[1])):
        effect = _continuation(text, named=named)
    taken = 1
    if effect is not None and "too" in text and len(lines) > 1 and taken_away.fullmatch(_bare(lines[1])[0]):
        taken = 2
    return taken, None if effect is None else ParsedTurn(effect)


def _continuation(text: str, *, named: bool) -> Effect | None:
    """Return what a whole line does that goes on from the last block; None if it is no such line.

    Args:
        named: the lines before name a color, and nothing else yet: this one places what they name.
    """
    if named or not _SHORT.goes_on.search(text):
        return None
    for (pattern,) in _SHORT.MORE:
        if match := re.fullmatch(pattern, text):
            said = match.groupdict()
            count = number_of(said["n"] or said["m"])
            to = said.get("to")
            return continued(
                next((way for way, words in ways(_SHORT.WAYS).items() if to and re.fullmatch(words, to)), None), count
            )
    return None


def _drawing(match: re.Match, lines: Sequence[str]) -> tuple[int, ParsedTurn]:
    # What the first line says.
    color, at = match["color"], None
    if bottom := _P.bottom.fullmatch(match["rest"]):
        at = bottom["at"]
    # What is asked and answered after it: where the bottom goes, and the color.
    taken = 1
    while taken < len(lines):
        text = _bare(lines[taken])[0]
        answers = _is_question(lines[taken - 1])
        if lines[taken].startswith("<Architect>"):
            bottom = _P.bottom.fullmatch(text)
            if bottom and at is None:
                at = bottom["at"]
            elif answers and color is None and (said := COLOR_WORD.search(text)):
                color = said[0]
            else:
                break
        taken += 1
    # The letter that was meant.
    if side := match["side"] or match["first"]:
        size = (int(side), int(side))
    else:
        size = (number_of(match["wide"] or match["wide2"]), number_of(match["tall"] or match["tall2"]))
    upright = not re.match("flat|horizontal|l", match["how"] or match["after"].removeprefix("that "))
    return taken, ParsedTurn(drawn(DRAWN[match["name"]], color and COLORS[color], size, upright, at))


def _bare(line: str) -> tuple[str, bool]:
    """Return what a line asks for, without what may stand before and after it, and whether it began as a correction."""
    text = line.partition("> ")[2].lower().replace("\u2019", "'").replace("-", " ")
    text = " ".join(text.split())
    before = _P.before.match(f"{text} ")
    corrected = before is not None and before["corrected"] is not None
    text = _P.after.sub("", text[before.end() :] if before else text)
    return text, corrected or text.startswith("i meant")


def _is_question(line: str) -> bool:
    return line.startswith("<Builder>") and "?" in line


def _names_a_color(step: ParsedTurn | list[str]) -> bool:
    return not isinstance(step, ParsedTurn) and any(COLOR_WORD.search(line.lower()) for line in step)


def _says_something(step: ParsedTurn | list[str]) -> bool:
    """Return whether the lines before say more than "great"."""
    if isinstance(step, ParsedTurn):
        return False
    return any(len(_bare(line)[0].split()) > 2 for line in step if line.startswith("<Architect>"))
