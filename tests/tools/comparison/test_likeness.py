"""How like people's turns others are: what is counted in a turn, and classifiers that tell corpora apart."""

import pytest
from comparison.features import given_away
from comparison.figures import Words, figures
from comparison.phenomena import GROUPS, PHENOMENA, phenomena
from comparison.positions import PositionStatistics
from comparison.telling_apart import (
    ACTION_FEATURES,
    BOARD_FEATURES,
    TEXTS,
    action_features,
    auc_of_actions,
    auc_of_texts,
)
from comparison.turns import Turn
from likeness import printed

ROW = ["red 0 1 0", "red 1 1 0", "red 2 1 0"]
HISTORY = ["<Architect> a red row", "place red 0 1 0", "place red 1 1 0", "place red 2 1 0"]


def turn(*dialogue: str, before=(), after=(), history=(), game="game-0", number=0) -> Turn:
    """A turn of which the rest is empty."""
    columns = {"game_id": game, "dialogue": dialogue, "history": history, "before": before, "after": after}
    return Turn.of(columns, number)


@pytest.mark.parametrize(
    ("dialogue", "after", "expected"),
    [
        (["<Architect> one on each side"], [*ROW, "red -1 1 0", "red 3 1 0"], "AD"),
        (["<Architect> no, other way"], ["red 0 1 0", "red 0 2 0", "red 0 3 0"], "BD"),
        (["<Builder> like this?", "<Architect> yes"], [*ROW, "red 3 1 0"], "CD"),
        (["<Builder> on it"], [*ROW, "red 3 1 0"], "C"),
        (["<Architect> remove the middle of the red row"], ["red 0 1 0", "red 2 1 0"], "BE"),
        (["<Architect> connect it with blue until the orange one"], [*ROW, "blue 3 1 0"], "F"),
        (["<Architect> two red blocks towards the middle of it"], [*ROW, "red 0 1 1"], "G"),
        (["<Architect> now it looks like a table with a red leg"], [*ROW, "red 0 2 0"], "H"),
        (["<Architect> put a red block next to the last red block"], [*ROW, "red 3 1 0"], "I"),
        (["<Architect> put a red block on the last red block"], [*ROW, "red 2 2 0"], ""),
    ],
)  # fmt: skip
def test_words_and_actions_say_the_group(dialogue, after, expected):
    found = phenomena(turn(*dialogue, before=ROW, after=after, history=HISTORY))
    assert "".join(name for name in found if name in GROUPS) == expected
    assert ("any" in found) == bool(expected)
    assert {*found} - {*GROUPS, "any"} <= set(PHENOMENA)


def test_every_pattern_of_words_begins_and_ends_with_a_word():
    said = {name for name, (group, _) in PHENOMENA.items() if group == "H"}
    assert not said & set(phenomena(turn("<Architect> the legal baseline", after=ROW)))


def test_figures_counted_by_hand():
    people = [turn("<Architect> put it right there", before=ROW, after=[*ROW, "red 3 1 0"])] * 30
    simulated = [
        turn("<Architect> put it rihgt there?", before=ROW, after=[*ROW, "red 3 1 0"], history=HISTORY),
        turn("<Architect> ok", "<Architect> undo", before=ROW, after=["red 0 1 0"]),
    ]
    numbers = figures(simulated, Words(people))
    assert numbers["a slip of typing"] == numbers["a question mark"] == numbers["only removals"] == 0.5
    assert numbers["removals among the net actions"] == 2 / 3
    assert numbers["net actions a turn: mean"] == "1.50"
    assert numbers["placed: a block touches an older one by a face"] == 1.0
    assert numbers["placed: single"] == 1.0 and numbers["words an utterance: mean"] == "2.0"


def test_positions_are_those_of_first_blocks_last_boards_and_all_that_is_placed():
    games = [
        turn(after=["red 1 1 0"], game="a"),
        turn(before=["red 1 1 0"], after=["red 1 1 0", "red 5 1 0"], game="a"),
        turn(after=["red -2 1 0"], game="b"),
    ]
    statistics = PositionStatistics()
    for one in games:
        statistics.add(one)
    numbers = statistics.numbers()
    assert (numbers["first_block"], numbers["board"]) == (0.5, 0.0)
    assert [numbers[f"out_{way}"] for way in ("0_1", "2_3", "4_5")] == [pytest.approx(1 / 3)] * 3


def corpus(text: str, x: int) -> list[Turn]:
    """Sixty turns that say and build nearly the same."""
    return [
        turn(f"<Architect> {text} {n % 7} {n % 3}", after=[f"red {x} {1 + n % 4} {n % 5}"], game=f"{text}{n % 20}")
        for n in range(60)
    ]


def test_classifiers_tell_apart_what_differs_and_nothing_else():
    one, same, other = corpus("a block", 0), corpus("a block", 0), corpus("some brick", 4)
    for texts in TEXTS.values():
        assert auc_of_texts(one, other, texts) > 0.99
        assert auc_of_texts(one, same, texts) == pytest.approx(0.5, abs=0.1)
    for board in (False, True):
        assert auc_of_actions(one, other, board) > 0.99
        assert auc_of_actions(one, same, board) == pytest.approx(0.5, abs=0.1)
    assert len(action_features(one[0])) == len(ACTION_FEATURES) + len(BOARD_FEATURES)


def test_a_share_that_is_not_within_a_third_of_peoples_is_marked_and_lines_fit_80_columns():
    people = {"a share with a name that is longer than most of the others have": 0.3, "none": 0.0, "words": "8.1"}
    tables = {"people": people, "dh": {**dict.fromkeys(people, 0.19), "words": "9.0"}}
    lines = list(printed(tables))
    assert [line.split()[-3:] for line in lines[:2]] == [["30.0%", "19.0%!", "x0.63"], ["none", "0.00%", "19.0%"]]
    assert lines[2].split() == ["words", "8.1", "9.0"]
    assert [line.split()[-1] for line in printed({**tables, "dr": people})] == ["30.0%", "0.00%", "8.1"]
    assert max(map(len, lines)) <= 80


def test_what_gives_away_names_words_characters_kinds_and_numbers():
    lines = "\n".join(given_away(corpus("a block", 0), corpus("some brick", 4)))
    assert "some brick 1000/0" in lines and "a block 0/1000" in lines
    assert "  any " in lines and f"{'  max |x|':50}{1:6.2f}{0:12.2f}{4:12.2f}" in lines
