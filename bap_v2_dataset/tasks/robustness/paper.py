"""What Dan, Zhou and Roth (2021) report, as data: on the Blocks World of Bisk et al. (2016), never on this task.

A block is to be moved: its source is a class of 20 (Tan and Bansal, 2018) or a point, its target a point (Bisk et al.).
Acc is the accuracy of the source in percent, BD the distance from the right point in blocks: lower is better. Robust is
the mean over the examples of the worse of the original and the perturbed one. Each line compares a model trained as
published, M_std, with one trained on a perturbed copy of each example too, M_rob; RI is the gain of the robust score.
"""

import tomllib
from pathlib import Path

from bap_v2_dataset.tables.cells import Line, ScoreTable

_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))  # by number
_NOTE = (
    "Not comparable with the scores above: other data, other models, other scores. Acc: accuracy of the source in "
    "percent, higher is better; BD: distance in blocks, lower is better. RI: how much better M_rob is than M_std, "
    "in percent of its robust score."
)


def tables_of_the_paper() -> list[ScoreTable]:
    """Return Tables 1 to 3 of Dan et al. (2021), under headings that say what they are."""
    tables = []
    for number, table in _TABLES.items():
        rows = [line.split(", ") for line in table["lines"].splitlines()]
        opens = [not place or row[0] != rows[place - 1][0] for place, row in enumerate(rows)]
        heading = f"Reported, Blocks World, other measure: Dan et al. (2021), Table {number}, {table['about']}"
        columns = ("P", "Measure", "M_std Std.", "M_std Rob.", "M_rob Std.", "M_rob Rob.", "RI")
        lines = [Line(row, paper=True, opens=first) for row, first in zip(rows, opens)]
        tables.append(ScoreTable(f"dan_2021_table_{number}", heading, columns, lines, 2, _NOTE))
    return tables
