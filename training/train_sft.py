"""Fine-tune a language model on BAP items: text in, actions out.

    accelerate launch training/train_sft.py --config training/configs/smoke.yaml
    accelerate launch training/train_sft.py --config training/configs/smoke.yaml --lora_r 32 --output_dir runs/r32
    accelerate launch training/train_sft.py --config training/configs/smoke.yaml --resume_from_checkpoint true
    accelerate launch training/train_sft.py --config training/configs/smoke.yaml --dataset_path own_items.jsonl

A YAML file holds the settings, the command line overrides them. They are the fields of BapArguments (below), of TRL's
SFTConfig (the training) and of TRL's ModelConfig (the model, LoRA, 4-bit); `--help` lists them all. Without an
accelerator the same files train on the CPU, in float32 and as many threads as OMP_NUM_THREADS says.

The output directory then holds the adapter (or the model, without LoRA) with its tokenizer, and `training_run.json`:
what was trained on what, and how it went. A model made from `new_model` lies in its folder `new_model`.
"""

import hashlib
import json
import platform
import sys
import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import torch
from datasets import Dataset
from transformers import AutoTokenizer, PreTrainedTokenizerBase
from transformers.trainer_utils import get_last_checkpoint
from trl import ModelConfig, SFTConfig, SFTTrainer, TrlParser, get_peft_config, get_quantization_config

import bap_v2_metric
from bap_v2_dataset.prompts import PROMPT_VERSION
from bap_v2_training.examples import PromptTooLong, UsageError, fitting_prompt, load_rows, prompt_column, token_count
from bap_v2_training.new_llama import save_new_llama

PACKAGES = (
    "accelerate",
    "datasets",
    "peft",
    "tokenizers",
    "torch",
    "transformers",
    "trl",
)  # whose versions are recorded


