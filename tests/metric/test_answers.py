"""The reader of model output: every form of the documents' table, no action out of prose, and none dropped silently."""

import json
import random
import re
import time
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import ROOT
from strategies import action_lists

from bap_v2_metric.actions import Place, Remove
from bap_v2_metric.answers import most_frequent_unparsed, read_numbered, read_prediction
from bap_v2_metric.blocks import Cell, Color
from bap_v2_metric.notation import Prediction, format_action, format_call, parse_action
from bap_v2_metric.scoring import score_item

HARD = tomllib.loads(Path(__file__).with_name("hard_answers.toml").read_text(encoding="utf-8"))
RED, TAKE = Place(Color.RED, Cell(0, 1, 0)), Remove(Cell(0, 2, 0))


# --- the tables of the documents


def rows_of_table(header: str) -> list[list[str]]:
    """The cells of a table of FORMS.md, examples as the texts that they stand for."""
    _, table = (ROOT / "bap_v2_metric" / "FORMS.md").read_text(encoding="utf-8").split(f"{header}\n", 1)
    lines = table.split("\n\n", 1)[0].splitlines()[1:]
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return [[name, *map(text_of, examples)] for name, *examples in rows]


def text_of(cell: str) -> str:
    """The text in a cell: without its back-ticks, with line breaks."""
    ticks = len(cell) - len(cell.lstrip("`"))
    code = cell[ticks : len(cell) - ticks].replace("\\|", "|")
    return (code.strip() if ticks > 1 else code).replace(" ⏎ ", "\n")


FORMS = rows_of_table("| form | example |")
NOT_READ = rows_of_table("| not read | example | what is read of it |")


def test_the_tables_are_found():
    assert len(FORMS) > 30 and len(NOT_READ) > 12


@pytest.mark.parametrize(("name", "example"), FORMS, ids=[name for name, _ in FORMS])
def test_every_form_of_the_table_is_read(name, example):
    assert read_prediction(example) == Prediction((RED, TAKE), ())


@pytest.mark.parametrize(("name", "example", "read"), NOT_READ, ids=[name for name, *_ in NOT_READ])
def test_what_is_not_read_is_counted(name, example, read):
    prediction = read_prediction(example)
    assert prediction.actions == ((parse_action(read),) if read else ())
    assert prediction.unparsed


# --- laws


def as_object(action) -> dict:
    color = {} if isinstance(action, Remove) else {"color": action.color.value}
    return {"action": "place" if color else "pick", **color, **action.cell._asdict()}


def nested(action) -> dict:
    color = {} if isinstance(action, Remove) else {"color": action.color.value}
    return {"position": list(action.cell), "type": "place" if color else "pick", **color}


def tool_call(action) -> dict:
    arguments = as_object(action)
    return {"name": arguments.pop("action"), "arguments": json.dumps(arguments)}


def as_list(action) -> list:
    return list(as_object(action).values())


def bracketed(action) -> str:
    *words, x, y, z = format_action(action).split()
    return f"{' '.join(words)} ({x}, {y}, {z})"


def with_keys(action) -> str:
    *words, x, y, z = format_action(action).split()
    return f"{' '.join(words)} x={x}, y={y}, z={z}"


def per_line(form, start="{}"):
    return lambda actions: "\n".join(start.format(form(action)) for action in actions)


def in_json(form, indent=None, around="{}"):
    return lambda actions: around.replace("{}", json.dumps([form(action) for action in actions], indent=indent))


WRITTEN = {
    "notation": per_line(format_action),
    "upper case": lambda actions: per_line(format_action)(actions).upper(),
    "bullets": per_line(format_action, "- {}"),
    "bold": per_line(format_action, "* **{}**"),
    "numbers": lambda actions: "\n".join(f"{n}) {format_action(action)}" for n, action in enumerate(actions, 1)),
    "steps": lambda actions: "\n".join(f"Step {n}: `{bracketed(action)}`." for n, action in enumerate(actions, 1)),
    "quotes": per_line(format_action, "> {}"),
    "comments": per_line(format_action, "{}  # a comment"),
    "semicolons": lambda actions: "; ".join(map(format_action, actions)),
    "commas": lambda actions: ", ".join(map(format_action, actions)),
    "blanks": lambda actions: " ".join(map(format_action, actions)),
    "line breaks written out": lambda actions: "\\n".join(map(format_action, actions)),
    "then": lambda actions: ", then ".join(map(bracketed, actions)),
    "numbers on a line": lambda actions: " ".join(f"{n}. {bracketed(action)}" for n, action in enumerate(actions, 1)),
    "csv": lambda actions: "\n".join(format_action(action).replace(" ", ", ") for action in actions),
    "brackets": per_line(bracketed),
    "keys": per_line(with_keys),
    "unicode": lambda actions: per_line(format_action)(actions).replace(" ", "\u00a0").replace("-", "\u2212"),
    "calls": per_line(format_call),
    "call list": lambda actions: f"[{', '.join(map(format_call, actions))}]",
    "code": lambda actions: "```python\nactions = [\n    " + ",\n    ".join(map(format_call, actions)) + ",\n]\n```",
    "strings": in_json(format_action),
    "strings on lines": in_json(format_action, 2),
    "lists": in_json(as_list),
    "lists on lines": in_json(as_list, 4),
    "one flat list": lambda actions: json.dumps([word for action in actions for word in as_list(action)]),
    "tuples": lambda actions: repr([tuple(as_list(action)) for action in actions]),
    "repr": lambda actions: repr([as_object(action) for action in actions]),
    "objects": in_json(as_object),
    "objects on lines": in_json(as_object, 2, "```json\n{}\n```"),
    "objects per line": per_line(lambda action: json.dumps(as_object(action))),
    "objects in bullets": per_line(lambda action: json.dumps(nested(action)), "- {}"),
    "nested": in_json(nested, None, 'Answer: {"thought": "place red 0 1 0", "actions": {}}'),
    "nested on lines": in_json(nested, 2, '{"result": {"actions": {}}}'),
    "tool calls": per_line(lambda action: json.dumps(tool_call(action)), "<tool_call>\n{}\n</tool_call>"),
    "one string": lambda actions: json.dumps({"answer": per_line(format_action)(actions)}),
    "thoughts": lambda actions: "<think>\nplace red 0 1 0\n</think>\n" + per_line(format_action)(actions),
}


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
@given(actions=action_lists(reach=5))
@settings(max_examples=25)
def test_actions_survive_every_form(written, actions):
    text = written(actions) if actions else ""
    assert read_prediction(text) == Prediction(tuple(actions), ()), text


