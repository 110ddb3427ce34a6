"""The tasks of all harnesses by name: which rows they ask, and how (see `scores.ASKED`)."""

from typing import NamedTuple

from bap_v2_dataset.tasks.robustness.task import BASE_OF as BASE_OF_ROBUST
from bap_v2_dataset.tasks.table import TASKS


class HarnessTask(NamedTuple):
    """A task of a harness."""

    asked: str  # a key of ASKED
    config: str
    split: str = "test"


_GSU = tuple(name for name in TASKS["gsu"].configs if name != "gsu")

GROUPS: dict[str, dict[str, HarnessTask]] = {
    "bap_v2": {f"bap_v2_{name}": HarnessTask("bap", name) for name in ("mdc_v2", "dr", "dsb", "dss")},
    "bap_v2_probe": {
        f"bap_v2_probe_{base}": HarnessTask("bap", robust, "probe") for robust, base in BASE_OF_ROBUST.items()
    },
    "bap_v2_gsu": {f"bap_v2_{name}": HarnessTask("gsu", name) for name in _GSU},
    "bap_v2_plancraft": {
        "bap_v2_plancraft_plan": HarnessTask("plancraft_plan", "plancraft"),
        # of validation: gold dialogues of test are not published
        "bap_v2_plancraft_oracle": HarnessTask("plancraft_turn", "plancraft", "validation"),
    },
}
HARNESS_TASKS: dict[str, HarnessTask] = {name: task for group in GROUPS.values() for name, task in group.items()}
