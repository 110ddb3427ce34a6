"""Ctrl-C while a program still imports its libraries, and when it ends. This module itself imports next to nothing."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ends_at_once_on_ctrl_c(sentence: str) -> Iterator[None]:
    """Makes Ctrl-C in the block print a sentence and end the process with code 130; not where it is ignored (`nohup`).

    For imports: there is nothing to tidy yet, and libraries turn an interrupt of their import into errors of their own.
    What the block itself sets up for Ctrl-C takes its place, and stays.
    """
    own = os.getpid()

    def stop(number: int, frame: object) -> None:
        if os.getpid() == own:
            os.write(2, f"\n{sentence}\n".encode())
        os._exit(130)

    earlier = signal.getsignal(signal.SIGINT)
    if earlier is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGINT) is stop:
            signal.signal(signal.SIGINT, earlier)


def forget_interrupt() -> None:
    """Lets `python -m` end with the exit code of the program after a Ctrl-C that was handled.

    CPython notes when a KeyboardInterrupt leaves code that was compiled from text, as the methods of dataclasses are.
    Whoever handles it, `python -m` then kills itself by SIGINT at the end. It drops the note when such code runs again.
    """
    exec("")
