"""Plans with fewer actions: every one is carried out by the rules, and none is longer than the gold plan."""

import random

import pytest
from plancraft_package import needs_package

from bap_v2_dataset.plancraft.plans import gold_steps
from bap_v2_dataset.plancraft.rows import task_row
from bap_v2_dataset.plancraft.short_plans import short_plan
from bap_v2_dataset.plancraft.task_files import records
from bap_v2_simulators.plancraft.episode import Episode, inventory_of

needs_package()


def checked(record, beam):
    """How many actions the short plan saves; it has to make the target by the rules."""
    row = task_row(record)
    steps = gold_steps(record["optimal_path"], [record["inventory"], *record["inventory_trace"]])
    episode = Episode(row)
    for action in short_plan(steps, inventory_of(row), beam):
        assert not episode.ended, record["id"]
        episode.take(action)
    assert episode.ended == "success", record["id"]
    assert len(episode.turns) <= row["oracle_length"], record["id"]
    return row["oracle_length"] - len(episode.turns)


def test_short_plans_make_the_target():
    solvable = [record for record in records("validation") if not record["impossible"]]
    saved = [checked(record, 10) for record in random.Random(0).sample(solvable, 40)]
    assert sum(saved) > 0


@pytest.mark.slow
@pytest.mark.parametrize("split", ["validation", "test"])
def test_short_plans_make_every_target(split):
    assert sum(checked(record, 10) for record in records(split) if not record["impossible"]) > 0
