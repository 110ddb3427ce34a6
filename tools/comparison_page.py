"""The tables of `bap-v2 compare` in the documents: docs/data/comparison.md, and a part of docs/data/simulators.md.

`BAP_V2_MDC=PATH make comparison` writes them, after a change of a simulator.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.table import Table

from bap_v2_dataset.analysis.comparison import comparison, human_games, simulated_games
from bap_v2_dataset.analysis.comparison_tables import NOTES, USAGE, shown_usage, sizes, tables
from bap_v2_dataset.human.game_store import mdc_games
from bap_v2_simulators.whole_files import write_whole

GAMES = 400  # of each simulator, as `bap-v2 compare` takes
DOCS = Path(__file__).parent.parent / "docs" / "data"
PAGE, SUMMARY = DOCS / "comparison.md", DOCS / "simulators.md"

# Version 1.0.0 (commit 8ddd86e), counted in the same way: 400 games of each simulator, seed 0.
VERSION_1: Mapping[str, Mapping[str, float]] = {
    "plain_verbs": {"dr": 0.409, "dsb": 0.398, "dss": 0.493},
    "verb_entropy": {"dr": 4.17, "dsb": 4.20, "dss": 3.78},
    "unseen_words": {"dr": 0.371, "dsb": 0.361, "dss": 0.456},
    "novel_trigrams": {"dr": 0.561, "dsb": 0.565, "dss": 0.674},
    "on_top_of": {"dr": 0.044, "dsb": 0.129, "dss": 0.002},
    "in_front_of": {"dr": 0.180, "dsb": 0.096, "dss": 0.016},
    "behind": {"dr": 0.063, "dsb": 0.031, "dss": 0.016},
    "depth": {"dr": 1.15, "dsb": 1.10, "dss": 1.12},
    "words_mean": {"dr": 14.6, "dsb": 13.7, "dss": 22.6},
    "utterances_per_item": {"dr": 1.3, "dsb": 1.3, "dss": 1.4},
    "items_with_a_question": {"dr": 0.125, "dsb": 0.121, "dss": 0.141},
    "beyond_30_of_the_grid": {"dr": 0.0, "dsb": 0.0, "dss": 0.0},
}
_OTHERS = {
    "words_mean": "words per utterance: mean",
    "utterances_per_item": "utterances before an item",
    "items_with_a_question": "items with a Builder's question",
    "beyond_30_of_the_grid": "yaw more than 30° off the grid",
}

_HEAD = """# Simulated and human games compared

This page has all rows of

```bash
bap-v2 compare
```

which compares all human games with {games} games of each simulator; `make comparison` writes it. Language is counted by
rules of thumb, without a grammar: use the numbers to compare corpora with each other.
[Simulated games](simulators.md#like-human-builders-and-architects) sums up the result.
"""

_TAIL = """## In Python

Numbers of one simulator in two seconds, with the words of the human corpus and without the rest:

```python
from bap_v2_dataset.analysis.comparison import human_games, played
from bap_v2_dataset.analysis.usage import human_words, usage_of
from bap_v2_dataset.human.game_store import mdc_games
from bap_v2_simulators.corpora import simulator_of

human = human_words(human_games(mdc_games()))
numbers = usage_of(played(simulator_of("dsb", {"talk.clarification": "0"}), 100), human)
numbers["plain_verbs"] > 0.75, numbers["unseen_words"] < 0.12  # (True, True)
```
"""


def page(numbers: Mapping[str, Any]) -> str:
    """The text of docs/data/comparison.md."""
    parts = [_HEAD.format(games=GAMES), "\n".join(f"- {line}" for line in sizes(numbers)) + "\n"]
    parts += [f"## {table.title}\n\n{markdown(table)}" for table in tables(numbers)]
    return "\n".join([*parts, *(f"{note}\n" for note in NOTES), _TAIL])


def summary(text: str, numbers: Mapping[str, Any]) -> str:
    """The text of docs/data/simulators.md with the tables between its marks made from these numbers."""
    *all_compared, _ = tables(numbers)
    compared = [table for table in all_compared if len(table.columns) > 2]  # not the lists of verbs
    made = {
        "compare": "\n".join(f"**{table.title}**\n\n{markdown(table)}" for table in compared),
        "before and after": _before_and_after(numbers),
    }
    for name, table in made.items():
        pattern = re.compile(rf"(<!-- {name} -->\n).*?(<!-- end -->)", re.DOTALL)
        text, found = pattern.subn(lambda marks, table=table: f"{marks[1]}\n{table}\n{marks[2]}", text)
        assert found == 1, name
    return text


def markdown(table: Table) -> str:
    """A table as Markdown; what is printed in the first row of a group only is in each of its rows."""
    headings = [str(column.header) for column in table.columns]
    lines = [f"| {' | '.join(headings)} |"]
    lines.append("|" + "|".join("---:" if column.justify == "right" else "---" for column in table.columns) + "|")
    first = ""
    for cells in zip(*(column.cells for column in table.columns), strict=True):
        first = str(cells[0]).strip() or first
        lines.append(f"| {' | '.join([first, *(str(cell).strip() for cell in cells[1:])])} |")
    return "\n".join(lines) + "\n"


def _before_and_after(numbers: Mapping[str, Any]) -> str:
    lines = ["|  | human | dr | dsb | dss |", "|---|---:|---:|---:|---:|"]
    for key, label in {**USAGE, **_OTHERS}.items():
        after = {name: _number(numbers, name, key) for name in ("human", *VERSION_1[key])}
        changes = (f"{_shown(key, before)} → {_shown(key, after[name])}" for name, before in VERSION_1[key].items())
        lines.append(f"| {label} | {_shown(key, after['human'])} | {' | '.join(changes)} |")
    return "\n".join(lines) + "\n"


def _number(numbers: Mapping[str, Any], name: str, key: str) -> float:
    return next(part[name][key] for part in map(numbers.get, ("usage", "language", "poses")) if key in part[name])


def _shown(key: str, value: float) -> str:
    return f"{value:.1f}" if key in ("words_mean", "utterances_per_item") else shown_usage(key, value)


def main() -> None:
    """Writes the tables of both documents."""
    numbers = comparison({"human": human_games(mdc_games()), **simulated_games(GAMES)})
    write_whole(PAGE, page(numbers).encode())
    write_whole(SUMMARY, summary(SUMMARY.read_text(encoding="utf-8"), numbers).encode())


if __name__ == "__main__":
    main()
