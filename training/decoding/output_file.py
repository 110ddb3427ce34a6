"""The file that predictions are written to, line by line, and that the same command resumes after a kill."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from tqdm.auto import tqdm

from bap_v2_simulators.whole_files import write_whole
from bap_v2_training.errors import UsageError


def answered_ids(output: Path, settings: dict, overwrite: bool) -> set[str]:
    """The ids that `output` has answers to, after a check that it was made with the same settings.

    A line that a kill left incomplete is removed. The settings of a new file are written beside it.

    Raises:
        UsageError: the file was made with other settings, or is not one of these files.
    """
    record = output.with_name(f"{output.name}.settings.json")
    output.parent.mkdir(parents=True, exist_ok=True)
    if overwrite or not output.exists():
        write_whole(output, b"")  # first: old answers must never stand beside new settings
        write_whole(record, (json.dumps(settings, indent=2) + "\n").encode())
        return set()

    fix = "choose another --output, or replace it with --overwrite"
    if not record.is_file():
        raise UsageError(f"{output} exists, but not {record.name}, which records how it was made; {fix}")
    earlier = json.loads(record.read_text(encoding="utf-8"))
    differing = [name for name in settings if earlier.get(name) != settings[name]]
    if differing:
        changes = "; ".join(f"{name} was {earlier.get(name)!r}, now {settings[name]!r}" for name in differing)
        raise UsageError(f"{output} was made with other settings ({changes}); {fix}")

    content = output.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        write_whole(output, whole)
    try:
        return {json.loads(line)["id"] for line in whole.splitlines()}
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise UsageError(f"{output} holds a line that is not a prediction ({error!r}); {fix}") from error


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
