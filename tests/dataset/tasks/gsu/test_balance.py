"""How balanced GSU items are."""

import json

import pytest
from typer.testing import CliRunner

from bap_v2_dataset import cli
from bap_v2_dataset.tasks.gsu.balance import Balance, balances
from bap_v2_simulators.settings import SettingsError


@pytest.fixture(scope="module")
def of_train() -> dict[str, Balance]:
    return {balance.title: balance for balance in balances("train")}


@pytest.mark.slow
def test_directions_words_colors_and_relations_are_equally_frequent(of_train):
    for title, balance in of_train.items():
        if not title.startswith("Shapes"):
            even = balance.total / len(balance.counts)
            spread = 6 if "Relations" in title or "Colors" in title else 5
            assert all(abs(count - even) < spread * even**0.5 for count in balance.counts.values()), title


def test_neighbors_are_as_far_as_the_26_are_on_average(of_train):
    facts = of_train["Words of gsu_ego_adjacent_distractors"].facts
    assert facts["cells from base to target"] == pytest.approx(1.416, abs=0.02)
    assert facts["words per answer"] == pytest.approx(2.08, abs=0.04) and facts["different answers"] == 26


def test_a_third_of_the_structures_is_of_each_class(of_train):
    facts = of_train["Shapes of gsu_structure"].facts
    assert facts["simple"] == facts["cohesive"] == facts["composite"] == 1_000
    assert (facts["fewest blocks"], facts["most blocks"]) == (2, 199)


def test_the_command_prints_tables_beside_the_paper_or_json():
    done = CliRunner().invoke(cli.app, ["stats", "--gsu"])
    assert done.exit_code == 0 and "Directions of gsu_follower_ego_2d" in done.output and "30.4" in done.output
    record = json.loads(CliRunner().invoke(cli.app, ["stats", "--gsu", "--json"]).output)
    assert record[0]["paper"]["left"] == 30.4 and sum(record[0]["counts"].values()) == 250
    with pytest.raises(SettingsError, match="unknown split 'dev'"):
        balances("dev")
