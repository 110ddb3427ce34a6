"""What makes any number of tasks or gold dialogues of Plancraft, for `bap-v2 generate`."""

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Any

from bap_v2_dataset.generation.single_items import Source
from bap_v2_dataset.generation.workers import GenerationError
from bap_v2_dataset.sentences import unknown_name
from bap_v2_dataset.tasks.plancraft.prompts import PROMPT_VERSION
from bap_v2_dataset.tasks.plancraft.rows import PLANCRAFT_DATA_VERSION, oracle_row, task_row
from bap_v2_dataset.tasks.plancraft.task_files import FILES
from bap_v2_dataset.tasks.plancraft.variants import DIFFICULTIES, solvable, variant
from bap_v2_simulators.plancraft.package import VERSION, installed_version
from bap_v2_simulators.settings import SettingsError

ORACLE = "plancraft_oracle"


def source(config: str, settings: Mapping[str, str]) -> Source:
    """The tasks of a split with their items in other slots, or gold dialogues of them.

    Args:
        settings: `difficulties`, e.g. "easy" or "easy,medium"; of dialogues `thoughts`, true or false.
    Raises:
        SettingsError: for another setting, or a difficulty that there is not.
        PlancraftMissing: without the package.
    """
    known = ["difficulties", *(["thoughts"] if config == ORACLE else [])]
    if unknown := settings.keys() - set(known):
        raise SettingsError(unknown_name("setting", min(unknown), known))
    thoughts = settings.get("thoughts", "false").lower()
    if thoughts not in ("true", "false"):
        raise SettingsError(f"thoughts is {thoughts!r} (expected true or false)")
    chosen = tuple(name.strip() for name in settings.get("difficulties", ",".join(DIFFICULTIES)).split(","))
    if other := [name for name in chosen if name not in DIFFICULTIES]:
        raise SettingsError(unknown_name("difficulty", other[0], DIFFICULTIES))
    facts = {
        "config": config,
        "settings": {"difficulties": ",".join(chosen), **({"thoughts": thoughts} if config == ORACLE else {})},
        "data_version": PLANCRAFT_DATA_VERSION,
        "prompt_version": PROMPT_VERSION,
        "package_version": installed_version() or VERSION,
    }
    columns = "ORACLE_FEATURES" if config == ORACLE else "TASK_FEATURES"
    rows = partial(_rows, config, chosen, thoughts == "true")
    return Source(facts, facts["settings"], rows, f"bap_v2_dataset.tasks.plancraft.features:{columns}")


def _rows(
    config: str, difficulties: tuple[str, ...], thoughts: bool, split: str, seed: int, indices: range
) -> list[dict[str, Any]]:
    if config == ORACLE and split not in ("train", "validation"):
        raise GenerationError(f"{config} has no gold dialogues of {split}: generate those of train or validation")
    assert split in FILES
    tasks = (_task(difficulties, split, seed, index) for index in indices)
    return [oracle_row(task, thoughts) if config == ORACLE else task for task in tasks]


def _task(difficulties: tuple[str, ...], split: str, seed: int, index: int) -> dict[str, Any]:
    random = Random(f"plancraft/{split}/{seed}/{index}")
    record = random.choice(solvable(split, difficulties))
    return task_row(variant(record, random) | {"id": f"{record['id']}-{seed}-{index}"})
