"""The paper's tables as data: as printed, and their columns agree with each other."""

import pytest

from bap_v2_dataset.tasks.plancraft.paper import HEADINGS, TABLE_2, TABLE_3, TABLE_5, TABLE_6, TABLE_7


def test_the_tables_are_whole():
    assert [len(table) for table in (TABLE_2, TABLE_3, TABLE_5, TABLE_6, TABLE_7)] == [31, 7, 16, 16, 2]
    assert {row.tools for row in TABLE_2} == {"M S", "M S T", "M S T I", "M S T SE", "M S T SE I"}
    assert all(row.scores.keys() == set(HEADINGS) for row in (*TABLE_2, *TABLE_7))


@pytest.mark.parametrize(
    "tools, model, key, value",
    [
        ("M S", "Llama 8B", "turns", 29.06),
        ("M S T I", "Gemma 27B", "impossible_f1", 0.34),
        ("M S T SE", "Llama 70B", "easy_success", 0.91),
        ("M S T SE I", "gpt-4o-mini", "ae_turns", 5.12),
        ("M S T SE I", "Llama 8B FT", "impossible", None),
        ("M S", "Qwen3 30B A3B", "tokens", 93_600),
    ],
)
def test_cells_are_as_printed(tools, model, key, value):
    (row,) = [row for row in TABLE_2 if (row.tools, row.model) == (tools, model)]
    assert row.scores[key] == value
