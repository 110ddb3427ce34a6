"""The scorer "plancraft": what is counted for an episode, how episodes are added up, and how sure scores are."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_dataset.tasks.plancraft.counts import score_items
from bap_v2_dataset.tasks.plancraft.scorer import SCORER, signature
from bap_v2_metric.scoring import InputError

pytestmark = pytest.mark.usefixtures("few_are_enough")

aggregate = SCORER.aggregate
bootstrap = SCORER.bootstrap
paired_bootstrap = SCORER.paired_bootstrap

MOVE = "move: from [I1] to [A1] with quantity 1"


def task(name, complexity_bin, oracle_length=0, recipe_type=None):
    return {
        "id": name,
        "impossible": complexity_bin == 5,
        "complexity_bin": complexity_bin,
        "oracle_length": oracle_length,
        "recipe_type": recipe_type,
    }


def episode(turns, success=False, tokens=None):
    return {"turns": list(turns), "success": success, "tokens": tokens}


TASKS = [task("a", 0, 3, "shaped"), task("b", 3, 9, "mixed"), task("c", 2, 6, "smelting"), task("d", 5)]
EPISODES = [
    episode(["think: planks", *[MOVE] * 3], True, 400),
    episode([*["what?"] * 2, *[MOVE] * 28], False, 9000),
    episode(["impossible: no ore"], False, 90),
    episode(["search: bread", "impossible: no wheat"], True, 200),
]
OTHERS = [episode([MOVE] * 3, True), episode([MOVE] * 30), episode([MOVE] * 6, True), episode(["think: x"] * 30)]


def test_the_worked_example():
    scores = aggregate(score_items(EPISODES, TASKS))
    expected = {
        "success": 1 / 3, "easy_success": 1, "medium_success": 0, "hard_success": 0,
        "smelting_success": 0, "shaped_success": 1, "mixed_success": 0, "shapeless_success": None,
        "impossible_precision": 1 / 2, "impossible_recall": 1, "impossible_f1": 2 / 3,
        "turns": 35 / 3, "plan_length": 31 / 3, "ae": 0, "ae_turns": 1,
        "think": 1 / 3, "search": 0, "invalid": 2 / 3, "impossible": 1 / 3, "tokens": 9490 / 3,
        "n_items": 4, "n_tasks": 4, "n_unfinished": 0,
    }  # fmt: skip
    assert scores == {**expected, "signature": scores["signature"]}


def test_scores_of_nothing():
    nothing = aggregate([])
    assert nothing["n_items"] == 0
    assert all(value is None for name, value in nothing.items() if not name.startswith(("n_", "signature")))
    only_impossible = aggregate(score_items([EPISODES[3]], [TASKS[3]]))
    assert only_impossible["success"] is None and only_impossible["ae"] is None
    assert aggregate(score_items([EPISODES[0]], [TASKS[0]]))["impossible_f1"] is None
    lost = aggregate(score_items([episode([MOVE] * 30)], [TASKS[0]]))
    assert (lost["success"], lost["ae"], lost["ae_turns"], lost["tokens"]) == (0.0, None, None, None)


def test_an_episode_without_an_end_is_counted():
    scores = aggregate(score_items([episode([]), episode([MOVE]), EPISODES[1]], [TASKS[0], TASKS[2], TASKS[1]]))
    assert scores["n_unfinished"] == 2 and scores["success"] == 0


def test_a_shorter_way_than_the_oracle_has_an_efficiency_below_zero():
    scores = aggregate(score_items([episode([MOVE] * 5, True)], [TASKS[1]]))
    assert (scores["ae"], scores["ae_turns"]) == (-4, -4)


@given(st.permutations(range(8)))
def test_the_order_of_the_episodes_does_not_matter(order):
    items = score_items(EPISODES + OTHERS, TASKS * 2)
    assert aggregate([items[index] for index in order]) == aggregate(items)
    assert aggregate(items)["n_tasks"] == 4


def test_always_giving_up_has_the_f1_of_its_share():
    tasks = [task(f"s{number}", number % 5, 4, "mixed") for number in range(48)] + [task(f"i{n}", 5) for n in range(10)]
    said = [episode(["impossible: as always"], item["impossible"]) for item in tasks]
    assert aggregate(score_items(said, tasks))["impossible_f1"] == pytest.approx(2 * 10 / (48 + 2 * 10))


def test_the_lenient_reading_is_another_score():
    loose = episode(["Move I1 -> A1"], True)
    with pytest.raises(InputError, match="neither a move nor a smelt"):
        score_items([loose], [TASKS[0]])
    (item,) = score_items([loose], [TASKS[0]], reading="lenient")
    assert item["actions"] == 1
    assert signature(reading="lenient") != signature()


@pytest.mark.parametrize(
    ("prediction", "reference", "arguments", "said"),
    [
        (episode([MOVE] * 31), TASKS[0], {}, "31 turns, and max_steps is 30"),
        (episode(["impossible: x"], False), TASKS[3], {}, "gives up and the task is impossible"),
        (episode([MOVE], True), TASKS[3], {}, "does not give up"),
        (episode(["think: x"], True), TASKS[0], {}, "neither a move nor a smelt"),
        (episode([MOVE], True, -1), TASKS[0], {}, "'tokens': -1"),
        (episode([MOVE], "yes"), TASKS[0], {}, "'success': 'yes'"),
        ({"turns": MOVE, "success": True}, TASKS[0], {}, "'turns'"),
        ("move", TASKS[0], {}, "prediction is 'move'"),
        (EPISODES[0], {**TASKS[0], "complexity_bin": 6}, {}, "'complexity_bin': 6"),
        (EPISODES[0], {**TASKS[0], "impossible": True}, {}, "but impossible is True"),
        (EPISODES[0], {**TASKS[0], "oracle_length": None}, {}, "no field 'oracle_length'"),
        (EPISODES[0], {**TASKS[0], "recipe_type": "cooked"}, {}, "'recipe_type': 'cooked'"),
        (EPISODES[0], TASKS[0], {"tools": "M S X"}, "'X' is none"),
        (EPISODES[0], TASKS[0], {"reading": "strict"}, "reading='strict'"),
        (EPISODES[0], TASKS[0], {"max_steps": 0}, "max_steps=0"),
    ],
)
def test_what_cannot_be_is_an_error_that_names_it(prediction, reference, arguments, said):
    with pytest.raises(InputError, match=said):
        score_items([prediction], [reference], **arguments)


def test_one_id_is_one_task():
    with pytest.raises(InputError, match="episode 1: a is another task"):
        score_items(EPISODES[:1] * 2, [TASKS[0], {**TASKS[0], "oracle_length": 4}])


def random_items(seed, runs=1):
    rng = random.Random(seed)
    tasks = [task(f"t{n}", rng.randrange(6), rng.randint(1, 9), "mixed") for n in range(40)] * runs
    won = [rng.random() < 0.5 for _ in tasks]
    said = [
        episode(
            [*[MOVE] * rng.randint(0, 20), "impossible: x" if of["impossible"] else MOVE], of["impossible"] or yes, 7
        )
        for of, yes in zip(tasks, won)
    ]
    return score_items(said, tasks)


def test_intervals_hold_the_scores_and_runs_of_a_task_are_drawn_together():
    items = random_items(1)
    scores, intervals = aggregate(items), bootstrap(items, 300)
    for name, (low, high) in intervals.items():
        assert low <= scores[name] <= high, name
    assert bootstrap(items, 300) == intervals
    twice = bootstrap(items * 2, 300)  # no surer than once: the same tasks
    assert twice["success"] == intervals["success"] and twice["ae"] == intervals["ae"]
    assert bootstrap(score_items(EPISODES[3:], TASKS[3:]), 50)["impossible_f1"] == (1.0, 1.0)


def test_systems_are_compared_on_the_same_tasks():
    items, others = score_items(EPISODES, TASKS), score_items(OTHERS, TASKS)
    tests = paired_bootstrap(items, others, 300)
    assert set(tests) == {"success", "impossible_f1", "ae", "ae_turns"}
    assert tests["success"]["difference"] == pytest.approx(1 / 3 - 2 / 3)
    assert paired_bootstrap(items, items, 300)["success"]["p_value"] == 1.0
    with pytest.raises(InputError, match="item 0 is an episode of a for one system and an episode of d"):
        paired_bootstrap(items, items[::-1])
