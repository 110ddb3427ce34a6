"""Right, wrong and missed: the counts that every score is made of."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of net actions that are right, wrong and missed: of an item or, added up, of a corpus.

    >>> both = Counts(tp=2, fp=1, fn=0) + Counts(tp=0, fp=1, fn=2)
    >>> both, both.precision, both.recall, both.f1
    (Counts(tp=2, fp=2, fn=2), 0.5, 0.5, 0.5)
    >>> sum([both, both], Counts()).tp
    4
    """

    tp: int = 0  # predicted and in the reference
    fp: int = 0  # predicted, not in the reference
    fn: int = 0  # in the reference, not predicted

    @classmethod
    def of(cls, item: Mapping, measure: str = "fairer") -> "Counts":
        """Return the counts of a measure in what `score_item` returns.

        >>> Counts.of({"fairer": {"tp": 1, "fp": 0, "fn": 2}}, "fairer")
        Counts(tp=1, fp=0, fn=2)
        """
        return cls(**item[measure])

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def n_predicted(self) -> int:
        """Net actions of the prediction."""
        return self.tp + self.fp

    @property
    def n_reference(self) -> int:
        """Net actions of the reference."""
        return self.tp + self.fn

    @property
    def precision(self) -> float:
        """The share of the predicted net actions that is right, in 0..1; 0/0 is 0.0, as in the 2020 scorer."""
        return self.tp / self.n_predicted if self.n_predicted else 0.0

    @property
    def recall(self) -> float:
        """The share of the reference net actions that is predicted, in 0..1; 0/0 is 0.0."""
        return self.tp / self.n_reference if self.n_reference else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, in 0..1; 0/0 is 0.0."""
        both = self.n_predicted + self.n_reference
        return 2 * self.tp / both if both else 0.0
