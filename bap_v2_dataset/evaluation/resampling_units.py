"""What is drawn to say how sure scores are: items, or targets with all their items.

Items about one target are not independent: who understands the words of one structure in one game is likely to do so in
another.
"""

from collections.abc import Hashable, Mapping, Sequence

from bap_v2_dataset.interface.task import Task
from bap_v2_dataset.predictions.entries import PredictionError


def clusters_of(rows: Sequence[Mapping], unit: str, task: Task, title: str) -> list[Hashable] | None:
    """For each row what it is drawn with; None where items are drawn.

    Args:
        unit: "item", or one of the task's `units`.
        title: of the test set, for errors.
    Raises:
        PredictionError: the task, or a row, does not know this unit.
    """
    if unit == "item":
        return None
    fix = "resample items (unit item)"
    if unit not in task.units:
        raise PredictionError(f"{title}: unit {unit}: items of this task have no {unit}: {fix}")
    clusters = [task.unit_of(unit, row) for row in rows]
    for row, cluster in zip(rows, clusters):
        if cluster is None:
            raise PredictionError(
                f"{title}: unit {unit}: the item {row['id']} has no {unit}: fill its column {unit}, or {fix}"
            )
    return clusters
