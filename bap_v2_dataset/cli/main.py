"""What runs the command: versions, Ctrl-C, and errors as sentences."""

import errno
import os
import signal
import sys
from collections.abc import Iterator
from typing import Annotated

import typer
from rich.markup import escape

from bap_v2_dataset.cli.terminal import app, console, errors
from bap_v2_metric.errors import UserError


def _show_versions(requested: bool) -> None:
    if not requested:
        return
    from bap_v2_dataset.prompts import PROMPT_VERSION
    from bap_v2_dataset.rows import DATA_VERSION
    from bap_v2_metric.scoring import METRIC_VERSION
    from bap_v2_simulators.corpora import SIMULATORS

    simulators = ", ".join(f"{name} {simulator.version}" for name, simulator in SIMULATORS.items())
    versions = f"data {DATA_VERSION}, prompts {PROMPT_VERSION}, metric {METRIC_VERSION}, simulators {simulators}"
    console.print(versions, highlight=False, soft_wrap=True)
    raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_versions, is_eager=True, help="Show the versions and exit.")
    ] = False,
) -> None:
    """Builder Action Prediction v2: data, metric and scores."""


def main() -> None:
    """Runs the command. What the user can fix is printed as a sentence; a bug of ours shows its traceback."""
    own = os.getpid()

    def interrupted(number: int, frame: object) -> None:
        if os.getpid() == own:  # forked workers inherit this; the parent stops them
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupted)
    try:
        app()
    except SystemExit as stop:
        if stop.code == 130:  # typer's answer to Ctrl-C
            _print_stopped()
        raise
    except Exception as error:
        if _follows_an_interrupt(error):
            _print_stopped()
            sys.exit(130)
        sentence = None if os.environ.get("BAP_V2_TRACEBACK") else _sentence(error)
        if sentence is None:
            raise
        errors.print(f"[red]error:[/red] {escape(sentence)}", soft_wrap=True, highlight=False)
        sys.exit(1)


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, what it came from, and so on: also what was being handled when it was raised."""
    while error is not None:
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _explicit_causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what it was raised from: `datasets` wraps ours so."""
    while error is not None:
        yield error
        error = error.__cause__


def _follows_an_interrupt(error: BaseException) -> bool:
    """Whether it failed only because of Ctrl-C: pools of processes answer that with errors of their own."""
    return any(isinstance(cause, KeyboardInterrupt) for cause in _causes(error))


def _sentence(error: Exception) -> str | None:
    """What the user can fix; None if it is a bug of ours."""
    causes = list(_causes(error))
    named = next(filter(None, (getattr(c, "filename2", None) or getattr(c, "filename", None) for c in causes)), None)
    where = f" (writing {named})" if named else ""
    codes = {cause.errno for cause in causes if isinstance(cause, OSError)}
    # Of an error in another process only the text arrives.
    if codes & {errno.ENOSPC, errno.EDQUOT} or any(os.strerror(errno.ENOSPC) in str(cause) for cause in causes):
        return f"the disk is full{where}: free some space, or set HF_HOME to a folder on another disk"
    # Not what was merely being handled: a bug in the handling of an error is a bug.
    shown = next((cause for cause in _explicit_causes(error) if isinstance(cause, (UserError, OSError))), None)
    if shown is not None and codes & {errno.EROFS, errno.EACCES, errno.EPERM}:
        return f"{shown}: it cannot be written or read; fix its permissions, or set HF_HOME to a folder of yours"
    return None if shown is None else str(shown)


def _print_stopped() -> None:
    if sys.argv[1:2] in (["generate"], ["mix"], ["annotate"]) or "auto" in sys.argv:
        errors.print("stopped; run the same command to resume where it stopped")
    elif sys.argv[1:2] in (["push"], ["push-model"]):
        errors.print("stopped; each repository is either unchanged or complete, and the same command sends the rest")
    else:
        errors.print("stopped; nothing unfinished was kept, and the same command starts over")
