"""Reads turns that change, repeat, mirror or extend what is there: "now mirror that on the other side of the red block".

Each line that is one of them as a whole is carried out by itself; all other lines are left to the reader.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bap_v2_dataset.tasks.building.baselines.symbolic_changes import (
    Effect,
    copied,
    drawn,
    lengthened,
    mirrored,
    on_both_ends,
    on_top_of_each,
    recolored,
    removed_end,
    removed_last,
    removed_newest,
    shifted,
)
from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import AWAY, DOWN, LEFT, RIGHT, TOWARDS, UP, Way
from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import COLOR, COLORS, NUMBER, NUMBERS, one_line
from bap_v2_dataset.tasks.building.baselines.symbolic_things import DRAWN, THING

_BEFORE = re.compile(
    one_line(r"""
    (?:(?:(?:good job|great job|very good|and|then|now|next|so|ok|okay|alright|also|after that|great|perfect|yes|yeah|yep|yup|good|nice|cool|awesome
    |excellent|well done|looks good|beautiful|that's good|exactly|just like that|like that
    |hi|hello|hey|please|to start|first|let's|lets|let us|go ahead and|you can|you could|can you|could you|we will|we'll
    |we need to|you need to|you'll want to|i need you to|i want you to)(?:[,.!?]+ | )
    |(?P<corrected>(?:no|nope|not quite|hmm|sorry|oops|whoops|actually|wait|no wait|not there)[,.!]+ |actually ))+)
""")
)
_AFTER = re.compile(r"(?:,? (?:please|too|now))?[\s.!?]*$")
_UNIT = r"(?: (?:spaces?|blocks?|bricks?|units?|spots?|squares?|cells?))"
_N = rf"(?P<n>an?|{NUMBER})"
_WAYS: dict[Way, str] = {
    LEFT: r"(?:(?:further|more|over|one) )?(?:to (?:the |your ))?left",
    RIGHT: r"(?:(?:further|more|over|one) )?(?:to (?:the |your ))?right",
    UP: r"(?:further )?up|higher|taller",
    DOWN: r"(?:further )?down|lower",
    AWAY: r"(?:further )?(?:back|away from you)|backwards?",
    TOWARDS: r"(?:closer to|towards?) (?:you|yourself)",
}
_TO = f"(?P<to>{'|'.join(_WAYS.values())})"
_ENDS: dict[Way, str] = {
    LEFT: "left ?(?:most)?", RIGHT: "right ?(?:most)?", UP: "top ?(?:most)?|highest", DOWN: "bottom ?(?:most)?|lowest",
    TOWARDS: "front ?(?:most)?|closest|nearest", AWAY: "back ?(?:most)?|furthest|farthest",
}  # fmt: skip
_END = f"(?P<end>{'|'.join(_ENDS.values())})"
_T, _P, _C = rf"(?P<thing>{THING})", rf"(?P<pivot>{THING})", rf"(?P<color>{COLOR})"
_REMOVE = one_line(r"""
    (?:remove|delete|destroy|break|erase|get rid of|punch(?: out)?|knock out|take (?:out|away|off)|we don't need|clear
    |removing|deleting)
""")
_SIDES: dict[Way, str] = {
    LEFT: r"to the left(?: of it)?|to its left|on its left(?: side)?",
    RIGHT: r"to the right(?: of it)?|to its right|on its right(?: side)?",
    UP: "on top(?: of it)?|above it", TOWARDS: "in front(?: of it)?", AWAY: "behind it",
}  # fmt: skip
_GAP = one_line(rf"""
    (?:,? (?:with )?(?:no gap|touching it|without a gap)|,? (?:with |leaving )?(?P<gap>an?|{NUMBER}) spaces?
    [ ](?:in between|between them)|,? with a gap of (?P<gap2>{NUMBER}))?
""")
_WHERE = rf",? (?:(?:directly|right) )?(?P<side>{'|'.join(_SIDES.values())}){_GAP}"
_IN = rf"(?:,? (?:in|with|but)(?: in)? {_C},?)?"
_SAME = one_line(r"""
    (?:(?:do |build |make |put |place )?(?:the )?same(?: thing| shape)?(?: again)?|do (?:that|this|it) again
    |repeat (?:that|this|it)|(?:(?:make|build|do|put) )?(?:another|one more) (?:one )?of (?:those|these|them)
    |copy (?:that|this|it))
""")
_LIKE = rf"(?:(?:make|build) another one like|(?:make|build) a copy of|repeat|copy|build the same as) {_T}"
_ACROSS = rf"(?:(?:on|to|onto) the (?:other|opposite) side of|across) {_P}"

Rule = tuple[str, Callable[[dict[str, str | None]], Effect]]
_RULES: tuple[Rule, ...] = (
    # what goes
    (rf"{_REMOVE} {_T}", lambda said: recolored(said["thing"], None)),
    (rf"{_T} (?:can|should|needs to|has to) be removed", lambda said: recolored(said["thing"], None)),
    (rf"take {_T} (?:away|off|out)", lambda said: recolored(said["thing"], None)),
    (
        rf"{_REMOVE} (?:that|the) last (?:block|one)(?: you(?: just)? placed)?"
        r"|(?:that|the) last (?:block|one)(?: you(?: just)? placed)? (?:can|should|needs to) be removed",
        lambda said: removed_newest(),
    ),
    (r"(?:scratch that,? )?undo (?:that|it|the last step|what you just did|all of that)", lambda said: removed_last()),
    (
        rf"(?:{_REMOVE} )?(?:what|everything|all(?: of)?(?: that| those| the)?(?: blocks)?|the blocks|those blocks)(?: that)?"
        r" you(?: have|'ve)? just (?:placed|built|added|put down|made|did)(?: (?:can|should|needs to) be removed)?",
        lambda said: removed_last(),
    ),
    (
        rf"(?:{_REMOVE} )?(?:the|those) last {_N}(?: blocks?)?(?: you(?: just)? placed)?(?: (?:can|should|needs to) be removed)?",
        lambda said: removed_last(_number(said["n"])),
    ),
    (
        rf"(?:{_REMOVE} )?the (?:(?P<n>{NUMBER}) {_END}|{_END.replace('<end>', '<end2>')} (?P<n2>{NUMBER})"
        rf"|{_END.replace('<end>', '<end3>')}) blocks? (?:of|in) {_T}(?: (?:can|should|needs to) be removed)?",
        lambda said: removed_end(said["thing"], _way(_ENDS, _any(said, "end")), _number(_any(said, "n"))),
    ),
    (
        rf"(?:{_REMOVE} )?the (?:(?P<n>{NUMBER}) )?blocks? (?:at|on) the {_END} end of {_T}"
        r"(?: (?:can|should|needs to) be removed)?",
        lambda said: removed_end(said["thing"], _way(_ENDS, said["end"]), _number(said["n"])),
    ),
    (
        rf"(?:that's |that is |it's |you placed |there's |there are )?{_N}(?: blocks?)? too (?:many|long)",
        lambda said: removed_last(_number(said["n"])),
    ),
    # corrections
    (
        rf"(?:make|change|switch|replace|turn) {_T}(?: to| with| into)? {_C}(?: instead)?",
        lambda said: recolored(said["thing"], COLORS[said["color"]]),
    ),
    (rf"{_T} should (?:be|have been) {_C}(?: instead)?", lambda said: recolored(said["thing"], COLORS[said["color"]])),
    (
        rf"(?:change the color of {_T}|{_T.replace('<thing>', '<thing2>')} (?:is the wrong color|should be another color))"
        rf".*\b{_C}\b.*",
        lambda said: recolored(_any(said, "thing"), COLORS[said["color"]]),
    ),
    (rf"i meant {_C}(?: instead)?|use {_C.replace('<color>', '<color2>')} instead", lambda said: recolored("it", COLORS[_any(said, "color")])),
    (
        rf"(?:move|shift|bring) {_T}(?: over)?(?: a bit)?(?:,? {_N}{_UNIT}?)? {_TO}"
        rf"(?:,? (?:by )?(?P<n2>{NUMBER}){_UNIT}?)?",
        lambda said: shifted(said["thing"], _way(_WAYS, said["to"]), _number(_any(said, "n"))),
    ),
    (
        rf"{_T} should (?:be|go) {_N}{_UNIT}? {_TO}",
        lambda said: shifted(said["thing"], _way(_WAYS, said["to"]), _number(said["n"])),
    ),
    (
        rf"(?:it's|that's|it is) {_N}(?: blocks?)? (?:too short|too few|short)|it needs(?: to be)? (?P<n2>{NUMBER}) (?:longer|more)",
        lambda said: lengthened("it", None, _number(_any(said, "n"))),
    ),
    # more of it
    (
        rf"(?:make|extend|continue|lengthen) {_T}(?: (?:by )?{_N}(?: more)?{_UNIT}?)?(?: (?P<how>longer|taller|higher))?"
        rf"(?: {_TO})?(?:,? (?:by )?(?P<n2>{NUMBER})(?: more)?{_UNIT}?)?",
        lambda said: lengthened(
            said["thing"], _way(_WAYS, said["to"]) if said["to"] else None, _number(_any(said, "n"))
        ) if said["said"].startswith("e") or said["said"].startswith("c") or said["how"] or said["to"] else None,
    ),
    (
        rf"(?:(?:add|put|place) )?one(?: more| block)?(?: block)? (?:to|on|at) (?:both|each|either) ends? of {_T}",
        lambda said: on_both_ends(said["thing"]),
    ),
    (rf"extend {_T} by one (?:on|at) (?:both|each) ends?", lambda said: on_both_ends(said["thing"])),
    (
        rf"(?:add|put|place) (?:an? {_C}|another)? ?one(?: more)? on top of (?:each|every)(?: block| one)? (?:of|in) {_T}",
        lambda said: on_top_of_each(said["thing"], said["color"]),
    ),
    (
        rf"(?:add|put|place) an? {_C} (?:block|one) on top of each(?: block)? (?:of|in) {_T}",
        lambda said: on_top_of_each(said["thing"], said["color"]),
    ),
    (rf"(?:add|build|put) (?:another|an? {_C}) layer on top of {_T}", lambda said: on_top_of_each(said["thing"], said["color"])),
    (rf"copy {_T} up one", lambda said: on_top_of_each(said["thing"], None)),
    (rf"cover {_T} with {_C}", lambda said: on_top_of_each(said["thing"], said["color"])),
    # the same again
    (rf"{_SAME}{_IN}{_WHERE}", lambda said: _copy(said, "it")),
    (rf"{_LIKE}{_IN}{_WHERE}", lambda said: _copy(said, said["thing"])),
    (rf"{_SAME} {_ACROSS}", lambda said: mirrored("it", said["pivot"])),
    (rf"mirror {_T} {_ACROSS}", lambda said: mirrored(said["thing"], said["pivot"])),
    (
        rf"(?:build|make|put|place) (?:a|the) mirror image of {_T} {_ACROSS}",
        lambda said: mirrored(said["thing"], said["pivot"]),
    ),
    (rf"make {_T} symmetric(?:al)? {_ACROSS}", lambda said: mirrored(said["thing"], said["pivot"])),
)
_COMPILED = tuple((re.compile(pattern), effect) for pattern, effect in _RULES)
_BARE = (  # only as a correction of what was just built
    (re.compile(rf"{_N}{_UNIT}? {_TO}"), lambda said: shifted("it", _way(_WAYS, said["to"]), _number(said["n"]))),
    (re.compile(rf"{_C}(?: instead)?"), lambda said: recolored("it", COLORS[said["color"]])),
)
_CORRECTING = re.compile(
    rf"(?:make|change|switch|replace|turn|use) .*\b(?:{COLOR})(?: instead)?$|(?:i meant|move|shift|it needs)\b|.*\bshould\b"
    r"|.*\btoo (?:many|long|few|short)\b"
)
_TAKEN_AWAY = re.compile(r"(?:take|remove) the (?:end|last) one(?: (?:away|off))?")
_DRAWN = re.compile(
    one_line(rf"""
    (?:(?:make|build|create|we need) )?an? (?P<how>upright|standing|vertical|flat|horizontal)(?: {_C})?
    [ ](?:letter |capital )?(?P<name>{"|".join(sorted(DRAWN, key=len, reverse=True))})(?: shape)?,?(?: that is)?
    [ ](?P<n>{NUMBER})(?: blocks)? wide and (?P<m>{NUMBER})(?: blocks)? (?:tall|high|long|deep)(?P<rest>\b.*)
""")
)
_BOTTOM = re.compile(
    r".*\b(?:its|the) (?:(?:bottom left|lower left|bottom|lowest) block(?: of it)?|foot) (?:goes|is|should be|should go) (?P<at>.+)"
)


@dataclass(frozen=True, slots=True)
class Turn:
    """A line, or a line with the answer to the Builder's question, that is one request as a whole."""

    effect: Effect


def turns(lines: Sequence[str]) -> list[Turn | list[str]]:
    """The dialogue in steps, in order: turns of these kinds, and the lines in between that are something else.

    Args:
        lines: of both speakers, with their names.
    """
    steps: list[Turn | list[str]] = [[]]
    position = 0
    while position < len(lines):
        line = lines[position]
        taken, turn = 1, None
        if line.startswith("<Architect>"):
            begun = _says_something(steps[-1])
            if not begun or not _is_question(lines[position - 1]):
                taken, turn = _turn_at(lines[position:], begun=begun)
        if turn is None:
            if isinstance(steps[-1], Turn):
                steps.append([])
            steps[-1].append(line)
        else:
            steps.append(turn)
        position += taken
    return [step for step in steps if step]


def _turn_at(lines: Sequence[str], *, begun: bool) -> tuple[int, Turn | None]:
    """The turn that begins with the first of the lines, and how many it takes."""
    text, corrected = _bare(lines[0])
    if drawing := _DRAWN.fullmatch(text):
        return _drawing(drawing, lines)
    if len(lines) > 2 and _is_question(lines[1]) and lines[2].startswith("<Architect>"):
        effect = _effect(f"{text} {_bare(lines[2])[0]}", corrected=corrected, begun=begun)
        if effect is not None:
            return 3, Turn(effect)
    effect = _effect(text, corrected=corrected, begun=begun)
    taken = 1
    if effect is not None and "too" in text and len(lines) > 1 and _TAKEN_AWAY.fullmatch(_bare(lines[1])[0]):
        taken = 2
    return taken, None if effect is None else Turn(effect)


def _effect(text: str, *, corrected: bool, begun: bool) -> Effect | None:
    if begun and (corrected or _CORRECTING.match(text)):  # it is about what was said before, and not built yet
        return None
    for pattern, effect in (*_COMPILED, *(_BARE if corrected else ())):
        match = pattern.fullmatch(text)
        if match is not None:
            return effect({**match.groupdict(), "said": text})
    return None


def _drawing(match: re.Match, lines: Sequence[str]) -> tuple[int, Turn]:
    color, at = match["color"], None
    if bottom := _BOTTOM.fullmatch(match["rest"]):
        at = bottom["at"]
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
    size = (_number(match["n"]), _number(match["m"]))
    upright = match["how"] in ("upright", "standing", "vertical")
    return taken, Turn(drawn(DRAWN[match["name"]], color and COLORS[color], size, upright, at))


def _bare(line: str) -> tuple[str, bool]:
    """What a line asks for, without what may stand before and after it, and whether it began as a correction."""
    text = line.partition("> ")[2].lower().replace("\u2019", "'").replace("-", " ")
    text = " ".join(text.split())
    before = _BEFORE.match(text)
    corrected = before is not None and before["corrected"] is not None
    text = _AFTER.sub("", text[before.end() :] if before else text)
    return text, corrected or text.startswith("i meant")


def _is_question(line: str) -> bool:
    return line.startswith("<Builder>") and "?" in line


def _says_something(step: Turn | list[str]) -> bool:
    """Whether the lines before say more than "great"."""
    if isinstance(step, Turn):
        return False
    return any(len(_bare(line)[0].split()) > 2 for line in step if line.startswith("<Architect>"))


def _copy(said: dict[str, str | None], name: str) -> Effect:
    gap = _any(said, "gap")
    color = said["color"]
    return copied(name, _way(_SIDES, said["side"]), _number(gap) if gap else 0, color and COLORS[color])


def _any(said: dict[str, str | None], name: str) -> str | None:
    return next((said[key] for key in (name, f"{name}2", f"{name}3") if said.get(key)), None)


def _way(table: dict[Way, str], text: str) -> Way:
    return next(way for way, pattern in table.items() if re.fullmatch(pattern, text))


def _number(text: str | None) -> int:
    if text is None:
        return 1
    return int(text) if text[0].isdigit() else NUMBERS.get(text, 1)
