"""Answers of models that run here with transformers."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any, Protocol
from weakref import WeakSet

import torch
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    BitsAndBytesConfig,
    DynamicCache,
    GenerationConfig,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    TopPLogitsWarper,
)
from transformers.quantizers import AutoQuantizationConfig

from bap_v2_training.decoding.constrained import IN_WORLD, Notation, NotationTable, OnlyNotation
from bap_v2_training.decoding.networks import accelerator_or_cpu
from bap_v2_training.decoding.trained_model import base_of, base_revision, training_run
from bap_v2_training.errors import UsageError
from bap_v2_training.models.gguf import model_folder

_CACHE_ARGUMENTS = (
    "past_key_values",
    "cache",
)  # names of a model's keys and values, before transformers 5.24 and since
_LARGEST_NOISE = 0.2  # of `_remembers_in_cache`
_CHECKED: WeakSet[PreTrainedModel] = WeakSet()  # models that remember in their cache


def loaded_model(
    model: str, tokenizer: PreTrainedTokenizerBase, dtype: str, load_in_4bit: bool, device: torch.device | None = None,
    plain: bool = False,
) -> PreTrainedModel:  # fmt: skip
    """Return the model, merged with its adapter if it is one, ready to answer.

    Its generation config is reduced to the tokens that end an answer: see `only_ends`.

    Args:
        model: a folder, or a name on the Hub.
        tokenizer: that of the model. An adapter may have learned with more tokens than its base model knows.
        load_in_4bit: quantize the base model, as in QLoRA training. The adapter of a quantized model is not merged.
        device: by default this machine's accelerator, or its CPU.
        plain: give weights that are stored quantized the type `dtype`.
    Raises:
        UsageError: the weights are stored in a form that cannot be loaded here, or not made plain.
    """
    # The model, or the base of an adapter, as it was quantized in training
    base = base_of(model)
    trained = training_run(model).get("arguments", {}).get("model", {})
    options: dict[str, Any] = {"dtype": dtype, "device_map": {"": device or accelerator_or_cpu()}}
    if load_in_4bit:
        options["quantization_config"] = BitsAndBytesConfig(
            load_in_4bit=True,
            bnb_4bit_compute_dtype=dtype,
            bnb_4bit_quant_type=trained.get("bnb_4bit_quant_type", "nf4"),
            bnb_4bit_use_double_quant=trained.get("use_bnb_nested_quant", False),
        )
    loaded = whole_model(model_folder(base or model), base_revision(model), plain, **options)
    # With its adapter, and the tokens that this has learned
    if base is not None:
        from peft import PeftModel

        if len(tokenizer) > loaded.get_input_embeddings().num_embeddings:
            loaded.resize_token_embeddings(len(tokenizer), mean_resizing=False)
        quantized = getattr(loaded, "is_quantized", False)
        loaded = PeftModel.from_pretrained(loaded, model)
        if not quantized:
            loaded = loaded.merge_and_unload()  # fewer operations a token; quantized weights would be rounded again
    loaded.generation_config = only_ends(loaded.generation_config)
    return loaded.eval()


def quantization_of(config: PreTrainedConfig) -> str | None:
    """Return the form in which weights are stored quantized, such as "gptq"; None: they are not."""
    of_text = config.get_text_config(decoder=True)
    stored = getattr(config, "quantization_config", None) or getattr(of_text, "quantization_config", None)
    if not stored:
        return None
    method = stored.get("quant_method") if isinstance(stored, dict) else stored.quant_method
    return str(getattr(method, "value", method) or "bitsandbytes")  # which did not always write its name


def whole_model(model: str, revision: str, plain: bool = False, **options: Any) -> PreTrainedModel:
    """Load a model that is no adapter, as it is stored.

    Args:
        plain: see `loaded_model`.
        options: of `from_pretrained`.
    Raises:
        UsageError: its weights are stored in a form that cannot be loaded here, or not made plain.
    """
    config = AutoConfig.from_pretrained(model, revision=revision)
    form = quantization_of(config)
    if form is None:
        return AutoModelForCausalLM.from_pretrained(model, revision=revision, **options)
    # Each form has a library of its own, with errors of its own; some forms are made plain while they are loaded
    try:
        if plain and isinstance(config.quantization_config, dict):
            own = AutoQuantizationConfig.from_dict(config.quantization_config)
            if hasattr(own, "dequantize"):
                own.dequantize, options["quantization_config"] = True, own
        loaded, report = AutoModelForCausalLM.from_pretrained(
            model, revision=revision, output_loading_info=True, **options
        )
        if report["missing_keys"]:
            raise ValueError(f"it does not find {min(report['missing_keys'])}")
        if plain and getattr(loaded, "is_quantized", False):
            loaded = loaded.dequantize(getattr(torch, options["dtype"]))
            loaded._weight_conversions = None  # of the stored form, which `save_pretrained` would go back to
        return loaded
    except Exception as error:
        reason = " ".join(str(error).split())[:300]
        raise UsageError(
            f"{model} is stored quantized ({form}), which transformers cannot {'undo' if plain else 'load'} here "
            f"({reason}): install what it asks for, or take the same model without quantization"
        ) from error


def only_ends(config: GenerationConfig) -> GenerationConfig:
    """Return a greedy generation config with the special tokens of another one, and nothing else of it.

    `generate` takes what it is not given from the model's own generation config: a repetition penalty, a minimal
    length or suppressed tokens would change greedy answers too.
    """
    return GenerationConfig(
        do_sample=False,
        num_beams=1,
        bos_token_id=config.bos_token_id,
        eos_token_id=config.eos_token_id,
        pad_token_id=config.pad_token_id,
    )


def end_tokens(config: GenerationConfig, tokenizer: PreTrainedTokenizerBase) -> set[int]:
    """Return the tokens that end an answer: those of a model's generation config, and the tokenizer's EOS."""
    ends = config.eos_token_id if isinstance(config.eos_token_id, list) else [config.eos_token_id]
    return {tokenizer.eos_token_id, *ends} - {None}


def notation_table(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, notation: Notation = IN_WORLD
) -> NotationTable:
    """Make what `answers` needs to write nothing but the notation."""
    vocab_size = model.get_output_embeddings().weight.shape[0]
    ends = end_tokens(model.generation_config, tokenizer)
    return NotationTable(tokenizer, vocab_size, ends, notation).to(model.device)


def answers(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, prompts: Sequence[Sequence[int]], max_new_tokens: int,
    table: NotationTable | None = None, seeds: Sequence[Sequence[int | None]] | None = None, temperature: float = 1.0,
) -> list[tuple[str, bool]]:  # fmt: skip
    """Return the greedy answer to each prompt, and whether it ended by itself; all prompts are one batch.

    Args:
        model: of `loaded_model`.
        tokenizer: has a padding token.
        prompts: in tokens, BOS included.
        table: permit only the notation.
        seeds: of several answers to each prompt, equally many, which follow one another; see `SeededSampling`.
        temperature: of samples.
    Raises:
        UsageError: the accelerator's memory does not hold the batch.
    """
    ends = end_tokens(model.generation_config, tokenizer)
    choice: Choice | None = None if table is None else OnlyNotation(table, max_new_tokens)
    copies = 1
    if seeds is not None:
        choice, copies = SeededSampling([seed for own in seeds for seed in own], temperature, of=choice), len(seeds[0])
    new_tokens = continuations(
        model, prompts, max_new_tokens, tokenizer.pad_token_id, lambda tokens: tokens[-1] in ends, choice, copies
    )
    return list(zip(texts_of(tokenizer, new_tokens), (not ends.isdisjoint(tokens) for tokens in new_tokens)))


class Choice(Protocol):
    """Changes what the next token of each row of a batch may be, or is likely to be."""

    def __call__(self, last: torch.Tensor | None, scores: torch.Tensor) -> torch.Tensor:
        """Return the scores to choose by, from those of the model, [rows, vocabulary].

        Args:
            last: the token that was chosen last in each row [rows]; None before the first.
        """

    def keep(self, rows: torch.Tensor) -> None:
        """Keep these rows of the batch alone: true or false for each [rows]."""


class SeededSampling:
    """Makes the greedy choice a sample: adds Gumbel noise from a random generator of each row's own.

    The largest of log p + Gumbel noise is a sample of p. So an answer depends on its prompt and its seed, not on the
    batch or on the state of torch's generator.

    Args:
        seeds: one for each row; None: the greedy choice.
        temperature: by which scores are divided.
        top_p: only the most probable tokens with this much probability in all can be drawn.
        of: by which scores tokens are drawn; None: those of the model.
    """

    def __init__(self, seeds: Sequence[int | None], temperature: float, top_p: float = 1.0, of: Choice | None = None):
        self._generators = [None if seed is None else torch.Generator().manual_seed(seed) for seed in seeds]
        self._temperature, self._of = temperature, of
        self._warper = TopPLogitsWarper(top_p) if top_p < 1.0 else None

    def __call__(self, last: torch.Tensor | None, scores: torch.Tensor) -> torch.Tensor:
        """Noisy `scores` [rows, vocabulary]."""
        if self._of is not None:
            scores = self._of(last, scores)
        scores = scores / self._temperature
        if self._warper is not None:
            scores = self._warper(last, scores)
        none = torch.full(scores.shape[-1:], 0.5)
        uniform = torch.stack(
            [none if one is None else torch.rand(scores.shape[-1], generator=one) for one in self._generators]
        )
        gumbel = -torch.log(-torch.log(uniform.clamp(1e-20, 1 - 1e-7)))
        return scores + gumbel.to(scores.device)

    def keep(self, rows: torch.Tensor) -> None:
        """Keep these rows of the batch alone: true or false for each [rows]."""
        self._generators = [one for one, kept in zip(self._generators, rows.tolist(), strict=True) if kept]
        if self._of is not None:
            self._of.keep(rows)


def continuations(
    model: PreTrainedModel, prompts: Sequence[Sequence[int]], max_new_tokens: int, pad: int,
    has_ended: Callable[[list[int]], bool], choice: Choice | None = None, copies: int = 1,
    prompts_name: str = "prompts",
) -> list[list[int]]:  # fmt: skip
    """Return the most probable tokens after each prompt; all prompts are one batch, which answers leave as they end.

    `generate` computes all answers of a batch to the end of the longest, and pads those that have ended.

    Args:
        pad: a token to fill up prompts with.
        has_ended: whether these tokens are a whole answer, its end included.
        choice: by which scores tokens are chosen; None: those of the model.
        copies: answers to each prompt, which follow one another; `choice` tells them apart. A prompt is read once.
        prompts_name: what the error calls them.
    Raises:
        UsageError: the accelerator's memory does not hold the batch, or the model keeps no keys and values.
    """
    # Some architectures have no cache, or keep a part of what they have read beside it
    if model not in _CHECKED:
        if _cache_argument(model) is None or not _remembers_in_cache(model, pad):
            raise UsageError(f"{model.config.model_type} models keep no keys and values: answer with --backend vllm")
        _CHECKED.add(model)
    try:
        return _continued(_Batch(model, prompts, pad), len(prompts), max_new_tokens, has_ended, choice, copies)
    except torch.OutOfMemoryError as error:
        raise UsageError(
            f"the accelerator's memory does not hold {copies * len(prompts)} {prompts_name} of "
            f"{max(map(len, prompts))} tokens; lower --batch-size, and the same command resumes"
        ) from error


def _cache_argument(model: PreTrainedModel) -> str | None:
    """Return the name under which a model is given its keys and values; None if it takes none."""
    inner = model.get_base_model() if hasattr(model, "peft_config") else model
    named = inspect.signature(inner.forward).parameters
    return next((name for name in _CACHE_ARGUMENTS if name in named), None)


@torch.inference_mode()
def _remembers_in_cache(model: PreTrainedModel, pad: int) -> bool:
    """Return whether rows may leave a batch: all that was read of them is in the cache, and padding leaves no trace.

    Three short texts are read. One leaves and the others change places: the next token must make of each what it makes
    of the text alone.
    """
    some = [1 + 7919 * number % (model.get_input_embeddings().num_embeddings - 1) for number in range(16)]
    short, long, last = some[:5], some[5:14], some[15:]
    try:
        batch = _Batch(model, [short, long, some[8:14]], pad)
        batch.scores()
        batch.keep(torch.tensor([1, 0], device=model.device))
        batch.append(torch.tensor(last * 2, device=model.device))
        together = batch.scores()
        alone = torch.cat([_Batch(model, [[*text, *last]], pad).scores() for text in (long, short)])
    except torch.OutOfMemoryError:
        raise
    except Exception:  # whatever a model raises whose cache is of another kind
        return False
    # Noise of rounding is far below what tells two texts apart
    return bool((together - alone).abs().mean(-1).max() <= _LARGEST_NOISE * (alone[0] - alone[1]).abs().mean())


class _Batch:
    """Prompts that end together, filled up with `pad`: what is read next of each, and what was read."""

    def __init__(self, model: PreTrainedModel, prompts: Sequence[Sequence[int]], pad: int):
        longest, self._model, self._name = max(map(len, prompts)), model, _cache_argument(model)
        padding = [longest - len(ids) for ids in prompts]
        input_ids = [[pad] * left + list(ids) for left, ids in zip(padding, prompts, strict=True)]
        self._ids = torch.tensor(input_ids, device=model.device)
        self._mask = torch.tensor([[0] * left + [1] * (longest - left) for left in padding], device=model.device)
        self._positions = (self._mask.cumsum(-1) - 1).clamp(min=0)
        self._cache = DynamicCache(config=model.config.get_text_config(decoder=True))

    def scores(self) -> torch.Tensor:
        """Read on, and return the scores of each row's next token [rows, vocabulary]."""
        return self._model(
            input_ids=self._ids, attention_mask=self._mask, position_ids=self._positions, use_cache=True,
            logits_to_keep=1, **{self._name: self._cache},
        ).logits[:, -1].float()  # fmt: skip

    def keep(self, rows: torch.Tensor) -> None:
        """Keep these rows alone, by their numbers, in this order; one that is named twice is copied."""
        self._cache.reorder_cache(rows)
        self._mask, self._positions = self._mask[rows], self._positions[rows]

    def append(self, tokens: torch.Tensor) -> None:
        """Let each row read this token next [rows]."""
        self._ids, self._positions = tokens[:, None], self._positions[:, -1:] + 1
        self._mask = torch.cat([self._mask, self._mask.new_ones(len(self._mask), 1)], dim=-1)


