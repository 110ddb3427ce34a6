"""The model that a training begins with: a plain one, one whose vocabulary grows, or the adapter of an earlier run."""

from typing import Any

from peft import PeftConfig, PeftModel
from transformers import AutoModelForCausalLM, PreTrainedTokenizerBase
from trl import GRPOConfig, ModelConfig, SFTConfig, get_peft_config, get_quantization_config

from bap_v2_training.decoding.language_model import config_of_base
from bap_v2_training.decoding.trained_model import base_of, base_revision
from bap_v2_training.errors import UsageError
from bap_v2_training.models.gguf import model_folder

_LORA = {"r": "lora_r", "lora_alpha": "lora_alpha", "lora_dropout": "lora_dropout", "use_rslora": "use_rslora",
         "use_dora": "use_dora"}  # fields of PEFT's settings, and of ours  # fmt: skip


def trainer_model_kwargs(
    training: SFTConfig | GRPOConfig, model: ModelConfig, tokenizer: PreTrainedTokenizerBase, grows: bool = False
) -> dict[str, Any]:
    """Return the arguments of TRL's trainers that say what is trained: `model`, `peft_config`, `quantization_config`.

    An adapter is trained further with `use_peft`; without it, it is merged in memory, and all weights are trained.

    Args:
        training: is told how the model is loaded.
        grows: whether the tokenizer may have tokens that the model does not know.
    Raises:
        UsageError: settings of LoRA that are not those of the adapter, or its base model is not available.
    """
    # How it is loaded
    name, quantization = model_folder(model.model_name_or_path), get_quantization_config(model)
    options = {
        "revision": model.model_revision,
        # On CPUs the backward pass of PyTorch's own attention is slow.
        "attn_implementation": model.attn_implementation or ("eager" if training.use_cpu else None),
        "dtype": model.dtype,
        "trust_remote_code": training.trust_remote_code,
        **(training.model_init_kwargs or {}),
    }

    # TRL loads a plain model itself
    base = base_of(name)
    if base is None and not grows:
        training.model_init_kwargs = options
        return {"model": name, "peft_config": get_peft_config(model), "quantization_config": quantization}

    # Load one whose vocabulary grows, or the base of an adapter
    training.model_init_kwargs = None
    if base is not None:
        options["revision"] = base_revision(name)
        config_of_base(base, options["revision"])
    if quantization is not None:
        options |= {"quantization_config": quantization, "device_map": {"": training.device}}
    loaded = AutoModelForCausalLM.from_pretrained(model_folder(base or name), **options)
    if len(tokenizer) > loaded.get_input_embeddings().num_embeddings:
        loaded.resize_token_embeddings(len(tokenizer), mean_resizing=base is None)
    if base is None:
        return {"model": loaded, "peft_config": get_peft_config(model)}

    # Put the adapter on it
    settings = PeftConfig.from_pretrained(name)
    if model.use_peft:
        _check_lora(model, settings)
    settings.base_model_name_or_path = base  # it may have been moved, or is a GGUF file
    adapted = PeftModel.from_pretrained(loaded, name, is_trainable=model.use_peft, config=settings)
    return {"model": adapted if model.use_peft else adapted.merge_and_unload().requires_grad_(True)}


def _check_lora(model: ModelConfig, adapter: PeftConfig) -> None:
    """Raises: UsageError for a setting of LoRA that was given and that the adapter does not have."""
    usual = ModelConfig()
    for theirs, ours in _LORA.items():
        value = getattr(model, ours)
        if value not in (getattr(usual, ours), getattr(adapter, theirs)):
            raise UsageError(
                f"{ours} is {value}, but the adapter {model.model_name_or_path} has {getattr(adapter, theirs)}, and it "
                f"is trained further: leave {ours} out, or merge the adapter first (`bap-v2 merge`)"
            )
