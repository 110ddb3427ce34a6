"""What Dan et al. (2021) report is copied right: their own ratios follow from the scores."""

import pytest

from bap_v2_dataset.tasks.robustness.paper import ROBUSTNESS_TABLE_1, ROBUSTNESS_TABLE_2, ROBUSTNESS_TABLE_3

# Figure 3, read from Table 1: SPL, SPG, SPC, SA, SPP.
FIGURE_3 = {
    "Source (Acc)": (20.17, 51.71, 87.48, 42.61, 13.52),
    "Source (BD)": (13.35, 15.53, 42.86, 19.88, 10.56),
    "Target (BD)": (12.54, 15.16, 30.03, 16.33, 6.41),
}


@pytest.mark.parametrize("line", [*ROBUSTNESS_TABLE_1, *ROBUSTNESS_TABLE_2, *ROBUSTNESS_TABLE_3], ids=str)
def test_every_relative_improvement_follows_from_the_robust_scores(line):
    gain = 100 * (line.trained_robust - line.robust) / line.robust
    improvement = gain if line.measure == "Source (Acc)" else -gain  # of distances, fewer are better
    assert improvement == pytest.approx(line.improvement, abs=0.0101)


@pytest.mark.parametrize("measure", FIGURE_3)
def test_the_degradations_are_those_of_figure_3(measure):
    lines = [line for line in ROBUSTNESS_TABLE_1 if line.measure == measure]
    assert [line.perturbation for line in lines] == ["SPL", "SPG", "SPC", "SA", "SPP"]
    assert [100 * abs(line.robust - line.standard) / line.standard for line in lines] == pytest.approx(
        FIGURE_3[measure], abs=0.006
    )


def test_the_tables_agree_where_they_say_the_same():
    by_name = {(line.perturbation, line.measure): line[2:] for line in ROBUSTNESS_TABLE_1}
    for line in ROBUSTNESS_TABLE_2[:2]:
        assert by_name["SPP", line.measure] == line[2:]
    assert by_name["SPC", "Source (Acc)"] == ROBUSTNESS_TABLE_3[2][2:]
