"""Predictions and the rows that they answer."""

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.sentences import counted
from bap_v2_metric.prediction_records import reasons


def ids_by_key(keys: Collection[str], ids: Sequence[str], source: str, in_order: bool, where: str) -> dict[str, str]:
    """Return the ids of rows that answers are for, by the keys that a file has for them.

    A key is an id, or what a provider of batches allows of it: letters, digits, `-` and `_`, in the place of others.

    Args:
        keys: of all answers, also of those that are missing.
        ids: of the rows.
        in_order: the keys are the positions of the rows.
        where: what to call the rows in an error.
    Raises:
        PredictionError: answers in order that are not as many as the rows; two keys for one row.

    >>> ids_by_key(["dss-test-0_1", "other"], ["dss-test-0/0", "dss-test-0/1"], "a.jsonl", False, "dss, test")
    {'dss-test-0_1': 'dss-test-0/1', 'other': 'other'}
    """
    # Positions.
    if in_order:
        if len(keys) != len(ids):
            raise PredictionError(
                f"{source} has {counted(len(keys), 'text')} without ids, and {where} {counted(len(ids), 'item')}: "
                "write one text for each item, in their order (a line end inside a text as \\n), or their ids"
            )
        return {key: ids[int(key)] for key in keys}

    # Ids, or a spelling of them that only one row has.
    known = set(ids)
    if known.issuperset(keys):
        return {key: key for key in keys}
    plain: dict[str, list[str]] = {}
    for row_id in ids:
        plain.setdefault(_plain(row_id), []).append(row_id)
    by_key = {key: key if key in known or len(of := plain.get(_plain(key), ())) != 1 else of[0] for key in keys}
    if len(set(by_key.values())) < len(by_key):
        raise PredictionError(f"{source} has two ids for one row: write the ids as the rows have them, e.g. {ids[0]!r}")
    return by_key


def _plain(row_id: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", row_id)


def matched(
    predictions: Mapping[str, str], ids: Sequence[str], source: str, partial: bool = False, where: str = "this split",
    why: Mapping[str, str] | None = None,
) -> list[str]:  # fmt: skip
    """Return the predictions in the order of the rows.

    Args:
        predictions: by row id.
        ids: of the rows.
        source: what to call the predictions in an error.
        partial: score rows without a prediction as if it were empty, instead of refusing them.
        where: what to call the rows in an error.
        why: predictions are missing, by row id, as far as that is known.
    Raises:
        PredictionError: for ids that no row has, and for rows without a prediction.
    """
    # Predictions for rows that there are not.
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

    # Rows without a prediction.
    missing = [row_id for row_id in ids if row_id not in predictions]
    if missing and not partial:
        told = reasons(why[row_id] for row_id in missing if row_id in why) if why else ""
        fix = 'ask again, write "" for an empty answer' if told else "finish it"
        raise PredictionError(
            f"{source} has no prediction for {len(missing):,} of {counted(len(ids), 'item')}, e.g. {missing[0]!r}"
            f"{told and f' ({told})'}: {fix}, or pass --subset to leave them out, or --partial to score them as empty"
        )
    return [predictions.get(row_id, "") for row_id in ids]


def rows_with_predictions(rows: Sequence[Mapping], files: Mapping[Path, Mapping[str, str]]) -> list[Mapping]:
    """Return the rows that the files answer.

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
