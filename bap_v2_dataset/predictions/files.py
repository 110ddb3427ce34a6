"""The contents of prediction files.

A prediction file has the raw texts of a model by row id, in any order: JSON lines with "id" and "prediction" and the
other forms of `formats`. `training/predict.py` writes JSON lines, with their settings beside them.
"""

import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from bap_v2_dataset.predictions import eval_logs
from bap_v2_dataset.predictions.endings import UNFINISHED, ending
from bap_v2_dataset.predictions.entries import AUTOMATIC, Fields, PredictionError
from bap_v2_dataset.predictions.formats import content, table_content
from bap_v2_dataset.sentences import counted
from bap_v2_metric.prediction_records import FORM, KEEP_ONE, reasons

STDIN = Path("-")


@dataclass(frozen=True)
class PredictionFile:
    """The predictions of a file."""

    runs: Sequence[Mapping[str, str]]  # by row id; more than one only in logs with repeats or epochs, and of choices
    model: str = ""  # that a log names
    missing: Sequence[Mapping[str, str]] = ()  # of each run, by row id, why there is no prediction
    in_order: bool = False  # there are no ids: the keys are the positions of the rows, "0", "1", ...
    unfinished: Sequence[Mapping[str, str]] = ()  # of each run, by row id, why an answer is not whole
    notes: Sequence[str] = ()  # what may be wrong with it, as sentences


def read_predictions(path: "str | Path", fields: Fields = AUTOMATIC) -> dict[str, str]:
    """Read the predictions of a file by row id; of a log with repeats or epochs the first ones.

    Raises:
        PredictionError: as for `read_prediction_file`; a file without ids.
    """
    file = read_prediction_file(path, fields)
    if file.in_order:
        raise no_ids(str(path))
    return dict(file.runs[0])


def read_prediction_file(path: "str | Path", fields: Fields = AUTOMATIC, table: Any = None) -> PredictionFile:
    """Read all predictions of a file, of a folder of `save_to_disk`, or of the standard input (`-`).

    Args:
        table: to be read in place of a file (see `table_content`); `path` is what errors call it.
    Raises:
        PredictionError: no such file, an entry that cannot be read, or an id with two texts in a run.
    """
    # Its entries, whatever their form.
    path = Path(path)
    source = "the standard input" if path == STDIN else str(path)
    if table is None and are_games(path, played=False):
        raise PredictionError(f"{source} holds games, not predictions: name it with --data, which reads their items")
    if table is None and is_saved(path):
        import datasets

        table = datasets.load_from_disk(str(path))
    try:
        data = b"" if table is not None else sys.stdin.buffer.read() if path == STDIN else path.read_bytes()
    except OSError as error:
        raise PredictionError(f"{path}: {error.strerror or error}") from None
    read = content(data, source, fields) if table is None else table_content(table, source, fields)

    # By run and id; entries without ids are numbered.
    runs: defaultdict[int, dict[str, str]] = defaultdict(dict)
    missing: defaultdict[int, dict[str, str]] = defaultdict(dict)
    unfinished: defaultdict[int, dict[str, str]] = defaultdict(dict)
    in_order = False
    last, position, twice = "", -1, 0
    for place, row_id, prediction, run, why, record in read.entries:
        if row_id is None:
            in_order, position = True, position + (place != last)
            row_id, last = str(position), place
        reason = ending(record, run)
        if prediction is None:
            missing[run][row_id] = UNFINISHED.get(reason, why) if why == "null" else why
        elif runs[run].get(row_id) == prediction:
            twice += 1
        elif row_id in runs[run]:
            raise PredictionError(f"{source}, {place}: duplicate prediction for {row_id}: {KEEP_ONE}")
        else:
            runs[run][row_id] = prediction
            unfinished[run] |= {row_id: reason} if reason else {}

    # The runs that hold something; a request that was sent again is not missing.
    if not runs:
        why = reasons(why for without in missing.values() for why in without.values())
        raise PredictionError(f"{source} holds no predictions" + f": all are missing ({why})" * bool(why))
    numbers = sorted(runs)
    without = [{key: why for key, why in missing[number].items() if key not in runs[number]} for number in numbers]
    model = read.model or eval_logs.lm_eval_model(path)
    told = f"{source}: {counted(twice, 'prediction')} for the second time, word for word: each counts once"
    notes = [*read.notes, *([told] if twice else [])]
    ends = [unfinished[number] for number in numbers]
    return PredictionFile([runs[number] for number in numbers], model, without, in_order, ends, notes)


def is_saved(path: Path) -> bool:
    """Return whether `save_to_disk` of datasets has written a folder."""
    return (path / "state.json").is_file()


def are_games(path: Path, played: bool = True) -> bool:
    """Return whether a file begins with a game, and so holds no predictions. Args: played: one of `bap-v2 play`."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        line = file.readline(1_000_000)
    try:
        record = orjson.loads(line)
        return isinstance(record, dict) and "events" in record and (not played or "result" in record["metadata"])
    except (ValueError, TypeError, LookupError):
        return False


def no_ids(source: str) -> PredictionError:
    """Return the error for predictions without ids where nothing says whose they are."""
    return PredictionError(
        f"{source} has no ids: {FORM}; or say whose rows its texts answer in their order: `bap-v2 score` with --config "
        "or --data"
    )
