"""The scorer "architect": what a Builder built on the words of an Architect, counted and added up.

A prediction is not the words but the actions of the Builder that read them: who reads is not decided here. Two things
are counted of each item, over the net actions of that Builder:

    reads      fairer F1 against what was built in the game on the Architect's own words
    progress   the share that is right with regard to the target, up to the transforms that match the board best

Progress does not ask for the next step of the game: another one that is right has full marks.
"""

from collections.abc import Mapping, Sequence

from bap_v2_metric.actions import ActionType, NetAction
from bap_v2_metric.alignment import best_transforms, largest_overlap
from bap_v2_metric.blocks import Structure
from bap_v2_metric.counts import Counts
from bap_v2_metric.errors import InputError
from bap_v2_metric.notation import NotationError, parse_structure
from bap_v2_metric.resampling import SEED, Row, Statistics, is_list
from bap_v2_metric.scorer import Scorer, signed
from bap_v2_metric.scoring import Attempt, attempt_at, by_board, check_lists, described, numbers
from bap_v2_metric.scoring import check_items as check_plain_items

ARCHITECT_VERSION = "1.0.1"  # raised whenever a score can change for the same input
SIGNATURE = f"bap_v2_architect|version:{ARCHITECT_VERSION}|reads:fairer|progress:best-rot90-xz-inside|empty:0/0=0"
REFERENCE = {"before": ["string"], "after": ["string"], "interpretations": "string", "target": ["string"]}
SCORES = ("reads_precision", "reads_recall", "reads_f1", "progress", "right_actions", "built")
_WIDTH = 6  # of the sums of a group: see `_row`


def check_items(predictions: Sequence[str], references: Sequence[Mapping]) -> None:
    """Raises: InputError for actions and references that cannot be scored, naming the item and the field."""
    check_plain_items(predictions, references)
    for index, reference in enumerate(references):
        _target(reference, index)


def score_items(predictions: Sequence[str], references: Sequence[Mapping], reader: str = "") -> list[dict]:
    """Return the counts of every item, in order.

    Args:
        predictions: what a Builder did on the words, `place COLOR X Y Z` or `pick X Y Z` per line.
        references: one mapping an item: `before`, `after`, `interpretations` as for Builder Action Prediction, and
            `target`, the blocks that the Architect has in mind.
        reader: the name of that Builder: it only stands in the signature.
    Returns:
        For each `fairer`: {"tp", "fp", "fn"}; `progress`: {"right", "wrong"}; `built`: 1 if anything changed, else 0;
        `n`, the number of answers that these counts are of: 1; `empty_board`, `unparsed_lines`, `infeasible_actions`.
    Raises:
        InputError: as for `check_items`.

    >>> reference = {"before": ["red 0 1 0"], "after": ["red 0 1 0", "red 0 2 0"],
    ...              "target": ["red 2 1 2", "red 2 2 2", "red 2 3 2"]}
    >>> item = score_items(["place red 0 2 0\\nplace blue 1 1 0"], [reference])[0]
    >>> item["fairer"], item["progress"]
    ({'tp': 1, 'fp': 1, 'fn': 0}, {'right': 1, 'wrong': 1})
    """
    check_lists(predictions, references)
    return [
        _counts(attempt_at(prediction, reference, index), _target(reference, index))
        for index, (prediction, reference) in enumerate(zip(predictions, references))
    ]


def right_actions(target: Structure, before: Structure, actions: frozenset[NetAction]) -> int:
    """Count the net actions that bring a board nearer to a target.

    The target may be turned and moved, as far as allowed, to where it matches the board best; of several such places
    the one that suits the actions. A placement is right if the target has that block, a removal if it has not.

    >>> from bap_v2_metric.blocks import Block, Cell, Color
    >>> tower = Structure(Block(Color.RED, Cell(0, y, 0)) for y in (1, 2))
    >>> right_actions(tower, Structure(), frozenset([NetAction(ActionType.PLACE, Color.RED, Cell(4, 2, 4))]))
    1
    """
    placed = [(action.color, action.cell) for action in actions if action.type is ActionType.PLACE]
    removed = [(action.color, action.cell) for action in actions if action.type is ActionType.REMOVE]
    transforms = best_transforms(_labeled(target), _labeled(before))
    if not transforms:  # nothing that stands is of the target: it can be anywhere, and every removal is right
        return len(removed) + largest_overlap(_labeled(target), placed)
    most = 0
    for transform in transforms:
        goal = {(color, transform(cell)) for color, cell in target}
        most = max(most, sum(block in goal for block in placed) + sum(block not in goal for block in removed))
    return most


