"""`bap-v2 report`."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from bap_v2_dataset.cli.options import Confidence, Partial, Resamples, ResamplingSeed, Subset
from bap_v2_dataset.cli.terminal import app, console, errors


@app.command(rich_help_panel="Scores")
def report(
    predictions: Annotated[
        list[str] | None,
        typer.Argument(
            help='JSON lines with "id" and "prediction", of several systems and test sets. NAME=FILE names the system.',
            show_default=False,
        ),
    ] = None,
    baseline: Annotated[
        list[str] | None, typer.Option(help="Also do-nothing, stack, symbolic, first-ten or replay (repeatable).")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Also write Markdown, LaTeX, plots (PNG, SVG) and the scores to this folder.")
    ] = None,
    format: Annotated[str, typer.Option(help="What is printed: terminal, markdown or latex.")] = "terminal",
    show_errors: Annotated[bool, typer.Option("--errors", help="Print the error analysis too.")] = False,
    against: Annotated[
        str | None, typer.Option(help="The system that the others are tested against. Default: the first.")
    ] = None,
    subset: Subset = False,
    partial: Partial = False,
    resamples: Resamples = 1000,
    confidence: Confidence = 0.95,
    seed: ResamplingSeed = 20260,
) -> None:
    """Make the tables of the paper from prediction files, beside its own numbers, with tests and an error analysis."""
    import datasets

    from bap_v2_dataset.evaluation import report as reports
    from bap_v2_dataset.evaluation import report_formats
    from bap_v2_dataset.evaluation import score_tables as scoreboard

    if format not in report_formats.FORMATS:
        raise scoreboard.PredictionError(f"--format {format}: expected one of {', '.join(report_formats.FORMATS)}")
    if not predictions and not baseline:
        raise scoreboard.PredictionError(
            "nothing to report on: pass prediction files, or --baseline with one of " + ", ".join(scoreboard.BASELINES)
        )
    if subset and partial:
        raise scoreboard.PredictionError("--subset and --partial say opposite things of unanswered items: pass one")
    datasets.disable_progress_bars()
    with errors.status("reading predictions") as status:
        answers = reports.read_answers(predictions or ())
        if out is not None:
            report_formats.check_folder(out, [its.path for its in answers])
        found = reports.scored_report(
            answers, list(dict.fromkeys(baseline or ())), against=against, subset=subset, partial=partial,
            resampling=reports.Resampling(resamples, confidence, seed),
            progress=lambda said: status.update(f"scoring {said}"),
        )  # fmt: skip
        status.update("tests between the systems")
        tables, remarks = reports.tables(found), reports.remarks(found)
        status.update("error analysis")
        bins = reports.error_bins(found) if show_errors or out is not None else {}
        shown = tables + (reports.error_tables(found, bins) if show_errors else [])
    if format == "terminal":
        scoreboard.print_report(report_formats.terminal(shown, remarks), console)
    else:
        sys.stdout.write(getattr(report_formats, format)(shown, remarks))
    if out is not None:
        plots = _can_plot()
        with errors.status("writing the report"):
            written = report_formats.write(out, found, tables, bins, plots)
        said = f"{out}: {scoreboard.counted(len(written), 'file')}; begin with {out / 'report.md'}"
        errors.print(said, highlight=False, soft_wrap=True)
    elif not show_errors and format == "terminal":
        errors.print("--errors prints the error analysis, --out FOLDER writes it all, with plots", style="dim")


def _can_plot() -> bool:
    """Whether matplotlib is there; if not, says how to get it."""
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        errors.print('no plots: matplotlib is not installed (pip install "bap-v2\\[report]")', style="yellow")
        return False
    return True
