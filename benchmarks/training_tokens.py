"""How many tokens per second a small pretrained language model learns, beside what its matrix products would allow.

    python benchmarks/training_tokens.py                # some minutes; OMP_NUM_THREADS=1 for one core

Items of `dsb`, of similar lengths in a batch, learned by `train_sft.py` with `smollm2.yaml` and what each row changes;
the first row is the baseline. The ceiling is the speed of matrix products of the shapes of a layer, in the type of the
row, divided by the operations of a token (`operations_of` in gpu.py).
"""

import argparse
import tempfile
import time
from statistics import median

import torch
from gpu import Clock, operations_of
from rich.console import Console
from rich.table import Table

from bap_v2_training import train_sft

ARMS = {
    "all weights, float32": {"frozen_layers": 0, "compile_layers": "false", "bf16": "false"},
    "... computed in bfloat16": {"frozen_layers": 0, "compile_layers": "false"},
    "... compiled": {"frozen_layers": 0},
    "... 15 of 30 layers frozen: smollm2.yaml": {},
    "LoRA on all layers: smollm2_lora.yaml": {"config": "training/configs/smollm2_lora.yaml"},
}
FIRST = 6  # steps that are not measured: each length of a batch is compiled once
SHAPES = ((576, 1536), (1536, 576), (576, 576))  # of a layer of SmolLM2-135M
ROWS = 1024  # tokens of a batch


def operations_per_second(dtype: torch.dtype) -> float:
    """Of matrix products of the shapes of a layer."""
    operations = seconds = 0.0
    for wide, high in SHAPES:
        one, other = torch.randn(ROWS, wide, dtype=dtype), torch.randn(wide, high, dtype=dtype)
        times = []
        for _ in range(30):
            start = time.perf_counter()
            one @ other
            times.append(time.perf_counter() - start)
        operations, seconds = operations + 2 * ROWS * wide * high, seconds + median(times)
    return operations / seconds


def measured(changes: dict[str, object], steps: int) -> tuple[float, float]:
    """Tokens per second of a training, and operations that a token takes."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "config": "training/configs/smollm2.yaml", "dataset_config": "dsb", "max_train_items": 4 * (steps + FIRST),
            "max_steps": steps + FIRST, "logging_steps": 1, "save_strategy": "no", "disable_tqdm": "true",
            "output_dir": folder, **changes,
        }  # fmt: skip
        trainer, _ = train_sft.prepared(
            *train_sft.parse_arguments([part for key, value in settings.items() for part in (f"--{key}", str(value))])
        )
        trainer.add_callback(clock := Clock(trainer, FIRST))
        trainer.train()
    return clock.tokens_per_second(), operations_of(trainer)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=20)
    options = parser.parse_args()
    threads = f"{torch.get_num_threads()} threads"
    table = Table("what is learned", "tokens per second", "of the first", "ceiling", title=threads)
    ceilings = {dtype: operations_per_second(dtype) for dtype in (torch.float32, torch.bfloat16)}
    speeds = []
    for name, changes in ARMS.items():
        speed, operations = measured(changes, options.steps)
        speeds.append(speed)
        dtype = torch.float32 if changes.get("bf16") == "false" else torch.bfloat16
        table.add_row(name, f"{speed:.0f}", f"{speed / speeds[0]:.1f}", f"{ceilings[dtype] / operations:.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
