"""Prediction files: what they hold, and which rows they answer.

A prediction file has the raw texts of a model by row id, in any order: JSON lines with "id" and "prediction" and the
other forms of `formats`. `training/predict.py` writes JSON lines, with their settings beside them.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import orjson

from bap_v2_dataset.predictions import eval_logs
from bap_v2_dataset.predictions.entries import AUTOMATIC, Fields, PredictionError
from bap_v2_dataset.predictions.formats import content
from bap_v2_dataset.sentences import counted
from bap_v2_simulators.whole_files import check_file

STDIN = Path("-")


@dataclass(frozen=True)
class PredictionFile:
    """The predictions of a file."""

    runs: Sequence[Mapping[str, str]]  # by row id; more than one only in logs with repeats or epochs
    model: str = ""  # that a log names


def read_predictions(path: "str | Path", fields: Fields = AUTOMATIC) -> dict[str, str]:
    """The predictions of a file by row id; of a log with repeats or epochs the first ones.

    Raises:
        PredictionError: as for `read_prediction_file`.
    """
    return dict(read_prediction_file(path, fields).runs[0])


def read_prediction_file(path: "str | Path", fields: Fields = AUTOMATIC) -> PredictionFile:
    """All predictions of a file, or of the standard input (`-`).

    Raises:
        PredictionError: no such file, an entry that cannot be read, or an id that occurs twice in a run.
    """
    path = Path(path)
    source = "the standard input" if path == STDIN else str(path)
    try:
        data = sys.stdin.buffer.read() if path == STDIN else path.read_bytes()
    except OSError as error:
        raise PredictionError(f"{path}: {error.strerror or error}") from None
    read = content(data, source, fields)
    runs: list[dict[str, str]] = []
    for place, row_id, prediction, run in read.entries:
        while len(runs) <= run:
            runs.append({})
        if row_id in runs[run]:
            raise PredictionError(f"{source}, {place}: duplicate prediction for {row_id}")
        runs[run][row_id] = prediction
    runs = [run for run in runs if run]
    if not runs:
        raise PredictionError(f"{source} holds no predictions")
    return PredictionFile(runs, read.model or eval_logs.lm_eval_model(path))


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


def check_output(path: Path, predictions: Iterable[Path]) -> None:
    """That writing scores there loses nothing: no file yet, an empty one, or earlier scores.

    Raises:
        PredictionError: for anything else.
        OutputError: where no file can be made.
    """
    check_file(path)
    if not path.is_file():  # a new one, or a device
        return
    if any(file.exists() and path.samefile(file) for file in predictions):
        raise PredictionError(f"--json: {path} is a prediction file: name another file for the scores")
    data = path.read_bytes()
    try:
        scores = not data or {"settings", "systems"} <= dict(orjson.loads(data)).keys()
    except (ValueError, TypeError):
        scores = False
    if not scores:
        raise PredictionError(
            f"--json: {path} exists and does not hold scores of this command: remove it, or name another file"
        )
