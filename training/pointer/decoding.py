"""Answers of a pointer transformer: it says what changes, and a plan carries that out."""

from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
import torch
from transformers import PreTrainedModel

from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import format_action, parse_structure
from bap_v2_training.learning.vocabulary import Vocabulary
from bap_v2_training.pointer.examples import STOP, example_of_row
from bap_v2_training.pointer.features import FeatureSettings, PackedItems, tensors
from bap_v2_training.pointer.frame import Frame
from bap_v2_training.pointer.model import PointerTransformer
from bap_v2_training.pointer.supports import planned


class PointerBuilder:
    """A trained model that answers rows: the seam to predict.py."""

    def __init__(self, model: PreTrainedModel, vocabulary: Vocabulary, dtype: str, max_actions: int | None = None):
        self.model, self.vocabulary = model.eval(), vocabulary
        self.features = FeatureSettings(**model.config.features)
        self.dtype = getattr(torch, dtype)
        self.max_actions = max_actions or model.config.max_actions

    @classmethod
    def load(cls, model: str, dtype: str, max_actions: int | None, feasible_only: bool) -> Self:
        """The model in a folder or of a name on the Hub, on this machine's accelerator or CPU.

        Args:
            dtype: of the computation, "float32" or "bfloat16"; the weights stay float32.
            max_actions: net actions of an answer; None: as in the model's config.
            feasible_only: makes no difference, all that it says can be carried out.
        """
        vocabulary = Vocabulary.load(model)
        device = torch.accelerator.current_accelerator() if torch.accelerator.is_available() else "cpu"
        loaded = PointerTransformer.from_pretrained(model, dtype=torch.float32).to(device)
        return cls(loaded, vocabulary, dtype, max_actions)

    def answers(self, rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, bool]]:
        """The answer to each row, one action per line, and whether the model chose to stop; the rows are one batch."""
        items = PackedItems([example_of_row(row) for row in rows], self.vocabulary, self.features)
        boards = [parse_structure(row["before"]) for row in rows]
        with torch.autocast(self.model.device.type, self.dtype, enabled=self.dtype != torch.float32):
            return answers(self.model, items, np.arange(len(rows)), boards, self.max_actions)


@torch.inference_mode()
def answers(
    model: PreTrainedModel,
    items: PackedItems,
    indices: np.ndarray,
    boards: Sequence[Structure],
    max_actions: int,
) -> list[tuple[str, bool]]:
    """The answers to these items, as `PointerBuilder.answers` gives them.

    Args:
        boards: before the actions, of each of `indices`.
    """
    batch = {name: values.to(model.device) for name, values in tensors(items.batch(indices)).items()}
    del batch["targets"]
    answered = []
    for index, before, actions in zip(indices, boards, model.decode(batch, max_actions), strict=True):
        finished = bool(actions) and actions[-1][0] == STOP
        frame = Frame(int(items.turns[index]))
        wanted = [(kind, *frame.in_world(cell)) for kind, *cell in actions if kind != STOP]
        answered.append(("\n".join(map(format_action, planned(before, wanted))), finished))
    return answered
