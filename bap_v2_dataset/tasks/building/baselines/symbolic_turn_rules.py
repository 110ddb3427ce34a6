"""The phrases of turns that change, repeat, mirror or extend something, each with what it does to a board.

A grammar of its own: it shares no table of phrases with the simulators.
"""

import re
from collections.abc import Callable

from bap_v2_dataset.tasks.building.baselines.symbolic_changes import (
    Effect,
    copied,
    lengthened,
    mirrored,
    recolored,
    removed_last,
    removed_newest,
    shifted,
)
from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import AWAY, DOWN, LEFT, RIGHT, TOWARDS, UP, Way
from bap_v2_dataset.tasks.building.baselines.symbolic_parts import parts_effect
from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import COLOR, COLORS, NUMBER, number_of, one_line
from bap_v2_dataset.tasks.building.baselines.symbolic_things import THING


def effect_of(text: str, *, corrected: bool, begun: bool) -> Effect | None:
    """Return what a whole line does; None if it is none of these turns.

    Args:
        text: in lower case, without what stands before and after a request.
        corrected: it began like a correction.
        begun: something was asked for before, and is not built yet.
    """
    if begun and (corrected or _CORRECTING.match(text)):  # it is about what was said before
        return None
    for pattern, effect in (*_COMPILED, *(_BARE if corrected else ())):
        match = pattern.fullmatch(text)
        if match is not None:
            return effect(match.groupdict())
    return None if corrected else parts_effect(text, begun=begun)


def _copy(said: dict[str, str | None], name: str) -> Effect:
    gap = _any(said, "gap")
    color = said["color"]
    one = bool(said.get("one"))
    return copied(name, _way(_SIDES, said["side"]), number_of(gap) if gap else 0, color and COLORS[color], one=one)


def way_of(text: str) -> Way:
    """Return the way of a direction: "to the left", "further up"."""
    return _way(_WAYS, text)


def _any(said: dict[str, str | None], name: str) -> str | None:
    return next((said[key] for key in (name, f"{name}2", f"{name}3") if said.get(key)), None)


def _way(table: dict[Way, str], text: str) -> Way:
    return next(way for way, pattern in table.items() if re.fullmatch(pattern, text))


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
TO = f"(?:{'|'.join(_WAYS.values())})"
_TO = f"(?P<to>{TO})"
_T, _P, _C = rf"(?P<thing>{THING})", rf"(?P<pivot>{THING})", rf"(?P<color>{COLOR})"
_REMOVE = one_line(r"""
    (?:remove|delete|destroy|break|erase|get rid of|punch(?: out)?|knock out|take (?:out|away|off)|we don't need|clear
    |removing|deleting)
""")
_TO_GO = "(?: (?:can|should|needs to) be removed)?"
_SIDES: dict[Way, str] = {
    LEFT: r"(?:to the )?left(?: of it)?|to its left|on its left(?: side)?",
    RIGHT: r"(?:to the )?right(?: of it)?|to its right|on its right(?: side)?",
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
    |repeat (?:that|this|it)|(?:(?:make|build|do|put) )?(?P<one>another|one more) (?:one )?of (?:those|these|them)
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
        rf"(?:{_REMOVE} )?(?:what|everything|all(?: of)?(?: that| those| the)?(?: blocks)?|the blocks|those blocks)"
        rf"(?: that)? you(?: have|'ve)? just (?:placed|built|added|put down|made|did){_TO_GO}",
        lambda said: removed_last(),
    ),
    (
        rf"(?:{_REMOVE} )?(?:the|those) last {_N}(?: blocks?)?(?: you(?: just)? placed)?{_TO_GO}",
        lambda said: removed_last(number_of(said["n"])),
    ),
    (
        rf"(?:that's |that is |it's |you placed |there's |there are )?{_N}(?: blocks?)? too (?:many|long)",
        lambda said: removed_last(number_of(said["n"])),
    ),
    # corrections
    (
        rf"(?:make|change|switch|replace|turn) {_T}(?: to| with| into)? {_C}(?: instead)?",
        lambda said: recolored(said["thing"], COLORS[said["color"]]),
    ),
    (rf"{_T} should (?:be|have been) {_C}(?: instead)?", lambda said: recolored(said["thing"], COLORS[said["color"]])),
    (
        rf"(?:change the color of {_T}|{_T.replace('<thing>', '<thing2>')} (?:is the wrong|should be another) color)"
        rf".*\b{_C}\b.*",
        lambda said: recolored(_any(said, "thing"), COLORS[said["color"]]),
    ),
    (
        rf"i meant {_C}(?: instead)?|use {_C.replace('<color>', '<color2>')} instead",
        lambda said: recolored("it", COLORS[_any(said, "color")]),
    ),
    (
        rf"(?:move|shift|bring) {_T}(?: over)?(?: a bit)?(?:,? {_N}{_UNIT}?)? {_TO}"
        rf"(?:,? (?:by )?(?P<n2>{NUMBER}){_UNIT}?)?",
        lambda said: shifted(said["thing"], _way(_WAYS, said["to"]), number_of(_any(said, "n"))),
    ),
    (
        rf"{_T} should (?:be|go) {_N}{_UNIT}? {_TO}",
        lambda said: shifted(said["thing"], _way(_WAYS, said["to"]), number_of(said["n"])),
    ),
    (
        rf"(?:it's|that's|it is) {_N}(?: blocks?)? (?:too short|too few|short)"
        rf"|it needs(?: to be)? (?P<n2>{NUMBER}) (?:longer|more)",
        lambda said: lengthened("it", None, number_of(_any(said, "n"))),
    ),
    # more of it
    (
        rf"(?:(?:extend|continue|lengthen) {_T}"
        rf"|make {_T.replace('<thing>', '<thing2>')}(?=.* (?:longer|taller|higher)\b))"
        rf"(?: (?:by )?{_N}(?: more)?{_UNIT}?)?(?: (?:longer|taller|higher))?"
        rf"(?: {_TO})?(?:,? (?:by )?(?P<n2>{NUMBER})(?: more)?{_UNIT}?)?",
        lambda said: lengthened(
            _any(said, "thing"), _way(_WAYS, said["to"]) if said["to"] else None, number_of(_any(said, "n"))
        ),
    ),
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
    (re.compile(rf"{_N}{_UNIT}? {_TO}"), lambda said: shifted("it", _way(_WAYS, said["to"]), number_of(said["n"]))),
    (re.compile(rf"{_C}(?: instead)?"), lambda said: recolored("it", COLORS[said["color"]])),
)
_CORRECTING = re.compile(
    rf"(?:make|change|switch|replace|turn|use) .*\b(?:{COLOR})(?: instead)?$|(?:i meant|move|shift|it needs)\b"
    r"|it(?: is|'s) |.*(?<!\bthere )\bshould (?!(?:\w+ )?be removed)|.*\btoo (?:many|long|few|short)\b"
)
TAKEN_AWAY = re.compile(r"(?:take|remove) the (?:end|last) one(?: (?:away|off))?")
