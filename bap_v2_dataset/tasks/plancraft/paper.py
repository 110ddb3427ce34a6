"""What the paper on Plancraft reports, as data: Tables 2, 3 and 5 to 7 (Dagan, Keller and Lascarides, 2025).

Success is in 0..1, of solvable tasks; turns, thoughts, searches and such are means of an episode. Table 4, the sizes of
the splits, is that of the package's files. Numbers of the Llama models are probably too low: see LLAMA_NOTE.
"""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

KEY = "dagan2025plancraft"  # in the citation of the dataset
LLAMA_NOTE = (
    "Llama: reported too low, says issue #2 of the authors' repository (2025-11-07): until 2025-05-14 a craft failed "
    "whose quantity was not the whole output"
)
_PAPER = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
HEADINGS: Mapping[str, str] = _PAPER["headings"]  # of Tables 2 and 7, by the keys of the metric
RECIPE_HEADINGS: Mapping[str, str] = _PAPER["recipe_headings"]


class PublishedAgent(NamedTuple):
    """A row of a table."""

    tools: str  # in letters, e.g. "M S T"
    model: str
    scores: dict[str, float | None]  # by the keys of the metric; None: "-"


_UNITS = {"k": 1e3, "M": 1e6}


def _rows(table: str) -> Iterator[list[str]]:
    return ([cell.strip() for cell in line.split("|")] for line in table.strip().splitlines())


def _number(cell: str) -> float | None:
    if cell == "-":
        return None
    unit = _UNITS.get(cell[-1])
    return float(cell) if unit is None else round(float(cell[:-1]) * unit)


def _published(table: str, keys: tuple[str, ...]) -> tuple[PublishedAgent, ...]:
    return tuple(
        PublishedAgent(tools, model, dict(zip(keys, map(_number, cells), strict=True)))
        for tools, model, *cells in _rows(table)
    )


TABLE_2 = _published(_PAPER["table_2"], tuple(HEADINGS))
# Of image observations, with move and smelt.
TABLE_3 = tuple(
    PublishedAgent(
        "M S", model, dict(zip(("success", "turns", "ae_turns", "tokens"), map(_number, cells), strict=True))
    )
    for model, *cells in _rows(_PAPER["table_3"])
)
TABLE_5 = _published(_PAPER["table_5"], tuple(RECIPE_HEADINGS))
TABLE_6 = _published(_PAPER["table_6"], ("invalid",))
# All tools; with two solved tasks in the prompt, and without.
TABLE_7 = tuple(
    PublishedAgent("M S T SE I", f"{model}, {shots.lower()}", dict(zip(HEADINGS, map(_number, cells), strict=True)))
    for shots, model, *cells in _rows(_PAPER["table_7"])
)
