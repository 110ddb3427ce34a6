"""What every form of predictions comes down to: entries of an id and a text, and errors that say where."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bap_v2_metric.prediction_records import AUTOMATIC, Entry, Fields, PredictionError, excerpt

__all__ = ["AUTOMATIC", "Content", "Entry", "Fields", "PredictionError", "excerpt"]


@dataclass(frozen=True)
class Content:
    """The entries of a file, and the model that made them."""

    entries: Iterable[Entry]
    model: str = ""  # that a log names
    notes: Sequence[str] = ()  # what may be wrong with it, as sentences
