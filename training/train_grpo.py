"""Train a fine-tuned language model further with the metric as its reward (GRPO), on items of BAP or GSU.

    python training/train_grpo.py --config training/configs/grpo_smoke.yaml
    accelerate launch training/train_grpo.py --config training/configs/grpo_llama.yaml --model_name_or_path MERGED
        ... --rewards fairer_f1=1,clean=0.5,ended=0.5   what answers are rewarded for, with weights
        ... --resume_from_checkpoint auto               resumes where a killed run stopped

The settings are the fields of GrpoArguments (learning/grpo_settings.py), and of TRL's GRPOConfig and ModelConfig. The
model is one that train_sft.py has taught: one that never saw the task is seldom rewarded. More: docs/rewards.md.

At the end the output directory holds the model (or adapter) with its tokenizer, and `training_run.json`, whose `log`
has the reward curves. predict.py reads the folder as it reads one of train_sft.py.
"""

import bap_v2_training.before_libraries  # isort: skip # noqa: F401 (before the libraries)
from bap_v2_training.one_gpu import take_one_gpu

if __name__ == "__main__":
    take_one_gpu()  # before the libraries that start CUDA

import hashlib
import json
from typing import NamedTuple

from datasets import Dataset
from transformers import PreTrainedTokenizerBase
from trl import GRPOConfig, GRPOTrainer, ModelConfig

from bap_v2_metric.tasks import scorer_of
from bap_v2_training.commands import run_training
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.checkpoints import DataFingerprint, check_same_data, checkpoint_of
from bap_v2_training.learning.dataset_rows import check_columns, sources_in, sources_of
from bap_v2_training.learning.grpo_settings import GrpoArguments, parse_arguments
from bap_v2_training.learning.rewards import chosen_rewards, reward_weights
from bap_v2_training.learning.run_record import RunRecord, trained_parameters
from bap_v2_training.learning.tokenization import PromptTooLong, fitting_prompt, token_count
from bap_v2_training.learning.trainer_model import trainer_model_kwargs
from bap_v2_training.learning.training_data import load_training_rows, revision_of
from bap_v2_training.tasks.table import texts_of, training_task
from bap_v2_training.train_sft import load_tokenizer


def main(grpo: GrpoArguments, training: GRPOConfig, model: ModelConfig) -> dict:
    """Train as the settings say, save the result in `training.output_dir`, and return the record of the run."""
    # Load the data and the model, and initialize the GRPO trainer
    checkpoint = checkpoint_of(training, grpo.overwrite)
    record = RunRecord(grpo, training, model, checkpoint)
    trainer, data = prepared(grpo, training, model, checkpoint)
    if trainer.is_world_process_zero():
        counts = data["train"]
        print(f"sampling answers to {counts['items']} items; {counts['too_long_left_out']} were left out, too long")
        if checkpoint is not None:
            print(f"resuming from {checkpoint}")

    def said(run: dict) -> str:
        rewards = [entry["reward"] for entry in run["log"] if "reward" in entry]
        return "steps" + (f"; reward {rewards[0]:.3f} at first, {rewards[-1]:.3f} at last" if rewards else "")

    return record.carry_out(trainer, data, said)


def prepared(
    grpo: GrpoArguments, training: GRPOConfig, model: ModelConfig, checkpoint: str | None = None
) -> tuple[GRPOTrainer, dict]:
    """Return a trainer that holds the model, the items and the rewards, and what to record of the data.

    Args:
        checkpoint: where the training will be resumed.
    """
    # Load the rows and the tokenizer, and render the prompts
    rows = load_training_rows(grpo, grpo.train_split, grpo.max_train_items, training)
    tokenizer = load_tokenizer(model, training)
    tokenizer.padding_side = "left"
    items = reward_rows(rows, grpo, tokenizer)
    task = training_task(grpo.task)
    weights = reward_weights(grpo.rewards, task)
    data = {**revision_of(grpo, rows), "train": {"split": grpo.train_split, **items.counts}, "eval": None,
            "rewards": weights}  # fmt: skip
    eval_rows = None
    if training.eval_strategy != "no":
        held_out = load_training_rows(grpo, grpo.eval_split, grpo.max_eval_items, training)
        eval_rows, counts = reward_rows(held_out, grpo, tokenizer)
        data["eval"] = {"split": grpo.eval_split, **counts}

    # Initialize the GRPO trainer
    facts = {"sha256": items.counts["sha256"], "seed": training.seed, "rewards": weights}
    if checkpoint is not None:
        check_same_data(checkpoint, facts)
    trainer = GRPOTrainer(
        **trainer_model_kwargs(training, model, tokenizer),
        reward_funcs=chosen_rewards(list(weights), task, texts_of(grpo), tokenizer),
        args=training,
        train_dataset=items.rows,
        eval_dataset=eval_rows,
        processing_class=tokenizer,
        callbacks=[DataFingerprint(**facts, processes=training.world_size)],
    )
    data["trained_parameters"] = trained_parameters(trainer.model)
    return trainer, data


_OPTIONAL = ("interpretations", "group")  # columns of references that have a default


class RewardRows(NamedTuple):
    """The items that fit."""

    rows: Dataset  # `id`, `prompt`, and what the rewards read
    counts: dict  # items, sources, what was shortened or left out, and sha256 of prompts and references


def reward_rows(rows: Dataset, settings: GrpoArguments, tokenizer: PreTrainedTokenizerBase) -> RewardRows:
    """Return the rows of a split with their prompts, shortened as in train_sft.py and predict.py.

    Raises:
        UsageError: the rows lack what rewards read, or no prompt fits.
    """
    # What rewards read
    columns = list(scorer_of(settings.task).reference)
    check_columns(rows, [name for name in columns if name not in _OPTIONAL])
    columns = ["id", *(name for name in columns if name in rows.column_names and name != "id")]
    texts = texts_of(settings)
    columns += texts.read_with

    # Prompts that fit, some without their oldest history
    prompts, kept, shortened = [], [], 0
    for index, row in enumerate(texts.prompted(rows)):
        try:
            prompt, dropped = fitting_prompt(
                row["prompt"], row["history"], lambda text: token_count(tokenizer, text) <= settings.max_prompt_tokens
            )
        except PromptTooLong:
            continue
        prompts.append(prompt)
        kept.append(index)
        shortened += dropped > 0
    if not kept:
        raise UsageError("no item fits: raise max_prompt_tokens")

    # Their rows, and what became of the others
    fitting = rows.select(kept)
    counts = {"items": len(kept), "sources": sources_in(sources_of(fitting)), "shortened": shortened,
              "too_long_left_out": len(rows) - len(kept)}  # fmt: skip
    fitting = fitting.select_columns(columns).add_column("prompt", prompts)
    digest = hashlib.sha256()
    for row in fitting:
        digest.update(json.dumps(row, sort_keys=True).encode())
    return RewardRows(fitting, {**counts, "sha256": digest.hexdigest()})


def command() -> None:
    """Train as the command line says; what the user can fix is printed as a sentence."""
    run_training(main, parse_arguments)


if __name__ == "__main__":
    command()
