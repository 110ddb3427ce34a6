"""Target structures: the constraints of 10.1, settings, and splits that no turned or moved target crosses."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cells, structures, transforms_within
from target_oracles import canonical, in_one_piece, share_a_face_or_an_edge

from bap_v2_metric.alignment import Transform
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.random_blocks import RandomBlocks
from bap_v2_simulators.shape_blocks import ShapeBlocks
from bap_v2_simulators.shapes import ShapeKind
from bap_v2_simulators.simulation import SPLITS, SettingsError, plan_of, play
from bap_v2_simulators.targets import NEIGHBORHOOD, TargetSettings, colors_of, is_connected, sample_target, split_of
from bap_v2_simulators.whole_shapes import WHOLE_KINDS, WholeShapes

SETTINGS = {
    "D_sb": TargetSettings(),
    "D_ss": TargetSettings(kinds=WHOLE_KINDS, shapes=2, largest=6),
    "one shape": TargetSettings(shapes=1, largest=9),
    "six shapes": TargetSettings(shapes=6, largest=4),
    "two colors": TargetSettings(colors=(Color.RED, Color.BLUE)),
    "planes": TargetSettings(kinds=(ShapeKind.PLANE,), shapes=4),
}


def targets(settings, n, seed=0):
    rng = Random(f"targets {seed}")
    return [sample_target(rng, settings, SPLITS[i % 3]) for i in range(n)]


@pytest.mark.parametrize("name", SETTINGS)
def test_targets_stand_on_the_ground_in_one_piece_inside_the_region(name):
    for shapes in targets(SETTINGS[name], 60):
        target = colors_of(shapes)
        assert any(cell.y == 1 for cell in target)
        assert in_one_piece(target)
        assert all(cell.in_region for cell in target)
        assert max(Counter(target.values()).values()) <= 20
        assert sum(len(shape.cells) for shape in shapes) == len(target), "no two shapes share a cell"


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_are_respected_and_made_use_of(name):
    settings = SETTINGS[name]
    sampled = targets(settings, 250, seed=1)
    assert {len(shapes) for shapes in sampled} == {settings.shapes}
    every = [shape for shapes in sampled for shape in shapes]
    assert {shape.kind for shape in every} == set(settings.kinds)
    assert {shape.color for shape in every} == set(settings.colors)
    sides = [side for shape in every for side in shape.size]
    if name != "planes":  # four planes of the largest size seldom fit
        assert max(sides) == settings.largest
    assert max(sides) <= settings.largest


def test_kinds_and_colors_may_repeat():
    sampled = targets(TargetSettings(), 200)
    assert any(len({shape.kind for shape in shapes}) < 3 for shapes in sampled)
    assert any(len({shape.color for shape in shapes}) < 3 for shapes in sampled)


def test_settings_are_read_from_their_names():
    settings = TargetSettings(kinds=("row", "plane"), colors=("red",))
    assert settings.kinds == (ShapeKind.ROW, ShapeKind.PLANE)
    assert settings.colors == (Color.RED,)


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [
        {"kinds": ("t-shape",), "shapes": 6, "colors": ("red",)},  # more than twenty blocks of a color
        {"kinds": ("row",), "shapes": 1, "largest": 3, "colors": ("red",)},  # two targets for three splits
    ],
)
def test_settings_that_leave_a_split_no_target_end_in_an_error_and_not_in_a_loop(settings):
    with pytest.raises(SettingsError, match=r"no target of the split '\w+' was found in .* tries: allow more kinds"):
        for split in SPLITS:
            sample_target(Random(0), TargetSettings(**settings), split)


@pytest.mark.parametrize("simulator", [RandomBlocks, ShapeBlocks, WholeShapes])
def test_an_unknown_split_is_an_error_and_not_a_loop(simulator):
    with pytest.raises(SettingsError, match=r"unknown split 'dev' .expected one of train, validation, test"):
        play(simulator(), "dev", 0)


def test_the_neighborhood_is_the_18_cells_that_share_a_face_or_an_edge():
    around = [(x, y, z) for x in range(-2, 3) for y in range(-2, 3) for z in range(-2, 3)]
    assert sorted(NEIGHBORHOOD) == [cell for cell in around if share_a_face_or_an_edge(cell, (0, 0, 0))]
    assert len(NEIGHBORHOOD) == 18


@given(st.sets(cells(2, 4), max_size=9))
def test_connected_means_in_one_piece_through_faces_and_edges(some):
    assert is_connected(some) == in_one_piece(some)


@given(structures(max_size=10).filter(len).flatmap(lambda s: st.tuples(st.just(s), transforms_within(s))))
def test_turned_and_moved_targets_are_in_the_same_split(case):
    structure, transform = case
    target = structure.colors()
    assert split_of({transform(cell): color for cell, color in target.items()}) == split_of(target)
    assert split_of(dict(reversed(target.items()))) == split_of(target)


@pytest.mark.parametrize("name", ["D_sb", "D_ss"])
def test_all_four_turns_of_a_target_are_in_its_split(name):
    for i, shapes in enumerate(targets(SETTINGS[name], 60)):
        target = colors_of(shapes)
        for turns in range(4):
            moved = {Transform(turns, 20, -30)(cell): color for cell, color in target.items()}
            assert split_of(moved) == SPLITS[i % 3]
            assert canonical(moved) == canonical(target)


def test_half_of_all_targets_may_be_trained_on():
    rng = Random(0)
    splits = Counter(
        split_of({Cell(i, 1, rng.randint(0, 3)): rng.choice(list(Color)) for i in range(6)}) for _ in range(2000)
    )
    assert 0.45 < splits["train"] / 2000 < 0.55
    assert 0.2 < splits["validation"] / 2000 < 0.3


SMALL = (
    RandomBlocks(least_turns=2, most_turns=3),
    ShapeBlocks(target=TargetSettings(shapes=1, largest=3)),
    WholeShapes(target=TargetSettings(kinds=WHOLE_KINDS, shapes=1, largest=3)),
)


@pytest.mark.parametrize("simulator", SMALL, ids=lambda simulator: simulator.name)
def test_no_target_is_in_two_splits_even_where_targets_repeat(simulator):
    forms_by_split = {
        split: [canonical(plan_of(simulator, split, index, seed).target) for seed in (0, 1) for index in range(250)]
        for split in SPLITS
    }
    assert all(len(set(forms)) < len(forms) for forms in forms_by_split.values()), "so small that targets do repeat"
    sets = [set(forms) for forms in forms_by_split.values()]
    assert not sets[0] & sets[1] and not sets[0] & sets[2] and not sets[1] & sets[2]
