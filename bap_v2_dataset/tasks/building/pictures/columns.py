"""What a figure of an item shows, column by column, in the manner of the paper's Figures 3 and 11 to 13.

The board S(t-2) over the dialogue D(t-1) that followed, the board S(t-1) over the dialogue D(t), then the result, the
target and what models built. The Builder stands where it stood in that turn; all boards are seen from its side now.
Blocks that are the same as in the column before are pale; temporary supports are never shown.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import bap_v2_metric
from bap_v2_dataset.items.rows import last_turn, metadata_of
from bap_v2_dataset.items.verdict import verdict
from bap_v2_dataset.labels.readings import READER, reading_of
from bap_v2_dataset.pictures.cubes import Cube, Look, best_fit, change, target_cubes
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tasks.building.paper import COLUMNS
from bap_v2_metric.actions import ActionType, Place, net_actions
from bap_v2_metric.blocks import Block, Cell, Structure
from bap_v2_metric.notation import NotationError, format_block, parse_action, parse_structure
from bap_v2_simulators.pose import Pose

PAPER_NAMES = "S, D: boards and dialogues as the paper names them; t is this turn, h what was built"
MARKED_LEGEND = "on yellow: what is not the same in the other one"
TARGET = "target"


@dataclass(frozen=True)
class Excerpt:
    """Lines below a board: of the chat, or others."""

    name: str  # what the paper calls them: D, S or H
    words: str  # and what they are
    lines: Sequence[str]
    changed: Sequence[frozenset[int]] = ()  # of each line the numbers of the words that stand out


@dataclass(frozen=True)
class BoardColumn:
    """A board, and what stands below it."""

    name: str  # the paper's S^{t-2}, S^{t-1} and S_H, or the name of a model
    title: str
    cubes: Sequence[Cube]
    pose: Pose  # of the Builder then; boards are seen from its side in the last column
    dialogue_name: str = ""  # what the paper calls the dialogue below, D^{t-1} or D^t, and in words
    dialogue: Sequence[str] = ()
    scores: Mapping[str, float] | None = None  # F1 in 0..1 by measure; of a model
    note: str = ""
    excerpts: Sequence[Excerpt] = ()  # below the note
    stands_out: frozenset[Cell] = frozenset()  # blocks with a colored edge: a variant differs from its parent there
    missing: frozenset[Cell] = frozenset()  # cells with such an edge of dashes
    elsewhere: Pose | None = None  # where the Builder of the parent stands: a faint figure

    @property
    def in_words(self) -> str:
        """The board as text for screen readers."""
        blocks = [f"{format_block(Block(cube.color, cube.cell))} ({cube.words})" for cube in self.cubes]
        return f"{self.name}: {', '.join(blocks) or 'an empty board'}"


def item_columns(
    row: Mapping[str, Any],
    predictions: Mapping[str, str] = {},
    earlier: Mapping[str, Any] | None = None,
) -> list[BoardColumn]:
    """Return the columns of an item.

    Args:
        row: of the dataset.
        predictions: raw texts by the names of their models.
        earlier: the row of the turn before, if there is one; else its board is replayed from the history, and seen
            from where the Builder is now.
    """
    pose, before, after = Pose(**row["pose"]), parse_structure(row["before"]), parse_structure(row["after"])
    # The turn before this one, seen from where the Builder then stood.
    utterances, actions = last_turn(row["history"])
    columns = []
    old = Structure()
    if actions:
        follows = earlier is not None and [*earlier["dialogue"], *earlier["actions"]] == utterances + actions
        if follows:
            old, seen_from = parse_structure(earlier["before"]), Pose(**earlier["pose"])
        else:
            old, seen_from = replayed(row["history"][: len(row["history"]) - len(actions)]), pose
        columns.append(
            BoardColumn(
                "Sᵗ⁻²", "one turn ago", change(Structure(), old), seen_from, "Dᵗ⁻¹ what was said then", utterances
            )
        )
    # The board now, and what was built on it.
    title = "now" if actions else "now: the game starts"
    columns.append(BoardColumn("Sᵗ⁻¹", title, change(old, before), pose, "Dᵗ what is said now", row["dialogue"]))
    builder = "human" if metadata_of(row).get("source") == "human" else "Builder"
    columns.append(BoardColumn("Sₕ", f"what the {builder} built", change(before, after), pose, note=_done(row)))
    # What only the Architect sees, how a reader understands it, and what systems predict.
    if row.get("target"):
        columns.append(target_column(parse_structure(row["target"], anywhere=True), after, pose))
    reading = reading_of(row)
    predictions = predictions if reading is None else {READER: reading, **predictions}
    columns += [predicted_column(name, text, row) for name, text in predictions.items()]
    return columns


def predicted_column(name: str, text: str, row: Mapping[str, Any]) -> BoardColumn:
    """Return the column of a prediction: what of it is right, wrong and missed."""
    outcome = verdict(text, row)
    unparsed = len(outcome.unparsed)
    numbers = ((unparsed, "unparsed line"), (len(outcome.problems) - unparsed, "infeasible action"))
    notes = [counted(number, noun) for number, noun in numbers if number]
    if not any(cube.look in (Look.RIGHT, Look.WRONG) for cube in outcome.cubes):
        notes.insert(0, "changes nothing")
    if outcome.aligned:
        notes.append("rotated and moved to fit best")
    scores = bap_v2_metric.aggregate([outcome.counts])
    f1 = {measure: scores[f"{measure}_f1"] for measure in COLUMNS}
    return BoardColumn(name, "", outcome.cubes, Pose(**row["pose"]), scores=f1, note=", ".join(notes))


def target_column(target: Structure, board: Structure, pose: Pose) -> BoardColumn:
    """The target beside a board. Builders need not build it where it stands: it is rotated and moved to fit best."""
    fitted = best_fit(target, board)
    note = "" if fitted == target else "rotated and moved to fit the board best: it may stand anywhere"
    return BoardColumn(TARGET, "what the Architect sees", target_cubes(fitted), pose, note=note)


def _done(row: Mapping[str, Any]) -> str:
    """Count what the Builder did: `3 placed, 1 taken away, 2 actions without net effect`."""
    change = net_actions(parse_structure(row["before"]), parse_structure(row["after"]))
    kinds = Counter(action.type for action in change)
    extra = len(row["actions"]) - sum(kinds.values())
    placed, removed = kinds[ActionType.PLACE], kinds[ActionType.REMOVE]
    numbers = ((placed, "placed"), (removed, "taken away"), (extra, "actions without net effect"))
    return ", ".join(f"{number} {what}" for number, what in numbers if number > 0)


def replayed(history: Sequence[str]) -> Structure:
    """Return the board after the actions of a history, feasible or not: what was seen."""
    board: dict = {}
    for line in history:
        try:
            action = parse_action(line, anywhere=True)
        except NotationError:  # an utterance
            continue
        if isinstance(action, Place):
            board[action.cell] = action.color
        else:
            board.pop(action.cell, None)
    return Structure.from_colors(board)
