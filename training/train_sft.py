"""Fine-tune a language model on BAP items: text in, actions out.

    accelerate launch training/train_sft.py --config training/configs/smoke.yaml
    accelerate launch training/train_sft.py --config training/configs/llama_crafts.yaml
        ... --dry_run true                            items, lengths, steps, parameters, memory; no weights, no download
        ... --lora_r 32 --output_dir runs/r32         any setting overridden
        ... --resume_from_checkpoint auto             goes on where a killed run stopped
        ... --dataset_path own_items.jsonl            own data; also a folder of `bap-v2 mix`
        ... --mix mdc_v2=all,dr=8000,dss=6000         other proportions
        ... --curriculum synthetic,human              in stages

A YAML file holds the settings, the command line overrides them. They are the fields of BapArguments (below), of TRL's
SFTConfig (the training) and of TRL's ModelConfig (the model, LoRA, 4-bit); `--help` lists them all. A file with
`extends: other.yaml` changes only what it names. `training/accelerate` has settings for several GPUs and machines.
Without an accelerator the same files train on the CPU, in float32 and as many threads as OMP_NUM_THREADS says.

`--report_to wandb`, `tensorboard` or `trackio` logs there, if it is installed. A run can be killed at any moment;
`--resume_from_checkpoint true` goes on from its newest whole checkpoint (`save_strategy` makes them), and `auto` begins
anew if there is none.

The output directory then holds the adapter (or the model, without LoRA) with its tokenizer, and `training_run.json`:
what was trained on what, and how it went. A model made from `new_model` lies in its folder `new_model`.
"""

import hashlib
import importlib.util
import json
import os
import platform
import random
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import datasets
import torch
import yaml
from datasets import Dataset, Features, List, Value
from transformers import AutoTokenizer, PreTrainedTokenizerBase, TrainerCallback
from transformers.trainer_callback import ExportableState
from transformers.trainer_pt_utils import get_length_grouped_indices
from trl import ModelConfig, SFTConfig, SFTTrainer, TrlParser, get_peft_config, get_quantization_config

import bap_v2_metric
from bap_v2_dataset.labels.label_file import labels_name
from bap_v2_dataset.loading.bap import labels_path
from bap_v2_dataset.loading.builder import rows_hash
from bap_v2_dataset.loading.mix import write_mix
from bap_v2_dataset.prompts import PROMPT_VERSION
from bap_v2_dataset.tasks import CONFIGS
from bap_v2_training.learning import dry_run
from bap_v2_training.learning.examples import UsageError, load_rows, prompt_column, sources_of, tokenized
from bap_v2_training.models.new_llama import new_llama, save_new_llama

PACKAGES = (
    "accelerate",
    "bap-v2",
    "bitsandbytes",
    "datasets",
    "deepspeed",
    "flash-attn",
    "liger-kernel",
    "peft",
    "tokenizers",
    "torch",
    "transformers",
    "trl",
)  # whose versions are recorded, if they are installed


