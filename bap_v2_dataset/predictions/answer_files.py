"""Prediction files that grow line by line: a kill loses nothing, and the same call resumes them.

`<file>.settings.json` beside a file says how it was made; a file that was made with other settings is not resumed.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_simulators.atomic_files import atomic_write


def earlier_answers(
    path: Path, settings: Mapping[str, Any], overwrite: bool, fix: str, column: str = "prediction"
) -> dict[str, Any]:
    """Read the predictions of a file, by row id, after a check that it was made with the same settings.

    Args:
        fix: what an error tells the user to do instead.
        column: of its lines that is asked for; other files than those of predictions grow in the same way.
    Raises:
        PredictionError: as `earlier_lines`.
    """
    return {line["id"]: line[column] for line in earlier_lines(path, settings, overwrite, fix, ("id", column))}


def earlier_lines(
    path: Path, settings: Mapping[str, Any], overwrite: bool, fix: str, columns: Sequence[str]
) -> list[dict[str, Any]]:
    """Read the lines of a file, after a check that it was made with the same settings.

    A line that a kill left incomplete is removed. The settings of a new file, and of one without any whole line, are
    written beside it.

    Args:
        fix: what an error tells the user to do instead.
        columns: that every line has.
    Raises:
        PredictionError: the file was made with other settings, or is not one of these files.
    """
    # A new file, with its settings beside it.
    record = path.with_name(f"{path.name}.settings.json")
    path.parent.mkdir(parents=True, exist_ok=True)
    if overwrite or not path.exists() or _holds_no_line(path, record):
        atomic_write(path, b"")  # first: old answers must never stand beside new settings
        atomic_write(record, (json.dumps(settings, indent=2) + "\n").encode())
        return []

    # One that is there was made in the same way.
    if not record.is_file():
        raise PredictionError(f"{path} exists, but not {record.name}, which records how it was made; {fix}")
    earlier = json.loads(record.read_text(encoding="utf-8"))
    differing = [name for name in settings if earlier.get(name) != settings[name]]
    if differing:
        changes = "; ".join(
            f"{name} was {_shown(earlier.get(name))}, now {_shown(settings[name])}" for name in differing
        )
        raise PredictionError(f"{path} was made with other settings ({changes}); {fix}")

    # Its whole lines.
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        atomic_write(path, whole)
    try:
        lines = [json.loads(line) for line in whole.splitlines()]
        return [line for line in lines if [line[name] for name in columns]]
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise PredictionError(f"{path} holds a line without {' and '.join(columns)} ({error!r}); {fix}") from error


def _holds_no_line(path: Path, record: Path) -> bool:
    """Return whether a file of ours was begun, and nothing whole came of it: it locks no settings."""
    content = path.read_bytes()
    return not content or (record.is_file() and b"\n" not in content)


def _shown(value: Any) -> str:
    """Show a value, of a long one such as a digest the beginning."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:12]}…"
