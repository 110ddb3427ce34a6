"""A Llama with random weights and a tokenizer of its own, made from a few settings.

Nothing is downloaded: tests and the smoke run need no Hub, and small models can be trained from scratch on our data.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import torch
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from bap_v2_metric.errors import UserError

# Llama 3's own names: no utterance contains them by accident, as one could contain "<s>".
BOS, EOS, PAD = "<|begin_of_text|>", "<|end_of_text|>", "<|finetune_right_pad_id|>"
_PIECES = r" ?-?\d+| ?\p{L}+|\n| ?[^\s\p{L}\d-]+| ?-+|\s"  # a signed integer, a word, a line end, other signs
_SENTENCE = re.compile(r"[^.?\n]+[.?\n]")


class NewModelError(UserError):
    """A setting of a new model that is missing or unknown; the message names it."""


def common_sentences(texts: Iterable[str], share: float = 0.2, n_words: int = 5) -> list[str]:
    """Return the sentences of at least so many words that this share of the texts have, the most frequent first.

    >>> common_sentences(["Where do you end? At 3.", "You walk. Where do you end? At 4."], n_words=4)
    [' Where do you end?', 'Where do you end?']
    """
    counts, n_texts = Counter(), 0
    for text in texts:
        n_texts += 1
        counts.update({match[0] for match in _SENTENCE.finditer(text)})
    common = [one for one, count in counts.items() if count >= share * n_texts and len(one.split()) >= n_words]
    return sorted(common, key=lambda sentence: (-counts[sentence], sentence))


def new_tokenizer(
    texts: Iterable[str], vocab_size: int, max_length: int, sentences: Sequence[str] = ()
) -> PreTrainedTokenizerFast:
    """Return a byte-level BPE tokenizer trained on `texts`, which starts every text with BOS, as Llama's does.

    An integer with its sign and the space before it is one token if it is frequent, so that a small model need not
    learn to read digits: coordinates are " -3", a yaw of -163.4 degrees is " -163", ".", "4".

    Args:
        vocab_size: the largest number of tokens, special ones and the 256 bytes included; few texts may yield fewer.
        max_length: the context of the model it is for, in tokens.
        sentences: each becomes one token, besides those of the vocabulary: what all prompts repeat need not be read
            word by word.
    """
    tokenizer = Tokenizer(models.BPE())
    # Line ends are pieces of their own, so a prompt that ends on one ends on a token.
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(_PIECES), behavior="isolated"),
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
    # Every text begins with BOS
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{BOS} $A", special_tokens=[(BOS, tokenizer.token_to_id(BOS))]
    )
    tokenizer.add_tokens([AddedToken(sentence, normalized=False) for sentence in sentences])
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token=BOS,
        eos_token=EOS,
        pad_token=PAD,
        model_max_length=max_length,
        clean_up_tokenization_spaces=False,
    )


def new_llama(
    texts: Iterable[str], settings: dict, sentences: Sequence[str] = ()
) -> tuple[LlamaConfig, PreTrainedTokenizerFast]:
    """Return the configuration of a Llama, and a tokenizer trained on `texts`; no weights yet.

    Args:
        texts: prompts and completions.
        settings: fields of `transformers.LlamaConfig`; `vocab_size` and `max_position_embeddings` (tokens) are needed.
        sentences: as `new_tokenizer`.

    Raises:
        NewModelError: a setting is missing, or LlamaConfig does not know it.
    """
    # Settings that there are
    needed = {"vocab_size", "max_position_embeddings"}
    if missing := sorted(needed - settings.keys()):
        raise NewModelError(f"new_model lacks {', '.join(missing)}")
    # LlamaConfig keeps any keyword, so a misspelled one would silently leave its default in place.
    if unknown := sorted(settings.keys() - set(vars(LlamaConfig()))):
        raise NewModelError(f"new_model has unknown settings {', '.join(unknown)} (expected fields of LlamaConfig)")

    tokenizer = new_tokenizer(texts, settings["vocab_size"], settings["max_position_embeddings"], sentences)
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


def save_new_llama(
    folder: str | Path, texts: Iterable[str], settings: dict, seed: int, sentences: Sequence[str] = ()
) -> None:
    """Save an untrained Llama and its tokenizer in `folder`, as `from_pretrained` reads them.

    The same texts, settings and seed (of the weights) give the same files.

    Raises:
        NewModelError: as `new_llama`.
    """
    config, tokenizer = new_llama(texts, settings, sentences)
    with torch.random.fork_rng():  # the caller's random state stays its own
        torch.manual_seed(seed)
        model = LlamaForCausalLM(config)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
