"""Models that play on this machine, with transformers or vLLM."""

from collections.abc import Sequence

import torch
from transformers import (
    GenerationConfig,
    LogitsProcessorList,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    StoppingCriteriaList,
)

from bap_v2_dataset.tasks.plancraft.prompts import Message
from bap_v2_training.decoding.local import ends_of, texts_of
from bap_v2_training.decoding.vllm import Vllm
from bap_v2_training.errors import UsageError
from bap_v2_training.playing.fitting import fitted_chat
from bap_v2_training.playing.games import Answer
from bap_v2_training.playing.play_arguments import PlayArguments
from bap_v2_training.playing.sampling import EndsLine, SeededSampling


class LocalPlayer:
    """A model in transformers: all chats are one batch.

    Args:
        model: of `decoding.local.loaded_model`.
        tokenizer: with a chat template.
        context: of the model, in tokens.
        arguments: how answers are sampled, and how long they are.
    """

    def __init__(
        self, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, context: int, arguments: PlayArguments
    ):
        assert arguments.batch_size is not None
        self.size = arguments.batch_size
        self._model, self._tokenizer, self._arguments = model, tokenizer, arguments
        self._longest = context - arguments.max_new_tokens
        self._ends = ends_of(model, tokenizer)
        self._lines = None if arguments.reasoning else _line_tables(model, tokenizer)

    def answers(self, chats: Sequence[Sequence[Message]], seeds: Sequence[int]) -> list[Answer]:
        """The answer to each chat. Raises: UsageError: the memory does not hold them."""
        how = self._arguments
        fitted = [fitted_chat(self._tokenizer, chat, self._longest) for chat in chats]
        start = max(len(one.ids) for one in fitted)
        pad = self._tokenizer.pad_token_id if self._tokenizer.pad_token_id is not None else min(self._ends)
        config = GenerationConfig(
            do_sample=False, num_beams=1, max_new_tokens=how.max_new_tokens, eos_token_id=sorted(self._ends),
            bos_token_id=self._tokenizer.bos_token_id, pad_token_id=pad,
        )  # fmt: skip
        sampling = [SeededSampling(seeds, how.temperature, how.top_p)] if how.temperature else []
        stopping = [] if self._lines is None else [EndsLine(*self._lines, start)]
        padded = [[pad] * (start - len(one.ids)) + one.ids for one in fitted]
        mask = [[0] * (start - len(one.ids)) + [1] * len(one.ids) for one in fitted]
        try:
            with torch.inference_mode():
                outputs = self._model.generate(
                    input_ids=torch.tensor(padded, device=self._model.device),
                    attention_mask=torch.tensor(mask, device=self._model.device),
                    generation_config=config,
                    logits_processor=LogitsProcessorList(sampling),
                    stopping_criteria=StoppingCriteriaList(stopping),
                )
        except torch.OutOfMemoryError as error:
            raise UsageError(
                f"the accelerator's memory does not hold {len(fitted)} chats of {start} tokens; lower --batch_size, "
                "and the same command resumes"
            ) from error
        new_tokens = [self._answer_alone(row, pad) for row in outputs[:, start:].tolist()]
        texts = texts_of(self._tokenizer, new_tokens)
        return [
            Answer(text, len(one.ids), len(tokens), self._finished(tokens), one.dropped)
            for text, tokens, one in zip(texts, new_tokens, fitted, strict=True)
        ]

    def _answer_alone(self, tokens: list[int], pad: int) -> list[int]:
        """The tokens of an answer, up to its end: what follows is padding for the longer ones of the batch."""
        for number, token in enumerate(tokens):
            if token in self._ends:
                return tokens[: number + 1]
        while tokens and tokens[-1] == pad:
            tokens = tokens[:-1]
        return tokens

    def _finished(self, tokens: Sequence[int]) -> bool:
        return len(tokens) < self._arguments.max_new_tokens or not self._ends.isdisjoint(tokens[-1:])


class VllmPlayer:
    """A model in vLLM, which schedules the chats itself."""

    def __init__(self, model: Vllm, tokenizer: PreTrainedTokenizerBase, context: int, arguments: PlayArguments):
        assert arguments.batch_size is not None
        self.size = arguments.batch_size
        self._model, self._tokenizer, self._arguments = model, tokenizer, arguments
        self._longest = context - arguments.max_new_tokens

    def answers(self, chats: Sequence[Sequence[Message]], seeds: Sequence[int]) -> list[Answer]:
        """The answer to each chat."""
        how = self._arguments
        fitted = [fitted_chat(self._tokenizer, chat, self._longest) for chat in chats]
        came = self._model.sampled(
            [one.ids for one in fitted], how.max_new_tokens, seeds, how.temperature, how.top_p,
            () if how.reasoning else ("\n",),
        )  # fmt: skip
        return [
            Answer(text, len(one.ids), tokens, finished, one.dropped)
            for (text, tokens, finished), one in zip(came, fitted, strict=True)
        ]


def _line_tables(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> tuple[torch.Tensor, torch.Tensor]:
    """For every token whether it holds a line break, and whether it is nothing but white space."""
    size = max(model.get_output_embeddings().weight.shape[0], len(tokenizer))
    texts = [tokenizer.decode([token]) if token < len(tokenizer) else "x" for token in range(size)]
    breaks = torch.tensor(["\n" in text for text in texts], device=model.device)
    return breaks, torch.tensor([not text.strip() for text in texts], device=model.device)
