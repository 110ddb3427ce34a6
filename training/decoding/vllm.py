"""Answers of models that run here with vLLM, which schedules batches itself."""

from collections.abc import Sequence
from pathlib import Path

from transformers import PreTrainedConfig, PreTrainedTokenizerBase

from bap_v2_training.decoding.constrained import REGEX
from bap_v2_training.decoding.local import texts_of
from bap_v2_training.decoding.trained_model import base_of
from bap_v2_training.errors import UsageError

_RANKS = (1, 8, 16, 32, 64, 128, 256, 320, 512)  # the only values of vLLM's max_lora_rank


class Vllm:
    """A model in vLLM.

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
                "--backend vllm needs vLLM (pip install vllm, in a separate environment: it pins another torch); "
                f"or omit --backend: {error}"
            ) from error
        base = base_of(model)
        lora = {}
        if base is not None:
            from peft import PeftConfig

            rank = PeftConfig.from_pretrained(model).r
            lora = {"enable_lora": True, "max_lora_rank": min(allowed for allowed in _RANKS if allowed >= rank)}
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
        """The greedy answer to each prompt, and whether it ended by itself, for any number of prompts."""
        from vllm import SamplingParams
        from vllm.sampling_params import StructuredOutputsParams

        greedy = SamplingParams(
            temperature=0.0,
            max_tokens=max_new_tokens,
            stop_token_ids=sorted(self.ends),
            structured_outputs=StructuredOutputsParams(regex=REGEX) if self.constrained else None,
        )
        # As tokens, because BOS must not come twice.
        tokens = [{"prompt_token_ids": ids} for ids in self.tokenizer(list(prompts))["input_ids"]]
        outputs = [output.outputs[0] for output in self.model.generate(tokens, greedy, lora_request=self.adapter)]
        texts = texts_of(self.tokenizer, [list(output.token_ids) for output in outputs])
        return [(text, output.finish_reason == "stop") for text, output in zip(texts, outputs, strict=True)]
