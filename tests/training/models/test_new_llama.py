"""Small models with random weights."""

import pytest
from fabricated_items import TINY, fabricated_rows
from transformers import AutoTokenizer

from bap_v2_training.models.new_llama import NewModelError, save_new_llama


def test_a_new_model_is_a_function_of_texts_settings_and_seed(tmp_path):
    texts = [text for row in fabricated_rows(1) for text in (row["prompt_n"], row["completion"])]
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        save_new_llama(tmp_path / name, texts, TINY, seed)
    weights = [(tmp_path / name / "model.safetensors").read_bytes() for name in "abc"]
    assert weights[0] == weights[1] != weights[2]
    assert (tmp_path / "a" / "tokenizer.json").read_bytes() == (tmp_path / "b" / "tokenizer.json").read_bytes()
    tokenizer = AutoTokenizer.from_pretrained(tmp_path / "a")
    unseen = "<Architect> naïve  spaces \t – 20°\nplace red -5 9 0\n"
    assert tokenizer.decode(tokenizer(unseen)["input_ids"], skip_special_tokens=True) == unseen
    with pytest.raises(NewModelError, match="num_layers"):
        save_new_llama(tmp_path / "d", texts, TINY | {"num_layers": 2}, 1)
