"""Scores for programs: JSON, CSV, a line for each system, and item by item (`bap-v2 score --per-item FILE`)."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import orjson

from bap_v2_dataset.evaluation.results import Result, ScoredSplit
from bap_v2_dataset.evaluation.runs import SystemPredictions
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.tables.cells import NO_VALUE
from bap_v2_simulators.atomic_files import check_file

CSV_COLUMNS = ("config", "split", "system", "runs", "score", "value", "low", "high", "standard_deviation", "unit")


def scores_csv(results: Iterable[tuple[ScoredSplit, Result]]) -> str:
    """Format all scores as a table: a line for each score of each system on each test set, with the keys of the JSON.

    Scores are fractions in 0..1, and distances in cells; what there is none of is empty.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for test, result in results:
        start = (*map(no_formula, (test.config, test.split, result.name)), max(len(result.runs), 1))
        for key, value in _flat(result.scores):
            if isinstance(value, (int, float)):
                low, high = result.intervals.get(key, ("", ""))
                unit = result.unit if key in result.intervals else ""
                writer.writerow([*start, key, value, low, high, result.deviations.get(key, ""), unit])
    return out.getvalue()


def _flat(scores: Mapping[str, Any], start: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the scores, and those inside them: `groups.follower/4.accuracy`."""
    for key, value in scores.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{start}{key}.")
        else:
            yield f"{start}{key}", value


def brief(results: Sequence[Result], key: str) -> str:
    """Format a line for each system: its headline's key and score in percent, the interval or spread, the name."""
    return "\n".join(f"{_headline(result, key)} {result.name}" for result in results) + "\n"


def _headline(result: Result, key: str) -> str:
    """Format its score in percent, behind the key, and its interval or spread."""
    parts = [key, f"{100 * result.scores[key]:.1f}" if key in result.scores else NO_VALUE]
    if key in result.intervals:
        parts.append("[{:.1f}, {:.1f}]".format(*(100 * bound for bound in result.intervals[key])))
        parts += [f"(over {result.drawn})"] * bool(result.drawn)
    elif key in result.too_few and not result.runs:
        parts.append(f"[{NO_VALUE}]")
    if key in result.deviations:
        parts.append(f"± {100 * result.deviations[key]:.1f} ({len(result.runs)} runs)")
    return " ".join(parts)


def register(test: ScoredSplit, results: Sequence[Result], files: Sequence[SystemPredictions]) -> list[str]:
    """Return a Markdown line for each system that was scored on test items of people; of other test sets nothing.

    Who reads a test set often, and chooses by it, overrates the choice: a register of readings says how often. Such
    test sets are those whose items are about few targets, which resamples draw by default.
    """
    if not files or not test.split.startswith("test") or test.task.default_unit(*test.key) == "item":
        return []
    settings = {file.system: file.settings for file in files if not file.packed}  # those were read before
    key, today = test.task.scores.headline_of(), date.today().isoformat()
    lines = []
    for result in (result for result in results if result.name in settings):
        how = settings[result.name]
        samples, least = how.get("samples"), how.get("min_probability")
        whole = ", whole answers" * bool(how.get("whole_answers"))
        decoding = (
            f"{samples} samples" + f", threshold {least}{whole}" * bool(least) if samples else "one answer an item"
        )
        items = f"{test.config}, {len(test.rows):,} items"
        lines.append(f"| {today} | {result.name} | {decoding} | {items} | {_headline(result, key)} | why |")
    return lines


def to_json(systems: Sequence[Result], **settings: Any) -> bytes:
    """Format the scores and intervals of all systems, as fractions of 1, with the settings they were made with.

    The scores of a system with several runs are means; its standard deviations and its runs stand beside them.
    """
    record = {
        "settings": settings,
        "systems": [
            {
                **_record(system),
                **({"standard_deviations": system.deviations, "runs": list(map(_record, system.runs))}
                   if system.runs else {}),
            }
            for system in systems
        ],
    }  # fmt: skip
    return orjson.dumps(record, option=orjson.OPT_INDENT_2)


def _record(system: Result) -> dict[str, Any]:
    return {
        "name": system.name,
        "missing": system.missing,
        "scores": system.scores | {"signature": system.signature},
        "confidence_intervals": system.intervals,
    }


SUFFIXES = (".jsonl", ".csv")
_FIRST = ("id", "system")  # by which a file of ours is known


def item_records(test: ScoredSplit, results: Sequence[Result]) -> Iterator[dict[str, Any]]:
    """Yield an object for each item of each system, and of each of its runs; items of one kind have the same keys."""
    several = any(result.runs for result in results)
    for result in results:
        for run in result.runs or [result]:
            label = run.name.removeprefix(f"{result.name} (").removesuffix(")") if result.runs else ""
            system = {"system": result.name, **({"run": label} if several else {})}
            for row, item, text in zip(test.rows, run.items, run.texts, strict=True):
                yield {"id": row["id"], **system, **test.task.scores.item_record(row, item, text)}


def as_bytes(records: Iterator[dict[str, Any]], suffix: str) -> bytes:
    """Format the records as JSON lines or, with the suffix `.csv`, as a table, whose cells may have several lines."""
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


def no_formula(cell: Any) -> Any:
    """Return a cell of a CSV file; a spreadsheet that opens it must not compute a text.

    >>> no_formula("=1+1"), no_formula("pick"), no_formula(-1)
    ("'=1+1", 'pick', -1)
    """
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(("=", "+", "-", "@", "\t", "\r")) else cell


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        texts = value and isinstance(value[0], str)
        return no_formula("\n".join(map(str, value))) if texts else " ".join(map(str, value))
    return json.dumps(value) if isinstance(value, dict) else "" if value is None else no_formula(value)


def check_output(path: Path, predictions: Iterable[Path]) -> None:
    """Check that writing the scores there loses nothing: no file yet, an empty one, or earlier scores.

    Raises:
        PredictionError: for anything else.
        OutputError: where no file can be made.
    """
    of_games, of_labels = {"signature", "systems"}, {"unit", "labels"}
    ours = {"settings", "systems"}, of_games, of_labels
    _check_output(
        path, predictions, "--out", lambda data: any(keys <= dict(orjson.loads(data)).keys() for keys in ours)
    )


def check_item_output(path: Path, predictions: Iterable[Path]) -> None:
    """Check it for scores of items. Raises: PredictionError also for a name not in `.jsonl` or `.csv`."""
    if path.suffix not in SUFFIXES:
        raise PredictionError(f"--per-item: {path} has to end in {' or '.join(SUFFIXES)}")

    def is_ours(data: bytes) -> bool:
        if path.suffix == ".csv":
            return data.startswith(",".join(_FIRST).encode())
        return {*_FIRST, "right"} <= dict(orjson.loads(data.partition(b"\n")[0])).keys()

    _check_output(path, predictions, "--per-item", is_ours)


def _check_output(path: Path, predictions: Iterable[Path], option: str, is_ours: Callable[[bytes], bool]) -> None:
    check_file(path)
    if not path.is_file():  # a new one, or a device
        return
    if any(file.exists() and path.samefile(file) for file in predictions):
        raise PredictionError(f"{option}: {path} is what is scored: name another file for the scores")
    data = path.read_bytes()
    try:
        ours = not data or is_ours(data)
    except (ValueError, TypeError):
        ours = False
    if not ours:
        raise PredictionError(
            f"{option}: {path} exists and does not hold scores of this command: remove it, or name another file"
        )
