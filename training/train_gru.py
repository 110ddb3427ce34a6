"""Train the GRU baseline of the paper: words and a grid in, actions out.

    python training/train_gru.py --config training/configs/gru_mc.yaml           M_mc of Table 4, on a CPU or a GPU
    python training/train_gru.py --config training/configs/gru_faithful.yaml     the settings of 2020; needs a GPU
        ... --learning_rate 5e-4 --output_dir runs/lr5                           any setting overridden
        ... --resume_from_checkpoint auto                                        resumes where a killed run stopped
        ... --data own_items.jsonl                                               own data, or a folder of `bap-v2 mix`
        ... --init_from runs/gru_sb --robust_families sa_mirror      robust: each item with a variant of it
        ... --frame builder --output_dir runs/gru_mc_builder     each item turned so that the Builder looks along +z
        ... --vectors glove.42B.300d.txt                                         frozen word vectors, as in 2020

The settings are the fields of GruArguments (gru/settings.py) and of transformers' TrainingArguments. On a CPU set
OMP_NUM_THREADS=1: several threads are hardly faster. More: docs/training.md.

At the end the output directory holds the model of the best dev loss with its words, `vocabulary.json`, and
`training_run.json`: what was trained on what, and how it went. `predict.py --model` takes that directory.
"""

import bap_v2_training.before_libraries  # isort: skip # noqa: F401 (before the libraries)
from bap_v2_training.one_gpu import take_one_gpu

if __name__ == "__main__":
    take_one_gpu()  # before the libraries that start CUDA

import hashlib

from datasets import Dataset
from transformers import TrainingArguments, set_seed

from bap_v2_training.commands import run_training
from bap_v2_training.decoding.networks import network_of
from bap_v2_training.errors import UsageError
from bap_v2_training.gru.adversary import LEARNED, learned_rows
from bap_v2_training.gru.features import Features, Steps, vocabulary_of
from bap_v2_training.gru.model import BapGruModel
from bap_v2_training.gru.settings import GruArguments, parse_arguments
from bap_v2_training.gru.trainer import GruTrainer
from bap_v2_training.gru.vectors import read_vectors
from bap_v2_training.learning.checkpoints import DataFingerprint, check_same_data, checkpoint_of
from bap_v2_training.learning.dataset_rows import complete_rows, sources_in, sources_of
from bap_v2_training.learning.run_record import RunRecord
from bap_v2_training.learning.training_data import load_training_rows, revision_of
from bap_v2_training.learning.vocabulary import Vocabulary
from bap_v2_training.tasks.settings import FGSM


def main(gru: GruArguments, training: TrainingArguments) -> dict:
    """Train as the settings say, save the result in `training.output_dir`, and return the record of the run."""
    checkpoint = checkpoint_of(training, gru.overwrite)
    record = RunRecord(gru, training, None, checkpoint)
    trainer, vocabulary, data = prepared(gru, training, checkpoint)
    counts = data["train"]
    print(f"learning {counts['items']} items, {counts['steps']} decoder steps, {len(vocabulary)} words")
    if robust := data.get("robust"):
        most = "at most " if gru.robust_mode == FGSM else ""  # which poses can be moved is seen in each epoch
        print(f"in each epoch {robust['parents']} items, and with {most}{robust['variants']} of them a variant")
    if checkpoint is not None:
        print(f"resuming from {checkpoint}")

    def dev_losses() -> dict:
        log, names = trainer.state.log_history, ("epoch", "eval_loss")
        losses = [{name: entry[name] for name in names} for entry in log if "eval_loss" in entry]
        return {"losses": losses, "best": trainer.state.best_metric}

    return record.carry_out(trainer, data, lambda run: f"updates; final {run['final']}", dev_losses)


def prepared(
    gru: GruArguments, training: TrainingArguments, checkpoint: str | None = None
) -> tuple[GruTrainer, Vocabulary, dict]:
    """Return a trainer that holds the model and the items, the words of the model, and what to record of the data.

    Args:
        checkpoint: where the training will be resumed.
    """
    # The items, and the model where the training starts, which says how they are read
    rows = load_training_rows(gru, gru.train_split, gru.max_train_items, training)
    learned = learned_rows(rows, gru)
    model = None if gru.init_from is None else network_of(gru.init_from, BapGruModel)
    read = gru if model is None else model.config  # window and frame
    if gru.robust_mode == FGSM and read.frame != "world":
        raise UsageError("robust_mode is fgsm, which moves the pose in the world: train a GRU with frame: world")
    # Their words, and with vectors those that have one
    vocabulary = vocabulary_of(learned.words, read.window) if model is None else Vocabulary.load(gru.init_from)
    vectors = None if gru.vectors is None else read_vectors(gru.vectors, vocabulary)
    if vectors is not None:
        vocabulary = vectors.vocabulary
    # Their numbers, and what is recorded of them
    features = Features(vocabulary, read.window, read.frame)
    train, dev = features.of(learned.plain), None
    adversary = None if learned.adversary is None else learned.adversary(train)
    data = {
        **revision_of(gru, rows),
        "train": {"split": gru.train_split, **counts_of(learned.rows, train)},
        "eval": None,
        **({} if learned.record is None else {"robust": learned.record}),
    }
    if training.eval_strategy != "no":
        rows = load_training_rows(gru, gru.eval_split, gru.max_eval_items, training)
        dev = features.of(complete_rows(rows, LEARNED))
        data["eval"] = {"split": gru.eval_split, **counts_of(rows, dev)}
    # A training is resumed with the same items, and what its adversary had chosen
    facts = {"sha256": data["train"]["sha256"], "seed": training.seed,
             "steps_per_batch": gru.steps_per_batch, "steps_per_item": gru.steps_per_item}  # fmt: skip
    if checkpoint is not None:
        check_same_data(checkpoint, facts)
        if adversary is not None:
            adversary.restore(checkpoint)
    # A new model
    set_seed(training.seed)
    if model is None and vectors is None:
        model = BapGruModel(gru.model_config(len(vocabulary)))
    elif model is None:
        model = BapGruModel(gru.model_config(*vectors.matrix.shape, vectors.record))
        vectors.put_into(model)
    trainer = GruTrainer(gru, training, model, train, dev, vocabulary, [DataFingerprint(**facts)], adversary)
    return trainer, vocabulary, data


def counts_of(rows: Dataset, steps: Steps) -> dict:
    """Count what is recorded of a split: items and decoder steps, from where, and the digest of the numbers."""
    digest = hashlib.sha256()
    for array in (steps.tokens, steps.token_starts, steps.poses, steps.boards, steps.recent, steps.targets):
        digest.update(array.tobytes())
    sources = sources_in(sources_of(rows))
    return {
        "items": len(steps),
        "steps": len(steps.targets),
        "words": len(steps.tokens),
        "sources": sources,
        "sha256": digest.hexdigest(),
    }


def command() -> None:
    """Train as the command line says; what the user can fix is printed as a sentence."""
    run_training(main, parse_arguments)


if __name__ == "__main__":
    command()
