"""The simulator `dh`: people change, repeat, mirror and extend what is there, and every word of it has one meaning."""

import re
from collections import Counter
from itertools import chain, pairwise
from random import Random

import pytest

from bap_v2_dataset.items.item import items
from bap_v2_metric.actions import ActionType, net_actions
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.corpus_table import PUBLISHED
from bap_v2_simulators.full_games.build_game import BuildGame
from bap_v2_simulators.human_turns.changes import LastRemoved, Recolored, Removed, Shifted, TooMany
from bap_v2_simulators.human_turns.continuations import Continued
from bap_v2_simulators.human_turns.drawings import DRAWINGS
from bap_v2_simulators.human_turns.instruction import HumanInstruction
from bap_v2_simulators.human_turns.objects import part_cells
from bap_v2_simulators.human_turns.parts import Parts
from bap_v2_simulators.human_turns.references import ThingReference, references_to
from bap_v2_simulators.human_turns.repetitions import Copied, Lengthened, Mirrored
from bap_v2_simulators.human_turns.requests import DialogueContext
from bap_v2_simulators.human_turns.simulator import HumanTurns
from bap_v2_simulators.human_turns.things import Thing, kind_of, things_on, touching
from bap_v2_simulators.human_turns.typing import as_typed, slips_of
from bap_v2_simulators.language.references import LanguageError, Scene
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.number_words import NUMBER_WORDS
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.settings import SettingsError
from bap_v2_simulators.simulation import plan_of, play, played_turns
from bap_v2_simulators.view import View
from bap_v2_simulators.wording.phrases import tables

KINDS = {
    "removal", "more", "too many", "recolor", "move", "longer", "several places", "removal from within", "completion",
    "other frame", "again", "mirror", "blocks", "shape", "named shape", "part", "repair", "rest",
}  # fmt: skip
ROW = (Cell(0, 1, 0), Cell(1, 1, 0), Cell(2, 1, 0))
LEFT = (1, 0, 0)


@pytest.fixture(scope="module")
def rows():
    """The items of some games."""
    return [item for index in range(90) for item in items(play(HumanTurns(), "validation", index, 3))]


@pytest.fixture(scope="module")
def played():
    """The turns of some games, as they were played, game by game; nothing is mistyped or built wrongly."""
    simulator = HumanTurns(slips=0.0, more=0.1, errors=0.0, unfinished=0.0)
    plans = (plan_of(simulator, "train", index, 5) for index in range(120))
    return [list(played_turns(simulator, plan, Random(0), Random(number))) for number, plan in enumerate(plans)]


def requests_of(played):
    """Yield each turn that is a request about things: the turn before it, itself and what the Architect says."""
    for turns in played:
        for before, after in pairwise(turns):
            if isinstance(after.instruction, HumanInstruction):
                said = " / ".join(line.text.lower() for line in after.dialogue if line.speaker == "Architect")
                yield before, after, said


def test_the_red_one_is_the_only_red_thing(played):
    """ "One" is a block, and it is anything: it is said where there is but one thing of the color."""
    said = [
        (text, len([thing for thing in things_on(after.scene.board) if thing.color.value == color]))
        for _, after, text in requests_of(played)
        for color in re.findall(r"\b(?:the|that) (?:(?:whole|entire) )?(\w+) one\b(?! (?:block|brick))", text)
        if after.turn.then is None and color in {one.value for one in Color}
    ]
    assert len(said) > 20
    assert [text for text, things in said if things != 1] == []


def test_it_is_what_the_last_turn_placed_and_no_older_block(played):
    said = [
        (before, after)
        for before, after, _ in requests_of(played)
        if after.instruction.thing is not None and after.instruction.thing.rule == "it"
    ]
    assert len(said) > 50
    for before, after in said:
        (*_, step) = before.turn.steps
        assert set(after.instruction.thing.denotes(after.scene).cells) == set(step.cells) and before.turn.then is None
        assert step.kind in ("new", "again", "move", "recolor"), after.dialogue


def test_the_same_is_a_thing_that_was_built_as_a_whole(played):
    """ "Do the same" after a move would be to move it again."""
    again = re.compile(
        r"\b(?:do|now|then|ok|so|and|build|make) (?:the )?same\b(?! as)"
        r"|(?:repeat|copy|do) (?:that|this|it)\b(?! (?:blue|green|orange|purple|red|yellow)\b)|of those"
    )
    said = [
        (before, after)
        for before, after, text in requests_of(played)
        if after.instruction.request.kind in ("again", "mirror")
        and again.search(text)
        and after.instruction.thing.rule == "it"
    ]
    assert len(said) > 5
    assert {before.turn.kind for before, _ in said} <= {"new", "again"}


