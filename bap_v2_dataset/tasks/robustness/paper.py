"""What Dan, Zhou and Roth (2021) report, as data: on the Blocks World of Bisk et al. (2016), never on this task.

A block is to be moved: its source is a class of 20 (Tan and Bansal, 2018) or a point, its target a point (Bisk et al.).
Acc is the accuracy of the source in percent, BD the distance from the right point in blocks: lower is better. Robust is
the mean over the examples of the worse of the original and the perturbed one. Each line compares a model trained as
published with one trained on a perturbed copy of each example too.
"""

from collections.abc import Sequence
from typing import NamedTuple

from bap_v2_dataset.tables.cells import Line, ScoreTable


class Comparison(NamedTuple):
    """A kind of perturbation and a measure: the model as published, M_std, and one trained robustly, M_rob."""

    perturbation: str
    measure: str
    standard: float  # of M_std
    robust: float
    trained_standard: float  # of M_rob
    trained_robust: float
    improvement: float  # RI as printed: of the robust score, in percent


_ACC, _SOURCE, _TARGET = "Source (Acc)", "Source (BD)", "Target (BD)"


def _line(name: str, measure: str, scores: str) -> Comparison:
    return Comparison(name, measure, *map(float, scores.split()))


# Table 1. SPC is R(3) of Table 3, SPP is SPP-1 of Table 2.
ROBUSTNESS_TABLE_1 = (
    _line("SPL", _ACC, "48.89 39.03 48.19 42.08 7.81"),
    _line("SPL", _SOURCE, "3.22 3.65 3.23 3.38 7.40"),
    _line("SPL", _TARGET, "3.43 3.86 3.35 3.57 7.51"),
    _line("SPG", _ACC, "48.89 23.61 48.47 46.53 97.08"),
    _line("SPG", _SOURCE, "3.22 3.72 3.17 3.55 4.57"),
    _line("SPG", _TARGET, "3.43 3.95 3.31 3.69 6.58"),
    _line("SPC", _ACC, "48.89 6.12 53.19 16.27 165.85"),
    _line("SPC", _SOURCE, "3.22 4.60 3.40 3.47 24.56"),
    _line("SPC", _TARGET, "3.43 4.46 3.51 3.67 17.71"),
    _line("SA", _ACC, "48.89 28.06 50.14 35.42 26.23"),
    _line("SA", _SOURCE, "3.22 3.86 3.20 3.48 9.84"),
    _line("SA", _TARGET, "3.43 3.99 3.35 3.56 10.78"),
    _line("SPP", _ACC, "48.89 42.28 49.03 44.09 4.28"),
    _line("SPP", _SOURCE, "3.22 3.56 3.17 3.20 10.11"),
    _line("SPP", _TARGET, "3.43 3.65 3.56 3.58 1.92"),
)

# Table 2: the worst of one and of two further permutations.
ROBUSTNESS_TABLE_2 = (
    _line("SPP-1", _SOURCE, "3.22 3.56 3.17 3.20 10.11"),
    _line("SPP-1", _TARGET, "3.43 3.65 3.56 3.58 1.92"),
    _line("SPP-2", _SOURCE, "3.22 3.69 3.18 3.22 12.74"),
    _line("SPP-2", _TARGET, "3.43 3.75 3.57 3.59 4.27"),
)

# Table 3: R(n) up to n blocks removed, A(1) one added.
ROBUSTNESS_TABLE_3 = (
    _line("R(1)", _ACC, "48.89 18.5 53.61 28.23 52.59"),
    _line("R(2)", _ACC, "48.89 10.01 53.89 16.13 61.14"),
    _line("R(3)", _ACC, "48.89 6.12 53.19 16.27 165.85"),
    _line("A(1)", _ACC, "48.89 19.33 49.31 23.64 22.30"),
)


def tables_of_the_paper() -> list[ScoreTable]:
    """Tables 1 to 3 of Dan et al. (2021), under headings that say what they are."""
    return [
        _reported_table(number, lines, about)
        for number, lines, about in (
            (1, ROBUSTNESS_TABLE_1, "standard and robust training"),
            (2, ROBUSTNESS_TABLE_2, "one and two permutations"),
            (3, ROBUSTNESS_TABLE_3, "blocks removed and added"),
        )
    ]


def _reported_table(number: int, comparisons: Sequence[Comparison], about: str) -> ScoreTable:
    lines = []
    for position, one in enumerate(comparisons):
        numbers = [f"{score:.2f}" for score in one[2:]]
        opens = not position or comparisons[position - 1].perturbation != one.perturbation
        lines.append(Line([one.perturbation, one.measure, *numbers], paper=True, opens=opens))
    return ScoreTable(
        f"dan_2021_table_{number}",
        f"Reported, Blocks World, other measure: Dan et al. (2021), Table {number}, {about}",
        ("P", "Measure", "M_std Std.", "M_std Rob.", "M_rob Std.", "M_rob Rob.", "RI"),
        lines,
        2,
        "Not comparable with the scores above: other data, other models, other scores. Acc: accuracy of the source in "
        "percent, higher is better; BD: distance in blocks, lower is better. RI: how much better M_rob is than M_std, "
        "in percent of its robust score.",
    )