@given(
    first=st.sampled_from(list(WRITTEN)), second=st.sampled_from(list(WRITTEN)), lists=st.tuples(*[action_lists()] * 2)
)
def test_forms_may_follow_each_other(first, second, lists):
    text = "\n".join(WRITTEN[name](actions) for name, actions in zip((first, second), lists) if actions)
    assert read_prediction(text) == Prediction(tuple(lists[0] + lists[1]), ()), text


PROSE = st.sampled_from(
    ["I would", "You could", "Should we", "It is wrong to", "Maybe", "Wrong:", "Architect:", "Not", "Do not", "First I",
     "Then you", "The actions are not", "Instead,", "Note that", "if we", "(We", "[Let us", '"Now let me', "1. We"]
)  # fmt: skip


@given(starts=st.lists(PROSE, min_size=1, max_size=4), actions=action_lists(max_size=4), form=st.integers(0, 2))
def test_prose_never_yields_an_action_and_is_counted(starts, actions, form):
    written = (format_action, bracketed, format_call)[form]
    lines = [f"{start} {' and '.join(map(written, actions))} here." for start in starts]
    assert read_prediction("\n".join(lines)) == Prediction((), tuple(lines))


@given(
    actions=action_lists(),
    thought=st.text(alphabet="place red 01-\n", max_size=60),
    place=st.integers(0, 15),
    tag=st.sampled_from(["think", "thinking", "Think", "reasoning", "thought"]),
)
def test_a_block_of_thoughts_changes_nothing(actions, thought, place, tag):
    lines = [format_action(action) for action in actions]
    inside = [*lines[:place], f"<{tag}>{thought}</{tag}>", *lines[place:]]
    assert read_prediction("\n".join(inside)) == Prediction(tuple(actions), ())
    assert read_prediction("\n".join(lines) + f"\n<{tag}>{thought}") == Prediction(tuple(actions), ())
    assert read_prediction(f"{thought}</{tag}>" + "\n".join(lines)) == Prediction(tuple(actions), ())


LINE = st.one_of(
    st.text(alphabet="plaicekd red012-,;.#*:()`\"' ", max_size=40),
    st.sampled_from(
        ["Sure!", "- ", "Answer:", "```", "", "place red 0 1 0; pick 0 2 0", "1. place red 0 1 0 (or not)"]
    ),
)


@given(st.lists(LINE, max_size=8))
def test_lines_are_read_one_by_one(lines):
    alone = [read_prediction(line) for line in lines]
    together = read_prediction("\n".join(lines))
    assert together.actions == tuple(action for read in alone for action in read.actions)
    assert together.unparsed == tuple(line for read in alone for line in read.unparsed)


@given(action_lists(max_size=4), st.sampled_from(["", "Sure!\n", "<think>\nplace\n</think>\n", "[\n"]))
def test_actions_and_unparsed_lines_have_the_numbers_of_their_lines(actions, before):
    text = before + "\n".join(f"{json.dumps(as_object(action))}\nhm" for action in actions)
    lines = text.split("\n")
    read = read_numbered(text)
    assert [action for _, action in read.actions] == actions
    assert all(json.loads(lines[number - 1]) == as_object(action) for number, action in read.actions)
    assert all(lines[number - 1] == line for number, line in read.unparsed)


