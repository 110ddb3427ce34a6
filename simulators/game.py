"""A game of the Minecraft Collaborative Building Task: what the players wrote and built, in order (BAP v2, 2.1).

Human logs and simulated games are the same `Game`, and become items by the same rule
(`bap_v2_dataset.items.item`). A game is one line of JSON:

    {"game_id": ..., "split": ..., "target": ["red 0 1 0"], "metadata": {},
     "events": ["<Architect> ...", {"pose": [x, y, z, yaw, pitch], "actions": ["place red 0 1 0"], "metadata": {}}]}

`target` and `metadata` may be missing.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from bap_v2_metric.actions import Action, Remove
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_metric.errors import UserError, shortened
from bap_v2_metric.notation import format_action, format_structure, parse_action, parse_structure
from bap_v2_simulators.atomic_files import atomic_path
from bap_v2_simulators.pose import Pose

SPEAKERS = ("Architect", "Builder")


def one_line(text: str) -> str:
    """Return a text with single blanks if it has line breaks: a line of its own in a prompt could be an action."""
    return text if text.splitlines() == [text] else " ".join(text.split())


class GameError(UserError):
    """A text that is not a game; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Utterance:
    """One chat line."""

    speaker: str  # "Architect" or "Builder"
    text: str

    def __str__(self) -> str:
        return f"<{self.speaker}> {self.text}"

    @classmethod
    def parse(cls, line: str) -> "Utterance":
        """Return the inverse of str(): `<Architect> text`, without its line breaks. Raises: GameError."""
        line = one_line(line)
        for speaker in SPEAKERS:
            if line.startswith(f"<{speaker}> "):
                return cls(speaker, line[len(speaker) + 3 :])
            if line == f"<{speaker}>":
                return cls(speaker, "")
        raise GameError(f"{line[:80]!r} is not a chat line (expected '<Architect> ...' or '<Builder> ...')")


MISSION = Utterance("Builder", "Mission has started.")  # with which games begin: nobody says it


@dataclass(frozen=True, slots=True)
class Step:
    """A change of the board between two looks at it; one action, seldom more (human logs: 203 steps have 2 or 3)."""

    pose: Pose  # just before the change
    actions: tuple[Action, ...]  # placements first; of several, the true order is unknown
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def apply_to(self, board: dict[Cell, Color]) -> None:
        """Brings the board up to date with what was seen, feasible or not: a cell removed and placed is recolored."""
        for action in self.actions:
            if isinstance(action, Remove):
                board.pop(action.cell, None)
        for action in self.actions:
            if not isinstance(action, Remove):
                board[action.cell] = action.color


Event = Utterance | Step


@dataclass(frozen=True, slots=True)
class Game:
    """One log, human or simulated. It starts from an empty board."""

    game_id: str
    split: str  # train, validation or test
    target: Structure
    events: tuple[Event, ...]
    metadata: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> bytes:
        """Return the game as one line of JSON, without the line break."""
        return orjson.dumps(
            {
                "game_id": self.game_id,
                "split": self.split,
                "target": format_structure(self.target),
                "metadata": self.metadata,
                "events": [_event_to_json(event) for event in self.events],
            }
        )

    @classmethod
    def from_json(cls, line: bytes | str) -> "Game":
        """Return the inverse of `to_json`. Raises: GameError with the cause."""
        try:
            return cls.from_dict(orjson.loads(line))
        except ValueError as error:
            if isinstance(error, GameError):
                raise
            raise GameError(f"not a game: {error}") from None

    @classmethod
    def from_dict(cls, game: Mapping[str, Any]) -> "Game":
        """Return the same of an object of JSON. Raises: GameError with the cause."""
        try:
            return cls(
                game_id=_text(game, "game_id"),
                split=_text(game, "split"),
                target=parse_structure(_texts("block", game.get("target") or ()), anywhere=True),
                metadata=_metadata(game),
                events=tuple(_numbered_event(number, event) for number, event in enumerate(game["events"], start=1)),
            )
        except GameError:
            raise
        except KeyError as error:
            raise GameError(f"a game has no field {error}") from None
        except (ValueError, TypeError, AttributeError) as error:
            raise GameError(f"not a game: {error}") from None


def write_games(games: Iterable[Game], path: Path) -> int:
    """Writes one game per line and returns their number; the file appears only when it is complete."""
    path = Path(path)
    count = 0
    with atomic_path(path) as unfinished, open(unfinished, "wb") as file:
        for game in games:
            file.write(game.to_json() + b"\n")
            count += 1
    return count


def read_games(path: Path) -> Iterator[Game]:
    """Yield the games of a file of JSON lines, one at a time. Raises: GameError with file and line."""
    with open(path, "rb") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                try:
                    yield Game.from_json(line)
                except GameError as error:
                    raise GameError(f"{path}, line {number}: {error}") from None


def _event_to_json(event: Event) -> object:
    if isinstance(event, Utterance):
        return str(event)
    pose = event.pose
    return {
        "pose": [pose.x, pose.y, pose.z, pose.yaw, pose.pitch],
        "actions": [format_action(action) for action in event.actions],
        "metadata": event.metadata,
    }


def _texts(noun: str, values: Iterable[Any]) -> Iterable[str]:
    for value in values:
        if not isinstance(value, str):
            expected = "place COLOR X Y Z' or 'pick X Y Z" if noun == "action" else "COLOR X Y Z"
            raise GameError(f"{value!r} is not an {noun} (expected the text '{expected}')".replace("an b", "a b"))
    return values


def _text(game: Mapping[str, Any], name: str) -> str:
    if not isinstance(game[name], str):
        raise GameError(f"not a game: {name} is {game[name]!r} (expected a text)")
    return game[name]


def _numbered_event(number: int, event: object) -> Event:
    try:
        return _event_from_json(event)
    except GameError as error:
        raise GameError(f"event {number}: {error}") from None
    except KeyError as error:
        raise GameError(f"event {number}: a step has no field {error}") from None
    except (ValueError, TypeError, AttributeError) as error:
        raise GameError(f"not a game: event {number}: {error}") from None


def _event_from_json(event: object) -> Event:
    if isinstance(event, str):
        return Utterance.parse(event)
    return Step(
        _pose(event["pose"]),
        tuple(parse_action(action, anywhere=True) for action in _texts("action", event["actions"])),
        _metadata(event),
    )


def _metadata(record: Mapping[str, Any]) -> Mapping[str, Any]:
    metadata = record.get("metadata")
    if not isinstance(metadata, Mapping | None):
        raise GameError(f"metadata is {shortened(metadata)} (expected an object)")
    return metadata or {}


def _pose(pose: object) -> Pose:
    try:
        if any(isinstance(value, bool) for value in (pose.values() if isinstance(pose, Mapping) else pose)):
            raise TypeError
        return Pose(**pose) if isinstance(pose, Mapping) else Pose(*pose)
    except TypeError:
        raise ValueError(f"pose is {pose!r} (expected the numbers x, y, z, yaw and pitch)") from None
