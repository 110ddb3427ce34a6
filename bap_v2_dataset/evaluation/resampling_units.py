"""What is drawn to say how sure scores are: items, or targets with all their items.

Items about one target are not independent: who understands the words of one structure in one game is likely to do so in
another. Which target an item is about:

- of human games, `metadata["target_id"]`, the corpus's name of the structure: several pairs of people built the same
  one. Copies of a game in other colors keep the name;
- of other items the blocks of `target`, in any order: each simulated game has a structure of its own.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bap_v2_dataset.evaluation.table_cells import Score, ScoreTable
from bap_v2_dataset.predictions.files import PredictionError
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tasks import Task, part

if TYPE_CHECKING:
    from bap_v2_dataset.evaluation.scoring import Resampling, Result


def target_of(row: Mapping) -> Hashable | None:
    """The name of an item's target or, without a name, its blocks; None without either.

    >>> target_of({"target": ["red 0 1 0"], "metadata": {"target_id": "C5"}}), target_of({"target": []})
    ('C5', None)
    >>> target_of({"target": ["red 0 1 0", "red 1 1 0"]}) == target_of({"target": ["red 1 1 0", "red 0 1 0"]})
    True
    """
    name = (row.get("metadata") or {}).get("target_id")
    return name if isinstance(name, str) and name else tuple(sorted(row.get("target") or ())) or None


def clusters_of(rows: Sequence[Mapping], unit: str, task: Task, title: str) -> list[Hashable] | None:
    """For each row what it is drawn with; None where items are drawn.

    Args:
        unit: "item", or one of the task's `units`.
        title: of the test set, for errors.
    Raises:
        PredictionError: the task, or a row, does not know this unit, or there is only one.
    """
    if unit == "item":
        return None
    fix = "resample items (unit item)"
    if unit not in task.units:
        raise PredictionError(f"{title}: unit {unit}: items of this task have no {unit}: {fix}")
    named = part(task.units[unit])
    clusters = [named(row) for row in rows]
    for row, cluster in zip(rows, clusters):
        if cluster is None:
            raise PredictionError(
                f"{title}: unit {unit}: the item {row['id']} has no {unit}: fill its column {unit}, or {fix}"
            )
    if rows and len(set(clusters)) == 1:
        raise PredictionError(
            f"{title}: unit {unit}: the {counted(len(rows), 'item')} have one {unit} in common, which says nothing of "
            f"other {unit}s: score items of several, or {fix}"
        )
    return clusters


def over(resampling: "Resampling", results: "Sequence[Result]" = ()) -> str:
    """What was drawn: `over items`, `over targets`, `over 39 targets` where results tell how many there are."""
    clusters = next((result.clusters for result in results if result.clusters), None)
    if clusters is None:
        return f"over {resampling.unit}s"
    return f"over {counted(len(set(clusters)), resampling.unit)}"


def with_unit(tables: "Sequence[ScoreTable]", resampling: "Resampling") -> "list[ScoreTable]":
    """The tables; where something else than items was drawn, those with intervals say so below them."""
    if resampling.unit == "item" or not resampling.n:
        return list(tables)
    return [
        replace(table, note=f"{table.note} Intervals {over(resampling)}.".strip()) if _has_intervals(table) else table
        for table in tables
    ]


def _has_intervals(table: "ScoreTable") -> bool:
    return any(isinstance(cell, Score) and cell.low is not None for line in table.lines for cell in line.cells)
