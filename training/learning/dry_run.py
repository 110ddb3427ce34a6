"""What a training run will be like, found out without weights: items, lengths, steps, parameters, memory."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
import torch
from datasets import Dataset
from peft import PeftConfig, get_peft_model
from rich.console import Console
from rich.table import Table
from torch import nn
from transformers import (
    AutoConfig,
    AutoModelForCausalLM,
    AutoTokenizer,
    PreTrainedConfig,
    PreTrainedModel,
    PreTrainedTokenizerBase,
)
from trl import ModelConfig, SFTConfig

from bap_v2_training.models.new_llama import new_llama

# meta-llama/Meta-Llama-3-8B as published: 8,030,261,248 parameters.
LLAMA_3_8B = {
    "vocab_size": 128_256,
    "hidden_size": 4096,
    "intermediate_size": 14_336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "max_position_embeddings": 8192,
    "tie_word_embeddings": False,
}
_STAND_IN_ITEMS = 1000  # that the stand-in for a tokenizer is trained on
_STAND_IN_TOKENS = 8192
_BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}


def tokenizer_and_config(
    name: str, revision: str | None, texts: Sequence[str]
) -> tuple[PreTrainedTokenizerBase, PreTrainedConfig, list[str]]:
    """The tokenizer and the configuration of a model as far as they are on this machine, and what stands in for them.

    Args:
        texts: prompts and completions; a stand-in for the tokenizer is trained on them.
    """
    notes = []
    try:
        tokenizer = AutoTokenizer.from_pretrained(name, revision=revision, local_files_only=True)
    except (OSError, ValueError):
        _, tokenizer = new_llama(texts, {**LLAMA_3_8B, "vocab_size": _STAND_IN_TOKENS})
        notes.append(
            f"the tokenizer of {name} is not on this machine: lengths are those of a stand-in with {len(tokenizer):,} "
            "tokens, trained on some of the items"
        )
    try:
        config = AutoConfig.from_pretrained(name, revision=revision, local_files_only=True)
    except (OSError, ValueError):
        config, _ = new_llama(["-"], LLAMA_3_8B)
        config.vocab_size = LLAMA_3_8B["vocab_size"]
        notes.append(f"the configuration of {name} is not on this machine: that of Llama-3-8B stands in for it")
    return tokenizer, config, notes


def weightless(config: PreTrainedConfig, peft_config: PeftConfig | None) -> PreTrainedModel:
    """The model to train, with shapes and no numbers."""
    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
        return model if peft_config is None else get_peft_model(model, peft_config)


def memory(
    model: nn.Module,
    config: PreTrainedConfig,
    tokens: int,
    training: SFTConfig,
    chosen: ModelConfig,
    adapter_dtype: str,
) -> dict[str, float]:
    """About how many bytes each part takes on a device, if nothing is divided among devices.

    Args:
        model: what `weightless` gives.
        tokens: in the largest batch of a device, padding included.
        adapter_dtype: of the trained weights, if the base is quantised.
    """
    trained = sum(weight.numel() for weight in model.parameters() if weight.requires_grad)
    frozen = sum(weight.numel() for weight in model.parameters()) - trained
    stored, computed = _BYTES[chosen.dtype], 2 if training.bf16 or training.fp16 else _BYTES[chosen.dtype]
    if chosen.use_peft:
        # PEFT keeps adapters of 16-bit models in float32, too; only those of quantised ones have a choice.
        trained_bytes = _BYTES[adapter_dtype] if chosen.load_in_4bit or chosen.load_in_8bit else 4
    else:
        trained_bytes = stored
    quantised = _quantised_parameters(model) if chosen.load_in_4bit or chosen.load_in_8bit else 0
    if chosen.load_in_8bit:
        each = 1.0
    else:  # two to a byte, and for each block of 64 a scale of 4 bytes (nested: of 1, and a second one for 256 blocks)
        each = 0.5 + (1 / 64 + 4 / (64 * 256) if chosen.use_bnb_nested_quant else 4 / 64)
    layers, hidden = config.num_hidden_layers, config.hidden_size
    inner = getattr(config, "intermediate_size", None) or 4 * hidden
    layer = tokens * computed * (10 * hidden + 4 * inner)  # what one layer keeps for its gradients
    checkpointed = training.activation_checkpointing
    return {
        "frozen weights": quantised * each + (frozen - quantised) * stored,
        "trained weights": trained * trained_bytes,
        "gradients": trained * trained_bytes,
        "optimiser": trained * _optimiser_bytes(str(training.optim), trained_bytes),
        "weights, as computed": (0 if chosen.use_peft or computed == stored else trained * computed)
        + (_largest_linear(model) * computed if quantised else 0),
        "activations": layers * tokens * computed * hidden + layer if checkpointed else layers * layer,
    }


def _quantised_parameters(model: nn.Module) -> int:
    """Those that bitsandbytes takes: of the linear layers, but not of the one that gives the logits."""
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


def _optimiser_bytes(optim: str, trained_bytes: int) -> int:
    """For each trained weight, of a method of the Adam family (with fewer moments, fewer)."""
    if "8bit" in optim:
        return 2
    return 8 if "32bit" in optim or "bnb" in optim else 2 * trained_bytes


def report(
    parts: Mapping[str, tuple[Dataset, Sequence[str]]],
    model: nn.Module,
    config: PreTrainedConfig,
    training: SFTConfig,
    chosen: ModelConfig,
    adapter_dtype: str,
    notes: Sequence[str],
    console: Console | None = None,
) -> dict:
    """Print what a run will be like, and return the numbers.

    Args:
        parts: by split, the examples (`prompt_tokens`, `completion_tokens`, `dropped_lines`; -1 lines: left out) and
            their sources; the first is what is learned.
        notes: what stands in for what.
    """
    console = console or Console()
    if not console.is_terminal:
        console.width = max(console.width, 110)
    found: dict = {"items": {}, "notes": list(notes)}

    table = _table("Items", "split", "source", "items", "lost history", "history lines lost", "left out")
    for split, (examples, sources) in parts.items():
        dropped = np.array(examples["dropped_lines"][:])
        kinds = np.array(sources)
        found["items"][split] = {}
        groups = {**{name: kinds == name for name in sorted(set(sources))}, "all": kinds == kinds}
        for name, these in groups.items():
            its = dropped[these]
            counts = {
                "items": int((its >= 0).sum()),
                "shortened": int((its > 0).sum()),
                "history_lines_dropped": int(its[its > 0].sum()),
                "too_long_left_out": int((its < 0).sum()),
            }
            found["items"][split][name] = counts
            table.add_row(split, name, *(f"{count:,}" for count in counts.values()), end_section=name == "all")
    console.print(table)

    examples, _ = next(iter(parts.values()))
    kept = np.array(examples["dropped_lines"][:]) >= 0
    prompts, completions = (np.array(examples[f"{name}_tokens"][:])[kept] for name in ("prompt", "completion"))
    table = _table("Tokens an item", "", "mean", "p50", "p95", "max", "in all")
    found["tokens"] = {}
    for name, its in {"prompt": prompts, "completion and EOS": completions, "both": prompts + completions}.items():
        its = its if len(its) else np.zeros(1)
        p50, p95 = (float(np.percentile(its, percent)) for percent in (50, 95))
        figures = {"mean": float(its.mean()), "p50": p50, "p95": p95, "max": int(its.max()), "sum": int(its.sum())}
        found["tokens"][name] = figures
        table.add_row(
            name, f"{figures['mean']:,.1f}", *(f"{figures[key]:,.0f}" for key in ("p50", "p95", "max", "sum"))
        )
    console.print(table)

    both = prompts + completions
    sequences = math.ceil(int(both.sum()) / training.max_length) if training.packing else len(both)
    longest = training.max_length if training.packing else int(both.max(initial=0))
    batch = training.per_device_train_batch_size
    per_step = batch * training.gradient_accumulation_steps * training.world_size
    steps = math.ceil(math.ceil(sequences / per_step) * training.num_train_epochs)
    if training.max_steps > 0:
        steps = training.max_steps
    total = sum(weight.numel() for weight in model.parameters())
    trained = sum(weight.numel() for weight in model.parameters() if weight.requires_grad)
    needed = memory(model, config, batch * longest, training, chosen, adapter_dtype)
    found |= {"steps": steps, "parameters": total, "trained_parameters": trained, "memory": needed}

    table = Table(title="Run", title_justify="left", show_header=False)
    table.add_column()
    table.add_column(justify="right")
    about = "about " if training.packing else ""
    processes = f" × {training.world_size} processes" if training.world_size > 1 else ""
    table.add_row(
        "steps", f"{about}{steps:,}: {training.num_train_epochs:g} epochs, {batch} × "
        f"{training.gradient_accumulation_steps}{processes} {'sequences' if training.packing else 'items'} a step"
    )  # fmt: skip
    table.add_row("parameters", f"{total:,}")
    table.add_row("trained", f"{trained:,} ({trained / total:.2%})", end_section=True)
    for name, size in needed.items():
        table.add_row(name, _gigabytes(size))
    table.add_row("memory of a device", f"about {_gigabytes(sum(needed.values()))}", style="bold")
    console.print(table)
    said = [
        *notes,
        f"memory: for a batch of {batch} × {longest:,} tokens, nothing divided among devices; the device's own "
        "libraries take about 1 GB more",
        "this was a dry run: nothing was trained or downloaded",
    ]
    for line in said:
        console.print(f"{line}.", style="dim", highlight=False)
    return found


def sources_in(counts: Sequence[str]) -> dict[str, int]:
    """How many items of each source, in the order of their names."""
    return dict(sorted(Counter(counts).items()))


def texts_of(rows: Dataset, column: str) -> list[str]:
    """Prompts and completions of some rows, side by side."""
    step = max(1, len(rows) // _STAND_IN_ITEMS)
    some = rows.select(range(0, len(rows), step))
    return list(chain.from_iterable(zip(some[column][:], some["completion"][:])))


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", header_style="bold")
    for name in columns:
        table.add_column(name, justify="left" if name in ("split", "source", "") else "right")
    return table


def _gigabytes(size: float) -> str:
    return f"{size / 2**30:.2f} GiB" if size >= 2**25 else f"{size / 2**20:.2f} MiB"