def signature(n_resamples: int = 0, seed: int = SEED, unit: str = "item", reader: str = "") -> str:
    """Name what a published score depends on: the version of the rules, who read, and how items were resampled.

    >>> signature(n_resamples=1000, reader="symbolic").removeprefix(SIGNATURE)
    '|reader:symbolic|bs:1000|seed:20260|unit:item'
    """
    text = SIGNATURE + (f"|reader:{reader}" if reader else "")
    return signed(text, n_resamples, seed, unit)


def statistics(items: Sequence[Mapping]) -> dict[str, Statistics]:
    """Return the sufficient statistics of items counted by `score_items`.

    They are SCORES, the same with `eb_` and `neb_` in front: `reads_precision`, `reads_recall` and `reads_f1`;
    `progress`; all in 0..1, 0/0 is 0.0. `right_actions`: right net actions of an item, on average; `built`: the
    share of items in which anything was built or removed.
    """
    return {"": Statistics(list(map(_row, items)), _scores_of, 2 * _WIDTH)}


def _counts(attempt: Attempt, target: Structure) -> dict:
    counts = attempt.counts()
    right = right_actions(target, attempt.before, attempt.predicted)
    return {
        "fairer": counts["fairer"],
        "progress": {"right": right, "wrong": len(attempt.predicted) - right},
        "built": int(len(attempt.predicted) > 0),
        "n": 1,
        **{name: counts[name] for name in ("empty_board", "unparsed_lines", "infeasible_actions")},
    }


def _target(reference: Mapping, index: int) -> Structure:
    lines = reference.get("target")
    if not is_list(lines) or not all(isinstance(line, str) for line in lines):
        raise InputError(f"item {index}, field 'target': {str(lines)[:80]!r} (expected a list of 'COLOR X Y Z')")
    try:
        return parse_structure(list(lines))
    except NotationError as error:
        raise InputError(f"item {index}, field 'target': {error}") from None


def _labeled(structure: Structure) -> list[tuple]:
    return [(color, cell) for color, cell in structure]


def _row(item: Mapping) -> Row:
    """Answers, those on which anything was built, and net actions: predicted, of the reference, right by each score.

    The same again counts only items that start from an empty board.
    """
    counts = Counts.of(item, "fairer")
    right = item["progress"]["right"]
    row = (item["n"], item["built"], counts.n_predicted, counts.n_reference, counts.tp, right)
    return row + (row if item["empty_board"] else (0,) * _WIDTH)


def _scores_of(sums: Row) -> dict[str, float | None]:
    """Return the scores of all groups; None for those without items."""
    scores: dict[str, float | None] = {}
    for group, (n_items, n_built, n_predicted, n_reference, tp, right) in by_board(sums).items():
        counts = Counts(tp, n_predicted - tp, n_reference - tp)
        shares = (
            right / n_predicted if n_predicted else 0.0,
            *((right / n_items, n_built / n_items) if n_items else (0.0, 0.0)),
        )
        values = (counts.precision, counts.recall, counts.f1, *shares)
        scores |= {f"{group}{name}": value if n_items else None for name, value in zip(SCORES, values)}
    return scores


SCORER = Scorer(
    prediction="string",
    reference=REFERENCE,
    check_items=check_items,
    score_items=score_items,
    statistics=statistics,
    further=lambda items, scores: numbers(items, scores) | {"signature": SIGNATURE},
    signature=signature,
    described=lambda item: described(item, "fairer"),
    missing=0.0,
    defaults={"interpretations": "unique"},
    options=("reader",),
)
