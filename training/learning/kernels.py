"""Faster kernels of a GPU, if they are installed."""

import torch
from transformers.utils import is_flash_attn_2_available, is_kernels_available
from trl import ModelConfig, SFTConfig


def use_installed_kernels(training: SFTConfig, model: ModelConfig) -> list[str]:
    """Switches on what makes training faster on this machine and gives the same model; returns the names of it.

    FlashAttention 2 is a package of its own, flash-attn (flash-attn-4 has the same import name, but is another one);
    the fused layers, Liger's among them, come from the Hub through the package `kernels`.
    """
    names = []
    if torch.cuda.is_available() and model.attn_implementation is None and is_flash_attn_2_available():
        model.attn_implementation = "flash_attention_2"
        names.append("flash_attention_2")
    if torch.cuda.is_available() and is_kernels_available():
        training.model_init_kwargs = {**(training.model_init_kwargs or {}), "use_kernels": True}
        names.append("kernels")
    return names
