"""`bap-v2 harness`."""

from typing import Annotated

import typer

from bap_v2_dataset.cli.options import among
from bap_v2_dataset.cli.terminal import app
from bap_v2_dataset.harnesses import HARNESSES, harness_path


@app.command()
def harness(
    name: Annotated[str, typer.Argument(help="lm-eval, lighteval or inspect.", autocompletion=among(tuple(HARNESSES)))],
) -> None:
    """Print where the tasks for an evaluation harness are: lm_eval --include_path "$(bap-v2 harness lm-eval)"."""
    print(harness_path(name))
