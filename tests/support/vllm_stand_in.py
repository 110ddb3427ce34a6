"""A stand-in for vLLM 0.28, which needs an accelerator: its interface over transformers, as far as it is used."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
from typing import ClassVar, NamedTuple

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer


class StructuredOutputsParams(NamedTuple):
    """As vLLM's, as far as it is used."""

    regex: str | None = None


class LoRARequest(NamedTuple):
    """As vLLM's, as far as it is used."""

    lora_name: str
    lora_int_id: int
    lora_path: str


@dataclass(kw_only=True)
class SamplingParams:
    """As vLLM's, as far as it is used; greedy with a temperature of 0."""

    temperature: float = 1.0
    top_p: float = 1.0
    seed: int | None = None
    stop: list[str] | None = None
    max_tokens: int | None = 16
    stop_token_ids: list[int] | None = None
    structured_outputs: StructuredOutputsParams | None = None


class VllmStandIn:
    """`LLM` of vLLM 0.28, which needs an accelerator, over transformers: its arguments that are used, and no others."""

    loaded: ClassVar[list["VllmStandIn"]] = []

    def __init__(
        self,
        model: str,
        *,
        tokenizer: str | None = None,
        dtype: str = "auto",
        quantization: str | None = None,
        revision: str | None = None,
        max_model_len: int | None = None,
        generation_config: str = "auto",
        enable_lora: bool = False,
        max_lora_rank: int = 16,
    ):
        assert quantization is None, "vLLM 0.28 has no bitsandbytes"
        assert revision in (None, "main")
        assert generation_config == "vllm" and max_lora_rank in (1, 8, 16, 32, 64, 128, 256, 320, 512)
        self.tokenizer = AutoTokenizer.from_pretrained(tokenizer)
        self.path, self.base, self.dtype = model, AutoModelForCausalLM.from_pretrained(model, dtype=dtype), dtype
        self.max_model_len, self.max_lora_rank, self.adapted = max_model_len, max_lora_rank if enable_lora else 0, None
        VllmStandIn.loaded.append(self)

    def generate(
        self,
        prompts: list[dict],
        sampling_params: SamplingParams | list[SamplingParams],
        *,
        lora_request: LoRARequest | None,
    ):
        from peft import PeftModel

        several = sampling_params if isinstance(sampling_params, list) else [sampling_params] * len(prompts)
        assert all(one.temperature == 0 for one in several)
        model = self.base
        if lora_request is not None:
            assert lora_request.lora_int_id >= 1 and self.max_lora_rank
            self.adapted = self.adapted or PeftModel.from_pretrained(self.base, lora_request.lora_path)
            model = self.adapted
        for prompt, parameters in zip(prompts, several, strict=True):
            ids = torch.tensor([prompt["prompt_token_ids"]])
            assert ids.shape[1] + parameters.max_tokens <= self.max_model_len
            answer = model.generate(
                input_ids=ids, attention_mask=torch.ones_like(ids), do_sample=False,
                max_new_tokens=parameters.max_tokens, eos_token_id=parameters.stop_token_ids, pad_token_id=0,
            )[0, ids.shape[1] :].tolist()  # fmt: skip
            answer, stopped = self._stopped(answer, parameters.stop or ())
            reason = "stop" if stopped or answer[-1] in parameters.stop_token_ids else "length"
            yield SimpleNamespace(outputs=[SimpleNamespace(token_ids=answer, finish_reason=reason)])

    def _stopped(self, answer: list[int], stop: Sequence[str]) -> tuple[list[int], bool]:
        """The answer up to the first of these texts, and whether there is one."""
        for number in range(1, len(answer) + 1):
            if any(text in self.tokenizer.decode(answer[:number]) for text in stop):
                return answer[:number], True
        return answer, False


def installed(monkeypatch) -> list[VllmStandIn]:
    """Puts the stand-in in the place of vLLM; returns the models that are loaded with it."""
    parts = {
        "vllm": {"LLM": VllmStandIn, "SamplingParams": SamplingParams},
        "vllm.lora": {},
        "vllm.lora.request": {"LoRARequest": LoRARequest},
        "vllm.sampling_params": {"StructuredOutputsParams": StructuredOutputsParams},
    }
    for name, members in parts.items():
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
        vars(sys.modules[name]).update(members)
    monkeypatch.setattr(VllmStandIn, "loaded", [])
    return VllmStandIn.loaded
