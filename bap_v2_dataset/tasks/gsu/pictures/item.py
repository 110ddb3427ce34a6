"""What a picture of a GSU item shows, read from its row alone: a walk, blocks around a viewer, and the question.

GSU is the grid of Sidhu and Hockenmaier (2026): x to the right, y forward, z up.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, NamedTuple

from bap_v2_dataset.sentences import counted
from bap_v2_metric.errors import UserError
from bap_v2_simulators.gsu.grid import seen_from
from bap_v2_simulators.gsu.localization import words_of
from bap_v2_simulators.gsu.walks import CARDINAL, Number, WalkStep, path_of, plain, position_text, turned, way_of

Place = tuple[Number, ...]  # (x, y) or (x, y, z)

_TASKS = {
    "follower": "Follower",
    "instructor": "Instructor",
    "card2ego": "Card2Ego",
    "localization": "Object localization",
    "structure": "Structure composition",
    "combined": "Walk and structures",
}
_SHOWN_BLOCKS = 4  # of a long list, at its beginning and its end
_LIST = re.compile(r"an? [a-z]+ block at \([^()]*\)(?:, (?:and )?an? [a-z]+ block at \([^()]*\))+")
_BLOCK = re.compile(r"an? [a-z]+ block at \([^()]*\)")


# What the metadata of a row hold that its picture is made of; structures are drawn from their blocks alone.
_DRAWN_FROM = {
    "localization": ("viewer", "heading", "target"),
    "combined": ("steps", "viewer", "heading", "shapes", "target", "reference"),
    **dict.fromkeys(("follower", "instructor", "card2ego"), ("steps",)),
}


class UndrawableError(UserError):
    """An item whose metadata do not say what is to be drawn."""


def check_drawable(row: Mapping[str, Any]) -> None:
    """Raises: UndrawableError, for a row of one's own that lacks what its picture is made of."""
    if missing := [name for name in _DRAWN_FROM.get(row["task"], ()) if row["metadata"].get(name) is None]:
        raise UndrawableError(
            f"{row['id']} cannot be drawn: its metadata lack {', '.join(missing)}, which rows of `bap-v2 generate` have"
        )
    if not _DRAWN_FROM.get(row["task"]) and not row["blocks"]:
        raise UndrawableError(f"{row['id']} cannot be drawn: it has no blocks")


class PicturedBlock(NamedTuple):
    """A block of the row, and what it is in the question."""

    color: str
    place: Place
    role: str = ""  # "target", "reference" or ""


@dataclass(frozen=True)
class Walk:
    """A walk on the grid."""

    steps: tuple[WalkStep, ...]
    path: tuple[Place, ...]  # one more than steps
    headings: tuple[str, ...]  # at each place of the path; all "+y" where directions are fixed
    turns: bool  # whether the walker turns

    @property
    def dims(self) -> int:
        """2 or 3."""
        return len(self.path[0])

    @classmethod
    def of(cls, steps: Sequence[WalkStep], frame: str, dims: int) -> "Walk":
        """Return the walk of these steps.

        Args:
            frame: as in the rows; only `cardinal` has fixed directions.
        """
        fixed = frame == CARDINAL
        headings = ["+y"]
        for step in steps:
            way = way_of(step.direction, headings[-1], CARDINAL if fixed else "egocentric")
            headings.append("+y" if fixed else turned(headings[-1], way))
        path = path_of(steps, CARDINAL if fixed else "egocentric", dims)
        return cls(tuple(steps), path, tuple(headings), not fixed)

    def lines(self) -> list[str]:
        """Return a line for each step: `1. right 2: (0, 0) to (2, 0), now facing +x`."""
        lines = []
        for number, (step, start, end) in enumerate(zip(self.steps, self.path, self.path[1:]), 1):
            facing = ""
            if self.turns and self.headings[number] != self.headings[number - 1]:
                facing = f", now facing {self.headings[number]}"
            lines.append(f"{number}. {step}: {position_text(start)} to {position_text(end)}{facing}")
        return lines


