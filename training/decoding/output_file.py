"""The file that predictions are written to, line by line, and that the same command resumes after a kill."""

import hashlib
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self, TypeVar

from tqdm.auto import tqdm

from bap_v2_dataset.predictions.answer_files import earlier_answers

Item = TypeVar("Item")


def answered_ids(output: Path, settings: dict, overwrite: bool) -> set[str]:
    """The ids that `output` has answers to: see `earlier_answers`. Raises: PredictionError if it cannot be resumed."""
    fix = "choose another --out, or replace it with --overwrite"
    return set(earlier_answers(output, settings, overwrite, fix))


def digest_of(items: Sequence[tuple]) -> str:
    """Return the SHA-256 of what is answered: of each item the id and what the model reads, which come first in it."""
    return hashlib.sha256(json.dumps([item[:2] for item in items]).encode()).hexdigest()


def batches(items: Sequence[Item], size: int) -> Iterator[Sequence[Item]]:
    """Yield the items in pieces of this size; the last one may be smaller."""
    for start in range(0, len(items), size):
        yield items[start : start + size]


class Appending:
    """Appends the answers of this run to a file, a line each, under a bar; prints how many and how fast at its end.

    Args:
        output: the file.
        total: items to answer.
        description: before the bar.
        unfinished: what happened to answers that did not end by themselves, for example "were refused".
    """

    unit = "item"

    def __init__(self, output: Path, total: int, description: str, unfinished: str = ""):
        self.output, self._unfinished_are = output, unfinished
        self.answers, self.unfinished = 0, Counter[str]()  # by the reason that a line tells
        self._started = time.perf_counter()
        self._file = output.open("a", encoding="utf-8")
        self._bar = tqdm(total=total, desc=description, unit=self.unit)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.close()
        self._file.close()
        seconds = time.perf_counter() - self._started
        print(f"{self.output}: {self.answers} {self.unit}s in {seconds:.1f} s{self.summary(seconds)}")

    def add(self, line: dict, **shown: object) -> None:
        """Write an answer at once, so that a kill does not lose it. Args: shown: beside the bar."""
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()
        self.answers += 1
        self.unfinished.update([] if line["finished"] else [line.get("unfinished", "")])
        self._bar.set_postfix(shown, refresh=False)
        self._bar.update()

    def summary(self, seconds: float) -> str:
        """Return what is printed behind the time."""
        speed = f"{self.answers / seconds:.2f} {self.unit}s per second"
        reasons = ", ".join(f"{number} {reason}" for reason, number in sorted(self.unfinished.items()) if reason)
        return f", {speed}; {self.unfinished.total()} {self._unfinished_are}{': ' * bool(reasons)}{reasons}"
