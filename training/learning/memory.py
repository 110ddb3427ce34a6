"""About how much memory a training run takes on a device, computed from a model without weights."""

import torch
from peft import PeftConfig, get_peft_model
from torch import nn
from transformers import AutoModelForCausalLM, PreTrainedConfig, PreTrainedModel
from trl import ModelConfig, SFTConfig

_BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}


def weightless(config: PreTrainedConfig, peft_config: PeftConfig | None) -> PreTrainedModel:
    """The model to train, with shapes but no weights."""
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
        return model if peft_config is None else get_peft_model(model, peft_config)


def memory(
    model: nn.Module,
    config: PreTrainedConfig,
    tokens: int,
    training: SFTConfig,
    settings: ModelConfig,
    adapter_dtype: str,
    frozen_dtype: str | None = None,
) -> dict[str, float]:
    """About how many bytes each part takes on a device, if nothing is sharded over devices.

    Args:
        model: what `weightless` gives.
        tokens: in the largest batch of a device, padding included.
        adapter_dtype: of the trained weights, if the base is quantized.
        frozen_dtype: of the weights that are neither trained nor quantized, if it is not that of the settings.
    """
    trained = sum(weight.numel() for weight in model.parameters() if weight.requires_grad)
    frozen = sum(weight.numel() for weight in model.parameters()) - trained
    stored = _BYTES[settings.dtype]
    kept = _BYTES[frozen_dtype or settings.dtype]  # also what passes from layer to layer
    computed = 2 if training.bf16 or training.fp16 else max(stored, kept)
    if settings.use_peft:
        # PEFT keeps adapters of 16-bit models in float32, too; only those of quantized ones have a choice.
        trained_bytes = _BYTES[adapter_dtype] if settings.load_in_4bit or settings.load_in_8bit else 4
    else:
        trained_bytes = stored
    quantized = _quantized_parameters(model) if settings.load_in_4bit or settings.load_in_8bit else 0
    if settings.load_in_8bit:
        each = 1.0
    else:  # two to a byte, and for each block of 64 a scale of 4 bytes (nested: of 1, and a second one for 256 blocks)
        each = 0.5 + (1 / 64 + 4 / (64 * 256) if settings.use_bnb_nested_quant else 4 / 64)
    layers, hidden = config.num_hidden_layers, config.hidden_size
    inner = getattr(config, "intermediate_size", None) or 4 * hidden
    layer = tokens * computed * (10 * hidden + 4 * inner)  # what one layer stores for its gradients
    checkpointed = training.activation_checkpointing
    return {
        "frozen weights": quantized * each + (frozen - quantized) * kept,
        "trained weights": trained * trained_bytes,
        "gradients": trained * trained_bytes,
        "optimizer": trained * _optimizer_bytes(str(training.optim), trained_bytes),
        "weights, as computed": (0 if settings.use_peft or computed == stored else trained * computed)
        + (_largest_linear(model) * computed if quantized else 0),
        "activations": layers * tokens * max(computed, kept) * hidden + layer if checkpointed else layers * layer,
    }


def _quantized_parameters(model: nn.Module) -> int:
    """Those that bitsandbytes quantizes: of all linear layers but the one that gives the logits."""
    return sum(
        module.weight.numel()
        for name, module in model.named_modules()
        if isinstance(module, nn.Linear) and not module.weight.requires_grad and not name.endswith("lm_head")
    )


def _largest_linear(model: nn.Module) -> int:
    linear = (
        module for name, module in model.named_modules() if isinstance(module, nn.Linear) and "lm_head" not in name
    )
    return max((module.weight.numel() for module in linear), default=0)


def _optimizer_bytes(optim: str, trained_bytes: int) -> int:
    """For each trained weight, of an optimizer of the Adam family (one with fewer moments needs less)."""
    if "8bit" in optim:
        return 2
    return 8 if "32bit" in optim or "bnb" in optim else 2 * trained_bytes
