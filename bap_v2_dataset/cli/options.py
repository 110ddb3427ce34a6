"""Options that commands share."""

from typing import Annotated

import typer

Subset = Annotated[bool, typer.Option("--subset", help="Score only the items that have predictions.")]
Partial = Annotated[bool, typer.Option("--partial", help="Score items without a prediction as empty.")]
Resamples = Annotated[int, typer.Option(help="Bootstrap resamples of the items; 0 for none.", min=0)]
Confidence = Annotated[float, typer.Option(help="The share inside the intervals.", min=0.01, max=0.999)]
ResamplingSeed = Annotated[int, typer.Option(help="Of the resampling.")]
