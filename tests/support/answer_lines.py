"""The lines of a file of answers, as predict.py writes it."""

import json
from pathlib import Path


def lines_by_id(file: Path) -> dict[str, dict]:
    """The lines by the ids of their items; no item was answered twice."""
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert len({line["id"] for line in lines}) == len(lines), "an item was answered twice"
    return {line["id"]: line for line in lines}
