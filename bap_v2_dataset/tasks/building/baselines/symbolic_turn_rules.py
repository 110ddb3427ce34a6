"""The phrases of turns that change, repeat, mirror or extend something, each with what it does to a board.

A grammar of its own: it shares no table of phrases with the simulators.
"""

import re
from collections.abc import Callable

from bap_v2_dataset.tasks.building.baselines import symbolic_changes as changes
from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import Way
from bap_v2_dataset.tasks.building.baselines.symbolic_parts import parts_effect
from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import COLORS, number_of, phrases, ways

Said = dict[str, str | None]


def effect_of(text: str, *, corrected: bool, begun: bool) -> changes.Effect | None:
    """Return what a whole line does; None if it is none of these turns.

    Args:
        text: in lower case, without what stands before and after a request.
        corrected: it began like a correction.
        begun: something was asked for before, and is not built yet.
    """
    if begun and (corrected or _P.correcting.match(text)):  # it is about what was said before
        return None
    for pattern, effect in _RULES + (_BARE if corrected else []):
        match = pattern.fullmatch(text)
        if match is not None:
            return effect(match.groupdict())
    return None if corrected else parts_effect(text, begun=begun)


def way_of(text: str) -> Way:
    """Return the way of a direction: "to the left", "further up"."""
    return _way(ways(phrases("words").WAYS), text)


def _way(table: dict[Way, str], text: str) -> Way:
    return next(way for way, pattern in table.items() if re.fullmatch(pattern, text))


def _any(said: Said, name: str) -> str | None:
    return next((said[key] for key in (name, f"{name}2", f"{name}3") if said.get(key)), None)


def _thing(said: Said) -> str:
    return _any(said, "thing") or "it"


def _number(said: Said) -> int:
    return number_of(_any(said, "n"))


def _copy(said: Said) -> changes.Effect:
    gap, color = _any(said, "gap"), said["color"]
    side = _way(ways(_P.SIDES), said["side"])
    return changes.copied(
        _thing(said), side, number_of(gap) if gap else 0, color and COLORS[color], one=bool(said.get("one"))
    )


_EFFECTS: dict[str, Callable[[Said], changes.Effect]] = {
    "take": lambda said: changes.recolored(_thing(said), None),
    "take newest": lambda said: changes.removed_newest(),
    "take last": lambda said: changes.removed_last(_number(said)),
    "undo": lambda said: changes.removed_last(),
    "color": lambda said: changes.recolored(_thing(said), COLORS[_any(said, "color")]),
    "shift": lambda said: changes.shifted(_thing(said), way_of(said["to"]), _number(said)),
    "lengthen": lambda said: changes.lengthened(
        _thing(said), way_of(said["to"]) if said.get("to") else None, _number(said)
    ),
    "copy": _copy,
    "mirror": lambda said: changes.mirrored(_thing(said), said["pivot"]),
}
_P = phrases("turn_rules")
_RULES, _BARE = ([(re.compile(text), _EFFECTS[name]) for name, text in rules] for rules in (_P.RULES, _P.BARE))
taken_away = _P.taken_away
