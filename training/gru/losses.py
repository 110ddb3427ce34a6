"""How hard items are for a trained GRU: the loss of their gold actions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from bap_v2_training.decoding.networks import accelerator_or_cpu, network_of
from bap_v2_training.gru.batches import collated
from bap_v2_training.gru.features import Features
from bap_v2_training.gru.model import BapGruModel
from bap_v2_training.learning.vocabulary import Vocabulary


def losses_of_model(folder: str) -> Callable[[Sequence[Mapping[str, Any]]], list[float]]:
    """A function from rows, a batch, to the loss of each: minus the log likelihood of its actions and the stop."""
    model = network_of(folder, BapGruModel).to(accelerator_or_cpu()).eval()
    features = Features(Vocabulary.load(folder), model.config.window)

    def losses(rows: Sequence[Mapping[str, Any]]) -> list[float]:
        steps = features.of(rows)
        batch = collated(steps, [(item, np.arange(size)) for item, size in enumerate(np.diff(steps.starts))])
        return model(**{name: values.to(model.device) for name, values in batch.items()}).item_losses.tolist()

    return losses
