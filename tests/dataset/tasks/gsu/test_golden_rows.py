"""The first rows of every config of GSU, byte for byte: digests of the first three of each split.

If they were changed on purpose: raise the version of the simulator, QUESTION_VERSION or PROMPT_VERSION, say it in the
CHANGELOG, then run `python tests/dataset/gsu/test_golden_rows.py`.
"""

import json
import sys

import pytest

sys.path.insert(0, str(__import__("pathlib").Path(__file__).parents[2] / "support"))  # run as a script

from digests import digest_of
from gsu_items import gsu_rows
from paths import GOLDEN

from bap_v2_dataset.tasks.gsu.prompts import PROMPT_VERSION
from bap_v2_dataset.tasks.gsu.rows import GSU_DATA_VERSION
from bap_v2_simulators.gsu.configs import CONFIGS, SIZES

FILE = GOLDEN / "gsu_rows.json"
ROWS = 3


def summary(config: str) -> dict[str, object]:
    """The version of the simulator, and the digest of each split's first rows."""
    digests = {split: digest_of(gsu_rows(config, ROWS, split)) for split in SIZES}
    return {"simulator_version": CONFIGS[config].simulator.version, **digests}


def versions() -> dict[str, str]:
    """Of columns, and of the wording of questions and prompts."""
    return {"data": GSU_DATA_VERSION, "prompts": PROMPT_VERSION}


@pytest.mark.parametrize("config", CONFIGS)
def test_the_first_rows_are_byte_for_byte_those_of_this_version(config):
    golden = json.loads(FILE.read_text())
    assert summary(config) == golden["configs"][config]
    assert versions() == golden["versions"]


def test_no_config_is_without_golden_rows():
    assert set(json.loads(FILE.read_text())["configs"]) == set(CONFIGS)


if __name__ == "__main__":
    found = {"versions": versions(), "configs": {config: summary(config) for config in CONFIGS}}
    FILE.write_text(json.dumps(found, indent=1) + "\n")