@dataclass
class BapArguments:
    """Which items are learned, as which text, in which order."""

    dataset_config: str | None = field(default=None, metadata={"help": "Config of the bap_v2 dataset, e.g. mdc."})
    dataset_path: str | None = field(
        default=None,
        metadata={
            "help": "Own data instead, with our columns: a folder of save_to_disk or bap-v2 mix, .parquet or .jsonl."
        },
    )
    mix: str | None = field(
        default=None,
        metadata={"help": "A mix instead: train items by config, e.g. mdc_v2=all,dr=8000,dsb=5000,dss=6000."},
    )
    train_split: str = field(default="train", metadata={"help": "Split to learn from."})
    eval_split: str = field(default="validation", metadata={"help": "Split for the eval loss, if eval_strategy asks."})
    representation: str = field(default="n_posb_s", metadata={"help": "Input of Table 5: n, n_posb or n_posb_s."})
    max_train_items: int | None = field(default=None, metadata={"help": "Learn a fixed random subset of this size."})
    max_eval_items: int | None = field(default=None, metadata={"help": "Evaluate on a fixed subset of this size."})
    max_prompt_tokens: int | None = field(
        default=None,
        metadata={
            "help": "Longest prompt in tokens. Longer ones lose their oldest history lines, here and in predict.py. "
            "max_length bounds prompt and completion together, here only."
        },
    )
    curriculum: str | None = field(
        default=None,
        metadata={
            "help": "Learn in stages, each for num_train_epochs before the next: synthetic,human (M_agg+cl of 11.2), "
            "or sources joined by +, e.g. dsb,dss+dr,human."
        },
    )
    new_model: dict | str | None = field(
        default=None,
        metadata={"help": "Instead of model_name_or_path: fields of LlamaConfig (a mapping, as JSON on the command "
                  "line) for a model with random weights and a tokenizer trained on the training items."},
    )  # fmt: skip
    adapter_dtype: str = field(
        default="bfloat16",
        metadata={
            "help": "Of the adapter of a quantised model: bfloat16 (TRL's, and what FSDP needs) or float32 (PEFT's).",
            "choices": ["bfloat16", "float32"],
        },
    )
    installed_kernels: bool = field(
        default=False,
        metadata={"help": "On a GPU take FlashAttention (if attn_implementation is not set) and Liger's fused layers, "
                  "if they are installed."},
    )  # fmt: skip
    dry_run: bool = field(
        default=False, metadata={"help": "Say what would be trained, in which memory, without weights; and stop."}
    )

    def __post_init__(self):
        if isinstance(self.new_model, str):
            self.new_model = json.loads(self.new_model)


def parse_arguments(args: Sequence[str] | None = None) -> tuple[BapArguments, SFTConfig, ModelConfig]:
    """The settings of `--config FILE.yaml`, overridden by the command line, made to fit this machine."""
    args = list(sys.argv[1:] if args is None else args)
    try:
        parser = TrlParser((BapArguments, SFTConfig, ModelConfig), allow_abbrev=False)
        if "--config" in args:
            at = args.index("--config")
            settings = config_settings(Path(*args[at + 1 :][:1]))
            del args[at : at + 2]
            os.environ |= {name: str(value) for name, value in settings.pop("env", {}).items()}
            if unknown := parser.set_defaults_with_config(**settings)[::2]:
                raise UsageError(f"there is no setting {', '.join(name.removeprefix('--') for name in unknown)}")
        if not torch.accelerator.is_available():
            # In front, so that they override the YAML (a GPU recipe runs unchanged), and the command line overrides
            # them. A dry run is about a GPU: its precision stays.
            dry = "--dry_run" in args and args[args.index("--dry_run") + 1 :][:1] not in (["false"], ["False"])
            args = ["--use_cpu", "true", *([] if dry else ["--bf16", "false", "--fp16", "false"]), *args]
        bap, training, model = parser.parse_args_and_config(args)
    except UsageError:
        raise
    except ValueError as error:  # an unknown name, or values that do not go together
        raise UsageError(str(error)) from error

    if (bap.new_model is None) == (model.model_name_or_path is None):
        raise UsageError("name the model once: either model_name_or_path or new_model")
    if model.load_in_4bit and model.dtype == "auto":
        raise UsageError("dtype: auto does not work with load_in_4bit; set dtype: bfloat16")
    if training.use_cpu and model.load_in_4bit and training.eval_strategy != "no":
        # On some CPUs bitsandbytes repacks 4-bit weights in a forward pass without gradients, and every gradient after
        # that is wrong without a sign of it.
        raise UsageError("4-bit weights cannot be evaluated during training on a CPU; set eval_strategy: no")
    if training.max_length is None and bap.max_prompt_tokens is None:
        raise UsageError("set max_length or max_prompt_tokens: a corpus game can outgrow any context")
    if bap.mix is not None and bap.dataset_path is not None:
        raise UsageError("name the data once: either mix or dataset_path")
    if bap.curriculum is not None and training.packing:
        raise UsageError("packing puts items of all stages together; with a curriculum set packing: false")
    if bap.curriculum is not None and training.num_train_epochs != int(training.num_train_epochs):
        raise UsageError(f"num_train_epochs is {training.num_train_epochs}: a stage of a curriculum takes whole epochs")
    return bap, training, model


