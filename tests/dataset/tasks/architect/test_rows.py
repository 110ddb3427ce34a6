"""The rows of Architect generation: the same moments as the items, with the words as the answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_dataset.interface.table import TASKS
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.tasks.architect.baselines import gold
from bap_v2_dataset.tasks.architect.built import built
from bap_v2_dataset.tasks.architect.ids import id_of, item_id_of, split_of_id
from bap_v2_dataset.tasks.architect.prompts import REPRESENTATIONS, render, shown_history
from bap_v2_dataset.tasks.architect.rows import (
    architect_row,
    builder_item,
    since_the_last_action,
    spoken,
    turn_of_the_architect,
)
from bap_v2_dataset.tasks.architect.scorer import SCORER, score_items
from bap_v2_dataset.tasks.architect.task import BASE_OF as BASE_OF_ARCHITECT
from bap_v2_metric.errors import UserError
from bap_v2_simulators.corpora import SIMULATORS
from bap_v2_simulators.corpus_table import PUBLISHED
from bap_v2_simulators.simulation import SPLITS, play

aggregate = SCORER.aggregate

GAMES = 12


@pytest.fixture(scope="module", params=list(PUBLISHED))
def pairs(request) -> list[tuple[dict, dict]]:
    """Items of some games of a simulator, each with the row that is made of it."""
    name = request.param
    games = (play(SIMULATORS[name](), "test", index) for index in range(GAMES))
    rows = [row(item) for game in games for item in items(game)]
    return [(item, architect_row(item, f"architect_{name}", "test")) for item in rows]


def test_every_simulated_item_has_a_row_of_the_same_moment(pairs):
    for item, own in pairs:
        assert own is not None and own["metadata"]["item"] == item["id"]
        for name in ("game_id", "pose", "before", "target", "after", "actions", "interpretations"):
            assert own[name] == item[name]


def test_history_and_utterances_are_what_was_said_in_order(pairs):
    for item, own in pairs:
        said = [*item["history"], *item["dialogue"]]
        heard = [*own["history"], *own["utterances"]]
        assert said[: len(heard)] == heard
        assert all(line.startswith("<Builder>") for line in said[len(heard) :])  # what the Builder says before it acts


def test_the_reader_builds_on_gold_utterances_what_was_built(pairs):
    rows = [own for _, own in pairs]
    scores = aggregate(score_items([built(own, gold(own)) for own in rows], rows))
    assert scores["reads_f1"] == scores["built"] == 1.0


def test_the_prompt_has_what_the_architect_knows_and_not_what_it_says(pairs):
    for _, own in pairs:
        assert own["prompt"] == render(own)
        assert own["completion"].splitlines() == own["utterances"] == spoken(own["completion"])
        assert not own["prompt"].endswith(own["completion"] + "\n### US:\n")
        for line in (*own["history"], *own["before"], *own["target"]):
            assert f"\n{line}\n" in own["prompt"]


@pytest.mark.parametrize("representation", REPRESENTATIONS)
def test_no_prompt_tells_in_which_order_the_target_is_built(pairs, representation):
    for _, own in pairs[:30]:
        other = own | {"target": sorted(own["target"])}
        if own["before"] or representation != "ego":
            assert render(own, representation) == render(other, representation)


@pytest.mark.parametrize("representation", REPRESENTATIONS)
def test_the_newest_lines_of_the_history_are_shown(pairs, representation):
    for _, own in pairs[:30]:
        for newest in (0, 2, None):
            shown = shown_history(own, representation, newest)
            text = render(own, representation, newest)
            assert text.split("\n")[1 : 1 + len(shown)] == shown
            assert len(shown) <= (len(own["history"]) if newest is None else newest)


def test_an_unknown_representation_is_named(pairs):
    with pytest.raises(UserError, match="expected one of structures, ego"):
        render(pairs[0][1], "n")


def test_missing_and_wrong_blocks_are_those_between_board_and_target():
    own = {
        "history": ["<Architect> a tower", "place red 1 1 0", "place green 1 2 0"],
        "pose": {"x": 0.0, "y": 1.0, "z": -4.0, "yaw": 0.0, "pitch": 0.0},
        "before": ["red 1 1 0", "green 1 2 0"],
        "target": ["red -3 1 2", "red -3 2 2", "blue -3 3 2"],  # a tower elsewhere
    }
    lines = render(own, "ego").splitlines()
    wrong, missing = lines.index("Wrong blocks are:"), lines.index("Missing blocks are:")
    assert lines[wrong + 1 : missing] == ["green 0 0 0"]
    assert lines[missing + 1 : -1] == ["red 0 0 0", "blue 0 1 0"]


def test_the_items_of_builders_are_read_as_the_row(pairs):
    for item, own in pairs:
        there = builder_item(own, own["completion"])
        assert [*there["history"], *there["dialogue"]] == [*own["history"], *own["utterances"]]
        assert there["history"] == item["history"] and there["id"] == own["id"]


# --- ids


@pytest.mark.parametrize("config", BASE_OF_ARCHITECT)
@pytest.mark.parametrize("split", SPLITS)
def test_an_id_tells_config_and_split(config, split):
    base = BASE_OF_ARCHITECT[config]
    item_id = "B1-A3-C5-1522432776975/0" if base == "mdc" else f"{base}-{split}-12/3"
    row_id = id_of(item_id, config, split)
    assert split_of_id(row_id) == (config, split) and item_id_of(row_id) == item_id
    assert sum(bool(task.split_of_id(row_id)) for task in TASKS.values()) == 1  # of no other task


@pytest.mark.parametrize(
    "other", ["dsb-test-0/3", "architect_dsb-seed7-test-0/3", "architect_mdc-0/1", "architect", ""]
)
def test_other_ids_tell_nothing(other):
    assert split_of_id(other) is None and item_id_of(other) is None


# --- which lines are the answer

LINES = st.lists(st.sampled_from(["<Architect> a", "<Architect> b", "<Builder> c", "place red 0 1 0"]), max_size=8)


@given(LINES.map(lambda lines: [line for line in lines if line.startswith("<")]))
def test_the_turn_is_the_last_run_of_lines_of_the_architect(dialogue):
    start, end = turn_of_the_architect(dialogue)
    assert all(line.startswith("<Architect>") for line in dialogue[start:end])
    assert not any(line.startswith("<Architect>") for line in dialogue[end:])
    assert not start or not dialogue[start - 1].startswith("<Architect>") or start == end


@given(LINES)
def test_after_the_last_action_there_is_only_chat(history):
    start = since_the_last_action(history)
    assert all(line.startswith("<") for line in history[start:])
    assert not start or not history[start - 1].startswith("<")


@pytest.mark.parametrize(
    ("dialogue", "utterances"),
    [
        (["<Architect> a red one"], ["<Architect> a red one"]),
        (["<Architect> hi", "<Architect> a red one", "<Builder> ok"], ["<Architect> hi", "<Architect> a red one"]),
        (["<Architect> a block", "<Builder> which?", "<Architect> a red one"], ["<Architect> a red one"]),
        (["<Builder> next?"], None),
        (["<Architect> "], None),  # a line without words
        ([], None),
    ],
)
def test_which_lines_count_in_a_human_game(dialogue, utterances):
    item = {
        "id": "B1/0", "game_id": "B1", "history": ["<Builder> hi"], "dialogue": dialogue, "before": [], "actions": [],
        "after": [], "target": ["red 0 1 0"], "interpretations": "unique", "metadata": {"source": "human"},
        "pose": {"x": 0.0, "y": 1.0, "z": -4.0, "yaw": 0.0, "pitch": 0.0},
    }  # fmt: skip
    own = architect_row(item, "architect_mdc", "test")
    assert (own and own["utterances"]) == utterances


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one\ntwo\nthree", 3), ("<Architect> one\n\n  <Architect>two  ", 2), ("", 0), ("\n<Architect>\n", 0),
        ("one\n<Builder> two\n<Architect> three", 1), ("<Builder> one\n<Architect> two", 0),
    ],
)  # fmt: skip
def test_a_prediction_has_any_number_of_utterances(text, lines):
    assert len(spoken(text)) == lines
    assert all(line.startswith("<Architect> ") and line[12:].strip() for line in spoken(text))


@pytest.mark.slow
def test_human_rows_have_words_and_the_moments_of_the_items(mdc_items):
    for split, human in mdc_items.items():
        made = [architect_row(row(item), "architect_mdc", split) for item in human]
        rows = [own for own in made if own]
        assert len(rows) == {"train": 3627, "validation": 1294, "test": 1586}[split]
        assert all(own["utterances"] and split_of_id(own["id"]) == ("architect_mdc", split) for own in rows)
        silent = [item for item, own in zip(human, made, strict=True) if own is None]
        assert not any(line.removeprefix("<Architect>").strip() for item in silent for line in item.dialogue
                       if line.startswith("<Architect>"))  # fmt: skip
