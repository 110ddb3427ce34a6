"""The standard streams where they are no terminal of today: letters that an encoding lacks, and bars in a log."""

import codecs
import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

_SECONDS = 30.0  # between two lines of a bar
_UNFINISHED = re.compile(r"(?<!100)%\|")  # a bar of tqdm, so far
_ASCII = {
    **dict.fromkeys("─━═╌–—−‐‑", "-"), **dict.fromkeys("│┃║", "|"), **dict.fromkeys("·•", "."),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛┡┩┢┪╇╈╋┠┨┯┷", "+"), "▲": "^", "▶": ">", "◀": "<", "±": "~", "×": "x",
    "°": "", "…": ".", "→": "->", "←": "<-", "█": "#", "✓": "v", "○": "o", "✗": "x", "’": "'", "“": '"', "”": '"',
    "ᵗ": "t", "⁻": "-", "ₕ": "h", "¹": "1", "²": "2",
}  # fmt: skip


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_ASCII.get(character, "?") for character in error.object[error.start : error.end]), error.end


codecs.register_error("bap_v2_ascii", _in_ascii)


class BarsAsLines:
    """A stream for a log: of a line that is written over and over, the newest each 30 s, and the last.

    Of a bar below another one (tqdm goes down a line for it, and up again) only states that are 30 s old are written.

    Args:
        stream: what is written to.
    """

    def __init__(self, stream: TextIO, seconds: float = _SECONDS):
        self._stream, self._seconds = stream, seconds
        self._bar: str | None = None  # what a terminal would show now
        self._ended: str | None = None  # the bar above: it has ended, or a bar below it is drawn
        self._written, self._at = "", 0.0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        # A bar ends with its line, begins at a return of the carriage, and other text may stand in its place.
        for part in filter(None, re.split(r"(\r?\n|\r|\x1b\[A)", text)):
            if part == "\x1b[A":  # back from a bar below
                self._write_if_due(self._bar)
                self._bar, self._ended = self._ended or self._bar, None
            elif part == "\r":
                if self._bar:
                    self._write_ended()
                if self._bar is None and self._ended is None:
                    self._at = time.monotonic()
                self._bar = ""
            elif part.endswith("\n") and self._bar is not None:
                self._write_ended()
                if not _UNFINISHED.search(self._bar):
                    self._write(self._bar)
                self._bar, self._ended = None, self._bar
            elif part.endswith("\n") or self._bar is None or self._bar:  # other text, perhaps in the place of a bar
                self._write_ended()
                self._bar = None
                self._stream.write(part)
            else:
                self._bar = part
        # The bar is written when it is due.
        self._write_if_due(self._bar)
        return len(text)

    def end_bar(self) -> None:
        """Writes the last states of bars that are left open."""
        self._write_ended()
        self._write(self._bar)
        self._bar, self._written = None, ""

    def _write_ended(self) -> None:
        if self._ended is not None:
            self._write(self._ended)
            self._ended = None

    def _write_if_due(self, bar: str | None) -> None:
        if bar and time.monotonic() - self._at >= self._seconds:
            self._write(bar)

    def _write(self, bar: str | None) -> None:
        line = (bar or "").rstrip()
        if line and line != self._written:
            self._stream.write(f"{line}\n")
            self._stream.flush()
        self._written, self._at = line, time.monotonic()


@contextmanager
def readable_streams() -> Iterator[None]:
    """Meanwhile, nothing that is printed fails for its letters, and bars in a log are lines."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure") and stream.errors in ("strict", "backslashreplace", "surrogateescape"):
            stream.reconfigure(errors="bap_v2_ascii")
    before = sys.stderr
    if not hasattr(before, "isatty") or before.isatty() or isinstance(before, BarsAsLines):
        yield
        return
    sys.stderr = bars = BarsAsLines(before)  # type: ignore[assignment]
    try:
        yield
    finally:
        bars.end_bar()
        sys.stderr = before
