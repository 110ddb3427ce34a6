"""The optimal alignment, against the definition: every one of the 1,764 candidates."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import structures, transforms_within

from bap_v2_metric.alignment import Transform, align, largest_overlap
from bap_v2_metric.blocks import Block, Cell, Color, Structure


def candidates(moving: Structure):
    """Every allowed transform, in the order in which ties are broken, with the moved structure."""
    allowed = []
    for turns in range(4):
        for dx in range(-10, 11):
            for dz in range(-10, 11):
                transform = Transform(turns, dx, dz)
                moved = [Block(color, transform(cell)) for color, cell in moving]
                if all(block.cell.in_region for block in moved):
                    allowed.append((turns, abs(dx) + abs(dz), dx, dz, transform, moved))
    return [(transform, moved) for *_, transform, moved in sorted(allowed, key=lambda entry: entry[:4])]


def enumerated(moving: Structure, fixed: Structure) -> tuple[Transform, int]:
    """The transform that the definition asks for, and the number of blocks that it matches."""
    blocks, cells = set(fixed), set(fixed.colors())
    score, transform = max(
        (
            ((len(blocks.intersection(moved)), len(cells.intersection(b.cell for b in moved))), transform)
            for transform, moved in candidates(moving)
        ),
        key=lambda entry: entry[0],  # max keeps the first of equals
    )
    return transform, score[0]


@settings(max_examples=40, deadline=None)
@given(structures(max_size=7).filter(len), structures(max_size=7))
def test_the_alignment_is_the_one_that_enumeration_finds(moving, fixed):
    transform, matched = enumerated(moving, fixed)
    assert align(moving, fixed) == transform
    assert largest_overlap(((b.color, b.cell) for b in moving), ((b.color, b.cell) for b in fixed)) == matched


def random_structure(rng, size, colors, reach, height):
    blocks = {}
    while len(blocks) < size:
        cell = Cell(rng.randint(-reach, reach), rng.randint(1, height), rng.randint(-reach, reach))
        blocks[cell] = rng.choice(list(Color)[:colors])
    return Structure.from_colors(blocks)


@pytest.mark.parametrize(("colors", "reach", "height"), [(1, 2, 1), (2, 2, 3), (6, 3, 3), (6, 5, 9), (1, 1, 9)])
def test_larger_structures_too(colors, reach, height):
    rng = random.Random(f"{colors} {reach} {height}")
    for _ in range(8):
        size = rng.randint(5, min(25, (2 * reach + 1) ** 2 * height))
        moving = random_structure(rng, size, colors, reach, height)
        fixed = random_structure(rng, size, colors, reach, height)
        assert align(moving, fixed) == enumerated(moving, fixed)[0]


@settings(max_examples=10, deadline=None)
@given(structures(max_size=7).filter(len), structures(max_size=7))
def test_where_no_color_matches_the_alignment_is_that_of_the_cells(moving, fixed):
    purple = Structure(Block(Color.PURPLE, cell) for _, cell in fixed)
    assert align(moving, purple) == enumerated(moving, purple)[0]
    same_color = Structure(Block(Color.PURPLE, cell) for _, cell in moving)
    assert align(moving, purple) == align(same_color, purple)


def test_structures_of_hundreds_of_blocks_are_counted_exactly():
    full = [Cell(x, y, z) for x in range(-5, 6) for z in range(-5, 6) for y in (1, 2, 3)]
    fixed = Structure(Block(Color.RED, cell) for cell in full)
    moving = Structure(Block(Color.RED if index else Color.BLUE, cell) for index, cell in enumerate(full))
    assert align(moving, fixed) == Transform(0, 0, 0)
    pairs = [(color, cell) for color, cell in moving]
    assert largest_overlap(pairs, [(color, cell) for color, cell in fixed]) == len(full) - 1 == 362
    plate = Structure(Block(Color.RED, Cell(x, y, z)) for x in range(-5, 3) for z in range(-5, 3) for y in range(1, 6))
    shifted = Structure(Block(color, Cell(cell.x + 3, cell.y, cell.z + 2)) for color, cell in plate)
    assert align(plate, shifted) == Transform(0, 3, 2)
    assert largest_overlap(list(plate), list(shifted)) == 320


@given(structures(), st.data())
def test_a_moved_structure_is_aligned_with_itself(structure, data):
    moved = Structure(Block(c, t(cell)) for t in [data.draw(transforms_within(structure))] for c, cell in structure)
    transform = align(structure, moved)
    assert Structure(Block(color, transform(cell)) for color, cell in structure) == moved


def test_without_any_common_cell_the_structure_is_left_in_place():
    low, high = Structure([Block(Color.RED, Cell(2, 1, 3))]), Structure([Block(Color.RED, Cell(0, 9, 0))])
    assert align(low, high) == align(low, Structure()) == align(Structure(), low) == Transform(0, 0, 0)