def config_settings(path: Path) -> dict:
    """The settings of a YAML file over those of the file it `extends`, whose path is relative to its own."""
    if not path.is_file():
        ours = Path(__file__).parent / "configs"
        names = ", ".join(its.name for its in sorted(ours.glob("*.yaml")))
        raise UsageError(f"there is no config file {path} (in {ours} there are {names})")
    try:
        settings = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise UsageError(f"{path} is not YAML: {error}") from error
    if not isinstance(settings, dict):
        raise UsageError(f"{path} has no settings (expected lines such as `learning_rate: 2.0e-4`)")
    base = settings.pop("extends", None)
    return settings if base is None else config_settings(path.parent / base) | settings


def mix_of(mix: str) -> tuple[Path, dict[str, int | None]]:
    """The folder in the Hugging Face cache of a mix such as "mdc_v2=all,dr=8000", and its amounts (None: all).

    Raises:
        UsageError: it is not written like that.
    """
    amounts: dict[str, int | None] = {}
    for part in sorted(mix.split(",")):
        name, _, amount = part.strip().partition("=")
        if amount != "all" and not amount.isdecimal():
            raise UsageError(f"mix: {part.strip()!r} is no amount of a config (expected for example dr=8000 or dr=all)")
        amounts[name] = None if amount == "all" else int(amount)
    rows = [rows_hash(name) for name in amounts if name in CONFIGS]  # of other rows, another folder
    digest = hashlib.sha256(" ".join([json.dumps(amounts), *rows]).encode()).hexdigest()[:8]
    readable = "_".join(f"{name}-{'all' if amount is None else amount}" for name, amount in amounts.items())
    return Path(datasets.config.HF_CACHE_HOME) / "bap_v2_mixes" / f"{readable}_{digest}", amounts


def rows_of(bap: BapArguments, split: str, max_items: int | None, training: SFTConfig) -> Dataset:
    """The rows of a split of what the arguments name.

    Raises:
        UsageError: there are none.
        bap_v2_dataset.loading.mix.MixError: there is no such mix.
    """
    path = bap.dataset_path
    if bap.mix is not None:
        folder, amounts = mix_of(bap.mix)
        path = str(folder)
        with training.main_process_first(local=False, desc="mix"):
            if training.process_index == 0:
                folder.parent.mkdir(parents=True, exist_ok=True)
                write_mix(folder, amounts)
    return load_rows(bap.dataset_config, split, path, max_items)


def revision_of(bap: BapArguments, rows: Dataset) -> dict:
    """What to record of where the rows come from: besides their text, which has a digest of its own."""
    if bap.mix is not None:
        record = json.loads((mix_of(bap.mix)[0] / "mix.json").read_bytes())
        return {"dataset": {"mix": bap.mix}, "dataset_version": record["request"]["data_version"], "mix": record}
    if bap.dataset_path is not None:
        return {"dataset": {"path": bap.dataset_path}, "dataset_version": None}
    return {
        "dataset": {"config": bap.dataset_config},
        "dataset_version": str(rows.info.version),
        # The folder of the cache is named for everything the rows depend on.
        "dataset_revision": Path(rows.cache_files[0]["filename"]).parent.name,
        **({"labels": labels_name(labels_path())} if bap.dataset_config in ("mdc_v2", "all") else {}),
    }


_LENGTHS = {"prompt_tokens": Value("int32"), "completion_tokens": Value("int32"), "dropped_lines": Value("int32")}
_TOKENS = {"input_ids": List(Value("int32")), "labels": List(Value("int32")), "sha256": Value("string")}


