"""Games, readings, rows and searches are the same in every process, whatever the hash seed of the interpreter is."""

import os
import subprocess
import sys

import pytest

GAMES = """
from bap_v2_simulators.corpora import SIMULATORS
from bap_v2_simulators.simulation import SPLITS, play
for make in SIMULATORS.values():
    print(*(play(make(), split, index, seed).to_json() for split in SPLITS for seed in (0, 42) for index in range(6)))
"""
SYMBOLIC = """
from bap_v2_dataset.tasks.building.baselines.symbolic_reader import symbolic
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.simulation import play
for item in (item for index in range(6) for item in items(play(simulator_of("dsb"), "train", index))):
    for said in ("on top of the corner", "to the left of the end of the row", "behind the middle of the line"):
        print(symbolic({**row(item), "dialogue": [f"<Architect> put a green block {said}"]}))
"""
GSU = """
import json
from bap_v2_dataset.tasks.gsu.rows import row_of
from bap_v2_simulators.gsu.configs import CONFIGS
print(json.dumps([row_of(config, "test", index) for config in CONFIGS.values() for index in range(6)]))
"""
PLANCRAFT = """
import json, os
from random import Random
from plancraft.environment import recipes as package_recipes
for found in package_recipes.RECIPES.values():  # as another file system would order them
    Random(os.environ["PYTHONHASHSEED"]).shuffle(found)
from bap_v2_dataset.tasks.plancraft.policies import batched
from bap_v2_dataset.tasks.plancraft.prompts import examples
from bap_v2_dataset.tasks.plancraft.rows import oracle_row, task_row
from bap_v2_dataset.tasks.plancraft.task_files import records
from bap_v2_simulators.plancraft.turns import TOOLS
from bap_v2_simulators.plancraft.search import search_reply
rows = [task_row(record) for record in records("validation_small")]
dialogues = [oracle_row(row) for row in rows if not row["impossible"]]
searches = [search_reply(name, Random(f"0/{name}")) for name in sorted(package_recipes.RECIPES)]
plans = [batched(row) for row in rows[::5]]
print(json.dumps([rows, dialogues, searches, plans, examples(TOOLS)]))
"""
PROGRAMS = {"games": GAMES, "symbolic": SYMBOLIC, "gsu": GSU, "plancraft": PLANCRAFT}
WITHOUT_PLANCRAFT = """
import sys
sys.modules["plancraft"] = None
import bap_v2_dataset.tasks.plancraft.policies, bap_v2_dataset.tasks.plancraft.rows
import bap_v2_dataset.tasks.plancraft.scoring, bap_v2_simulators.plancraft.episode
from bap_v2_dataset.tasks.plancraft.dataset import depends_on
print(depends_on("plancraft")[-1])
"""


def printed(program: str, seed: str = "0") -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_hash_seeds_and_the_order_of_files_change_nothing(name):
    if name == "plancraft":
        pytest.importorskip("plancraft", reason="needs the package: pip install --no-deps plancraft==0.4.9")
    outputs = {printed(PROGRAMS[name], seed) for seed in "017"}
    assert len(outputs) == 1 and len(outputs.pop()) > 1_000


@pytest.mark.slow
def test_plancraft_is_imported_without_its_package():
    assert printed(WITHOUT_PLANCRAFT) == "0.4.9"
