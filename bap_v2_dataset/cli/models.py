"""`bap-v2 train`, `predict` and `ensemble`: scripts of the package bap_v2_training, with the options that they have."""

import importlib
import sys
from collections.abc import Sequence

import typer

from bap_v2_dataset.cli.terminal import app

_PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}


@app.command(add_help_option=False, context_settings=_PASSED_ON)
def train(context: typer.Context) -> None:
    """Fine-tune a language model: LoRA, QLoRA or all weights. On several GPUs: accelerate launch."""
    run_script("train", context.args)


@app.command(add_help_option=False, context_settings=_PASSED_ON)
def predict(context: typer.Context) -> None:
    """Write what a model answers: one that was trained here, one of the Hub, or one behind an endpoint."""
    run_script("predict", context.args)


@app.command(add_help_option=False, context_settings=_PASSED_ON)
def ensemble(context: typer.Context) -> None:
    """Put trained Builders together, with weights learned on validation items: one folder that answers better."""
    run_script("ensemble", context.args)


def run_script(name: str, args: Sequence[str], shown: str | None = None) -> None:
    """Runs a script.

    Args:
        name: its function in `bap_v2_training.commands`.
        shown: what errors call the command, if not by that name.
    """
    sys.argv = [f"bap-v2 {shown or name}", *args]
    # By name: it is in the layer below, which only these commands need.
    getattr(importlib.import_module("bap_v2_training.commands"), name)()
