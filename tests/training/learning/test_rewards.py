"""The metric as a reward: six answers worked out by hand, and the scores of test sets."""

import pytest
from gsu_items import gsu_rows

from bap_v2_metric.errors import UserError
from bap_v2_metric.scoring import score, score_items
from bap_v2_training.errors import UsageError
from bap_v2_training.learning import rewards
from bap_v2_training.learning.rewards import PredictionReward, chosen_rewards, reward_weights
from bap_v2_training.tasks.building import BUILDING, BapTexts
from bap_v2_training.tasks.gsu import GSU, gsu_score

BEFORE, AFTER = ["blue 1 1 0"], ["blue 1 1 0", "red 0 1 0", "red 0 2 0"]
END = 2
# answer, its tokens (only the end matters), then by hand: fairer F1, feasible, well formed, clean, ended
ANSWERS = {
    "gold": ("place red 0 1 0\nplace red 0 2 0", [7, END], 1.0, 0.0, 0.0, 0.0, 0.0),
    "half": ("place red 0 1 0", [7, END], 2 / 3, 0.0, 0.0, 0.0, 0.0),
    "empty": ("", [END], 0.0, 0.0, -1.0, -1.0, 0.0),
    "garbage": ("I would\nput it there", [7, END], 0.0, 0.0, -1.0, -1.0, 0.0),
    "never ending": ("place red 0 1 0\nplace red 0 2 0\nplace red 0 2", [7, 7], 1.0, 0.0, -1 / 3, -1 / 3, -1.0),
    "infeasible": ("place red 0 1 0\nplace red 5 5 5\nplace red 1 1 0", [7, END], 2 / 3, -2 / 3, 0.0, -2 / 3, 0.0),
}


def columns(n: int) -> dict:
    return {"before": [BEFORE] * n, "after": [AFTER] * n, "interpretations": ["unique"] * n}


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_gets_the_rewards_worked_out_by_hand(name):
    text, ids, *expected = ANSWERS[name]
    functions = (rewards.fairer_f1, rewards.feasible, rewards.well_formed, rewards.clean, rewards.Ended([END]))
    got = [reward(completions=[text], completion_ids=[ids], **columns(1))[0] for reward in functions]
    assert got == pytest.approx(expected)


def test_f1_alone_does_not_see_answers_that_do_not_end_and_the_usual_sum_does():
    texts, ids = zip(*(ANSWERS[name][:2] for name in ("gold", "never ending")))
    assert rewards.fairer_f1(texts, **columns(2)) == [1.0, 1.0]
    tokenizer = type("Tokenizer", (), {"eos_token_id": END})()
    weights = reward_weights(None, BUILDING)
    functions = chosen_rewards(list(weights), BUILDING, BapTexts("n_posb_s"), tokenizer)
    sums = [0.0, 0.0]
    for reward, weight in zip(functions, weights.values()):
        for index, value in enumerate(reward(completions=texts, completion_ids=ids, **columns(2))):
            sums[index] += weight * value
    assert sums == pytest.approx([1.0, 1 - 0.5 / 3 - 0.5])


def test_many_guesses_are_not_worth_more_than_the_right_one():
    cells = [(x, y, z) for x in range(-2, 3) for y in (1, 2) for z in range(-2, 3) if (x, y, z) != (1, 1, 0)]
    guesses = "\n".join(f"place red {x} {y} {z}" for x, y, z in cells)
    assert rewards.fairer_f1([guesses], **columns(1))[0] < 0.1


def test_the_reward_is_the_score_of_the_item_and_the_logged_one_that_of_the_batch():
    texts = [text for text, *_ in ANSWERS.values()]
    references = [{"before": BEFORE, "after": AFTER, "interpretations": "unique"}] * len(texts)
    logged = {}
    got = rewards.fairer_f1(texts, **columns(len(texts)), log_metric=logged.__setitem__)
    for reward, item in zip(got, score_items(texts, references)):
        counts = item["fairer"]
        assert reward == 2 * counts["tp"] / (2 * counts["tp"] + counts["fp"] + counts["fn"])
    assert logged == {"micro_fairer_f1": pytest.approx(score(texts, references)["fairer_f1"])}


