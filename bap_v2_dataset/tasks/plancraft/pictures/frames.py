"""An episode of Plancraft as frames: what is in the slots before the first turn, and after each."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bap_v2_dataset.tasks.plancraft.policies import played_by
from bap_v2_metric.errors import UserError
from bap_v2_simulators.plancraft.environment import GRID, OUTPUT, State, copied
from bap_v2_simulators.plancraft.episode import IMPOSSIBLE, SUCCESS, Episode
from bap_v2_simulators.plancraft.lenient import turn_of
from bap_v2_simulators.plancraft.turns import ALWAYS, MAX_STEPS, READINGS, TOOLS, AgentTurn, slot_name

_READ = 1400  # milliseconds that a frame stays
_LAST = 3000


class EpisodeError(UserError):
    """An episode that cannot be shown; the message says why."""


class EpisodeFrame(NamedTuple):
    """A moment of an episode."""

    state: State
    turn: str  # what the player wrote; "" before the first turn
    kind: str  # a tool, "invalid", or "" before the first turn
    words: str  # what came of it
    slots: tuple[int, ...]  # that the turn is about: from, to
    milliseconds: int


class Shown(NamedTuple):
    """An episode of a system."""

    name: str  # of the system
    frames: Sequence[EpisodeFrame]
    ended: str  # "success", "impossible", "max_steps", or "" if it has no end
    success: bool

    @property
    def verdict(self) -> str:
        """The end in words: `success after 4 turns`."""
        turns = len(self.frames) - 1
        after = f"after {turns} turn{'' if turns == 1 else 's'}"
        if self.ended == IMPOSSIBLE:
            return f"given up {after}: {'right, it is impossible' if self.success else 'wrong, it can be made'}"
        return f"{'success' if self.ended == SUCCESS else 'no success'} {after}"


def shown_episode(
    task: Mapping[str, Any], prediction: str, name: str, settings: Mapping[str, Any] | None = None
) -> Shown:
    """Return the episode of a prediction, played once more.

    Args:
        prediction: an episode as JSON, as files of play.py have it.
        settings: of its file: tools, reading and max_steps; by default all tools.
    Raises:
        EpisodeError: it is no episode.
        PlancraftMissing: without the package.
    """
    # The turns of the prediction.
    settings = settings or {}
    try:
        turns = json.loads(prediction)["turns"]
    except (ValueError, KeyError, TypeError):
        raise EpisodeError(f"{name}: the prediction for {task['id']} is no episode: {prediction[:60]!r}") from None
    if not isinstance(turns, list) or not all(isinstance(turn, str) for turn in turns):
        raise EpisodeError(f"{name}: the turns of {task['id']} are no list of texts")
    # Play them under the settings of the run, and copy the table after each.
    reading = settings.get("reading") or READINGS[0]
    episode = Episode(task, TOOLS, settings.get("max_steps") or MAX_STEPS, settings.get("seed") or 0, reading)
    frames = [EpisodeFrame(copied(episode.state), "", "", f"Craft: {task['target']}", (), _READ)]
    for turn in turns:
        if episode.ended:
            break
        before = copied(episode.state)
        reply = episode.take(turn)
        read = turn_of(turn, TOOLS, reading)
        words = _words(before, episode, read, reply or "")
        slots = (read.source, read.target) if read.kind in ALWAYS else ()
        frames.append(
            EpisodeFrame(copied(episode.state), turn, read.kind, words, slots, _LAST if episode.ended else _READ)
        )
    return Shown(name, frames, episode.ended, episode.success)


def gold_episode(task: Mapping[str, Any]) -> Shown:
    """Return the gold plan, or giving up where there is none."""
    return shown_episode(task, played_by("oracle", task), "oracle")


def _words(before: State, episode: Episode, turn: AgentTurn, reply: str) -> str:
    """Return what came of a turn, in a few words."""
    # A move or a smelt: what is where now, and what the grid makes.
    if turn.kind in ALWAYS:
        if before == episode.state:
            return "nothing changes"
        item = before.get(turn.source, {}).get("type", "")
        made = episode.state.get(OUTPUT, {}).get("type")
        now = episode.state.get(turn.target, {}).get("type", item) if turn.target else item
        words = f"{item} to {slot_name(turn.target)}" if turn.kind == "move" else f"{now} in {slot_name(turn.target)}"
        if turn.target in GRID and made:
            words += f": makes {made}"
        return words + (" - done" if episode.success else "")
    # Other turns: the first line of the reply.
    if turn.kind == "search":
        lines = reply.strip().splitlines()
        return lines[0] + (f" (and {len(lines) - 1} more lines)" if len(lines) > 1 else "") if lines else ""
    if turn.kind == "invalid":
        return reply.strip().splitlines()[0] if reply.strip() else "not carried out"
    return ""
