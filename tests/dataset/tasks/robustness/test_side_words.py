"""The words of the mirrored item: left and right change places where they are directions, and nowhere else."""

import json
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_dataset.augmentation.mirroring import SIDE_WORD
from bap_v2_dataset.tasks.robustness import side_words
from bap_v2_dataset.tasks.robustness.side_words import (
    CLASSES,
    MIRROR_TOKENS,
    counts_columns,
    line_digest,
    mirrored_lines,
    names_a_chiral_figure,
    read_classes,
)
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.game import Utterance, read_games
from bap_v2_simulators.simulation import play
from bap_v2_simulators.wording.phrases import mirror_image, tables, text_of

SAID_BY_PEOPLE = [
    ("place it to the left of the red one", "place it to the right of the red one"),
    ("the RIGHT-most, then two to its left", "the LEFT-most, then two to its right"),
    ("that's right, now right on top of the left end", "that's right, now right on top of the right end"),
    ("alright, it stands upright", "alright, it stands upright"),
    ("one to its right, on its rightmost block", "one to its left, on its leftmost block"),
]
SAID_BY_SIMULATORS = [
    ("two blocks left of it, right on top of the red one", "two blocks right of it, right on top of the red one"),
    ("the block you just left", "the block you just left"),
    ("is that right?", "is that right?"),
    ("right there?", "right there?"),
    ("right", "left"),
    ("one right and one behind", "one left and one behind"),
    ("put it right behind the right end", "put it right behind the left end"),
    # Where a side follows, "right" is "directly"; `dh` does not say so, and nothing else does yet.
    ("same again right to the left of it", "same again right to the right of it"),
    ("do that again right on its right side", "do that again right on its left side"),
]


@pytest.mark.parametrize("text, expected", SAID_BY_PEOPLE)
def test_directions_of_people_change_and_nothing_else(text, expected):
    assert mirrored_lines([f"<Architect> {text}"], human=True) == (f"<Architect> {expected}",)


@pytest.mark.parametrize("text, expected", SAID_BY_SIMULATORS)
def test_directions_of_simulators_change_and_nothing_else(text, expected):
    assert mirrored_lines([f"<Builder> {text}"], human=False) == (f"<Builder> {expected}",)


@pytest.mark.parametrize(
    "text",
    [
        "is it 5 blocks left?", "to the rigth of it", "the topright one", "it goes to the eleft", "rright above it",
        "a right-angle",
    ],
)  # fmt: skip
def test_one_line_that_nobody_can_mirror_leaves_none(text):
    assert mirrored_lines(["<Architect> hi", f"<Architect> {text}"], human=True) is None


@pytest.mark.parametrize(
    "text",
    [
        "an L shape", "like a 7", "the 6 is behind it", 'make that into a "c"', "a big S on the ground", "the blue e",
        "it is an arrow", "a question mark", "turn it clockwise", "put it on the (3,3) one", "now the E.", "an s-shape",
    ],
)  # fmt: skip
def test_figures_that_look_different_in_a_mirror(text):
    assert names_a_chiral_figure(["<Builder> ok", f"<Architect> {text}"])


@pytest.mark.parametrize(
    "text",
    [
        "k", "c", "u r right", "my b", "looks good :D", "ctrl C", "a T", "the A", "like an 8", "a 4x4 square",
        "the 4 corner blocks", "the 3 yellow ones", "like a 3 by 3 square", "an upside down V", "3 more", "don't",
    ],
)  # fmt: skip
def test_figures_and_words_that_do_not(text):
    assert not names_a_chiral_figure([f"<Architect> {text}"])


@pytest.mark.slow
def test_blocks_that_are_left_to_place_are_no_side(mdc_games):
    said = "<Architect> 2 more purple blocks left place 1 5 spaces above the left most yellow blocks"  # game C67
    assert mirrored_lines([said], human=True)[0] == said.replace("the left", "the right")


def test_every_phrase_of_the_simulators_is_mirrored_as_its_table_is():
    # Tables are written for the left, and those for the right are made of them: a written "right" is not a direction.
    found = {name: {text_of(option) for option in table} for name, table in tables().items()}
    del found["SUPERLATIVE_NAMES"]  # of which no word is said
    for name in [name for name in found if name.endswith(".right")]:  # with counts of its own
        assert found.pop(name) == {mirror_image(phrase) for phrase in found[name.replace(".right", ".left")]}
    phrases = set().union(*found.values())
    lefts = {phrase for phrase in phrases if "left" in phrase}
    others = {phrase for phrase in phrases if SIDE_WORD.search(phrase)} - lefts
    assert (len(lefts) > 50, len(others) > 5) == (True, True)
    for phrase in lefts:
        assert mirrored_lines([f"<Architect> {phrase}"], human=False) == (f"<Architect> {mirror_image(phrase)}",)
        assert mirrored_lines([f"<Architect> {mirror_image(phrase)}"], human=False) == (f"<Architect> {phrase}",)
    for phrase in (phrase.replace("{pp}", "behind it") for phrase in others):
        assert mirrored_lines([f"<Architect> {phrase}"], human=False) == (f"<Architect> {phrase}",)


