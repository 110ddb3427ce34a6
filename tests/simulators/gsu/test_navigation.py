"""Walks of GSU: how they are drawn, and that one chain fits a path."""

from collections import Counter
from decimal import Decimal
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_simulators.gsu import navigation
from bap_v2_simulators.gsu.configs import CONFIGS, SIZES
from bap_v2_simulators.gsu.grid import COMPASS, compass_steps
from bap_v2_simulators.gsu.navigation import Navigation
from bap_v2_simulators.gsu.streams import split_of
from bap_v2_simulators.gsu.walks import EGOCENTRIC, FRAMES, WalkStep, directions_of, end_of, path_of, way_of
from bap_v2_simulators.settings import SettingsError

DIMS = (2, 3)
WALKS = {
    dims: [config for config in CONFIGS.values() if isinstance(config.simulator, Navigation) and config.dims == dims]
    for dims in DIMS
}


def walks(dims, split="train", n=400, seed=0, **settings):
    simulator = Navigation(dims, **settings)
    return [simulator.item(split, seed, index) for index in range(n)]


def chains(dims, most_steps=3, longest=3):
    """All chains in which no direction comes twice in a row."""
    steps = [WalkStep(word, length) for word in directions_of(dims) for length in range(1, longest + 1)]
    for n in range(1, most_steps + 1):
        for chain in product(steps, repeat=n):
            if all(a.direction != b.direction for a, b in pairwise(chain)):
                yield chain


@st.composite
def any_walk(draw):
    """A frame, dimensions, and steps with lengths that may have decimals."""
    dims = draw(st.sampled_from(DIMS))
    length = st.integers(1, 10) | st.decimals("0.01", 10, places=2).map(lambda number: number.normalize())
    steps = st.lists(st.builds(WalkStep, st.sampled_from(directions_of(dims)), length), min_size=1, max_size=8)
    return draw(st.sampled_from(FRAMES)), dims, draw(steps)


# What is fixed by the paper


def test_the_quote_of_the_paper_backward_8_from_minus_3():
    """At (-3, 0), facing -x, back 8 leads to (5, 0), facing +x; the paper's model said (-11, 0)."""
    steps = [WalkStep("left", 3), WalkStep("backward", 8)]
    assert path_of(steps, "egocentric", 2) == ((0, 0), (-3, 0), (5, 0))
    assert way_of("backward", "-x", EGOCENTRIC) == "+x"


@pytest.mark.parametrize("split", SIZES)
@pytest.mark.parametrize("dims", DIMS)
def test_each_number_of_steps_is_a_quarter_of_a_split(dims, split):
    counts = Counter(map(len, walks(dims, split, SIZES[split])))
    assert counts == dict.fromkeys((1, 2, 3, 4), SIZES[split] // 4)


@pytest.mark.parametrize("dims", DIMS)
def test_no_direction_comes_twice_in_a_row(dims):
    assert all(a.direction != b.direction for steps in walks(dims) for a, b in pairwise(steps))


def test_the_farthest_a_walk_can_lead():
    ahead = [WalkStep("forward", 10), WalkStep("up", 10), WalkStep("forward", 10)]
    assert end_of([*ahead, WalkStep("up", 10)], "cardinal", 3) == (0, 20, 20)
    assert end_of(
        [WalkStep("right", 10), WalkStep("forward", 10), WalkStep("up", 10), WalkStep("forward", 10)], "egocentric", 3
    ) == (30, 0, 10)


# One chain fits a path


@pytest.mark.parametrize(("dims", "n_chains"), [(2, 1_092), (3, 4_338)])
@pytest.mark.parametrize("frame", FRAMES)
def test_no_two_chains_have_one_path(frame, dims, n_chains):
    all_chains = list(chains(dims))
    assert len(all_chains) == n_chains
    assert len({path_of(chain, frame, dims) for chain in all_chains}) == n_chains


@pytest.mark.parametrize("dims", DIMS)
def test_no_two_chains_have_one_compass_path(dims):
    all_chains = list(chains(dims))
    assert len({tuple(compass_steps(chain)) for chain in all_chains}) == len(all_chains)


@given(any_walk())
def test_the_compass_path_read_as_fixed_directions_is_the_egocentric_path(walk):
    _, dims, steps = walk
    fixed = dict(zip(COMPASS.values(), ("forward", "right", "backward", "left", "up", "down")))
    as_fixed = [WalkStep(fixed[direction], length) for direction, length in compass_steps(steps)]
    assert path_of(as_fixed, "cardinal", dims) == path_of(steps, "egocentric", dims)


# Which walk an item is


@pytest.mark.parametrize("dims", DIMS)
def test_item_i_is_the_same_walk_in_all_navigation_configs(dims):
    assert len(WALKS[dims]) == 5
    for index in range(20):
        assert len({config.simulator.item("test", 0, index) for config in WALKS[dims]}) == 1


def test_the_split_of_a_walk_of_one_step():
    """There are 40 such walks in two dimensions: 16 in train, 13 in validation, 11 in test."""
    one_step = [f"2 {direction} {length}" for direction in directions_of(2) for length in range(1, 11)]
    assert Counter(map(split_of, one_step)) == {"train": 16, "validation": 13, "test": 11}
    for split, distinct in (("train", 16), ("validation", 13), ("test", 11)):
        assert len({steps for steps in walks(2, split, 1_200) if len(steps) == 1}) == distinct


@pytest.mark.parametrize(("dims", "distinct"), [(2, 84), (3, 88)])
def test_how_many_walks_of_the_test_set_are_distinct(dims, distinct):
    assert len(set(walks(dims, "test", 100))) == distinct


@pytest.mark.parametrize("split", SIZES)
@pytest.mark.parametrize("dims", DIMS)
def test_every_direction_is_in_every_split(dims, split):
    assert {steps[0].direction for steps in walks(dims, split, 400) if len(steps) == 1} == set(directions_of(dims))


# Settings


def test_walks_with_more_steps():
    assert sorted(set(map(len, walks(2, n=60, most_steps=6)))) == [1, 2, 3, 4, 5, 6]
    assert set(map(len, walks(3, n=20, fewest_steps=5, most_steps=5))) == {5}


def test_lengths_with_decimals_are_exact():
    lengths = [length for steps in walks(2, n=2_000, decimals=2) for _, length in steps]
    assert all(0 < length <= 10 and length * 100 == int(length * 100) for length in lengths)
    assert {type(length) for length in lengths} == {int, Decimal}
    assert all(str(length) == f"{Decimal(length):f}" for length in lengths)
    steps = [WalkStep("right", Decimal("0.1"))] * 3
    assert end_of(steps, "cardinal", 2) == (Decimal("0.3"), 0)
    assert end_of([*steps, WalkStep("left", Decimal("0.3"))], "cardinal", 2) == (0, 0)


def test_longer_steps():
    assert max(length for steps in walks(2, n=800, longest=50) for _, length in steps) > 45


def test_a_split_without_walks_is_named(monkeypatch):
    monkeypatch.setattr(navigation, "split_of", lambda key: "train")
    with pytest.raises(SettingsError, match="no walk of 1 steps for the split 'test'"):
        Navigation(most_steps=1, longest=1).item("test", 0, 0)
