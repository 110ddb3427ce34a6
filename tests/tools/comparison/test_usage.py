"""How often words are used: counted by hand in a few sentences, and the known figures of the human corpus."""

import pytest
from comparison.language import words_of
from comparison.numbers import human_games
from comparison.usage import PLACE_WORDS, HumanWords, human_words, trigrams_of, usage

SPOKEN = (
    "put a red block on top of the blue one",
    "place two blocks in front of it",
    "hang a green block behind the blue one in the middle, then remove the red one starting two below it",
    "add one more to the left of both ends",
)


def test_usage_counted_by_hand():
    numbers = usage(SPOKEN)
    assert numbers["placing_verbs"] == {"add": 1, "hang": 1, "place": 1, "put": 1}  # and no "remove"
    assert numbers["plain_verbs"] == 0.75
    assert numbers["verb_entropy"] == 2.0
    assert numbers["on_top_of"] == numbers["in_front_of"] == numbers["behind"] == 1.0
    assert (numbers["depth_mentions"], numbers["side_mentions"], numbers["depth"]) == (2, 1, 2.0)
    words = {word: count for word, count in numbers["place_words"].items() if count}
    assert words == {"middle": 250.0, "both": 250.0, "end": 250.0}
    assert numbers["unseen_words"] is None and numbers["novel_trigrams"] is None


def test_words_and_trigrams_that_people_do_not_use():
    human = HumanWords(
        frozenset(words_of("put a red block on top of the blue one")),
        frozenset(trigrams_of(words_of("put a green block on top of the blue one"))),
    )
    numbers = usage(["put a red block on top of the blue one", "slap a red block on top"], human)
    assert numbers["unseen_words"] == 0.5
    assert numbers["novel_trigrams"] == pytest.approx(1 / 12)  # "slap a C": colors are masked
    assert usage(["slap"], human, held_out=["put a block"])["unseen_words"] == 0.0


def test_of_no_instructions_there_are_no_shares():
    numbers = usage([], HumanWords(frozenset(), frozenset()))
    assert {name for name, value in numbers.items() if value is None} == {
        "plain_verbs", "unseen_words", "novel_trigrams", "on_top_of", "in_front_of", "behind", "depth",
    }  # fmt: skip
    assert set(numbers["place_words"]) == set(PLACE_WORDS)


def test_words_of_people_leave_out_the_validation_games(mdc_games):
    games = [game for game in human_games(mdc_games) if game.split != "train"]
    human = human_words(games)
    assert human.words == human_words(game for game in games if game.split == "test").words
    assert len(human.words) > 1000 and not human.trigrams  # trigrams are those of train
