"""Attention of packed items by PyTorch's kernels for rows of many lengths, without a mask of all pairs of tokens."""

import torch
from torch.nn.functional import scaled_dot_product_attention
from transformers import AttentionInterface

from bap_v2_training.errors import UsageError

NAME = "torch_varlen"  # as attn_implementation


def varlen_attention(module, query, key, value, attention_mask, scaling=None, dropout=0.0, **more):
    """Return what each token reads of its item, [1, tokens, heads, size], of states [1, heads, tokens, size].

    Raises: UsageError: items are not packed (cu_seq_lens_q: where they begin), or the kernels lack what is asked for.
    """
    ends, longest, kind = more.get("cu_seq_lens_q"), more.get("max_length_q"), query.device.type
    if ends is None or dropout or any(more.get(name) for name in ("sliding_window", "softcap", "s_aux")):
        raise UsageError(f"attn_implementation {NAME} is for packed items and plain attention: set it to sdpa")
    from torch.nn.attention.varlen import varlen_attn  # new in PyTorch 2.10

    dtype = torch.get_autocast_dtype(kind) if torch.is_autocast_enabled(kind) else query.dtype
    rows = (*(states[0].transpose(0, 1).to(dtype) for states in (query, key, value)), ends, ends, longest, longest)
    return varlen_attn(*rows, scale=scaling, window_size=(-1, 0), enable_gqa=True)[None], None


def works(device: str) -> bool:
    """Tell if they do here: two items give, with their gradients, what each gives by itself."""
    states = [torch.randn(1, heads, 7, 64, device=device, dtype=torch.bfloat16).requires_grad_() for heads in (4, 2, 2)]
    items, ends = zip(*(one.split([3, 4], dim=2) for one in states)), torch.tensor([0, 3, 7], dtype=torch.int32)
    try:
        alone = [scaled_dot_product_attention(*item, is_causal=True, enable_gqa=True) for item in items]
        packed = varlen_attention(None, *states, None, cu_seq_lens_q=ends.to(device), max_length_q=4)[0].transpose(1, 2)
        results = [[one, *torch.autograd.grad(one.square().sum(), states)] for one in (packed, torch.cat(alone, dim=2))]
    except Exception:  # no such kernels in this PyTorch or on this device: each raises an error of its own
        return False
    return all(torch.allclose(one, other, atol=0.1, rtol=0.05) for one, other in zip(*results))


AttentionInterface.register(NAME, varlen_attention)
