"""What runs the command: versions, Ctrl-C, and errors as sentences."""

import os
import signal
import sys
from typing import Annotated

import typer
from rich.markup import escape

from bap_v2_dataset.cli.terminal import app, console, errors
from bap_v2_dataset.failures import follows_an_interrupt, sentence_of


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
        if follows_an_interrupt(error):
            _print_stopped()
            sys.exit(130)
        sentence = sentence_of(error)
        if sentence is None:
            raise
        errors.print(f"[red]error:[/red] {escape(sentence)}", soft_wrap=True, highlight=False)
        sys.exit(1)


def _print_stopped() -> None:
    if sys.argv[1:2] in (["generate"], ["mix"], ["annotate"]) or "auto" in sys.argv:
        errors.print("stopped; run the same command to resume where it stopped")
    elif sys.argv[1:2] in (["push"], ["push-model"]):
        errors.print("stopped; each repository is either unchanged or complete, and the same command sends the rest")
    else:
        errors.print("stopped; nothing unfinished was kept, and the same command starts over")