@pytest.mark.parametrize("cut", range(1, 200, 7))
def test_of_a_list_that_is_cut_off_the_whole_elements_are_read(cut):
    actions = [RED, TAKE] * 3
    text = json.dumps([as_object(action) for action in actions], indent=1)[:-cut]
    whole = text.count("}")
    read = read_prediction(text)
    assert read.actions == tuple(actions[:whole])
    assert bool(read.unparsed) == bool(re.search('[a-z"]', text[text.rfind("}") :]))


@pytest.mark.slow
def test_one_wrong_character_loses_no_action_without_a_trace_and_makes_none():
    """In any form but those with thoughts, which are left out: deleted or inserted at a random place."""
    rng = random.Random(3)
    forms = [WRITTEN[name] for name in WRITTEN if name != "thoughts" and not name.startswith("nested")]
    for _ in range(10_000):
        actions = [rng.choice([RED, TAKE, Place(Color.BLUE, Cell(-3, 9, 4))]) for _ in range(rng.randint(2, 4))]
        text = rng.choice(forms)(actions)
        place = rng.randrange(len(text))
        more, less = rng.choice([(rng.choice("x\"'(),;:{}[]# \n-a0"), 0), ("", 1)])
        wrong = text[:place] + more + text[place + less :]
        read = read_prediction(wrong)
        assert len(read.actions) == len(actions) or (len(read.actions) < len(actions) and read.unparsed), wrong


KEYS = ["actions", "action", "place", "color", "position", "arguments", "name", "x", "1", "answer"]
SHAPES = st.recursive(
    st.sampled_from([1, 0.5, None, True, "hm", "red", "place", [], {}]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=3),
    max_leaves=8,
)


@given(data=st.data(), shape=SHAPES, form=st.sampled_from([format_action, as_object, as_list, nested, tool_call]))
@settings(max_examples=300)
def test_anywhere_in_json_an_action_is_read_or_leaves_a_trace(data, shape, form):
    action = data.draw(st.sampled_from([RED, TAKE]))
    written = data.draw(st.sampled_from([form(action), json.dumps(form(action))]))
    value = {"answer": shape, data.draw(st.sampled_from(["actions", "color", "arguments", "cell", "b"])): written}
    read = read_prediction(json.dumps([shape, value] if data.draw(st.booleans()) else value))
    assert action in read.actions or read.unparsed


# --- hard cases, one by one


@pytest.mark.parametrize(("text", "actions", "unparsed"), HARD["cases"])
def test_hard_cases(text, actions, unparsed):
    read = read_prediction(text)
    assert (len(read.actions), read.unparsed_lines) == (actions, unparsed)


def test_of_an_unparsed_line_at_most_200_characters_are_kept():
    assert read_prediction("  I would  " + "x" * 1000 + "\n").unparsed == ("I would  " + "x" * 191,)


def test_frequent_unparsed_lines_come_first_and_blanks_do_not_matter():
    assert most_frequent_unparsed(["a  b\nplace red 0 1 0", "c\na b", "\tc", "d"], n=2) == [("a b", 2), ("c", 2)]
    assert most_frequent_unparsed([]) == []


# --- time, and noise


PIECES = [
    "place", "pick", "red", " ", " ", "\n", "0", "1", "-5", "1.5", ",", ";", "[", "]", "{", "}", "(", ")", '"', "'",
    "`", "**", "```json\n", ":", "=", "x", "color", "actions", "<think>", "</think>", "<answer>", "- ", "1. ",
    "Step 1:", "### AS:", "and then", "I would ", "\\n", '\\"', "null", "position", "#", "\u00a0", "\u2212", "\u2028",
    "\ud800", "\0", "\r", "place red 0 1 0", '{"action": "pick", "x": 0, "y": 1, "z": 0}',
    'place(color="red", x=0, y=1, z=0)', "<tool_call>", "[ARGS]", "<function=place>", "<parameter=x>", "</parameter>",
    "<arg_key>x</arg_key>", "\\boxed{", "\\text{", "\\", "$", "&", "\x1b[", "\x1b]", "place {",
    " to=functions.pick json{",
]  # fmt: skip


def test_no_noise_made_of_pieces_of_answers_raises():
    rng = random.Random(0)
    reference = {"before": ["red 0 1 0"], "after": ["red 0 1 0", "red 1 1 0"]}
    for _ in range(3000):
        text = "".join(rng.choices(PIECES, k=rng.randrange(40)))
        assert score_item(text, reference)["unparsed_lines"] == read_prediction(text).unparsed_lines


@pytest.mark.slow
@pytest.mark.parametrize("start", ["", "[", '{"', "place(", "place red 0 1 0;", "Step 1:", "<think>", "</think>"])
def test_repetitions_are_read_in_linear_time(start):
    began = time.process_time()
    reasons = ['{"reason":"', '{"reason":["', '{"reason":\n', '{"reason":"\n']
    openings = ["[\n", '["\n', '[{"a":\n', '"\\', "the ", "[1]", '["place",', '{"arguments":"{', "[\n\n"]
    for piece in (*PIECES, *openings, *reasons):
        read_prediction(start + piece * (30_000 // len(piece)) + "!")
    assert time.process_time() - began < 20  # 1 to 3 s; a quadratic step takes minutes
