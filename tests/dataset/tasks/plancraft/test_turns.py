"""Turns of Plancraft, in both readings; the package's own reading where it is installed."""

import pytest
from case_tables import cases_of
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_metric.scoring import InputError
from bap_v2_simulators.plancraft.lenient import read_turn_leniently
from bap_v2_simulators.plancraft.turns import (
    INVALID,
    LETTERS,
    N_SLOTS,
    TOOLS,
    AgentTurn,
    first_line,
    letters_of,
    read_turn,
    slot_index,
    slot_name,
    tools_of,
    written,
)

# Pieces of which turns and near misses are made.
PIECES = (
    "move:", "smelt:", "think:", "search:", "impossible:", "impossible: ", "move", " from ", " to ", " from [I3]",
    " to [I3]", " from [I2] to [A1] ", "with quantity ", "with quantity 3", "[I1]", "[I36]", "[I37]", "[I05]", "[A1]",
    "[0]", "[00]", "[C3]", "[D1]", "[5]", "[I100]", "[I\u0663]", "1", "64", "65", "0", "\u0663", " ", "\t", "iron_ore",
    "x", "9" * 25,
)  # fmt: skip
MIXED = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)
TOOL_SETS = st.sets(st.sampled_from(TOOLS[2:])).map(lambda more: tools_of(["move", "smelt", *more]))


def package_turn(line, tools):
    """What the package makes of a line: its kind, and what it does."""
    actions = pytest.importorskip("plancraft.environment.actions", reason="needs the package plancraft")
    from bap_v2_simulators.plancraft.package import handlers

    for tool in tools:
        if (found := handlers()[tool].match(line)) is None:
            continue
        if isinstance(found, (actions.MoveAction, actions.SmeltAction)):
            return found.action_type, found.slot_from, found.slot_to, found.quantity
        if isinstance(found, actions.StopAction):
            return "impossible", found.reason
        return (INVALID,) if found.startswith("Format Error") else (tool,)
    return (INVALID,)


def facts(turn):
    if turn.kind in ("move", "smelt"):
        return turn.kind, turn.source, turn.target, turn.quantity
    return (turn.kind, turn.text) if turn.kind == "impossible" else (turn.kind,)


@given(MIXED, TOOL_SETS)
def test_turns_are_read_as_the_package_reads_them(line, tools):
    assert facts(read_turn(line, tools)) == package_turn(line, tools)


@pytest.mark.parametrize(
    ("line", "turn"),
    [
        ("move: from [I17] to [A1] with quantity 1", AgentTurn("move", 26, 1, 1)),
        ("smelt: from [I36] to [I1] with quantity 64", AgentTurn("smelt", 45, 10, 64)),
        ("remove: from [0] to [I1] with quantity 2", AgentTurn("move", 0, 10, 2)),  # a fault of the package, kept
        ("I smelt: from [0] to [I1] with quantity 2", AgentTurn("smelt", 0, 10, 2)),
        ("think: move: from [I1] to [A1] with quantity 1", AgentTurn("move", 10, 1, 1)),
        ("think: iron first", AgentTurn("think")),
        ("search:iron_ingot or so", AgentTurn("search", text="iron_ingot")),
        ("impossible: no iron", AgentTurn("impossible", text="no iron")),
        ("impossible:", AgentTurn(INVALID)),
        ("search:", AgentTurn(INVALID)),
        ("move: from [I1] to [I1] with quantity 1", AgentTurn(INVALID)),
        ("move: from [I1] to [0] with quantity 1", AgentTurn(INVALID)),
        ("move: from [I1] to [I37] with quantity 1", AgentTurn(INVALID)),
        ("move: from [I1] to [A1] with quantity 65", AgentTurn(INVALID)),
        ("move: from [I1] to [A1]", AgentTurn(INVALID)),
        ("Move: from [I1] to [A1] with quantity 1", AgentTurn(INVALID)),
        ("", AgentTurn(INVALID)),
    ],
)
def test_examples_in_the_reading_of_the_package(line, turn):
    assert read_turn(line) == turn


@pytest.mark.parametrize(
    ("text", "turn"),
    cases_of(__file__, "lenient"),
)
def test_examples_in_the_lenient_reading(text, turn):
    assert str(read_turn_leniently(text)) == turn


@given(st.text() | MIXED, TOOL_SETS)
def test_no_text_raises_and_only_tools_in_use_are_read(text, tools):
    for turn in (read_turn(first_line(text), tools), read_turn_leniently(text, tools)):
        assert turn.kind in (*tools, INVALID)


@given(
    st.sampled_from(("move", "smelt")),
    st.integers(0, N_SLOTS - 1),
    st.integers(0, N_SLOTS - 1),
    st.sampled_from((0, 1, 7, 64, 65)),
)
def test_both_readings_agree_on_what_is_written_as_it_should_be(kind, source, target, quantity):
    line = written(kind, source, target, quantity)
    turn = read_turn(line)
    assert read_turn_leniently(line) == turn
    assert turn.kind == INVALID or str(turn) == line


def test_slots_have_names():
    assert [slot_index(slot_name(index)) for index in range(N_SLOTS)] == list(range(N_SLOTS))
    assert [slot_index(name) for name in ("[I0]", "[I37]", "[D1]", "A1", "[A4]", "", "[I1")] == [None] * 7


def test_a_line_is_the_first_after_thoughts():
    assert first_line("<think>a\nb</think>\n\n move: x \n smelt: y") == "move: x"
    assert first_line("  ") == ""


@pytest.mark.parametrize("tools", ["M S T SE I", "m,s,t,se,i", "move smelt think search impossible", list(TOOLS)])
def test_tools_are_named_or_lettered(tools):
    assert tools_of(tools) == TOOLS and letters_of(tools_of(tools)) == " ".join(LETTERS)


@pytest.mark.parametrize(
    ("tools", "said"), [("M S X", "'X' is none"), ("M", "smelt cannot be left out"), ([3], "3 is")]
)
def test_other_tools_are_errors(tools, said):
    with pytest.raises(InputError, match=said):
        tools_of(tools)
