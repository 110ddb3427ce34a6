"""Llama 3's tokenizer without its gated repository: converted from the file in Meta's package `llama-models`.

It counts tokens exactly where the model itself is not on this machine. Nothing of it is copied or downloaded here: the
package and its license are the user's to install (`pip install "bap-v2[llama3]"`).
"""

import importlib.util
from pathlib import Path

from tokenizers import processors
from transformers import PreTrainedTokenizerFast
from transformers.convert_slow_tokenizer import TikTokenConverter

BOS, EOS = "<|begin_of_text|>", "<|end_of_text|>"
_NAMED = {6: "<|start_header_id|>", 7: "<|end_header_id|>", 9: "<|eot_id|>"}
_SPECIAL = 256  # the last ids


def llama3_tokenizer() -> PreTrainedTokenizerFast | None:
    """The tokenizer of meta-llama/Meta-Llama-3-8B, which starts every text with BOS; None without `llama-models`."""
    package = importlib.util.find_spec("llama_models")
    if package is None or importlib.util.find_spec("tiktoken") is None:
        return None
    file = Path(package.submodule_search_locations[0]) / "llama3" / "tokenizer.model"
    if not file.is_file():
        return None
    tokenizer = TikTokenConverter(vocab_file=str(file), extra_special_tokens=_special_tokens()).converted()
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{BOS} $A", special_tokens=[(BOS, tokenizer.token_to_id(BOS))]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token=BOS, eos_token=EOS, clean_up_tokenization_spaces=False
    )


def _special_tokens() -> list[str]:
    """Return the names of the last 256 ids, in order."""
    named = {0: BOS, 1: EOS, **_NAMED}
    reserved = (f"<|reserved_special_token_{number}|>" for number in range(_SPECIAL))
    return [named.get(index) or next(reserved) for index in range(_SPECIAL)]
