"""What a Builder learns from an item: the words, the board and what was touched last, the pose, and the net actions.

An example is made of an `Item` of a simulator or of a dataset row, and both give the same. Cells are those of the
world; `features` turns them into the Builder's frame.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from bap_v2_dataset.items.frame import frame_of
from bap_v2_dataset.items.item import Item
from bap_v2_metric.actions import Action, Place, Remove
from bap_v2_metric.blocks import Cell, Color
from bap_v2_metric.notation import parse_action, parse_structure
from bap_v2_simulators.game import MISSION

COLORS = tuple(Color)
REMOVE, STOP = 6, 7  # the types of actions: 0-5 place a block of COLORS, 6 takes one away, 7 ends
RECENT = 8  # how many of the actions before the item are seen
EARLIER = 8  # how many dialogues are seen before the previous one

Numbers = tuple[int, int, int, int]  # type or color, x, y, z

_COLOR = {color: number for number, color in enumerate(COLORS)}
_COLOR |= {color.value: number for color, number in _COLOR.items()}
_MISSION = str(MISSION)


class Example(NamedTuple):
    """One item, in numbers but for its words."""

    dialogue: tuple[str, ...]  # D: utterances with their speakers, `<Architect> ...`
    previous: tuple[str, ...]  # the previous dialogue: the utterances before the last run of actions
    recent: tuple[Numbers, ...]  # the last actions before the item, the newest first, supports included
    blocks: tuple[Numbers, ...]  # the board, in order of placement
    pose: tuple[float, float, float, float, float]  # x, y, z, yaw, pitch
    net: tuple[Numbers, ...] = ()  # what is to be learned, see `net_in_order`
    earlier: tuple[tuple[str, ...], ...] = ()  # the dialogues before the previous one, the newest first
    placed: tuple[int, ...] = ()  # of each block, in which run of actions, the last one is 1; 0: in none that is known


def example_of_item(item: Item) -> Example:
    """The example of an item."""
    pose = item.pose
    before = {cell: _COLOR[color] for color, cell in item.before}
    after = {cell: _COLOR[color] for color, cell in item.after}
    return _example(
        item.dialogue,
        item.history,
        before,
        (pose.x, pose.y, pose.z, pose.yaw, pose.pitch),
        net_in_order(before, after, [action.cell for action in item.actions]),
    )


def example_of_row(row: Mapping[str, Any]) -> Example:
    """The example of a dataset row; without `actions` or `after`, one with nothing to be learned."""
    pose, before = row["pose"], _board(row["before"])
    net: tuple[Numbers, ...] = ()
    if row.get("actions") is not None and row.get("after") is not None:
        net = net_in_order(before, _board(row["after"]), [parse_action(line).cell for line in row["actions"]])
    pose_in_order = (pose["x"], pose["y"], pose["z"], pose["yaw"], pose["pitch"])
    return _example(row["dialogue"], row["history"], before, pose_in_order, net)


def _example(
    dialogue: Iterable[str],
    history: Sequence[str],
    before: Mapping[Cell, int],
    pose: tuple[float, float, float, float, float],
    net: tuple[Numbers, ...],
) -> Example:
    """The example of what was said, done and built before, and is done now."""
    dialogues, recent, runs = _past(history)
    return Example(
        _said(dialogue),
        dialogues[0] if dialogues else (),
        recent,
        tuple((color, *cell) for cell, color in before.items()),
        pose,
        net,
        dialogues[1 : 1 + EARLIER],
        tuple(runs.get(cell, 0) for cell in before),
    )


def centered(example: Example) -> Example:
    """The example with what is built on an empty board moved to its middle; any other as it is.

    Where a Builder starts on an empty board is its own choice, and the metric takes any (`interpretations` is
    "multiple"): always in the synthetic corpora, for 92 of 104 human test items. Without it there is less noise.
    """
    if example.blocks or not example.net:
        return example
    frame = frame_of(example.pose[3])
    cells = [frame.cell(cell) for _, *cell in example.net]
    dx, dz = (-((min(along) + max(along)) // 2) for along in ([cell[0] for cell in cells], [cell[2] for cell in cells]))
    net = tuple(
        (kind, *frame.in_world((x + dx, y, z + dz))) for (kind, *_), (x, y, z) in zip(example.net, cells, strict=True)
    )
    return example._replace(net=net)


def net_in_order(
    before: Mapping[Cell, int], after: Mapping[Cell, int], touched: Iterable[tuple[int, int, int]]
) -> tuple[Numbers, ...]:
    """The net actions from one board to another, each when its cell was touched for the last time.

    A cell that changes its color is a removal and then a placement. As a set they are those of `actions.net_actions`.

    Args:
        before, after: the color of each occupied cell.
        touched: the cells of the actions in between, in order. Cells that changed untouched come last.

    >>> net_in_order({(0, 1, 0): 3}, {(0, 1, 0): 2, (1, 1, 0): 5}, [(0, 2, 0), (0, 1, 0), (1, 1, 0), (0, 2, 0)])
    ((6, 0, 1, 0), (2, 0, 1, 0), (5, 1, 1, 0))
    """
    changed = {cell for cell, _ in before.items() ^ after.items()}
    last = {cell: number for number, cell in enumerate(touched) if cell in changed}
    never = len(last) + max(last.values(), default=0)
    net: list[Numbers] = []
    for cell in sorted(changed, key=lambda cell: (last.get(cell, never), cell)):
        if cell in before:
            net.append((REMOVE, *cell))
        if cell in after:
            net.append((after[cell], *cell))
    return tuple(net)


def actions_of(numbers: Iterable[Sequence[int]]) -> list[Action]:
    """Types and cells as actions.

    >>> actions_of([(4, 0, 1, 0), (6, 1, 1, 0)])
    [Place(color=<Color.BLUE: 'blue'>, cell=Cell(x=0, y=1, z=0)), Remove(cell=Cell(x=1, y=1, z=0))]
    """
    return [
        Remove(Cell(x, y, z)) if kind == REMOVE else Place(COLORS[kind], Cell(x, y, z)) for kind, x, y, z in numbers
    ]


def _board(lines: Iterable[str]) -> dict[Cell, int]:
    return {cell: _COLOR[color] for color, cell in parse_structure(lines)}


def _said(lines: Iterable[str]) -> tuple[str, ...]:
    """The utterances but the one with which games begin, which nobody says."""
    return tuple(line for line in lines if line != _MISSION)


def _past(
    history: Sequence[str],
) -> tuple[tuple[tuple[str, ...], ...], tuple[Numbers, ...], dict[tuple[int, int, int], int]]:
    """The dialogues and the last actions, the newest first, and in which run of actions cells were touched last.

    The last run is 1. A dialogue is what is said between two runs.
    """
    dialogues: list[list[str]] = []
    actions: list[Numbers] = []
    runs: dict[tuple[int, int, int], int] = {}
    run, acts = 0, False
    for line in reversed(history):
        if line[0] != "<":
            if not acts:
                run, acts = run + 1, True
            action = numbers_of_line(line)
            if len(actions) < RECENT:
                actions.append(action)
            runs.setdefault(action[1:], run)
        else:
            if acts or not dialogues:
                dialogues.append([])
            acts = False
            dialogues[-1].append(line)
    said = tuple(_said(reversed(lines)) for lines in dialogues)
    return said, tuple(actions), runs


def numbers_of_line(action: str) -> Numbers:
    """The numbers of an action in notation: of a row or a simulator, so it is well-formed."""
    *kind, x, y, z = action.split()
    return (REMOVE if len(kind) == 1 else _COLOR[kind[1]], int(x), int(y), int(z))
