"""The tables of words: all are picked, every template can be filled in, no phrase says two things, left is as right."""

import ast
import json
import re
from importlib import resources
from itertools import chain
from pathlib import Path
from string import Formatter

import pytest

import bap_v2_simulators
from bap_v2_simulators import wording
from bap_v2_simulators.view import Direction
from bap_v2_simulators.wording.phrases import Phrases, mirror_image, table, tables

LISTED = json.loads(resources.files(wording).joinpath("phrases.json").read_text(encoding="utf-8"))
PARTS = {name: entry["of"] for name, entry in LISTED.items() if "of" in entry}
DIRECTIONS = {direction.value for direction in Direction}

PLACEHOLDERS = {"x", "h", "y", "r", "c", "n", "m", "v", "g", "np", "pp", "d", "f", "s", "l", "at", "to", "a", "b",
                "going", "corner", "o", "t", "w", "z", "p", "e", "u", "first", "second", "steps"}  # fmt: skip


def test_names_are_in_order_and_none_is_listed_twice():
    text = resources.files(wording).joinpath("phrases.json").read_text(encoding="utf-8")
    names = [name for name, _ in json.loads(text, object_pairs_hook=list)]
    assert names == sorted(set(names))


def families(name: str) -> list[str]:
    """What the name begins with: BESIDE of "BESIDE.left"."""
    parts = name.split(".")
    return [".".join(parts[:number]) for number in range(1, len(parts))]


def members(of: str) -> set[str]:
    """What follows in the names of a family, on both sides."""
    own = {name.removeprefix(f"{of}.") for name in LISTED if of in families(name)}
    return own | set(map(mirror_image, own))


def names_in_code() -> dict[str, str]:
    """(pattern, where) of all texts in the simulators that are written as names of tables are: `BESIDE\\..*`."""
    found = {}
    for path in Path(bap_v2_simulators.__path__[0]).rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        nodes = list(ast.walk(ast.parse(text))) if "bap_v2_simulators.language" in text else []
        inside = {part for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in nodes:
            parts = node.values if isinstance(node, ast.JoinedStr) else [] if node in inside else [node]
            texts = [str(part.value) if isinstance(part, ast.Constant) else None for part in parts]
            pattern = "".join(".*" if text is None else re.escape(text) for text in texts)
            if re.fullmatch(r"(\.\*_)?[A-Z][A-Z_]*[A-Z](\.\*|\\\..*)?", pattern):
                found[pattern] = f"{path.name}:{node.lineno}"
    return found


def test_every_name_in_the_code_is_that_of_a_table_or_a_family():
    names = {*LISTED, *map(mirror_image, LISTED), *chain(*map(families, LISTED))}
    names |= {f"{part}.{member}" for part, whole in PARTS.items() for member in members(whole)}
    assert not {
        pattern: where
        for pattern, where in names_in_code().items()
        if not any(re.fullmatch(pattern, name) for name in names)
    }


def test_every_table_is_picked_somewhere():
    patterns = [re.compile(pattern) for pattern in names_in_code()]

    def is_picked(name: str) -> bool:
        parts = (part for part, whole in PARTS.items() if whole in (name, *families(name)))
        names = (name, mirror_image(name), *families(name), f"{name}.left", *parts)
        return any(pattern.fullmatch(one) for one in names for pattern in patterns)

    assert not [name for name in LISTED if not is_picked(name)]


def test_a_part_and_a_mirror_image_follow_from_a_table():
    assert list(table("PLAIN_YES")) == ["yes", "yep", "yeah", "yup"]
    assert "towards you from {r}" in table("BESIDE.front") and "towards you from {r}" not in table("PLAIN_BESIDE.front")
    assert table("BESIDE.right").counts == table("BESIDE.left").counts
    assert table("SEVERAL_BESIDE.right").options == ("to the right of {r}",)
    assert table("BUILD_VERBS").tail == 0.3 and table("ASKED").counts == (1,)
    with pytest.raises(KeyError):
        table("NO_SUCH_TABLE")


@pytest.mark.parametrize("name", tables())
def test_every_template_can_be_filled_in(name):
    for option in tables()[name]:
        for text in (option,) if isinstance(option, str) else option:
            fields = {field for _, field, _, _ in Formatter().parse(text) if field is not None}
            assert fields <= PLACEHOLDERS, text
            filled = text.format(**dict.fromkeys(fields, "xy"))
            assert not set("{}") & set(filled)
            assert "  " not in filled and filled == filled.rstrip(), text


def by_direction() -> dict[str, dict[str, Phrases]]:
    """The tables of families with one for each direction, or pair of directions."""
    wholes = {name: name for name in chain(*map(families, LISTED))}
    wholes |= {part: whole for part, whole in PARTS.items() if whole in wholes}
    return {
        name: {member: table(f"{name}.{member}") for member in sorted(members(whole))}
        for name, whole in wholes.items()
        if all(DIRECTIONS.issuperset(member.split("+")) for member in members(whole))
    }


@pytest.mark.parametrize("name", sorted(by_direction()))
def test_no_phrase_of_a_table_is_listed_under_two_directions(name):
    owner = {}
    for key, phrases in by_direction()[name].items():
        for text in phrases:
            assert owner.setdefault(text, key) == key, text


@pytest.mark.parametrize("name", sorted(by_direction()))
def test_right_is_said_as_left_and_as_often(name):
    tables_of = by_direction()[name]
    for key, phrases in tables_of.items():
        other, image = tables_of[mirror_image(key)], phrases.mirrored()
        if mirror_image(key) != key:
            assert dict(zip(image.options, image.counts)) == dict(zip(other.options, other.counts))


def test_there_are_tables_by_direction():
    without = {"CORNERS": {"front", "behind"}, "ASIDE_TO": {"top", "bottom"}}  # no corner is in depth, aside is level
    for name in ("BESIDE", "PLAIN_BESIDE", "FIRST_OF_TWO", "GOING", "STEPS_FROM", "WAYS", "ENDS", *without):
        said = {part for key in by_direction()[name] for part in key.split("+")}
        assert said == DIRECTIONS - without.get(name, set()), name


def test_no_superlative_is_said_as_another():
    owner = {}
    for name in table("SUPERLATIVE_NAMES"):
        for where in ("after",) if name.endswith("by distance") else ("before", "after"):
            for text in table(f"SUPERLATIVES.{name}.{where}"):
                assert owner.setdefault(text, name) == name, text


def test_no_shape_is_called_as_another():
    owner = {}
    for kind in ("row", "diagonal", "plane"):
        names = {way: set(table(f"SHAPE_NAMES.{kind}.{way}")) for way in members(f"SHAPE_NAMES.{kind}")}
        for text in set().union(*names.values()):
            assert owner.setdefault(text, kind) == kind, text
        assert names["up"].isdisjoint(names["flat"])  # a name that says "up" does not name what lies flat
