"""What the pointer transformer reads: the same of items and rows, of turned worlds, and of batches of any size."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_dataset.augmentation.transforms import transformed
from bap_v2_dataset.items.frame import Frame, frame_of
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_metric.actions import execute, net_actions
from bap_v2_metric.blocks import Color
from bap_v2_metric.notation import format_action, format_structure
from bap_v2_metric.scoring import score
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.pose import Pose, perspective_coordinates
from bap_v2_simulators.simulation import play
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.net_actions import REMOVE, actions_of, planned
from bap_v2_training.learning.vocabulary import Vocabulary
from bap_v2_training.pointer.examples import STOP, centered, example_of_item, example_of_row
from bap_v2_training.pointer.features import (
    DIALOGUE,
    PREVIOUS,
    SPECIAL,
    FeatureSettings,
    PackedItems,
    collate,
    vocabulary_of,
)

GAMES = [play(simulator_of(name), "train", index, seed=3) for name in SIMULATORS for index in range(12)]
ITEMS = [item for game in GAMES for item in items(game)]
EXAMPLES = [example_of_item(item) for item in ITEMS]
VOCABULARY = vocabulary_of(EXAMPLES)

ROW = {
    "dialogue": ["<Builder> Mission has started.", "<Architect> Two red ones", "<Builder> ok?"],
    "history": [
        "<Architect> first", "place red 0 1 0", "<Architect> a tower", "<Builder> done", "place blue 1 1 0",
        "pick 0 1 0",
    ],
    "before": ["blue 1 1 0"],
    "after": ["red 1 1 0", "red 0 1 3"],
    "actions": ["place red 0 1 3", "place green 0 2 3", "pick 1 1 0", "place red 1 1 0", "pick 0 2 3"],
    "pose": {"x": 2.0, "y": 1.0, "z": -3.0, "yaw": 100.0, "pitch": 20.0},
}  # fmt: skip


def arrays(examples, **settings) -> dict[str, list]:
    return {
        name: values.tolist() for name, values in collate(examples, VOCABULARY, FeatureSettings(**settings)).items()
    }


def test_an_item_worked_out_by_hand():
    example = example_of_row(ROW)
    assert example.dialogue == ("<Architect> Two red ones", "<Builder> ok?")  # nobody says that the mission has started
    assert example.previous == ("<Architect> a tower", "<Builder> done")
    assert example.earlier == (("<Architect> first",),)
    assert example.recent == ((6, 0, 1, 0), (4, 1, 1, 0), (0, 0, 1, 0))
    assert example.placed == (1,)
    assert example.net == ((0, 0, 1, 3), (6, 1, 1, 0), (0, 1, 1, 0))  # the green support leaves no trace

    words = Vocabulary(["<pad>", "<unk>", *SPECIAL, "a", "tower", "done", "two", "red", "ones", "ok"])
    batch = {name: values.tolist()[0] for name, values in collate([example], words).items()}
    assert batch["words"] == [2, 4, 5, 3, 6, 2, 7, 8, 9, 3, 10, 1]
    assert batch["segments"] == [PREVIOUS] * 5 + [DIALOGUE] * 7
    assert batch["blocks"] == [[4, 0, 1, -1]]  # the Builder looks along -x: a block at x=1 is one behind the middle
    assert batch["recent"][:4] == [[6, 0, 1, 0], [4, 0, 1, -1], [0, 0, 1, 0], [-1, 0, 0, 0]]
    assert (batch["last"], batch["has_last"]) == ([0, 1, 0], True)
    assert batch["pose"] == [-3.0, 1.0, -1.0, 10.0, 20.0]
    assert batch["targets"] == [[0, 3, 1, 0], [6, 0, 1, -1], [0, 0, 1, -1], [STOP, 0, 0, 0]]


def test_earlier_dialogues_worked_out_by_hand():
    history = ["<Architect> a", "place red 0 1 0", "<Architect> b", "<Builder> c", "place red 1 1 0", "place red 2 1 0"]
    history += ["<Architect> d", "place red 3 1 0", "pick 2 1 0", "place green 1 2 0", "<Architect> e", "pick 1 2 0"]
    history += ["place green 1 2 0"]
    before = [f"red {x} 1 0" for x in (0, 1, 3, 4)] + ["green 1 2 0"]
    example = example_of_row({**ROW, "history": history, "before": before, "dialogue": ["<Architect> f"]})
    a, bc, d, e = ("<Architect> a",), ("<Architect> b", "<Builder> c"), ("<Architect> d",), ("<Architect> e",)
    assert (example.previous, example.earlier) == (e, (d, bc, a))
    assert example.placed == (4, 3, 2, 0, 1)  # nobody placed the fourth; the last was taken away and placed again

    words = Vocabulary(["<pad>", "<unk>", *SPECIAL, *"abcdef"])

    def read(**settings) -> tuple[str, list[int], list[int] | None]:
        batch = {
            name: values.tolist()[0] for name, values in collate([example], words, FeatureSettings(**settings)).items()
        }
        return "".join(words.words[word][-1] for word in batch["words"]), batch["segments"], batch.get("placed")

    assert read() == (">e>f", [PREVIOUS] * 2 + [DIALOGUE] * 2, None)
    assert read(earlier_dialogues=2) == (
        ">b>c>d>e>f",
        [4] * 4 + [3] * 2 + [PREVIOUS] * 2 + [DIALOGUE] * 2,
        [4, 3, 2, 0, 1],
    )
    assert read(earlier_dialogues=8, previous_words=3)[0] == "d>e>f"
    assert read(earlier_dialogues=8, history=False) == (">f", [DIALOGUE] * 2, [0] * 5)


def test_a_row_gives_what_its_item_gives():
    assert [example_of_row(row(item)) for item in ITEMS] == EXAMPLES


def test_a_row_without_an_answer_is_read_all_the_same():
    unanswered = {name: value for name, value in ROW.items() if name not in ("actions", "after")}
    assert example_of_row(unanswered) == example_of_row(ROW)._replace(net=())


def check_net_actions(all_items):
    for item in all_items:
        net = example_of_item(item).net
        before = item.before.colors()
        as_set = {
            ("pick", before[action.cell], action.cell) if kind == REMOVE else ("place", action.color, action.cell)
            for (kind, *_), action in zip(net, actions_of(net))
        }
        assert as_set == net_actions(item.before, item.after) and len(as_set) == len(net)


def test_targets_are_the_net_actions():
    check_net_actions(ITEMS)


def test_targets_of_people_are_the_net_actions(mdc_items):
    check_net_actions(item for split in mdc_items.values() for item in split)


def test_actions_that_need_no_support_keep_their_order():
    for item, example in zip(ITEMS, EXAMPLES):
        if len(item.actions) == len(example.net) and not execute(item.before, item.actions).infeasible:
            assert actions_of(example.net) == list(item.actions)


@pytest.mark.slow
@pytest.mark.parametrize("quarter_turns", (1, 2, 3))
def test_a_turned_world_gives_the_same_features(quarter_turns):
    same = dict(zip(Color, Color))
    turned = [item for game in GAMES for item in items(transformed(game, quarter_turns, same))]
    examples = [example_of_item(item) for item in turned]
    assert arrays(examples, earlier_dialogues=8) == arrays(EXAMPLES, earlier_dialogues=8)
    assert arrays(examples, frame="world") != arrays(EXAMPLES, frame="world")
    nothing = {"pose": False, "structure": False, "history": False, "frame": "world"}
    without_targets = [example._replace(net=()) for example in examples]
    assert arrays(without_targets, **nothing) == arrays([example._replace(net=()) for example in EXAMPLES], **nothing)


def test_a_turned_game_of_people_gives_the_same_features(mdc_games):
    from bap_v2_simulators.game import read_games

    same = dict(zip(Color, Color))
    for game in islice(read_games(mdc_games.file("train")), 20):
        turned = [example_of_item(item) for item in items(transformed(game, 3, same))]
        # `transformed` spells colors right: the words may differ.
        examples = [
            example._replace(dialogue=other.dialogue, previous=other.previous)
            for example, other in zip(turned, map(example_of_item, items(game)))
        ]
        assert arrays(examples) == arrays([example_of_item(item) for item in items(game)])


@given(st.floats(-180, 179.999), st.tuples(*[st.integers(-9, 9)] * 3))
def test_the_frame_is_exact_and_keeps_what_the_builder_sees(yaw, cell):
    frame, pose = frame_of(yaw), Pose(0.3, 1.0, -2.6, yaw, 30.0)
    assert frame.in_world(frame.cell(cell)) == cell
    seen = frame.pose(pose)
    assert -45.0001 <= seen.yaw <= 45.0001
    middle, framed = ([c + half for c, half in zip(at, (0.5, 0, 0.5))] for at in (cell, frame.cell(cell)))
    assert perspective_coordinates(framed, seen) == pytest.approx(perspective_coordinates(middle, pose), abs=1e-9)


def test_cells_and_poses_of_a_batch_are_those_of_the_frame():
    batch, turns = collate(EXAMPLES, VOCABULARY), PackedItems(EXAMPLES, VOCABULARY).turns
    for number, example in enumerate(EXAMPLES):
        frame = Frame(int(turns[number]))
        for name, cells in (("blocks", example.blocks), ("targets", example.net), ("recent", example.recent)):
            rows = batch[name][number].tolist()
            assert [(kind, *frame.in_world(cell)) for kind, *cell in rows[: len(cells)]] == list(cells)
            assert all(kind in (-1, STOP) for kind, *_ in rows[len(cells) :])
        pose = frame.pose(Pose(*example.pose))
        assert batch["pose"][number].tolist() == pytest.approx([pose.x, pose.y, pose.z, pose.yaw, pose.pitch], abs=2e-3)


@pytest.mark.slow
@given(st.lists(st.integers(0, len(ITEMS) - 1), min_size=1, max_size=5))
def test_an_item_is_the_same_in_every_batch(numbers):
    packed = PackedItems(EXAMPLES, VOCABULARY, FeatureSettings(earlier_dialogues=8))
    together = packed.batch(numbers)
    for place, number in enumerate(numbers):
        for name, values in packed.batch([number]).items():
            rows = together[name][place]
            if rows.ndim:
                rows = rows[: values.shape[1]]
            assert np.array_equal(rows, values[0]), name


def test_long_texts_keep_their_newest_words():
    example = EXAMPLES[0]._replace(dialogue=("<Architect> " + "block " * 200 + "red",), previous=())
    words = collate([example], VOCABULARY, FeatureSettings(dialogue_words=10))["words"][0]
    assert words.tolist() == VOCABULARY.ids(["block"] * 9 + ["red"])


def test_what_a_model_may_see_is_checked():
    with pytest.raises(UsageError, match="unknown frame 'mine'"):
        FeatureSettings(frame="mine")
    with pytest.raises(UsageError, match="without it set frame: world"):
        FeatureSettings(pose=False)
    with pytest.raises(UsageError, match="previous_words is 0"):
        FeatureSettings(previous_words=0)
    assert FeatureSettings(earlier_dialogues="4").earlier_dialogues == 4  # as NAME=VALUE gives it
    with pytest.raises(UsageError, match=r"previous_words is 2\.5: expected a whole number"):
        FeatureSettings(previous_words=2.5)
    with pytest.raises(UsageError, match="earlier_dialogues is 9: expected 0 to 8"):
        FeatureSettings(earlier_dialogues=9)


def test_what_is_built_on_an_empty_board_is_learned_in_its_middle():
    moved = 0
    for item, example in zip(ITEMS, EXAMPLES):
        middle = centered(example)
        if len(item.before):
            assert middle is example
            continue
        framed = [frame_of(item.pose.yaw).cell(cell) for _, *cell in middle.net]
        for axis in (0, 2):
            along = [cell[axis] for cell in framed]
            assert min(along) + max(along) in (0, 1)
        actions = "\n".join(map(format_action, planned(item.before, middle.net)))
        reference = {
            "before": format_structure(item.before),
            "after": format_structure(item.after),
            "interpretations": item.interpretations,
        }
        scores = score([actions], [reference])
        assert scores["fairer_f1"] == 1.0  # the metric takes any place on an empty board
        moved += middle != example
    assert moved > 10
