"""Places from two blocks, from the other side of one, over a gap: by hand, and against geometry of another kind."""

import re
from dataclasses import replace
from itertools import product

import pytest
from scenes import scene_of, words

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.corpora import SIMULATORS
from bap_v2_simulators.language.block_instructions import BlockInstruction
from bap_v2_simulators.language.last_row import OtherEnd, OtherSide, beside_the_last_row
from bap_v2_simulators.language.places import gap_away, steps_away
from bap_v2_simulators.language.references import LanguageError, ReferringExpression
from bap_v2_simulators.language.relative_places import BetweenTwo, FromTwo, SpacesAway, relative_place
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.simulation import plan_of, play, played_turns, streams
from bap_v2_simulators.view import Offset

RED, BLUE, GREEN = (ReferringExpression("unique", color) for color in (Color.RED, Color.BLUE, Color.GREEN))
TWO = {(0, 1, 0): Color.RED, (2, 1, 0): Color.BLUE}


def after(board, *built):
    """The scene after these cells were built last, in order."""
    scene = scene_of(board, last=Cell(*built[-1]))
    return replace(scene, last_count=len(built), last_cells=tuple(Cell(*cell) for cell in built))


# --- by hand


def test_between_two_blocks_is_the_cell_in_the_middle():
    assert FromTwo("between", RED, BLUE).denotes(scene_of(TWO), 1) == ((1, 1, 0),)
    both_red = scene_of({(0, 1, 0): Color.RED, (0, 3, 0): Color.RED})
    assert BetweenTwo(Color.RED).denotes(both_red, 1) == ((0, 2, 0),)
    text = FromTwo("between", RED, BLUE).phrase(words(), scene_of(TWO))
    assert "between" in text and "red" in text and "blue" in text


@pytest.mark.parametrize("blue", [(1, 1, 0), (3, 1, 0), (1, 2, 0), (2, 1, 1), (2, 1, 2), (1, 1, 1)])
def test_nothing_else_is_between_two_blocks(blue):
    scene = scene_of({(0, 1, 0): Color.RED, blue: Color.BLUE})
    with pytest.raises(LanguageError):
        FromTwo("between", RED, BLUE).denotes(scene, 1)


def test_three_blocks_of_a_color_have_no_between():
    with pytest.raises(LanguageError):
        BetweenTwo(Color.RED).denotes(scene_of(dict.fromkeys([(0, 1, 0), (2, 1, 0), (5, 1, 0)], Color.RED)), 1)


def test_the_corner_is_the_free_cell_of_a_square_of_four():
    square = {(0, 1, 0): Color.RED, (1, 2, 0): Color.BLUE, (0, 2, 0): Color.GREEN}
    assert FromTwo("corner", RED, BLUE).denotes(scene_of(square), 1) == ((1, 1, 0),)
    with pytest.raises(LanguageError):  # two free cells
        FromTwo("corner", RED, BLUE).denotes(scene_of({**square, (0, 2, 0): Color.GREEN} | {(0, 2, 0): Color.RED}), 1)
    del square[0, 2, 0]
    with pytest.raises(LanguageError):
        FromTwo("corner", RED, BLUE).denotes(scene_of(square), 1)


def test_the_other_side_of_a_block_is_opposite_the_last_one():
    scene = after({(0, 1, 0): Color.RED, (1, 1, 0): Color.BLUE}, (1, 1, 0))
    assert OtherSide(RED).denotes(scene, 1) == ((-1, 1, 0),)
    assert OtherSide(None).denotes(scene, 2) == ((-1, 1, 0), (-2, 1, 0))


def test_the_other_side_of_a_row_is_that_of_the_block_from_which_it_goes_on():
    board = {(0, 1, 0): Color.RED, (0, 1, 1): Color.BLUE, (0, 1, 2): Color.BLUE}
    scene = after(board, (0, 1, 1), (0, 1, 2))
    assert OtherSide(None, same=True).denotes(scene, 2) == ((0, 1, -1), (0, 1, -2))
    with pytest.raises(LanguageError):  # the same is two blocks
        OtherSide(None, same=True).denotes(scene, 1)
    with pytest.raises(LanguageError):  # the row goes across the green block, not on from it
        OtherSide(GREEN).denotes(after({**board, (1, 1, 1): Color.GREEN}, (0, 1, 1), (0, 1, 2)), 1)


def test_a_block_that_touches_two_others_has_no_other_side_of_its_own():
    scene = after({(0, 1, 0): Color.RED, (1, 1, 0): Color.BLUE, (2, 1, 0): Color.GREEN}, (1, 1, 0))
    with pytest.raises(LanguageError):
        OtherSide(None).denotes(scene, 1)
    with pytest.raises(LanguageError):  # on top: over and under are no sides
        OtherSide(None).denotes(after({(0, 1, 0): Color.RED, (0, 2, 0): Color.BLUE}, (0, 2, 0)), 1)


def test_the_other_end_is_that_of_the_whole_row():
    board = dict.fromkeys([(-1, 1, 0), (0, 1, 0), (1, 1, 0), (2, 1, 0)], Color.RED)
    scene = after(board, (1, 1, 0), (2, 1, 0))
    assert OtherEnd().denotes(scene, 2) == ((-2, 1, 0), (-3, 1, 0))
    with pytest.raises(LanguageError):  # the last blocks are in the middle of it
        OtherEnd().denotes(after({**board, (3, 1, 0): Color.RED}, (1, 1, 0), (2, 1, 0)), 1)


