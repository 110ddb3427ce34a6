"""docs/data/comparison.md: the tables of `bap-v2 compare-corpora`.

`BAP_V2_MDC=PATH make comparison` writes it, after a change of a simulator.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.table import Table

from bap_v2_dataset.analysis.comparison import comparison, human_games, simulated_games
from bap_v2_dataset.analysis.comparison_tables import NOTES, sizes, tables
from bap_v2_dataset.human.game_store import mdc_games
from bap_v2_simulators.atomic_files import atomic_write

GAMES = 400  # of each simulator, as `bap-v2 compare-corpora` takes
PAGE = Path(__file__).parent.parent / "docs" / "data" / "comparison.md"

_LEFT_OUT = {
    "Verbs for placing",
    "Verbs for removing",
    "Covered by the simulators (items; utterances for dialogue acts)",
}

_HEAD = """# Simulated and human games compared

These are tables of

```bash
bap-v2 compare-corpora
```

which compares all human games with {games} games of each simulator, and also prints all verbs and what the simulators
cover; `make comparison` writes this page. Language is counted by rules of thumb, without a grammar: use the numbers to
compare corpora with each other. [Simulated games](simulators.md#like-human-builders-and-architects) sums up the result.
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
    parts += [f"## {table.title}\n\n{markdown(table)}" for table in tables(numbers) if table.title not in _LEFT_OUT]
    return "\n".join([*parts, *(f"{note}\n" for note in NOTES), _TAIL])


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
