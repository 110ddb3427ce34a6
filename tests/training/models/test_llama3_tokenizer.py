"""Llama 3's tokenizer, converted from the package of its authors."""

import importlib.util

import pytest

from bap_v2_training.models.llama3_tokenizer import llama3_tokenizer


@pytest.mark.slow
def test_it_has_the_ids_of_llama_3():
    pytest.importorskip("llama_models", reason="the extra llama3 is not installed")
    tokenizer = llama3_tokenizer()
    assert len(tokenizer) == 128_256
    assert (tokenizer.bos_token_id, tokenizer.eos_token_id) == (128_000, 128_001)
    ids = {"<|start_header_id|>": 128_006, "<|end_header_id|>": 128_007, "<|eot_id|>": 128_009,
           "<|reserved_special_token_0|>": 128_002, "<|reserved_special_token_250|>": 128_255}  # fmt: skip
    assert {token: tokenizer.convert_tokens_to_ids(token) for token in ids} == ids
    # "Hello world" is 9906, 1917 in Llama 3 as in tiktoken's cl100k, whose first 100,000 tokens it shares.
    assert tokenizer("Hello world")["input_ids"] == [128_000, 9906, 1917]
    text = "place red -1 2 3\npick 0 1 0<|end_of_text|>"
    encoded = tokenizer(text)
    assert encoded["input_ids"][-1] == 128_001
    assert encoded.char_to_token(text.index("pick")) is not None  # training asks where a prompt ends
    assert tokenizer.decode(encoded["input_ids"], skip_special_tokens=True) == text.removesuffix("<|end_of_text|>")


def test_without_the_package_there_is_none(monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "llama_models" else found(name))
    assert llama3_tokenizer() is None
