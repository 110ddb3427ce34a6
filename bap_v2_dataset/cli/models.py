"""Commands of models: scripts of bap_v2_training, with the options that they have; adapters; and harnesses."""

import importlib
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import typer

from bap_v2_dataset.cli.options import output_of
from bap_v2_dataset.cli.terminal import app, errors, say
from bap_v2_dataset.harnesses import HARNESSES, harness_path
from bap_v2_metric.errors import UserError

PASSED_ON = {"allow_extra_args": True, "ignore_unknown_options": True}


@app.command(add_help_option=False, context_settings=PASSED_ON)
def train(
    context: typer.Context,
) -> None:
    """Fine-tune a language model: LoRA, QLoRA or all weights. On several GPUs: accelerate launch."""
    run_script("train", context.args)


@app.command(add_help_option=False, context_settings=PASSED_ON)
def predict(
    context: typer.Context,
) -> None:
    """Write what a model answers: one that was trained here, one of the Hub, or one behind an endpoint."""
    run_script("predict", context.args)


@app.command(add_help_option=False, context_settings=PASSED_ON)
def ensemble(
    context: typer.Context,
) -> None:
    """Put trained Builders together, with weights learned on validation items: one folder that answers better."""
    run_script("ensemble", context.args)


def run_script(name: str, args: Sequence[str], shown: str | None = None) -> None:
    """Run a script.

    Args:
        name: its command, as `bap_v2_training.commands` has it.
        shown: what errors call the command, if not by that name.
    """
    sys.argv = [f"bap-v2 {shown or name}", *args]
    # By name: it is in the layer below, which only commands of models need.
    importlib.import_module("bap_v2_training.commands").run_script(name)


@app.command()
def merge(
    run: str,
    output: Path | None = None,
    out: Path | None = None,
    dtype: str = "bfloat16",
) -> None:
    """Merge an adapter into its base model: a plain model folder, for vLLM, lm-eval and others."""
    output = output_of(output, out)
    if missing := [package for package in ("torch", "transformers", "peft") if find_spec(package) is None]:
        raise UserError(f'this needs {", ".join(missing)}: pip install "bap-v2[training]"')
    with errors.status("loading libraries") as status:
        importlib.import_module("bap_v2_training.before_libraries")
        merging = importlib.import_module("bap_v2_training.decoding.merging")
        merging.merge(run, output, dtype, report=status.update)
    say(f"{output}: {run} merged in {dtype}")


@app.command(words={"HARNESSES": tuple(HARNESSES)})
def harness(
    name: str,
) -> None:
    """Print where the tasks for an evaluation harness are: lm_eval --include_path "$(bap-v2 harness lm-eval)"."""
    print(harness_path(name))
