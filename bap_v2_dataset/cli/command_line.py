"""What runs a command: help, versions, Ctrl-C, and errors as sentences."""

import sys
from typing import Annotated

import typer
from rich.markup import escape

from bap_v2_dataset.cli import (  # noqa: F401 (each adds its commands)
    convert,
    explore,
    generate,
    harness,
    info,
    labels,
    leaderboard,
    look,
    merge,
    mix,
    perturb,
    play,
    push,
    push_model,
    report,
    score,
    set_up,
    show,
)
from bap_v2_dataset.cli.interrupts import are_ignored, end_at_once, ignore, raise_until_handled
from bap_v2_dataset.cli.terminal import app, console, errors
from bap_v2_dataset.failures import follows_an_interrupt, sentence_of

# What Ctrl-C leaves behind, by command; the others write nothing until the end.
_RESUMES = "stopped; run the same command to resume where it stopped"
_EACH_REPOSITORY = "stopped; each repository is either unchanged or complete, and the same command sends the rest"
_AFTER_CTRL_C = {
    "setup": "stopped; what is set up is whole, and the same command sets up the rest",
    "generate": _RESUMES,
    "mix": _RESUMES,
    "perturb": _RESUMES,
    "play": "stopped; with --output the same command resumes where it stopped",
    "annotate": _RESUMES,
    "push": _EACH_REPOSITORY,
    "push-model": _EACH_REPOSITORY,
    "push-leaderboard": _EACH_REPOSITORY,
    "submit": "stopped; the same command starts over",
    "merge": "stopped; nothing was written",
    "score": "stopped; nothing was written",
    "report": "stopped; nothing was written",
    "convert": "stopped; nothing was written",
}


def _show_versions(requested: bool) -> None:
    if not requested:
        return
    from bap_v2_dataset.tasks.building.prompts import PROMPT_VERSION
    from bap_v2_dataset.tasks.building.rows import DATA_VERSION
    from bap_v2_metric.scoring import METRIC_VERSION
    from bap_v2_simulators.corpora import SIMULATORS

    simulators = ", ".join(f"{name} {simulator.version}" for name, simulator in SIMULATORS.items())
    versions = f"data {DATA_VERSION}, prompts {PROMPT_VERSION}, metric {METRIC_VERSION}, simulators {simulators}"
    console.print(f"bap-v2 {info.version_of('bap-v2')}: {versions}", highlight=False, soft_wrap=True)
    raise typer.Exit


@app.callback(invoke_without_command=True)
def _common(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_versions, is_eager=True, help="Show the versions and exit.")
    ] = False,
) -> None:
    """Builder Action Prediction v2: data, metric and scores."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def run() -> None:
    """Runs the command. What the user can fix is printed as a sentence; a bug of ours shows its traceback."""
    in_background = are_ignored()
    try:
        if not in_background:
            raise_until_handled()
        _run_command()
    except BaseException as error:
        if not _is_stopped(error):
            raise
        _print_stopped()
        sys.exit(130)
    finally:
        if not in_background:
            end_at_once()


def _run_command() -> None:
    try:
        app()
    except Exception as error:
        sentence = None if follows_an_interrupt(error) else sentence_of(error)
        if sentence is None:
            raise
        errors.print(f"[red]error:[/red] {escape(sentence)}", soft_wrap=True, highlight=False)
        sys.exit(1)


def _is_stopped(error: BaseException) -> bool:
    """Whether a command ended because of Ctrl-C: typer's answer to that is code 130."""
    return error.code == 130 if isinstance(error, SystemExit) else follows_an_interrupt(error)


def _print_stopped() -> None:
    ignore()
    command = next(iter(sys.argv[1:]), "")
    errors.print(_RESUMES if "auto" in sys.argv else _AFTER_CTRL_C.get(command, "stopped"))
