"""The folder that holds all of a report: tables, scores and plots."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from bap_v2_dataset.evaluation.report import score_files
from bap_v2_dataset.evaluation.report_tables import error_tables, remarks
from bap_v2_dataset.evaluation.results import Bin, Report
from bap_v2_dataset.evaluation.score_formats import scores_csv, to_json
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.tables.cells import ScoreTable
from bap_v2_dataset.tables.formats import latex, markdown
from bap_v2_simulators.atomic_files import atomic_write, check_writable

_RECORD = "report.json"


def check_folder(folder: Path, inputs: Iterable[Path]) -> None:
    """Check that a report loses nothing there: in a new folder, an empty one, or an earlier report's.

    Raises:
        PredictionError: for anything else.
        OutputError: where nothing can be written.
    """
    if folder.exists() and not folder.is_dir():
        raise PredictionError(f"--out: {folder} is a file: name a folder")
    check_writable(next(parent for parent in (folder, *folder.absolute().parents) if parent.exists()))
    if not folder.exists() or not any(folder.iterdir()):
        return
    if any(path.absolute().is_relative_to(folder.absolute()) for path in inputs):
        raise PredictionError(f"--out: {folder} holds predictions: name a folder of the report's own")
    if _earlier(folder) is None:
        raise PredictionError(f"--out: {folder} is not empty and holds no report: name another folder, or empty it")


def _earlier(folder: Path) -> list[str] | None:
    """Return the files of the report that is there; None without one."""
    try:
        return list(dict(orjson.loads((folder / _RECORD).read_bytes()))["files"])
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write(
    folder: Path,
    report: Report,
    tables: Sequence[ScoreTable],
    bins: Mapping[tuple[str, str], Sequence[Bin]],
    plots: bool = True,
) -> list[str]:
    """Write `report.md`, `report.tex`, `report.json`, scores, and with `plots` pictures; return their paths in it.

    Files of an earlier report that are no longer made are deleted.

    Args:
        tables: of the report, without those of the error analysis.
        bins: of `report_tables.error_bins`.
    """
    # What stands in the files.
    tables = [*tables, *error_tables(report, bins)]
    sentences = remarks(report)
    content: dict[str, bytes] = dict(score_files(report))
    pictures = []
    if plots:
        tasks = {test.task.name: test.task for test in report.tests}
        drawn = [picture for task in tasks.values() for picture in task.scores.plots(report.of_task(task), bins)]
        for title, name, images in drawn:
            content |= {f"plots/{name}.{suffix}": data for suffix, data in images.items()}
            pictures.append((title, f"plots/{name}.png"))
    results = [(test, result) for test in report.tests for _, result in report.on(test)]
    content |= {
        "report.md": f"# Report\n\n{markdown(tables, sentences, report.signatures, pictures)}".encode(),
        "report.tex": latex(tables, sentences, report.signatures).encode(),
        "scores.csv": scores_csv(results).encode(),
    }
    stale = set(_earlier(folder) or ()) - content.keys()

    # The record is written first, with all that a killed report may leave: an earlier report is known by it.
    record = _record(report, bins, sentences)
    folder.mkdir(parents=True, exist_ok=True)
    _write_record(folder, sorted({*content, *stale}), record)
    for name, data in content.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        atomic_write(path, data)
    for name in stale:
        if (folder / name).resolve().is_relative_to(folder.resolve()):
            (folder / name).unlink(missing_ok=True)
    _write_record(folder, sorted(content), record)
    return [_RECORD, *sorted(content)]


def _write_record(folder: Path, files: Sequence[str], record: Mapping[str, Any]) -> None:
    atomic_write(folder / _RECORD, orjson.dumps({"files": files, **record}, option=orjson.OPT_INDENT_2))


def _record(report: Report, bins: Mapping[tuple[str, str], Sequence[Bin]], sentences: Sequence[str]) -> dict[str, Any]:
    """Return all of a report as JSON; the sentences are its remarks."""
    # Of each test set the scores and the error analysis.
    tests = [
        {
            **test.settings,
            "unit": report.resampling.on(test).unit,
            "systems": orjson.Fragment(to_json([result for _, result in report.on(test)])),
            "errors": [
                {"dimension": part.dimension.name, "bin": part.label, "items": part.n_items, "f1": part.f1,
                 "intervals": part.intervals}
                for part in bins.get(test.key, ())
            ],
        }
        for test in report.tests
    ]  # fmt: skip

    # Of all of them how they were made.
    return {
        "signature": "; ".join(report.signatures),
        "against": report.against,
        "resampling": vars(report.resampling),
        "remarks": sentences,
        "tests": tests,
    }
