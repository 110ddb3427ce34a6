"""Tools for chat models that reason: which cells lie in a direction, and what actions would do to the board.

They are functions in the form of OpenAI's API. What they answer follows from what the model is shown, the blocks on
the board and where the Builder looks, and from the rules of the game: a row's answer is never read.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bap_v2_dataset.items.prompts import REPRESENTATIONS, representation_of
from bap_v2_metric.actions import (
    Action,
    ActionType,
    InfeasibleReason,
    Place,
    Remove,
    execute,
    is_supported,
    net_actions,
)
from bap_v2_metric.answers import read_prediction
from bap_v2_metric.blocks import Block, Cell, Color
from bap_v2_metric.errors import shortened
from bap_v2_metric.notation import format_action, format_block, parse_structure
from bap_v2_simulators.view import Offset, View

TOOLS_VERSION = "1"  # raised whenever a definition or an answer changes by a character
MOST_CELLS, MOST_ACTIONS = 20, 200  # of one call
SUFFICIENT = tuple(name for name, seen in REPRESENTATIONS.items() if seen.pose and seen.structure)  # for the tools

_WAYS = {
    "left": Offset(1, 0, 0),
    "right": Offset(-1, 0, 0),
    **dict.fromkeys(("up", "top", "above"), Offset(0, 1, 0)),
    **dict.fromkeys(("down", "bottom", "below", "under"), Offset(0, -1, 0)),
    **dict.fromkeys(("behind", "away"), Offset(0, 0, 1)),
    **dict.fromkeys(("front", "toward", "towards"), Offset(0, 0, -1)),
}
_NOT_WAYS = {"and", "of", "the", "to", "in", "you", "from", "it", "on"}

DEFINITIONS: list[dict[str, Any]] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
_CELLS_FROM = DEFINITIONS[0]["function"]["parameters"]["properties"]
_TOLD = _CELLS_FROM["directions"]["items"]["enum"]  # the directions that the model is told

_REASONS = {
    InfeasibleReason.NO_BLOCK: "there is no block in that cell",
    InfeasibleReason.OUTSIDE: "the cell is outside the board",
    InfeasibleReason.OCCUPIED: "there is a block in that cell",
    InfeasibleReason.UNSUPPORTED: "it would float: neither on the ground nor face to face with a block",
}


class ToolError(ValueError):
    """A call that cannot be answered; the message is for the model."""


class Toolbox:
    """The tools for one row.

    Args:
        row: with `before` and `pose`, and for "ego" with `history`.
        representation: one of SUFFICIENT: how cells are named, in calls as in what they give.
    """

    def __init__(self, row: Mapping[str, Any], representation: str = "n_posb_s"):
        self._before = parse_structure(row["before"], anywhere=True)
        viewpoint = representation_of(representation).viewpoint(row)
        self._view = View.of(0.0 if viewpoint else row["pose"]["yaw"])  # of the cells as they are named
        self._named: Callable[[Cell], Cell] = viewpoint.cell if viewpoint else Cell._make
        self._in_world: Callable[[Cell], Cell] = viewpoint.in_world if viewpoint else Cell._make

    def answer(self, name: str, arguments: str) -> str:
        """Answer a call, or tell the model what was wrong with it: whatever the call, there is no error.

        Args:
            arguments: a JSON object, as the model wrote it.

        >>> tools = Toolbox({"before": ["red 0 1 0"], "pose": {"yaw": 84.0}})
        >>> print(tools.answer("cells_from", '{"start": "0 1 0", "directions": ["up", "left"], "distance": 2}'))
        1: 0 2 1 is empty; a block there would float
        2: 0 3 2 is empty; a block there would float
        """
        try:
            tool = {"cells_from": self._cells_from, "try_actions": self._try_actions}.get(name)
            if tool is None:
                raise ToolError(f"there is no tool {name!r}; there are cells_from and try_actions")
            return tool(_object(arguments))
        except ToolError as error:
            return f"Error: {error}"

    # --- the tools

    def _cells_from(self, arguments: dict) -> str:
        start = _start(arguments.get("start"))
        step = _step(arguments.get("directions", arguments.get("direction")))
        distance = _whole_number(arguments.get("distance", 1), "distance")
        if not 1 <= distance <= MOST_CELLS:
            raise ToolError(f"distance is {distance}; expected 1 to {MOST_CELLS}")
        cells = (self._view.cell(start, step, times) for times in range(1, distance + 1))
        return "\n".join(
            f"{number}: {_text(cell)} {self._state(self._in_world(cell))}" for number, cell in enumerate(cells, 1)
        )

    def _try_actions(self, arguments: dict) -> str:
        # The actions, as the model wrote them
        given = arguments.get("actions")
        if isinstance(given, str):
            given = given.splitlines()
        if not isinstance(given, list):
            raise ToolError('actions is missing; expected a list such as ["place red 0 1 0", "pick 0 2 0"]')
        if len(given) > MOST_ACTIONS:
            raise ToolError(f"there are {len(given)} actions; expected at most {MOST_ACTIONS}")
        actions = [action for line in given for action in _actions(line)]

        # What becomes of each of them, the changes that remain, and the board
        after, failures = execute(self._before, [_moved(action, self._in_world) for action in actions])
        outcomes = ["done"] * len(actions)
        for failure in failures:
            outcomes[failure.index] = f"NOT POSSIBLE, changes nothing: {_REASONS[failure.reason]}"
        numbered = enumerate(zip(actions, outcomes), 1)
        lines = [f"{number}. {format_action(action)}: {outcome}" for number, (action, outcome) in numbered]
        if actions:
            net = sorted(net_actions(self._before, after), key=lambda change: (change.type, change.cell))
            changes = [Remove(at) if type_ is ActionType.REMOVE else Place(color, at) for type_, color, at in net]
            named = [format_action(_moved(change, self._named)) for change in changes]
            lines += ["Net changes:", *(named or ["none"])]
        lines.append("The board then:" if actions else "The board:")
        lines += [format_block(Block(color, self._named(cell))) for color, cell in after] or ["empty"]
        if arguments.get("layers"):
            lines += self._layers({self._named(cell): color for color, cell in after})
        return "\n".join(lines)

    # --- their parts

    def _state(self, cell: Cell) -> str:
        if not cell.in_region:
            return "is outside the board"
        if (color := self._before.color_at(cell)) is not None:
            return f"has a {color.value} block"
        supported = is_supported(cell, self._before.colors())
        return "is empty; a block there would be supported" if supported else "is empty; a block there would float"

    def _layers(self, colors: Mapping[Cell, Color]) -> list[str]:
        """Return each layer that has a block, seen from above: away from the Builder is up, its left is left.

        Args:
            colors: of the cells as they are named.
        """
        if not colors:
            return []
        # Steps to the left and away that hold all blocks
        (lx, lz), (ax, az) = self._view
        seen = {(x * lx + z * lz, y, x * ax + z * az): color for (x, y, z), color in colors.items()}
        lefts = range(max(left for left, _, _ in seen), min(left for left, _, _ in seen) - 1, -1)
        aways = range(max(away for _, _, away in seen), min(away for _, _, away in seen) - 1, -1)
        # What is named along a line of the drawing: of (left, away) -> x = left * lx + away * ax, and z likewise.
        across, along = ("x", "z") if lx else ("z", "x")
        columns = [left * (lx or lz) for left in lefts]
        lines = []
        for y in sorted({y for _, y, _ in seen}):
            lines.append(f"Layer y = {y}; {across} from left to right: {' '.join(map(str, columns))}")
            for away in aways:
                row = " ".join(seen[left, y, away].value[0] if (left, y, away) in seen else "." for left in lefts)
                lines.append(f"{along} = {away * (ax or az)}: {row}")
        return lines


# --- arguments, as models write them


def _object(text: Any) -> dict:
    try:
        value = json.loads(text or "{}") if isinstance(text, str | None) else text
    except (ValueError, RecursionError) as error:  # the second: ten thousand brackets
        raise ToolError(f"the arguments are not JSON ({error}); write them again") from None
    if not isinstance(value, dict):
        raise ToolError("the arguments are not a JSON object; write them again")
    return value


def _start(value: Any) -> Cell:
    if isinstance(value, Mapping):
        value = [value.get(axis) for axis in "xyz"]
    words = value.replace(",", " ").split()[-3:] if isinstance(value, str) else value
    if isinstance(words, Sequence) and len(words) == 3:
        try:
            return Cell(*(_whole_number(word, "start") for word in words))
        except ToolError:
            pass
    raise ToolError(f'start is {shortened(value)}; expected three whole numbers such as "0 1 0"')


def _step(value: Any) -> Offset:
    words = value.replace(",", " ").replace("+", " ").split() if isinstance(value, str) else value
    if not isinstance(words, Sequence) or not words or not all(isinstance(word, str) for word in words):
        raise ToolError(f"directions is {shortened(value)}; expected some of {', '.join(_TOLD)}")
    words = [part for word in words for part in word.lower().split() if part not in _NOT_WAYS]
    if unknown := [word for word in words if word not in _WAYS]:
        raise ToolError(f"there is no direction {shortened(unknown[0])}; there are {', '.join(_TOLD)}")
    ways = {_WAYS[word] for word in words}
    step = Offset(*map(sum, zip(*ways, strict=True))) if ways else Offset(0, 0, 0)
    if not ways or sum(map(abs, step)) != len(ways):
        raise ToolError(f"directions {shortened(value)} lead nowhere: name at most one of each pair of opposites")
    return step


def _whole_number(value: Any, name: str) -> int:
    try:
        number = float(value)
        if isinstance(value, bool) or number != int(number) or abs(number) > 1000:
            raise ValueError
        return int(number)
    except (TypeError, ValueError, OverflowError):
        raise ToolError(f"{name} is {shortened(value)}; expected a whole number") from None


def _actions(line: Any) -> Sequence[Action]:
    text = line if isinstance(line, str) else json.dumps(line)
    actions, unparsed = read_prediction(text)
    if unparsed or not actions:
        raise ToolError(f'{shortened(line)} is not an action; expected "place COLOR X Y Z" or "pick X Y Z"')
    return actions


def _moved(action: Action, move: Callable[[Cell], Cell]) -> Action:
    return action._replace(cell=move(action.cell))


def _text(cell: Cell) -> str:
    return " ".join(map(str, cell))
