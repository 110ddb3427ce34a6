"""Answers of models that run here: with transformers, or with vLLM."""

import json
from collections.abc import Sequence
from pathlib import Path

import torch
from transformers import (
    AutoModelForCausalLM,
    BitsAndBytesConfig,
    GenerationConfig,
    LogitsProcessorList,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)

from bap_v2_training.decoding.constrained import REGEX, NotationTable, OnlyNotation
from bap_v2_training.learning.examples import UsageError

_VLLM_RANKS = (1, 8, 16, 32, 64, 128, 256, 320, 512)  # the only values of its max_lora_rank


def training_run(model: str) -> dict:
    """The `training_run.json` in a model's folder; empty if there is none."""
    record = Path(model) / "training_run.json"
    return json.loads(record.read_text(encoding="utf-8")) if record.is_file() else {}


def base_of(model: str) -> str | None:
    """What the adapter `model` adapts; None if `model` is a whole model.

    Raises:
        UsageError: training began in this folder and did not end, so that its parts may not belong together.
    """
    from peft import PeftConfig

    folder, run = Path(model), training_run(model)
    own_base = folder / "new_model"  # travels with the adapter, whose own path to it may be out of date
    if own_base.is_dir() and not run:
        raise UsageError(f"the training of {model} did not end: it has no training_run.json")
    if folder.is_dir() and not (folder / "adapter_config.json").is_file():
        return None
    if run and not run["arguments"]["model"]["use_peft"]:
        return None  # the adapter is left from an earlier run
    if own_base.is_dir():
        return str(own_base)
    try:
        return PeftConfig.from_pretrained(model).base_model_name_or_path
    except (ValueError, OSError):  # peft's way of saying that it found no adapter_config.json
        return None


def loaded_model(model: str, dtype: str, load_in_4bit: bool) -> PreTrainedModel:
    """The model, with its adapter if it is one, ready to answer on this machine's accelerator or CPU."""
    base = base_of(model)
    device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else torch.device("cpu")
    trained = training_run(model).get("arguments", {}).get("model", {})
    quantization = BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_compute_dtype=dtype,
        bnb_4bit_quant_type=trained.get("bnb_4bit_quant_type", "nf4"),
        bnb_4bit_use_double_quant=trained.get("use_bnb_nested_quant", False),
    )
    loaded = AutoModelForCausalLM.from_pretrained(
        base or model,
        revision=trained.get("model_revision", "main"),
        dtype=dtype,
        device_map={"": device},
        quantization_config=quantization if load_in_4bit else None,
    )
    if base is not None:
        from peft import PeftModel

        loaded = PeftModel.from_pretrained(loaded, model)
        if not load_in_4bit:
            loaded = loaded.merge_and_unload()  # fewer operations a token; 4-bit weights would be rounded anew
    return loaded.eval()


def ends_of(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> set[int]:
    """The tokens that end an answer: the model's own and the tokenizer's EOS."""
    ends = model.generation_config.eos_token_id or []
    return {tokenizer.eos_token_id, *(ends if isinstance(ends, list) else [ends])}


def notation_table(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> NotationTable:
    """What `answers` needs to write nothing but the notation."""
    vocab_size = model.get_output_embeddings().weight.shape[0]
    return NotationTable(tokenizer, vocab_size, ends_of(model, tokenizer)).to(model.device)


def answers(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    prompts: Sequence[str],
    max_new_tokens: int,
    table: NotationTable | None = None,
) -> list[tuple[str, bool]]:
    """The most likely answer to each prompt, step by step, and whether it ended by itself; as one batch.

    Args:
        tokenizer: pads on the left, with a padding token.
        table: permit only the notation.
    Raises:
        UsageError: the accelerator's memory does not hold the batch.
    """
    ends = ends_of(model, tokenizer)
    # All that a model's own generation config could say about sampling is overruled: no answer is left to chance.
    greedy = GenerationConfig(
        do_sample=False,
        num_beams=1,
        max_new_tokens=max_new_tokens,
        eos_token_id=sorted(ends),
        bos_token_id=tokenizer.bos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )
    only_notation = LogitsProcessorList([] if table is None else [OnlyNotation(table, max_new_tokens)])
    inputs = tokenizer(list(prompts), return_tensors="pt", padding=True).to(model.device)
    try:
        with torch.inference_mode():
            outputs = model.generate(
                input_ids=inputs["input_ids"],
                attention_mask=inputs["attention_mask"],
                generation_config=greedy,
                logits_processor=only_notation,
            )
    except torch.OutOfMemoryError as error:
        raise UsageError(
            f"the accelerator's memory does not hold {len(prompts)} prompts of {inputs['input_ids'].shape[1]} tokens; "
            "lower --batch_size, and the same command continues"
        ) from error
    new_tokens = outputs[:, inputs["input_ids"].shape[1] :].tolist()
    return list(zip(_texts(tokenizer, new_tokens), (not ends.isdisjoint(tokens) for tokens in new_tokens)))


def _texts(tokenizer: PreTrainedTokenizerBase, new_tokens: list[list[int]]) -> list[str]:
    return tokenizer.batch_decode(new_tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False)


class Vllm:
    """A model in vLLM, which schedules batches itself.

    Raises:
        UsageError: vLLM is not installed.
    """

    def __init__(
        self,
        model: str,
        tokenizer: PreTrainedTokenizerBase,
        config: PreTrainedConfig,
        dtype: str,
        load_in_4bit: bool,
        constrained: bool,
    ):
        try:
            from vllm import LLM
            from vllm.lora.request import LoRARequest
        except ImportError as error:
            raise UsageError(
                "--backend vllm needs vLLM (pip install vllm, in an environment of its own: it pins another torch); "
                f"or leave --backend out: {error}"
            ) from error
        base = base_of(model)
        lora = {}
        if base is not None:
            from peft import PeftConfig

            rank = PeftConfig.from_pretrained(model).r
            lora = {"enable_lora": True, "max_lora_rank": min(known for known in _VLLM_RANKS if known >= rank)}
        ends = config.eos_token_id if config.eos_token_id is not None else []
        self.ends = {tokenizer.eos_token_id, *(ends if isinstance(ends, list) else [ends])}
        self.tokenizer = tokenizer
        self.constrained = constrained
        self.adapter = LoRARequest("adapter", 1, str(Path(model).resolve())) if base is not None else None
        self.model = LLM(
            model=base or model,
            tokenizer=model,
            dtype=dtype,
            quantization="bitsandbytes" if load_in_4bit else None,
            max_model_len=config.max_position_embeddings,
            generation_config="vllm",  # greedy as below, whatever the model's own file says
            **lora,
        )

    def answers(self, prompts: Sequence[str], max_new_tokens: int) -> list[tuple[str, bool]]:
        """As the function `answers`, for any number of prompts."""
        from vllm import SamplingParams
        from vllm.sampling_params import StructuredOutputsParams

        greedy = SamplingParams(
            temperature=0.0,
            max_tokens=max_new_tokens,
            stop_token_ids=sorted(self.ends),
            structured_outputs=StructuredOutputsParams(regex=REGEX) if self.constrained else None,
        )
        # As tokens, for BOS must not come twice.
        tokens = [{"prompt_token_ids": ids} for ids in self.tokenizer(list(prompts))["input_ids"]]
        outputs = [output.outputs[0] for output in self.model.generate(tokens, greedy, lora_request=self.adapter)]
        texts = _texts(self.tokenizer, [list(output.token_ids) for output in outputs])
        return [(text, output.finish_reason == "stop") for text, output in zip(texts, outputs, strict=True)]
