"""Answers of models that run here with transformers."""

from collections.abc import Collection, Sequence

import torch
from transformers import (
    AutoModelForCausalLM,
    BitsAndBytesConfig,
    DynamicCache,
    GenerationConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from bap_v2_training.decoding.constrained import IN_WORLD, Notation, NotationTable, OnlyNotation
from bap_v2_training.decoding.networks import accelerator_or_cpu
from bap_v2_training.decoding.trained_model import base_of, base_revision, training_run
from bap_v2_training.errors import UsageError
from bap_v2_training.models.gguf import model_folder


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
        model_folder(base or model),
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


def ends_of(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> set[int]:
    """The tokens that end an answer: the model's own and the tokenizer's EOS."""
    return end_tokens(model.generation_config, tokenizer)


def end_tokens(config: GenerationConfig, tokenizer: PreTrainedTokenizerBase) -> set[int]:
    """The EOS tokens of a generation config, and the tokenizer's."""
    ends = config.eos_token_id if isinstance(config.eos_token_id, list) else [config.eos_token_id]
    return {tokenizer.eos_token_id, *ends} - {None}


def notation_table(
    model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, notation: Notation = IN_WORLD
) -> NotationTable:
    """What `answers` needs to write nothing but the notation."""
    vocab_size = model.get_output_embeddings().weight.shape[0]
    return NotationTable(tokenizer, vocab_size, ends_of(model, tokenizer), notation).to(model.device)


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
    longest = max(map(len, prompts))
    padding = [longest - len(ids) for ids in prompts]
    input_ids = [[tokenizer.pad_token_id] * left + list(ids) for left, ids in zip(padding, prompts, strict=True)]
    mask = [[0] * left + [1] * (longest - left) for left in padding]
    ends = ends_of(model, tokenizer)
    only = None if table is None else OnlyNotation(table, max_new_tokens)
    try:
        new_tokens = greedy_tokens(
            model, torch.tensor(input_ids, device=model.device), torch.tensor(mask, device=model.device), ends,
            max_new_tokens, only,
        )  # fmt: skip
    except torch.OutOfMemoryError as error:
        raise UsageError(
            f"the accelerator's memory does not hold {len(prompts)} prompts of {longest} tokens; "
            "lower --batch_size, and the same command resumes"
        ) from error
    return list(zip(texts_of(tokenizer, new_tokens), (not ends.isdisjoint(tokens) for tokens in new_tokens)))


@torch.inference_mode()
def greedy_tokens(
    model: PreTrainedModel,
    input_ids: torch.Tensor,
    mask: torch.Tensor,
    ends: Collection[int],
    max_new_tokens: int,
    only: OnlyNotation | None = None,
) -> list[list[int]]:
    """What `generate` writes greedily after each prompt, its end included; an answer that has ended leaves the batch.

    In `generate` all answers of a batch are computed to the end of the longest one.

    Args:
        input_ids: prompts, padded on the left [items, tokens].
        mask: 1 where they are, else 0 [items, tokens].
        ends: tokens that end an answer.
        only: what may be written.
    """
    answers: list[list[int]] = [[] for _ in input_ids]
    rows = torch.arange(len(input_ids), device=input_ids.device)  # that have not ended
    end_ids = torch.tensor(sorted(ends), device=input_ids.device)
    positions = (mask.cumsum(-1) - 1).clamp(min=0)
    cache = DynamicCache(config=model.config.get_text_config(decoder=True))
    for _ in range(max_new_tokens):
        logits = model(
            input_ids=input_ids, attention_mask=mask, position_ids=positions, past_key_values=cache, use_cache=True,
            logits_to_keep=1,
        ).logits[:, -1]  # fmt: skip
        tokens = (logits if only is None else only(input_ids, logits)).argmax(-1)
        for row, token in zip(rows.tolist(), tokens.tolist(), strict=True):
            answers[row].append(token)
        going = ~torch.isin(tokens, end_ids)
        if not going.any():
            break
        if not going.all():
            rows, tokens, mask, positions = rows[going], tokens[going], mask[going], positions[going]
            cache.batch_select_indices(going.nonzero().flatten())
            if only is not None:
                only.keep(going)
        input_ids, positions = tokens[:, None], positions[:, -1:] + 1
        mask = torch.cat([mask, mask.new_ones(len(mask), 1)], dim=-1)
    return answers


def texts_of(tokenizer: PreTrainedTokenizerBase, new_tokens: list[list[int]]) -> list[str]:
    """The answers that these tokens are, without EOS and padding."""
    return tokenizer.batch_decode(new_tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False)
