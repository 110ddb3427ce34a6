"""Kinds of people's instructions: rules over words, beside what a reader found in 120 validation items."""

from pathlib import Path

import orjson
import pytest
from case_tables import cases_of

from bap_v2_dataset.items.rows import row
from bap_v2_dataset.tasks.building.kinds_of_instruction import KINDS, kinds_of_instruction

READ = Path(__file__).with_name("kinds_read_by_hand.json")


@pytest.mark.parametrize(
    "said, kinds",
    cases_of(__file__, "kinds"),
)
def test_words_name_the_kinds(said, kinds):
    assert kinds_of_instruction({"before": [], "after": ["red 0 1 0"], "dialogue": said}) == tuple(kinds)


def test_what_is_taken_away_counts_whatever_is_said():
    columns = {"before": ["red 0 1 0"], "after": ["blue 0 1 0"], "dialogue": ["<Architect> a blue one on the left"]}
    assert kinds_of_instruction(columns) == ("removes or changes",)


def test_rules_agree_with_a_reader(mdc_items):
    read = orjson.loads(READ.read_bytes())
    rows = [columns for columns in map(row, mdc_items["validation"]) if columns["id"] in read]
    assert len(rows) == len(read) == 120
    kinds = [(read[columns["id"]], kinds_of_instruction(columns)) for columns in rows]
    named = set(KINDS) & {kind for kinds_read in read.values() for kind in kinds_read}
    assert len(named) == 5
    for kind in named:
        assert _kappa([(kind in by_hand, kind in by_rule) for by_hand, by_rule in kinds]) > 0.6, kind


def _kappa(pairs: list[tuple[bool, bool]]) -> float:
    """Cohen's."""
    n = len(pairs)
    agreed = sum(one == other for one, other in pairs) / n
    one, other = (sum(pair[side] for pair in pairs) / n for side in (0, 1))
    expected = one * other + (1 - one) * (1 - other)
    return (agreed - expected) / (1 - expected)
