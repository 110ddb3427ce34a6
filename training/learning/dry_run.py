"""What a training run will be like, without weights: items, lengths, steps, parameters, memory."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain

import numpy as np
import torch
from datasets import Dataset
from peft import PeftConfig, get_peft_model
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
from trl import ModelConfig, SFTConfig, get_peft_config

from bap_v2_dataset.tables.console import Console
from bap_v2_training.decoding.trained_model import base_of
from bap_v2_training.learning.curriculum import stages_of
from bap_v2_training.learning.dataset_rows import BUILT, with_readings
from bap_v2_training.learning.sft_trainer import freeze_first_layers, layers_of
from bap_v2_training.learning.training_data import (
    examples_of,
    load_training_rows,
    tokenizer_texts,
)
from bap_v2_training.learning.training_settings import BapArguments
from bap_v2_training.models.gguf import model_folder
from bap_v2_training.models.new_llama import new_llama
from bap_v2_training.tasks.robustness import with_variants
from bap_v2_training.tasks.settings import RANDOM
from bap_v2_training.tasks.table import texts_of, training_task

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
_STAND_IN_TOKENS = 8192  # at most; so few texts yield fewer
_LLAMA_3_TOKENS = 1.25  # to one of the stand-in: measured on the train items of `all`, as n_posb_s


def dry_run(bap: BapArguments, training: SFTConfig, model: ModelConfig) -> dict:
    """Print what a run would be like, and return the numbers (only in the first process)."""
    # The rows
    splits = [(bap.train_split, bap.max_train_items)]
    if training.eval_strategy != "no":
        splits.append((bap.eval_split, bap.max_eval_items))
    rows = {split: load_training_rows(bap, split, max_items, training) for split, max_items in splits}
    if bap.learned_answers != BUILT:
        rows[bap.train_split], _ = with_readings(rows[bap.train_split], bap.learned_answers)
    if bap.robust:  # as many items whichever variants are chosen, so no model has to be loaded
        first = replace(bap, robust_mode=RANDOM, robust_model=None)
        rows[bap.train_split], _ = with_variants(rows[bap.train_split], first)

    # The tokenizer, and the shapes of the model
    train = rows[bap.train_split]
    if bap.new_model is not None:
        texts, sentences = tokenizer_texts(train, bap)
        config, tokenizer = new_llama(texts, bap.new_model, sentences)
        notes = []
    else:
        some = _some_texts(texts_of(bap).prompted(train, ["completion"]))
        tokenizer, config, notes = _tokenizer_and_config(model.model_name_or_path, model.model_revision, some)
    task = training_task(bap.task)
    task.prepare(tokenizer)

    # The lengths of the items
    parts = {}
    for split, members in rows.items():
        examples = examples_of(members, bap, training, tokenizer, lengths_only=True)
        parts[split] = (examples, task.sources(members, len(examples), own=not bap.dataset_config))
    if bap.curriculum is not None:
        stages_of(bap.curriculum, parts[bap.train_split][1])  # raises if it does not fit the items
        notes.append(f"the items are learned in the order {bap.curriculum}")

    # The weights that are trained
    shapes = weightless(config, get_peft_config(model))
    if bap.frozen_layers:
        freeze_first_layers(shapes, bap.frozen_layers)
    if training.process_index:
        return {}
    return _report(parts, shapes, config, training, model, bap, notes)


def _tokenizer_and_config(
    name: str, revision: str | None, texts: Sequence[str]
) -> tuple[PreTrainedTokenizerBase, PreTrainedConfig, list[str]]:
    """The tokenizer and the configuration of a model as far as they are on this machine, and what stands in for them.

    Args:
        texts: prompts and completions; a stand-in for the tokenizer is trained on them.
    """
    # The tokenizer: the model's own, or one that is made of the texts
    notes, folder = [], model_folder(name)
    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, revision=revision, local_files_only=True)
    except (OSError, ValueError):
        _, tokenizer = new_llama(texts, {**LLAMA_3_8B, "vocab_size": _STAND_IN_TOKENS})
        notes.append(
            f"the tokenizer of {name} is not on this machine: lengths are those of a stand-in with {len(tokenizer):,} "
            f"tokens, trained on some of the items; Llama 3's makes about {_LLAMA_3_TOKENS} times as many"
        )

    # The configuration
    try:
        config = AutoConfig.from_pretrained(
            model_folder(base_of(name) or name), revision=revision, local_files_only=True
        )
    except (OSError, ValueError):
        config, _ = new_llama(["-"], LLAMA_3_8B)
        config.vocab_size = LLAMA_3_8B["vocab_size"]
        notes.append(f"the configuration of {name} is not on this machine: that of Llama-3-8B stands in for it")
    return tokenizer, config, notes


def _some_texts(rows: Dataset) -> list[str]:
    """Prompts and completions of some rows, side by side."""
    step = max(1, len(rows) // _STAND_IN_ITEMS)
    some = rows.select(range(0, len(rows), step))
    return list(chain.from_iterable(zip(some["prompt"][:], some["completion"][:])))


def _report(
    parts: Mapping[str, tuple[Dataset, Sequence[str]]],
    model: nn.Module,
    config: PreTrainedConfig,
    training: SFTConfig,
    settings: ModelConfig,
    bap: BapArguments,
    notes: Sequence[str],
) -> dict:
    """Print what a run will be like, and return the numbers.

    Args:
        parts: by split, the lengths that `examples_of` gives and the sources; the first split is what is learned.
        notes: what stands in for what.
    """
    # Items by split and source
    console = Console()
    if not console.is_terminal:
        console.width = max(console.width, 110)
    items = _item_counts(parts)
    console.print(_items_table(items))

    # Tokens of an item
    examples, _ = next(iter(parts.values()))
    fits = np.array(examples["dropped_lines"][:]) >= 0
    prompts, completions = (np.array(examples[f"{name}_tokens"][:])[fits] for name in ("prompt", "completion"))
    lengths = prompts + completions
    by_part = {"prompt": prompts, "completion and EOS": completions, "both": lengths}
    tokens = {name: _token_figures(part) for name, part in by_part.items()}
    console.print(_tokens_table(tokens))

    # Steps, parameters and memory
    longest = training.max_length if training.packing else int(lengths.max(initial=0))
    batch = training.per_device_train_batch_size
    needed = memory(model, config, batch * longest, training, settings, bap.adapter_dtype, bap.frozen_dtype)
    run = {
        "steps": _steps(lengths, training),
        "parameters": sum(weight.numel() for weight in model.parameters()),
        "trained_parameters": sum(weight.numel() for weight in model.parameters() if weight.requires_grad),
        "memory": needed,
    }
    console.print(_run_table(run, training))

    # What these numbers are of
    remarks = [
        *notes,
        f"memory: for a batch of {batch} × {longest:,} tokens, nothing sharded over devices; the device's own "
        "libraries take about 1 GB more",
        "this was a dry run: nothing was trained or downloaded",
    ]
    for remark in remarks:
        console.print(f"{remark}.", style="dim", highlight=False, markup=False)
    return {"items": items, "notes": list(notes), "tokens": tokens, **run}


def _item_counts(parts: Mapping[str, tuple[Dataset, Sequence[str]]]) -> dict[str, dict[str, dict[str, int]]]:
    """Return by split and source (and `all`): how many items fit, and what they lost for it."""
    counts = {}
    for split, (examples, sources) in parts.items():
        dropped, sources = np.array(examples["dropped_lines"][:]), np.array(sources)
        groups = {**{name: dropped[sources == name] for name in sorted(set(sources.tolist()))}, "all": dropped}
        counts[split] = {
            name: {
                "items": int((lines >= 0).sum()),
                "shortened": int((lines > 0).sum()),
                "history_lines_dropped": int(lines[lines > 0].sum()),
                "too_long_left_out": int((lines < 0).sum()),
            }
            for name, lines in groups.items()
        }
    return counts


def _items_table(items: Mapping[str, Mapping[str, Mapping[str, int]]]) -> Table:
    table = _table("Items", "split", "source", "items", "lost history", "history lines lost", "left out")
    for split, by_source in items.items():
        for name, counts in by_source.items():
            table.add_row(split, name, *(f"{count:,}" for count in counts.values()), end_section=name == "all")
    return table


def _token_figures(lengths: np.ndarray) -> dict[str, float]:
    lengths = lengths if len(lengths) else np.zeros(1)
    p50, p95 = (float(np.percentile(lengths, percent)) for percent in (50, 95))
    return {"mean": float(lengths.mean()), "p50": p50, "p95": p95, "max": int(lengths.max()), "sum": int(lengths.sum())}


def _tokens_table(tokens: Mapping[str, Mapping[str, float]]) -> Table:
    table = _table("Tokens per item", "", "mean", "p50", "p95", "max", "in all")
    for name, figures in tokens.items():
        table.add_row(
            name, f"{figures['mean']:,.1f}", *(f"{figures[key]:,.0f}" for key in ("p50", "p95", "max", "sum"))
        )
    return table


def _steps(lengths: np.ndarray, training: SFTConfig) -> int:
    """Count the steps of the training; about, if items are packed."""
    if training.max_steps > 0:
        return training.max_steps
    sequences = math.ceil(int(lengths.sum()) / training.max_length) if training.packing else len(lengths)
    per_step = training.per_device_train_batch_size * training.gradient_accumulation_steps * training.world_size
    return math.ceil(math.ceil(sequences / per_step) * training.num_train_epochs)


def _run_table(run: Mapping, training: SFTConfig) -> Table:
    table = Table(title="Run", title_justify="left", show_header=False)
    table.add_column()
    table.add_column(justify="right")
    # Steps, and what one of them learns
    about = "about " if training.packing else ""
    processes = f" × {training.world_size} processes" if training.world_size > 1 else ""
    batch = f"{training.per_device_train_batch_size} × {training.gradient_accumulation_steps}{processes}"
    table.add_row(
        "steps", f"{about}{run['steps']:,}: {training.num_train_epochs:g} epochs, {batch} "
        f"{'sequences' if training.packing else 'items'} a step"
    )  # fmt: skip

    # Parameters, and memory by part
    trained, total = run["trained_parameters"], run["parameters"]
    table.add_row("parameters", f"{total:,}")
    table.add_row("trained", f"{trained:,} ({trained / total:.2%})", end_section=True)
    for name, size in run["memory"].items():
        table.add_row(name, _gigabytes(size))
    table.add_row("memory of a device", f"about {_gigabytes(sum(run['memory'].values()))}", style="bold")
    return table


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", header_style="bold")
    for name in columns:
        table.add_column(name, justify="left" if name in ("split", "source", "") else "right")
    return table


def _gigabytes(size: float) -> str:
    return f"{size / 2**30:.2f} GiB" if size >= 2**25 else f"{size / 2**20:.2f} MiB"


_BYTES = {"float32": 4, "float16": 2, "bfloat16": 2}


def weightless(config: PreTrainedConfig, peft_config: PeftConfig | None) -> PreTrainedModel:
    """Return the model to train, with shapes but no weights."""
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
    # Bytes of a weight: stored, trained, and computed with
    trained = sum(weight.numel() for weight in model.parameters() if weight.requires_grad)
    frozen = sum(weight.numel() for weight in model.parameters()) - trained
    named = settings.dtype not in (None, "auto")
    dtype = settings.dtype if named else str(config.dtype or torch.float32).removeprefix("torch.")
    stored = _BYTES[dtype]
    kept = _BYTES[frozen_dtype or dtype]  # also what passes from layer to layer
    computed = 2 if training.bf16 or training.fp16 else max(stored, kept)
    if settings.use_peft:
        # PEFT keeps adapters of 16-bit models in float32, too; only those of quantized ones have a choice.
        trained_bytes = _BYTES[adapter_dtype] if settings.load_in_4bit or settings.load_in_8bit else 4
    else:
        trained_bytes = stored

    # Bytes of a quantized weight
    quantized = _quantized_parameters(model) if settings.load_in_4bit or settings.load_in_8bit else 0
    if settings.load_in_8bit:
        each = 1.0
    else:  # two to a byte, and for each block of 64 a scale of 4 bytes (nested: of 1, and a second one for 256 blocks)
        each = 0.5 + (1 / 64 + 4 / (64 * 256) if settings.use_bnb_nested_quant else 4 / 64)

    # What layers store for their gradients
    learned = [layer for layer in layers_of(model) if any(weight.requires_grad for weight in layer.parameters())]
    layers, hidden = len(learned), config.hidden_size  # frozen ones are the first, and store nothing
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
    """Count the parameters that bitsandbytes quantizes: of all linear layers but the one that gives the logits."""
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
