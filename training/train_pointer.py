"""Train a pointer transformer: a small Builder that learns from simulated and human items.

    python training/train_pointer.py --config training/configs/pointer_smoke.yaml    a minute, simulated items
    python training/train_pointer.py --config training/configs/pointer.yaml          the pointer transformer
    torchrun --nproc_per_node 2 training/train_pointer.py --config training/configs/pointer.yaml      on two cores
        ... --learning_rate 5e-4 --output_dir runs/lr5      any setting overridden
        ... --resume_from_checkpoint auto                   resumes where a killed run stopped
        ... --mix dsb=0.5,human=0.5                         other items
        ... --rows items=dsb --mix items=1 --robust_families spl      robust: each item with a variant of it
        ... --rows big=FOLDER --mix big=1 --streaming true  millions of rows in Parquet files, read as they are needed
    ... --config training/configs/pointer_human.yaml        further training of a trained model
    ... --config training/configs/games_reader.yaml         ... with a pretrained language model that reads for it
    ... --config training/configs/pointer_rewards.yaml      ... with the metric as the reward of sampled answers

The settings are the fields of PointerArguments (pointer/settings.py) and of transformers' TrainingArguments. Simulated
items are made while the model learns, by `dataloader_num_workers` processes. More: docs/training.md.

At the end the output directory holds the model (of the best validation metric with `load_best_model_at_end`), its
words, `vocabulary.json`, and `training_run.json`: what was trained on what, how it went, and the scores of the model's
answers to the validation items. `predict.py --model` takes that directory.
"""

import bap_v2_training.before_libraries  # isort: skip # noqa: F401 (before the libraries)
from bap_v2_training.one_gpu import take_one_gpu

if __name__ == "__main__":
    take_one_gpu()  # before the libraries that start CUDA

import time
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from transformers import PreTrainedModel, TrainingArguments, set_seed

from bap_v2_dataset.labels.readings import READER
from bap_v2_dataset.predictions.model_records import larger_model_sources
from bap_v2_training.commands import run_training
from bap_v2_training.decoding.networks import network_of
from bap_v2_training.decoding.resolved_model import resolve_model
from bap_v2_training.decoding.trained_model import training_run
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.checkpoints import DataFingerprint, check_same_data, checkpoint_of
from bap_v2_training.learning.net_actions import COLORS
from bap_v2_training.learning.run_record import RunRecord
from bap_v2_training.learning.vocabulary import Vocabulary
from bap_v2_training.pointer.features import FeatureSettings
from bap_v2_training.pointer.held_out import HeldOut, scored
from bap_v2_training.pointer.model import PointerConfig, PointerTransformer
from bap_v2_training.pointer.policy_trainer import PolicyTrainer
from bap_v2_training.pointer.row_answers import JUDGED
from bap_v2_training.pointer.settings import PointerArguments, parse_arguments
from bap_v2_training.pointer.sources import rows_of
from bap_v2_training.pointer.stream import Chunks, Sources, StreamSettings
from bap_v2_training.pointer.trainer import PointerTrainer


def main(pointer: PointerArguments, training: TrainingArguments) -> dict:
    """Train as the settings say, save the result in `training.output_dir`, and return the record of the run."""
    checkpoint = checkpoint_of(training, pointer.overwrite)
    trainer, held_out, data = prepared(pointer, training, checkpoint)
    record = RunRecord(pointer, training, None, checkpoint)
    if trainer.is_world_process_zero():
        print(f"{trainer.model.num_parameters():,} parameters; a chunk of items has {data['train']['chunk']}")
        if checkpoint is not None:
            print(f"resuming from {checkpoint}")

    # Train the model
    if earlier := record.begin():
        trainer.accelerator.end_training()
        return earlier
    result = trainer.train(resume_from_checkpoint=checkpoint)

    # Save it, and answer the validation items
    trainer.save_model(training.output_dir)
    if trainer.is_world_process_zero():
        data["train"]["items"] = trainer.state.global_step * data["train"].pop("items_per_update")
        data["validation"] = final_scores(trainer, held_out)
        run = record.finished(trainer, data, result)
        record.write(run)
        print(f"saved in {training.output_dir} after {run['steps']} updates; final {run['final']}")
        for name, scores in data["validation"].items():
            f1, on_blocks = (f"{100 * scores[f'{group}fairer_f1']:.1f}" for group in ("", "neb_"))
            right = f"{scores['exact']:,} of {scores['n_items']:,} exact"
            if "reader_f1" in scores:
                right += f" ({READER}: {100 * scores['reader_f1']:.1f}, {scores['reader_exact']:,})"
            print(f"{name}: loss {scores['loss']:.2f}, fairer F1 {f1} ({on_blocks} NEB), {right}")
    trainer.accelerator.wait_for_everyone()
    if training.world_size > 1:
        # The thread that waited for the others lets go of its tensor, for which it needs the interpreter's lock. If the
        # process group is deleted before, this thread waits for that one and holds the lock: both wait for ever.
        time.sleep(0.5)
    trainer.accelerator.end_training()
    return run if trainer.is_world_process_zero() else {}


