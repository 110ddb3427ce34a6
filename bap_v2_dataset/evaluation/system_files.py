"""The prediction files of a command line, read: `FILE`, `NAME=FILE`, `-`, and folders of them or of logs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from bap_v2_dataset.evaluation.runs import SystemPredictions
from bap_v2_dataset.evaluation.system_names import named_file, system_names
from bap_v2_dataset.predictions import eval_logs
from bap_v2_dataset.predictions.entries import AUTOMATIC, Fields, PredictionError
from bap_v2_dataset.predictions.files import STDIN, are_games, is_saved, read_prediction_file
from bap_v2_dataset.predictions.model_records import check_kinds
from bap_v2_dataset.sentences import counted
from bap_v2_metric.prediction_records import reasons

_SETTINGS = dict.fromkeys(("model", "representation", "model_type", "dataset_config", "dataset_path", "split"), str)


def read_systems(arguments: Sequence[str], fields: Fields = AUTOMATIC, table: Any = None) -> list[SystemPredictions]:
    """Read the files and their systems, a run each; for which test set is not known yet.

    Args:
        table: to be read in place of the file that an argument names (see `table_content`).
    Raises:
        PredictionError: a file that cannot be read, or malformed settings beside it.
    """
    given = [(name, path, whole.is_dir()) for name, whole in map(named_file, arguments) for path in files_of(whole)]
    if len([path for _, path, _ in given if path == STDIN]) > 1:
        raise PredictionError("the standard input (-) was passed twice")

    # Each file with its settings. A folder of logs may hold those of other tasks.
    named, settings, contents = [], [], []
    skipped: dict[Path, eval_logs.OtherTaskError] = {}
    for name, path, of_folder in given:
        try:
            file = read_prediction_file(path, fields, table)
        except eval_logs.OtherTaskError as error:
            if not of_folder:
                raise
            skipped[path] = error
            continue
        record = _settings_of(path)
        named.append((name, path, bool(file.model)))
        settings.append({"model": file.model, **record} if file.model else record)
        contents.append((file, of_folder))
    if skipped and not contents:
        raise next(iter(skipped.values()))

    # A log with several answers to an item is several runs.
    systems = [
        SystemPredictions(
            path, system, "", "", predictions, record, named=bool(name), repeat=number if len(file.runs) > 1 else 0,
            missing=missing, in_order=file.in_order, of_folder=of_folder, unfinished=unfinished,
            notes=[*file.notes, *_notes_on(path, missing, predictions)],
        )
        for (name, path, _), system, record, (file, of_folder) in zip(
            named, system_names(named, settings), settings, contents
        )
        for number, (predictions, missing, unfinished) in enumerate(zip(file.runs, file.missing, file.unfinished), 1)
    ]  # fmt: skip
    return with_skipped(systems, skipped) if skipped else systems


def _settings_of(path: Path) -> dict[str, Any]:
    """Read how a file was made, as `<file>.settings.json` says; {} without it."""
    record = path.with_name(f"{path.name}.settings.json")
    if path == STDIN or not record.is_file():
        return {}
    try:
        settings = dict(orjson.loads(record.read_bytes()))
    except (ValueError, TypeError) as error:
        raise PredictionError(f"{record} does not hold the settings of {path.name}: {error}") from None
    check_kinds(settings, _SETTINGS, record)
    return settings


def _notes_on(path: Path, missing: Mapping[str, str], predictions: Mapping[str, str]) -> list[str]:
    if not missing:
        return []
    total = counted(len(missing) + len(predictions), "answer")
    return [
        f"{path}: {len(missing):,} of {total} are missing ({reasons(missing.values())}): they count as no prediction"
    ]


def with_skipped(files: Sequence[SystemPredictions], others: Iterable[Path]) -> list[SystemPredictions]:
    """Return the files, the first with a note that names the logs of other tasks."""
    names = ", ".join(dict.fromkeys(eval_logs.lm_eval_task(path) or path.name for path in others))
    note = f"skipped {names}: the answers are not to rows of ours, by the ids in their data"
    return [replace(files[0], notes=[*files[0].notes, note]), *files[1:]]


def files_of(path: Path) -> list[Path]:
    """Return the file itself; of a folder the answers that predict.py wrote, else the logs of lm-eval or inspect."""
    if not path.is_dir() or is_saved(path):
        return [path]
    if (path / "dataset_dict.json").is_file():
        return [split for split in sorted(path.iterdir()) if is_saved(split)]
    return [file for file in _written_in(path) if not are_games(file)] or eval_logs.log_files(path)


def games_of(path: Path) -> list[Path]:
    """Return the files of full games in a folder; of what is none []."""
    return list(filter(are_games, _written_in(path)))


def _written_in(folder: Path) -> list[Path]:
    """Return the files of a folder beside which their settings stand."""
    return [file for file in sorted(folder.glob("*.jsonl")) if file.with_name(f"{file.name}.settings.json").is_file()]
