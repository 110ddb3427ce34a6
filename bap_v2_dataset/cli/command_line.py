"""What runs a command: help, versions, and errors as sentences."""

import sys
from typing import Annotated

import typer
from rich.markup import escape

from bap_v2_dataset.cli import (  # noqa: F401 (each adds its commands)
    convert,
    explore,
    generate,
    info,
    labels,
    mix,
    models,
    perturb,
    play,
    push,
    report,
    score,
    set_up,
    show,
    stats,
    talk,
)
from bap_v2_dataset.cli.terminal import app, console, errors
from bap_v2_dataset.failures import Stopped, follows_an_interrupt, sentence_of


def _show_versions(requested: bool) -> None:
    if not requested:
        return
    from bap_v2_dataset.items.versions import DATA_VERSION, PROMPT_VERSION
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
    """Run the command. What the user can fix is printed as a sentence; a bug of ours shows its traceback.

    Raises:
        KeyboardInterrupt: after Ctrl-C, whatever the libraries made of it.
    """
    try:
        app()
    except Stopped:
        raise
    except SystemExit as end:
        if end.code == 130:  # what typer makes of Ctrl-C
            raise KeyboardInterrupt from None
        raise
    except Exception as error:
        # Not what libraries make of Ctrl-C, and not a bug of ours.
        if follows_an_interrupt(error):
            raise KeyboardInterrupt from None
        sentence = sentence_of(error)
        if sentence is None:
            raise
        # What the user can fix.
        errors.print(f"[red]error:[/red] {escape(sentence)}", soft_wrap=True, highlight=False)
        sys.exit(1)
