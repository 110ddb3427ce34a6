"""The command itself, and what all its parts write to."""

import os
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.progress import BarColumn, FileSizeColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from bap_v2_dataset.cli.help import App, MainGroup
from bap_v2_dataset.sentences import visible
from bap_v2_dataset.tables.console import Console

if TYPE_CHECKING:
    from bap_v2_dataset.evaluation.results import Result
    from bap_v2_dataset.human.game_store import KeptGames

app = App(name="bap-v2", cls=MainGroup, pretty_exceptions_enable=False)
console = Console()
errors = Console(stderr=True)
for _each in (console, errors):
    if not _each.is_terminal and not os.environ.get("COLUMNS"):
        _each.width = 100  # of a file or a pipe


def say(text: str, style: str = "", to: Console = console) -> None:
    """Prints a line as it is: not folded, with nothing in it taken for markup."""
    to.print(text, style=style, highlight=False, markup=False, soft_wrap=True)


def typed_lines() -> Iterator[str]:
    """Yield what is typed, a line at a time, until the input ends."""
    while True:
        console.print("> ", end="", style="bold")
        line = sys.stdin.readline()
        if not line:
            return
        yield line.rstrip("\r\n")


def warn_of(result: "Result") -> None:
    """Says on the standard error what should be looked at before a score is believed."""
    for text in result.warnings:
        say(f"warning: {text}", "yellow", errors)


def print_plain(content: str | bytes) -> None:
    """Prints what is for programs: UTF-8, whatever the terminal takes."""
    sys.stdout.flush()
    if isinstance(content, bytes):  # JSON, which has escapes of its own
        text = re.sub("[\x7f-\x9f]", lambda control: f"\\u{ord(control[0]):04x}", content.decode())
    else:
        text = visible(content)
    sys.stdout.buffer.write(text.encode())
    sys.stdout.buffer.flush()


def print_json(record: object) -> None:
    """Prints a record as indented JSON, for programs."""
    import orjson

    print_plain(orjson.dumps(record, option=orjson.OPT_INDENT_2) + b"\n")


def one_a_core() -> int:
    return os.cpu_count() or 1


def hide_progress_bars() -> None:
    """Of `datasets`, without importing it."""
    if "datasets" in sys.modules:
        sys.modules["datasets"].disable_progress_bars()
    else:
        os.environ["HF_DATASETS_DISABLE_PROGRESS_BARS"] = "1"


def read_human_games(mdc: str | None, target: Console = errors, mend: bool = False) -> "KeptGames":
    """Return the games of the human corpus (`mdc_games`), with a progress bar on `target` while they are read."""
    from bap_v2_dataset.human import game_store

    with Progress(
        TextColumn("{task.description}"), BarColumn(), FileSizeColumn(), TimeElapsedColumn(),
        console=target, transient=True,
    ) as progress:  # fmt: skip
        task = progress.add_task("reading games", total=None)
        return game_store.mdc_games(mdc, lambda size: progress.advance(task, size), mend)


def counting() -> Progress:
    return Progress(
        TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:,} of {task.total:,}"),
        TimeElapsedColumn(), TimeRemainingColumn(), console=errors, transient=True, disable=not errors.is_terminal,
    )  # fmt: skip
