"""Items of Builder Action Prediction: the one rule by which a game, human or simulated, is cut into them (BAP v2, 2.2).

An item is a maximal run of actions between two utterances, with everything that led to it. Items that touch a cell
outside the BuildRegion are skipped and named, never lost. A run whose first step has `left_out` in its metadata is no
item, since nobody should learn it: it is history for those after it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bap_v2_metric.actions import Action, execute
from bap_v2_metric.blocks import Cell, Color, Structure
from bap_v2_metric.notation import format_action
from bap_v2_simulators.game import Game, Step
from bap_v2_simulators.pose import Pose


@dataclass(frozen=True, slots=True)
class Item:
    """One BAP item (H, S, B, D, A, S'): predict `actions` from the rest."""

    game_id: str
    index: int  # counts the game's items from 0, skipped runs excluded; those that are left out keep their number
    history: tuple[str, ...]  # H: every utterance and action before `dialogue`, in notation
    dialogue: tuple[str, ...]  # D: the utterances since the last action
    pose: Pose  # B: just before the first action
    before: Structure
    after: Structure
    actions: tuple[Action, ...]  # A: temporary supports included
    target: Structure
    interpretations: str  # "unique" or "multiple"
    metadata: Mapping[str, Any]

    @property
    def item_id(self) -> str:
        """`<game_id>/<item_index>`."""
        return f"{self.game_id}/{self.index}"

    @property
    def infeasible_actions(self) -> int:
        """Number of actions that could not be carried out in the order in which they are known."""
        return execute(self.before, self.actions).infeasible


@dataclass(frozen=True, slots=True)
class Skipped:
    """A run of actions that does not make an item."""

    game_id: str
    run: int  # counts the game's runs of actions from 0
    actions: int
    reason: str


def items(game: Game, skipped: list[Skipped] | None = None) -> Iterator[Item]:
    """Yield the items of a game, in order.

    `before` and `after` are what was seen, not a replay: a few logged sequences are not feasible in the logged order.
    `metadata` holds the game's, the first step's, and where there are any `unordered_actions`: actions whose order
    within a step is unknown. An item of a simulated game has multiple interpretations if the board is empty (6.1.1);
    the items of human games have unique ones until labels say otherwise (3.1).

    Args:
        game: human or simulated.
        skipped: gets an entry for each run that touches a cell outside the BuildRegion or is marked as left out.
    """
    history: list[str] = []
    dialogue: list[str] = []
    board: dict[Cell, Color] = {}
    outside: set[Cell] = set()  # occupied cells outside the BuildRegion
    before = Structure()
    run: list[Step] = []
    touches_outside = False  # of the run
    n_runs = n_items = 0
    simulated = game.metadata.get("source") == "simulated"

    for event in (*game.events, None):  # the last run may end with the game
        # A step begins a run of actions, or belongs to it
        if isinstance(event, Step):
            if not run:
                before, touches_outside = Structure.from_colors(board), bool(outside)
            event.apply_to(board)
            for action in event.actions:
                if not action.cell.in_region:
                    (outside.add if action.cell in board else outside.discard)(action.cell)
            touches_outside = touches_outside or bool(outside)
            run.append(event)
            continue

        # An utterance, and the end of the game, end the run: it is an item, or skipped, and then history
        if run:
            actions = tuple(action for step in run for action in step.actions)
            reason = "left out: history alone" if run[0].metadata.get("left_out") else None
            reason = "a block outside the BuildRegion" if touches_outside else reason
            if reason is not None:
                if skipped is not None:
                    skipped.append(Skipped(game.game_id, n_runs, len(actions), reason))
            else:
                yield Item(
                    game_id=game.game_id,
                    index=n_items,
                    history=tuple(history),
                    dialogue=tuple(dialogue),
                    pose=run[0].pose,
                    before=before,
                    after=Structure.from_colors(board),
                    actions=actions,
                    target=game.target,
                    interpretations="multiple" if simulated and not len(before) else "unique",
                    metadata=_metadata(game, run),
                )
            n_items += not touches_outside
            n_runs += 1
            history += [*dialogue, *map(format_action, actions)]
            dialogue, run = [], []
        if event is not None:
            dialogue.append(str(event))


def _metadata(game: Game, run: list[Step]) -> dict[str, Any]:
    metadata = {**game.metadata, **run[0].metadata}
    if unordered := sum(len(step.actions) for step in run if len(step.actions) > 1):
        metadata["unordered_actions"] = unordered
    return metadata
