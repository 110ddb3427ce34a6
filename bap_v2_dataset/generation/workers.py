"""Worker processes that end when their parent does, however it does: they would wait for ever."""

import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, resource_tracker
from typing import Any, TypeVar

from bap_v2_metric.errors import UserError

T = TypeVar("T")


class GenerationError(UserError):
    """A request that cannot be carried out, or work that was cut short; the message says what to change."""


def pool_map(
    work: Callable[[T], Any], jobs: Iterable[T], num_proc: int, prepare: "Callable[[], None] | None" = None
) -> Iterator[Any]:
    """Yield the results of the jobs, in order, from several processes; few jobs are taken from the iterator in advance.

    The processes end at once if the caller stops or is interrupted, and also if it is killed.

    Args:
        prepare: called in each process before its first job; a function of a module.
    Raises:
        GenerationError: if a process was killed.
    """
    others = set(active_children())
    with ProcessPoolExecutor(num_proc, get_context("spawn"), _start_worker, (os.getpid(), prepare)) as pool:
        waiting: deque[Future] = deque()
        try:
            # Hand out jobs; a few wait in the pool, so that no process does.
            for job in jobs:
                with _ctrl_c_blocked():
                    waiting.append(pool.submit(work, job))  # starts a process, if one is missing
                if len(waiting) > 2 * num_proc:
                    yield waiting.popleft().result()
            # Collect the rest.
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise GenerationError(
                "a process was killed, perhaps because memory ran out: the same command resumes where it stopped; "
                "fewer processes (--num-proc) need less"
            ) from None
        except BaseException:
            for process in set(active_children()) - others:
                process.terminate()
            raise


@contextmanager
def _ctrl_c_blocked() -> Iterator[None]:
    """Keep Ctrl-C from the processes that are started in the block, from their first moment on; it is the parent's."""
    if not hasattr(signal, "pthread_sigmask"):  # on Windows
        yield
        return
    # Block it for new processes.
    resource_tracker.ensure_running()  # would unblock it
    earlier = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # of this thread; a new process inherits it
    # Another thread, that of a progress bar, may get it, and this one would be interrupted with half a process started.
    pressed: list[int] = []
    handler = signal.getsignal(signal.SIGINT)
    deferred = callable(handler) and threading.current_thread() is threading.main_thread()
    if deferred:
        signal.signal(signal.SIGINT, lambda number, _: pressed.append(number))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, earlier)
        if deferred:
            signal.signal(signal.SIGINT, handler)
            if pressed:
                signal.raise_signal(signal.SIGINT)


def _start_worker(parent: int, prepare: "Callable[[], None] | None") -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's
    _end_with(parent)
    if prepare is not None:
        prepare()


@contextmanager
def forks_end_with_this_process() -> Iterator[None]:
    """Make processes that are forked in the block end when their parent does: `datasets` forks its own workers."""
    parent, active = os.getpid(), True

    def in_child() -> None:
        nonlocal parent
        if active:
            _end_with(parent)
            parent = os.getpid()  # of the forks of this fork
            # Ctrl-C is the parent's to answer. A worker that ended now might hold the lock of the queue of tasks,
            # and the parent would wait for it in vain.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            sys.unraisablehook = lambda unraisable: None

    if hasattr(os, "register_at_fork"):  # not on Windows, where nothing is forked
        os.register_at_fork(after_in_child=in_child)  # for ever, hence `active`
    try:
        yield
    finally:
        active = False


def _end_with(parent: int) -> None:
    """End this process soon after its parent has ended."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.2)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
