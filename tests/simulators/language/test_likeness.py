"""What a shape has in common with the one before it."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenes import scene_of

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.language.likeness import UNLIKE, LastShape, Likeness, last_shape, like_the_last, likenesses
from bap_v2_simulators.language.references import LanguageError
from bap_v2_simulators.language.shape_phrases import ShapeForm
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.shapes import ShapeKind, sample_shape
from bap_v2_simulators.view import Offset
from bap_v2_simulators.whole_shapes import WHOLE_KINDS

LEFT, UP, AWAY = Offset(1, 0, 0), Offset(0, 1, 0), Offset(0, 0, 1)
RIGHT, TOWARDS = Offset(-1, 0, 0), Offset(0, 0, -1)
ROW, DIAGONAL, PLANE = ShapeKind.ROW, ShapeKind.DIAGONAL, ShapeKind.PLANE


def after(cells, yaw=0.0):
    """The scene once these cells were built, in this order. At yaw 0 left is +x and away is +z."""
    cells = tuple(Cell(*cell) for cell in cells)
    scene = scene_of(dict.fromkeys(cells, Color.RED), Pose(0.5, 1.0, 0.5, yaw, 0.0), last=cells[-1])
    return replace(scene, last_cells=cells, last_count=len(cells))


ROW_TO_THE_LEFT = after([(0, 1, 0), (1, 1, 0), (2, 1, 0)])


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ([(0, 1, 0), (1, 1, 0), (2, 1, 0)], LastShape(ROW, (3, 1, 1), (1, 0, 0))),
        ([(0, 1, 0), (0, 2, 0), (0, 3, 0)], LastShape(ROW, (1, 3, 1), (0, 1, 0))),
        ([(0, 1, 2), (0, 2, 1), (0, 3, 0)], LastShape(DIAGONAL, (1, 3, 3), (0, 1, -1))),
        ([(0, 1, 0), (1, 1, 0), (1, 1, 1), (0, 1, 1)], LastShape(PLANE, (2, 1, 2), None)),
        ([(0, 1, 0), (1, 1, 0)], None),
        ([(0, 1, 0), (2, 1, 0), (4, 1, 0)], None),
        ([(0, 1, 0), (1, 1, 0), (1, 1, 1)], None),
    ],
)
def test_what_was_built_last(cells, expected):
    assert last_shape(after(cells)) == expected


@pytest.mark.parametrize(
    ("form", "scene", "expected"),
    [
        (ShapeForm(ROW, (3,), (LEFT,)), ROW_TO_THE_LEFT,
         {Likeness(again=True), Likeness(direction="same"), Likeness(course="parallel"), Likeness(size=True)}),
        (ShapeForm(ROW, (4,), (RIGHT,)), ROW_TO_THE_LEFT,
         {Likeness(direction="opposite"), Likeness(course="parallel")}),
        (ShapeForm(ROW, (3,), (AWAY,)), ROW_TO_THE_LEFT, {Likeness(course="perpendicular"), Likeness(size=True)}),
        (ShapeForm(ROW, (3,), (UP,)), ROW_TO_THE_LEFT, set()),
        (ShapeForm(DIAGONAL, (3,), (Offset(1, 0, 1),)), ROW_TO_THE_LEFT, set()),
        # Once the Builder looks along -x, what went to its left goes away from it.
        (ShapeForm(ROW, (4,), (TOWARDS,)), after([(0, 1, 0), (1, 1, 0), (2, 1, 0)], yaw=90.0),
         {Likeness(direction="same"), Likeness(course="parallel")}),
        (ShapeForm(PLANE, (2, 3), (AWAY, UP)), after([(x, y, 0) for x in (0, 1) for y in (1, 2, 3)]),
         {Likeness(size=True)}),
        (ShapeForm(PLANE, (3, 2), (AWAY, UP)), after([(x, y, 0) for x in (0, 1) for y in (1, 2, 3)]), set()),
        (ShapeForm(PLANE, (2, 3), (AWAY, LEFT)), after([(x, y, 0) for x in (0, 1) for y in (1, 2, 3)]), set()),
    ],
)  # fmt: skip
def test_likenesses_by_hand(form, scene, expected):
    assert set(likenesses(form, scene)) == expected


@given(st.integers(0, 10**6), st.sampled_from([0.0, 90.0, -180.0, -90.0]))
def test_every_likeness_says_the_size_and_the_direction_that_are_meant(seed, yaw):
    rng = Random(seed)
    first, second = (sample_shape(rng, rng.choice(WHOLE_KINDS), Color.RED, 4) for _ in range(2))
    scene = after(first.cells, yaw)
    steps = tuple(scene.view.offset(Cell(0, 0, 0), Cell(*step)) for step in second.steps)
    form = ShapeForm(second.kind, second.size, steps)
    for likeness in (UNLIKE, *likenesses(form, scene)):
        blank = form
        if likeness.size or likeness.again:  # what is left unsaid is not read off the plan
            blank = replace(blank, size=tuple(9 for _ in form.size))
        if likeness.direction or likeness.again:
            blank = replace(blank, steps=(Offset(0, 1, 0),))
        assert like_the_last(blank, likeness, scene) == (second.size, second.steps), likeness


@pytest.mark.parametrize(
    ("likeness", "scene"),
    [
        (Likeness(again=True), after([(0, 1, 0), (1, 1, 0)])),
        (Likeness(direction="same"), after([(x, 1, z) for x in (0, 1) for z in (0, 1)])),
        (Likeness(course="parallel"), after([(0, 1, 0), (0, 1, 1), (0, 1, 2)])),
        (Likeness(course="perpendicular"), ROW_TO_THE_LEFT),
    ],
)
def test_a_likeness_to_what_is_not_there_is_an_error(likeness, scene):
    with pytest.raises(LanguageError):
        like_the_last(ShapeForm(ROW, (3,), (LEFT,)), likeness, scene)
