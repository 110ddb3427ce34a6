"""The numbers of `comparison` as tables: those of docs/data/comparison.md."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from bap_v2_dataset.tables.fitted import WordTable
from comparison.language import RELATIONS
from comparison.numbers import expected_kinds
from comparison.positions import POSITIONS, shown_position
from comparison.usage import PLACE_WORDS

NOTES = (
    "Poses: from the feet to the middle of the cell, angles from the eyes; the region's sides are at -5 and 6.",
    "Instructions: of simulated corpora by their dialogue act; of the human one, utterances that name a block and say "
    "where it goes or that it goes away.",
    "Words that no human Architect uses: of the human corpus, validation instructions against the words of train and "
    "test; of simulated ones, all instructions against the same words. Trigrams: against human train instructions.",
)


_LABELS = yaml.safe_load(Path(__file__).with_name("labels.yaml").read_text("utf-8"))
USAGE = _LABELS["usage"]  # of `comparison.usage`


def sizes(numbers: Mapping[str, Any]) -> list[str]:
    """What was compared: a line for each corpus."""
    return [
        f"{name}: {size['games']:,} games, {size['items']:,} items, {size['instructions']:,} instructions"
        for name, size in numbers["sizes"].items()
    ]


def tables(numbers: Mapping[str, Any]) -> list[WordTable]:
    """All tables."""
    names = list(numbers["sizes"])
    parts = [_shares_table(numbers, names), _quantiles_table(numbers, names), _positions_table(numbers, names)]
    parts.append(_language_table(numbers, names))
    return [*parts, *_usage_tables(numbers, names), _turns_table(numbers, names), _wording_table(numbers, names)]


def _table(title: str, headings: Sequence[str], left: int = 1) -> WordTable:
    table = WordTable(title=title)
    for position, heading in enumerate(headings):
        table.add_column(heading, justify="left" if position < left else "right")
    return table


def _shares_table(numbers: Mapping[str, Any], names: Sequence[str]) -> WordTable:
    table = _table("Poses", ["", *names])
    poses = [numbers["poses"][name] for name in names]
    for key, label in _LABELS["shares"].items():
        table.add_row(label, *(f"{values[key]:.1%}" if values else "" for values in poses))
    return table


def _quantiles_table(numbers: Mapping[str, Any], names: Sequence[str]) -> WordTable:
    table = _table("Poses, seen from the first block whose change lasts: median (5% to 95%)", ["", *names])
    for key, label in _LABELS["quantities"].items():
        digits = 1 if "distance" in key else 0
        cells = []
        for name in names:
            low, _, median, _, high, _ = numbers["poses"][name][key].values()
            cells.append(f"{median:z.{digits}f} ({low:z.{digits}f} to {high:z.{digits}f})")
        table.add_row(label, *cells)
    return table


def _positions_table(numbers: Mapping[str, Any], names: Sequence[str]) -> WordTable:
    table = _table("Places of the blocks", ["", *names])
    positions = [numbers["positions"][name] for name in names]
    for key, label in POSITIONS.items():
        table.add_row(label, *(shown_position(key, values[key]) if values else "" for values in positions))
    return table


def _language_table(numbers: Mapping[str, Any], names: Sequence[str]) -> WordTable:
    table = _table("Language of the items", ["", *names])
    for key, label in _LABELS["language"].items():
        values = [numbers["language"][name][key] for name in names]
        whole = key in ("utterances", "distinct", "vocabulary")
        share = key.startswith("items_with")
        table.add_row(
            label, *(f"{value:,}" if whole else f"{value:.1%}" if share else f"{value:.1f}" for value in values)
        )
    return table


def shown_usage(key: str, value: float | None) -> str:
    """A number of `USAGE` as it is printed."""
    return "" if value is None else f"{value:.2f}" if key in ("verb_entropy", "depth") else f"{value:.1%}"


def _usage_tables(numbers: Mapping[str, Any], names: Sequence[str]) -> list[WordTable]:
    usages = [numbers["usage"][name] for name in names]
    shares = _table("How often words are used: all instructions", ["", *names])
    for key, label in USAGE.items():
        shares.add_row(label, *(shown_usage(key, usage[key]) for usage in usages))
    words = _table("Words of place and quantity: instructions with them, in 1,000", ["", *names])
    for word in list(PLACE_WORDS)[:9]:
        words.add_row(word, *(f"{usage['place_words'][word]:.1f}" for usage in usages))
    return [shares, words]


def _turns_table(numbers: Mapping[str, Any], names: Sequence[str]) -> WordTable:
    table = _table("Kinds of turns: items", ["", *names])
    for kind in numbers["turns"][names[0]] if names else ():
        table.add_row(kind, *(f"{numbers['turns'][name][kind]:.1%}" for name in names))
    return table


def _wording_table(numbers: Mapping[str, Any], names: Sequence[str]) -> WordTable:
    title = f"Ways of saying the same things: {numbers['wording_sample']:,} instructions of each"
    table = _table(title, ["", *names])
    wordings = [numbers["wording"][name] for name in names]
    table.add_row("distinct utterances", *(f"{wording['distinct']:,}" for wording in wordings))
    table.add_row("verbs for placing", *(f"{len(wording['placing_verbs']):,}" for wording in wordings))
    table.add_section()
    for relation in RELATIONS:
        uses_of = [wording["relation_names"][relation] for wording in wordings]
        uses = min(sum(counts.values()) for counts in uses_of)
        kinds = (f"{expected_kinds(counts, uses):.0f}" for counts in uses_of)
        table.add_row(f"names of {relation}, in {uses:,} uses", *kinds)
    return table
