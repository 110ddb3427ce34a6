"""The symbolic reader answers the same whatever the hash seed of the interpreter is."""

import os
import subprocess
import sys

SCRIPT = """
from bap_v2_dataset.tasks.building.baselines.symbolic_reader import symbolic
from bap_v2_dataset.tasks.building.items import items
from bap_v2_dataset.tasks.building.rows import row
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.simulation import play

for index in range(6):
    for item in items(play(simulator_of("dsb"), "train", index)):
        for said in ("on top of the corner", "to the left of the end of the row", "behind the middle of the line"):
            print(symbolic({**row(item), "dialogue": [f"<Architect> put a green block {said}"]}))
"""


def test_the_hash_seed_does_not_matter():
    answers = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT], env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True, text=True, check=True,
        ).stdout
        for seed in "0123"
    }  # fmt: skip
    assert len(answers) == 1 and "place green" in answers.pop()
