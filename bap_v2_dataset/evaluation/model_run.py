"""The answers of a Python function as a model: one row or a batch at a time, in threads, recorded as they come."""

import copy
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from bap_v2_dataset.sentences import counted
from bap_v2_metric.errors import UserError, shortened

Row: TypeAlias = Mapping[str, Any]
Model: TypeAlias = "Callable[[dict[str, Any]], str] | Callable[[list[dict[str, Any]]], Sequence[str]]"
_WAITING = 2  # batches per worker that are handed out at a time


class ModelError(UserError):
    """A model that failed, or did not answer with text; the message names the item.

    Attributes:
        item_id: of the item, or of the first one of the batch.
        predictions: what was answered before, by row id.
    """

    def __init__(self, message: str, item_id: str, predictions: Mapping[str, str]):
        super().__init__(message)
        self.item_id = item_id
        self.predictions = dict(predictions)


def run_model(
    model: Model,
    rows: Sequence[Row],
    *,
    name: str,
    batch_size: int | None = None,
    workers: int = 1,
    answered: Mapping[str, str] | None = None,
    out: Path | None = None,
) -> dict[str, str]:
    """Return the model's answers by row id, under a progress bar (`datasets.disable_progress_bars` hides it).

    Args:
        model: gets a row and returns its answer; with `batch_size`, gets that many rows and returns a list. The rows
            are copies: a model that builds on `before` must not change what it is scored by.
        name: beside the progress bar.
        workers: threads that call the model.
        answered: answers of an earlier run; these rows are not asked for again.
        out: file to which each answer is appended at once.
    Raises:
        ModelError: from the exception of the model, or if what it returned is not text. Answers that were given
            before, or while other threads finish, are kept.
    """
    from datasets.utils import tqdm

    # What is left to ask, in batches.
    answers = dict(answered or {})
    remaining = [row for row in rows if row["id"] not in answers]
    batches = [remaining[start : start + (batch_size or 1)] for start in range(0, len(remaining), batch_size or 1)]

    def ask(batch: Sequence[Row]) -> list[str]:
        if batch_size is None:
            texts: Any = [model(copy.deepcopy(dict(batch[0])))]  # type: ignore[arg-type]
        else:
            texts = model([copy.deepcopy(dict(row)) for row in batch])  # type: ignore[arg-type]
        _check(texts, batch, batch_size is not None)
        return texts

    # Each answer is recorded at once; after a failure the threads that have begun finish.
    with (
        _appending(out) as write,
        tqdm(total=len(rows), initial=len(rows) - len(remaining), desc=name, unit="item") as bar,
    ):
        if len(remaining) < len(rows):
            print(f"{out}: {counted(len(rows) - len(remaining), 'item')} answered before, {len(remaining):,} to ask")
        failure: tuple[Sequence[Row], BaseException] | None = None
        for batch, result in _results(ask, batches, workers):
            if isinstance(result, BaseException):
                failure = failure or (batch, result)
                continue
            for row, text in zip(batch, result):
                write({"id": row["id"], "prediction": text})
                answers[row["id"]] = text
            bar.update(len(batch))
    if failure is not None:
        batch, problem = failure
        raise _error(batch, problem, answers, out) from (None if isinstance(problem, _NotText) else problem)
    return answers


def _results(
    ask: Callable[[Sequence[Row]], Any], batches: Sequence[Sequence[Row]], workers: int
) -> Iterator[tuple[Sequence[Row], Any]]:
    """Yield each batch with what was returned for it, or the exception; after an exception only those begun."""
    # One worker: this thread, which Ctrl-C ends.
    if workers == 1:
        for batch in batches:
            try:
                result = ask(batch)
            except Exception as error:
                yield batch, error
                return
            yield batch, result
        return

    # Several threads, each with a few batches that wait; after an exception no more are handed out.
    pool = ThreadPoolExecutor(workers, thread_name_prefix="bap_v2_model")
    try:
        remaining = iter(batches)
        waiting: dict[Future, Sequence[Row]] = {}
        failed = False
        while True:
            while not failed and len(waiting) < _WAITING * workers and (batch := next(remaining, None)) is not None:
                waiting[pool.submit(ask, batch)] = batch
            if not waiting:
                return
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                batch = waiting.pop(future)
                if future.cancelled():
                    continue
                error = future.exception()
                yield batch, error if error is not None else future.result()
                if error is not None and not failed:
                    failed = True
                    for other in waiting:
                        other.cancel()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class _NotText(Exception):
    """An answer that is not text; the message says what it is."""


def _check(texts: Any, batch: Sequence[Row], in_batches: bool) -> None:
    """Raise _NotText for anything but one string for each row."""
    if in_batches:
        if isinstance(texts, str) or not isinstance(texts, Sequence):
            raise _NotText(f"{_shown(texts)} for {counted(len(batch), 'row')} (expected a list with one string each)")
        if len(texts) != len(batch):
            raise _NotText(f"{counted(len(texts), 'answer')} for {counted(len(batch), 'row')}")
    for text in texts:
        if not isinstance(text, str):
            raise _NotText(f"{_shown(text)} (expected a string: one action per line)")


def _shown(value: Any) -> str:
    return f"{shortened(value)} of type {type(value).__name__}"


def _error(batch: Sequence[Row], problem: BaseException, answers: Mapping[str, str], out: Path | None) -> ModelError:
    item = batch[0]["id"]
    where = item if len(batch) == 1 else f"{item} and the {counted(len(batch) - 1, 'row')} of its batch"
    failed = f"failed with {type(problem).__name__}: {problem}"
    what = f"returned {problem}" if isinstance(problem, _NotText) else failed
    answered = counted(len(answers), "answer")
    if out is not None:
        fix = f"{answered} are kept in {out}, and the same call resumes there"
    else:
        fix = f"with out=FILE the same call would resume after {answered}"
    return ModelError(f"item {where}: the model {what}; {fix}", item, answers)


@contextmanager
def _appending(out: Path | None) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """Give a function that appends a record to the file at once, so that a kill does not lose it."""
    if out is None:
        yield lambda record: None
        return
    with out.open("a", encoding="utf-8") as file:

        def write(record: Mapping[str, Any]) -> None:
            file.write(json.dumps(record) + "\n")
            file.flush()

        yield write
