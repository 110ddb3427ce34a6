"""Items as text: the three input representations of the paper with their common output (BAP v2, Table 5), and ours.

    n         the excerpt: every utterance and action so far (Nebula's input)
    n_posb    and the Builder's position and yaw
    n_posb_s  and the current structure
    ego       ours, not the paper's: all of that with cells as the Builder sees them, also in the output; see `ego`

Dataset rows have columns for the paper's three; `ego` is rendered from a row when it is needed.

What Table 5 leaves open, decided here and covered by PROMPT_VERSION:

- The apostrophe is the ASCII one: the paper's is typeset.
- A structure lists its blocks in order of placement (Table 5's own item has this order); an empty one has its heading
  and no blocks.
- Numbers have one decimal; a negative zero is written 0.0, and a yaw that rounds to 180.0 is written -180.0.
- The prompt ends on a line break after `### AS:`, so that no token spans prompt and completion.
- The completion has one action per line, and no line break at its end.
- The completion is what the log has. The output that Table 5 prints (item B1-A4-C55-1522775580387/14) has another
  temporary support, `place orange 1 3 2`, `place orange 0 3 2`, `pick 1 3 2`; the log has `place orange 0 2 2`,
  `place orange 0 3 2`, `pick 0 2 2`. The net actions are equal. The authors may have rewritten supports in their
  targets; whether they did, and how, is not in the paper.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from bap_v2_dataset.items import ego
from bap_v2_dataset.items.versions import PROMPT_VERSION, ROW_REPRESENTATIONS
from bap_v2_metric.errors import UserError
from bap_v2_simulators.pose import wrapped_yaw

_HEADING = "Predict the action sequence (AS) for the Minecraft excerpt:\n"
_ENDING = "### AS:\n"


@dataclass(frozen=True)
class Representation:
    """An input: what a model sees of a row, and how it names cells. These name them as the world does."""

    name: str
    title: str  # in tables: as the paper calls the input, or we do
    pose: bool = False  # whether the prompt tells the Builder's position and yaw
    structure: bool = False  # whether it tells the blocks that are there
    version: str = PROMPT_VERSION

    egocentric: ClassVar[bool] = False  # whether cells are named as the Builder sees them
    read_with: ClassVar[tuple[str, ...]] = ()  # columns of the row that take an answer back into the world

    @property
    def in_rows(self) -> bool:
        """True if dataset rows have the prompt as a column; others are rendered when they are needed."""
        return self.name in ROW_REPRESENTATIONS

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of a row that the prompt is made of, besides `history` and `dialogue`."""
        return ("pose",) * self.pose + ("before",) * self.structure

    def history(self, row: Mapping[str, Any]) -> list[str]:
        """Return the lines of the history as the prompt shows them."""
        return list(row["history"])

    def prompt(self, row: Mapping[str, Any], history: Iterable[str]) -> str:
        """Return the prompt of a row, with these lines of its `history`."""
        lines = [*history, *row["dialogue"]]
        if self.pose:
            lines.append(pose_line(row["pose"]))
        if self.structure:
            lines += ["Current built structure is:", *row["before"]]
        return _HEADING + "".join(f"{line}\n" for line in lines) + _ENDING

    def completion(self, row: Mapping[str, Any]) -> str:
        """Return the output that a model learns for a row."""
        return row["completion"]

    def to_world(self, text: str, row: Mapping[str, Any]) -> str:
        """Return an answer with the cells of the world: the inverse of `completion`."""
        return text

    def viewpoint(self, row: Mapping[str, Any]) -> ego.Viewpoint | None:
        """Return the names of cells for a row; None: those of the world."""
        return None


class EgoRepresentation(Representation):
    """All of that with cells as the Builder sees them, see `ego`."""

    egocentric = True
    read_with = ("pose", "history")

    def history(self, row: Mapping[str, Any]) -> list[str]:
        return ego.history_lines(row["history"])

    def prompt(self, row: Mapping[str, Any], history: Iterable[str]) -> str:
        return ego.ego_prompt(row, history)

    def completion(self, row: Mapping[str, Any]) -> str:
        return ego.ego_completion(row["completion"].splitlines(), row)

    def to_world(self, text: str, row: Mapping[str, Any]) -> str:
        return ego.in_world(text, row)

    def viewpoint(self, row: Mapping[str, Any]) -> ego.Viewpoint:
        return ego.viewpoint_of(row)


