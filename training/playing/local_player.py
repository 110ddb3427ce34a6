"""A model that plays on this machine, with transformers."""

from collections.abc import Sequence

import torch
from transformers import (
    GenerationConfig,
    LogitsProcessorList,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    StoppingCriteriaList,
)

from bap_v2_dataset.plancraft.prompts import Message
from bap_v2_training.decoding.local import ends_of, texts_of
from bap_v2_training.errors import UsageError
from bap_v2_training.playing.games import Answer
from bap_v2_training.playing.sampling import EndsLine, SeededSampling


class LocalPlayer:
    """Answers chats in the model's own template.

    Args:
        model: of `decoding.local.loaded_model`.
        tokenizer: with a chat template, padding on the left.
        size: episodes at a time.
        temperature: 0: the most probable answer.
        stop_at_newline: an answer is one line.
        context: of the model, in tokens.
    Raises:
        UsageError: the tokenizer has no chat template.
    """

    def __init__(
        self,
        model: PreTrainedModel,
        tokenizer: PreTrainedTokenizerBase,
        size: int,
        context: int,
        max_new_tokens: int = 256,
        temperature: float = 0.0,
        top_p: float = 1.0,
        stop_at_newline: bool = True,
    ):
        if tokenizer.chat_template is None:
            raise UsageError(
                f"{tokenizer.name_or_path} has no chat template: play with a model that was trained on chats, such as "
                "those of plancraft_oracle"
            )
        self.size = size
        self._model, self._tokenizer = model, tokenizer
        self._longest, self._new_tokens = context - max_new_tokens, max_new_tokens
        self._temperature, self._top_p = temperature, top_p
        self._line_tables = _line_tables(model, tokenizer) if stop_at_newline else None

    def answers(self, chats: Sequence[Sequence[Message]], seeds: Sequence[int]) -> list[Answer]:
        """The answer to each chat; all are one batch. Raises: UsageError: the memory does not hold it."""
        fitted = [fit(self._tokenizer, one, self._longest) for one in chats]
        prompts = [ids for ids, _ in fitted]
        start = max(map(len, prompts))
        padding = [start - len(ids) for ids in prompts]
        pad, ends = self._tokenizer.pad_token_id, ends_of(self._model, self._tokenizer)
        device = self._model.device
        config = GenerationConfig(
            do_sample=False, num_beams=1, max_new_tokens=self._new_tokens, eos_token_id=sorted(ends),
            bos_token_id=self._tokenizer.bos_token_id, pad_token_id=pad,
        )  # fmt: skip
        sampling = [SeededSampling(seeds, self._temperature, self._top_p)] if self._temperature else []
        stopping = [EndsLine(*self._line_tables, start)] if self._line_tables is not None else []
        try:
            with torch.inference_mode():
                outputs = self._model.generate(
                    input_ids=torch.tensor([[pad] * n + ids for n, ids in zip(padding, prompts)], device=device),
                    attention_mask=torch.tensor(
                        [[0] * n + [1] * len(ids) for n, ids in zip(padding, prompts)], device=device
                    ),
                    generation_config=config,
                    logits_processor=LogitsProcessorList(sampling),
                    stopping_criteria=StoppingCriteriaList(stopping),
                )
        except torch.OutOfMemoryError as error:
            raise UsageError(
                f"the accelerator's memory does not hold {len(prompts)} chats of {start} tokens; lower --batch_size, "
                "and the same command resumes"
            ) from error
        new_tokens = [_until_end(tokens, ends, pad) for tokens in outputs[:, start:].tolist()]
        texts = texts_of(self._tokenizer, new_tokens)
        return [
            Answer(text, len(ids), len(tokens), len(tokens) < self._new_tokens or not ends.isdisjoint(tokens), dropped)
            for text, tokens, (ids, dropped) in zip(texts, new_tokens, fitted, strict=True)
        ]


def fit(tokenizer: PreTrainedTokenizerBase, messages: Sequence[Message], longest: int) -> tuple[list[int], int]:
    """A chat in tokens, and how many of its oldest messages after the system text did not fit."""
    system, others = list(messages[:1]), list(messages[1:])
    for dropped in range(0, len(others), 2):
        text = tokenizer.apply_chat_template([*system, *others[dropped:]], tokenize=False, add_generation_prompt=True)
        ids = tokenizer(text, add_special_tokens=False)["input_ids"]  # the template has BOS
        if len(ids) <= longest:
            return ids, dropped
    raise UsageError(f"the context of the model does not hold the system text and one message ({len(ids)} tokens)")


def _until_end(tokens: list[int], ends: set[int], pad: int | None) -> list[int]:
    """The tokens of an answer, without padding behind it."""
    for number, token in enumerate(tokens):
        if token in ends:
            return tokens[: number + 1]
    while tokens and tokens[-1] == pad:
        tokens = tokens[:-1]
    return tokens


def _line_tables(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> tuple[torch.Tensor, torch.Tensor]:
    """For every token whether it holds a line break, and whether it is nothing but white space."""
    size = max(model.get_output_embeddings().weight.shape[0], len(tokenizer))
    texts = [tokenizer.decode([token]) if token < len(tokenizer) else "x" for token in range(size)]
    breaks = torch.tensor(["\n" in text for text in texts], device=model.device)
    return breaks, torch.tensor([not text.strip() for text in texts], device=model.device)
