"""Ctrl-C that is not lost.

Python drops a KeyboardInterrupt that is raised in a callback (of a weak reference, of a library's C code), and some
libraries catch it while they import others. So it comes again until somebody handles it.
"""

import atexit
import os
import signal
import sys
from types import FrameType

from bap_v2_dataset.failures import follows_an_interrupt
from bap_v2_simulators.interrupts import forget_interrupt

AGAIN = 1.0  # seconds


def are_ignored() -> bool:
    """Whether Ctrl-C is to be left alone: a shell says so to commands in the background."""
    return signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def raise_until_handled() -> None:
    """Makes Ctrl-C raise KeyboardInterrupt in this process, and again after a second if nobody handles it.

    It is handled while an `except` or `finally` block, or the end of a `with` block, runs because of it: files are
    tidied up in peace. Forked workers inherit this and do nothing: their parent stops them.
    """
    own = os.getpid()

    def interrupt(number: int, frame: FrameType | None) -> None:
        if os.getpid() != own or (number != signal.SIGINT and _is_handled()):
            return
        sys.unraisablehook = lambda unraisable: None  # what half-written files say when they are dropped
        if hasattr(signal, "setitimer"):  # not on Windows
            signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
        raise KeyboardInterrupt

    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGALRM, interrupt)
    signal.signal(signal.SIGINT, interrupt)
    # Python gives a signal its default back before it tears down its modules, and that would kill it.
    atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)


def ignore() -> None:
    """Makes Ctrl-C do nothing: a last sentence is printed whole."""
    _do_not_repeat()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def end_at_once() -> None:
    """Makes Ctrl-C end the process with code 130: all is said, what is left is tidying."""
    _do_not_repeat()
    signal.signal(signal.SIGINT, lambda number, frame: os._exit(130))
    forget_interrupt()


def _do_not_repeat() -> None:
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, 0.0)


def _is_handled() -> bool:
    error = sys.exception()
    return error is not None and follows_an_interrupt(error)
