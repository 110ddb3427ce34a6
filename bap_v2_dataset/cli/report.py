"""`bap-v2 report`."""

from pathlib import Path
from typing import TYPE_CHECKING

from bap_v2_dataset.cli.options import BASELINES
from bap_v2_dataset.cli.terminal import app, console, errors, hide_progress_bars, print_plain, say, warn_of
from bap_v2_metric.scoring import SEED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bap_v2_dataset.evaluation.results import Report
    from bap_v2_dataset.tables.cells import ScoreTable

FORMATS = ("terminal", "markdown", "latex", "csv")


@app.command(words={"FORMATS": FORMATS})
def report(
    predictions: list[str] | None = None,
    beside: list[str] | None = None,
    baseline: list[str] | None = None,
    data: str | None = None,
    out: Path | None = None,
    format: str = "terminal",
    show_errors: bool = False,
    brief: bool = False,
    against: str | None = None,
    id_field: str | None = None,
    prediction_field: str | None = None,
    subset: bool = False,
    partial: bool = False,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
    unit: str | None = None,
) -> None:
    """Make the tables of the paper from prediction files, beside its own numbers, with tests and an error analysis."""
    from bap_v2_dataset.evaluation import report_folder
    from bap_v2_dataset.evaluation.answered_splits import read_files
    from bap_v2_dataset.evaluation.report import scored_report
    from bap_v2_dataset.evaluation.report_tables import error_bins, error_tables, report_tables
    from bap_v2_dataset.evaluation.results import Resampling
    from bap_v2_dataset.evaluation.system_files import files_of
    from bap_v2_dataset.evaluation.system_names import named_file
    from bap_v2_dataset.loading.own_data import read_data
    from bap_v2_dataset.predictions.entries import Fields, PredictionError
    from bap_v2_dataset.sentences import counted

    # What cannot be is refused before anything is read.
    if format not in FORMATS:
        raise PredictionError(f"--format {format}: expected one of {', '.join(FORMATS)}")
    if not predictions and not baseline and not beside:
        raise PredictionError(f"nothing to report on: pass prediction files, or --baseline with one of {BASELINES}")
    if out is not None:
        paths = (named_file(argument)[1] for argument in predictions or ())
        report_folder.check_folder(out, [file for path in paths for file in files_of(path)])

    # The scores, and the tables of them.
    hide_progress_bars()
    with errors.status("reading predictions") as status:
        own = read_data(data) if data is not None else None
        baselines = list(dict.fromkeys(baseline or ()))
        fields = Fields(id_field, prediction_field)
        files = read_files(predictions or (), own, fields, beside or (), subset, baselines)
        scored = scored_report(
            files, baselines, data=own, against=against, subset=subset, partial=partial,
            resampling=Resampling(resamples, confidence, seed, unit),
            progress=lambda test: status.update(f"scoring {test}"),
        )  # fmt: skip
        status.update("tests between the systems")
        tables = report_tables(scored)
        status.update("error analysis")
        bins = error_bins(scored) if show_errors or out is not None else {}
        printed = tables + (error_tables(scored, bins) if show_errors else [])

    # To the standard output and, if asked for, to a folder.
    print_tables(scored, printed, format, brief)
    if out is not None:
        plots = _can_plot()
        with errors.status("writing the report"):
            written = report_folder.write(out, scored, tables, bins, plots)
        summary = f"{out}: {counted(len(written), 'file')}; start with {out / 'report.md'}"
        say(summary, to=errors)
    elif not show_errors and not brief and format == "terminal":
        errors.print(
            "--brief prints one table, --errors the error analysis too, --out FOLDER writes it all, with plots",
            style="dim",
        )


def print_tables(report: "Report", tables: "Sequence[ScoreTable]", form: str, brief: bool = False) -> None:
    """Print the tables of a report, and warn of results that should be looked at.

    Args:
        form: one of FORMATS.
        brief: in the terminal the first table alone, without remarks.
    """
    from bap_v2_dataset.evaluation.report_tables import remarks
    from bap_v2_dataset.evaluation.score_formats import scores_csv
    from bap_v2_dataset.tables import formats
    from bap_v2_dataset.tables.fitted import fitted, print_report, terminal

    # Warnings come first.
    results = [(test, result) for test in report.tests for _, result in report.on(test)]
    for _, result in results:
        warn_of(result)

    # In the form that was asked for.
    notes = remarks(report)
    if form == "terminal" and brief:
        print_report(fitted(tables[0]), console)
    elif form == "terminal":
        print_report(terminal(tables, notes, report.signatures), console)
    elif form == "csv":
        print_plain(scores_csv(results))
    else:
        print_plain(getattr(formats, form)(tables, notes, report.signatures))


def _can_plot() -> bool:
    """Return whether matplotlib is there; if not, say how to get it."""
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        errors.print('no plots: matplotlib is not installed (pip install "bap-v2\\[report]")', style="yellow")
        return False
    return True
