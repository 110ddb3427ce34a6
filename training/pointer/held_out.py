"""Items that a training is judged by: their loss, and the scores of the model's answers."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedModel

import bap_v2_metric
from bap_v2_dataset.labels.readings import reading_of
from bap_v2_metric.notation import parse_structure
from bap_v2_training.learning.vocabulary import Vocabulary
from bap_v2_training.pointer.decoding import greedy_answers
from bap_v2_training.pointer.examples import centered, example_of_row
from bap_v2_training.pointer.features import FeatureSettings, PackedItems, tensors
from bap_v2_training.pointer.stream import alike


def reference_of(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the answer to a validation item is compared with: on an empty board any place is right."""
    interpretations = row.get("interpretations") if row["before"] else "multiple"
    return {"before": row["before"], "after": row["after"], "interpretations": interpretations}


def scored(texts: Sequence[str], references: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return all scores of answers, as `bap_v2_metric.score` gives them, and `exact`: the items without an error."""
    counts = bap_v2_metric.score_items(texts, references)
    exact = sum(not count["fairer"]["fp"] + count["fairer"]["fn"] for count in counts)
    return bap_v2_metric.aggregate(counts) | {"exact": exact}


def readings_of(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a larger model's readings as answers, the bound beside a score; none if a row has no reading."""
    readings = [reading_of(row) for row in rows]
    return [] if None in readings else readings


class HeldOut:
    """The items of one split.

    On an empty board any place is right, as in training: the loss is that of building in the middle, and all such items
    are scored as those with several interpretations. Human validation items have no labels and would count as "unique".
    """

    def __init__(
        self, rows: Sequence[Mapping[str, Any]], vocabulary: Vocabulary, features: FeatureSettings, batch_size: int
    ):
        self.items = PackedItems([centered(example_of_row(row)) for row in rows], vocabulary, features)
        self.references = [reference_of(row) for row in rows]
        self.readings = readings_of(rows)
        self.boards = [parse_structure(row["before"]) for row in rows]
        self.batches = alike(self.items.lengths, np.arange(len(rows)), batch_size)

    def __len__(self) -> int:
        return len(self.items)

    @torch.no_grad()
    def loss(self, model: PreTrainedModel, process: int = 0, processes: int = 1) -> tuple[float, int]:
        """Return the sum of the losses of a process's share of the items, and how many these are."""
        total, number = 0.0, 0
        for indices in self.batches[process::processes]:
            batch = {name: values.to(model.device) for name, values in tensors(self.items.batch(indices)).items()}
            total += model(**batch)["loss"].item() * len(indices)
            number += len(indices)
        return total, number

    def predictions(self, model: PreTrainedModel, max_actions: int) -> list[str]:
        """Return the answer to every item, in their order."""
        texts = [""] * len(self)
        for indices in self.batches:
            boards = [self.boards[index] for index in indices]
            for index, text in zip(indices, greedy_answers(model, self.items, indices, boards, max_actions)):
                texts[index] = text
        return texts

    def scores(self, model: PreTrainedModel, max_actions: int) -> dict[str, float]:
        """Return all scores of the model's answers: see `scored`."""
        return scored(self.predictions(model, max_actions), self.references)
