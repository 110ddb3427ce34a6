"""The table of a folder of results, as text and as a page. Standard library only: the Space has this file alone.

Only records that a check has found right are shown: those in `checked.json` whose bytes are the same.
"""

import hashlib
import html
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HEADINGS = ("#", "System", "Score (%)", "95% interval", "Submitted by", "Items", "Date", "Metric")
ALL = "all test sets"

_SCORES = {"fairer_f1": "F1"}  # what a score is called by which systems are sorted; any other has its key
STYLE = """
table.board { border: 0; border-collapse: collapse; margin: 0.5em 0 1.5em; }
table.board th, table.board td { padding: 0.3em 0.8em; text-align: left; border: 0; border-bottom: 1px solid #8886; }
table.board :is(th, td):is(:nth-child(1), :nth-child(3), :nth-child(4), :nth-child(6)) { text-align: right; }
table.board :is(th, td):nth-child(2) { min-width: 9rem; }
table.board a { margin: 0; padding: 0; }
table.board td { font-variant-numeric: tabular-nums; }
.wide { overflow-x: auto; }
"""
_PAGE_STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
"""


@dataclass(frozen=True)
class Board:
    """The records of a folder that may be shown."""

    records: Sequence[dict[str, Any]]  # checked; sorted by test set, the best system first
    unchecked: int  # other records

    @property
    def test_sets(self) -> list[str]:
        """Their names, in order."""
        return list(dict.fromkeys(map(test_set, self.records)))

    def of(self, name: str) -> list[dict[str, Any]]:
        """The records of a test set."""
        return [record for record in self.records if test_set(record) == name]

    @property
    def note(self) -> str:
        """What is not shown; "" if there is nothing."""
        if not self.unchecked:
            return ""
        subject = "1 record is" if self.unchecked == 1 else f"{self.unchecked} records are"
        return f"{subject} not shown (refused, edited or not checked)"


def checked_records(folder: Path) -> dict[str, str]:
    """The SHA-256 of each record that a check has found right, by its path below the folder of results."""
    try:
        return dict(json.loads((folder / "checked.json").read_bytes())["records"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def board_of(folder: Path) -> Board:
    """The checked records of a folder of results."""
    checked, records, unchecked = checked_records(folder), [], 0
    for path in sorted((folder / "records").rglob("*.json")):
        sha256 = checked.get(path.relative_to(folder).as_posix())
        data = path.read_bytes() if path.is_file() else b""
        if sha256 is not None and sha256 == hashlib.sha256(data).hexdigest():
            records.append(json.loads(data))
        else:
            unchecked += 1
    records.sort(key=lambda record: (test_set(record), -record["value"], record["date"], record["name"]))
    return Board(records, unchecked)


def test_set(record: dict[str, Any]) -> str:
    """`dss`; `all, test_dss` of another split than test."""
    return record["config"] if record["split"] == "test" else f"{record['config']}, {record['split']}"


def lines_of(records: Sequence[dict[str, Any]]) -> list[tuple[str, ...]]:
    """A line of the table for each record of one test set, the best first; equal scores have equal ranks."""
    lines = []
    for record in records:
        rank = 1 + sum(other["value"] > record["value"] for other in records)
        interval = "" if record["low"] is None else f"{100 * record['low']:.1f}–{100 * record['high']:.1f}"
        lines.append(
            (
                str(rank), record["name"], f"{100 * record['value']:.1f}", interval, record["submitter"],
                f"{record['items']:,}", record["date"], str(record["versions"].get("metric", "")),
            )
        )  # fmt: skip
    return lines


def headings_of(records: Sequence[dict[str, Any]]) -> list[str]:
    """HEADINGS, with the name of the score."""
    key = records[0]["score"] if records else "score"
    confidence = records[0]["confidence"] if records else 0.95
    named = {"Score (%)": f"{_SCORES.get(key, key)} (%)", "95% interval": f"{100 * confidence:g}% interval"}
    return [named.get(heading, heading) for heading in HEADINGS]


def tables(board: Board, chosen: str = ALL) -> str:
    """The tables as HTML: of one test set, or of all."""
    names = [name for name in board.test_sets if chosen in (ALL, name)]
    parts = [_table(name, board.of(name)) for name in names] or ["<p>No submission has been checked yet.</p>"]
    if board.note:
        parts.append(f"<p>{html.escape(board.note)}.</p>")
    return "\n".join(parts)


def page(board: Board, title: str = "BAP v2 leaderboard") -> str:
    """A page that needs nothing else."""
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{html.escape(title)}</title>\n'
        f"<style>{_PAGE_STYLE}{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{html.escape(title)}</h1>\n{tables(board)}\n"
        "</main>\n</body>\n</html>\n"
    )


def _table(name: str, records: Sequence[dict[str, Any]]) -> str:
    head = "".join(f'<th scope="col">{html.escape(heading)}</th>' for heading in headings_of(records))
    body = []
    for record, line in zip(records, lines_of(records)):
        cells = [html.escape(cell) for cell in line]
        if record["link"].startswith(("https://", "http://")):
            cells[1] = f'<a href="{html.escape(record["link"])}" rel="nofollow">{cells[1]}</a>'
        body.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    return (
        f'<h2>{html.escape(name)}</h2>\n<div class="wide" role="region" tabindex="0" '
        f'aria-label="{html.escape(name)}"><table class="board">\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{chr(10).join(body)}\n</tbody>\n</table></div>"
    )
