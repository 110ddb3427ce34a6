"""The check of a folder of results: every score is computed again, with the metric and the test sets that are here."""

import hashlib
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

import orjson

from bap_v2_dataset.items.rows import DATA_VERSION
from bap_v2_dataset.leaderboard.board import checked_records
from bap_v2_dataset.leaderboard.record import CHECKED, PREDICTIONS, RECORDS, Record, SubmissionError, sha256_of
from bap_v2_dataset.leaderboard.submission import check_test_set, rescored
from bap_v2_dataset.tasks.table import require_task
from bap_v2_metric.errors import UserError
from bap_v2_metric.scoring import METRIC_VERSION
from bap_v2_simulators.atomic_files import atomic_write

_SHOWN = 3  # of the scores that differ


@dataclass(frozen=True)
class Verdict:
    """What the check says of a file."""

    path: str  # below the folder
    record: Record | None
    problems: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        return not self.problems


def check(folder: Path, progress: Callable[[str], None] = lambda path: None) -> list[Verdict]:
    """A verdict on every record of a folder of results, and on files that belong to none.

    Args:
        folder: of `bap-v2 submit`, or the dataset of results.
        progress: called with the path of each record before its scores are computed.
    Raises:
        SubmissionError: if there are no records.
    """
    paths = sorted((folder / RECORDS).rglob("*.json"))
    if not paths:
        raise SubmissionError(f"{folder} has no {RECORDS}/*.json: name the folder that `bap-v2 submit` wrote")
    verdicts = []
    for path in paths:
        progress(path.relative_to(folder).as_posix())
        verdicts.append(_verdict(folder, path))
    verdicts = _without_duplicates(verdicts, _unchanged(folder, paths))
    named = {verdict.record.predictions_path for verdict in verdicts if verdict.record}
    for file in sorted((folder / PREDICTIONS).rglob("*")):
        name = file.relative_to(folder).as_posix()
        if file.is_file() and name not in named:
            verdicts.append(Verdict(name, None, ("no record names this file",)))
    return verdicts


def write_checked(folder: Path, verdicts: Sequence[Verdict]) -> Path:
    """Writes which records are right, and returns the file: `board` shows no others."""
    checked = {
        "metric": METRIC_VERSION,
        "data": DATA_VERSION,
        "records": {each.path: sha256_of(folder / each.path) for each in verdicts if each.record and each.right},
    }
    file = folder / CHECKED
    atomic_write(file, orjson.dumps(checked, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE))
    return file


def _verdict(folder: Path, path: Path) -> Verdict:
    name = path.relative_to(folder).as_posix()
    try:
        record = Record.from_json(path.read_bytes())
    except SubmissionError as error:
        return Verdict(name, None, (str(error),))
    except OSError as error:  # a folder, or a link to nowhere
        return Verdict(name, None, (f"a record is a file that can be read ({error.strerror or error})",))
    if name != record.path:
        return Verdict(name, record, (f"a record of this system and test set belongs in {record.path}",))
    try:
        check_test_set(record.config, record.split)
    except SubmissionError as error:
        return Verdict(name, record, (str(error),))
    try:
        data = (folder / record.predictions_path).read_bytes()
    except OSError as error:
        return Verdict(name, record, (f"{record.predictions_path}: {error.strerror or error}",))
    if hashlib.sha256(data).hexdigest() != record.predictions_sha256:
        return Verdict(name, record, (f"{record.predictions_path} was changed: its SHA-256 is not the record's",))
    try:
        _check_form(record, data)
        again = rescored(record, data)
    except UserError as error:
        return Verdict(name, record, (str(error),))
    return Verdict(name, record, tuple(_differences(record, again)))


def _check_form(record: Record, data: bytes) -> None:
    """Raises: SubmissionError for predictions that `submit` would have stored otherwise."""
    scores = require_task(record.config).scores
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            entry = orjson.loads(line)
            fitting = entry.keys() == {"id", "prediction"} and all(isinstance(text, str) for text in entry.values())
        except (ValueError, AttributeError):
            fitting = False
        place = f"{record.predictions_path}, line {number}"
        if not fitting:
            raise SubmissionError(f'{place}: expected {{"id": ..., "prediction": ...}}, two texts')
        if entry["prediction"] != scores.stored_text(entry["prediction"]):
            raise SubmissionError(f"{place} holds more than actions: submit it with `bap-v2 submit`")


def _differences(record: Record, again: Record) -> Iterator[str]:
    """Sentences on what the record says otherwise than it is now."""
    if record.signature != again.signature:
        yield f"the signature is {record.signature}, and here {again.signature}: submit it with this version"
    if record.labels_sha256 != again.labels_sha256 or record.labels != again.labels:
        yield f"the labels ({record.labels}) are not those here ({again.labels})"
    if record.items_sha256 != again.items_sha256 or record.items != again.items:
        data = record.versions.get("data")
        yield f"the items (data {data}) of {record.config}, {record.split} are not those here (data {DATA_VERSION})"
    recorded, computed = (
        {score["score"]: (score["value"], score["low"], score["high"]) for score in one.scores}
        for one in (record, again)
    )
    different = [key for key in sorted(recorded.keys() | computed.keys()) if recorded.get(key) != computed.get(key)]
    for key in different[:_SHOWN]:
        yield f"{key} is {_shown(recorded.get(key))} in the record, and {_shown(computed.get(key))} when computed again"
    if len(different) > _SHOWN:
        yield f"and {len(different) - _SHOWN} more scores differ"
    for name in ("score", "value", "low", "high", "confidence", "task"):
        if getattr(record, name) != getattr(again, name):
            yield f"{name} is {getattr(record, name)!r} (expected {getattr(again, name)!r})"
    if len(record.scores) != len(again.scores):
        yield f"{len(record.scores)} scores (expected {len(again.scores)})"


def _shown(score: tuple | None) -> str:
    if score is None:
        return "missing"
    value, low, high = score
    return f"{value}" if low is None else f"{value} ({low} to {high})"


def _without_duplicates(verdicts: Sequence[Verdict], known: Set[str]) -> list[Verdict]:
    """The verdicts; of right records with equal predictions only the known one stays right, and no other.

    Args:
        known: paths of records that an earlier check has found right, and that have not changed.
    """
    alike: dict[tuple[str, str], list[str]] = {}
    for verdict in verdicts:
        if verdict.right and verdict.record:
            key = (verdict.record.test_set, verdict.record.predictions_sha256)
            alike.setdefault(key, []).append(verdict.path)
    refused: dict[str, str] = {}
    for paths in alike.values():
        first = [path for path in paths if path in known]
        for path in paths:
            if len(paths) > 1 and first != [path]:
                others = ", ".join(first if len(first) == 1 else [other for other in paths if other != path])
                what = "" if len(first) == 1 else "; none was checked before the others: keep one of them"
                refused[path] = f"a duplicate: its predictions are those of {others}{what}"
    return [
        replace(verdict, problems=(refused[verdict.path],)) if verdict.path in refused else verdict
        for verdict in verdicts
    ]


def _unchanged(folder: Path, paths: Sequence[Path]) -> set[str]:
    """Which of the files are in the `checked.json` of the folder, byte for byte."""
    checked = checked_records(folder)
    names = {path.relative_to(folder).as_posix(): path for path in paths if path.is_file()}
    return {name for name, path in names.items() if name in checked and checked[name] == sha256_of(path)}
