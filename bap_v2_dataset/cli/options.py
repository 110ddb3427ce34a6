"""Options that commands share."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from bap_v2_dataset.tasks.building.task import CONFIGS
from bap_v2_dataset.tasks.table import TASKS

# Of games, as in `bap_v2_simulators.corpora`, whose import takes time.
SIMULATORS = tuple(name for name, config in CONFIGS.items() if "seed" in config.arguments)
UNITS = ("item", *dict.fromkeys(unit for task in TASKS.values() for unit in task.units))


def among(values: Sequence[str]) -> Callable[[str], list[str]]:
    """What the shell completes a value to that is one of these."""
    return lambda incomplete: [value for value in values if value.startswith(incomplete)]


def _baselines() -> str:
    """Those of each task that has others than the first."""
    first, *others = dict.fromkeys(task.baselines for task in TASKS.values())
    titles = {task.baselines: task.title for task in reversed(TASKS.values())}
    return "; for ".join([", ".join(first), *(f"{titles[names]} {', '.join(names)}" for names in others if names)])


BASELINES = _baselines()

Mdc = Annotated[Path | None, typer.Option(help="The human corpus. Default: $BAP_V2_MDC, else the one that was set up.")]
MdcToSetUp = Annotated[
    str | None,
    typer.Option(
        help="The human corpus (the Minecraft Dialogue Corpus): a directory, an archive, or [bold]auto[/bold] to "
        "download it. Default: $BAP_V2_MDC."
    ),
]
Data = Annotated[
    str | None,
    typer.Option(
        metavar="DATA",
        help="Items of your own: a .jsonl, .json or .parquet file, a folder, or USER/NAME on the Hub.",
    ),
]
Baselines = Annotated[list[str] | None, typer.Option(help=f"Add a baseline (repeatable): {BASELINES}.")]
IdField = Annotated[
    str | None, typer.Option(help="The field of the id in prediction files. Default: id. May be nested: doc.id.")
]
PredictionField = Annotated[
    str | None, typer.Option(help="The field of the text in prediction files. Default: prediction.")
]
Subset = Annotated[bool, typer.Option("--subset", help="Score only the items that have predictions.")]
Partial = Annotated[bool, typer.Option("--partial", help="Score items without a prediction as empty.")]
Resamples = Annotated[int, typer.Option(help="Bootstrap resamples for the intervals and tests; 0 for none.", min=0)]
Confidence = Annotated[float, typer.Option(help="Confidence level of the intervals.", min=0.01, max=0.999)]
ResamplingSeed = Annotated[int, typer.Option(help="Seed for the resampling.")]
Unit = Annotated[
    str,
    typer.Option(
        help="What resamples draw: item, or target, with all items about it, where items of a target are not "
        "independent.",
        autocompletion=among(UNITS),
    ),
]
