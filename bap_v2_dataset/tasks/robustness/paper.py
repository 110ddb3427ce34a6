"""What Dan, Zhou and Roth (2021) report, as data: on the Blocks World of Bisk et al. (2016), never on this task.

A block is to be moved: its source is a class of 20 (Tan and Bansal, 2018) or a point, its target a point (Bisk et al.).
Acc is the accuracy of the source in percent, BD the distance from the right point in blocks: lower is better. Robust is
the mean over the examples of the worse of the original and the perturbed one. Each line compares a model trained as
published, M_std, with one trained on a perturbed copy of each example too, M_rob; RI is the gain of the robust score.
"""

from bap_v2_dataset.tables.cells import Line, ScoreTable

_TABLES = {  # by number: what it is about, and its lines: perturbation, measure, scores
    1: (
        "standard and robust training",  # SPC is R(3) of Table 3, SPP is SPP-1 of Table 2
        """\
SPL, Source (Acc), 48.89, 39.03, 48.19, 42.08, 7.81
SPL, Source (BD), 3.22, 3.65, 3.23, 3.38, 7.40
SPL, Target (BD), 3.43, 3.86, 3.35, 3.57, 7.51
SPG, Source (Acc), 48.89, 23.61, 48.47, 46.53, 97.08
SPG, Source (BD), 3.22, 3.72, 3.17, 3.55, 4.57
SPG, Target (BD), 3.43, 3.95, 3.31, 3.69, 6.58
SPC, Source (Acc), 48.89, 6.12, 53.19, 16.27, 165.85
SPC, Source (BD), 3.22, 4.60, 3.40, 3.47, 24.56
SPC, Target (BD), 3.43, 4.46, 3.51, 3.67, 17.71
SA, Source (Acc), 48.89, 28.06, 50.14, 35.42, 26.23
SA, Source (BD), 3.22, 3.86, 3.20, 3.48, 9.84
SA, Target (BD), 3.43, 3.99, 3.35, 3.56, 10.78
SPP, Source (Acc), 48.89, 42.28, 49.03, 44.09, 4.28
SPP, Source (BD), 3.22, 3.56, 3.17, 3.20, 10.11
SPP, Target (BD), 3.43, 3.65, 3.56, 3.58, 1.92""",
    ),
    2: (
        "one and two permutations",  # the worst of one and of two further ones
        """\
SPP-1, Source (BD), 3.22, 3.56, 3.17, 3.20, 10.11
SPP-1, Target (BD), 3.43, 3.65, 3.56, 3.58, 1.92
SPP-2, Source (BD), 3.22, 3.69, 3.18, 3.22, 12.74
SPP-2, Target (BD), 3.43, 3.75, 3.57, 3.59, 4.27""",
    ),
    3: (
        "blocks removed and added",  # R(n): up to n blocks removed, A(1): one added
        """\
R(1), Source (Acc), 48.89, 18.50, 53.61, 28.23, 52.59
R(2), Source (Acc), 48.89, 10.01, 53.89, 16.13, 61.14
R(3), Source (Acc), 48.89, 6.12, 53.19, 16.27, 165.85
A(1), Source (Acc), 48.89, 19.33, 49.31, 23.64, 22.30""",
    ),
}


_NOTE = (
    "Not comparable with the scores above: other data, other models, other scores. Acc: accuracy of the source in "
    "percent, higher is better; BD: distance in blocks, lower is better. RI: how much better M_rob is than M_std, "
    "in percent of its robust score."
)


def tables_of_the_paper() -> list[ScoreTable]:
    """Return Tables 1 to 3 of Dan et al. (2021), under headings that say what they are."""
    tables = []
    for number, (about, text) in _TABLES.items():
        rows = [line.split(", ") for line in text.splitlines()]
        opens = [not place or row[0] != rows[place - 1][0] for place, row in enumerate(rows)]
        heading = f"Reported, Blocks World, other measure: Dan et al. (2021), Table {number}, {about}"
        columns = ("P", "Measure", "M_std Std.", "M_std Rob.", "M_rob Std.", "M_rob Rob.", "RI")
        lines = [Line(row, paper=True, opens=first) for row, first in zip(rows, opens)]
        tables.append(ScoreTable(f"dan_2021_table_{number}", heading, columns, lines, 2, _NOTE))
    return tables