@dataclass
class BapArguments:
    """Which items are learned, as which text."""

    dataset_config: str | None = field(default=None, metadata={"help": "Config of the bap_v2 dataset, e.g. mdc."})
    dataset_path: str | None = field(
        default=None, metadata={"help": "Own data instead: save_to_disk folder, .parquet or .jsonl with our columns."}
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
    new_model: dict | str | None = field(
        default=None,
        metadata={"help": "Instead of model_name_or_path: fields of LlamaConfig (a mapping, as JSON on the command "
                  "line) for a model with random weights and a tokenizer trained on the training items."},
    )  # fmt: skip

    def __post_init__(self):
        if isinstance(self.new_model, str):
            self.new_model = json.loads(self.new_model)


def parse_arguments(args: Sequence[str] | None = None) -> tuple[BapArguments, SFTConfig, ModelConfig]:
    """The settings of `--config FILE.yaml`, overridden by the command line, made to fit this machine."""
    args = list(sys.argv[1:] if args is None else args)
    if "--config" in args:
        config = Path(*args[args.index("--config") + 1 :][:1])
        if not config.is_file():
            ours = ", ".join(str(path) for path in sorted(Path(__file__).parent.glob("configs/*.yaml")))
            raise UsageError(f"there is no config file {config} (ours are {ours})")
    if not torch.accelerator.is_available():
        # In front, so that they override the YAML (a GPU recipe runs unchanged) and the command line overrides them.
        args = ["--use_cpu", "true", "--bf16", "false", "--fp16", "false", *args]
    try:
        parser = TrlParser((BapArguments, SFTConfig, ModelConfig), allow_abbrev=False)
        bap, training, model = parser.parse_args_and_config(args)
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
    return bap, training, model


def examples(
    rows: Dataset, bap: BapArguments, training: SFTConfig, tokenizer: PreTrainedTokenizerBase
) -> tuple[Dataset, dict]:
    """The `prompt` and `completion` pairs to learn, and counts of what was done to make them fit.

    No other column is left: TRL would take one called `text` for the whole example and train without an EOS.
    """
    prompts = prompt_column(rows, bap.representation, others=["completion"])
    longest_prompt = bap.max_prompt_tokens or float("inf")
    longest_example = training.max_length or float("inf")

    def example(row: dict) -> dict:
        def fits(prompt: str) -> bool:
            # Measured as TRL will tokenize it: whatever exceeds max_length is cut off its end, which is the answer.
            whole = prompt + row["completion"] + tokenizer.eos_token
            return token_count(tokenizer, whole) <= longest_example and token_count(tokenizer, prompt) <= longest_prompt

        try:
            prompt, dropped_lines = fitting_prompt(row[prompts], row["history"], fits)
        except PromptTooLong:
            prompt, dropped_lines = "", -1
        return {"prompt": prompt, "dropped_lines": dropped_lines}

    with training.main_process_first(desc="prompts"):
        rows = rows.select_columns(["history", prompts, "completion"])
        pairs = rows.map(example, num_proc=training.dataset_num_proc, desc="Fitting prompts")
    dropped_lines = pairs["dropped_lines"]
    pairs = pairs.select([index for index, dropped in enumerate(dropped_lines) if dropped >= 0])
    pairs = pairs.select_columns(["prompt", "completion"])
    if not len(pairs):
        raise UsageError("no item fits: raise max_length or max_prompt_tokens")
    digest = hashlib.sha256()
    for pair in pairs:
        digest.update(json.dumps([pair["prompt"], pair["completion"]]).encode())
    return pairs, {
        "items": len(pairs),
        "too_long_left_out": len(rows) - len(pairs),
        "shortened": sum(dropped > 0 for dropped in dropped_lines),
        "history_lines_dropped": sum(dropped for dropped in dropped_lines if dropped > 0),
        "sha256": digest.hexdigest(),  # of the text learned: the same data, prompts and limits give the same
    }


def prepared(bap: BapArguments, training: SFTConfig, model: ModelConfig) -> tuple[SFTTrainer, dict]:
    """A trainer that holds the model and the examples, and what to record of the data."""
    rows = load_rows(bap.dataset_config, bap.train_split, bap.dataset_path, bap.max_train_items)
    eval_rows = None
    if training.eval_strategy != "no":
        eval_rows = load_rows(bap.dataset_config, bap.eval_split, bap.dataset_path, bap.max_eval_items)

    if bap.new_model is not None:
        folder = Path(training.output_dir) / "new_model"
        model.model_name_or_path = str(folder)
        with training.main_process_first(desc="new model"):
            resumed = training.resume_from_checkpoint and folder.is_dir()
            if training.process_index == 0 and not resumed:
                columns = [prompt_column(rows, bap.representation, others=["completion"]), "completion"]
                texts = (text for column in columns for text in rows[column])
                save_new_llama(folder, texts, bap.new_model, training.seed)
    tokenizer = AutoTokenizer.from_pretrained(model.model_name_or_path, revision=model.model_revision)

    pairs, counts = examples(rows, bap, training, tokenizer)
    eval_pairs, eval_counts = examples(eval_rows, bap, training, tokenizer) if eval_rows is not None else (None, None)
    data = {
        "dataset": {"config": bap.dataset_config} if bap.dataset_path is None else {"path": bap.dataset_path},
        "dataset_version": rows.info.version and str(rows.info.version),
        "train": {"split": bap.train_split, **counts},
        "eval": eval_counts and {"split": bap.eval_split, **eval_counts},
    }

    training.completion_only_loss = True
    training.model_init_kwargs = {
        "revision": model.model_revision,
        "attn_implementation": model.attn_implementation,
        "dtype": model.dtype,
        **(training.model_init_kwargs or {}),
    }
    trainer = SFTTrainer(
        model=model.model_name_or_path,
        args=training,
        train_dataset=pairs,
        eval_dataset=eval_pairs,
        processing_class=tokenizer,
        quantization_config=get_quantization_config(model),
        peft_config=get_peft_config(model),
    )
    return trainer, data


def main(bap: BapArguments, training: SFTConfig, model: ModelConfig) -> dict:
    """Train as told, save the result in `training.output_dir`, and return what `training_run.json` says of it."""
    started = datetime.now(UTC)
    output_dir = Path(training.output_dir)
    checkpoint = training.resume_from_checkpoint
    if checkpoint in (True, "true", "True"):
        checkpoint = get_last_checkpoint(output_dir) if output_dir.is_dir() else None
        if checkpoint is None:
            raise UsageError(f"{output_dir} has no checkpoint to resume from; save_strategy: steps or epoch makes them")

    # Without its record, predict.py does not take a half-trained model for the one that was here before.
    (output_dir / "training_run.json").unlink(missing_ok=True)
    trainer, data = prepared(bap, training, model)
    if trainer.is_world_process_zero():
        counts = data["train"]
        print(
            f"learning {counts['items']} items; {counts['shortened']} lost {counts['history_lines_dropped']} of their "
            f"oldest history lines; {counts['too_long_left_out']} were left out, too long even without history"
        )
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
        "seconds": result.metrics["train_runtime"],
        # The last losses logged; train_loss is the average over the whole run.
        "final": {name: entry[name] for entry in log for name in ("loss", "eval_loss", "train_loss") if name in entry},
        "log": log,
        "versions": {"python": platform.python_version()} | {package: version(package) for package in PACKAGES},
        "arguments": {"bap": asdict(bap), "model": asdict(model), "training": training.to_dict()},
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
    except UsageError as error:
        sys.exit(f"train_sft.py: {error}")
