"""The simulators of the synthetic corpora, and which of their games make a corpus of a size."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count, islice
from typing import Any, NamedTuple

from bap_v2_simulators.human_turns.simulator import HumanTurns
from bap_v2_simulators.random_blocks import RandomBlocks
from bap_v2_simulators.settings import SettingsError, changed
from bap_v2_simulators.shape_blocks import ShapeBlocks
from bap_v2_simulators.simulation import turns_of_game
from bap_v2_simulators.simulator import Simulator
from bap_v2_simulators.whole_shapes import WholeShapes

SIMULATORS: Mapping[str, type] = {"dr": RandomBlocks, "dsb": ShapeBlocks, "dss": WholeShapes, "dh": HumanTurns}


# Named settings, by simulator. "paper" is sections 5 and 10 of BAP v2 and nothing else.
_PAPER = {
    **dict.fromkeys(("depth", "oblique"), "1"),
    **dict.fromkeys(("ground", "talk.verification", "talk.landmarks", "talk.chat", "talk.parts", "talk.places"), "0"),
    **dict.fromkeys(("talk.likeness", "talk.names"), "0"),
    "talk.corners": "false",
}
PRESETS: Mapping[str, Mapping[str, Mapping[str, str]]] = {name: {"paper": _PAPER} for name in ("dr", "dsb", "dss")}


class GameSpec(NamedTuple):
    """Which game of a corpus, and how much of it: what is needed to play it."""

    index: int
    turns: int  # that is, items; fewer than the game has if it is cut; -1: all


def games_of(simulator: Simulator, split: str, items: int, seed: int = 0) -> Iterator[GameSpec]:
    """Whole games that have this many items together, see `whole_games`. Raises: SettingsError."""
    return whole_games((turns_of_game(simulator, split, index, seed) for index in count()), items)


# How many of the last games may be left out, and how many further ones may take their place.
_REPLACEABLE = 8
_FURTHER = 60


def whole_games(turns: Iterable[int], items: int) -> Iterator[GameSpec]:
    """Yield the games 0, 1, 2, ... and at the end those that fit, so that there are exactly this many items.

    Some of the last games are left out, or replaced by the next ones. If nothing fits, the last game is cut: an odd
    number of items cannot be had from games of two turns each.

    Args:
        turns: of every game, in order, without end; hardly more are drawn than are needed.
        items: in all; a turn is an item.
    """
    # Yield whole games, but keep the last few back.
    games = (GameSpec(index, number) for index, number in enumerate(turns))
    last: deque[GameSpec] = deque()
    left = items  # for the last games
    for game in games:
        if game.turns > left - sum(other.turns for other in last):
            break
        last.append(game)
        if len(last) > _REPLACEABLE:
            left -= last[0].turns
            yield last.popleft()
    # Replace some of those by the next ones, so that the number fits.
    ends: dict[int, tuple[GameSpec, ...]] = {0: ()}  # games that have so many items together
    for candidate in chain(last, (game,), islice(games, _FURTHER)):
        for together, chosen in list(ends.items()):
            if together + candidate.turns <= left:
                ends.setdefault(together + candidate.turns, (*chosen, candidate))
        if left in ends:
            yield from ends[left]
            return
    # Nothing fits: the last game is cut.
    yield from last
    yield GameSpec(game.index, left - sum(other.turns for other in last))


def simulator_of(name: str, settings: Mapping[str, Any] | None = None) -> Simulator:
    """Return the simulator of a corpus, with settings other than those of the published corpora.

    Args:
        name: dr, dsb, dss or dh.
        settings: by name, as text, numbers or lists; parts of a setting after a dot, several values with commas:
            {"most_turns": "10", "talk.clarification": "0.5", "target.kinds": "row,plane"}; or {"preset": "paper"},
            which the others override.
    Raises:
        SettingsError: with the names or values that are valid.

    >>> simulator_of("dr", {"removal": "0.3"}).removal
    0.3
    """
    if name not in SIMULATORS:
        raise SettingsError(f"unknown simulator {name!r} (expected one of {', '.join(SIMULATORS)})")
    own = {
        key: ",".join(map(str, v)) if isinstance(v, (list, tuple)) else str(v) for key, v in (settings or {}).items()
    }
    if "preset" in own:
        chosen, presets = own.pop("preset"), PRESETS.get(name, {})
        if chosen not in presets:
            known = f"expected {', '.join(presets)}" if presets else "it has none"
            raise SettingsError(f"unknown preset {chosen!r} of {name} ({known})")
        own = {**presets[chosen], **own}
    return changed(SIMULATORS[name](), own)
