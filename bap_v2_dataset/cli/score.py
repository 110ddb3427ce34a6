"""`bap-v2 score`."""

from pathlib import Path
from typing import Annotated

import typer

from bap_v2_dataset.cli.options import Confidence, Partial, Resamples, ResamplingSeed, Subset
from bap_v2_dataset.cli.terminal import app, console, errors


@app.command(rich_help_panel="Scores")
def score(
    predictions: Annotated[
        list[Path] | None,
        typer.Argument(help='JSON lines with "id" and "prediction". Several files are compared with the first.'),
    ] = None,
    baseline: Annotated[
        list[str] | None, typer.Option(help="Also score do-nothing, stack, symbolic, first-ten or replay (repeatable).")
    ] = None,
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
    seed: ResamplingSeed = 20260,
    json: Annotated[Path | None, typer.Option(help="Also write the scores to this file.")] = None,
) -> None:
    """Print the score table of the paper for prediction files and baselines."""
    import datasets

    from bap_v2_dataset.evaluation import score_tables as scoreboard
    from bap_v2_dataset.loading import install

    if not predictions and not baseline:
        raise scoreboard.PredictionError(
            "nothing to score: pass a prediction file, or --baseline with one of " + ", ".join(scoreboard.BASELINES)
        )
    if subset and not predictions:
        raise scoreboard.PredictionError("--subset scores the items of a prediction file, but none was passed")
    if len(set(predictions or ())) < len(predictions or ()):
        raise scoreboard.PredictionError("a prediction file was passed twice")
    if json:
        scoreboard.check_output(json, predictions or ())
    files = {path: scoreboard.read_predictions(path) for path in predictions or ()}
    an_id = next((row_id for found in files.values() for row_id in found), "")
    config, split = scoreboard.made_for(
        list(files), config, split, an_id, lambda: "mdc_v2" if install.is_set_up("mdc_v2") else "mdc"
    )
    datasets.disable_progress_bars()
    rows = scoreboard.scored_rows(scoreboard.split_rows(config, split, "pass --split with one of"))
    n_rows = len(rows)
    if subset and files:
        rows = scoreboard.rows_with_predictions(rows, files)
        if left_out := len(next(iter(files.values()))) - len(rows):
            said = scoreboard.counted(left_out, "prediction")
            errors.print(f"left out: {said} of items that are not in this split", style="yellow")
            inside = {row["id"] for row in rows}
            files = {path: {row_id: it[row_id] for row_id in it if row_id in inside} for path, it in files.items()}
    references = [{key: row[key] for key in ("before", "after", "interpretations")} for row in rows]
    ids = [row["id"] for row in rows]
    names = scoreboard.distinct_names(list(files))
    texts = [
        (names[path], scoreboard.matched(found, ids, str(path), partial), len(set(ids) - found.keys()))
        for path, found in files.items()
    ]
    texts += [(name, scoreboard.baseline_predictions(name, rows), 0) for name in baseline or ()]
    systems = [
        scoreboard.scored(name, found, references, resamples, confidence, seed, missing)
        for name, found, missing in texts
    ]
    labels = scoreboard.labels_of(rows, config)
    title = f"{config}, {split}: {', '.join(scoreboard.titled(system) for system in systems)}"
    if len(rows) < n_rows:
        title += f" (a subset: {len(rows):,} of {scoreboard.counted(n_rows, 'item')})"
    scoreboard.print_report(scoreboard.report(systems, title, labels, resamples, confidence, seed), console)
    if json:
        settings = {"config": config, "split": split, "items": len(rows), "split_items": n_rows, "labels": labels}
        settings |= {"resamples": resamples, "confidence": confidence, "seed": seed}
        json.write_bytes(scoreboard.to_json(systems, **settings))
