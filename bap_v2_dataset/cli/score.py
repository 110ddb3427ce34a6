"""`bap-v2 score`."""

from pathlib import Path
from typing import Annotated

import typer

from bap_v2_dataset.cli.options import (
    BASELINES,
    Baselines,
    Confidence,
    Data,
    Partial,
    Resamples,
    ResamplingSeed,
    Subset,
)
from bap_v2_dataset.cli.terminal import app, console, errors, hide_progress_bars
from bap_v2_metric.scoring import SEED


@app.command(rich_help_panel="Scores")
def score(
    predictions: Annotated[
        list[str] | None,
        typer.Argument(
            help='JSON lines with "id" and "prediction". Several files are compared with the first. '
            "NAME=FILE names the system.",
            show_default=False,
        ),
    ] = None,
    baseline: Baselines = None,
    data: Data = None,
    config: Annotated[
        str | None,
        typer.Option(help="The config. Default: what the predictions were made for, else mdc_v2, or mdc without it."),
    ] = None,
    split: Annotated[
        str | None, typer.Option(help="train, validation or test. Default: what the predictions were made for.")
    ] = None,
    subset: Subset = False,
    partial: Partial = False,
    resamples: Resamples = 1000,
    confidence: Confidence = 0.95,
    seed: ResamplingSeed = SEED,
    json: Annotated[Path | None, typer.Option(help="Also write the scores to this file.")] = None,
) -> None:
    """Print the score table of the paper for prediction files and baselines."""
    from bap_v2_dataset.evaluation.prediction_files import PredictionError, check_output
    from bap_v2_dataset.evaluation.score_tables import print_report, titled, to_json
    from bap_v2_dataset.evaluation.scoring import Resampling, scored_split
    from bap_v2_dataset.evaluation.systems_of_files import named_file, read_files_for
    from bap_v2_dataset.loading.own_data import read_data
    from bap_v2_dataset.sentences import counted
    from bap_v2_dataset.tasks import part
    from bap_v2_simulators.whole_files import write_whole

    if not predictions and not baseline:
        raise PredictionError(f"nothing to score: pass a prediction file, or --baseline with one of {BASELINES}")
    if subset and not predictions:
        raise PredictionError("--subset scores the items of a prediction file, but none was passed")
    if json:
        check_output(json, [named_file(argument)[1] for argument in predictions or ()])
    hide_progress_bars()
    own = read_data(data) if data else None
    config, split, files = read_files_for(predictions or (), config, split, own)
    own = own or next((file.data for file in files), None)
    resampling = Resampling(resamples, confidence, seed)
    test, results, notes = scored_split(
        config, split, files, list(dict.fromkeys(baseline or ())), subset=subset, partial=partial,
        resampling=resampling, hint="pass --split with one of", data=own,
    )  # fmt: skip
    for note in notes:
        errors.print(note, style="yellow", highlight=False, soft_wrap=True)
    title = f"{config}, {split}: {', '.join(titled(result) for result in results)}"
    if test.is_subset:
        title += f" (a subset: {len(test.rows):,} of {counted(test.split_items, 'item')})"
    print_report(part(test.task.score_table)(results, title, test.labels, resampling), console)
    if json:
        write_whole(json, to_json(results, **test.settings, **resampling.settings))
