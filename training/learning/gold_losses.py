"""How hard items are for a trained model: minus the log likelihood of their gold answers, whatever kind of model it is.

In nats and summed over an answer: variants of one item have answers of the same length, so sums compare them.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence
from tqdm.auto import tqdm

from bap_v2_training.decoding.learned_builder import builder_kind, load_builder
from bap_v2_training.decoding.networks import accelerator_or_cpu
from bap_v2_training.decoding.output_file import batches
from bap_v2_training.decoding.trained_model import training_run
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.tokenization import tokenized
from bap_v2_training.tasks.building import BapTexts

Row = dict[str, Any]
Losses = Callable[[Sequence[Row]], list[float]]  # of one batch; nan for an item that is too long for the model

_BATCH = 64


def gold_losses(model: str, rows: Sequence[Row]) -> list[float]:
    """Return the loss of each row's gold answer under the model in a folder or of a name on the Hub.

    Raises:
        UsageError: there is no such model.
    """
    if not rows:
        return []
    losses, losses_of = [math.nan] * len(rows), _loss_function(model)
    order = sorted(range(len(rows)), key=lambda number: -_length(rows[number]))  # a batch is about equally long
    with tqdm(total=len(rows), desc="Losses", unit="item") as bar, torch.inference_mode():
        for numbers in batches(order, _BATCH):
            for number, loss in zip(numbers, losses_of([rows[number] for number in numbers]), strict=True):
                losses[number] = loss
            bar.update(len(numbers))
    return losses


def _loss_function(model: str) -> Losses:
    """The losses of batches under a model: a GRU, a pointer transformer, or a language model that train_sft.py made."""
    kind = builder_kind(model)
    if kind and kind.members:
        raise UsageError(f"{model} is {kind.with_article}, which has no loss of its own: take one of its members")
    return load_builder(model).losses if kind else _of_language_model(model)


def _of_language_model(folder: str) -> Losses:
    """Return the losses of completions after prompts as the model learned them."""
    from bap_v2_training.decoding.language_model import tokenizer_and_config
    from bap_v2_training.decoding.local import loaded_model
    from bap_v2_training.learning.sft_trainer import logits_of

    # What its prompts look like, and the model itself
    settings = training_run(folder).get("arguments", {})
    bap = settings.get("bap", {})
    if "representation" not in bap:
        raise UsageError(f"{folder} has no training_run.json of train_sft.py, which says what its prompts look like")
    texts = BapTexts(bap["representation"], bap.get("history_lines"))
    tokenizer, config = tokenizer_and_config(folder)
    tokenizer.padding_side = "right"
    model = loaded_model(folder, tokenizer, "float32", load_in_4bit=False, device=accelerator_or_cpu())
    longest = settings.get("training", {}).get("max_length") or config.max_position_embeddings

    def losses(rows: Sequence[Row]) -> list[float]:
        # The items that fit, padded to a batch
        shown = [texts.texts(row) for row in rows]
        read = [[text[name] for text in shown] for name in ("prompt", "history", "completion")]
        examples = tokenized(*read, tokenizer, bap.get("max_prompt_tokens"), longest)
        fitting = [number for number, example in enumerate(examples) if example.input_ids]
        batch_losses = [math.nan] * len(rows)
        if not fitting:
            return batch_losses
        ids = _padded([examples[number].input_ids for number in fitting], tokenizer.pad_token_id).to(model.device)
        labels = _padded([examples[number].labels for number in fitting], -100).to(model.device)[:, 1:]
        mask = _padded([[1] * len(examples[number].input_ids) for number in fitting], 0).to(model.device)

        # The loss of each token that is learned, summed over its item
        learned = labels != -100
        with logits_of(model, learned):
            logits = model(input_ids=ids, attention_mask=mask, use_cache=False).logits
        each = F.cross_entropy(logits.float(), labels[learned], reduction="none")
        sums = torch.zeros(len(fitting), device=each.device).index_add(0, learned.nonzero()[:, 0], each)
        for number, loss in zip(fitting, sums.tolist(), strict=True):
            batch_losses[number] = loss
        return batch_losses

    return losses


def _padded(sequences: Sequence[Sequence[int]], padding: int) -> torch.Tensor:
    return pad_sequence(list(map(torch.tensor, sequences)), batch_first=True, padding_value=padding)


def _length(row: Row) -> int:
    return sum(len(line) for name in ("history", "dialogue", "before", "actions") for line in row[name])