def examples(
    rows: Dataset,
    bap: BapArguments,
    training: SFTConfig,
    tokenizer: PreTrainedTokenizerBase,
    lengths_only: bool = False,
) -> Dataset:
    """One example a row: tokens, and the labels that are learned, which are the completion's and the EOS behind it.

    Also `prompt_tokens`, `completion_tokens` (with EOS), and `dropped_lines`: how many of the oldest history lines did
    not fit; -1: nor did it without history. TRL takes examples with labels as they are: it neither cuts nor drops any.

    Args:
        lengths_only: nothing but these three columns, and nothing written to the cache.
    """
    column = prompt_column(rows, bap.representation, others=["completion"])
    longest = (bap.max_prompt_tokens, training.max_length)

    def learned(batch: dict) -> dict:  # named in the cache by what it refers to, so by nothing that does not matter
        its = tokenized(batch[column], batch["history"], batch["completion"], tokenizer, *longest)
        texts = (json.dumps([example.prompt, answer]) for example, answer in zip(its, batch["completion"]))
        tokens = {
            "input_ids": [example.input_ids for example in its],
            "labels": [[-100] * n + ids[n:] for _, ids, n, _ in its],
            "sha256": [hashlib.sha256(text.encode()).hexdigest() for text in texts],
        }
        return {
            "prompt_tokens": [example.prompt_tokens for example in its],
            "completion_tokens": [len(example.input_ids) - example.prompt_tokens for example in its],
            "dropped_lines": [example.dropped_lines for example in its],
            **({} if lengths_only else tokens),
        }

    with training.main_process_first(desc="tokens"):
        rows = rows.select_columns(["history", column, "completion"])
        return rows.map(
            learned,
            batched=True,
            remove_columns=rows.column_names,
            features=Features(_LENGTHS if lengths_only else _LENGTHS | _TOKENS),
            num_proc=training.dataset_num_proc,
            keep_in_memory=lengths_only,
            desc="Tokenizing",
        )


def fitting(all_examples: Dataset, sources: Sequence[str]) -> tuple[Dataset, list[str], dict]:
    """The examples that fit, their sources, and counts of what was done to make them fit."""
    dropped_lines = all_examples["dropped_lines"][:]
    kept = [index for index, dropped in enumerate(dropped_lines) if dropped >= 0]
    if not kept:
        raise UsageError("no item fits: raise max_length or max_prompt_tokens")
    these, sources = all_examples.select(kept), [sources[index] for index in kept]
    counts = {
        "items": len(these),
        "sources": dry_run.sources_in(sources),
        "too_long_left_out": len(all_examples) - len(these),
        "shortened": sum(dropped > 0 for dropped in dropped_lines),
        "history_lines_dropped": sum(dropped for dropped in dropped_lines if dropped > 0),
        # Of the text learned: the same data, prompts and limits give the same.
        "sha256": hashlib.sha256("".join(these["sha256"][:]).encode()).hexdigest(),
    }
    return these, sources, counts


def stages_of(curriculum: str, sources: Sequence[str]) -> list[list[int]]:
    """The places of the items of each stage.

    >>> stages_of("synthetic,human", ["dr", "human", "dss", "human"])
    [[0, 2], [1, 3]]
    """
    there = sorted(set(sources))
    stages, taken = [], set()
    for stage in curriculum.split(","):
        names = set()
        for name in stage.strip().split("+"):
            names |= set(there) - {"human", "own"} if name == "synthetic" else {name}
        if missing := sorted(names - set(there)) or ([] if names else [stage]):
            raise UsageError(f"curriculum: there are no items of {', '.join(missing)} (but of {', '.join(there)})")
        if twice := sorted(names & taken):
            raise UsageError(f"curriculum: {', '.join(twice)} is in two stages")
        taken |= names
        stages.append([index for index, source in enumerate(sources) if source in names])
    if left := sorted(set(there) - taken):
        raise UsageError(f"curriculum: no stage has the items of {', '.join(left)}")
    return stages


def in_stages(
    stages: Sequence[Sequence[int]], epochs: int, seed: int, lengths: Sequence[int] | None = None, group: int = 1
) -> list[int]:
    """The places of all items in the order of learning: shuffled anew for every epoch of a stage, never across stages.

    Args:
        lengths: of the items, if each `group` of them that are learned together should be about equally long.
    """
    order = []
    for stage, places in enumerate(stages):
        for epoch in range(epochs):
            rng = random.Random(f"{seed}/{stage}/{epoch}")
            if lengths is None:
                shuffled = rng.sample(range(len(places)), len(places))
            else:
                generator = torch.Generator().manual_seed(rng.getrandbits(63))
                shuffled = get_length_grouped_indices([lengths[place] for place in places], group, generator=generator)
            order += [places[index] for index in shuffled]
    return order


