"""Fine-tune a language model (QLoRA, LoRA or all weights) on items of a task (text in, text out), or on dialogues.

    accelerate launch training/train_sft.py --config training/configs/smoke.yaml
    accelerate launch training/train_sft.py --config training/configs/llama_crafts.yaml
        ... --dry_run true                            items, lengths, steps, parameters, memory; no weights, no download
        ... --lora_r 32 --output_dir runs/r32         any setting overridden
        ... --resume_from_checkpoint auto             resumes where a killed run stopped
        ... --data own_items.jsonl                    own data; also a folder of `bap-v2 mix`, or USER/NAME on the Hub
        ... --mix mdc_v2=all,dr=8000,dss=6000         other proportions
        ... --curriculum synthetic,human              in stages
        ... --learned_answers repairs                 what people undid, as a larger model reads their turns
        ... --robust_families spl                     robust: each item with a variant of it, in other words
    accelerate launch training/train_sft.py --config training/configs/gsu_smoke.yaml
        ... --dataset_config gsu --reasoning false    all tasks of GSU at once; answers alone, without their traces
    accelerate launch training/train_sft.py --config training/configs/plancraft_smoke.yaml
        ... --data chats.jsonl                        other dialogues: {"id", "messages": [{"role", "content"}, ...]}

The settings are the fields of BapArguments (learning/training_settings.py), and of TRL's SFTConfig and ModelConfig.
With the folder of an adapter as model_name_or_path, the adapter is trained further (with `use_peft: false` it is
merged, and all weights are trained). More: docs/training.md.

At the end the output directory holds the adapter (or the model, without LoRA) with its tokenizer, and
`training_run.json`: what was trained on what, and how it went. A model made from `new_model` is in its folder
`new_model`.
"""

import bap_v2_training.before_libraries  # isort: skip # noqa: F401 (before the libraries)
from bap_v2_training.one_gpu import take_one_gpu

if __name__ == "__main__":
    take_one_gpu()  # before the libraries that start CUDA

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from datasets import Dataset
from transformers import AutoTokenizer, PreTrainedTokenizerBase, TrainerCallback
from trl import GRPOConfig, ModelConfig, SFTConfig

from bap_v2_dataset.predictions.model_records import NEW_MODEL, TRAINING_RUN
from bap_v2_training.commands import run_training
from bap_v2_training.decoding.language_model import how_to_get
from bap_v2_training.decoding.trained_model import tokenizer_folder
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.checkpoints import DataFingerprint, check_same_data, checkpoint_of
from bap_v2_training.learning.curriculum import order_of, stages_of
from bap_v2_training.learning.dataset_rows import BUILT, with_readings
from bap_v2_training.learning.dry_run import dry_run
from bap_v2_training.learning.run_record import RunRecord, trained_parameters
from bap_v2_training.learning.sft_trainer import BapTrainer, CpuTrainer, use_installed_kernels
from bap_v2_training.learning.trainer_model import trainer_model_kwargs
from bap_v2_training.learning.training_data import (
    LearnedItems,
    learned_items,
    load_training_rows,
    revision_of,
    tokenizer_texts,
)
from bap_v2_training.learning.training_settings import BapArguments, parse_arguments
from bap_v2_training.models.gguf import model_folder
from bap_v2_training.models.new_llama import save_new_llama
from bap_v2_training.tasks.robustness import with_variants
from bap_v2_training.tasks.table import training_task


def main(bap: BapArguments, training: SFTConfig, model: ModelConfig) -> dict:
    """Train as the settings say, save the result in `training.output_dir`, and return the record of the run."""
    if bap.dry_run:
        return dry_run(bap, training, model)
    checkpoint = checkpoint_of(training, bap.overwrite)
    kernels = use_installed_kernels(training, model) if bap.installed_kernels else []
    record = RunRecord(bap, training, model, checkpoint, kernels)

    # Load the data, initialize the SFT trainer, and train
    trainer, data = prepared(bap, training, model, checkpoint)
    if trainer.is_world_process_zero():
        announce(data["train"], checkpoint, kernels if bap.installed_kernels else None)
    return record.carry_out(trainer, data, lambda run: f"steps; final {run['final']}")


