"""Where a cell is: no phrase is used for two relations, and counted steps say every number."""

import itertools
import re
from itertools import product

import pytest
from scenes import words

from bap_v2_metric.blocks import Cell
from bap_v2_simulators.language.places import beside, going_to, near_the_middle, steps_away
from bap_v2_simulators.number_words import NUMBER_WORDS
from bap_v2_simulators.view import Offset
from bap_v2_simulators.wording.phrases import table

RELATIONS = [Offset(*signs) for signs in product((-1, 0, 1), repeat=3) if any(signs)]
FLAT_OR_EDGE = [relation for relation in RELATIONS if len(relation.directions) < 3]
REFERENCE = "the reference"


def phrases(make, n=250):
    return {make(words(seed)) for seed in range(n)}


@pytest.mark.parametrize(("reference", "count"), [(REFERENCE, 1), (REFERENCE, 3), (None, 1)])
def test_no_place_phrase_is_used_for_two_relations(reference, count):
    owner = {}
    for relation in FLAT_OR_EDGE:
        for text in phrases(lambda w, relation=relation: beside(w, relation, reference, count)):
            assert owner.setdefault(text, relation) == relation, text
            assert (REFERENCE in text) == (reference is not None)
    assert len(owner) > 18 * 4


@pytest.mark.parametrize("relation", FLAT_OR_EDGE, ids=lambda relation: relation.relation)
def test_left_and_right_are_said_for_what_is_there(relation):
    for text in phrases(lambda w: beside(w, relation, REFERENCE)):
        text = re.sub(r"^right (?=on top|above|below|under|in front|behind)", "", text)  # "right behind it"
        assert bool(re.search(r"\bleft\b", text)) == (relation.left > 0), text
        assert bool(re.search(r"\bright\b", text)) == (relation.left < 0), text


def test_counted_steps_say_every_number_and_no_two_offsets_alike():
    numbers = {word: number for number, word in enumerate(NUMBER_WORDS)}
    owner = {}
    for offset in itertools.starmap(
        Offset,
        [(2, 0, 0), (-2, 0, 0), (0, 3, -1), (0, -3, 1), (2, 1, 3), (1, 2, 3), (3, -1, 2), (-4, -2, -1), (0, 0, 5)],
    ):
        for reference in (REFERENCE, None):
            for text in phrases(lambda w, o=offset, r=reference: steps_away(w, o, r)):
                tokens = [numbers.get(word, word) for word in re.findall(r"[a-z]+|\d+", text)]
                counts = [int(word) for word in tokens if str(word).isdigit()]
                assert sorted(counts) == sorted(abs(part) for part in offset if part), text
                assert owner.setdefault(text, offset) == offset, text


def test_no_direction_from_the_builder_is_said_as_another():
    owner = {}
    for relation in FLAT_OR_EDGE:
        for text in phrases(lambda w, relation=relation: going_to(w, relation.directions)):
            assert owner.setdefault(text, relation) == relation, text


def single(relation):
    return phrases(lambda w: beside(w, relation, REFERENCE)) | phrases(lambda w: beside(w, relation, None))


@pytest.mark.parametrize("relation", FLAT_OR_EDGE, ids=lambda relation: relation.relation)
def test_words_that_mean_something_else_are_not_used_of_a_neighbor(relation):
    for text in single(relation):
        # "a diagonal" is three blocks and more, blocks have no edges, "back" and "wide" are no offsets.
        assert not re.search(r"\b(diagonal|edges?|faces?|wide|deep|back(?! of))\b", text), text


@pytest.mark.parametrize("relation", FLAT_OR_EDGE, ids=lambda relation: relation.relation)
def test_several_blocks_go_on_in_a_direction_that_is_said_or_in_the_plain_form(relation):
    plain = r"(?:to the left of|to the right of|in front of|behind|on top of|above|under|underneath|beneath|below)"
    going = {text for direction in relation.directions for text in table(f"GOING.{direction.value}")}
    heard = phrases(lambda w: beside(w, relation, REFERENCE, 3))
    assert len(heard) > 6
    for text in heard:
        assert not re.search(r"\b(directly|right (?=on|behind|in)|side|next|touching|attached|off|one)\b", text), text
        if re.fullmatch(rf"{plain} {REFERENCE}", text):
            continue
        if relation.up and len(relation.directions) == 1 and re.search("stack|column|vertical", text):
            continue
        assert any(re.search(rf"\b{way}\b", text) for way in going), text


def test_on_top_of_behind_and_in_front_of_are_said_as_people_say_them():
    above = [beside(words(seed), Offset(1, 1, 0), REFERENCE) for seed in range(600)]
    assert 0.25 < sum("on top of" in text for text in above) / 600 < 0.45
    assert sum("diagonally" in text for text in above) > 100
    for offset, name in (
        (Offset(0, 1, 0), "on top of"),
        (Offset(0, 0, 1), "behind"),
        (Offset(0, 0, -1), "in front of"),
    ):
        straight = [beside(words(seed), offset, REFERENCE) for seed in range(300)]
        assert sum(name in text for text in straight) > 180


def test_the_middle_is_said_where_it_is():
    near = [near_the_middle(words(seed), [Cell(2, 1, -2)]) for seed in range(200)]
    assert 0.4 < sum(near) / len(near) < 0.8
    assert not any(near_the_middle(words(seed), [Cell(3, 1, 0)]) for seed in range(200))
    row_around_it = [Cell(x, 1, 1) for x in range(-3, 4)]
    assert any(near_the_middle(words(seed), row_around_it) for seed in range(20))
    assert not any(near_the_middle(words(seed), [Cell(x, 1, 4) for x in range(-3, 4)]) for seed in range(200))


@pytest.mark.parametrize("up", [1, -1])
def test_rows_and_lines_are_level(up):
    said = {beside(words(seed), Offset(0, up, 0), "the block", 3) for seed in range(400)}
    assert len(said) > 5
    assert not [text for text in said if re.search(r"(?<!vertical )\b(?:row|line)\b", text)]
