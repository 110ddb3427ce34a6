"""docs/data/comparison.md: people and simulators beside each other.

`BAP_V2_MDC=PATH make comparison` writes it, after a change of a simulator.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from comparison.numbers import comparison, human_games, simulated_games
from comparison.tables import NOTES, sizes, tables
from rich.table import Table

from bap_v2_dataset.human.game_store import mdc_games
from bap_v2_simulators.atomic_files import atomic_write

GAMES = 400  # of each simulator
PAGE = Path(__file__).parent.parent / "docs" / "data" / "comparison.md"

_HEAD = """# Simulated and human games compared

All human games beside {games} games of each simulator, which shows where simulated games are unlike people's. Language
is counted by rules of thumb, without a grammar: use the numbers to compare corpora with each other. What follows from
them: [simulated games](simulators.md#like-human-builders-and-architects). `BAP_V2_MDC=PATH make comparison` writes
this page.
"""


def page(numbers: Mapping[str, Any]) -> str:
    """The text of docs/data/comparison.md."""
    parts = [_HEAD.format(games=GAMES), "\n".join(f"- {line}" for line in sizes(numbers)) + "\n"]
    parts += [f"## {table.title}\n\n{markdown(table)}" for table in tables(numbers)]
    return "\n".join([*parts, *(f"{note}\n" for note in NOTES)])


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


def main() -> None:
    """Writes the page."""
    numbers = comparison({"human": human_games(mdc_games()), **simulated_games(GAMES)})
    atomic_write(PAGE, page(numbers).encode())


if __name__ == "__main__":
    main()
