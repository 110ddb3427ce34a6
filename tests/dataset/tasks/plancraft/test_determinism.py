"""Rows, chats and searches are the same in every process, and importing them needs no package."""

import hashlib
import os
import subprocess
import sys

import pytest
from plancraft_package import needs_package

needs_package()

PROGRAM = """
import hashlib, json, random, sys
from random import Random
from plancraft.environment import recipes as package_recipes
if sys.argv[1] != "0":  # as another file system would order them
    for found in package_recipes.RECIPES.values():
        Random(int(sys.argv[1])).shuffle(found)
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
print(hashlib.sha256(json.dumps([rows, dialogues, searches, plans, examples(TOOLS)]).encode()).hexdigest())
"""
WITHOUT = """
import sys
sys.modules["plancraft"] = None
import bap_v2_dataset.tasks.plancraft.policies, bap_v2_dataset.tasks.plancraft.rows
import bap_v2_dataset.tasks.plancraft.scoring, bap_v2_simulators.plancraft.episode
from bap_v2_dataset.tasks.plancraft.dataset import depends_on
print(depends_on("plancraft")[-1])
"""


def printed(program: str, *args: str, seed: str = "0") -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run([sys.executable, "-c", program, *args], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip().splitlines()[-1]


@pytest.mark.slow
def test_hash_seeds_and_the_order_of_files_change_nothing():
    digests = {printed(PROGRAM, shuffled, seed=seed) for seed, shuffled in (("0", "0"), ("1", "7"), ("2", "8"))}
    assert len(digests) == 1 and len(digests.pop()) == len(hashlib.sha256().hexdigest())


def test_modules_import_without_the_package():
    assert printed(WITHOUT) == "0.4.9"
