"""A record of a prediction file: its scores, computed as `bap-v2 score` computes them, and what they are of.

What is stored of the predictions is what the task's metric reads (`Scores.stored_text`). Their scores are the same.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

import orjson

from bap_v2_dataset.evaluation.results import Result, ScoredSplit, digest
from bap_v2_dataset.evaluation.runs import SystemPredictions
from bap_v2_dataset.evaluation.scoring import scored_split
from bap_v2_dataset.evaluation.systems_of_files import read_files_for
from bap_v2_dataset.items.prompts import PROMPT_VERSION
from bap_v2_dataset.items.rows import DATA_VERSION
from bap_v2_dataset.leaderboard.record import FORM, Record, SubmissionError, numbers
from bap_v2_dataset.predictions.entries import AUTOMATIC, Fields, PredictionError
from bap_v2_dataset.tasks.table import TASKS, require_task, task_of
from bap_v2_metric.scoring import METRIC_VERSION
from bap_v2_simulators.atomic_files import atomic_write

CONFIDENCE = 0.95
_OTHER_OPTIONS = re.compile(r", or pass (?:--|own)")
_TEST_SPLIT = re.compile(r"test(_\w+)?", re.ASCII)  # and no part of it, or several


def submission(
    predictions: str | None,
    *,
    name: str = "",
    submitter: str = "",
    link: str = "",
    config: str | None = None,
    split: str | None = None,
    baseline: str | None = None,
    entry_fields: Fields = AUTOMATIC,
) -> tuple[Record, bytes]:
    """The record of a prediction file, or of a baseline, and the predictions as they are stored beside it.

    Args:
        predictions: the file.
        name: of the system.
        config, split: by default those that the predictions were made for.
        baseline: in place of a file.
    Raises:
        SubmissionError: for what belongs in no leaderboard, and predictions that do not fit the test set.
        bap_v2_dataset.predictions.entries.PredictionError: a file that cannot be read.
    """
    config, split, files = read_files_for([predictions] if predictions else [], config, split, None, entry_fields)
    if len(files) > 1:
        raise SubmissionError(f"{predictions} holds {len(files)} runs: submit them one by one")
    if any(file.data for file in files):
        raise SubmissionError(f"{predictions} answers own data: a leaderboard compares systems on the test sets")
    check_test_set(config, split)
    name = name or baseline or ""
    test, result = _scored(config, split, files, baseline)
    texts = [test.task.scores.stored_text(text) for text in result.texts]
    data = stored_predictions([row["id"] for row in test.rows], texts)
    record = record_of(test, result, data, name=name, submitter=submitter, link=link)
    again = rescored(record, data)
    assert again.scores == record.scores, "what is stored scores otherwise than what was submitted"
    return record, data


def check_test_set(config: str, split: str) -> None:
    """Whether a test set has a leaderboard.

    Raises:
        SubmissionError: for a joint config, one whose scores depend on more than predictions and labels, and every
            split that is not a whole test split.
    """
    task = task_of(config)
    if task is None or not task.ranked:
        names = ", ".join(name for name, task in TASKS.items() if task.ranked)
        raise SubmissionError(
            f"{config}: a leaderboard has the test sets of {names}; scores of others depend on settings (tools, "
            "inputs) that a record does not hold"
        )
    if parts := task.configs[config].made_of:
        raise SubmissionError(f"{config} is made of several configs: submit for each of {', '.join(parts)}")
    if not _TEST_SPLIT.fullmatch(split):
        raise SubmissionError(f"{config}, {split}: a leaderboard is for whole test splits")


def written(record: Record, predictions: bytes, folder: Path, overwrite: bool = False) -> None:
    """Writes a record and its predictions into a folder of results; the record comes last.

    Raises:
        SubmissionError: if there is another record of this name.
    """
    path = folder / record.path
    if path.exists() and not overwrite and _undated(path.read_bytes()) != _undated(record.to_json()):
        raise SubmissionError(f"{path} is there already: name the system otherwise, or pass --replace")
    for file, data in ((folder / record.predictions_path, predictions), (path, record.to_json())):
        file.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(file, data)


def _undated(data: bytes) -> Any:
    try:
        return {key: value for key, value in orjson.loads(data).items() if key != "date"}
    except (ValueError, AttributeError):
        return None


def rescored(record: Record, data: bytes) -> Record:
    """The record that the stored predictions give with the metric and the test set that there are now.

    Raises:
        bap_v2_metric.errors.UserError: for predictions that do not fit the test set, and a test set that is not there.
    """
    entries = [orjson.loads(line) for line in data.splitlines()]
    predictions = {entry["id"]: entry["prediction"] for entry in entries}
    if len(predictions) < len(entries):
        raise SubmissionError("the predictions have an id twice")
    file = SystemPredictions(
        Path(record.predictions_path), record.name, record.config, record.split, predictions, {}, named=True
    )
    test, result = _scored(record.config, record.split, [file], None)
    new = record_of(test, result, data, name=record.name, submitter=record.submitter, link=record.link)
    return replace(new, date=record.date)


def record_of(
    test: ScoredSplit, result: Result, predictions: bytes, *, name: str, submitter: str = "", link: str = ""
) -> Record:
    """The record of a result."""
    key = test.task.headline
    low, high = result.intervals.get(key, (None, None))
    return Record(
        form=FORM,
        name=name,
        submitter=submitter,
        link=link,
        date=datetime.now(UTC).date().isoformat(),
        task=test.task.name,
        config=test.config,
        split=test.split,
        items=len(test.rows),
        score=key,
        value=float(result.scores[key]),
        low=low,
        high=high,
        scores=numbers(result.scores, result.intervals),
        signature=result.signature,
        confidence=CONFIDENCE,
        labels=test.labels,
        labels_sha256=test.labels_sha256,
        items_sha256=digest(_plain(row) for row in test.rows),
        predictions_sha256=hashlib.sha256(predictions).hexdigest(),
        versions={
            "bap-v2": metadata.version("bap-v2"), "data": DATA_VERSION, "prompts": PROMPT_VERSION,
            "metric": METRIC_VERSION,
        },
    )  # fmt: skip


def _scored(
    config: str, split: str, files: Sequence[SystemPredictions], baseline: str | None
) -> tuple[ScoredSplit, Result]:
    """Raises: SubmissionError for predictions that do not fit, without the options that only `bap-v2 score` has."""
    hint = "pass --split with one of"
    try:
        test, results, _ = scored_split(
            require_task(config), config, split, files, [baseline] if baseline else [], hint=hint
        )
    except PredictionError as error:
        sentence = str(error).replace("pass the items that it answers with --data, or ", "")
        raise SubmissionError(_OTHER_OPTIONS.split(sentence)[0]) from None
    return test, results[0]


def stored_predictions(ids: Sequence[str], texts: Sequence[str]) -> bytes:
    """Predictions as JSON lines."""
    return b"".join(
        orjson.dumps({"id": row_id, "prediction": text}, option=orjson.OPT_APPEND_NEWLINE)
        for row_id, text in zip(ids, texts, strict=True)
    )


def _plain(row: Mapping) -> dict[str, Any]:
    """A row without what is said about its making."""
    return {name: value for name, value in row.items() if name != "metadata"}
