"""What a Builder learns from an item: the words, the board and what was touched last, the pose, and the net actions.

An example is made of an `Item` of a simulator or of a dataset row, and both give the same. Cells are those of the
world; `features` turns them into the Builder's frame.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from bap_v2_dataset.items.frame import frame_of
from bap_v2_dataset.items.item import Item
from bap_v2_metric.blocks import Cell
from bap_v2_simulators.game import MISSION
from bap_v2_training.learning.net_actions import (
    Numbers,
    board_of,
    colors_of,
    net_in_order,
    net_of_row,
    numbers_of_line,
)

STOP = 7  # the type of an action that ends an answer; the others are those of `net_actions`
RECENT = 8  # how many of the actions before the item are seen
EARLIER = 8  # how many dialogues are seen before the previous one

_MISSION = str(MISSION)


class PointerExample(NamedTuple):
    """One item, in numbers but for its words."""

    dialogue: tuple[str, ...]  # D: utterances with their speakers, `<Architect> ...`
    previous: tuple[str, ...]  # the previous dialogue: the utterances before the last run of actions
    recent: tuple[Numbers, ...]  # the last actions before the item, the newest first, supports included
    blocks: tuple[Numbers, ...]  # the board, in order of placement
    pose: tuple[float, float, float, float, float]  # x, y, z, yaw, pitch
    net: tuple[Numbers, ...] = ()  # what is to be learned, see `net_in_order`
    earlier: tuple[tuple[str, ...], ...] = ()  # the dialogues before the previous one, the newest first
    placed: tuple[int, ...] = ()  # of each block, in which run of actions, the last one is 1; 0: in none that is known


def example_of_item(item: Item) -> PointerExample:
    """Return the example of an item."""
    pose = item.pose
    before, after = map(colors_of, (item.before, item.after))
    return _example(
        item.dialogue,
        item.history,
        before,
        (pose.x, pose.y, pose.z, pose.yaw, pose.pitch),
        net_in_order(before, after, [action.cell for action in item.actions]),
    )


def example_of_row(row: Mapping[str, Any]) -> PointerExample:
    """Return the example of a dataset row; without `actions` or `after`, one with nothing to be learned."""
    pose = row["pose"]
    pose_in_order = (pose["x"], pose["y"], pose["z"], pose["yaw"], pose["pitch"])
    return _example(row["dialogue"], row["history"], board_of(row["before"]), pose_in_order, net_of_row(row))


def _example(
    dialogue: Iterable[str],
    history: Sequence[str],
    before: Mapping[Cell, int],
    pose: tuple[float, float, float, float, float],
    net: tuple[Numbers, ...],
) -> PointerExample:
    """Return the example of what was said, done and built before, and is done now."""
    dialogues, recent, runs = _past(history)
    return PointerExample(
        _said(dialogue),
        dialogues[0] if dialogues else (),
        recent,
        tuple((color, *cell) for cell, color in before.items()),
        pose,
        net,
        dialogues[1 : 1 + EARLIER],
        tuple(runs.get(cell, 0) for cell in before),
    )


def centered(example: PointerExample) -> PointerExample:
    """Return the example with what is built on an empty board moved to its middle; any other as it is.

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


def _said(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the utterances but the one with which games begin, which nobody says."""
    return tuple(line for line in lines if line != _MISSION)


Run = int  # of actions, the last one is 1


def _past(history: Sequence[str]) -> tuple[tuple[tuple[str, ...], ...], tuple[Numbers, ...], dict[tuple, Run]]:
    """Return the dialogues and the last actions, the newest first, and in which run of actions cells were touched last.

    A dialogue is what is said between two runs.
    """
    # The lines from the newest one on
    dialogues: list[list[str]] = []
    actions: list[Numbers] = []
    runs: dict[tuple, Run] = {}
    run, acts = 0, False
    for line in reversed(history):
        if line[0] != "<":  # an action, the first of a run or not
            if not acts:
                run, acts = run + 1, True
            action = numbers_of_line(line)
            if len(actions) < RECENT:
                actions.append(action)
            runs.setdefault(action[1:], run)
        else:  # an utterance: before actions it is of another dialogue
            if acts or not dialogues:
                dialogues.append([])
            acts = False
            dialogues[-1].append(line)
    # In the order in which they were said, the newest dialogue first
    said = tuple(_said(reversed(lines)) for lines in dialogues)
    return said, tuple(actions), runs
