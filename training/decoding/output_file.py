"""The file that predictions are written to, line by line, and that the same command resumes after a kill."""

import json
from pathlib import Path

from bap_v2_simulators.whole_files import write_whole
from bap_v2_training.learning.errors import UsageError


def answered_ids(output: Path, settings: dict, overwrite: bool) -> set[str]:
    """The ids that `output` has answers to, after a check that it was made with the same settings.

    A line that a kill left half-written is removed. The settings of a new file are written beside it.

    Raises:
        UsageError: the file was made with other settings, or is not one of these files.
    """
    record = output.with_name(f"{output.name}.settings.json")
    output.parent.mkdir(parents=True, exist_ok=True)
    if overwrite or not output.exists():
        output.write_bytes(b"")  # first: old answers must never stand beside new settings
        write_whole(record, (json.dumps(settings, indent=2) + "\n").encode())
        return set()

    fix = "choose another --output, or replace it with --overwrite"
    if not record.is_file():
        raise UsageError(f"{output} exists, but not {record.name}, which records how it was made; {fix}")
    earlier = json.loads(record.read_text(encoding="utf-8"))
    differing = [name for name in settings if earlier.get(name) != settings[name]]
    if differing:
        changes = "; ".join(f"{name} was {earlier.get(name)!r}, now {settings[name]!r}" for name in differing)
        raise UsageError(f"{output} was made with other settings ({changes}); {fix}")

    content = output.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        output.write_bytes(whole)
    try:
        return {json.loads(line)["id"] for line in whole.splitlines()}
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise UsageError(f"{output} holds a line that is not a prediction ({error!r}); {fix}") from error
