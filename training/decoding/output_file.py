"""The file that predictions are written to, line by line, and that the same command resumes after a kill."""

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO, TypeVar

from tqdm.auto import tqdm

from bap_v2_dataset.predictions.answer_files import earlier_answers

Item = TypeVar("Item")


def answered_ids(output: Path, settings: dict, overwrite: bool) -> set[str]:
    """The ids that `output` has answers to: see `earlier_answers`. Raises: PredictionError if it cannot be resumed."""
    fix = "choose another --output, or replace it with --overwrite"
    return set(earlier_answers(output, settings, overwrite, fix))


def batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """The items in pieces of this size; the last one may be smaller."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


class AppendedAnswers:
    """Appends answers to an output file, one line each, and counts them."""

    def __init__(self, file: TextIO, bar: tqdm):
        self._file, self._bar = file, bar
        self.answers = self.unfinished = 0

    def add(self, line: dict) -> None:
        """Write an answer at once, so that a kill does not lose it."""
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()
        self.answers += 1
        self.unfinished += not line["finished"]
        self._bar.update()


@contextmanager
def appending(output: Path, total: int, description: str, unfinished: str) -> Iterator[AppendedAnswers]:
    """Appends the answers of this run to `output`, under a bar, and prints how many and how fast when the block ends.

    Args:
        total: items to answer.
        description: before the bar.
        unfinished: what happened to answers that did not end by themselves, for example "were refused".
    """
    started = time.perf_counter()
    with output.open("a", encoding="utf-8") as file, tqdm(total=total, desc=description, unit="item") as bar:
        appended = AppendedAnswers(file, bar)
        try:
            yield appended
        finally:
            bar.close()
            seconds = time.perf_counter() - started
            print(
                f"{output}: {appended.answers} items in {seconds:.1f} s, {appended.answers / seconds:.2f} items per "
                f"second; {appended.unfinished} {unfinished}"
            )
