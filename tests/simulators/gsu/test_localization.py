"""Scenes of GSU: how they are drawn, that one answer fits each, and that they agree with the Builder's own view."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_simulators.gsu.configs import CONFIGS, config_of
from bap_v2_simulators.gsu.grid import YAWS, seen_from, to_board
from bap_v2_simulators.gsu.localization import RELATIONS, words_of
from bap_v2_simulators.gsu.walks import HEADINGS, VECTORS
from bap_v2_simulators.pose import Pose, perspective_coordinates
from bap_v2_simulators.view import View

ALL = {name: config.simulator for name, config in CONFIGS.items() if config.task == "localization"}
OPPOSITE = {"left": "right", "front": "behind", "above": "below"}
OPPOSITE |= {word: other for other, word in OPPOSITE.items()}
LEFT_RIGHT = {"left": "right", "right": "left"}
places = st.tuples(*[st.integers(-15, 15)] * 3)
headings = st.sampled_from(HEADINGS)


def scenes(name, split="train", n=200, seed=0, **settings):
    simulator = config_of(name, {key: str(value) for key, value in settings.items()}).simulator
    return [simulator.item(split, seed, index) for index in range(n)]


def base_of(scene):
    return scene.viewer if scene.reference is None else scene.reference


def exchanged(words, exchange):
    return {exchange.get(word, word) for word in words}


# What the words mean


def test_the_words_of_a_viewer_who_faces_positive_y():
    here = (0, 0, 0)
    assert words_of("+y", here, (-1, 0, 0), "egocentric") == ("left",)
    assert words_of("+y", here, (1, 2, 3), "egocentric") == ("right", "front", "above")
    assert words_of("+y", here, (0, -2, -3), "egocentric") == ("behind", "below")


def test_right_is_a_quarter_turn_clockwise_of_ahead():
    """GSU: facing -x, +y is to the right."""
    assert words_of("-x", (0, 0, 0), (0, 1, 0), "egocentric") == ("right",)
    assert words_of("+x", (0, 0, 0), (0, 1, 0), "egocentric") == ("left",)
    assert words_of("-y", (0, 0, 0), (-1, 0, 0), "egocentric") == ("right",)


def test_a_target_between_viewer_and_reference_is_in_front_of_the_reference():
    assert words_of("+y", (0, 5, 0), (0, 4, 0), "mirror") == ("front",)
    assert words_of("-x", (-5, 0, 0), (-4, 0, 0), "mirror") == ("front",)


@given(headings, places, places)
def test_a_word_for_each_axis_that_differs(heading, target, reference):
    words = words_of(heading, reference, target, "mirror")
    assert len(words) == sum(a != b for a, b in zip(target, reference))
    assert list(words) == sorted(words, key=RELATIONS.index)


# The Builder's view


@given(headings, places, places)
def test_the_view_of_building_sees_the_same(heading, viewer, target):
    right, ahead, up = seen_from(heading, viewer, target)
    start, end = to_board(*viewer), to_board(*target)
    assert View.of(YAWS[heading]).offset(start, end) == (-right, up, ahead)
    x, y, z = start
    seen = perspective_coordinates(end, Pose(x, y, z, yaw=YAWS[heading], pitch=0.0))
    assert seen == pytest.approx((-right, up, ahead), abs=1e-9)


@given(headings, places, places)
def test_front_on_the_board_is_front_of_a_reference_as_in_mirror(heading, target, reference):
    """In building as in allocentric scenes, front is towards whoever looks."""
    names = {"top": "above", "bottom": "below"}
    offset = View.of(YAWS[heading]).offset(to_board(*reference), to_board(*target))
    words = {names.get(direction.value, direction.value) for direction in offset.directions}
    assert words == set(words_of(heading, reference, target, "mirror"))


# What is drawn


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("dims", [2, 3])
def test_exactly_one_answer_fits_a_scene(name, dims):
    """Of all that one may answer, one names each direction in which the target lies, and no other: brute force."""
    pairs = [(*RELATIONS[at : at + 2], "") for at in range(0, 2 * dims, 2)]
    answers = [tuple(filter(None, words)) for words in product(*pairs)]
    simulator = config_of(name, {"dims": str(dims)}).simulator
    units = [VECTORS[way][:dims] for way in ("-x", "+x", "-y", "+y", "-z", "+z")[: 2 * dims]]
    for scene in scenes(name, n=60, dims=dims):
        base = base_of(scene)
        distance = sum(abs(a - b) for a, b in zip(scene.target, base))
        nearer = {  # one step of a direction brings the base nearer to the target exactly if the target lies that way
            word
            for unit in units
            for word in words_of(scene.heading, (0,) * dims, unit, simulator.frame_of_sides)
            if sum(abs(a - b - c) for a, b, c in zip(scene.target, base, unit)) < distance
        }
        assert [answer for answer in answers if set(answer) == nearer] == [scene.answer]


@pytest.mark.parametrize("name", ALL)
def test_blocks_of_other_colors_stand_on_the_grid_and_near_an_adjacent_target(name):
    extent = 10 if name.startswith("gsu_ego") else 15
    for scene in scenes(name, n=300):
        colors, cells = zip(*scene.blocks)
        named = [scene.target] if scene.reference is None else [scene.target, scene.reference]
        assert sorted(cells) == sorted([*named, *scene.distractors])
        assert len(set(colors)) == len(colors) and len({*cells, scene.viewer}) == len(cells) + 1
        assert max(abs(value) for place in (scene.viewer, *cells) for value in place) <= extent
        if "adjacent" in name:
            far = [
                max(abs(a - b) for a, b in zip(place, base_of(scene))) for place in (scene.target, *scene.distractors)
            ]
            assert far[0] == 1 and max(far) <= 2


@pytest.mark.parametrize("name", ALL)
def test_headings_go_round_and_so_many_distractors_there_are(name):
    drawn = scenes(name, n=400)
    assert [scene.heading for scene in drawn[:8]] == (["+y"] * 8 if "allo_y" in name else [*HEADINGS] * 2)
    numbers = Counter(len(scene.distractors) for scene in drawn)
    if ALL[name].distractors:
        assert sorted(numbers) == [1, 2, 3, 4] and min(numbers.values()) > 60
    else:
        assert numbers == {0: 400}


@pytest.mark.parametrize("name", [name for name in ALL if "allo" in name])
@pytest.mark.parametrize("dims", [2, 3])
def test_reference_and_target_lie_ahead_of_the_viewer_at_the_origin(name, dims):
    """So towards the viewer and against the heading are one direction."""
    for scene in scenes(name, n=200, dims=dims):
        assert not any(scene.viewer)
        assert seen_from(scene.heading, scene.viewer, scene.reference).ahead >= 2
        assert seen_from(scene.heading, scene.viewer, scene.target).ahead >= 1
        if "allo_reference" in name:
            assert seen_from(scene.heading, scene.viewer, scene.reference).right == 0


@pytest.mark.parametrize("name", [name for name in ALL if "adjacent" in name])
def test_all_26_answers_are_equally_likely_in_adjacent(name):
    counts = Counter(scene.answer for scene in scenes(name, n=2_600))
    assert len(counts) == 26
    assert sum((count - 100) ** 2 / 100 for count in counts.values()) < 58  # chi-square, 25 degrees: 1 in 5,000


def test_how_often_each_word_is_in_random_allocentric_answers():
    """The reference tends to be farther ahead than the target: 17.4 % front, 15.1 % behind, 16.9 % each other."""
    words = Counter(word for scene in scenes("gsu_allo_y_random", n=3_000) for word in scene.answer)
    expected = {"front": 0.1743, "behind": 0.1510}
    for word in RELATIONS:
        assert words[word] / words.total() == pytest.approx(expected.get(word, 0.1687), abs=0.02)


def test_random_targets_are_as_far_as_two_random_cells():
    """13.9 cells on a grid from -10 to 10; the paper measured 13.5."""
    square_sums = [
        sum((a - b) ** 2 for a, b in zip(scene.viewer, scene.target)) for scene in scenes("gsu_ego_random", n=2_000)
    ]
    assert sum(value**0.5 for value in square_sums) / 2_000 == pytest.approx(13.9, abs=0.35)


# Which scene an item is


@pytest.mark.parametrize("distance", ["adjacent", "random"])
def test_scenes_with_and_without_distractors_are_paired(distance):
    for bare, full in zip(scenes(f"gsu_ego_{distance}", n=50), scenes(f"gsu_ego_{distance}_distractors", n=50)):
        assert bare[:4] == full[:4] and bare.answer == full.answer


def test_scenes_of_other_sides_are_paired():
    for mirror, rotated in zip(scenes("gsu_allo_y_adjacent"), scenes("gsu_allo_y_adjacent", sides="rotated")):
        assert mirror[:6] == rotated[:6]
        assert set(rotated.answer) == exchanged(mirror.answer, LEFT_RIGHT)
