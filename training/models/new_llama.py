"""A Llama with random weights and a tokenizer of its own, made from a few settings.

Nothing is downloaded: tests and the smoke run need no Hub, and small models can be trained from scratch on our data.
"""

from collections.abc import Iterable
from pathlib import Path

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from bap_v2_metric.errors import UserError

# Llama 3's own names: no utterance contains them by accident, as one could contain "<s>".
BOS, EOS, PAD = "<|begin_of_text|>", "<|end_of_text|>", "<|finetune_right_pad_id|>"
# What no token is longer than. In both, a signed integer and a line end are pieces.
PIECES = {
    "words": r" ?-?\d+| ?\p{L}+|\n| ?[^\s\p{L}\d]+|\s",
    "phrases": r" ?-?\d+| ?-|(?: ?[\p{L},.:;]+)+|\n| ?[^\s\p{L}\d-]+|\s",  # words and the marks between them
}


class NewModelError(UserError):
    """A setting of a new model that is missing or unknown; the message names it."""


def new_tokenizer(
    texts: Iterable[str], vocab_size: int, max_length: int, pieces: str = "words"
) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer trained on `texts`, which starts every text with BOS, as Llama's does.

    An integer with its sign and the space before it is one token if it is frequent, so that a small model need not
    learn to read digits: coordinates are " -3", a yaw of -163.4 degrees is " -163", ".", "4".

    Args:
        vocab_size: the largest number of tokens, special ones and the 256 bytes included; few texts may yield fewer.
        max_length: the context of the model it is for, in tokens.
        pieces: of PIECES. With `phrases`, what texts often repeat, such as a sentence, becomes one token.
    """
    tokenizer = Tokenizer(models.BPE())
    # Line ends are pieces of their own, so a prompt that ends on one ends on a token.
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(PIECES[pieces]), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.train_from_iterator(
        texts,
        trainers.BpeTrainer(
            vocab_size=vocab_size,
            special_tokens=[BOS, EOS, PAD],
            initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
            show_progress=False,
        ),
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{BOS} $A", special_tokens=[(BOS, tokenizer.token_to_id(BOS))]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token=BOS,
        eos_token=EOS,
        pad_token=PAD,
        model_max_length=max_length,
        clean_up_tokenization_spaces=False,
    )


def new_llama(
    texts: Iterable[str], settings: dict, pieces: str = "words"
) -> tuple[LlamaConfig, PreTrainedTokenizerFast]:
    """The configuration of a Llama, and a tokenizer trained on `texts`; no weights yet.

    Args:
        texts: prompts and completions.
        settings: fields of `transformers.LlamaConfig`; `vocab_size` and `max_position_embeddings` (tokens) are needed.
        pieces: of PIECES, for the tokenizer.

    Raises:
        NewModelError: a setting is missing, or LlamaConfig does not know it.
    """
    needed = {"vocab_size", "max_position_embeddings"}
    if missing := sorted(needed - settings.keys()):
        raise NewModelError(f"new_model lacks {', '.join(missing)}")
    # LlamaConfig keeps any keyword, so a misspelled one would silently leave its default in place.
    if unknown := sorted(settings.keys() - set(vars(LlamaConfig()))):
        raise NewModelError(f"new_model has unknown settings {', '.join(unknown)} (expected fields of LlamaConfig)")

    tokenizer = new_tokenizer(texts, settings["vocab_size"], settings["max_position_embeddings"], pieces)
    config = LlamaConfig(
        **{
            **settings,
            "vocab_size": len(tokenizer),
            "bos_token_id": tokenizer.bos_token_id,
            "eos_token_id": tokenizer.eos_token_id,
            "pad_token_id": tokenizer.pad_token_id,
        }
    )
    return config, tokenizer


def save_new_llama(folder: str | Path, texts: Iterable[str], settings: dict, seed: int, pieces: str = "words") -> None:
    """Save an untrained Llama and its tokenizer in `folder`, as `from_pretrained` reads them.

    The same texts, settings and seed (of the weights) give the same files.

    Raises:
        NewModelError: as `new_llama`.
    """
    config, tokenizer = new_llama(texts, settings, pieces)
    with torch.random.fork_rng():  # the caller's random state stays its own
        torch.manual_seed(seed)
        model = LlamaForCausalLM(config)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
