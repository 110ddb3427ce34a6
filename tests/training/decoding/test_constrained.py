"""Decoding that permits the notation and nothing else, with any tokenizer."""

import re

import pytest
import torch
from fabricated_items import fabricated_rows
from hypothesis import given
from hypothesis import strategies as st
from strategies import cells, colors
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

from bap_v2_metric.actions import Place, Remove
from bap_v2_metric.blocks import Cell
from bap_v2_metric.notation import format_action, read_prediction
from bap_v2_training.decoding.constrained import IN_EGO, IN_WORLD, START, NotationTable, OnlyNotation, notation_of
from bap_v2_training.errors import UsageError
from bap_v2_training.models.new_llama import EOS, PAD, new_tokenizer

COMPLETIONS = list(fabricated_rows(6)["completion"])

in_region = st.one_of(st.builds(Place, colors, cells()), st.builds(Remove, cells()))


offsets = st.builds(Cell, st.integers(-10, 10), st.integers(-8, 8), st.integers(-10, 10))
from_origin = st.one_of(st.builds(Place, colors, offsets), st.builds(Remove, offsets))


def state_after(text: str, notation=IN_WORLD):
    state = START
    for character in text:
        state = state and notation.step(state, character)
    return state


@given(st.lists(in_region, max_size=6))
def test_every_answer_in_the_notation_is_permitted(actions):
    text = "\n".join(map(format_action, actions))
    assert IN_WORLD.may_end(state_after(text)) and re.fullmatch(IN_WORLD.regex, text)
    assert not actions or IN_WORLD.may_end(state_after(text + "\n"))


@given(st.lists(from_origin, max_size=6))
def test_with_ego_every_offset_within_the_region_is_permitted(actions):
    text = "\n".join(map(format_action, actions))
    assert IN_EGO.may_end(state_after(text, IN_EGO)) and re.fullmatch(IN_EGO.regex, text)
    assert notation_of("ego") is IN_EGO and notation_of("n_posb_s") is IN_WORLD
    assert state_after("place red 11", IN_EGO) is None and state_after("pick 0 9", IN_EGO) is None


@pytest.mark.parametrize("notation", [IN_WORLD, IN_EGO])
@given(st.data())
def test_every_text_that_is_permitted_is_read_as_a_whole(notation, data):
    state, text = START, ""
    while len(text) < 80 and not (notation.may_end(state) and text and data.draw(st.booleans())):
        allowed = [each for each in notation.alphabet if notation.step(state, each) is not None]
        character = data.draw(st.sampled_from(allowed))
        state, text = notation.step(state, character), text + character
    if notation.may_end(state):
        read = read_prediction(text)
        assert read.unparsed_lines == 0 and re.fullmatch(notation.regex, text.removesuffix("\n"))
        assert notation is IN_EGO or all(action.cell.in_region for action in read.actions)
        assert len(read.actions) == len(text.rstrip("\n").splitlines()) - text.splitlines().count("")


@pytest.mark.parametrize(
    "text",
    ["place pink", "place red 0 0", "place red 6", "pick 0 10", "pick -0", "pick 0 1 0 ", "pick 0 1 00", "place red  0",
     "\n\n", "pick 0 1 0\n\n", "Place", " place", "place red 0 1 0, "],
)  # fmt: skip
def test_nothing_else_is_permitted(text):
    assert state_after(text) is None


def byte_level() -> PreTrainedTokenizerFast:
    """As Llama 3's."""
    return new_tokenizer([completion + "\n" for completion in COMPLETIONS], 300, 512)


def metaspace() -> PreTrainedTokenizerFast:
    """As Llama 2's: a space belongs to the next word, and a text's first one is not written."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first", split=False)
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.Fuse(), decoders.Strip(" ", 1, 0)])
    trainer = trainers.BpeTrainer(
        vocab_size=200,
        special_tokens=[EOS, PAD],
        initial_alphabet=[*"abcdefghijklmnopqrstuvwxyz0123456789-▁\n"],
        show_progress=False,
    )
    tokenizer.train_from_iterator(COMPLETIONS, trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=EOS, pad_token=PAD)


def words_across_parts() -> PreTrainedTokenizerFast:
    """Tokens that hold several words, ends of lines among them."""
    pieces = ["place red ", "place ", "pick -", "pick ", " 0\nplace ", "red", "green", "blue", "e", "yellow", "orange"]
    pieces += ["purple", " -", " ", "-", "\n", *map(str, range(10)), "1 0 -1", "the", "0 1", "\n\n"]
    tokenizer = Tokenizer(models.WordLevel({piece: index for index, piece in enumerate([EOS, PAD, *pieces])}, EOS))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=EOS, pad_token=PAD)


@pytest.mark.parametrize("tokenizer", [byte_level, metaspace, words_across_parts])
def test_any_tokenizer_can_only_write_what_is_read_as_a_whole_wherever_it_is_cut_off(tokenizer):
    tokenizer = tokenizer()
    vocab_size = len(tokenizer) + 7  # models may have more rows than the tokenizer has tokens
    table = NotationTable(tokenizer, vocab_size, {tokenizer.eos_token_id})
    written = set()
    for max_new_tokens in [*range(1, 24), 60]:
        generator = torch.Generator().manual_seed(max_new_tokens)
        only_notation = OnlyNotation(table, max_new_tokens)
        ids = torch.zeros((16, 3), dtype=torch.long)  # a prompt of anything
        for _ in range(max_new_tokens):
            scores = only_notation(ids[:, -1], torch.rand((16, vocab_size), generator=generator))
            scores[:, tokenizer.eos_token_id] -= 0.5  # else answers are very short
            token = scores.argmax(1, keepdim=True)
            assert scores.gather(1, token).isfinite().all()
            ids = torch.cat([ids, token], 1)
        for row in ids[:, 3:].tolist():
            whole = row[: row.index(tokenizer.eos_token_id)] if tokenizer.eos_token_id in row else row
            text = tokenizer.decode([*tokenizer("0", add_special_tokens=False)["input_ids"][-1:], *whole])[1:]
            read = read_prediction(text)
            assert read.unparsed_lines == 0, text
            assert all(action.cell.in_region for action in read.actions)
            written |= set(read.actions)
    assert len(written) > 50


def test_a_vocabulary_that_cannot_write_the_notation_is_refused():
    tokenizer = Tokenizer(models.WordLevel({EOS: 0, "place ": 1, "red": 2, "0": 3}, EOS))
    tokenizer.pre_tokenizer = pre_tokenizers.Split("", "isolated")
    tokenizer.decoder = decoders.Fuse()
    with pytest.raises(UsageError, match="cannot write the notation"):
        NotationTable(PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=EOS), 4, {0})
