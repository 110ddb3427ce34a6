"""The clean test set: which items are removed, which are fixed and how, and labels that do not fit."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from bap_v2_dataset.items.item import items
from bap_v2_dataset.labels.clean_test import clean_test
from bap_v2_dataset.labels.label import AnnotationError, Label, check_fit
from bap_v2_dataset.labels.label_file import OUR_LABELS, labels_file, read_labels
from bap_v2_metric.actions import execute
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import format_action, format_structure, parse_action
from bap_v2_simulators.game import Game, Step, Utterance
from bap_v2_simulators.pose import Pose


def game_of(game_id: str, *actions: str) -> Game:
    """A game with an item for each action."""
    events = []
    for action in actions:
        events += [
            Utterance("Architect", "next"),
            Step(Pose(0.0, 1.0, 0.0, 0.0, 0.0), (parse_action(action),), {"state_index": len(events)}),
        ]
    return Game(game_id, "test", Structure(), tuple(events), {"source": "human"})


RED, BLUE, GREEN = "place red 0 1 0", "place blue 1 1 0", "place green 2 1 0"


def cleaned(*structures: str | None, context: str = "unique"):
    """The clean test set of a game of three items with these labels; None: unclear."""
    game_items = list(items(game_of("a", RED, BLUE, GREEN)))
    labels = [
        Label("a", index, context if structure else "unclear", structure) for index, structure in enumerate(structures)
    ]
    return clean_test(game_items, labels)


def after(item) -> list[str]:
    return format_structure(item.after)


WHOLE = ["red 0 1 0", "blue 1 1 0", "green 2 1 0"]


def test_correct_items_stay_as_they_are():
    clean = cleaned("correct", "correct", "correct")
    assert (clean.unclear, clean.unfixable, clean.fixed) == (0, 0, 0)
    assert [after(item) for item in clean.items] == [WHOLE[:1], WHOLE[:2], WHOLE]
    assert clean.items[0].metadata["annotation"] == {"context": "unique", "structure": "correct", "fixed": False}


def test_a_run_of_incorrect_structures_takes_that_of_the_correct_one_that_follows():
    clean = cleaned("incorrect", "incorrect", "correct")
    assert (len(clean.items), clean.fixed) == (3, 2)
    assert [after(item) for item in clean.items] == [WHOLE] * 3
    assert [[format_action(action) for action in item.actions] for item in clean.items] == [
        [RED, BLUE, GREEN], [BLUE, GREEN], [GREEN],
    ]  # fmt: skip
    assert [item.metadata["annotation"]["fixed"] for item in clean.items] == [True, True, False]


def test_actions_of_unknown_order_are_counted_over_a_fixed_run():
    game_items = [replace(item, metadata={"unordered_actions": 2}) for item in items(game_of("a", RED, BLUE))]
    clean = clean_test(game_items, [Label("a", 0, "unique", "incorrect"), Label("a", 1, "unique", "correct")])
    assert [item.metadata["unordered_actions"] for item in clean.items] == [4, 2]
    assert clean.unchanged == 0


def test_a_fix_that_restores_the_board_is_counted():
    clean = clean_test(
        list(items(game_of("a", RED, "pick 0 1 0"))),
        [Label("a", 0, "unique", "incorrect"), Label("a", 1, "unique", "correct")],
    )
    assert clean.unchanged == 1 and after(clean.items[0]) == []


@pytest.mark.parametrize("structures", [("correct", "correct", "incorrect"), ("correct", "incorrect", None)])
def test_without_a_correct_one_at_once_it_is_removed(structures):
    clean = cleaned(*structures)
    assert clean.unfixable == 1 and clean.fixed == 0
    assert [item.index for item in clean.items] == [i for i, s in enumerate(structures) if s == "correct"]


def test_the_next_game_fixes_nothing():
    game_items = [item for name in ("a", "b") for item in items(game_of(name, RED))]
    clean = clean_test(game_items, [Label("a", 0, "unique", "incorrect"), Label("b", 0, "unique", "correct")])
    assert [item.game_id for item in clean.items] == ["b"] and clean.unfixable == 1


def test_only_items_on_an_empty_board_have_multiple_interpretations():
    game_items = list(items(game_of("a", RED, BLUE)))
    labels = [Label("a", 0, "multiple", "correct"), Label("a", 1, "unique", "correct")]
    clean = clean_test(game_items, labels)
    assert [item.interpretations for item in clean.items] == ["multiple", "unique"] and clean.multiple == 1
    with pytest.raises(AnnotationError, match="item 1 of a is 'multiple', but its board is not empty"):
        clean_test(game_items, [labels[0], Label("a", 1, "multiple", "correct")])


def test_labels_that_do_not_fit_are_all_listed():
    game_items = list(items(game_of("a", RED, BLUE)))
    labels = [
        Label("a", 0, "unique", "correct", state_index=7),
        Label("a", 5, "unclear", None),
        Label("z", 0, "unclear", None),
    ]
    with pytest.raises(AnnotationError) as error:
        clean_test(game_items, labels)
    for part in ("not in this split: z", "a has no item 5", "no label for item 1 of a", "in state 0, its label in 7"):
        assert part in str(error.value)
    others = [Label(game_id, index, "unclear", None) for game_id in ("y", "z") for index in range(600)]
    with pytest.raises(AnnotationError, match=r"1,200 labels .*, e\.g\. y; no label for item 0 of a; .* 5 more"):
        clean_test(list(items(game_of("a", *[RED, "pick 0 1 0"] * 4))), others)


GOOD = {"game_id": "a", "item_index": 0, "context": "unique", "structure": "correct"}


def test_labels_are_read_from_json_lines(tmp_path):
    unclear = {**GOOD, "item_index": 1, "context": "unclear", "structure": None}
    (tmp_path / "l.jsonl").write_text(f"{json.dumps(GOOD)}\n\n{json.dumps(unclear)}")
    assert read_labels(tmp_path / "l.jsonl") == [Label("a", 0, "unique", "correct"), Label("a", 1, "unclear", None)]


HEADER = b"game_id,item_index,context,structure\n"
BAD_LINES = [
    ("{", "line 1: not a JSON object with game_id"),
    ("PAR1\n" * 1616, "line 1 and 1,615 more: not a JSON object with game_id, item_index, context and structure"),
    ("\n[1]\n" + json.dumps({**GOOD, "context": 1}) + "\n[2]", "line 2 and 1 more: not a JSON object with game_id"),
    (json.dumps({**GOOD, "context": "clear"}), "context='clear': expected one of unique, multiple, unclear"),
    (json.dumps({**GOOD, "structure": "right"}), "structure='right': expected one of correct, incorrect"),
    (
        "\n".join(json.dumps({**GOOD, "item_index": index, "structure": None}) for index in (4, 5, 6)),
        "line 1 and 2 more: item 4 of a is labeled incompletely: `bap-v2 annotate` resumes there",
    ),
    (json.dumps({**GOOD, "context": "unclear"}), "structure='correct' of an unclear context"),
    (json.dumps({**GOOD, "item_index": "x"}), "item_index='x'"),
    ("", "holds no labels"),
]
BAD_TABLES = [
    (HEADER.decode().encode("utf-16"), "is not UTF-8: save it as CSV in UTF-8"),
    (b"game_id,context,structure\na,unclear,\n", "has no column item_index; its columns are game_id, context,"),
    (b"id;prediction\na/0;\n", "has no columns game_id, item_index, context, structure; its columns are id,"),
    (HEADER, "holds no labels"),
    (b"", "holds no labels"),
    (HEADER + b"a,0.5,unclear,\n", "item_index='0.5'"),
    (HEADER + b"a,0,unique\n", "item 0 of a is labeled incompletely: it has no structure"),
    (HEADER + b'"' + b"x" * 200_000, "is not CSV: field larger than field limit"),
]


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        *(("labels.jsonl", text.encode(), complaint) for text, complaint in BAD_LINES),
        *(("labels.csv", content, complaint) for content, complaint in BAD_TABLES),
        ("none.jsonl", None, "No such file"),
    ],
)
def test_what_is_not_labels_is_named_with_its_line_or_the_cause(name, content, complaint, tmp_path):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(AnnotationError) as error:
        read_labels(path)
    assert complaint in str(error.value) and str(path) in str(error.value)


def test_our_labels_give_the_clean_test_set(mdc_items):
    clean = clean_test(mdc_items["test"], read_labels(OUR_LABELS))
    assert (clean.unclear, clean.unfixable, clean.fixed) == (416, 39, 140)
    assert (len(clean.items), clean.multiple, clean.unchanged) == (1161, 92, 2)
    for item in clean.items:  # fixed ones too: their actions lead to their structure
        assert execute(item.before, item.actions).after == item.after


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_labels_are_read_as_spreadsheets_write_them(delimiter, encoding, line_end, tmp_path):
    rows = [
        ["game_id", "item_index", "context", "structure", "state_index", "remark"],
        ["a", "0", "unique", " correct ", "7.0", '"über, ""neben""; und\tso"'],
        ["a", "1.0", "unclear", "", "", ""],
    ]
    text = line_end.join(delimiter.join(row) for row in rows) + line_end
    (tmp_path / "Labels.CSV").write_bytes(text.encode(encoding))
    assert read_labels(tmp_path / "Labels.CSV") == [
        Label("a", 0, "unique", "correct", 7),
        Label("a", 1, "unclear", None),
    ]


def test_contradictory_labels_are_told_from_repeated_ones(tmp_path):
    lines = [GOOD, GOOD, {**GOOD, "context": "unclear", "structure": None}]
    (tmp_path / "l.jsonl").write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(AnnotationError) as error:
        read_labels(tmp_path / "l.jsonl")
    assert "line 2: a second label for item 0 of a; line 3: a second label for item 0 of a " in str(error.value)
    assert "(unclear, after unique correct)" in str(error.value)


def test_half_answered_items_are_read_only_where_they_may_be_there(tmp_path):
    (tmp_path / "l.jsonl").write_text(
        json.dumps(GOOD) + "\n" + json.dumps({**GOOD, "item_index": 1, "structure": None}) + "\n"
    )
    whole, half = read_labels(tmp_path / "l.jsonl", half_answered=True)
    assert whole.is_whole and half == Label("a", 1, "unique", None) and not half.is_whole
    with pytest.raises(AnnotationError, match="line 2: item 1 of a is labeled incompletely"):
        read_labels(tmp_path / "l.jsonl")


def test_labels_of_some_items_fit_if_nothing_contradicts_them():
    game_items = list(items(game_of("a", RED, BLUE)))
    check_fit(game_items, [Label("a", 1, "unclear", None)], complete=False)
    with pytest.raises(AnnotationError, match="no label for item 0 of a"):
        check_fit(game_items, [Label("a", 1, "unclear", None)])
    with pytest.raises(AnnotationError, match="1 label is of a game that is not in this split: b"):
        check_fit(game_items, [Label("b", 1, "unclear", None)], complete=False)


def test_this_projects_labels_are_called_ours(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    assert labels_file("ours") == OUR_LABELS
    assert (labels_file("ours.csv"), labels_file("~/ours")) == (Path("ours.csv"), tmp_path / "ours")
