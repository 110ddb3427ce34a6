"""`bap-v2 generate`: files of simulated games and rows; writing and resuming is in test_resumable_chunks."""

import json
from pathlib import Path

import datasets
import pytest
from case_tables import cases_of

from bap_v2_dataset.generation.simulated import write_simulated
from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_metric.errors import UserError
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.game import read_games
from bap_v2_simulators.simulation import play


def rows_of(name: str, games: int, split: str = "train", seed: int = 0) -> list[dict]:
    simulator = simulator_of(name)
    return [row(item) for index in range(games) for item in items(play(simulator, split, index, seed))]


def lines_of(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", SIMULATORS)
def test_rows_are_those_of_the_games_in_both_formats(name, tmp_path):
    made = write_simulated(simulator_of(name), tmp_path / "a.jsonl", games=4, split="test", seed=5)
    expected = rows_of(name, 4, "test", 5)
    assert made == (4, len(expected))
    assert lines_of(tmp_path / "a.jsonl") == expected
    write_simulated(simulator_of(name), tmp_path / "a.parquet", games=4, split="test", seed=5)
    loaded = datasets.Dataset.from_parquet(str(tmp_path / "a.parquet"), cache_dir=str(tmp_path / "cache"))
    assert loaded.to_list() == expected
    assert loaded.features == FEATURES
    assert not list(tmp_path.glob("*.unfinished")) and not list(tmp_path.glob("*.lock"))


def test_games_are_written_whole(tmp_path):
    simulator = simulator_of("dsb")
    write_simulated(simulator, tmp_path / "games.jsonl", games=5, kind="games")
    assert list(read_games(tmp_path / "games.jsonl")) == [play(simulator, "train", index) for index in range(5)]


@pytest.mark.slow
def test_a_number_of_items_is_met_exactly(tmp_path):
    for n_items, cut in ((50, False), (100, False), (5, True)):  # a game has 6 turns at least
        made = write_simulated(simulator_of("dr"), tmp_path / f"{n_items}.jsonl", n_items=n_items)
        rows = lines_of(tmp_path / f"{n_items}.jsonl")
        assert made[1] == len(rows) == n_items and made[0] == len({row["game_id"] for row in rows})
        assert {"cut" in row["metadata"] for row in rows} == {cut}
        whole = {row["id"]: row for row in rows_of("dr", 40)}
        assert [{**whole[row["id"]], "metadata": None} for row in rows] == [{**row, "metadata": None} for row in rows]


@pytest.mark.parametrize(
    ("output", "request_", "complaint"),
    cases_of(__file__, "no_sense"),
)
def test_a_request_that_makes_no_sense_is_refused_and_nothing_is_written(output, request_, complaint, tmp_path):
    with pytest.raises(UserError) as error:
        write_simulated(simulator_of("dr"), tmp_path / output, **request_)
    assert complaint in str(error.value)
    assert list(tmp_path.iterdir()) == []
