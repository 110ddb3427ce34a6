"""The table of one test set for a terminal of any width."""

from collections.abc import Sequence
from typing import Any

from bap_v2_dataset.leaderboard.board import HEADINGS, headings_of, lines_of
from bap_v2_dataset.tables.cells import Line, ScoreTable

_SUBMITTER = HEADINGS.index("Submitted by")
_TEXTS = (0, 1, _SUBMITTER)  # at the left


def terminal_table(name: str, records: Sequence[dict[str, Any]]) -> ScoreTable:
    """The records of a test set, the best first; who submitted them only if somebody is named."""
    is_named = any(record["submitter"] for record in records)
    texts = [position for position in _TEXTS if is_named or position != _SUBMITTER]
    order = [*texts, *(position for position in range(len(HEADINGS)) if position not in _TEXTS)]
    headings = headings_of(records)
    return ScoreTable(
        "leaderboard", name, [headings[position] for position in order],
        [Line([line[position] for position in order]) for line in lines_of(records)], n_texts=len(texts),
    )  # fmt: skip
