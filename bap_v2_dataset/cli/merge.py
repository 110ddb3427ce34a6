"""`bap-v2 merge`."""

import importlib
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from bap_v2_dataset.cli.options import Output, output_of
from bap_v2_dataset.cli.terminal import app, errors, say
from bap_v2_metric.errors import UserError


@app.command()
def merge(
    run: Annotated[str, typer.Argument(help="The folder of an adapter, or its name on the Hub: USER/NAME[@REVISION].")],
    output: Output = None,
    out: Annotated[Path | None, typer.Option(help="The folder to write; it must not exist.", metavar="FOLDER")] = None,
    dtype: Annotated[str, typer.Option(help="Of the weights: bfloat16, float16 or float32.")] = "bfloat16",
) -> None:
    """Merge an adapter into its base model: a plain model folder, for vLLM, lm-eval and others."""
    output = output_of(output, out)
    if missing := [package for package in ("torch", "transformers", "peft") if find_spec(package) is None]:
        raise UserError(f'this needs {", ".join(missing)}: pip install "bap-v2[training]"')
    with errors.status("loading libraries") as status:
        importlib.import_module("bap_v2_training.harmless_warnings")
        # By name: it is in the layer below, which only this command needs.
        merging = importlib.import_module("bap_v2_training.decoding.merging")
        merging.merge(run, output, dtype, report=status.update)
    say(f"{output}: {run} merged in {dtype}")
