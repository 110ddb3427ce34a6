"""Prompts that fit a context, one by one and as a batch of tokens."""

import json

import pytest
from fabricated_items import TINY, fabricated_rows
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_dataset.items.prompts import render
from bap_v2_dataset.items.versions import ROW_REPRESENTATIONS
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.tokenization import PromptTooLong, fitting_prompt, token_count, tokenized
from bap_v2_training.models.new_llama import new_llama

HISTORY = [f"<Builder> line {number}" for number in range(10)]
REST = "<Architect> a red one\nCurrent built structure is:\nblue 0 1 0\n### AS:\n"
PROMPT = "Predict:\n" + "".join(f"{line}\n" for line in HISTORY) + REST


def test_a_prompt_that_fits_is_left_alone():
    assert fitting_prompt(PROMPT, HISTORY, lambda prompt: True) == (PROMPT, 0)


@pytest.mark.parametrize("left", range(10))
def test_only_the_oldest_history_is_dropped_and_no_more_than_needed(left):
    expected = "Predict:\n" + "".join(f"{line}\n" for line in HISTORY[len(HISTORY) - left :]) + REST
    one_line_more = len(expected) + len(HISTORY[0]) + 1
    for longest in (len(expected), one_line_more - 1):
        shorter = fitting_prompt(PROMPT, HISTORY, lambda prompt, longest=longest: len(prompt) <= longest)
        assert shorter == (expected, 10 - left)


def test_instruction_dialogue_structure_and_answer_mark_are_never_dropped():
    with pytest.raises(PromptTooLong) as caught:
        fitting_prompt(PROMPT, HISTORY, lambda prompt: False)
    assert caught.value.shortest == "Predict:\n" + REST


def test_a_prompt_of_another_shape_is_refused():
    with pytest.raises(UsageError, match="another version"):
        fitting_prompt("Predict:\n" + PROMPT, HISTORY, lambda prompt: False)


@pytest.mark.parametrize("representation", ROW_REPRESENTATIONS)
def test_rendered_prompts_can_be_shortened(representation):
    for row in fabricated_rows(2):
        if row["history"]:
            prompt = row[f"prompt_{representation}"]
            shorter, dropped = fitting_prompt(prompt, row["history"], lambda text, prompt=prompt: text != prompt)
            assert dropped == 1
            assert shorter == render({**row, "history": row["history"][1:]}, representation)


LINES = st.lists(st.text("abc <>?! 1\t", min_size=1, max_size=20).map(lambda text: f"<Builder> {text}"), max_size=8)
TOKENIZER = new_llama(["<Builder> abc\n### AS:\nplace red 1 1 1\n<Architect> a b"], TINY)[1]


@given(LINES, st.integers(5, 200), st.none() | st.integers(5, 120))
def test_a_whole_batch_is_shortened_as_each_prompt_alone(history, max_length, max_prompt_tokens):
    completion = "place red 1 1 1"
    prompt = "".join(f"{line}\n" for line in ["Predict:", *history, "<Architect> a red one", "### AS:"])

    def fits(text: str) -> bool:
        whole = token_count(TOKENIZER, text + completion + TOKENIZER.eos_token)
        return whole <= max_length and token_count(TOKENIZER, text) <= (max_prompt_tokens or max_length)

    try:
        expected = fitting_prompt(prompt, history, fits)
    except PromptTooLong:
        expected = ("", -1)
    (example,) = tokenized([prompt], [history], [completion], TOKENIZER, max_prompt_tokens, max_length)
    assert (*json.loads(example.text), example.dropped) == (expected[0], completion, expected[1])
    if example.dropped >= 0:
        assert example.input_ids == TOKENIZER(expected[0] + completion + TOKENIZER.eos_token)["input_ids"]
        prompt_tokens = token_count(TOKENIZER, expected[0])
        assert example.labels == [-100] * prompt_tokens + example.input_ids[prompt_tokens:]


def test_a_tokenizer_that_joins_prompt_and_answer_is_refused():
    with pytest.raises(UsageError, match="does not split a text where its prompt ends"):
        tokenized(["### AS: plac"], [[]], ["e red 1 1 1"], new_llama(["place"] * 9, TINY)[1])