def test_a_part_of_an_object_is_named_where_it_is_built_and_not_twice_in_a_game(played):
    parts = [(after.turn, after.dialogue) for turns in played for after in turns if after.turn.object]
    assert len(parts) > 50
    for turn, dialogue in parts:
        said = " ".join(line.text.lower() for line in dialogue if line.speaker == "Architect")
        assert re.search(rf"\b{turn.part}\b", said)
        assert turn.request is None or re.search(rf"\b{turn.request.part.of}\b", said)
    for turns in played:
        named = [name for after in turns for name, cells in after.turn.named.items() if cells]
        assert len(named) == len(set(named))


def test_a_name_means_the_blocks_that_were_built_under_it_as_long_as_all_stand(played):
    named = [
        (turns, after)
        for turns in played
        for after in turns
        if isinstance(after.instruction, HumanInstruction)
        and after.instruction.thing
        and after.instruction.thing.rule == "part"
    ]
    assert len(named) > 20
    for turns, after in named:
        built = {name: cells for turn in turns for name, cells in turn.turn.named.items()}
        thing, board = after.instruction.thing.denotes(after.scene), after.scene.board
        assert set(thing.cells) == set(built[after.instruction.thing.kind])
        # What else of its color touches it is another part, with a name of its own.
        more = {cell for own in thing.cells for cell in touching(own) if board.get(cell) is thing.color}
        assert more <= {cell for cells in built.values() for cell in cells}


@pytest.mark.parametrize(
    ("place", "way", "count", "cells"),
    [
        ("ends-up", LEFT, 1, {(0, 2, 0), (2, 2, 0)}),
        ("ends-out", LEFT, 1, {(-1, 1, 0), (3, 1, 0)}),
        ("middle-down", LEFT, 2, {(1, 0, 0), (1, -1, 0)}),
        ("end-up", LEFT, 2, {(2, 2, 0), (2, 3, 0)}),
        ("end-out", (-1, 0, 0), 1, {(-1, 1, 0)}),
        ("middle-both", (0, 0, 1), 1, {(1, 1, 1), (1, 1, -1)}),
        ("all-up", LEFT, 1, {(0, 2, 0), (1, 2, 0), (2, 2, 0)}),
        ("twin", (0, 0, 1), 2, {(0, 1, 3), (1, 1, 3), (2, 1, 3)}),
    ],
)  # fmt: skip
def test_where_a_part_of_a_row_goes(place, way, count, cells):
    assert set(part_cells(place, ROW, way, count)) == cells


def test_a_place_that_a_part_does_not_have_is_not_asked_for():
    tower, square = tuple(Cell(0, y, 0) for y in (1, 2)), tuple(Cell(x, 1, z) for x in (0, 1) for z in (0, 1))
    assert part_cells("corners-up", ROW, LEFT, 1) is part_cells("ends-up", tower, LEFT, 1) is None
    assert part_cells("middle-up", square, LEFT, 1) is part_cells("tip-up", square, LEFT, 1) is None
    assert part_cells("end-up", ROW, (0, 0, 1), 1) is part_cells("span", ROW, LEFT, 1) is None
    assert set(part_cells("square", tower, LEFT, 1)) == {(x, 3, z) for x in (-1, 0, 1) for z in (-1, 0, 1)}


def test_every_kind_of_turn_occurs(rows):
    plans = [item.metadata["plan"] for item in rows]
    assert {plan["kind"] for plan in plans} | {"too many"} == KINDS  # which is seldom said
    assert {plan.get("remark") for plan in plans} == {None, "announcement", "comparison", "part"}
    assert {plan.get("thing") for plan in plans} - {"first", "second"} == {None, "it", "kind", "color", "part"}
    assert {plan.get("error") for plan in plans} > {None, "side", "top", "off", "color", "few", "many", "rest"}
    drawn = {plan["shape"] for plan in plans if plan["kind"] == "named shape"}
    assert drawn <= set(DRAWINGS) and len(drawn) > 7  # people hardly ever build an h
    assert Counter("then" in plan for plan in plans)[True] > 0.05 * len(plans)
    assert {plan["omitted"] for plan in plans} == {None, "color", "size", "location"}


