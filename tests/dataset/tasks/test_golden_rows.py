"""The first rows of every simulated config, byte for byte: digests by split, with what follows from a row.

Those of the paper's configs are whole: tests/dataset/loading/test_published_corpora.py; those of robustness are made
of them. If rows were changed on purpose: raise the version of the simulator, of the questions, the data or the prompts,
say it in the CHANGELOG, then run `python tests/dataset/tasks/test_golden_rows.py`.
"""

import json
import sys
from collections.abc import Iterator

import pytest

sys.path.insert(0, str(__import__("pathlib").Path(__file__).parents[2] / "support"))  # run as a script

from digests import digest_of
from gsu_items import gsu_rows
from paths import GOLDEN

from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.items.versions import DATA_VERSION, PROMPT_VERSION
from bap_v2_dataset.tasks.architect import prompts as architect_prompts
from bap_v2_dataset.tasks.architect import versions as architect_versions
from bap_v2_dataset.tasks.architect.baselines import next_block
from bap_v2_dataset.tasks.architect.rows import architect_row
from bap_v2_dataset.tasks.architect.task import BASE_OF
from bap_v2_dataset.tasks.gsu import versions as gsu_versions
from bap_v2_simulators.corpora import SIMULATORS
from bap_v2_simulators.corpus_table import PUBLISHED
from bap_v2_simulators.gsu.configs import CONFIGS
from bap_v2_simulators.simulation import SPLITS, play

FILE = GOLDEN / "rows.json"
VERSIONS = {
    "gsu": {"data": gsu_versions.GSU_DATA_VERSION, "prompts": gsu_versions.PROMPT_VERSION},
    "bap": {"data": DATA_VERSION, "prompts": PROMPT_VERSION},
    "architect": {"data": architect_versions.ARCHITECT_DATA_VERSION, "prompts": architect_versions.PROMPT_VERSION},
}
SIMULATOR_OF = {
    "gsu": {name: config.simulator for name, config in CONFIGS.items()},
    "bap": {config: simulator for config, simulator in SIMULATORS.items() if config not in PUBLISHED},
    "architect": {config: SIMULATORS[base] for config, base in BASE_OF.items() if base in SIMULATORS},
}


def rows(task: str, config: str, split: str) -> Iterator[dict]:
    """The first three; of building those of three games, else those of one, with prompts and what a baseline says."""
    if task == "gsu":
        yield from gsu_rows(config, 3, split)
        return
    if task == "bap":
        for index in range(3):
            yield from map(row, items(play(SIMULATOR_OF[task][config](), split, index)))
        return
    for item in items(play(SIMULATOR_OF[task][config](), split, 0)):
        made = architect_row(row(item), config, split)
        yield made | {"ego": architect_prompts.render(made, "ego"), "next_block": next_block(made)}


def summary(task: str, config: str) -> dict[str, str]:
    """The version of the simulator, and the digest of each split's first rows."""
    digests = {split: digest_of(rows(task, config, split)) for split in SPLITS}
    return {"simulator_version": SIMULATOR_OF[task][config].version, **digests}


@pytest.mark.parametrize("task", SIMULATOR_OF)
def test_the_first_rows_are_byte_for_byte_those_of_this_version(task):
    golden = json.loads(FILE.read_text())[task]
    assert VERSIONS[task] == golden["versions"]
    assert {config: summary(task, config) for config in SIMULATOR_OF[task]} == golden["configs"]


if __name__ == "__main__":
    made = {
        task: {"versions": VERSIONS[task], "configs": {config: summary(task, config) for config in configs}}
        for task, configs in SIMULATOR_OF.items()
    }
    FILE.write_text(json.dumps(made, indent=1) + "\n")
