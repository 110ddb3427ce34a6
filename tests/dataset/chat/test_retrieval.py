"""Shots leak nothing, and the most similar ones are chosen."""

import numpy as np
import pytest
from chat_items import TEST, TRAIN, no_leak
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_dataset.chat import retrieval

pytest.importorskip("bm25s", reason="the extra `icl` is not installed")

SIMILARITIES = {
    "words": lambda rows, pool: retrieval.by_words(*([retrieval.compared_text(r) for r in p] for p in (rows, pool))),
    "random": lambda rows, pool: retrieval.at_random([row["id"] for row in rows], len(pool), 0),
    "all equal": lambda rows, pool: [np.zeros(len(pool)) for _ in rows],
}


@pytest.mark.parametrize("similarity", SIMILARITIES.values(), ids=SIMILARITIES)
@pytest.mark.parametrize("rows", [TEST, TRAIN], ids=["test", "train"])  # for train items, too, nothing leaks
def test_no_shot_is_of_the_same_game_target_or_kind_of_board(rows, similarity):
    for row, positions in zip(rows, retrieval.retrieved(rows, TRAIN, 5, similarity(rows, TRAIN))):
        assert len(positions) == 5
        no_leak(row, [TRAIN[position] for position in positions])


@pytest.mark.slow
def test_on_the_human_corpus_no_shot_is_of_test_nor_of_the_same_game_or_target(corpus):
    from datasets import load_dataset

    import bap_v2_dataset  # noqa: F401 (registers the name)

    columns = list(retrieval.COLUMNS)
    splits = load_dataset("bap_v2", "mdc_v2")
    test, train = (splits[name].select_columns(columns).to_list() for name in ("test", "train"))
    ids = {row["id"] for row in test}
    for rows in (test[::12], train[::300]):
        texts = [[retrieval.compared_text(row) for row in members] for members in (rows, train)]
        for row, positions in zip(rows, retrieval.retrieved(rows, train, 5, retrieval.by_words(*texts))):
            shots = [train[position] for position in positions]
            assert len(shots) == 5 and ids.isdisjoint(one["id"] for one in shots)
            no_leak(row, shots)


@given(st.integers(0, 3), st.permutations(["red", "blue", "green"]), st.integers(-2, 2))
def test_a_target_is_recognized_however_it_is_turned_moved_or_recolored(turns, colors, shift):
    cells = [(0, 1, 0), (1, 1, 0), (1, 2, 0), (1, 2, 2)]
    moved = cells
    for _ in range(turns):
        moved = [(z, y, -x) for x, y, z in moved]
    named = [f"{color} {x} {y} {z}" for color, (x, y, z) in zip(["red", "red", "blue", "green"], cells)]
    other = [f"{colors[0]} {x + shift} {y} {z - shift}" for x, y, z in moved]
    assert retrieval.target_digest({"target": named}) == retrieval.target_digest({"target": other[::-1]})
    assert retrieval.target_digest({"target": named[1:]}) != retrieval.target_digest({"target": named})


def test_a_row_without_a_target_gets_shots():
    row = {**TEST[0], "target": []}
    pool = [{**one, "target": []} for one in TRAIN]
    assert len(next(retrieval.retrieved([row], pool, 5, [np.zeros(len(pool))]))) == 5


def test_the_most_similar_shot_is_next_to_the_question():
    row = {**TEST[0], "dialogue": ["<Architect> a purple zigzag behind the arch"]}
    alike, like = ({**one, "dialogue": [text]} for one, text in zip(
        [one for one in TRAIN if bool(one["before"]) == bool(row["before"])][4:20:8],
        ["<Architect> a purple zigzag", "<Architect> an arch"]))  # fmt: skip
    pool = [like if one["id"] == like["id"] else alike if one["id"] == alike["id"] else one for one in TRAIN]
    texts = [[retrieval.compared_text(each) for each in members] for members in ([row], pool)]
    (positions,) = retrieval.retrieved([row], pool, 2, retrieval.by_words(*texts))
    assert [pool[position]["id"] for position in positions] == [like["id"], alike["id"]]


def test_bm25_by_hand():
    # Two texts of two words: the norm is 1.5. "red" is in one: rarity log 2; "tower" in both: log 1.2.
    ((first, second),) = retrieval.by_words(["Red tower!"], ["red tower", "tower tower"])
    assert first == pytest.approx(np.log(2) + np.log(1.2))
    assert second == pytest.approx(np.log(1.2) * 2 * 2.5 / 3.5)


@pytest.mark.parametrize("pool", [[], ["?"], ["red"]], ids=["no pool", "no words", "no word in common"])
def test_without_words_in_common_all_similarities_are_zero(pool):
    for values in retrieval.by_words(["blue", ""], pool):
        assert values.tolist() == [0] * len(pool)


def test_random_shots_are_each_items_own_and_the_same_every_time():
    a, b = retrieval.at_random(["a", "b"], 50, 0)
    (again,) = retrieval.at_random(["a"], 50, 0)
    (other,) = retrieval.at_random(["a"], 50, 1)
    assert (a == again).all() and (a != b).any() and (a != other).any()
