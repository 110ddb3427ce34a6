"""The first rows of every simulated Architect config, byte for byte, with both prompts and what `next-block` says.

If they were changed on purpose: raise ARCHITECT_DATA_VERSION or PROMPT_VERSION (simulators have their own), say it in
the CHANGELOG, then run `python tests/dataset/architect/test_golden_rows.py`.
"""

import json
import sys

import pytest

sys.path.insert(0, str(__import__("pathlib").Path(__file__).parents[2] / "support"))  # run as a script

from digests import digest_of
from paths import GOLDEN

from bap_v2_dataset.tasks.architect.baselines import next_block
from bap_v2_dataset.tasks.architect.prompts import PROMPT_VERSION, render
from bap_v2_dataset.tasks.architect.rows import ARCHITECT_DATA_VERSION, architect_row
from bap_v2_dataset.tasks.building.items import items
from bap_v2_dataset.tasks.building.rows import row
from bap_v2_simulators.corpora import SIMULATORS
from bap_v2_simulators.simulation import SPLITS, play

FILE = GOLDEN / "architect_rows.json"


def summary(name: str) -> dict[str, str]:
    """The version of the simulator, and digests of the rows of the first game of each split."""
    found = {"simulator_version": SIMULATORS[name].version}
    for split in SPLITS:
        made = [
            architect_row(row(item), f"architect_{name}", split) for item in items(play(SIMULATORS[name](), split, 0))
        ]
        found[split] = digest_of(one | {"ego": render(one, "ego"), "next_block": next_block(one)} for one in made)
    return found


def versions() -> dict[str, str]:
    """Of columns and prompts."""
    return {"data": ARCHITECT_DATA_VERSION, "prompts": PROMPT_VERSION}


@pytest.mark.parametrize("name", SIMULATORS)
def test_the_first_rows_are_byte_for_byte_those_of_this_version(name):
    golden = json.loads(FILE.read_text())
    assert summary(name) == golden["simulators"][name]
    assert versions() == golden["versions"]


if __name__ == "__main__":
    found = {"versions": versions(), "simulators": {name: summary(name) for name in SIMULATORS}}
    FILE.write_text(json.dumps(found, indent=1) + "\n")
