"""Words of dialogue as numbers."""

import pytest
from case_tables import cases_of
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_training.errors import UsageError
from bap_v2_training.learning.vocabulary import Vocabulary, tokens_of


@pytest.mark.parametrize(
    ("text", "tokens"),
    cases_of(__file__, "texts"),
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