class CpuTrainer(SFTTrainer):
    """TRL's trainer, with a loss of equal value that is fast on a CPU.

    Without Triton, TRL scores every position against the whole vocabulary and then masks the prompt's, which takes
    longer than a small model itself. Here only positions that some item of the batch learns from become logits.
    """

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        if return_outputs or self.args.loss_type != "nll" or self.args.label_smoothing_factor:
            return super().compute_loss(model, inputs, return_outputs, num_items_in_batch)
        its = dict(inputs)
        labels = its.pop("labels")[:, 1:]
        positions = (labels != -100).any(dim=0).nonzero().flatten()
        logits = model(**its, logits_to_keep=positions, use_cache=False).logits
        labels = labels[:, positions]
        loss = torch.nn.functional.cross_entropy(logits.float().flatten(0, 1), labels.flatten(), reduction="sum")
        loss = loss / ((labels != -100).sum() if num_items_in_batch is None else num_items_in_batch)
        if self.args.average_tokens_across_devices and num_items_in_batch is not None:
            loss = loss * self.accelerator.num_processes  # DDP takes the mean of what should be summed
        return loss


class LearnedData(TrainerCallback, ExportableState):
    """Says in every checkpoint what it has learned from, so that it cannot go on with something else."""

    def __init__(self, **facts):
        self.facts = facts

    def state(self) -> dict:
        return {"args": self.facts, "attributes": {}}


def last_whole_checkpoint(output_dir: Path) -> Path | None:
    """The newest checkpoint that was written to its end: a kill can leave a newer one half-written."""
    folders = [path for path in output_dir.glob("checkpoint-*") if path.name.removeprefix("checkpoint-").isdecimal()]
    for path in sorted(folders, key=lambda path: -int(path.name.removeprefix("checkpoint-"))):
        facts = _learned_by(path)
        # trainer_state.json is the last that the first process writes, but others may still be at their random states.
        if facts is not None and len(list(path.glob("rng_state*.pth"))) >= facts.get("processes", 1):
            return path
    return None


def _learned_by(checkpoint: Path) -> dict | None:
    """What LearnedData says in a checkpoint; None if that is not whole."""
    try:
        state = json.loads((checkpoint / "trainer_state.json").read_bytes())
    except (OSError, ValueError):
        return None
    return state.get("stateful_callbacks", {}).get("LearnedData", {}).get("args", {})


def checkpoint_of(training: SFTConfig) -> str | None:
    """Where to go on, or None to begin at the beginning."""
    wanted, output_dir = training.resume_from_checkpoint, Path(training.output_dir)
    if str(wanted).lower() not in ("true", "auto"):
        return None if str(wanted).lower() in ("none", "false") else str(wanted)
    checkpoint = last_whole_checkpoint(output_dir)
    if checkpoint is None and str(wanted).lower() == "true":
        raise UsageError(f"{output_dir} has no checkpoint to resume from; save_strategy: steps or epoch makes them")
    return checkpoint and str(checkpoint)


def use_installed_kernels(training: SFTConfig, model: ModelConfig) -> list[str]:
    """Turns on what makes training faster on this machine and gives the same model; returns what it was."""
    taken = []
    if torch.cuda.is_available() and model.attn_implementation is None and importlib.util.find_spec("flash_attn"):
        model.attn_implementation = "flash_attention_2"
        taken.append("flash_attention_2")
    if torch.cuda.is_available() and importlib.util.find_spec("liger_kernel"):
        training.use_liger_kernel = True
        taken.append("liger_kernel")
    return taken