def test_games_are_built_where_people_build():
    """As often in the middle, as far out and as much in a turn, within a third of people's shares."""
    games = [list(items(play(HumanTurns(), "train", index, 2))) for index in range(120)]
    nets = [net_actions(item.before, item.after) for game in games for item in game]
    cells = [net.cell for net in chain(*nets) if net.type is ActionType.PLACE]
    rings = [sum(max(abs(cell.x), abs(cell.z)) // 2 == ring for cell in cells) / len(cells) for ring in range(3)]
    assert rings == pytest.approx([0.32, 0.50, 0.18], abs=0.07)
    first = [game[0].actions[0].cell for game in games]
    assert sum(max(abs(cell.x), abs(cell.z)) < 2 for cell in first) / len(games) == pytest.approx(0.39, abs=0.13)
    assert len(list(chain(*nets))) / len(nets) == pytest.approx(3.05, rel=0.2)


def test_the_plan_says_how_many_blocks_change(rows):
    for item in rows:
        plan, net = item.metadata["plan"], net_actions(item.before, item.after)
        assert item.metadata["difficulty"]["net_actions"] == len(net)
        removed = {action.type.value for action in net}
        assert plan["action"] in ("place", "remove", "change")
        if "then" not in plan:
            assert (plan["action"] == "change") == (len(removed) == 2)


def test_what_is_left_out_is_asked_for_and_nothing_else(rows):
    for item in rows:
        plan, acts = item.metadata["plan"], item.metadata["dialogue_acts"]
        left_out = (plan["omitted"] is not None) + (plan.get("repair") == "two readings")
        assert acts.count("clarification question") == acts.count("answer") == left_out, item.dialogue
        assert "then" not in plan or plan["then"]["omitted"] is None


def test_no_two_things_of_a_color_touch(rows):
    """What people would take for one thing is one: nobody has to remember who built what."""
    for item in rows:
        board = item.after.colors()
        things = things_on(board)
        assert sum(len(thing.cells) for thing in things) == len(board)
        for thing in things:
            beside = {other for cell in thing.cells for other in touching(cell)} - set(thing.cells)
            assert all(board.get(other) is not thing.color for other in beside)


def test_a_letter_is_read_from_where_the_builder_stands(rows):
    """Upright letters go up, flat ones away from the Builder, and both from the left to the right."""
    for item in rows:
        plan = item.metadata["plan"]
        if plan["kind"] != "named shape" or "then" in plan:
            continue
        placed = [action.cell for action in net_actions(item.before, item.after)]
        offsets = [View.of(item.pose.yaw).offset(placed[0], cell) for cell in placed]
        upright = len({offset.up for offset in offsets}) > 1
        drawn = {(-offset.left, offset.up if upright else offset.away) for offset in offsets}
        low = [min(along) for along in zip(*drawn, strict=True)]
        assert {(u - low[0], v - low[1]) for u, v in drawn} == set(DRAWINGS[plan["shape"]].draw(*plan["shape_size"]))


@pytest.mark.parametrize(
    ("request_", "thing", "removed", "placed"),
    [
        (Removed(), ROW, ROW, ()),
        (LastRemoved(None), None, ROW, ()),
        (LastRemoved(2), None, ROW[1:], ()),
        (Parts("end", "remove", LEFT, 1), ROW, ROW[2:], ()),
        (Parts("end", "remove", (-1, 0, 0), 2), ROW, ROW[:2], ()),
        (Parts("middle", "remove"), ROW, ROW[1:2], ()),
        (Parts("ends", "remove"), ROW, (ROW[0], ROW[2]), ()),
        (Parts("but the ends", "remove"), ROW, ROW[1:2], ()),
        (Parts("every other", "remove", LEFT), ROW, (ROW[0], ROW[2]), ()),
        (TooMany(1), None, ROW[2:], ()),
        (Recolored(Color.BLUE), ROW, ROW, [(cell, Color.BLUE) for cell in ROW]),
        (Shifted((0, 0, 1), 2), ROW, ROW, [(Cell(x, 1, 2), Color.RED) for x in range(3)]),
        (Lengthened(LEFT, 2, on=True), ROW, (), [(Cell(3, 1, 0), Color.RED), (Cell(4, 1, 0), Color.RED)]),
        (Parts("ends", "outwards"), ROW, (), [(Cell(-1, 1, 0), Color.RED), (Cell(3, 1, 0), Color.RED)]),
        (
            Parts("middle of a row", "both sides", (0, 0, 1), 1, Color.BLUE), ROW, (),
            [(Cell(1, 1, 1), Color.BLUE), (Cell(1, 1, -1), Color.BLUE)],
        ),
        (Parts("taller", "fill", (0, 1, 0), 2), ROW, (), [(Cell(x, 2, 0), Color.RED) for x in range(3)]),
        (Parts("longer", "fill", LEFT, 5), ROW, (), [(Cell(3, 1, 0), Color.RED), (Cell(4, 1, 0), Color.RED)]),
        (
            Parts("squared", "fill", (0, 0, -1), 3), ROW, (),
            [(Cell(x, 1, z), Color.RED) for z in (-1, -2) for x in range(3)],
        ),
        (Parts("away", "out"), ROW, (), [(Cell(3, 1, 0), Color.RED)]),
        (Parts("grid corner", "at", (1, 0, -1), 1, Color.BLUE), None, (), [(Cell(5, 1, -5), Color.BLUE)]),
        (Parts("last", "on top", None, 1, Color.BLUE), None, (), [(Cell(x, 2, 0), Color.BLUE) for x in range(3)]),
        (Parts("each", "on top", None, 1, Color.BLUE), ROW, (), [(Cell(x, 2, 0), Color.BLUE) for x in range(3)]),
        (Copied(LEFT, 1, None), ROW, (), [(Cell(x, 1, 0), Color.RED) for x in (4, 5, 6)]),
        (Copied((0, 1, 0), 0, Color.BLUE), ROW, (), [(Cell(x, 2, 0), Color.BLUE) for x in range(3)]),
        (Continued(LEFT, 1, single=False, on=True), None, (), [(Cell(3, 1, 0), Color.RED)]),
        (Continued((0, 1, 0), 2, single=False), None, (), [(Cell(2, y, 0), Color.RED) for y in (2, 3)]),
        (Mirrored(True), ROW, (), [(Cell(x, 1, 0), Color.RED) for x in (-2, -3, -4)]),
    ],
)  # fmt: skip
def test_what_a_request_does_to_a_red_row(request_, thing, removed, placed):
    board = {Cell(-1, 1, 1): Color.GREEN, **dict.fromkeys(ROW, Color.RED)}
    change = request_.change(
        thing and Thing(Color.RED, thing), Thing(Color.GREEN, (Cell(-1, 1, 0),)), DialogueContext(board, ROW)
    )
    assert set(change.removed) == set(removed) and list(change.placed) == list(placed)


def test_gaps_and_holes_are_filled():
    def cells(request_, thing, pivot=None):
        board = dict.fromkeys(thing + (pivot or ()), Color.RED)
        pivot = pivot and Thing(Color.RED, pivot)
        change = request_.change(Thing(Color.RED, thing), pivot, DialogueContext(board, thing))
        return change and [cell for cell, _ in change.placed]

    ring = tuple(Cell(x, 1, z) for x in range(3) for z in range(3) if (x, z) != (1, 1))
    blue = {"color": Color.BLUE, "count": 0}  # as many as it takes
    assert cells(Parts("hollow", "fill", **blue), ring) == [Cell(1, 1, 1)]
    assert cells(Parts("open side", "fill"), tuple(cell for cell in ring if cell != (1, 1, 0))) == [Cell(1, 1, 0)]
    assert cells(Parts("corner of an l", "fill"), (Cell(0, 1, 0), Cell(0, 2, 0), Cell(1, 1, 0))) == [Cell(1, 2, 0)]
    assert cells(Parts("gap", "fill", **blue), ROW, (Cell(5, 1, 0),)) == [Cell(3, 1, 0), Cell(4, 1, 0)]
    assert cells(Parts("gap", "fill", **blue), ROW, (Cell(1, 1, 3), Cell(2, 1, 3))) is None  # two gaps
    towers = [tuple(Cell(x, y, 0) for y in (1, 2)) for x in (0, 2)]
    assert cells(Parts("gap", "fill", **blue), *towers) == [Cell(1, 2, 0)]  # between their tops
    assert cells(Parts("gap", "fill", None, 2, Color.BLUE), *towers) is None


@pytest.mark.parametrize(
    ("request_", "cells"),
    [
        (TooMany(2), ROW),  # one block would be left: nobody says so
        (LastRemoved(3), ROW),  # that is all of it
        (Lengthened((0, 0, 1), 1, on=False), ROW),  # it does not go that way
        (Parts("ends", "outwards"), (Cell(0, 1, 0), Cell(0, 2, 0))),
        (Parts("each", "on top"), (Cell(0, 1, 0), Cell(0, 2, 0))),
        (Parts("middle", "remove"), (Cell(0, 1, 0), Cell(0, 2, 0))),  # there is none
        (Parts("level corners", "on top"), ROW),
        (Parts("ends", "remove"), ROW[:2]),  # that is all of it
        (Parts("taller", "fill", (0, 1, 0), 1), ROW),  # so tall it is
        (Parts("hollow", "fill"), ROW),
        (Parts("gap", "fill"), ROW),  # the other thing is not in line with it
        (Parts("inward", "out"), (Cell(3, 1, 4),)),  # the middle is neither here nor there
        (Recolored(Color.RED), ROW),
        (Continued((0, 0, 1), 1, single=False, on=True), ROW),  # it went another way
        (Continued(LEFT, 1, single=True), ROW),
        (Mirrored(False), (Cell(4, 1, 4),)),  # beside the other thing in two directions
    ],
)
def test_what_makes_no_sense_is_not_asked_for(request_, cells):
    thing, pivot = Thing(Color.RED, cells), Thing(Color.GREEN, (Cell(1, 1, 1),))
    assert request_.change(thing, pivot, DialogueContext(dict.fromkeys(cells, Color.RED), cells)) is None


def test_a_thing_is_known_by_its_look():
    assert kind_of((Cell(0, 1, 0),)) == "block" and kind_of(ROW) == "row"
    assert kind_of((Cell(0, 1, 0), Cell(0, 2, 0))) == "tower"
    assert kind_of((Cell(0, 1, 0), Cell(1, 2, 0), Cell(2, 3, 0))) == "diagonal"
    assert kind_of(tuple(Cell(x, 1, z) for x in (0, 1) for z in (0, 1))) == "square"
    for name, drawing in DRAWINGS.items():
        size = next((n, m) for n in range(2, 6) for m in range(2, 6) if drawing.allows(n, m))
        assert kind_of(tuple(Cell(u, 1 + v, 0) for u, v in drawing.draw(*size))) == name


def scene(board, last=ROW, **more):
    return Scene(board, Pose(0.0, 1.0, -4.0, 0.0, 20.0), View.of(0.0), last[-1], Color.RED, False, 3, last, **more)


def test_a_name_is_used_only_if_it_can_mean_no_other_thing():
    board = dict.fromkeys(ROW, Color.RED)
    rules = {(way.rule, way.color, way.kind) for way in references_to(ROW, scene(board))}
    assert rules == {
        ("it", None, None), ("kind", Color.RED, "row"), ("kind", None, "row"), ("color", Color.RED, None)
    }  # fmt: skip
    board |= {Cell(x, 1, 4): Color.BLUE for x in range(3)}  # another row
    assert ThingReference("kind", None, "row") not in references_to(ROW, scene(board))
    with pytest.raises(LanguageError, match="2 things could be meant"):
        ThingReference("kind", None, "row").denotes(scene(board))
    board |= {Cell(x, 1, -4): Color.RED for x in range(3)}  # and another red one
    assert [way.rule for way in references_to(ROW, scene(board))] == ["it"]


def test_dh_is_ours_and_has_no_full_games():
    assert set(SIMULATORS) - set(PUBLISHED) == {"dh"}
    with pytest.raises(SettingsError, match="dh has no full games"):
        BuildGame(HumanTurns(), 0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"removal": "1.2"}, "removal=1.2: expected a rate"),
        ({"removal": "0.9", "extension": "0.9"}, "expected at most 1"),
        ({"least_turns": "9", "most_turns": "3"}, "expected 1 <= least <= most"),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(SettingsError, match=message):
        simulator_of("dh", settings)


def test_a_slip_makes_no_other_word_and_touches_no_number(rows):
    spoken = {word for one in tables().values() for option in one for word in re.findall(r"[a-z]+", " ".join(option))}
    spoken |= {word for one in tables().values() for text in one for word in re.findall(r"[a-z]+", str(text))}
    slips = {slip for word in spoken for slip in slips_of(word)}
    assert len(slips) > 1_000 and slips.isdisjoint(spoken) and slips.isdisjoint(word.value for word in Color)
    assert not any(slips_of(number) for number in NUMBER_WORDS)
    said = [word for item in rows for word in re.findall(r"[a-z]+", " ".join(item.dialogue).lower())]
    assert 0.03 * len(rows) < sum(word in slips for word in said) < 0.15 * len(rows)
    assert any("<Architect> *" in line for item in rows for line in item.dialogue)


def test_letters_are_typed_as_people_type_them():
    line = ("Architect", "instruction", "that's an upright red l shape, it goes on top of the u")
    typed = [as_typed(Words(Random(seed)), [line], 0.0)[0][2] for seed in range(40)]
    assert {re.search(r"red (.) shape", text)[1] for text in typed} == {"l", "L"}
    assert {text.split(" an")[0] for text in typed} == {"that's", "thats"}
    assert as_typed(Words(Random(0)), [line], 1.0) != [line]