def prepared(
    bap: BapArguments, training: SFTConfig, model: ModelConfig, checkpoint: str | None = None
) -> tuple[BapTrainer, dict]:
    """Return a trainer that holds the model and the examples, and what to record of the data.

    Args:
        checkpoint: where the training will be resumed.
    """
    # Load the rows and the tokenizer
    rows = load_training_rows(bap, bap.train_split, bap.max_train_items, training)
    eval_rows = None
    if training.eval_strategy != "no":
        eval_rows = load_training_rows(bap, bap.eval_split, bap.max_eval_items, training)
    if bap.new_model is not None:
        make_new_model(bap, training, model, rows, checkpoint)
    tokenizer = load_tokenizer(model, training)
    for name in ("eos_token", "pad_token"):
        if (token := getattr(training, name)) is not None:
            if token not in tokenizer.get_vocab():
                raise UsageError(f"{name} is {token!r}, which is no token of {model.model_name_or_path}")
            setattr(tokenizer, name, token)
    of_template = training_task(bap.task).prepare(tokenizer)
    if bap.added_texts and bap.new_model is None:
        tokenizer.add_tokens(bap.added_texts)

    # Turn them into examples
    data = {**revision_of(bap, rows), **of_template, "eval": None}
    answers = {}
    if bap.learned_answers != BUILT:
        rows, answers["answers"] = with_readings(rows, bap.learned_answers)
    if bap.robust:
        rows, data["robust"] = with_variants(rows, bap)
    items = learned_items(rows, bap, training, tokenizer)
    data["train"] = {"split": bap.train_split, **items.counts, **answers}
    eval_items = None
    if eval_rows is not None:
        eval_items = learned_items(eval_rows, bap, training, tokenizer)
        data["eval"] = {"split": bap.eval_split, **eval_items.counts}
    facts = {"sha256": items.counts["sha256"], "seed": training.seed, "curriculum": bap.curriculum}
    facts |= {"use_peft": model.use_peft, "frozen_layers": bap.frozen_layers}  # the weights that are trained
    if checkpoint is not None:
        check_same_data(checkpoint, facts)
    examples = items.examples
    if bap.curriculum is not None:
        examples, data["curriculum"] = in_stages(bap.curriculum, items, training)

    # Initialize the SFT trainer
    callbacks = [DataFingerprint(**facts, processes=training.world_size)]
    eval_examples = None if eval_items is None else eval_items.examples
    trainer = new_trainer(bap, training, model, tokenizer, examples, eval_examples, callbacks)
    data["trained_parameters"] = trained_parameters(trainer.model)
    return trainer, data


def new_trainer(
    bap: BapArguments,
    training: SFTConfig,
    model: ModelConfig,
    tokenizer: PreTrainedTokenizerBase,
    examples: Dataset,
    eval_examples: Dataset | None,
    callbacks: Sequence[TrainerCallback],
) -> BapTrainer:
    """Return the trainer, with the model loaded; the settings get what it needs to take the examples as they are."""
    # The model, and what else follows from the settings
    training.completion_only_loss = True
    trainer_class = CpuTrainer if training.use_cpu else BapTrainer
    learned = trainer_model_kwargs(
        training, model, tokenizer, grows=bap.new_model is None and bap.added_tokens is not None
    )
    adapted = model.use_peft and (model.load_in_4bit or model.load_in_8bit)
    columns = ["input_ids", "labels"]

    # Examples are in tokens, and fit: TRL takes them as they are
    with truncation_disabled(training):
        return trainer_class(
            **learned,
            args=training,
            train_dataset=examples.select_columns(columns if training.packing else [*columns, "length"]),
            eval_dataset=None if eval_examples is None else eval_examples.select_columns(columns),
            processing_class=tokenizer,
            callbacks=list(callbacks),
            trained_dtype=bap.adapter_dtype if adapted else None,
            frozen_dtype=bap.frozen_dtype,
            frozen_layers=bap.frozen_layers,
            compile_layers=bap.compile_layers,
        )


