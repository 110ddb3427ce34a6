"""Answers of models that run here with vLLM, which schedules batches itself."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from transformers import GenerationConfig, PreTrainedConfig, PreTrainedTokenizerBase

from bap_v2_training.decoding.constrained import Notation
from bap_v2_training.decoding.local import end_tokens, quantization_of, texts_of
from bap_v2_training.decoding.trained_model import base_of, base_revision
from bap_v2_training.errors import UsageError
from bap_v2_training.models.gguf import model_folder

_RANKS = (1, 8, 16, 32, 64, 128, 256, 320, 512)  # the only values of vLLM's max_lora_rank
# Settings of an adapter that vLLM 0.28 refuses, or does not read and would answer wrongly; with what they must be.
_PLAIN = {
    "peft_type": ("LORA",),
    "bias": ("none",),
    **dict.fromkeys(
        ("modules_to_save", "use_dora", "rank_pattern", "alpha_pattern", "layer_replication", "fan_in_fan_out",
         "trainable_token_indices", "alora_invocation_tokens", "target_parameters"), (None, False, [], {}),
    ),
}  # fmt: skip


class Vllm:
    """A model in vLLM: a whole one, or a base model with its adapter, quantized only if it is stored so.

    Args:
        model: a folder, or a name on the Hub.
        max_model_len: of the longest prompt and its answer, in tokens: vLLM reserves memory for that.
        notation: permit only this.
    Raises:
        UsageError: vLLM is not installed, or does not take such an adapter.
    """

    def __init__(
        self, model: str, tokenizer: PreTrainedTokenizerBase, config: PreTrainedConfig, dtype: str, max_model_len: int,
        notation: Notation | None = None,
    ):  # fmt: skip
        try:
            from vllm import LLM
            from vllm.lora.request import LoRARequest
        except ImportError as error:
            raise UsageError(
                '--backend vllm needs vLLM 0.28, in an environment of its own: pip install "bap-v2[training,vllm]" '
                f"without constraints.txt; or omit --backend: {error}"
            ) from error
        # A base model takes an adapter of a rank that is known
        base = base_of(model)
        lora = {}
        if quantization_of(config) == "bitsandbytes":
            raise UsageError(
                f"the weights of {base or model} are stored in a form of bitsandbytes, which vLLM does not read any "
                "more: omit --backend vllm"
            )
        if base is not None:
            rank = lora_rank(model)
            lora = {"enable_lora": True, "max_lora_rank": min(allowed for allowed in _RANKS if allowed >= rank)}
        # Answers end as with transformers
        revision = base_revision(model)
        try:
            generation = GenerationConfig.from_pretrained(model_folder(base or model), revision=revision)
        except OSError:  # it has none
            generation = GenerationConfig.from_model_config(config)
        self.ends = end_tokens(generation, tokenizer)
        self.tokenizer = tokenizer
        self.regex = None if notation is None else notation.regex
        self.adapter = LoRARequest("adapter", 1, str(Path(model).resolve())) if base is not None else None
        self.model = LLM(
            model=model_folder(base or model),
            revision=revision if base is not None else None,
            tokenizer=tokenizer.name_or_path,
            dtype=dtype,
            max_model_len=max_model_len,
            generation_config="vllm",  # greedy as below, whatever the model's own file says
            **lora,
        )

    def answers(self, prompts: Sequence[Sequence[int]], max_new_tokens: int) -> list[tuple[str, bool]]:
        """The greedy answer to each prompt (in tokens), and whether it ended by itself, for any number of prompts."""
        from vllm import SamplingParams
        from vllm.sampling_params import StructuredOutputsParams

        greedy = SamplingParams(
            temperature=0.0,
            max_tokens=max_new_tokens,
            stop_token_ids=sorted(self.ends),
            structured_outputs=None if self.regex is None else StructuredOutputsParams(regex=self.regex),
        )
        return [(text, finished) for text, _, finished in self._outputs(prompts, greedy)]

    def sampled(
        self, prompts: Sequence[Sequence[int]], max_new_tokens: int, seeds: Sequence[int], temperature: float,
        top_p: float = 1.0, stop: Sequence[str] = (),
    ) -> list[tuple[str, int, bool]]:  # fmt: skip
        """Return an answer to each prompt (in tokens), its tokens, and whether it ended by itself.

        Args:
            seeds: one for each prompt.
            temperature: 0: the greedy answer.
            stop: texts that end an answer.
        """
        from vllm import SamplingParams

        parameters = [
            SamplingParams(
                temperature=temperature,
                top_p=top_p,
                seed=seed,
                max_tokens=max_new_tokens,
                stop=list(stop),
                stop_token_ids=sorted(self.ends),
            )
            for seed in seeds
        ]
        return self._outputs(prompts, parameters)

    def _outputs(self, prompts: Sequence[Sequence[int]], parameters: Any) -> list[tuple[str, int, bool]]:
        # As tokens, because vLLM would add BOS to a text.
        tokens = [{"prompt_token_ids": list(ids)} for ids in prompts]
        outputs = [output.outputs[0] for output in self.model.generate(tokens, parameters, lora_request=self.adapter)]
        texts = texts_of(self.tokenizer, [list(output.token_ids) for output in outputs])
        return [
            (text, len(output.token_ids), output.finish_reason == "stop")
            for text, output in zip(texts, outputs, strict=True)
        ]


def lora_rank(model: str) -> int:
    """Return the rank of an adapter that vLLM takes. Raises: UsageError if vLLM does not take it."""
    settings = json.loads((Path(model) / "adapter_config.json").read_text(encoding="utf-8"))
    reasons = [
        f"{name} is {settings[name]!r}" for name, plain in _PLAIN.items() if settings.get(name, plain[0]) not in plain
    ]
    if settings["r"] > _RANKS[-1]:
        reasons.append(f"its rank is {settings['r']}")
    if not reasons and (tensors := _whole_tensors(Path(model))):
        reasons.append(f"it holds {tensors[0]}")
    if reasons:
        raise UsageError(
            f"vLLM does not take the adapter {model} ({', '.join(reasons)}): merge it with `bap-v2 merge {model} OUT`, "
            "and answer with OUT"
        )
    return settings["r"]


def _whole_tensors(folder: Path) -> list[str]:
    """Tensors of an adapter that are not LoRA's, such as embeddings of new tokens: vLLM leaves them out."""
    from safetensors import safe_open

    file = folder / "adapter_model.safetensors"
    if not file.is_file():
        return []
    with safe_open(file, "pt") as weights:
        return [name for name in weights.keys() if ".lora_" not in name]  # noqa: SIM118 (not a dict)
