"""Answers of models that run here with transformers."""

from collections.abc import Sequence

import torch
from transformers import (
    AutoModelForCausalLM,
    BitsAndBytesConfig,
    GenerationConfig,
    LogitsProcessor,
    LogitsProcessorList,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    StoppingCriteria,
    StoppingCriteriaList,
)

from bap_v2_training.decoding.constrained import IN_WORLD, Notation, NotationTable, OnlyNotation
from bap_v2_training.decoding.networks import accelerator_or_cpu
from bap_v2_training.decoding.trained_model import base_of, base_revision, training_run
from bap_v2_training.errors import UsageError


def loaded_model(
    model: str, tokenizer: PreTrainedTokenizerBase, dtype: str, load_in_4bit: bool, device: torch.device | None = None
) -> PreTrainedModel:
    """The model, merged with its adapter if it is one, ready to answer.

    Its generation config is reduced to the tokens that end an answer: see `only_ends`.

    Args:
        model: a folder, or a name on the Hub.
        tokenizer: that of the model. An adapter may have learned with more tokens than its base model knows.
        load_in_4bit: quantize the base model, as in QLoRA training; the adapter is then not merged.
        device: by default this machine's accelerator, or its CPU.
    """
    base = base_of(model)
    trained = training_run(model).get("arguments", {}).get("model", {})
    quantization = BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_compute_dtype=dtype,
        bnb_4bit_quant_type=trained.get("bnb_4bit_quant_type", "nf4"),
        bnb_4bit_use_double_quant=trained.get("use_bnb_nested_quant", False),
    )
    loaded = AutoModelForCausalLM.from_pretrained(
        base or model,
        revision=base_revision(model),
        dtype=dtype,
        device_map={"": device or accelerator_or_cpu()},
        quantization_config=quantization if load_in_4bit else None,
    )
    if base is not None:
        from peft import PeftModel

        if len(tokenizer) > loaded.get_input_embeddings().num_embeddings:
            loaded.resize_token_embeddings(len(tokenizer), mean_resizing=False)
        loaded = PeftModel.from_pretrained(loaded, model)
        if not load_in_4bit:
            loaded = loaded.merge_and_unload()  # fewer operations a token; 4-bit weights would be rounded again
    loaded.generation_config = only_ends(loaded.generation_config)
    return loaded.eval()


def only_ends(config: GenerationConfig) -> GenerationConfig:
    """A greedy generation config with the special tokens of another one, and nothing else of it.

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
    """The tokens that end an answer: those of a model's generation config, and the tokenizer's EOS."""
    ends = config.eos_token_id if isinstance(config.eos_token_id, list) else [config.eos_token_id]
    return {tokenizer.eos_token_id, *ends} - {None}


def notation_table(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, notation: Notation = IN_WORLD
) -> NotationTable:
    """What `answers` needs to write nothing but the notation."""
    vocab_size = model.get_output_embeddings().weight.shape[0]
    return NotationTable(tokenizer, vocab_size, end_tokens(model.generation_config, tokenizer), notation).to(
        model.device
    )


def answers(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    prompts: Sequence[Sequence[int]],
    max_new_tokens: int,
    table: NotationTable | None = None,
) -> list[tuple[str, bool]]:
    """The greedy answer to each prompt, and whether it ended by itself; all prompts are one batch.

    Args:
        model: of `loaded_model`.
        tokenizer: has a padding token.
        prompts: in tokens, BOS included.
        table: permit only the notation.
    Raises:
        UsageError: the accelerator's memory does not hold the batch.
    """
    only_notation = [] if table is None else [OnlyNotation(table, max_new_tokens)]
    pad = tokenizer.pad_token_id
    new_tokens = continuations(model, tokenizer, prompts, max_new_tokens, pad, only_notation)
    ends = end_tokens(model.generation_config, tokenizer)
    return list(zip(texts_of(tokenizer, new_tokens), (not ends.isdisjoint(tokens) for tokens in new_tokens)))


def continuations(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    prompts: Sequence[Sequence[int]],
    max_new_tokens: int,
    pad: int,
    processors: Sequence[LogitsProcessor] = (),
    stopping: Sequence[StoppingCriteria] = (),
    prompts_name: str = "prompts",
) -> list[list[int]]:
    """The most probable tokens after each prompt, with the token that ends them and padding; all prompts are one batch.

    Args:
        pad: the padding token, on either side.
        processors, stopping: as `generate` takes them.
        prompts_name: what the error calls them.
    Raises:
        UsageError: the accelerator's memory does not hold the batch.
    """
    greedy = GenerationConfig(
        do_sample=False,
        num_beams=1,
        max_new_tokens=max_new_tokens,
        eos_token_id=sorted(end_tokens(model.generation_config, tokenizer)),
        bos_token_id=tokenizer.bos_token_id,
        pad_token_id=pad,
    )
    longest = max(map(len, prompts))
    padding = [longest - len(ids) for ids in prompts]
    input_ids = [[pad] * left + list(ids) for left, ids in zip(padding, prompts, strict=True)]
    mask = [[0] * left + [1] * (longest - left) for left in padding]
    try:
        with torch.inference_mode():
            outputs = model.generate(
                input_ids=torch.tensor(input_ids, device=model.device),
                attention_mask=torch.tensor(mask, device=model.device),
                generation_config=greedy,
                logits_processor=LogitsProcessorList(processors),
                stopping_criteria=StoppingCriteriaList(stopping),
            )
    except torch.OutOfMemoryError as error:
        raise UsageError(
            f"the accelerator's memory does not hold {len(prompts)} {prompts_name} of {longest} tokens; "
            "lower --batch_size, and the same command resumes"
        ) from error
    return outputs[:, longest:].tolist()


def texts_of(tokenizer: PreTrainedTokenizerBase, new_tokens: list[list[int]]) -> list[str]:
    """The answers that these tokens are, without EOS and padding."""
    return tokenizer.batch_decode(new_tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False)
