"""Structures of boxes: what they are made of and where they stand. One reading of each: the tests of the reader."""

from functools import cache
from itertools import product

import pytest

from bap_v2_simulators.gsu import structure as structure_module
from bap_v2_simulators.gsu.boxes import kind_of
from bap_v2_simulators.gsu.structure import CLASSES, Composition, Structures

N = 150


@cache
def structures(split: str = "test", seed: int = 0) -> tuple[Composition, ...]:
    return tuple(Structures().item(split, seed, index) for index in range(N))


def of_class(name: str) -> list[Composition]:
    return [structure for structure in structures() if structure.structure_class == name]


def bounds(cells) -> tuple[tuple[int, int], ...]:
    return tuple((min(values), max(values)) for values in zip(*cells))


def is_box(cells) -> bool:
    volume = 1
    for low, high in bounds(cells):
        volume *= high - low + 1
    return volume == len(cells)


def test_a_third_of_the_structures_is_of_each_class():
    assert [structure.structure_class for structure in structures()] == [CLASSES[i % 3] for i in range(N)]


def test_blocks_are_few_distinct_and_stand_on_the_ground():
    for structure in structures():
        places = [place for _, place in structure.blocks]
        assert len(set(places)) == len(places) and 2 <= len(places) <= 199
        (low_x, _), (low_y, _), (low_z, _) = bounds(places)
        assert low_z == 0 and -10 <= low_x <= 10 and -10 <= low_y <= 10


def test_three_boxes_never_fill_one_together(monkeypatch):
    monkeypatch.setattr(structure_module, "sample_extents", lambda rng: (2, 1, 1))  # else seldom: 1 in 3,000
    for index in range(2, 600, 3):
        structure = Structures().item("train", 0, index)
        assert not is_box([place for _, place in structure.blocks])


def test_the_colors_of_a_composite_structure_differ_from_the_hub():
    shared = 0
    for structure in of_class("composite"):
        hub, first, second = (shape.colors for shape in structure.shapes)
        assert hub not in (first, second)
        shared += first == second
    assert 0 < shared < len(of_class("composite")) / 2  # one in five


def test_every_box_has_one_kind():
    for extents in product(range(1, 6), repeat=3):
        if extents != (1, 1, 1):
            x, y, z = extents
            fitting = [
                name
                for name, fits in {
                    "row": z == 1 and (x == 1) != (y == 1),
                    "column": x == y == 1,
                    "plane": sorted(extents)[0] == 1 and sorted(extents)[1] > 1,
                    "cube": x == y == z,
                    "tower": min(extents) > 1 and not x == y == z,
                }.items()
                if fits
            ]
            assert fitting == [kind_of(extents)]
    with pytest.raises(ValueError, match="no name"):
        kind_of((1, 1, 1))


def test_the_front_of_a_structure_is_far_or_near():
    near = Structures(front="near")
    exchanged = {"front": "behind", "behind": "front"}
    for index, structure in enumerate(structures()):
        other = near.item("test", 0, index)
        assert other._replace(relations=()) == structure._replace(relations=())
        assert other.relations == tuple(exchanged.get(word, word) for word in structure.relations)


def test_scrambling_changes_only_the_order_of_the_blocks():
    scrambled = Structures(scrambled=True)
    for index, structure in enumerate(structures()[:30]):
        other = scrambled.item("test", 0, index)
        assert other._replace(blocks=()) == structure._replace(blocks=())
        assert sorted(other.blocks) == sorted(structure.blocks)
    assert scrambled.item("test", 0, 3).blocks != structures()[3].blocks


def test_blocks_are_named_shape_by_shape_in_the_order_of_the_answer():
    for structure in structures():
        left = list(structure.blocks)
        for box, colors in structure.shapes:
            own, left = left[: box.size], left[box.size :]
            assert [place for _, place in own] == sorted(box.cells()) and {color for color, _ in own} == set(colors)
        assert not left
