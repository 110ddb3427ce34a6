"""The rows that systems are tested on."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_metric.errors import UserError

if TYPE_CHECKING:
    import datasets


def split_rows(config: str, split: str, hint: str = "it has", **arguments: Any) -> "datasets.Dataset":
    """Load the rows of a split.

    Args:
        hint: what an error says before the names of the splits that there are.
        arguments: of `load_dataset("bap_v2", ...)`: mdc, labels or seed.
    Raises:
        ConfigError: there is no such config.
        PredictionError: it has no such split.
    """
    import datasets

    try:
        return datasets.load_dataset("bap_v2", config, split=split, **arguments)
    except ValueError as error:
        if isinstance(error, UserError):
            raise
        if "corresponds to no data" in str(error):
            raise PredictionError(f"{split!r} of the config {config} holds no items: choose a larger part") from None
        info = datasets.load_dataset_builder("bap_v2", config, **arguments).info
        splits = info.splits  # known: load_dataset has built them
        if splits is None or _is_part_of(split, {name: info.num_examples for name, info in splits.items()}):
            raise
        raise PredictionError(f"the config {config} has no split {split!r}: {hint} {', '.join(splits)}") from None


def _is_part_of(split: str, sizes: Mapping[str, int]) -> bool:
    """Return whether these splits have it: one of them, or parts such as `train+test[:10]`."""
    import datasets

    try:
        datasets.ReadInstruction.from_spec(split).to_absolute(sizes)
    except (ValueError, AssertionError):  # an unknown name; an unknown form, a percentage beyond 100
        return False
    return re.fullmatch(r"[\w.+:%\[\]-]+", split) is not None


def scored_rows(split: "datasets.Dataset") -> list[dict]:
    """Return the rows of a split of the dataset with the columns that scoring and baselines need."""
    return split.remove_columns([name for name in split.column_names if name.startswith("prompt_")]).to_list()
