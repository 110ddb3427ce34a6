"""Prediction files: what they hold.

A prediction file has the raw texts of a model by row id, in any order: JSON lines with "id" and "prediction" and the
other forms of `formats`. `training/predict.py` writes JSON lines, with their settings beside them.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bap_v2_dataset.predictions import eval_logs
from bap_v2_dataset.predictions.entries import AUTOMATIC, Fields, PredictionError
from bap_v2_dataset.predictions.formats import content

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
