"""Simulators by name, with settings as text; and which games make up a corpus of so many items."""

from itertools import count

import pytest
from case_tables import cases_of
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_simulators.corpora import SIMULATORS, games_of, simulator_of, whole_games
from bap_v2_simulators.corpus_table import SIZES
from bap_v2_simulators.settings import SettingsError, settings_of
from bap_v2_simulators.simulation import plan_of


def test_the_sizes_are_those_of_table_3():
    assert SIZES == {
        "dr": {"train": 15_825, "validation": 1_161, "test": 1_089},
        "dsb": {"train": 9_890, "validation": 1_186, "test": 1_181},
        "dss": {"train": 11_868, "validation": 1_000, "test": 1_000},
        "dh": {"train": 10_000, "validation": 1_000, "test": 1_000},  # ours
        "written": {"train": 19_305, "validation": 1_103, "test": 1_117},  # ours, in other words
    }
    assert (
        [name for name in SIZES if name != "written"]
        == list(SIMULATORS)
        == [SIMULATORS[name].name for name in SIMULATORS]
    )


def turns_of(name, split, games, seed):
    simulator = simulator_of(name)
    return [len(plan_of(simulator, split, game.index, seed).items) for game in games]


@pytest.mark.parametrize("name", SIMULATORS)
@pytest.mark.parametrize("items", [30, 100])
def test_games_are_whole_in_order_and_have_exactly_so_many_items(name, items):
    for seed in range(2):
        games = list(games_of(simulator_of(name), "validation", items, seed))
        indices = [game.index for game in games]
        assert indices == sorted(set(indices)) and indices[-1] < len(indices) + 10
        assert sum(game.turns for game in games) == items
        assert [game.turns for game in games] == turns_of(name, "validation", games, seed)


@pytest.mark.parametrize(("name", "items"), [("dr", 1), ("dr", 5), ("dsb", 2), ("dss", 1), ("dss", 37)])
def test_the_last_game_alone_is_cut_if_no_games_fit(name, items):
    games = list(games_of(simulator_of(name), "validation", items, seed=3))
    whole = turns_of(name, "validation", games, 3)
    assert sum(game.turns for game in games) == items
    assert [game.turns for game in games[:-1]] == whole[:-1] and 1 <= games[-1].turns < whole[-1]


@given(st.lists(st.integers(1, 12), min_size=1, max_size=6), st.integers(1, 150))
def test_games_are_cut_only_if_no_choice_of_the_last_ones_fits(cycle, items):
    """Games whose turns repeat: with those left out that may be, any others of the next sixty would do."""
    games = list(whole_games((cycle[n % len(cycle)] for n in count()), items))
    indices = [game.index for game in games]
    assert sum(game.turns for game in games) == items and indices == sorted(set(indices))
    assert all(game.turns == cycle[game.index % len(cycle)] for game in games[:-1])
    if games[-1].turns == cycle[games[-1].index % len(cycle)]:
        return
    assert indices == list(range(len(indices)))
    kept = max(0, len(games) - 1 - 8)  # the last 8 whole ones may be left out
    left = items - sum(game.turns for game in games[:kept])
    sums = {0}
    for index in range(kept, len(games) + 60):
        sums |= {one + cycle[index % len(cycle)] for one in sums}
    assert left not in sums


@pytest.mark.parametrize("name", SIMULATORS)
def test_settings_are_read_as_they_are_shown(name):
    simulator = simulator_of(name)
    shown = {path: str(value) for path, value in settings_of(simulator).items()}
    assert simulator_of(name, shown) == simulator


def test_settings_are_changed_all_at_once_in_any_order():
    for changes in ({"least_turns": "30", "most_turns": "40"}, {"most_turns": "40", "least_turns": "30"}):
        simulator = simulator_of("dr", changes)
        assert (simulator.least_turns, simulator.most_turns) == (30, 40)


def test_settings_change_what_they_name_and_nothing_else():
    changed = simulator_of("dss", {"target.kinds": "row, plane", "talk.clarification": "0.5", "target.largest": "4"})
    before, after = settings_of(simulator_of("dss")), settings_of(changed)
    assert {name: value for name, value in after.items() if before[name] != value} == {
        "target.kinds": "row,plane", "talk.clarification": 0.5, "target.largest": 4,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "settings", "complaint"),
    cases_of(__file__, "bad_settings"),
)
def test_bad_settings_are_named_with_what_was_expected(name, settings, complaint):
    with pytest.raises(SettingsError) as error:
        simulator_of(name, settings)
    assert complaint in str(error.value)
