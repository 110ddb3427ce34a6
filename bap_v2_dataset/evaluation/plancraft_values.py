"""The scores of Plancraft as cells of tables, in the units of the paper: success and F1 in 0..1, tokens as 88.9k."""

from collections.abc import Mapping, Sequence

from bap_v2_dataset.evaluation.scoring import Result
from bap_v2_dataset.evaluation.table_cells import NO_VALUE, Cell, Score
from bap_v2_dataset.plancraft.paper import HEADINGS, RECIPE_HEADINGS, TABLE_2
from bap_v2_metric.plancraft_turns import TOOLS, letters_of

# What the paper has no columns of: it counts all turns, its text (4.1) moves and smelts alone.
MORE_HEADINGS = {
    "impossible_precision": "Impossible precision",
    "impossible_recall": "Impossible recall",
    "invalid": "invalid",
    "plan_length": "Actions",
    "ae": "AE (actions)",
}
ALL_HEADINGS: Mapping[str, str] = {**HEADINGS, **RECIPE_HEADINGS, **MORE_HEADINGS}
_OF_A_TOOL = ("think", "search", "impossible")
TOOL_SETS = tuple(dict.fromkeys(row.tools for row in TABLE_2))  # of the paper, in letters


def letters(result: Result) -> str:
    """The tools of a system in the letters of the paper."""
    return letters_of(result.facts.get("tools", TOOLS))


def value(result: Result, key: str) -> Cell:
    """A score of a system, with its interval or its spread over runs."""
    score = result.scores.get(key)
    if score is None or (key in _OF_A_TOOL and key not in result.facts.get("tools", TOOLS)):
        return NO_VALUE
    if key == "tokens":
        return thousands(score)
    if result.runs:
        return Score(score, deviation=result.deviations.get(key), digits=2)
    return Score(score, *result.intervals.get(key, ()), digits=2)


def published(score: float | None, key: str) -> Cell:
    """A score of the paper."""
    if score is None:
        return NO_VALUE
    return thousands(score) if key == "tokens" else Score(score, digits=2)


def thousands(tokens: float) -> str:
    """Tokens as the paper writes them.

    >>> thousands(88_900), thousands(11_600_000)
    ('88.9k', '11.6M')
    """
    return f"{tokens / 1e6:.1f}M" if tokens >= 1e6 else f"{tokens / 1e3:.1f}k"


def headings_of(keys: Sequence[str]) -> list[str]:
    """The headings of columns."""
    return [ALL_HEADINGS[key] for key in keys]
