"""Plans with fewer actions: every one is carried out by the rules, and none is longer than the gold plan."""

import random

import pytest
from plancraft_package import needs_package

from bap_v2_dataset.tasks.plancraft.policies import GIVE_UP, batched
from bap_v2_dataset.tasks.plancraft.rows import task_row
from bap_v2_dataset.tasks.plancraft.task_files import records
from bap_v2_simulators.plancraft.episode import Episode

needs_package()


def checked(record):
    """How many actions the batched plan saves; it has to make the target by the rules, with its last action."""
    row = task_row(record)
    plan = batched(row)
    episode = Episode(row)
    for action in plan:
        assert not episode.ended, record["id"]
        episode.take(action)
    assert episode.ended == "success", record["id"]
    assert len(plan) <= row["oracle_length"], record["id"]
    return row["oracle_length"] - len(plan)


def test_batched_plans_make_the_target():
    solvable = [record for record in records("validation") if not record["impossible"]]
    assert sum(map(checked, random.Random(0).sample(solvable, 40))) > 0


def test_an_impossible_task_is_given_up():
    record = next(record for record in records("validation") if record["impossible"])
    assert batched(task_row(record)) == [GIVE_UP]


@pytest.mark.slow
def test_batched_plans_make_every_target_of_test():
    saved = [checked(record) for record in records("test") if not record["impossible"]]
    assert len(saved) == 480 and sum(saved) / len(saved) == pytest.approx(1.306, abs=5e-4)
