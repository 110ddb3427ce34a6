"""The configs of GSU: names say the task and the frame, and settings are checked."""

from itertools import combinations

import pytest
from case_tables import cases_of

from bap_v2_simulators.gsu.combined import Combined, Outlook
from bap_v2_simulators.gsu.configs import CONFIGS, SIZES, config_of
from bap_v2_simulators.gsu.localization import GridScene
from bap_v2_simulators.gsu.navigation import Navigation
from bap_v2_simulators.gsu.structure import Composition, Structures
from bap_v2_simulators.settings import SettingsError

WALKS = ("follower_ego", "follower_cardinal", "instructor_cardinal", "instructor_ego", "card2ego")


def test_walks_are_in_two_and_in_three_dimensions():
    walks = {name for name, config in CONFIGS.items() if isinstance(config.simulator, Navigation)}
    assert walks == {f"gsu_{walk}_{dims}d" for walk in WALKS for dims in (2, 3)}
    for name in walks:
        config = CONFIGS[name]
        assert name.endswith(f"_{config.dims}d")
        asked = name.removeprefix("gsu_").split("_")[0]
        assert config.task == asked and (config.frame == "cardinal") == ("_cardinal_" in name)


def test_localization_asks_in_both_frames_with_and_without_distractors_near_and_far():
    scenes = {name: config for name, config in CONFIGS.items() if config.task == "localization"}
    of_frame = {
        frame: [name for name in scenes if scenes[name].frame == frame] for frame in ("egocentric", "allocentric")
    }
    assert len(scenes) == 8 and list(map(len, of_frame.values())) == [4, 4]
    for name, config in scenes.items():
        assert config.frame == config.simulator.kind and config.simulator.distance in name and config.dims == 3
        if config.frame == "egocentric":
            assert config.simulator.distractors == name.endswith("_distractors")
        else:
            assert config.simulator.distractors and f"_{config.simulator.heading}_" in name


def test_all_names_are_those_of_their_configs():
    assert all(name == config.name and name.startswith("gsu_") for name, config in CONFIGS.items())


def test_settings_change_one_config_and_nothing_published():
    longer = config_of("gsu_follower_ego_2d", {"fewest_steps": "5", "most_steps": "8"})
    assert (longer.simulator.fewest_steps, longer.simulator.most_steps) == (5, 8)
    assert config_of("gsu_follower_ego_2d") is not longer
    assert config_of("gsu_follower_ego_2d") == CONFIGS["gsu_follower_ego_2d"]
    assert CONFIGS["gsu_follower_ego_2d"].simulator.most_steps == 4


@pytest.mark.parametrize("name", CONFIGS)
def test_an_item_is_a_function_of_split_seed_and_index_alone(name):
    simulator = CONFIGS[name].simulator
    in_order = [simulator.item("test", 0, index) for index in range(12)]
    assert [simulator.item("test", 0, index) for index in range(11, -1, -1)] == in_order[::-1]
    for split, seed in (("test", 1), ("train", 0)):
        assert [simulator.item(split, seed, index) for index in range(12)] != in_order


@pytest.mark.parametrize("name", CONFIGS)
def test_splits_share_no_item_whatever_the_seeds_and_wherever_it_stands(name):
    n = 1_000 if isinstance(CONFIGS[name].simulator, Navigation) else 200
    items = {
        split: {asked(CONFIGS[name].simulator.item(split, seed, index)) for seed in (0, 1) for index in range(n)}
        for split in SIZES
    }
    assert not any(items[one] & items[other] for one, other in combinations(SIZES, 2))


def asked(item) -> tuple | frozenset:
    """What tells an item from others: of structures the blocks, moved so that their smallest coordinates are 0."""
    if isinstance(item, GridScene):
        return item[:4]
    if isinstance(item, Outlook):
        return item.steps
    if not isinstance(item, Composition):
        return item
    low = [min(values) for values in zip(*(place for _, place in item.blocks))]
    return frozenset((color, tuple(a - b for a, b in zip(place, low))) for color, place in item.blocks)


@pytest.mark.parametrize(
    ("name", "settings", "message"),
    cases_of(__file__, "errors"),
)
def test_wrong_names_and_values_are_said(name, settings, message):
    with pytest.raises(SettingsError, match=message):
        config_of(name, settings)


@pytest.mark.parametrize(
    ("simulator", "value"), [(Combined, {"most_steps": 2.5}), (Structures, {"scrambled": "false"})]
)
def test_values_of_another_type_are_refused(simulator, value):
    with pytest.raises(SettingsError, match="expected"):
        simulator(**value)


@pytest.mark.parametrize("name", CONFIGS)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("dev", 0, 0), "unknown split 'dev'"),
        (("test", 0, -1), "index=-1: expected 0 or more"),
        (("test", 2**64, 0), "seed"),
        (("test", 0.5, 0), "seed"),
    ],
)
def test_items_that_do_not_exist_are_named(name, arguments, message):
    with pytest.raises(SettingsError, match=message):
        CONFIGS[name].simulator.item(*arguments)
