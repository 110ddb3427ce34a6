"""The shards of the Plancraft configs, and any number of tasks like those of the package."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from bap_v2_dataset.generation.single_items import ItemSource
from bap_v2_dataset.generation.workers import GenerationError
from bap_v2_dataset.interface.task import RowsOf
from bap_v2_dataset.loading.shards import runs
from bap_v2_dataset.sentences import unknown_name
from bap_v2_dataset.tasks.plancraft.counts import SOLVABLE
from bap_v2_dataset.tasks.plancraft.dataset import ORACLE_CONFIG, TASKS_CONFIG
from bap_v2_dataset.tasks.plancraft.rows import oracle_row, task_row
from bap_v2_dataset.tasks.plancraft.task_files import FILES, records
from bap_v2_dataset.tasks.plancraft.versions import PLANCRAFT_DATA_VERSION, PROMPT_VERSION
from bap_v2_simulators.plancraft.environment import INVENTORY
from bap_v2_simulators.plancraft.package import VERSION, installed_version
from bap_v2_simulators.plancraft.recipes import stack_sizes
from bap_v2_simulators.settings import SettingsError

if TYPE_CHECKING:
    from bap_v2_dataset.loading.config import BapV2Config

_ORACLE_SPLITS = ("train", "validation")  # never of test


class PlancraftShard(NamedTuple):
    """A run of the tasks of a split, which are read from the package when they are needed."""

    config: str
    split: str
    first: int
    end: int

    def rows(self) -> Iterator[dict[str, Any]]:
        tasks = map(task_row, records(self.split)[self.first : self.end])
        if self.config == TASKS_CONFIG:
            return tasks
        return (oracle_row(task) for task in tasks if not task["impossible"])


def shards(config: "BapV2Config", rows_of: RowsOf) -> dict[str, Sequence[PlancraftShard]]:
    """Return the shards of each split of a config.

    Args:
        rows_of: not used; the tasks are those of the package.
    """
    return {
        split: [PlancraftShard(config.name, split, first, end) for first, end in runs(len(records(split)))]
        for split in (FILES if config.name == TASKS_CONFIG else _ORACLE_SPLITS)
    }


def source(config: str, settings: Mapping[str, str]) -> ItemSource:
    """Return the tasks of a split with their items in other slots, or gold dialogues of them.

    Args:
        settings: `difficulties`, e.g. "easy" or "easy,medium"; of dialogues `thoughts`, true or false.
    Raises:
        SettingsError: for another setting, or a difficulty that there is not.
        PlancraftMissing: without the package.
    """
    # Check the settings.
    known = ["difficulties", *(["thoughts"] if config == ORACLE_CONFIG else [])]
    if unknown := settings.keys() - set(known):
        raise SettingsError(unknown_name("setting", min(unknown), known))
    thoughts = settings.get("thoughts", "false").lower()
    if thoughts not in ("true", "false"):
        raise SettingsError(f"thoughts is {thoughts!r} (expected true or false)")
    chosen = tuple(name.strip() for name in settings.get("difficulties", ",".join(SOLVABLE)).split(","))
    if other := [name for name in chosen if name not in SOLVABLE]:
        raise SettingsError(unknown_name("difficulty", other[0], SOLVABLE))
    # What the rows depend on is written beside them.
    facts = {
        "config": config,
        "settings": {"difficulties": ",".join(chosen), **({"thoughts": thoughts} if config == ORACLE_CONFIG else {})},
        "data_version": PLANCRAFT_DATA_VERSION,
        "prompt_version": PROMPT_VERSION,
        "package_version": installed_version() or VERSION,
    }
    columns = "ORACLE_FEATURES" if config == ORACLE_CONFIG else "TASK_FEATURES"
    rows = partial(_rows, config, chosen, thoughts == "true")
    return ItemSource(facts, facts["settings"], rows, f"bap_v2_dataset.tasks.plancraft.features:{columns}")


def _rows(
    config: str, difficulties: tuple[str, ...], thoughts: bool, split: str, seed: int, indices: range
) -> list[dict[str, Any]]:
    if config == ORACLE_CONFIG and split not in _ORACLE_SPLITS:
        raise GenerationError(f"{config} has no gold dialogues of {split}: generate those of train or validation")
    assert split in FILES
    tasks = (_task(difficulties, split, seed, index) for index in indices)
    return [oracle_row(task, thoughts) if config == ORACLE_CONFIG else task for task in tasks]


def _task(difficulties: tuple[str, ...], split: str, seed: int, index: int) -> dict[str, Any]:
    random = Random(f"plancraft/{split}/{seed}/{index}")
    record = random.choice(_solvable(split, difficulties))
    return task_row(_variant(record, random) | {"id": f"{record['id']}-{seed}-{index}"})


@cache
def _solvable(split: str, difficulties: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the records of a split that can be solved, of these difficulties."""
    return [record for record in records(split) if record["complexity_split"] in difficulties]


def _variant(record: Mapping[str, Any], random: Random) -> dict[str, Any]:
    """The record of a task like this one: what its recipes use up is the same, where it lies and what else is not.

    Distractors are drawn from all items but those that the recipes take or make; as many slots hold them as before.
    """
    used = Counter(record["inventory"]) - Counter(record["inventory_trace"][-1])
    slots = record["slotted_inventory"].values()
    kept = [dict(item) for item in slots if item["type"] in used]
    taken = {*used, *record["optimal_path"], record["target"]}
    others = random.sample(sorted(stack_sizes().keys() - taken), len(slots) - len(kept))
    items = [*kept, *({"type": name, "quantity": random.randint(1, stack_sizes()[name])} for name in others)]
    places = random.sample(INVENTORY, len(items))
    return {**record, "slotted_inventory": {str(slot): item for slot, item in zip(places, items)}}
