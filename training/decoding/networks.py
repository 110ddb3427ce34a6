"""Where and how a model computes on this machine, and the networks of Builders that are not language models."""

from typing import TypeVar

import torch
from transformers import AutoModel, PreTrainedModel

from bap_v2_training.errors import UsageError

Network = TypeVar("Network", bound=PreTrainedModel)


def accelerator_or_cpu() -> torch.device:
    """Return this machine's accelerator, or its CPU if it has none."""
    return torch.accelerator.current_accelerator() if torch.accelerator.is_available() else torch.device("cpu")


def floating_type(name: str) -> torch.dtype:
    """Return the type of torch with this name, such as bfloat16. Raises: UsageError if a model cannot have it."""
    dtype = getattr(torch, name, None)
    if not isinstance(dtype, torch.dtype) or not dtype.is_floating_point:
        raise UsageError(f"dtype {name!r} is not a type of torch that a model can have, such as bfloat16")
    return dtype


def network_of(model: str, expected: type[Network]) -> Network:
    """Return the network in a model's folder, or of a model on the Hub, with weights in float32.

    Raises:
        UsageError: there is no such model, or it is of another kind.
    """
    try:
        network = AutoModel.from_pretrained(model, dtype=torch.float32)
    except UsageError:  # of what the model needs
        raise
    except (OSError, ValueError) as error:
        raise UsageError(f"{model} is neither the folder of a model nor a model on the Hub: {error}") from error
    if not isinstance(network, expected):
        raise UsageError(f"{model} is a {network.config.model_type}, not a {expected.config_class.model_type}")
    return network