@contextmanager
def truncation_disabled(training: SFTConfig) -> Iterator[None]:
    """Without `max_length` while the block runs, unless items are packed to it.

    All examples fit already: TRL would go through them once more, and refuse `padding_free`.
    """
    max_length = training.max_length
    if not training.packing:
        training.max_length = None
    try:
        yield
    finally:
        training.max_length = max_length


def make_new_model(
    bap: BapArguments, training: SFTConfig, model: ModelConfig, rows: Dataset, checkpoint: str | None
) -> None:
    """Save a model with random weights in the output directory, and make it the one to train."""
    folder = Path(training.output_dir) / NEW_MODEL
    model.model_name_or_path = str(folder)
    with training.main_process_first(local=False, desc="new model"):
        if training.process_index == 0 and not (checkpoint and folder.is_dir()):
            texts, sentences = tokenizer_texts(rows, bap)
            Path(training.output_dir, TRAINING_RUN).unlink(missing_ok=True)  # it names the base that was here before
            save_new_llama(folder, texts, bap.new_model, training.seed, sentences)


def load_tokenizer(model: ModelConfig, training: SFTConfig | GRPOConfig) -> PreTrainedTokenizerBase:
    """Return the tokenizer of the model to train.

    Raises:
        UsageError: there is no such model, or it is not available on the Hub.
    """
    name = model.model_name_or_path
    try:
        folder = tokenizer_folder(model_folder(name))
        return AutoTokenizer.from_pretrained(
            model_folder(folder), revision=model.model_revision, trust_remote_code=training.trust_remote_code
        )
    except UsageError:
        raise
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{name} is neither the folder of a model nor a model available on the Hub: {how_to_get(name)} "
            f"({str(error).splitlines()[0]})"
        ) from error


def in_stages(curriculum: str, items: LearnedItems, training: SFTConfig) -> tuple[Dataset, list[dict]]:
    """Return the examples in the order of a curriculum, and the sizes of its stages.

    All epochs of all stages, one after the other, become one epoch in the order given: `training` is changed so.
    """
    stages = stages_of(curriculum, items.sources)
    lengths = None
    if training.train_sampling_strategy == "group_by_length":
        lengths = items.examples["length"][:]
    group = training.per_device_train_batch_size * training.gradient_accumulation_steps
    order = order_of(stages, int(training.num_train_epochs), training.seed, lengths, group)
    training.num_train_epochs, training.train_sampling_strategy = 1, "sequential"
    sizes = [{"stage": name.strip(), "items": len(stage)} for name, stage in zip(curriculum.split(","), stages)]
    return items.examples.select(order), sizes


def announce(counts: dict, checkpoint: str | None, kernels: list[str] | None) -> None:
    """Print what will be learned.

    Args:
        kernels: those that were switched on; None if none were asked for.
    """
    parts = [f"learning {counts['items']} items"]
    if counts.get("shortened"):
        parts.append(f"{counts['shortened']} lost {counts['history_lines_dropped']} of their oldest history lines")
    if counts["too_long_left_out"]:
        too_long = "too long even without history" if "shortened" in counts else "too long"
        parts.append(f"{counts['too_long_left_out']} were left out, {too_long}")
    print("; ".join(parts))
    if checkpoint is not None:
        print(f"resuming from {checkpoint}")
    if kernels is not None:
        print(f"installed kernels: {', '.join(kernels) or 'none'}")


def command() -> None:
    """Train as the command line says; what the user can fix is printed as a sentence."""
    run_training(main, parse_arguments)


if __name__ == "__main__":
    command()
