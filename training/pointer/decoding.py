"""Answers of a pointer transformer: it says what changes, and a plan carries that out."""

from collections.abc import Sequence

import numpy as np
import torch
from transformers import PreTrainedModel

from bap_v2_dataset.items.frame import Frame
from bap_v2_metric.blocks import Structure
from bap_v2_training.decoding.bayes_risk import Candidate, Sampled, Sampling, answered
from bap_v2_training.decoding.learned_builder import NetworkBuilder, Row
from bap_v2_training.learning.cells import CELLS, cell_number, coordinates
from bap_v2_training.learning.net_actions import REMOVE, Numbers
from bap_v2_training.pointer.examples import STOP, centered, example_of_row
from bap_v2_training.pointer.features import FeatureSettings, PackedItems, collate, tensors
from bap_v2_training.pointer.generation import Answer, generated, occupied_cells
from bap_v2_training.pointer.model import PointerTransformer

_LEAST = 0.001  # net actions that are less probable are not kept


class PointerBuilder(NetworkBuilder):
    """A pointer transformer that answers; all that it says can be carried out."""

    network = PointerTransformer

    @property
    def features(self) -> FeatureSettings:
        """The parts of an item that it sees."""
        return FeatureSettings(**self.model.config.features)

    def losses(self, rows: Sequence[Row]) -> list[float]:
        """Return minus the log likelihood of each row's net actions; on an empty board they are in its middle."""
        examples = [centered(example_of_row(row)) for row in rows]
        return self.batch_losses(collate(examples, self.vocabulary, self.features))

    def candidates(self, rows: Sequence[Row]) -> list[Sampled]:
        """Return the greedy answer to each row and the samples; the rows are one batch."""
        items = PackedItems([example_of_row(row) for row in rows], self.vocabulary, self.features)
        ids = [row["id"] for row in rows] if self.sampling else None
        with torch.autocast(self.model.device.type, self.dtype, enabled=self.dtype != torch.float32):
            return candidates(self.model, items, np.arange(len(rows)), self.max_actions, self.sampling, ids)


@torch.inference_mode()
def candidates(
    model: PreTrainedModel, items: PackedItems, indices: np.ndarray, max_actions: int, sampling: Sampling | None = None,
    ids: Sequence[str] | None = None,
) -> list[Sampled]:  # fmt: skip
    """Return the greedy answers to these items and the samples, in the world's cells.

    Args:
        sampling: how samples are drawn; None: there are none.
        ids: the names of the items, of each of `indices`; samples depend on them.
    """
    # The answers, in the Builder's frame
    batch = {name: values.to(model.device) for name, values in tensors(items.batch(indices)).items()}
    del batch["targets"]
    expected = None
    if sampling is None:
        found = generated(model, batch, max_actions)
    else:
        uniform = torch.from_numpy(np.stack([sampling.uniform(name, max_actions + 1) for name in ids or ()]))
        expected = torch.zeros(len(indices), STOP, CELLS, device=model.device)
        found = generated(model, batch, max_actions, uniform.to(model.device), sampling.temperature, expected=expected)
    # In the world's cells
    frames = [Frame(int(items.turns[index])) for index in indices]
    in_world = [[_in_world(answer, frame) for answer in answers] for frame, answers in zip(frames, found, strict=True)]
    probability = [{}] * len(frames) if expected is None else _probabilities(expected, batch["blocks"], frames)
    return [
        Sampled(greedy, samples, of_item) for (greedy, *samples), of_item in zip(in_world, probability, strict=True)
    ]


def _in_world(answer: Answer, frame: Frame) -> Candidate:
    """Return the net actions of an answer in the world's cells, and whether it ended by itself."""
    return [(kind, *frame.in_world(cell)) for kind, *cell in answer if kind != STOP], answer[-1:] == [(STOP, 0, 0, 0)]


def _probabilities(expected: torch.Tensor, blocks: torch.Tensor, frames: Sequence[Frame]) -> list[dict[Numbers, float]]:
    """Return how probable net actions are, of each item, without those that are hardly ever said.

    A block that replaces another one is no more probable than that this one goes.
    """
    # What is no net action: the same block again; and what a replaced block adds to its removal
    occupied = occupied_cells(blocks)
    item, block = torch.nonzero(blocks[..., 0] >= 0, as_tuple=True)
    color, *cell = blocks[item, block].unbind(-1)
    expected[item, color, cell_number(*cell)] = 0.0
    replaced = torch.maximum(expected[:, REMOVE], expected[:, :REMOVE].sum(1))
    expected[:, REMOVE] = replaced.masked_fill(~occupied, 0.0)  # not of what the answer itself has placed
    expected.clamp_(max=1.0)
    # As dicts, by action
    item, kind, number = torch.nonzero(expected > _LEAST, as_tuple=True)
    cells = torch.stack(coordinates(number), 1).tolist()
    found: list[dict[Numbers, float]] = [{} for _ in frames]
    values = expected[item, kind, number].tolist()
    for index, what, cell, value in zip(item.tolist(), kind.tolist(), cells, values, strict=True):
        found[index][what, *frames[index].in_world(cell)] = round(value, 6)
    return found


def greedy_answers(
    model: PreTrainedModel, items: PackedItems, indices: np.ndarray, boards: Sequence[Structure], max_actions: int
) -> list[str]:
    """Return the greedy answers to these items, one action per line.

    Args:
        boards: before the actions, of each of `indices`.
    """
    found = candidates(model, items, indices, max_actions)
    return [answered(None, *one)[0] for one in zip(boards, found, strict=True)]