@pytest.mark.parametrize("name, games", [("dr", 10), ("dsb", 20), ("dss", 40)])
def test_every_line_of_the_simulators_comes_back_from_the_mirror(name, games):
    changed = 0
    for index in range(games):
        events = play(simulator_of(name), "test", index).events
        lines = [str(event) for event in events if isinstance(event, Utterance)]
        mirrored = mirrored_lines(lines, human=False)
        assert mirrored_lines(mirrored, human=False) == tuple(lines)
        changed += sum(line != other for line, other in zip(lines, mirrored, strict=True))
    assert changed > games


WORDS = st.sampled_from(
    [
        "left", "right", "Left", "RIGHT", "leftmost", "right-hand", "lefts", "to", "the", "your", "of", "on", "top",
        "just", "that's", "is", "all", ",", "?", "!", "two", "blocks", "it", "go", "up", "and", "you", "now", "there",
        "rigth",
    ]
)  # fmt: skip


@given(st.lists(WORDS, max_size=12).map(" ".join), st.booleans())
def test_whatever_is_said_comes_back_from_the_mirror_or_has_no_image(text, human):
    line = f"<Builder> {text}"
    if (mirrored := mirrored_lines([line], human)) is not None:
        assert mirrored_lines(mirrored, human) == (line,)


@pytest.mark.parametrize(
    ("text", "counted"),
    [
        ("2nd column: red, empty", True), ("4th: blue, red", True), ("3rd is yellow, 2 empty, yellow", True),
        ("1 empty 3 red", True), ("the second column", True), ("column 4: 4 blue", True),
        ("a red column of 3", False), ("the 4th block", False), ("2 empty spaces", False), ("a column 4 high", False),
        ("second, a blue one", False),
    ],
)  # fmt: skip
def test_columns_that_are_counted_from_the_left(text, counted):
    assert counts_columns(["<Builder> ok", f"<Architect> {text}"]) == counted


# --- the words that were read


@pytest.fixture(scope="module")
def records() -> list[dict]:
    return [json.loads(line) for line in MIRROR_TOKENS.read_text(encoding="utf-8").splitlines()]


def test_the_file_of_read_words_holds_a_class_for_each_place_and_no_text(records):
    assert all(set(record) - {"mirrored"} == {"line", "offset", "class"} for record in records)
    assert all(re.fullmatch("[0-9a-f]{16}", record["line"]) and record["class"] in CLASSES for record in records)
    assert len({(record["line"], record["offset"]) for record in records}) == len(records)
    counts = Counter(record["class"] for record in records if "mirrored" not in record)
    assert counts == {"direction": 446, "other": 58, "undecided": 1}  # as bap_v2_dataset/data/README.md says


def test_a_reader_may_know_better_than_the_rules_by_the_line_before(monkeypatch):
    read = {
        line_digest("<Architect> right", "<Architect> so add another to the left"): {0: True},
        line_digest("<Architect> left", "<Architect> so add another to the right"): {0: True},
        line_digest("<Builder> is it over the left ?"): {15: False},
    }
    monkeypatch.setattr(side_words, "read_classes", lambda: read)
    said = ["<Architect> so add another to the left", "<Architect> right"]
    assert mirrored_lines(said, human=True) == ("<Architect> so add another to the right", "<Architect> left")
    assert mirrored_lines(["<Architect> so add one", "<Architect> right"], human=True) is None
    assert mirrored_lines(["<Builder> is it over the left ?"], human=True) == ("<Builder> is it over the left ?",)


@pytest.mark.slow
def test_every_left_and_right_of_the_human_test_games_was_read(mdc_games, records):
    missing, used, undecided = [], set(), 0
    for game in read_games(mdc_games.file("test")):
        lines = [str(event) for event in game.events if isinstance(event, Utterance)]
        for previous, line in zip(("", *lines), lines):
            offsets = {match.start() for match in SIDE_WORD.finditer(line.partition(" ")[2])}
            if not offsets:
                continue
            found = [name for name in (line_digest(line, previous), line_digest(line)) if name in read_classes()]
            if not found or set(read_classes()[found[0]]) != offsets:
                missing.append(line)
            used.update(found[:1])
            undecided += None in read_classes()[found[0]].values()
    assert missing == []
    assert {record["line"] for record in records if "mirrored" not in record} <= used
    assert undecided == 1


@pytest.mark.slow
def test_human_test_games_come_back_from_the_mirror(mdc_games):
    games = without = 0
    for game in read_games(mdc_games.file("test")):
        lines = tuple(str(event) for event in game.events if isinstance(event, Utterance))
        games += 1
        if (mirrored := mirrored_lines(lines, human=True)) is None:
            without += 1
        else:
            assert mirrored_lines(mirrored, human=True) == lines
    assert (games, without) == (137, 1)
