"""Which variant of each item a GRU learns in an epoch: the one that is hardest for it now (Dan et al., 2021, 2.2).

Before every epoch the losses of all candidates are computed, or a step of each pose up the gradient (FGSM). What was
chosen stands in every checkpoint, so that a resumed training learns the rest of its epoch as it would have.
"""

import json
import math
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from datasets import Dataset
from transformers import TrainerCallback
from transformers.trainer_callback import ExportableState

from bap_v2_dataset.tasks.robustness.parent import Parent
from bap_v2_dataset.tasks.robustness.poses import CELLS, DEGREES, as_row, looks_the_same, walks_into_a_block
from bap_v2_simulators.pose import Pose, wrapped_yaw
from bap_v2_training.gru.features import COLUMNS, Steps, pose_numbers
from bap_v2_training.gru.settings import GruArguments
from bap_v2_training.learning.dataset_rows import complete_rows
from bap_v2_training.tasks.robustness import candidates_of, counts_of_variants, hardest, with_variants
from bap_v2_training.tasks.settings import CHOSEN_ONCE, FGSM

_HALVINGS = 5  # of a step, before a pose is left as it is
_NAMES = ("x", "y", "z", "yaw", "pitch")
_STEP = (CELLS, 0.0, CELLS, DEGREES, DEGREES)  # the height of who stands on the ground is no choice


class Adversary(TrainerCallback, ExportableState):
    """Chooses the items of each epoch: all parents, and after them one variant of each that has any.

    Its judge is a `GruTrainer`, which is asked for the `item_losses` or `pose_gradients` of the model as it is now.
    """

    def __init__(self, parents: int):
        """Args: parents: the first so many items are the parents."""
        self.parents = parents
        self.epoch: int | None = None
        self.chosen: Any = None

    def items_of(self, epoch: int, judge: Any) -> np.ndarray:
        """The numbers of the items of an epoch: chosen when it begins, and the same when it is asked for again."""
        if epoch != self.epoch:
            self.chosen, self.epoch = self.choice(judge), epoch
        return np.concatenate([np.arange(self.parents), self.variants_of(self.chosen)])

    def state(self) -> dict:
        return {"args": {"epoch": self.epoch, "chosen": self.chosen}, "attributes": {}}

    def restore(self, checkpoint: str) -> None:
        """Take over what was chosen for the epoch in which a checkpoint was made."""
        state = json.loads((Path(checkpoint) / "trainer_state.json").read_bytes())
        kept: Mapping[str, Any] = state.get("stateful_callbacks", {}).get(type(self).__name__, {}).get("args", {})
        self.epoch, self.chosen = kept.get("epoch"), kept.get("chosen")

    @property
    @abstractmethod
    def pairs(self) -> list[int]:
        """One item for each parent that has a variant: what an epoch has beside the parents, but for which one."""

    @abstractmethod
    def choice(self, judge: Any) -> Any:
        """Choose now; returns the choice in a form that JSON can hold."""

    @abstractmethod
    def variants_of(self, chosen: Any) -> list[int]:
        """The numbers of the items that a choice stands for."""


class HardestVariant(Adversary):
    """Of several variants of each item the one with the highest loss."""

    def __init__(self, parents: int, owners: Sequence[int]):
        """Args: owners: the parent of each item after the parents."""
        super().__init__(parents)
        self.owners = list(owners)

    @property
    def pairs(self) -> list[int]:
        first = {owner: number for number, owner in reversed(list(enumerate(self.owners, self.parents)))}
        return sorted(first.values())

    def choice(self, judge: Any) -> list[int]:
        items = range(self.parents, self.parents + len(self.owners))
        best = hardest(judge.item_losses(items).tolist(), self.owners)
        return sorted(self.parents + own for own in best.values())

    def variants_of(self, chosen: list[int]) -> list[int]:
        return chosen