_ENTRIES = (
    Representation("n", "N"),
    Representation("n_posb", "N+PosB", pose=True),
    Representation("n_posb_s", "N+PosB+S", pose=True, structure=True),
    EgoRepresentation("ego", "ego", pose=True, structure=True, version=f"ego {ego.EGO_VERSION}"),
)
REPRESENTATIONS = {entry.name: entry for entry in _ENTRIES}


def representation_of(name: str) -> Representation:
    """Return the representation of this name. Raises: UserError if there is none."""
    if name not in REPRESENTATIONS:
        raise UserError(f"unknown representation {name!r} (expected one of {', '.join(REPRESENTATIONS)})")
    return REPRESENTATIONS[name]


def render(row: Mapping[str, Any], representation: str, newest: int | None = None) -> str:
    """Return the model input for a row.

    Args:
        row: with `history`, `dialogue`, and, as the representation needs them, `pose` (x, y, z, yaw in degrees) and
            `before`; a dataset row has them all.
        representation: "n", "n_posb", "n_posb_s" or "ego".
        newest: show at most this many lines of the history, the newest; by default all.
    Raises:
        UserError: for an unknown representation.

    >>> row = {"history": [], "dialogue": ["<Architect> a red one"], "before": ["red 0 1 0"],
    ...        "pose": {"x": 0.23, "y": 1.0, "z": -0.41, "yaw": -6.45003, "pitch": 8.5}}
    >>> print(render(row, "n_posb_s"), end="")
    Predict the action sequence (AS) for the Minecraft excerpt:
    <Architect> a red one
    Builder's current position is 0.2 1.0 -0.4 and orientation (yaw) is -6.5 degrees
    Current built structure is:
    red 0 1 0
    ### AS:
    """
    return representation_of(representation).prompt(row, shown_history(row, representation, newest))


def completion(actions: Iterable[str]) -> str:
    """Return the model output for the actions of a row: one per line."""
    return "\n".join(actions)


def completion_of(row: Mapping[str, Any], representation: str) -> str:
    """Return the output that a model learns for a row: its `completion`, with "ego" as the Builder sees the cells.

    >>> row = {"pose": {"yaw": 0.0}, "history": ["place red 0 1 0"], "completion": "place blue 0 2 0\\npick 0 1 0"}
    >>> completion_of(row, "ego")
    'place blue 0 1 0\\npick 0 0 0'
    """
    return representation_of(representation).completion(row)


def to_world(text: str, row: Mapping[str, Any], representation: str) -> str:
    """Return a model's answer to the prompt of a row as the metric takes it: with the cells of the world.

    Text is returned as it is but for "ego": then with one action of the notation per line, and what could not be
    read, see `ego.in_world`. The inverse of `completion_of`.

    >>> row = {"pose": {"yaw": 0.0}, "history": ["place red 0 1 0"]}
    >>> to_world("place blue 0 1 0\\npick 0 0 0", row, "ego")
    'place blue 0 2 0\\npick 0 1 0'
    """
    return representation_of(representation).to_world(text, row)


def shown_history(row: Mapping[str, Any], representation: str, newest: int | None = None) -> list[str]:
    """Return the lines of the history as they stand in the prompt of a row, behind its first line; see `render`."""
    entry = representation_of(representation)
    if newest is not None and newest < 0:
        raise UserError(f"newest is {newest}: expected at least 0 lines, or None for all")
    lines = entry.history(row)
    return lines if newest is None else lines[max(0, len(lines) - newest) :]


def pose_line(pose: Mapping[str, float]) -> str:
    """Say where the Builder is, in the words of the prompts."""
    position = " ".join(_one_decimal(pose[axis]) for axis in ("x", "y", "z"))
    yaw = _one_decimal(wrapped_yaw(round(wrapped_yaw(pose["yaw"]), 1)))
    return f"Builder's current position is {position} and orientation (yaw) is {yaw} degrees"


def _one_decimal(value: float) -> str:
    return f"{round(value, 1) + 0.0:.1f}"  # adding 0.0 turns -0.0 into 0.0
