"""The next turn of a gold dialogue: gold answers have every score; what brings the end nearer is on plan."""

from random import Random

import pytest
from case_tables import cases_of
from plancraft_package import needs_package

from bap_v2_dataset.tasks.plancraft.next_turns import next_turn_counts, next_turn_row
from bap_v2_dataset.tasks.plancraft.policies import batched
from bap_v2_dataset.tasks.plancraft.rows import oracle_row, task_row
from bap_v2_dataset.tasks.plancraft.task_files import records
from bap_v2_simulators.plancraft.episode import Episode
from bap_v2_simulators.plancraft.turns import ALWAYS, written

needs_package()


@pytest.fixture(scope="module")
def tasks():
    """The tasks of validation that can be solved, by id."""
    return {record["id"]: task_row(record) for record in records("validation") if not record["impossible"]}


def asked(task, n):
    """The question after `n` turns of the gold plan."""
    return {**next_turn_row(task), "turns_before": n, "completion": task["plan"][n]}


def scores(row, answer):
    counts = next_turn_counts(row, answer)
    return counts["on_plan"], counts["valid"], counts["exact"]


def after(row, *turns):
    """The episode after the turns before the question, and more."""
    return Episode(row, ALWAYS).play([*row["plan"][: row["turns_before"]], *turns])


def test_gold_turns_have_every_score_and_no_answer_has_none(tasks):
    for row in map(next_turn_row, tasks.values()):
        assert scores(row, row["completion"]) == (1, 1, 1), row["id"]
        assert scores(row, "") == (0, 0, 0)


def test_a_question_is_a_place_of_the_gold_dialogue(tasks):
    rows = [next_turn_row(task) for task in tasks.values()]
    assert len(rows) == 470 and {row["turns_before"] == 0 for row in rows} == {True, False}
    for row in rows[::10]:
        system, *dialogue = oracle_row(tasks[row["id"]])["messages"]
        seen, gold = dialogue[2 * row["turns_before"] : 2 * row["turns_before"] + 2]
        assert row["completion"] == gold["content"]
        assert row["prompt"].startswith(system["content"]) and seen["content"] in row["prompt"]
        assert row == next_turn_row(tasks[row["id"]])


# VAL0000: six cyan_stained_glass in [I17] make a pane, in two rows of the grid; [I2] has cobblestone stairs.
@pytest.mark.parametrize(
    ("n", "answer", "expected", "why"),
    cases_of(__file__, "answers"),
)
def test_hand_worked_answers(tasks, n, answer, expected, why):
    assert scores(asked(tasks["VAL0000"], n), answer) == tuple(expected), why


def test_moving_a_thing_to_an_empty_slot_is_never_on_plan(tasks):
    for row in map(next_turn_row, list(tasks.values())[::6]):
        state = after(row).state
        source = max(slot for slot in state if slot >= 10)
        target = max(slot for slot in range(10, 46) if slot not in state)
        answer = written("move", source, target, state[source]["quantity"])
        assert scores(row, answer) == (0, 1, 0), (row["id"], answer)


def test_the_first_turn_of_a_plan_with_fewer_actions_is_on_plan(tasks):
    firsts = {task["id"]: batched(task)[0] for task in list(tasks.values())[::8]}
    assert all(scores(asked(tasks[name], 0), answer)[0] for name, answer in firsts.items())
    assert any("quantity 1" not in answer for answer in firsts.values())


@pytest.mark.slow
def test_two_turns_before_the_end_on_plan_says_whether_one_more_turn_can_end_it(tasks):
    random, n_right = Random(0), 0
    for task in random.sample(sorted(tasks.values(), key=lambda task: task["id"]), 8):
        if len(task["plan"]) < 2:
            continue
        row = asked(task, len(task["plan"]) - 2)
        occupied = sorted(after(row).state)
        answers = {
            written(kind, source, target, 1)
            for kind in ALWAYS
            for source in occupied
            for target in random.sample(range(1, 46), 6)
            if source != target
        }
        for answer in (row["completion"], *sorted(answers)):
            there = after(row, answer)
            can_end = there.state != after(row).state and (there.success or ends_with_one_turn(there))
            assert next_turn_counts(row, answer)["on_plan"] == can_end, (row["id"], answer)
            n_right += can_end
    assert n_right > 8


def ends_with_one_turn(episode) -> bool:
    """Whether some turn makes the target now."""
    free = next(slot for slot in range(10, 46) if slot not in episode.state)
    turns = [
        written(kind, source, free, quantity)
        for kind in ALWAYS
        for source, item in episode.state.items()
        for quantity in {1, item["quantity"]}
    ]
    return any(episode.fork().play([turn]).success for turn in turns)
