"""Reads turns that change, repeat, mirror or extend what is there: "mirror that on the other side of the red block".

Each line that is one of them as a whole is carried out by itself; all other lines are left to the reader.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from bap_v2_dataset.tasks.building.baselines.symbolic_changes import Effect, drawn, with_part
from bap_v2_dataset.tasks.building.baselines.symbolic_objects import adds_part
from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import COLOR, COLORS, NUMBER, number_of, one_line
from bap_v2_dataset.tasks.building.baselines.symbolic_short import continuation
from bap_v2_dataset.tasks.building.baselines.symbolic_things import DRAWN
from bap_v2_dataset.tasks.building.baselines.symbolic_turn_rules import TAKEN_AWAY, effect_of

_BEFORE = re.compile(
    one_line(r"""
    (?:(?:(?:good morning|hi there|hello builder|welcome|good job|great job|very good|and|then|now|next(?! to\b)|so|ok
    |okay|alright|also|after that|great|perfect|yes|yeah
    |yep|yup|good|nice|cool
    |awesome|excellent|well done|looks good|beautiful|that's good|exactly|just like that|like that
    |hi|hello|hey|please|to start|first|let's|lets|let us|go ahead and|you can|you could|can you|could you|we will|we'll
    |we need to|you need to|you'll want to|i need you to|i want you to)(?:[,.!?]+ | )
    |(?P<corrected>(?:no|nope|not quite|hmm|sorry|oops|whoops|actually|wait|no wait|not there)[,.!]+ |actually ))+)
""")
)
_AFTER = re.compile(r"(?:,? (?:please|too|now))?[\s.!?]*$")
_N = rf"{NUMBER})(?: blocks)?"
_SIZES = one_line(rf"""
    (?:(?P<wide>{_N} (?:wide|across)(?: and|,) (?P<tall>{_N} (?:tall|high|up|long|deep)
    |(?P<tall2>{_N} (?:tall|high|up|long|deep)(?: and|,) (?P<wide2>{_N} (?:wide|across)
    |(?P<side>[0-9]) ?(?:x|by) ?[0-9])
""")
_SIDES = ("first", "side", "wide", "wide2")
_DRAWN = re.compile(
    one_line(rf"""
    (?:(?:make|build|create|do|we need|we're making|were making|i want) )?an?
    (?: (?P<how>upright|standing|vertical|flat|horizontal))?(?: (?P<first>[0-9]) ?(?:x|by) ?[0-9])?
    (?: (?P<color>{COLOR}))?
    [ ](?:letter |capital )?(?P<name>{"|".join(sorted(DRAWN, key=len, reverse=True))})(?: shape)?[,.]?
    (?: (?P<after>(?:that )?(?:standing up|standing upright|standing|stands up|upright|lying flat|laid flat|lying down
    |laying flat|lies flat)))?[,.]?(?: (?:that is|that's|thats|it's|its|make it))?(?: {_SIZES})?(?P<rest>(?![\w']).*)
""")
)
_BOTTOM = re.compile(
    one_line(r"""
    .*?(?:\b(?:(?:its|the) )?(?:(?:bottom|lower) left(?: block| corner| one)?(?: of it)?
    |(?:bottom|lowest) block(?: of it)?|foot|base|bottom of it|one at the bottom left)
    [ ](?:goes|is|should be|should go)|\bstart at the bottom(?: left)?,)[ ](?P<at>.+)
""")
)


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
    drawing = _DRAWN.fullmatch(text)
    if drawing and any(map(drawing.group, ("how", "after"))) and any(map(drawing.group, _SIDES)):
        return _drawing(drawing, lines)
    if len(lines) > 2 and _is_question(lines[1]) and lines[2].startswith("<Architect>"):
        effect = effect_of(f"{text} {_bare(lines[2])[0]}", corrected=corrected, begun=begun)
        if effect is not None:
            return 3, ParsedTurn(effect)
    effect = effect_of(text, corrected=corrected, begun=begun)
    if effect is None and not (len(lines) > 1 and _is_question(lines[1])):
        effect = continuation(text, named=named)
    taken = 1
    if effect is not None and "too" in text and len(lines) > 1 and TAKEN_AWAY.fullmatch(_bare(lines[1])[0]):
        taken = 2
    return taken, None if effect is None else ParsedTurn(effect)


def _drawing(match: re.Match, lines: Sequence[str]) -> tuple[int, ParsedTurn]:
    # What the first line says.
    color, at = match["color"], None
    if bottom := _BOTTOM.fullmatch(match["rest"]):
        at = bottom["at"]
    # What is asked and answered after it: where the bottom goes, and the color.
    taken = 1
    while taken < len(lines):
        text = _bare(lines[taken])[0]
        answers = _is_question(lines[taken - 1])
        if lines[taken].startswith("<Architect>"):
            bottom = _BOTTOM.fullmatch(text)
            if bottom and at is None:
                at = bottom["at"]
            elif answers and color is None and (said := re.search(rf"\b(?:{COLOR})\b", text)):
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
    before = _BEFORE.match(f"{text} ")
    corrected = before is not None and before["corrected"] is not None
    text = _AFTER.sub("", text[before.end() :] if before else text)
    return text, corrected or text.startswith("i meant")


def _is_question(line: str) -> bool:
    return line.startswith("<Builder>") and "?" in line


def _names_a_color(step: ParsedTurn | list[str]) -> bool:
    return not isinstance(step, ParsedTurn) and any(re.search(rf"\b(?:{COLOR})\b", line.lower()) for line in step)


def _says_something(step: ParsedTurn | list[str]) -> bool:
    """Return whether the lines before say more than "great"."""
    if isinstance(step, ParsedTurn):
        return False
    return any(len(_bare(line)[0].split()) > 2 for line in step if line.startswith("<Architect>"))
