"""Predictions and the rows that they answer."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.sentences import counted


def matched(
    predictions: Mapping[str, str], ids: Sequence[str], source: str, partial: bool = False, where: str = "this split"
) -> list[str]:
    """The predictions in the order of the rows.

    Args:
        predictions: by row id.
        ids: of the rows.
        source: what to call the predictions in an error.
        partial: score rows without a prediction as if it were empty, instead of refusing them.
        where: what to call the rows in an error.
    Raises:
        PredictionError: for ids that no row has, and for rows without a prediction.
    """
    known = set(ids)
    unknown = [row_id for row_id in predictions if row_id not in known]
    games = {row_id.rpartition("/")[0] for row_id in ids} - {""}
    if unknown and all(row_id.rpartition("/")[0] in games for row_id in unknown):
        raise PredictionError(
            f"{source} has {counted(len(unknown), 'item')} of this split's games that the split lacks, e.g. "
            f"{unknown[0]!r}. Was it made under other labels? Set those up (`bap-v2 setup --labels FILE`), or pass "
            "--subset to score what is in both; for legacy items --config mdc"
        )
    if unknown and len(unknown) == len(predictions):
        raise PredictionError(
            f"none of the {counted(len(unknown), 'id')} of {source} is in {where}, e.g. {unknown[0]!r} (the split "
            f"has e.g. {ids[0]!r}): pass the items that it answers with --data, or name their config and split"
        )
    if unknown:
        raise PredictionError(
            f"{source} has {counted(len(unknown), 'id')} not in {where}, e.g. {unknown[0]!r} "
            f"(the split has e.g. {ids[0]!r}): choose the config and split it was made for, or pass own items with "
            "--data"
        )
    missing = [row_id for row_id in ids if row_id not in predictions]
    if missing and not partial:
        raise PredictionError(
            f"{source} has no prediction for {len(missing):,} of {counted(len(ids), 'item')}, e.g. {missing[0]!r}: "
            "finish it, or pass --subset to leave them out, or --partial to score them as empty"
        )
    return [predictions.get(row_id, "") for row_id in ids]


def rows_with_predictions(rows: Sequence[Mapping], files: Mapping[Path, Mapping[str, str]]) -> list[Mapping]:
    """The rows that the files answer.

    Raises:
        PredictionError: if the files answer different rows, or none of these.
    """
    (first, answered), *others = files.items()
    for path, predictions in others:
        if predictions.keys() != answered.keys():
            raise PredictionError(
                f"{path} and {first} answer different items: score them separately, or with --partial"
            )
    subset = [row for row in rows if row["id"] in answered]
    if not subset:
        raise PredictionError(f"no id of {first} is in this split: choose the config and split it was made for")
    return subset