def walk_of(row: Mapping[str, Any]) -> Walk | None:
    """Return the walk of an item; None if it has none."""
    steps = row["metadata"].get("steps")
    if not steps:
        return None
    frame, dims = (row["frame"], row["dims"]) if row["task"] != "combined" else ("egocentric", 3)
    return Walk.of([WalkStep(direction, _number(length)) for direction, length in steps], frame, dims)


def blocks_of(row: Mapping[str, Any]) -> list[PicturedBlock]:
    """Return the blocks of an item in the order of the question, with their roles in a localization."""
    facts = row["metadata"]
    roles = {}
    if row["task"] == "localization":
        roles = {tuple(facts[role]): role for role in ("reference", "target") if facts.get(role)}
    blocks = []
    for text in row["blocks"]:
        color, *coordinates = text.split(" ")
        place = tuple(map(int, coordinates))
        blocks.append(PicturedBlock(color, place, roles.get(place, "")))
    return blocks


def sides_of(row: Mapping[str, Any]) -> str:
    """Return whose left, right, front and behind are meant in a localization, as the simulator calls them."""
    usual = "egocentric" if row["frame"] == "egocentric" else "mirror"
    return row["metadata"].get("settings", {}).get("sides") or usual


def heading_of(row: Mapping[str, Any]) -> str:
    """Return where the viewer looks."""
    if walk := walk_of(row):
        return walk.headings[-1]
    return row["metadata"].get("heading", "+y")


def words_around(heading: str, base: Place, sides: str, units: Sequence[Place]) -> list[str]:
    """Return the words of the places to the right of a base on a map, to its left, above and below it.

    Args:
        units: a cell to the right on the map, and one upward.
    """
    words = []
    for unit in units:
        for sign in (1, -1):
            place = tuple(a + sign * b for a, b in zip(base, unit))
            words.append(" ".join(words_of(heading, base, place, sides)))
    return words


def place_of(heading: str, base: Place, place: Place) -> str:
    """Return where a place lies from another one, for somebody with this heading: `2 right, 1 back, 3 up`, or
    `here`."""
    parts = zip(seen_from(heading, base, place), (("right", "left"), ("ahead", "back"), ("up", "down")))
    return ", ".join(f"{abs(cells)} {words[cells < 0]}" for cells, words in parts if cells) or "here"


def shape_name(shape: Mapping[str, Any], facts: Mapping[str, Any]) -> tuple[str, str]:
    """Return what a structure is called, `red tower`, and what it is in the question: target, reference or nothing."""
    name = f"{' and '.join(shape['colors'])} {shape['kind']}"
    return name, next((role for role in ("target", "reference") if facts.get(role) == name), "")


def title(row: Mapping[str, Any]) -> str:
    """Return what is asked, in a few words: `Follower, egocentric, 2D`."""
    task = _TASKS[row["task"]]
    if row["task"] in ("structure", "combined"):
        return f"{task}, {row['group']}" if row["task"] == "structure" else task
    return f"{task}, {row['frame']}, {row['dims']}D"


def question_lines(row: Mapping[str, Any]) -> list[str]:
    """Return the question, line by line; of a long list of blocks the middle is left out."""
    return [_LIST.sub(_shortened, line) for line in row["question"].splitlines()]


def _shortened(found: re.Match) -> str:
    blocks = _BLOCK.findall(found[0])
    if len(blocks) <= 3 * _SHOWN_BLOCKS:
        return found[0]
    left_out = counted(len(blocks) - 2 * _SHOWN_BLOCKS, "more block")
    return ", ".join([*blocks[:_SHOWN_BLOCKS], f"[... {left_out} ...]", *blocks[-_SHOWN_BLOCKS:]])


def _number(value: float) -> Number:
    return value if isinstance(value, int) else plain(Decimal(str(value)))