class MovedPose(Adversary):
    """FGSM: each pose a quarter of a cell and five degrees up the gradient, or less if directions would change.

    The copies of the parents, which are the second half of the items, get the poses that are chosen.
    """

    def __init__(self, steps: Steps, rows: Sequence[Mapping[str, Any]]):
        """
        Args:
            steps: the rows twice; its poses are written to.
            rows: of the parents.
        """
        super().__init__(len(rows))
        self._steps = steps
        self._rows = [Parent(row) for row in rows]

    @property
    def pairs(self) -> list[int]:
        return list(range(self.parents, 2 * self.parents))

    def choice(self, judge: Any) -> list[list[float] | None]:
        gradients = judge.pose_gradients(range(self.parents))
        moved = [moved_pose(parent, gradient) for parent, gradient in zip(self._rows, gradients)]
        return [None if pose is None else [getattr(pose, name) for name in _NAMES] for pose in moved]

    def variants_of(self, chosen: list[list[float] | None]) -> list[int]:
        variants = []
        for number, pose in enumerate(chosen, self.parents):
            if pose is not None:
                self._steps.poses[number] = pose_numbers(dict(zip(_NAMES, pose)))
                variants.append(number)
        return variants


def moved_pose(parent: Parent, gradient: Sequence[float]) -> Pose | None:
    """The pose after a step in the direction of the gradient's signs, halved until the item looks the same from there.

    Args:
        gradient: of the loss, with respect to x, y, z, yaw and pitch.
    Returns:
        None where no step is short enough, or the gradient is zero.
    """
    steps = [math.copysign(step, slope) if slope else 0.0 for slope, step in zip(gradient, _STEP)]
    if not any(steps):
        return None
    for halvings in range(_HALVINGS + 1):
        x, y, z, yaw, pitch = (step / 2**halvings for step in steps)
        old = parent.pose
        pose = Pose(
            round(old.x + x, 3), old.y + y, round(old.z + z, 3), wrapped_yaw(round(wrapped_yaw(old.yaw) + yaw, 3)),
            max(-90.0, min(90.0, round(old.pitch + pitch, 3))),
        )  # fmt: skip
        if as_row(pose) != as_row(old) and looks_the_same(parent, pose) and not walks_into_a_block(parent, pose):
            return pose
    return None


LEARNED = ("id", *COLUMNS, "actions")  # the columns that are learned from


class LearnedRows(NamedTuple):
    """The rows that become items."""

    rows: Dataset  # with the variants, if those were chosen once
    plain: list[dict[str, Any]]  # the same as Python objects, and after them candidates of an adversary
    words: list[dict[str, Any]]  # rows whose words are counted
    record: dict[str, Any] | None  # of the variants, for training_run.json
    adversary: Callable[[Steps], Adversary] | None  # made of the items; None: every epoch has all of them


def learned_rows(rows: Dataset, gru: GruArguments) -> LearnedRows:
    """Return the train items of a GRU. Raises: UsageError if none has a variant of what the settings name."""
    record = None
    if gru.robust and gru.robust_mode in CHOSEN_ONCE:
        rows, record = with_variants(rows, gru)
    plain = complete_rows(rows, LEARNED)
    if not gru.robust or gru.robust_mode in CHOSEN_ONCE:
        return LearnedRows(rows, plain, plain, record, None)
    whole = rows.to_list()
    if gru.robust_mode == FGSM:
        record = {"parents": len(plain), "variants": len(plain), "families": {"spg": len(plain)}}
        return LearnedRows(rows, [*plain, *plain], plain, record, partial(MovedPose, rows=whole))
    found = candidates_of(whole, gru)
    record = counts_of_variants(len(plain), [several[0] for several in found if several])
    read = [*plain, *(variant for several in found for variant in several)]
    owners = [number for number, several in enumerate(found) for _ in several]
    return LearnedRows(rows, read, read, record, lambda steps: HardestVariant(len(plain), owners))