def test_spaces_are_cells_and_a_gap_is_empty_ones():
    # The Builder looks along +z: left is +x.
    scene = scene_of({(0, 1, 0): Color.RED})
    assert SpacesAway(RED, Offset(2, 0, 0), gap=False).denotes(scene, 1) == ((2, 1, 0),)
    assert SpacesAway(RED, Offset(2, 0, 0), gap=True).denotes(scene, 1) == ((2, 1, 0),)
    filled = scene_of({(0, 1, 0): Color.RED, (1, 1, 0): Color.BLUE})
    with pytest.raises(LanguageError):
        SpacesAway(RED, Offset(2, 0, 0), gap=True).denotes(filled, 1)


@pytest.mark.parametrize(("n", "count"), [(2, "an?|one|1"), (3, "two|2"), (4, "three|3")])
def test_a_gap_has_one_cell_less_than_the_offset(n, count):
    scene = scene_of({(0, 1, 0): Color.RED})
    place = SpacesAway(RED, Offset(-n, 0, 0), gap=True)
    spoken = {gap_away(words(seed), Offset(-n, 0, 0), "it") for seed in range(60)}
    spoken |= {place.skipping(words(seed), scene, "put", "a blue one") for seed in range(60)}
    assert len(spoken) > 10
    for text in spoken:
        assert re.search(rf"\b({count})\b (?:empty |blank )?spaces?\b|gap of ({count})\b", text), text
        assert "to the right of" in text
    plain = {steps_away(words(seed), Offset(-n, 0, 0), "it", gap=True) for seed in range(200)}
    assert any("between" in text or "gap" in text for text in plain)
    assert not any("gap" in steps_away(words(seed), Offset(-n, 0, 0), "it") for seed in range(200))


def test_perpendicular_and_parallel_are_said_of_rows_that_lie_so():
    row = ((0, 1, 0), (1, 1, 0), (2, 1, 0))
    scene = replace(after(dict.fromkeys(row, Color.RED), *row), built=(tuple(Cell(*cell) for cell in row),))
    later = replace(scene, built=(*scene.built, (Cell(2, 1, 1),)))

    def spoken(scene, *cells):
        cells = [Cell(*cell) for cell in cells]
        return {beside_the_last_row(words(seed), scene, cells) for seed in range(150)} - {""}

    across = spoken(scene, (2, 1, 1), (2, 1, 2))
    assert across == {" perpendicular to the row you just built", " perpendicular to the last row"}
    assert spoken(later, (2, 1, 2), (2, 1, 3)) == {" perpendicular to the last row"}
    assert spoken(later, (1, 1, 1), (0, 1, 1)) == {" parallel to the last row"}
    assert {text.split()[0] for text in spoken(scene, (2, 2, 0), (1, 2, 0))} == {"parallel"}
    assert not spoken(scene, (3, 1, 0), (4, 1, 0))  # on in its line
    assert not spoken(scene, (2, 2, 0), (2, 3, 0)) and not spoken(scene, (3, 1, 1), (4, 1, 2))  # no level rows


def test_the_same_on_the_other_side_says_no_number_and_no_color():
    board = {(0, 1, 0): Color.RED, (0, 1, 1): Color.BLUE, (0, 1, 2): Color.BLUE}
    scene = after(board, (0, 1, 1), (0, 1, 2))
    same = OtherSide(None, same=True)
    instruction = BlockInstruction(False, Color.BLUE, 2, Offset(0, 0, -1), RED, False, None, same)
    assert {action.cell for action in instruction.denotes(scene)} == {(0, 1, -1), (0, 1, -2)}
    for seed in range(30):
        text = " ".join(line for _, _, line in instruction.dialogue(words(seed), scene)).lower()
        assert ("same" in text or "repeat" in text) and "other side" in text.replace("opposite", "other")
        assert "blue" not in text and "two" not in text


# --- in games


def test_places_are_found_that_denote_the_cells():
    """Around a board of two blocks: whatever is proposed denotes the cell, and each kind is proposed somewhere."""
    kinds = set()
    for blue, x, y, z in product([(2, 1, 0), (1, 2, 0)], range(-4, 5), range(1, 4), range(-1, 2)):
        board = {(0, 1, 0): Color.RED, blue: Color.BLUE, (1, 1, 1): Color.RED} | (
            {(1, 1, 0): Color.GREEN} if blue == (1, 2, 0) else {}
        )
        cell = Cell(x, y, z)
        if cell in board:
            continue
        scene = replace(after(board, blue), pose=Pose(0.5, 3.0, -8.0, 0.0, 20.0))
        for seed in range(6):
            place = relative_place((cell,), Color.GREEN, scene, words(seed))
            if place is not None:
                kinds.add(place.kind)
                assert place.denotes(scene, 1) == (cell,)
    assert kinds == {"between", "corner", "spaces"}


@pytest.mark.parametrize("name", ["dr", "dsb"])
def test_every_kind_of_place_occurs_in_games_and_most_are_plain(name):
    plans = [
        step.metadata["plan"]
        for index in range(150)
        for step in play(SIMULATORS[name](), "train", index).events
        if getattr(step, "metadata", None)
    ]
    kinds = {plan["place"] for plan in plans}
    assert kinds >= {"beside", None, "between", "corner", "other side", "spaces"}
    assert ("other end" in kinds) == (name == "dsb")
    assert 0.02 < sum(plan["place"] not in ("beside", None) for plan in plans) / len(plans) < 0.15


@pytest.mark.parametrize("name", ["dr", "dsb"])
def test_no_turn_says_a_line_twice(name):
    for index in range(100):
        simulator = SIMULATORS[name]()
        _, poses, language = streams(simulator, "train", 5, index)
        for turn in played_turns(simulator, plan_of(simulator, "train", index, 5), poses, language):
            lines = [line.text.lower() for line in turn.dialogue if line.speaker == "Architect"]
            assert len(set(lines)) == len(lines), lines
