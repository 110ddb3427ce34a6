"""The form in which an error is shown: a sentence if the user can fix it, a traceback if it is a bug of ours.

The command `bap-v2` and the scripts of training/ follow this one rule.
"""

import errno
import os
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bap_v2_dataset.caches import datasets_cache, is_cached
from bap_v2_dataset.sentences import visible
from bap_v2_dataset.streams import readable_streams
from bap_v2_metric.errors import UserError

_REFUSED_CODE = re.compile(r"Weights only load failed.*?GLOBAL (\S+)", re.DOTALL)
_WRITERS = {"datasets", "evaluate", "fsspec", "huggingface_hub", "multiprocess", "pyarrow"}  # of the caches


class Stopped(SystemExit):
    """A script ends after Ctrl-C, and has said what is kept."""

    def __init__(self, code: int):
        super().__init__(code)
        # After an interrupt inside `exec(text)`, as when a library makes a named tuple, `python -m` would end by the
        # signal in spite of this exit, and is kept from it by any other `exec(text)`.
        exec("")


def sentence_of(error: BaseException) -> str | None:
    """Return what the user can fix; None if it is a bug of ours, or BAP_V2_TRACEBACK asks for tracebacks.

    >>> sentence_of(UserError("seed is -1: expected at least 0"))
    'seed is -1: expected at least 0'
    >>> sentence_of(ValueError("zip() argument 2 is shorter than argument 1")) is None
    True
    """
    if os.environ.get("BAP_V2_TRACEBACK"):
        return None

    # The file that was written, and whether it is one of a cache.
    causes = list(_causes(error))
    named = next(filter(None, (getattr(c, "filename2", None) or getattr(c, "filename", None) for c in causes)), None)
    where = f" (writing {named})" if named else ""
    is_file = isinstance(named, str | bytes | os.PathLike)
    cached = is_cached(os.fsdecode(named)) if is_file else any(map(_is_of_a_library, causes))
    codes = {cause.errno for cause in causes if isinstance(cause, OSError)}

    # Of an error in another process only the text arrives.
    if codes & {errno.ENOSPC, errno.EDQUOT} or any(os.strerror(errno.ENOSPC) in str(cause) for cause in causes):
        instead = ", or set HF_HOME to a folder on another disk" if cached else ""
        return f"the disk is full{where}: free some space{instead}"

    # Pickled weights of a stranger; torch names what they would run.
    if code := next(filter(None, (_REFUSED_CODE.search(str(cause)) for cause in causes)), None):
        return f"a file of weights would run {code[1]}, so it is not read: take weights as safetensors"

    # Not what was merely being handled: a bug in the handling of an error is a bug.
    shown = next((cause for cause in _causes(error, handled=False) if isinstance(cause, (UserError, OSError))), None)
    if shown is not None and codes & {errno.EROFS, errno.EACCES, errno.EPERM}:
        instead = " (or set HF_HOME to a writable folder)" if cached else ""
        if is_file and Path(os.fsdecode(named)).absolute().is_relative_to(datasets_cache().absolute()):
            instead = " (or set HF_DATASETS_CACHE to a writable folder; the rest of HF_HOME may be another user's)"
        return f"{_without_unfinished(str(shown))}: check its permissions{instead}"
    return None if shown is None else str(shown)


def follows_an_interrupt(error: BaseException) -> bool:
    """Return whether it failed only because of Ctrl-C: pools of processes answer that with errors of their own."""
    return any(isinstance(cause, KeyboardInterrupt) for cause in _causes(error))


@contextmanager
def sentences_for_the_user(script: str, after_ctrl_c: str) -> Iterator[None]:
    """End a script with a sentence in place of a traceback, unless the error is a bug of ours.

    Args:
        script: the name in front of the sentence.
        after_ctrl_c: what to say when the script is interrupted.
    Raises:
        SystemExit: with code 1 after an error that the user can fix, with code 130 after Ctrl-C.
    """
    try:
        with readable_streams():
            yield
    except (Exception, KeyboardInterrupt) as error:
        if follows_an_interrupt(error):
            print(f"\n{after_ctrl_c}")
            raise Stopped(130) from None
        sentence = sentence_of(error)
        if sentence is None:
            raise
        sys.exit(visible(f"{script}: {sentence}"))


def _is_of_a_library(error: BaseException) -> bool:
    """Return whether an error that names no file came from a library that writes caches, or another process."""
    frames = (frame for frame, _ in traceback.walk_tb(error.__traceback__))
    names = {frame.f_globals.get("__name__", "").partition(".")[0] for frame in frames}
    return not isinstance(error, OSError) or not _WRITERS.isdisjoint(names)


def _without_unfinished(text: str) -> str:
    """Return the text with the names of files in place of those that they have while they are written."""
    return re.sub(r"(?<![^/\\'\s])\.([^/\\']+)\.[0-9a-f]{12}\.unfinished", r"\1", text)


def _causes(error: BaseException | None, handled: bool = True) -> Iterator[BaseException]:
    """Yield the error, what it came from, and so on.

    Args:
        handled: also what was being handled when it was raised, not only what it was raised from, as `datasets` wraps
            ours.
    """
    while error is not None:
        yield error
        error = error.__cause__ or (error.__context__ if handled and not error.__suppress_context__ else None)
