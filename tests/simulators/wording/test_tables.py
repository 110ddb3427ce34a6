"""The tables of words: every template can be filled in, no phrase says two things, left is said as right."""

from string import Formatter

import pytest

from bap_v2_simulators.view import Direction
from bap_v2_simulators.wording import places
from bap_v2_simulators.wording.phrases import Phrases, tables
from bap_v2_simulators.wording.references import SUPERLATIVES
from bap_v2_simulators.wording.shapes import SHAPE_NAMES

PLACEHOLDERS = {"x", "y", "r", "c", "n", "m", "v", "g", "np", "pp", "d", "f", "s", "l", "at", "to", "a", "b", "going",
                "corner", "o", "t", "z", "p", "e", "u", "first", "second", "steps"}  # fmt: skip


@pytest.mark.parametrize("name", tables())
def test_every_template_can_be_filled_in(name):
    for option in tables()[name]:
        for text in (option,) if isinstance(option, str) else option:
            fields = {field for _, field, _, _ in Formatter().parse(text) if field is not None}
            assert fields <= PLACEHOLDERS, text
            filled = text.format(**dict.fromkeys(fields, "xy"))
            assert not set("{}") & set(filled)
            assert "  " not in filled and filled == filled.rstrip(), text


def by_direction() -> dict[str, dict]:
    """The tables of places, one for each direction or pair of directions."""
    return {
        name: table
        for name, table in vars(places).items()
        if isinstance(table, dict)
        and table
        and all(isinstance(part, Phrases) for part in table.values())
        and all(isinstance(part, Direction) for key in table for part in directions_of(key))
    }


def directions_of(key) -> tuple:
    return key if isinstance(key, tuple) else (key,)


def mirrored(key):
    swap = {Direction.LEFT: Direction.RIGHT, Direction.RIGHT: Direction.LEFT}
    return tuple(swap.get(part, part) for part in key) if isinstance(key, tuple) else swap.get(key, key)


@pytest.mark.parametrize("name", by_direction())
def test_no_phrase_of_a_table_is_listed_under_two_directions(name):
    owner = {}
    for key, phrases in by_direction()[name].items():
        for text in phrases:
            assert owner.setdefault(text, key) == key, text


@pytest.mark.parametrize("name", by_direction())
def test_right_is_said_as_left_and_as_often(name):
    table = by_direction()[name]
    for key, phrases in table.items():
        other, image = table[mirrored(key)], phrases.mirrored()
        if mirrored(key) != key:
            assert dict(zip(image.options, image.counts)) == dict(zip(other.options, other.counts))


def test_there_are_tables_by_direction():
    assert {"BESIDE", "GOING", "CORNERS"} <= by_direction().keys()
    without = {
        "CORNERS": {Direction.FRONT, Direction.BEHIND},  # no corner lies in depth
        "ASIDE_TO": {Direction.TOP, Direction.BOTTOM},  # aside is level
    }
    for name, table in by_direction().items():
        said = {part for key in table for part in directions_of(key)}
        assert said == set(Direction) - without.get(name, set()), name


def test_no_superlative_is_said_as_another():
    owner = {}
    for name, texts in SUPERLATIVES.items():
        for text in (text for table in texts if table for text in table):
            assert owner.setdefault(text, name) == name, text


def test_no_shape_is_called_as_another():
    owner = {}
    for (kind, upright), (plain, upward) in SHAPE_NAMES.items():
        assert (plain or upward) and bool(upward) == upright
        for text in {*(plain or ()), *(upward or ())}:
            assert owner.setdefault(text, kind) == kind, text
        for text in upward or ():  # a name that says "up" does not name what lies flat
            assert text not in SHAPE_NAMES[kind, False][0]
