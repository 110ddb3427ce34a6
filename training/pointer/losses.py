"""How hard items are for a trained pointer transformer: the loss of their net actions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bap_v2_training.decoding.networks import accelerator_or_cpu, network_of
from bap_v2_training.learning.vocabulary import Vocabulary
from bap_v2_training.pointer.examples import centered, example_of_row
from bap_v2_training.pointer.features import FeatureSettings, collate
from bap_v2_training.pointer.model import PointerTransformer


def losses_of_model(folder: str) -> Callable[[Sequence[Mapping[str, Any]]], list[float]]:
    """A function from rows, a batch, to the loss of each; what stands on an empty board is built in its middle."""
    model = network_of(folder, PointerTransformer).to(accelerator_or_cpu()).eval()
    vocabulary, features = Vocabulary.load(folder), FeatureSettings(**model.config.features)

    def losses(rows: Sequence[Mapping[str, Any]]) -> list[float]:
        batch = collate([centered(example_of_row(row)) for row in rows], vocabulary, features)
        return model(**{name: values.to(model.device) for name, values in batch.items()}).item_losses.tolist()

    return losses
