"""Walk and look: four boxes around the end of a walk. That the answer follows: the tests of the reader."""

from functools import cache

from bap_v2_simulators.gsu.combined import Combined, Outlook

N = 120
# Of each heading the ways to the right and ahead, written out.
SIDES = {"+y": ((1, 0), (0, 1)), "+x": ((0, -1), (1, 0)), "-y": ((-1, 0), (0, -1)), "-x": ((0, 1), (-1, 0))}


@cache
def outlooks() -> tuple[Outlook, ...]:
    return tuple(Combined().item("test", 0, index) for index in range(N))


def test_every_heading_and_direction_occurs():
    assert {outlook.heading for outlook in outlooks()} == set(SIDES)
    assert {word for outlook in outlooks() for word in outlook.answer} == {
        "left", "right", "front", "behind", "above", "below",
    }  # fmt: skip


def test_the_blocks_of_a_box_are_named_together_and_the_order_of_the_boxes_tells_nothing():
    first = set()
    for outlook in outlooks():
        expected = [(color, cell) for color, box in outlook.boxes for cell in sorted(box.cells())]
        assert list(outlook.blocks) == expected
        first.add((outlook.boxes.index(outlook.target), outlook.boxes.index(outlook.reference)))
    assert len(first) == 12  # all places that two of four boxes can have


def test_there_are_four_boxes_of_other_names():
    for outlook in outlooks():
        assert len({box.name for box in outlook.boxes}) == 4
        assert {outlook.target, outlook.reference} < set(outlook.boxes)
        assert all(box.size <= 27 for _, box in outlook.boxes)


def test_between_any_two_boxes_is_an_empty_layer_also_diagonally():
    for outlook in outlooks():
        cells = {box: set(box.box.cells()) for box in outlook.boxes}
        for box, own in cells.items():
            around = {
                (x + a, y + b, z + c) for x, y, z in own for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1)
            }
            assert all(not around & other for name, other in cells.items() if name != box)
            if box not in (outlook.target, outlook.reference):
                assert outlook.position not in around


def test_boxes_are_within_reach_and_not_below_the_ground():
    for outlook in outlooks():
        for _, box in outlook.boxes:
            for x, y, z in box.cells():
                assert abs(x - outlook.position[0]) <= 10 and abs(y - outlook.position[1]) <= 10 and 0 <= z <= 10
