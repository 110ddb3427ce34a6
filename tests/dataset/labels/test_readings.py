"""Readings of the human train and validation items, what the next turn does to them, and the split of clear ones."""

import os

import datasets
import pytest
import small_corpus

from bap_v2_dataset.augmentation.variants import augmented
from bap_v2_dataset.human.game_store import mdc_games
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.labels import readings
from bap_v2_dataset.labels.readings import READER, read_items, reading_of
from bap_v2_dataset.tasks.building.baselines.by_name import BASELINES
from bap_v2_dataset.tasks.building.corpus_stats import reading_counts
from bap_v2_dataset.tasks.building.error_analysis import DIMENSIONS
from bap_v2_dataset.tasks.building.pictures.columns import item_columns
from bap_v2_metric.actions import execute
from bap_v2_metric.errors import UserError
from bap_v2_metric.notation import format_structure, parse_action, parse_structure
from bap_v2_simulators.game import Game

POSE = [0.5, 1.0, -2.5, 10.0, 20.0]
TURNS = [turn.split(", ") for turn in ("place red 0 1 0, place red 1 1 0", "pick 1 1 0, place blue 2 1 0", "pick 2 1 0",
                                       "place red 2 1 0")]  # fmt: skip


@pytest.fixture
def game(monkeypatch) -> Game:
    """A game in which each turn takes back something of the one before it; its readings are what was built."""
    events = [part for actions in TURNS for part in ("<Architect> so", {"pose": POSE, "actions": actions})]
    made = Game.from_dict({"game_id": "g", "split": "train", "metadata": {"source": "human"}, "events": events})
    notes = {item.item_id: {"clear": item.index != 1, "actions": TURNS[item.index]} for item in items(made)}
    monkeypatch.setattr(readings, "_readings", lambda: notes)
    return made


def test_the_next_turn_keeps_takes_back_or_ends(game):
    notes = [item.metadata["annotation"] for item in read_items(game)]
    assert [note["next_turn"] for note in notes] == ["partly undone", "partly undone", "kept", "last"]
    assert [note["clear"] for note in notes] == [True, False, True, True]
    assert [readings.is_clear_and_kept(item) for item in read_items(game)] == [False, False, True, True]


@pytest.mark.parametrize("variant", [1, 2, 3])
def test_a_reading_is_turned_and_recolored_with_its_game(game, variant):
    for item in read_items(augmented(game, variant)):
        assert execute(item.before, map(parse_action, reading_of(row(item)).splitlines())).after == item.after


@pytest.mark.parametrize(
    ("before", "reading", "after"),
    [
        ([], ["place red 0 3 0"], ["red 0 3 0"]),  # floats
        (["red 0 1 0", "red 0 2 0"], ["pick 0 1 0", "place blue 0 1 0"], ["blue 0 1 0", "red 0 2 0"]),
        (["red 0 1 0"], ["pick 0 1 0", "place red 0 1 0"], ["red 0 1 0"]),  # nothing, net
        ([], ["place red 5 1 0", "place red 6 1 0"], ["red 5 1 0"]),  # one outside the BuildRegion
    ],
)
def test_a_reading_can_be_carried_out(before, reading, after):
    own = {"before": before, "metadata": {"annotation": {"reading": reading}}}
    execution = execute(parse_structure(before), map(parse_action, reading_of(own).splitlines()))
    assert sorted(format_structure(execution.after)) == sorted(after) and not execution.infeasible
    assert BASELINES["reading"](own) == reading_of(own)


@pytest.mark.parametrize("metadata", [None, {}, {"annotation": {"reading": "none"}}, {"annotation": {"reading": [3]}}])
def test_a_row_without_a_reading(metadata):
    assert reading_of({"before": [], "metadata": metadata}) is None
    with pytest.raises(UserError, match=r"g/0 has no reading: human items of train and validation have one"):
        BASELINES["reading"]({"id": "g/0", "before": [], "metadata": metadata})


def test_an_item_is_found_by_its_reading_and_shown_beside_it(game):
    rows = [row(item) for item in read_items(game)]
    bins = {dimension.name: [dimension.bins(one) for one in rows] for dimension in DIMENSIONS}
    assert bins["next_turn"][0] == ("partly undone",) and bins["clear"] == [
        ("clear",),
        ("unclear",),
        ("clear",),
        ("clear",),
    ]
    assert [column.scores["fairer"] for column in item_columns(rows[0]) if column.name == READER] == [1.0]
    assert READER not in [column.name for column in item_columns(row(next(items(game))))]


def test_the_split_of_clear_items_holds_rows_of_validation(own_home, tmp_path, monkeypatch):
    corpus = str(small_corpus.write(tmp_path / "mdc"))
    monkeypatch.setattr(readings, "_readings", lambda: {f"{small_corpus.EDGE}/1": {"clear": True, "actions": []}})
    rows = datasets.load_dataset("bap_v2", "mdc", mdc=corpus)
    assert rows["validation_clear"].to_list() == [rows["validation"][1]]
    assert rows["validation"][0]["metadata"]["annotation"] == {"next_turn": "kept"}
    assert not any("annotation" in metadata for metadata in rows["test"]["metadata"])
    monkeypatch.setattr(readings, "_readings", dict)
    monkeypatch.setattr("bap_v2_dataset.tasks.building.dataset.DATA_VERSION", "other rows")
    assert "validation_clear" not in datasets.load_dataset("bap_v2", "mdc", mdc=corpus)


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("BAP_V2_MDC"), reason="needs the human corpus")
def test_every_train_and_validation_item_has_a_reading_and_the_counts_are_those_of_the_documents():
    games = mdc_games()
    assert {item.item_id for name in ("train", "validation") for item in games.items(name)} == {*readings._readings()}
    counts = reading_counts(games)
    undone = {split: of["  partly undone"]["items"] + of["  undone"]["items"] for split, of in counts.items()}
    assert undone == {"train": 739, "validation": 262, "both": 1001}
    assert [counts[split]["items"]["undone"] for split in ("train", "validation")] == [1389, 581]
    both = {name.strip(): (of["on_blocks"], round(100 * of["fairer_f1"], 1)) for name, of in counts["both"].items()}
    assert both["items"] == (4647, 76.2) and both["unclear"] == (900, 49.6) and both["undone"] == (417, 23.2)
    assert counts["validation"]["  clear and not undone"]["on_blocks"] == 832
