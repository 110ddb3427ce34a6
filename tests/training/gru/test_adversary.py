"""Adversaries of a GRU: the hardest variant or a moved pose, anew in each epoch, and the same after a resume."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from datasets import Dataset, DatasetDict
from paths import ROOT
from safetensors.torch import load_file
from small_test_sets import SPLITS

from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.items.rows import perturbation_of
from bap_v2_dataset.tasks.robustness.families import variants_of
from bap_v2_dataset.tasks.robustness.parent import Parent
from bap_v2_dataset.tasks.robustness.poses import CELLS, DEGREES, looks_the_same
from bap_v2_simulators.pose import Pose
from bap_v2_training import train_gru
from bap_v2_training.errors import UsageError
from bap_v2_training.gru.adversary import HardestVariant, MovedPose, moved_pose
from bap_v2_training.gru.batches import StepBatches

CONFIG = str(ROOT / "training" / "configs" / "gru_smoke.yaml")
ROWS = SPLITS["dsb", "test"]

torch.set_num_threads(1)


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "items"
    rows = Dataset.from_list(ROWS, features=FEATURES)
    DatasetDict(train=rows, validation=rows.select(range(3))).save_to_disk(folder)
    return folder


def arguments(data: Path, folder: Path, *changes: str):
    small = ["--channels", "8", "6", "8", "--head", "10", "9", "--steps_per_batch", "10", "--bf16", "false"]
    quick = ["--disable_tqdm", "true", "--logging_steps", "1", "--eval_strategy", "no", "--save_strategy", "no",
             "--load_best_model_at_end", "false"]  # fmt: skip
    place = ["--data", str(data), "--output_dir", str(folder), "--max_train_items", "1000"]
    return train_gru.parse_arguments(["--config", CONFIG, *place, *quick, *small, *changes])


def epochs(trainer, number: int = 1) -> list[list[int]]:
    """The items of each of the first epochs."""
    batches = trainer.get_train_dataloader().batch_sampler
    drawn = []
    for epoch in range(number):
        batches.set_epoch(epoch)
        drawn.append(sorted(item for batch in batches for item, _ in batch))
    return drawn


def dynamic(*families: str) -> list[str]:
    return ["--robust_families", *families, "--robust_mode", "dynamic"]


@pytest.mark.slow
def test_dynamic_learns_of_each_item_the_variant_with_the_highest_loss_now(data, tmp_path):
    trainer, _, record = train_gru.prepared(*arguments(data, tmp_path, *dynamic("spg")))
    (items,) = epochs(trainer)
    assert items[: len(ROWS)] == list(range(len(ROWS)))  # all parents, in the same epoch
    candidates = [variant for row in ROWS for variant in variants_of(row, "spg")]
    owners = [perturbation_of(variant)["parent"] for variant in candidates]
    losses = trainer.item_losses(range(len(ROWS), len(ROWS) + len(candidates)))
    for owner in dict.fromkeys(owners):
        own = [number for number, parent in enumerate(owners) if parent == owner]
        (kept,) = [number for number in own if len(ROWS) + number in items]
        assert losses[kept] == max(losses[own])
    assert len(items) == len(ROWS) + len(set(owners))
    assert record["robust"] == {
        "parents": len(ROWS),
        "variants": len(set(owners)),
        "families": {"spg": len(set(owners))},
    }


def test_dynamic_chooses_anew_in_each_epoch(data, tmp_path):
    trainer, *_ = train_gru.prepared(*arguments(data, tmp_path, *dynamic("sa_color")))
    batches = trainer.get_train_dataloader().batch_sampler
    first = sorted(item for batch in batches for item, _ in batch)
    again = sorted(item for batch in batches for item, _ in batch)
    assert first == again  # once an epoch
    with torch.no_grad():
        for weight in trainer.model.parameters():
            weight.copy_(torch.randn_like(weight) * 0.3)
    batches.set_epoch(1)
    assert sorted(item for batch in batches for item, _ in batch) != first


def test_asking_for_losses_and_gradients_does_not_disturb_the_training(data, tmp_path):
    trainer, *_ = train_gru.prepared(*arguments(data, tmp_path))
    trainer.model.train()
    state = torch.get_rng_state()
    weights = {name: weight.clone() for name, weight in trainer.model.state_dict().items()}
    alone = [trainer.item_losses([item])[0] for item in range(6)]
    assert trainer.item_losses(range(6)).tolist() == pytest.approx(alone, rel=1e-4)  # in the order that was asked for
    assert trainer.pose_gradients([4, 2]).shape == (2, 5)
    assert trainer.pose_gradients([2])[0] == pytest.approx(trainer.pose_gradients([4, 2])[1], rel=1e-3, abs=1e-6)
    assert trainer.model.training and torch.equal(state, torch.get_rng_state())
    assert all(torch.equal(weights[name], weight) for name, weight in trainer.model.state_dict().items())
    assert all(weight.grad is None for weight in trainer.model.parameters())


@pytest.mark.slow
def test_a_resumed_training_learns_the_variants_of_its_epoch(data, tmp_path):
    saving = ["--save_strategy", "steps", "--save_steps", "9", "--save_total_limit", "9", "--num_train_epochs", "2"]
    changes = [*dynamic("sa_turn"), *saving]
    whole = train_gru.main(*arguments(data, tmp_path, *changes))
    weights = load_file(tmp_path / "model.safetensors")
    state = json.loads((tmp_path / "checkpoint-9" / "trainer_state.json").read_text())
    kept = state["stateful_callbacks"]["HardestVariant"]["args"]
    assert kept["epoch"] == 0 and whole["steps"] > 9
    resumed = [*changes, "--resume_from_checkpoint", str(tmp_path / "checkpoint-9")]
    # A choice that nobody would make: it is read, not made again.
    trainer, *_ = train_gru.prepared(*arguments(data, tmp_path, *resumed), checkpoint=str(tmp_path / "checkpoint-9"))
    assert epochs(trainer)[0][len(ROWS) :] == kept["chosen"]
    again = train_gru.main(*arguments(data, tmp_path, *resumed))
    assert [entry["loss"] for entry in again["log"] if "loss" in entry] == [
        entry["loss"] for entry in whole["log"] if "loss" in entry
    ]
    after = load_file(tmp_path / "model.safetensors")
    assert all(torch.equal(weights[name], after[name]) for name in weights)


def test_fgsm_moves_poses_up_the_gradient_and_stays_valid(data, tmp_path):
    fgsm = ["--robust_families", "spg", "--robust_mode", "fgsm"]
    trainer, *_ = train_gru.prepared(*arguments(data, tmp_path, *fgsm))
    n, steps = len(ROWS), trainer.train_dataset.steps
    before = trainer.item_losses(range(n))
    (items,) = epochs(trainer)
    moved = [item - n for item in items if item >= n]
    after = trainer.item_losses([item + n for item in moved])
    assert len(moved) > n / 2
    assert np.mean(after - before[moved]) > 0 and np.mean(after >= before[moved]) > 0.8  # linear only close by
    change = np.abs(steps.poses[[item + n for item in moved]] - steps.poses[moved])
    limit = np.array([CELLS, 0, CELLS, np.radians(DEGREES), np.radians(DEGREES)])
    wrapped = np.minimum(change, np.abs(2 * np.pi - change))
    assert (wrapped <= limit + 2e-3).all() and (wrapped > 0).any(1).all()
    adversary = next(one for one in trainer.callback_handler.callbacks if isinstance(one, MovedPose))
    for item, pose in enumerate(adversary.chosen):
        if pose is not None:
            assert looks_the_same(Parent(ROWS[item]), Pose(*pose))


def test_a_pose_is_left_where_the_gradient_is_zero_and_goes_half_as_far_where_directions_would_change():
    parent = next(Parent(row) for row in ROWS if row["before"])
    assert moved_pose(parent, [0.0] * 5) is None
    odd = Parent({**parent.row, "pose": {**parent.row["pose"], "x": parent.row["pose"]["x"] + 1e-5}})
    assert moved_pose(odd, [0.0, 1.0, 0.0, 0.0, 0.0]) is None  # rounding alone is no step
    far = moved_pose(parent, [1.0, 1.0, -1.0, 0.0, 0.0])
    assert far is not None and far.y == parent.pose.y and far.yaw == parent.pose.yaw
    assert far.x - parent.pose.x == pytest.approx(parent.pose.z - far.z, abs=2e-3)
    share = (far.x - parent.pose.x) / CELLS
    assert any(share == pytest.approx(0.5**halvings, abs=5e-3) for halvings in range(6))


def test_an_epoch_has_the_items_of_its_own_number(data, tmp_path):
    trainer, *_ = train_gru.prepared(*arguments(data, tmp_path))
    steps = trainer.train_dataset.steps
    chosen = {0: np.array([0, 2, 5]), 1: np.array([1, 2, 6])}
    batches = StepBatches(steps, 6, seed=1, items=[0, 2, 5], items_of=chosen.__getitem__)
    for epoch, items in chosen.items():
        batches.set_epoch(epoch)
        drawn = list(batches)
        assert sorted(item for batch in drawn for item, _ in batch) == items.tolist()
    assert HardestVariant(2, [0, 0, 1]).pairs == [2, 4]


@pytest.mark.slow
def test_a_training_continues_from_a_trained_gru(data, tmp_path):
    train_gru.main(*arguments(data, tmp_path / "standard"))
    start = load_file(tmp_path / "standard" / "model.safetensors")
    changes = ["--init_from", str(tmp_path / "standard"), "--robust_families", "spg"]
    trainer, vocabulary, record = train_gru.prepared(*arguments(data, tmp_path / "robust", *changes))
    assert all(torch.equal(start[name], weight) for name, weight in trainer.model.state_dict().items())
    assert len(vocabulary) == trainer.model.config.vocab_size
    assert record["train"]["items"] == len(ROWS) + record["robust"]["variants"] == len(trainer.train_dataset)
    with pytest.raises(UsageError, match="do not set vectors"):
        arguments(data, tmp_path, *changes, "--vectors", "glove.txt")
    with pytest.raises(UsageError, match="nowhere"):
        train_gru.prepared(*arguments(data, tmp_path / "robust", "--init_from", str(tmp_path / "nowhere")))