def prepared(
    bap: BapArguments, training: SFTConfig, model: ModelConfig, checkpoint: str | None = None
) -> tuple[SFTTrainer, dict]:
    """A trainer that holds the model and the examples, and what to record of the data.

    Args:
        checkpoint: where the training will go on.
    """
    rows = rows_of(bap, bap.train_split, bap.max_train_items, training)
    eval_rows = None
    if training.eval_strategy != "no":
        eval_rows = rows_of(bap, bap.eval_split, bap.max_eval_items, training)

    if bap.new_model is not None:
        folder = Path(training.output_dir) / "new_model"
        model.model_name_or_path = str(folder)
        with training.main_process_first(local=False, desc="new model"):
            if training.process_index == 0 and not (checkpoint and folder.is_dir()):
                columns = [prompt_column(rows, bap.representation, others=["completion"]), "completion"]
                texts = (text for column in columns for text in rows[column])
                save_new_llama(folder, texts, bap.new_model, training.seed)
    try:
        tokenizer = AutoTokenizer.from_pretrained(model.model_name_or_path, revision=model.model_revision)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{model.model_name_or_path} is no folder of a model, nor one that the Hub gives; some want their licence "
            f"accepted there, and `hf auth login`: {str(error).splitlines()[0]}"
        ) from error

    its, sources, counts = fitting(examples(rows, bap, training, tokenizer), sources_of(rows))
    eval_its, eval_counts = None, None
    if eval_rows is not None:
        eval_its, _, eval_counts = fitting(examples(eval_rows, bap, training, tokenizer), sources_of(eval_rows))
    data = {
        **revision_of(bap, rows),
        "train": {"split": bap.train_split, **counts},
        "eval": eval_counts and {"split": bap.eval_split, **eval_counts},
    }
    facts = {"sha256": counts["sha256"], "seed": training.seed, "curriculum": bap.curriculum}
    if checkpoint is not None:
        earlier = _learned_by(Path(checkpoint)) or {}
        if differing := [name for name in facts if name in earlier and earlier[name] != facts[name]]:
            named = ", ".join({"sha256": "the items"}.get(name, f"the {name}") for name in differing)
            raise UsageError(f"{checkpoint} was trained with other settings ({named}): use the same, or begin anew")

    if bap.curriculum is not None:
        stages = stages_of(bap.curriculum, sources)
        grouped = training.train_sampling_strategy == "group_by_length"
        lengths = [sum(pair) for pair in zip(its["prompt_tokens"][:], its["completion_tokens"][:])] if grouped else None
        group = training.per_device_train_batch_size * training.gradient_accumulation_steps
        order = in_stages(stages, int(training.num_train_epochs), training.seed, lengths, group)
        data["curriculum"] = [
            {"stage": name.strip(), "items": len(stage)} for name, stage in zip(bap.curriculum.split(","), stages)
        ]
        # All epochs of all stages, one after the other, are one epoch in the order given.
        its = its.select(order)
        training.num_train_epochs, training.train_sampling_strategy = 1, "sequential"

    training.completion_only_loss = True
    training.model_init_kwargs = {
        "revision": model.model_revision,
        "attn_implementation": model.attn_implementation,
        "dtype": model.dtype,
        **(training.model_init_kwargs or {}),
    }
    limit = training.max_length
    if not training.packing:
        training.max_length = None  # all fit; TRL would go through them once more, and refuse padding_free
    kind = CpuTrainer if training.use_cpu else SFTTrainer
    trainer = kind(
        model=model.model_name_or_path,
        args=training,
        train_dataset=its.select_columns(["input_ids", "labels"]),
        eval_dataset=eval_its and eval_its.select_columns(["input_ids", "labels"]),
        processing_class=tokenizer,
        quantization_config=get_quantization_config(model),
        peft_config=get_peft_config(model),
        callbacks=[LearnedData(**facts, processes=training.world_size)],
    )
    training.max_length = limit
    if model.use_peft and (model.load_in_4bit or model.load_in_8bit):
        for weight in trainer.model.parameters():
            if weight.requires_grad:
                weight.data = weight.data.to(getattr(torch, bap.adapter_dtype))
    return trainer, data


