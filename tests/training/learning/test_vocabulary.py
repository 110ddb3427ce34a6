"""Words of dialogue as numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_training.errors import UsageError
from bap_v2_training.learning.vocabulary import Vocabulary, tokens_of


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Isn't that 2 REDS?", "is n't that 2 reds ?"),
        ("can't", "ca n't"),
        ("we\N{RIGHT SINGLE QUOTATION MARK}ll see", "we 'll see"),
        ("a 3x3x2 cube", "a 3 x 3 x 2 cube"),
        ("next to it..then", "next to it .. then"),
        ("the 'selected' one", "the ' selected ' one"),
        ("left-most, ok :)", "left - most , ok : )"),
    ],
)
def test_text_is_cut_into_words_numbers_and_marks(text, tokens):
    assert tokens_of(text) == tokens.split()


@given(st.text())
def test_only_white_space_and_further_dots_are_lost(text):
    kept = "".join(tokens_of(text)).replace(".", "")
    lower = text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace(".", "")
    assert kept == "".join(lower.split())


def test_words_are_counted_and_the_same_after_a_save(tmp_path):
    words = Vocabulary.of([["b", "a"], ["a", "b", "c"], ["a", "<pad>", "<pad>"]], special=["<x>"])
    assert words.words == ("<pad>", "<unk>", "<x>", "a", "b")
    words.save(tmp_path / "model")
    assert Vocabulary.load(tmp_path / "model").words == words.words


@pytest.mark.parametrize("content", [None, "{", "3", '["a", "b"]'])
def test_a_folder_without_a_vocabulary_is_named(tmp_path, content):
    if content is not None:
        (tmp_path / "vocabulary.json").write_text(content)
    with pytest.raises(UsageError, match=str(tmp_path)):
        Vocabulary.load(tmp_path)