def prepared(
    pointer: PointerArguments, training: TrainingArguments, checkpoint: str | None = None
) -> tuple[PointerTrainer, Mapping[str, HeldOut], dict]:
    """Return a trainer that holds the model and the items, the validation items, and what to record of the data.

    Args:
        checkpoint: where the training will be resumed.
    """
    # The items, and the words in them
    settings = pointer.stream(training)
    sources = Sources(settings)
    if checkpoint is not None or pointer.init_from is not None:
        vocabulary = Vocabulary.load(checkpoint or pointer.init_from)
    else:
        vocabulary = sources.vocabulary(pointer.vocabulary_items, pointer.vocabulary_least)
    facts = {"stream": repr(settings), "robust": repr(settings.robust), "seed": training.seed,
             "shards": sources.fingerprint()}  # fmt: skip
    if pointer.rewards is not None:
        facts["rewards"] = [pointer.reward_weights, pointer.samples, pointer.advantage, pointer.supervised_weight]
    reader = pointer.reader_settings()
    facts["reader"] = None if reader is None else asdict(reader)
    facts["joined_turns"] = dict(settings.joined_turns)
    facts["answers"] = [dict(each) for each in (settings.readings, settings.repairs, settings.next_turn_weights)]
    facts["instructions"] = dict(settings.synthetic_instructions)
    facts["paraphrases"] = {
        name: forms.paraphrases for name, forms in settings.augmentation.items() if forms.paraphrases
    }
    facts["features"] = pointer.features or {}
    facts["ema_decay"] = pointer.ema_decay
    if checkpoint is not None:
        check_same_data(checkpoint, facts)

    # The model
    set_seed(training.seed)
    model = network_of(pointer.init_from, PointerTransformer) if pointer.init_from else new_model(pointer, vocabulary)
    if reader is not None:
        model.read_with(reader)
    features = FeatureSettings(**{**model.config.features, **(pointer.features or {})})
    model.read_earlier(features.earlier_dialogues)
    model.config.features = asdict(features)
    if pointer.rewards is not None and not features.structure:
        raise UsageError("rewards need to know what stands on the board: train a model with features.structure: true")

    # What it is judged by
    held_out: dict[str, HeldOut] = {}
    for name in pointer.eval_sets or ():
        rows, short = rows_of(name, "validation", pointer.max_eval_items), Path(name).stem.replace(":", "_")
        if short in held_out:
            raise UsageError(f"eval_sets: two of them are called {short}: rename one of the files")
        held_out[short] = HeldOut(rows, vocabulary, features, training.per_device_eval_batch_size)
    kind = PointerTrainer if pointer.rewards is None else partial(PolicyTrainer, pointer)
    trainer = kind(
        model, training, Chunks(sources, vocabulary, features), vocabulary, held_out, pointer.ema_decay,
        pointer.eval_scores, [DataFingerprint(**facts, processes=training.world_size)],
    )  # fmt: skip
    per_update = training.per_device_train_batch_size * training.gradient_accumulation_steps * training.world_size
    answers = {name: rows.shares for name, rows in sources.rows.items() if rows.shares and settings.mix.get(name)}
    data = {
        "dataset": learned_sources(settings, pointer.init_from, answers),
        "train": {
            "split": "train", "items_per_update": per_update, "sources": sources.counts(),
            "chunk": settings.items_per_chunk(),
            **({"answers": answers} if answers else {}),
        },
        **({"robust": sources.variants} if sources.variants else {}),
        **({"rewards": pointer.reward_weights} if pointer.rewards is not None else {}),
        "eval": {"split": "validation", **{name: len(items) for name, items in held_out.items()}},
        "vocabulary": len(vocabulary),
        "features": asdict(features),
    }  # fmt: skip
    return trainer, held_out, data


def new_model(pointer: PointerArguments, vocabulary: Vocabulary) -> PreTrainedModel:
    """Return a model with random weights. Raises: UsageError for a field that its config does not have."""
    fields = pointer.model or {}
    known = PointerConfig()
    if unknown := [name for name in fields if not hasattr(known, name)]:
        raise UsageError(f"model: the config of a pointer transformer has no field {unknown[0]!r}")
    config = {
        "vocab_size": len(vocabulary),
        "features": asdict(pointer.feature_settings()),
        "color_words": vocabulary.ids([color.value for color in COLORS]),
    }
    return PointerTransformer(PointerConfig(**{**config, **fields}))


def learned_sources(
    settings: StreamSettings, init_from: str | None, answers: Mapping[str, Mapping[str, float]]
) -> dict[str, Any]:
    """Return the weights of what is learned from, the configs behind the names, and of which sources it is a larger
    model's readings (or its judgment of turns), paraphrases and instructions; with what was learned before.
    """
    before = training_run(resolve_model(init_from).folder) if init_from is not None else {}
    earlier = before.get("dataset", {})
    mix = {name: weight for name, weight in settings.mix.items() if weight}
    rows = {name: config for name, config in settings.rows.items() if name in mix}
    judged = any(settings.next_turn_weights.get(turn, 1.0) != 1.0 for turn in JUDGED)
    own = {
        "readings": list(answers) if judged else [],
        "paraphrases": [name for name, forms in settings.augmentation.items() if forms.paraphrases and name in mix],
    }
    sources = {"mix": {**earlier.get("mix", {}), **mix}, "rows": {**earlier.get("rows", {}), **rows}}
    return sources | larger_model_sources(before, {"dataset": own, "train": {"answers": answers}})


def final_scores(trainer: PointerTrainer, held_out: Mapping[str, HeldOut]) -> dict[str, dict[str, Any]]:
    """Return the scores of the model's answers to the validation items, and their mean loss, by set.

    Where all items have readings of a larger model, `reader_f1` and `reader_exact` are theirs.
    """
    model = trainer.accelerator.unwrap_model(trainer.model).eval()
    found = {}
    with trainer.accelerator.autocast():
        for name, items in held_out.items():
            found[name] = items.scores(model, model.config.max_actions) | {"loss": items.loss(model)[0] / len(items)}
            if items.readings:
                bound = scored(items.readings, items.references)
                found[name] |= {"reader_f1": bound["fairer_f1"], "reader_exact": bound["exact"]}
    return found


def command() -> None:
    """Train as the command line says; what the user can fix is printed as a sentence."""
    run_training(main, parse_arguments)


if __name__ == "__main__":
    command()
