"""Simple Architects, read by the symbolic Builder."""

import pytest
from case_tables import cases_of

from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.tasks.architect.baselines import gold, next_block, repeat, silent
from bap_v2_dataset.tasks.architect.built import built
from bap_v2_dataset.tasks.architect.rows import architect_row
from bap_v2_dataset.tasks.architect.scorer import SCORER, score_items
from bap_v2_simulators.corpora import SIMULATORS
from bap_v2_simulators.corpus_table import PUBLISHED
from bap_v2_simulators.simulation import play

aggregate = SCORER.aggregate

POSE = {"x": 0.5, "y": 1.0, "z": -4.5, "yaw": 0.0, "pitch": 0.0}


def case(before: list[str], target: list[str], history: list[str]) -> dict:
    return {"id": "mine/0", "history": history, "pose": POSE, "before": before, "target": target, "utterances": []}


@pytest.fixture(scope="module")
def rows() -> list[dict]:
    games = [(name, play(SIMULATORS[name](), "test", index)) for name in PUBLISHED for index in range(8)]
    return [architect_row(row(item), f"architect_{name}", "test") for name, game in games for item in items(game)]


def scores(rows: list[dict], texts: list[str]) -> dict:
    return aggregate(score_items([built(own, text) for own, text in zip(rows, texts, strict=True)], rows))


def test_the_words_of_the_game_are_read_best_and_silence_least(rows):
    f1 = {one: scores(rows, [one(own) for own in rows])["reads_f1"] for one in (gold, next_block, repeat, silent)}
    assert f1[gold] == 1.0 > f1[next_block] > f1[repeat]
    assert f1[silent] < 0.2


def test_another_step_that_is_right_has_full_progress_and_few_reads(rows):
    found = scores(rows, [next_block(own) for own in rows])
    assert found["progress"] > 0.9 > found["reads_recall"]


@pytest.mark.parametrize(
    ("before", "target", "history", "said", "actions"),
    cases_of(__file__, "next_blocks"),
)
def test_next_block_says_what_is_to_be_done(before, target, history, said, actions):
    own = case(before, target, history)
    text = next_block(own)
    assert text.startswith("<Architect> ") and said in text
    assert built(own, text) == actions


def test_next_block_says_nothing_when_all_is_built_and_always_the_same():
    assert next_block(case(["red 0 1 0"], ["red 3 1 3"], ["place red 0 1 0"])) == ""
    own = case(["red 0 1 0"], ["red 0 1 0", "blue 0 2 0"], ["place red 0 1 0"])
    assert next_block(own) == next_block(own | {"utterances": ["<Architect> x"], "actions": ["pick 0 1 0"]})


def test_repeat_says_the_last_words_again():
    assert repeat(case([], [], ["<Architect> a", "<Architect> ", "<Builder> b", "place red 0 1 0"])) == "<Architect> a"
    assert repeat(case([], [], ["<Builder> Mission has started."])) == silent(case([], [], [])) == ""