def test_blocks_may_be_moved_where_several_places_are_right():
    item = {"before": [[]], "after": [["red 0 1 0"]]}
    assert rewards.fairer_f1(["place red 3 1 3"], **item, interpretations=["multiple"]) == [1.0]
    assert rewards.fairer_f1(["place red 3 1 3"], **item, interpretations=[None]) == [0.0]  # as human train items
    assert rewards.fairer_f1(["place red 3 1 3"], **item) == [0.0]


def test_nothing_to_do_and_nothing_done_is_right():
    assert rewards.fairer_f1([""], before=[BEFORE], after=[BEFORE]) == [1.0]


def test_chats_are_read_by_their_last_message():
    chat = [{"role": "assistant", "content": "hm"}, {"role": "assistant", "content": ANSWERS["gold"][0]}]
    assert rewards.fairer_f1([chat], **columns(1)) == [1.0]
    assert rewards.fairer_f1([[]], **columns(1)) == [0.0]


def test_a_reference_that_cannot_be_read_is_named():
    with pytest.raises(UserError, match="purpl"):
        rewards.clean([""], before=[["purpl 0 1 0"]], after=[[]])


def test_answers_of_ego_are_rewarded_in_the_world():
    reward = PredictionReward(rewards.fairer_f1, BapTexts("ego"))
    row = {"pose": [{"x": 0.0, "y": 1.0, "z": 0.0, "yaw": 0.0, "pitch": 0.0}], "history": [["place red 0 1 0"]]}
    item = {"before": [["red 0 1 0"]], "after": [["red 0 1 0", "blue 0 2 0"]]}
    assert reward(completions=["place blue 0 1 0"], **row, **item) == [1.0]
    assert rewards.fairer_f1(["place blue 0 1 0"], **item) == [0.0]


def test_gsu_answers_get_their_score_and_a_missing_column_is_named():
    rows = gsu_rows("gsu_card2ego_2d", 4)
    given = {name: [row[name] for row in rows] for name in rows[0]}
    answers = [row["completion"] for row in rows]
    assert gsu_score(answers, **given) == [1.0] * 4
    assert gsu_score([""] * 4, **given) == [0.0] * 4
    del given["answer"]
    with pytest.raises(UsageError, match="needs the column 'answer'"):
        gsu_score(answers, **given)


def test_plancraft_answers_are_played():
    pytest.importorskip("plancraft", reason="the package plancraft is not installed")
    from bap_v2_training.tasks.plancraft import plancraft_success, plancraft_valid

    inventory = [{"slot": 10, "type": "oak_log", "quantity": 1}]
    task = {"id": ["OWN0"] * 4, "target": ["oak_planks"] * 4, "impossible": [False] * 4, "inventory": [inventory] * 4}
    plan = ["move: from [I1] to [A1] with quantity 1", "move: from [0] to [I2] with quantity 1"]
    chat = [{"role": "user" if turn == "." else "assistant", "content": turn} for turn in (plan[0], ".", plan[1])]
    answers = ["\n".join(plan), chat, "\n".join(["go", plan[0]]), ""]
    logged = {}
    assert plancraft_success(answers, **task, log_metric=logged.__setitem__) == [1.0, 1.0, 0.0, 0.0]
    assert logged == {"plancraft_success": 0.5}
    assert plancraft_valid(answers, **task) == [0.0, 0.0, -0.5, -1.0]
    with pytest.raises(UsageError, match="need the column 'inventory'"):
        plancraft_success(answers, id=task["id"], target=task["target"], impossible=task["impossible"])


def test_weights_are_read_and_wrong_ones_named():
    assert reward_weights(None, BUILDING) == {"fairer_f1": 1.0, "clean": 0.5, "ended": 0.5}
    assert reward_weights("gsu_score=2", GSU) == {"gsu_score": 2.0}
    for wrong, told in {"f1": "'f1'", "clean,clean": "once", "clean=x": "of clean is 'x'", "gsu_score": "gsu"}.items():
        with pytest.raises(UsageError, match=told):
            reward_weights(wrong, BUILDING)


def test_ended_needs_a_token_that_ends():
    with pytest.raises(UsageError, match="no end token"):
        rewards.Ended([])