@torch.inference_mode()
def _continued(
    batch: _Batch, prompts: int, max_new_tokens: int, has_ended: Callable[[list[int]], bool], choice: Choice | None,
    copies: int,
) -> list[list[int]]:  # fmt: skip
    # What is left of the batch
    new_tokens: list[list[int]] = [[] for _ in range(copies * prompts)]
    rows = list(range(len(new_tokens)))  # that have not ended
    last = None
    for _ in range(max_new_tokens):
        scores = batch.scores()
        # A prompt is read once: its answers take copies of what was read
        if last is None and copies > 1:
            batch.keep(torch.arange(len(scores), device=scores.device).repeat_interleave(copies))
            scores = scores.repeat_interleave(copies, 0)
        last = (scores if choice is None else choice(last, scores)).argmax(-1)
        for row, token in zip(rows, last.tolist(), strict=True):
            new_tokens[row].append(token)
        # Answers that have ended leave
        going = [not has_ended(new_tokens[row]) for row in rows]
        if not any(going):
            break
        if not all(going):
            rows = [row for row, goes in zip(rows, going, strict=True) if goes]
            kept = torch.tensor(going, device=last.device)
            last = last[kept]
            batch.keep(kept.nonzero().flatten())
            if choice is not None:
                choice.keep(kept)
        batch.append(last)
    return new_tokens


def texts_of(tokenizer: PreTrainedTokenizerBase, new_tokens: list[list[int]]) -> list[str]:
    """Return the answers that these tokens are, without EOS and padding."""
    return tokenizer.batch_decode(new_tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False)
