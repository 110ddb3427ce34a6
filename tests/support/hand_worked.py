"""Items whose counts were worked out by hand, with the reason for each: the definition of the metric, by example.

Counts are (true positives, false positives, false negatives) per measure. `same` stands for all six measures. The cases
are in hand_worked.toml.
"""

from dataclasses import dataclass, field

from case_tables import cases_of


@dataclass(frozen=True)
class Case:
    reason: str
    before: list[str]
    after: list[str]
    prediction: list[str]
    counts: dict[str, tuple[int, int, int]]
    interpretations: str = "unique"
    infeasible: int = 0
    unparsed: int = 0
    same: tuple[int, int, int] | None = field(default=None)

    @property
    def expected(self) -> dict[str, tuple[int, int, int]]:
        everywhere = dict.fromkeys(("strict", "fairer", "type", "color", "location", "shape"), self.same)
        return {**everywhere, **self.counts}

    @property
    def reference(self) -> dict:
        return {"before": self.before, "after": self.after, "interpretations": self.interpretations}


def _case(row: dict) -> Case:
    counts = {measure: tuple(numbers) for measure, numbers in row.pop("counts", {}).items()}
    same = tuple(row.pop("same")) if "same" in row else None
    return Case(counts=counts, same=same, **row)


CASES = list(map(_case, cases_of(__file__, "cases")))
