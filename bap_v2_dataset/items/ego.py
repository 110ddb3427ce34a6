"""Items as the Builder sees them: a representation of this project, `ego`, beside the three of the paper's Table 5.

What an instruction says of directions and of "there" is one offset in every item where cells are named from the cell
of the last action, along axes that are turned with the Builder: x to its left, y up, z ahead (the quarter turn
nearest to its yaw, see `frame`). Nothing is said twice: in place of the actions so far there is how many they were,
and what is left of them stands in the structure, in order of placement. What was said since comes last: it is to be
carried out from where the Builder stands now, on the board as it is now.

    Predict the action sequence (AS) for the Minecraft excerpt (x left, y up, z ahead):
    <Architect> a red one in the middle
    (placed 1)
    Origin is 0 1 0 (last action: place)
    Builder's position is 1 0 -3 and yaw is 7 degrees
    Current built structure is:
    red 0 0 0
    <Architect> and a blue one on top
    ### AS:

The origin is named in the turned world, so that the ground and the borders are known. Before any action it is the
middle of the ground, 0 1 0. The Builder's position is the cell of its feet; the yaw is what is left of it, -45 to 45
degrees. A completion names cells as the prompt does; `in_world` takes an answer back, whatever its form.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from math import floor
from typing import Any, NamedTuple

from bap_v2_dataset.items.frame import Frame, frame_of
from bap_v2_metric.actions import Action, Place, Remove
from bap_v2_metric.answers import read_numbered, read_prediction
from bap_v2_metric.blocks import Block, Cell
from bap_v2_metric.notation import format_action, format_block, parse_action, parse_block
from bap_v2_simulators.pose import Pose

EGO_VERSION = "1"  # raised whenever a prompt or a completion changes by a character
_READABLE = r"""[0-9<>\[\]{}"'`]"""  # parts of actions, lists and tags
_PAST = {"place": "placed", "pick": "picked"}
MIDDLE = Cell(0, 1, 0)  # of the ground: the origin before any action
HEADING = "Predict the action sequence (AS) for the Minecraft excerpt (x left, y up, z ahead):\n"


class Viewpoint(NamedTuple):
    """The Builder's names of cells: from an origin, in a turned world."""

    frame: Frame
    origin: Cell  # in the turned world

    def cell(self, cell: Cell) -> Cell:
        """Return a cell of the world as the Builder names it."""
        x, y, z = self.frame.cell(cell)
        return Cell(x - self.origin.x, y - self.origin.y, z - self.origin.z)

    def in_world(self, cell: Cell) -> Cell:
        """Return the inverse of `cell`."""
        return self.frame.in_world((cell.x + self.origin.x, cell.y + self.origin.y, cell.z + self.origin.z))


def viewpoint_of(row: Mapping[str, Any]) -> Viewpoint:
    """The viewpoint of a row: turned as `pose` says, with the cell of the last action of `history` as the origin."""
    frame, last = frame_of(row["pose"]["yaw"]), _last_action(row["history"])
    return Viewpoint(frame, frame.cell(MIDDLE if last is None else last.cell))


def history_lines(history: Iterable[str]) -> list[str]:
    """Return the utterances of a history, and in place of each run of actions how many they were.

    >>> history_lines(["<Architect> a tower", "place red 0 1 0", "place red 0 2 0", "pick 0 2 0", "<Builder> ok"])
    ['<Architect> a tower', '(placed 2, picked 1)', '<Builder> ok']
    """
    lines: list[str] = []
    for utterance, run in groupby(history, is_utterance):
        if utterance:
            lines += run
        else:
            verbs = Counter(line.split(" ", 1)[0] for line in run)
            counts = (f"{past} {verbs[verb]}" for verb, past in _PAST.items() if verbs[verb])
            lines.append(f"({', '.join(counts)})")
    return lines


def ego_prompt(row: Mapping[str, Any], history: Iterable[str]) -> str:
    """Return the prompt of a row as the Builder sees it, up to and with `### AS:`.

    Args:
        row: with `history`, `dialogue`, `pose` and `before`.
        history: which of its `history_lines` are shown.
    """
    lines = [*history, *situation_lines(row), *row["dialogue"]]
    return HEADING + "".join(f"{line}\n" for line in lines) + "### AS:\n"


def situation_lines(row: Mapping[str, Any]) -> list[str]:
    """Return the lines of a prompt that say where the Builder is and what stands there, as it sees them.

    Args:
        row: with `history`, `pose` and `before`.
    """
    view, last = viewpoint_of(row), _last_action(row["history"])
    pose = view.frame.pose(Pose(**{"pitch": 0.0, **row["pose"]}))
    feet = (floor(value) - start for value, start in zip((pose.x, pose.y, pose.z), view.origin))
    done = "no action yet" if last is None else f"last action: {'pick' if isinstance(last, Remove) else 'place'}"
    blocks = (parse_block(line, anywhere=True) for line in row["before"])
    return [
        f"Origin is {_text(view.origin)} ({done})",
        f"Builder's position is {_text(feet)} and yaw is {round(pose.yaw)} degrees",
        "Current built structure is:",
        *(format_block(Block(color, view.cell(cell))) for color, cell in blocks),
    ]


def ego_completion(actions: Iterable[str], row: Mapping[str, Any]) -> str:
    """Actions of the notation as the Builder names them, one per line."""
    view = viewpoint_of(row)
    return "\n".join(format_action(_moved(parse_action(line, anywhere=True), view.cell)) for line in actions)


def in_world(text: str, row: Mapping[str, Any]) -> str:
    """Return an answer to the prompt of a row with the cells of the world: one action per line, in the notation.

    The metric finds in it the same actions and the same number of unparsed lines. So lines that could not be read
    stay, unless something in them would be read now: then their digits, brackets and quotes become `#`.

    >>> row = {"pose": {"yaw": 90.0}, "history": ["place red 2 1 3"]}
    >>> in_world("place blue 0 1 0\\nI pick 1 2 3.\\nplace(color='red', x=1, y=0, z=2); pick 7", row)
    'place blue 2 2 3\\nI pick 1 2 3.\\nplace red 0 1 4\\nunparsed: place(color=#red#, x=#, y=#, z=#); pick #'
    """
    view, read = viewpoint_of(row), read_numbered(text)
    actions = [(number, _moved(action, view.in_world)) for number, action in read.actions]
    partly_read = {number for number, _ in actions}
    unparsed = [(number, _unparsable(line) if number in partly_read else line) for number, line in read.unparsed]
    answer = _merged(actions, unparsed)
    again = read_prediction(answer)
    if again.actions == tuple(action for _, action in actions) and again.unparsed_lines == len(unparsed):
        return answer
    return _merged(actions, [(number, _unparsable(line)) for number, line in read.unparsed])


def _merged(actions: Sequence[tuple[int, Action]], unparsed: Sequence[tuple[int, str]]) -> str:
    """Return the actions in their order, each unparsed line before the first action of a later line."""
    lines, left = [], list(unparsed)
    for number, action in actions:
        while left and left[0][0] < number:
            lines.append(left.pop(0)[1])
        lines.append(format_action(action))
    return "\n".join([*lines, *(line for _, line in left)])


def _unparsable(line: str) -> str:
    """Return a line of which nothing is read, and which counts as unparsed."""
    return f"unparsed: {re.sub(_READABLE, '#', line)}"


def _moved(action: Action, move: Callable[[Cell], Cell]) -> Action:
    return Remove(move(action.cell)) if isinstance(action, Remove) else Place(action.color, move(action.cell))


def _last_action(history: Sequence[str]) -> Action | None:
    line = next((line for line in reversed(history) if not is_utterance(line)), None)
    return None if line is None else parse_action(line, anywhere=True)


def is_utterance(line: str) -> bool:
    """Return whether a line of a history or dialogue was said; the others are actions."""
    return line.startswith("<")


def _text(cell: Iterable[int]) -> str:
    return " ".join(map(str, cell))
