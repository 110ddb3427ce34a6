"""A sheet for reading blind: do the words of a simulator say what is built? Nobody who answers sees the answers.

    python tools/blind_sheet.py write sheet.md key.jsonl --config dh --split validation --items 60
    python tools/blind_sheet.py score sheet.md key.jsonl

A reader writes what changes below each item's `### AS:`, one action on a line, without supports, with cells as the
prompt names them; lines that begin with `#` are notes. The items are drawn from 400 games; the key has their rows.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Annotated, Any

import typer
from comparison.numbers import played

from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.prompts import completion_of, render, to_world
from bap_v2_dataset.items.rows import row
from bap_v2_metric.actions import Place
from bap_v2_metric.answers import read_prediction
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import parse_structure
from bap_v2_metric.scoring import Attempt
from bap_v2_simulators.atomic_files import atomic_write
from bap_v2_simulators.corpora import simulator_of

GAMES = 400
_ITEM = re.compile(r"^## (\S+)\n.*?^### AS:\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def write(
    sheet: Path,
    key: Path,
    config: str = "dh",
    split: str = "validation",
    number: Annotated[int, typer.Option("--items", min=1)] = 60,
    seed: int = 0,
) -> None:
    """Write a sheet of random items, and its key."""
    rows = [row(item) for game in played(simulator_of(config), GAMES, split) for item in items(game)]
    chosen = Random(f"sheet {seed}").sample(rows, number)
    atomic_write(sheet, "".join(f"## {one['id']}\n{render(one, 'ego')}\n" for one in chosen).encode())
    atomic_write(key, "".join(json.dumps(one) + "\n" for one in chosen).encode())


@app.command()
def score(sheet: Path, key: Path) -> None:
    """Score a filled sheet: how many items are rebuilt exactly, and which are not."""
    answers = dict(_ITEM.findall(sheet.read_text("utf-8")))
    rows = [json.loads(line) for line in key.read_text("utf-8").splitlines()]
    wrong = 0
    for one in rows:
        lines = [line for line in answers[one["id"]].splitlines() if line.strip() and not line.startswith("#")]
        counts = _counts(to_world("\n".join(lines), one, "ego"), one)["fairer"]
        if counts["fp"] or counts["fn"]:
            wrong += 1
            meant = completion_of(one, "ego").replace("\n", "; ")
            print(f"{one['id']}: {counts}\n  means   {meant}\n  written {'; '.join(lines)}")
    print(f"{len(rows) - wrong} of {len(rows)} exactly")


def _counts(answer: str, one: Mapping[str, Any]) -> dict:
    """What is right of the changes that are written: nothing needs a support, and their order does not count."""
    before, after = parse_structure(one["before"]), parse_structure(one["after"])
    board = before.colors()
    for action in read_prediction(answer).actions:
        if isinstance(action, Place):
            board[action.cell] = action.color
        else:
            board.pop(action.cell, None)
    return Attempt.on_boards(before, after, Structure.from_colors(board), one["interpretations"]).counts()


if __name__ == "__main__":
    app()
