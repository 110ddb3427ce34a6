"""Single keys of a terminal, or lines of other input."""

import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from rich.console import Console
from rich.text import Text

_TOO_SOON = 0.4  # seconds in which nobody can have read the question
_ESCAPE_SEQUENCE = re.compile(r"\x1b(?:[\[O][0-?]*[ -/]*[@-~])?")  # as arrow keys send them


@contextmanager
def keys(console: Console) -> Iterator[Callable[[], str]]:
    """Yield a function that returns the next key of the terminal, or the next line of other input; "" for Enter.

    It raises EOFError at the end of the input. In a terminal, a key that comes before a person can have read the
    question is not taken: of "u" and Enter, the Enter would accept the next one unseen.
    """
    if not sys.stdin.isatty():
        yield _line
        return
    import termios
    import tty

    fd = sys.stdin.fileno()
    modes = termios.tcgetattr(fd)
    tty.setcbreak(fd)
    try:
        yield partial(_key_of_terminal, fd, console)
    finally:
        termios.tcsetattr(fd, termios.TCSAFLUSH, modes)  # what was typed after the last key is not for the shell


def _line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.strip()


def _key_of_terminal(fd: int, console: Console) -> str:
    import termios
    import tty
    from select import select

    # What is typed before the question can have been read is not an answer to it.
    tty.setcbreak(fd, termios.TCSANOW)  # keeps what was typed; again, for a shell resets it after Ctrl-Z
    early, end = b"", time.monotonic() + _TOO_SOON
    while select([fd], [], [], max(0.0, end - time.monotonic()))[0]:
        early += _read(fd, 1024)
    typed = "".join(filter(str.isprintable, _ESCAPE_SEQUENCE.sub("", early.decode(errors="replace")))).strip()
    if typed:  # nothing is printed for Enter: some press it after every letter
        console.print(Text(f"{typed[:20]!r} came before this could be read and is not taken: press it again", "yellow"))
        console.print("> ", end="")
    # A key may be several bytes.
    key = _read(fd, 1)
    if key == b"\x04":  # Ctrl-D
        raise EOFError
    if (key == b"\x1b" or key >= b"\x80") and select([fd], [], [], 0.05)[0]:
        key += _read(fd, 32)  # the rest of a sequence or of a letter
    return "" if key in (b"\r", b"\n") else key.decode(errors="replace")


def _read(fd: int, size: int) -> bytes:
    if not (data := os.read(fd, size)):
        raise EOFError
    return data
