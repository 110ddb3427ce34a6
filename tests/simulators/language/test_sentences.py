"""Numbers and articles as they are typed."""

import pytest

from bap_v2_simulators.language.sentences import article, number_word


@pytest.mark.parametrize(
    ("number", "word"), [(1, "one"), (2, "two"), (3, "three"), (9, "nine"), (10, "ten"), (11, "11"), (20, "20")]
)
def test_numbers_are_words_up_to_ten(number, word):
    assert number_word(number) == word


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a orange block", "an orange block"), ("a red block", "a red block"), ("one orange block", "one orange block")],
)
def test_articles(text, expected):
    assert article(text) == expected
