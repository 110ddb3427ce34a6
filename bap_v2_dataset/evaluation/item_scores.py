"""Scores item by item: what `bap-v2 score --per-item FILE` writes."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from bap_v2_dataset.evaluation.scoring import Result
from bap_v2_dataset.evaluation.test_sets import ScoredSplit
from bap_v2_dataset.predictions.files import PredictionError
from bap_v2_dataset.tasks import part
from bap_v2_metric.actions import execute, net_actions
from bap_v2_metric.alignment import align
from bap_v2_metric.answers import read_prediction
from bap_v2_metric.blocks import Structure
from bap_v2_metric.counts import Counts
from bap_v2_metric.notation import format_action, parse_structure
from bap_v2_metric.scoring import MEASURES, fair_net_actions
from bap_v2_simulators.whole_files import check_file

SUFFIXES = (".jsonl", ".csv")
_FIRST = ("id", "system")  # by which a file of ours is known


def item_records(test: ScoredSplit, results: Sequence[Result]) -> Iterator[dict[str, Any]]:
    """An object for each item of each system, and of each of its runs; items of one kind have the same keys."""
    record = part(test.task.item_record)
    several = any(result.runs for result in results)
    for result in results:
        for run in result.runs or [result]:
            label = run.name.removeprefix(f"{result.name} (").removesuffix(")") if result.runs else ""
            system = {"system": result.name, **({"run": label} if several else {})}
            for row, item, text in zip(test.rows, run.items, run.texts, strict=True):
                yield {"id": row["id"], **system, **record(row, item, text)}


def scored_item(row: Mapping[str, Any], item: Mapping[str, Any], prediction: str) -> dict[str, Any]:
    """What is said of an item of Builder Action Prediction, besides its id and the system.

    Args:
        item: its counts.
    Returns:
        `board` ("EB", "NEB"), `interpretations`; `right`, `wrong`, `missed`: net actions as fairer F1 counts them; F1
        of all measures in 0..1 (0/0 is 0.0); `unparsed`: the lines that could not be read; `infeasible`: the actions
        that changed nothing, and why; `alignment`: [quarter turns, dx, dz] of the predicted structure where fairer F1
        compares it rotated and moved, else None.
    """
    actions, unparsed = read_prediction(prediction)
    before, after = parse_structure(row["before"]), parse_structure(row["after"])
    predicted_after, failures = execute(before, actions)
    counts = Counts.of(item, "fairer")
    return {
        "board": "EB" if item["empty_board"] else "NEB",
        "interpretations": row["interpretations"],
        "right": counts.tp,
        "wrong": counts.fp,
        "missed": counts.fn,
        **{f"{measure}_f1": Counts.of(item, measure).f1 for measure in MEASURES},
        "unparsed": list(unparsed),
        "infeasible": [f"{format_action(failure.action)}: {failure.reason.value}" for failure in failures],
        "alignment": _alignment(before, predicted_after, after, row["interpretations"]),
    }


def _alignment(before: Structure, predicted: Structure, after: Structure, interpretations: str) -> list[int] | None:
    changes, gold = net_actions(before, predicted), net_actions(before, after)
    if fair_net_actions(changes, gold, predicted, after, interpretations) is changes:
        return None
    moved = align(predicted, after)
    return list(moved) if any(moved) else None


def counts_alone(row: Mapping[str, Any], item: Mapping[str, Any], prediction: str) -> dict[str, Any]:
    """What is said of an item of a task that says nothing more."""
    return dict(item)


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
