"""The item that variants are made of, read once for all of them, and what a family changes in it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from bap_v2_dataset.items.ego import is_utterance
from bap_v2_dataset.tasks.building.baselines import symbolic_reader
from bap_v2_metric.actions import Action, Execution, NetAction, Place, execute, net_actions
from bap_v2_metric.blocks import Block, Cell, Color, Structure
from bap_v2_metric.notation import parse_action, parse_block, parse_structure
from bap_v2_metric.symmetry import IDENTITY, Symmetry
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.targets import BLOCKS_PER_COLOR


@dataclass(frozen=True, eq=False)
class Parent:
    """An item as its row has it.

    Args:
        row: of the dataset, with `id`, `history`, `dialogue`, `pose`, `before`, `after`, `actions` and `metadata`.
    """

    row: Mapping[str, Any]

    @property
    def simulated(self) -> bool:
        """True for an item of a simulator: the symbolic reader understands it, if it knows the pose."""
        return self.row["metadata"].get("source") == "simulated" and self.row["pose"] is not None

    def noted(self, name: str) -> Mapping[str, Any]:
        """Return a part of the metadata of simulated items; own data may hold anything there, which says nothing."""
        value = self.row["metadata"].get(name) if self.simulated else None
        return value if isinstance(value, Mapping) else {}

    @cached_property
    def pose(self) -> Pose | None:
        """Of the Builder; None where own data do not say it."""
        return None if self.row["pose"] is None else Pose(**self.row["pose"])

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks on the board, in order of placement."""
        return tuple(map(parse_block, self.row["before"]))

    @cached_property
    def before(self) -> Structure:
        return parse_structure(self.row["before"])

    @cached_property
    def after(self) -> Structure:
        return parse_structure(self.row["after"])

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        return actions_in(self.row["actions"])

    @cached_property
    def net(self) -> frozenset[NetAction]:
        return net_actions(self.before, self.after)

    @cached_property
    def past(self) -> tuple[Action, ...]:
        """The actions of the history, in order."""
        return actions_in(self.row["history"])

    @cached_property
    def replayed(self) -> Execution:
        """The history's actions carried out on an empty board."""
        return execute(Structure(), self.past)

    @cached_property
    def infeasible(self) -> int:
        """The number of actions that change nothing."""
        return execute(self.before, self.actions).infeasible

    @cached_property
    def most_blocks(self) -> Mapping[Color, int]:
        """The most blocks of each color on the board, at any moment of the history and the actions."""
        board: dict[Cell, Color] = {}
        counts: Counter[Color] = Counter()
        most: Counter[Color] = Counter()
        for action in (*self.past, *self.actions):
            if (old := board.pop(action.cell, None)) is not None:
                counts[old] -= 1
            if isinstance(action, Place):
                board[action.cell] = action.color
                counts[action.color] += 1
                most[action.color] = max(most[action.color], counts[action.color])
        return most

    def lacks_blocks(self, original: "Parent") -> bool:
        """Return whether a color has more blocks at some moment than a Builder has, or the original ever had of one."""
        most = max((BLOCKS_PER_COLOR, *original.most_blocks.values()))
        return max(self.most_blocks.values(), default=0) > most

    @cached_property
    def reading(self) -> list[Action]:
        """The symbolic reader's actions: right in every simulated item."""
        return symbolic_reader.read(self.row)

    @cached_property
    def runs(self) -> tuple[tuple[int, ...], ...]:
        """The runs of actions in the history: the positions of the lines of each."""
        runs: list[list[int]] = []
        previous = None
        for position, line in enumerate(self.row["history"]):
            if is_utterance(line):
                continue
            if previous is None or previous != position - 1:
                runs.append([])
            runs[-1].append(position)
            previous = position
        return tuple(map(tuple, runs))

    @cached_property
    def newest(self) -> Block | None:
        """The block that was placed last, of those that are still there."""
        return newest_block(self.past, self.before)

    @cached_property
    def dialogue_words(self) -> str:
        """The words of the dialogue, without the speakers' names, in lower case."""
        return words_of(self.row["dialogue"])

    @cached_property
    def all_words(self) -> str:
        """The words of history and dialogue, in lower case."""
        return f"{words_of(self.row['history'])}\n{self.dialogue_words}"

    @cached_property
    def matters(self) -> tuple[Cell, ...]:
        """Cells that the instruction is about: of the answer, the last changed one, and the plan's reference."""
        cells = [action.cell for action in self.actions] + [action.cell for action in self.net]
        cells += [action.cell for action in self.past[-1:]]
        cells += [block.cell for block in [self.newest] if block]
        plan = self.noted("plan")
        while plan:  # a turn may have two steps
            cells += [Cell(*plan["reference"])] if plan.get("reference") else []
            plan = plan.get("then") or {}
        return tuple(dict.fromkeys(cells))


@dataclass(frozen=True, slots=True)
class VariantChange:
    """A family's proposal for an item: it becomes a variant if it is valid (see `validity`)."""

    columns: Mapping[str, Any]  # new values of history, dialogue, pose, before, after, actions or target
    symmetry: Symmetry = IDENTITY  # takes the net actions of the item to those of the variant
    facts: Mapping[str, Any] = field(default_factory=dict)  # for the metadata: what was changed


def actions_in(lines: Sequence[str]) -> tuple[Action, ...]:
    """Return the actions among the lines."""
    return tuple(parse_action(line, anywhere=True) for line in lines if not is_utterance(line))


def newest_block(past: Sequence[Action], board: Structure) -> Block | None:
    """Return the block of the board that was placed last."""
    for action in reversed(past):
        if isinstance(action, Place) and board.color_at(action.cell) is action.color:
            return Block(action.color, action.cell)
    return None


def words_of(lines: Sequence[str]) -> str:
    """Return the words of these lines, without the speakers' names and the actions, in lower case."""
    return "\n".join(line.partition(" ")[2] for line in lines if is_utterance(line)).lower()