def dry_run_of(bap: BapArguments, training: SFTConfig, model: ModelConfig) -> dict:
    """Print what a run would be like, and return it."""
    splits = [(bap.train_split, bap.max_train_items)]
    if training.eval_strategy != "no":
        splits.append((bap.eval_split, bap.max_eval_items))
    rows = {split: rows_of(bap, split, most, training) for split, most in splits}
    train = rows[bap.train_split]
    column = prompt_column(train, bap.representation, others=["completion"])
    if bap.new_model is not None:
        texts = (text for name in (column, "completion") for text in train[name])
        config, tokenizer = new_llama(texts, bap.new_model)
        notes = []
    else:
        texts = dry_run.texts_of(train, column)
        tokenizer, config, notes = dry_run.tokenizer_and_config(model.model_name_or_path, model.model_revision, texts)
    parts = {
        split: (examples(its, bap, training, tokenizer, lengths_only=True), sources_of(its))
        for split, its in rows.items()
    }
    if bap.curriculum is not None:
        stages_of(bap.curriculum, parts[bap.train_split][1])  # says what is wrong with it
        notes.append(f"the items are learned in the order {bap.curriculum}")
    weightless = dry_run.weightless(config, get_peft_config(model))
    if training.process_index:
        return {}
    return dry_run.report(parts, weightless, config, training, model, bap.adapter_dtype, notes)


def versions() -> dict[str, str]:
    """Of Python and of those libraries that are installed."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def main(bap: BapArguments, training: SFTConfig, model: ModelConfig) -> dict:
    """Train as told, save the result in `training.output_dir`, and return what `training_run.json` says of it."""
    if bap.dry_run:
        return dry_run_of(bap, training, model)
    started = datetime.now(UTC)
    output_dir = Path(training.output_dir)
    checkpoint = checkpoint_of(training)
    kernels = use_installed_kernels(training, model) if bap.installed_kernels else []
    asked = {"bap": asdict(bap), "model": asdict(model), "training": training.to_dict()}  # some are changed below

    # Without its record, predict.py does not take a half-trained model for the one that was here before.
    (output_dir / "training_run.json").unlink(missing_ok=True)
    trainer, data = prepared(bap, training, model, checkpoint)
    asked["model"]["model_name_or_path"] = model.model_name_or_path
    if trainer.is_world_process_zero():
        counts = data["train"]
        print(
            f"learning {counts['items']} items; {counts['shortened']} lost {counts['history_lines_dropped']} of their "
            f"oldest history lines; {counts['too_long_left_out']} were left out, too long even without history"
        )
        if checkpoint is not None:
            print(f"going on from {checkpoint}")
        if bap.installed_kernels:
            print(f"installed kernels: {', '.join(kernels) or 'none'}")
    result = trainer.train(resume_from_checkpoint=checkpoint)
    trainer.save_model(training.output_dir)

    log = trainer.state.log_history
    run = {
        "started": started.isoformat(timespec="seconds"),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        **data,
        "representation": bap.representation,
        "prompt_version": PROMPT_VERSION,
        "metric_signature": bap_v2_metric.score([], [])["signature"],
        "seed": training.seed,
        "model": model.model_name_or_path,
        "trained_parameters": sum(weight.numel() for weight in trainer.model.parameters() if weight.requires_grad),
        "steps": trainer.state.global_step,
        "resumed_from": checkpoint,
        "seconds": result.metrics["train_runtime"],
        # The last losses logged; train_loss is the average over the whole run.
        "final": {name: entry[name] for entry in log for name in ("loss", "eval_loss", "train_loss") if name in entry},
        "log": log,
        "device": torch.cuda.get_device_name() if trainer.args.device.type == "cuda" else trainer.args.device.type,
        "processes": training.world_size,
        "installed_kernels": kernels,
        "versions": versions(),
        "arguments": asked,
    }
    if trainer.is_world_process_zero():
        (output_dir / "training_run.json").write_text(json.dumps(run, indent=2) + "\n", encoding="utf-8")
        print(f"saved in {output_dir} after {run['steps']} steps; final {run['final']}")
    return run


if __name__ == "__main__":
    # peft asks transformers for the older name; nobody who runs this can mend it.
    warnings.filterwarnings("ignore", message=".*is_gradient_checkpointing.*", category=FutureWarning)
    try:
        main(*parse_arguments())
    except KeyboardInterrupt:
        print("stopped; with --resume_from_checkpoint auto the same command goes on from the last checkpoint")
        sys.exit(130)
    except (ValueError, OSError) as error:
        # Ours say what to change; those of libraries need their traceback.
        if not type(error).__module__.startswith("bap_v2"):
            raise
        sys.exit(f"train_sft.py: {error}")
