"""`bap-v2 score`."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import typer

from bap_v2_dataset.cli.options import BASELINES, with_score_options
from bap_v2_dataset.cli.terminal import app, hide_progress_bars
from bap_v2_dataset.interface.table import TASKS
from bap_v2_metric.scoring import SEED

FORMATS = ("terminal", "markdown", "latex", "csv", "json")


@app.command(words={"FORMATS": FORMATS})
@with_score_options
def score(
    context: typer.Context,
    predictions: list[str] | None = None,
    beside: list[str] | None = None,
    baseline: list[str] | None = None,
    data: str | None = None,
    config: str | None = None,
    split: str | None = None,
    labels: str | None = None,
    id_field: str | None = None,
    prediction_field: str | None = None,
    subset: bool = False,
    partial: bool = False,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    unit: str | None = None,
    format: str = "terminal",
    brief: bool = False,
    json: bool = False,
    out: Path | None = None,
    per_item: Path | None = None,
    fail_under: float | None = None,
    list_systems: bool = False,
    pack: str | None = None,
    options: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Print the score table of the paper for prediction files and baselines, in percent.

    Files for several test sets, or the folder of a run, get the tables of bap-v2 report.
    """
    from bap_v2_dataset.cli import score_modes
    from bap_v2_dataset.cli.score_modes import typed
    from bap_v2_dataset.evaluation import systems
    from bap_v2_dataset.evaluation.results import Resampling
    from bap_v2_dataset.evaluation.score_formats import check_item_output, check_output
    from bap_v2_dataset.evaluation.system_names import named_file
    from bap_v2_dataset.predictions.entries import Fields, PredictionError

    if list_systems:
        score_modes.show_systems("json" if json else format)
        return
    # What cannot be is refused before anything is read.
    if not predictions and not baseline and not beside:
        raise PredictionError(f"nothing to score: pass a prediction file, or --baseline with one of {BASELINES}")
    if subset and not predictions:
        raise PredictionError("--subset scores the items of a prediction file, but none was passed")
    if format not in FORMATS:
        raise PredictionError(f"--format {format}: expected one of {', '.join(FORMATS)}")
    forms = [*(["--json"] * json), *(["--brief"] * brief), *([f"--format {format}"] * (format != "terminal"))]
    if len(forms) > 1:
        raise PredictionError(f"{forms[0]} and {forms[1]} are mutually exclusive: pass one")
    for option in (option for task in TASKS.values() for option in task.score_options):
        if option.choices and (value := options.get(option.name)) not in (None, *option.choices):
            raise PredictionError(f"{option.typed} {value}: expected one of {', '.join(option.choices)}")
    if out and per_item and out.absolute() == per_item.absolute():
        raise PredictionError(f"--out and --per-item name the same file, {out}: name two")
    if fail_under is not None and not 0 <= fail_under <= 100:
        raise PredictionError(f"--fail-under {fail_under:g}: expected a percentage, 0 to 100")
    form = "json" if json else "brief" if brief else format
    given = {name for name in context.params if context.get_parameter_source(name).name == "COMMANDLINE"}

    # Full games have measures of their own.
    predictions, names = systems.apart(predictions or (), beside or ())
    given |= {"beside"} if names else set()  # also as arguments
    predictions = score_modes.with_games(predictions)
    further = [argument for value in options.values() if isinstance(value, list) for argument in value]
    paths = [named_file(argument)[1] for argument in (*predictions, *further)]
    if out:
        check_output(out, paths)
    if score_modes.all_games(paths):
        if refused := sorted(given - _OF_GAMES):
            raise PredictionError(
                f"{typed(refused[0])} is for predictions, and {paths[0]} holds full games: leave it out"
            )
        score_modes.score_games(predictions, Resampling(resamples, confidence, seed), form, out)
        return

    # Predictions are scored on one human test set for each of the labels, or on the test sets that they answer.
    if per_item:
        check_item_output(per_item, paths)
    hide_progress_bars()
    request = score_modes.ScoreRequest(
        list(dict.fromkeys(baseline or ())), Fields(id_field, prediction_field),
        Resampling(resamples, confidence, seed, unit), form, "".join(forms), options, out, per_item, fail_under, subset,
        partial, names, pack,
    )  # fmt: skip
    if labels is None:
        score_modes.score_predictions(predictions, config, split, data, request)
        return
    if refused := sorted(given - _OF_LABELS):
        raise PredictionError(f"--labels and {typed(refused[0])} are mutually exclusive: labels choose the test set")
    score_modes.score_on_labels(predictions, labels.split(","), request)


# What may be passed with full games, and with --labels.
_OF_GAMES = {"predictions", "resamples", "seed", "confidence", "format", "json", "out"}
_OF_LABELS = _OF_GAMES | {"baseline", "labels", "partial", "id_field", "prediction_field", "unit"}
