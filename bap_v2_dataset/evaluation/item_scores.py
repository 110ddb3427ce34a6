"""Scores item by item: what `bap-v2 score --per-item FILE` writes."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import orjson

from bap_v2_dataset.evaluation.results import Result, ScoredSplit
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_simulators.whole_files import check_file

SUFFIXES = (".jsonl", ".csv")
_FIRST = ("id", "system")  # by which a file of ours is known


def item_records(test: ScoredSplit, results: Sequence[Result]) -> Iterator[dict[str, Any]]:
    """An object for each item of each system, and of each of its runs; items of one kind have the same keys."""
    several = any(result.runs for result in results)
    for result in results:
        for run in result.runs or [result]:
            label = run.name.removeprefix(f"{result.name} (").removesuffix(")") if result.runs else ""
            system = {"system": result.name, **({"run": label} if several else {})}
            for row, item, text in zip(test.rows, run.items, run.texts, strict=True):
                yield {"id": row["id"], **system, **test.task.scores.item_record(row, item, text)}


def as_bytes(records: Iterator[dict[str, Any]], suffix: str) -> bytes:
    """The records as JSON lines or, with the suffix `.csv`, as a table, whose cells with several lines hold them so."""
    if suffix != ".csv":
        return "".join(json.dumps(record) + "\n" for record in records).encode()  # not orjson: lone surrogates
    out = io.StringIO()
    every = list(records)
    names = dict.fromkeys(name for record in every for name in record)
    writer = csv.DictWriter(out, list(names), lineterminator="\n", restval="")
    writer.writeheader()
    for record in every:
        writer.writerow({key: _cell(value) for key, value in record.items()})
    return out.getvalue().encode(errors="replace")


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return "\n".join(map(str, value)) if value and isinstance(value[0], str) else " ".join(map(str, value))
    return json.dumps(value) if isinstance(value, dict) else "" if value is None else value


def check_item_output(path: Path, predictions: Sequence[Path]) -> None:
    """That writing there loses nothing: no file yet, an empty one, or earlier scores of items.

    Raises:
        PredictionError: for anything else, and for a name that does not end in `.jsonl` or `.csv`.
        OutputError: where no file can be made.
    """
    if path.suffix not in SUFFIXES:
        raise PredictionError(f"--per-item: {path} has to end in {' or '.join(SUFFIXES)}")
    check_file(path)
    if not path.is_file():
        return
    if any(file.exists() and path.samefile(file) for file in predictions):
        raise PredictionError(f"--per-item: {path} is a prediction file: name another file for the scores")
    with path.open("rb") as file:
        line = file.readline()
    try:
        ours = not line or (
            line.startswith(",".join(_FIRST).encode())
            if path.suffix == ".csv"
            else {*_FIRST, "right"} <= dict(orjson.loads(line)).keys()
        )
    except (ValueError, TypeError):
        ours = False
    if not ours:
        raise PredictionError(
            f"--per-item: {path} exists and does not hold scores of this command: remove it, or name another file"
        )
