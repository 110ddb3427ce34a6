"""Whether bfloat16 is worth it on this machine."""

import torch


def settings_left_out() -> tuple[str, ...]:
    """The options that a config file sets in vain on this CPU: `--bf16` where it has no instructions for it.

    Measured on a CPU with AVX2 alone: 640 updates of a small GRU take 6 times as long in bfloat16 as in float32,
    a matrix product of 4,000 x 256 x 1,024 with its gradients 60 times as long.
    """
    return ("--bf16",) if torch.backends.cpu.get_cpu_capability() == "AVX2" else ()
