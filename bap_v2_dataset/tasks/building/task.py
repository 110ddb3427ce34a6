"""Builder Action Prediction: which blocks does the Builder place and remove next?"""

from collections.abc import Mapping

from bap_v2_dataset.interface.task import Baseline, Config, Task

_HUMAN = ("train", "validation", "validation_clear", "test")  # splits
# In the order of the documents: what mixes are made of, and what is perturbed.
CONFIGS = {
    "mdc_v2": Config(_HUMAN, arguments=("mdc", "labels"), unit="target"),
    "mdc": Config(_HUMAN, arguments=("mdc",), unit="target"),
    "dr": Config(arguments=("seed", "settings")),
    "dsb": Config(arguments=("seed", "settings")),
    "dss": Config(arguments=("seed", "settings")),
    "dh": Config(
        arguments=("seed", "settings"), by_default=False, megabytes=97
    ),  # ours: not in `all` nor the paper's tables
    "written": Config(by_default=False, megabytes=90),  # ours: games of the simulators in a language model's words
    "all": Config(
        splits=("train", "validation", "validation_matched", "test_mdc_v2", "test_dr", "test_dsb", "test_dss"),
        arguments=("mdc", "labels"),
        made_of=("mdc_v2", "dr", "dsb", "dss"),
    ),
}
BASELINES = ("do-nothing", "stack", "first-ten", "replay", "reading", "symbolic")


class Building(Task):
    """Builder Action Prediction (BAP v2)."""

    name = "bap"
    title = "Builder Action Prediction"
    parts = ("harness", "card", "model_card", "viewer")
    configs: Mapping[str, Config] = CONFIGS
    own_columns: tuple[str, ...] = ("id", "before")
    baselines = BASELINES
    reported: tuple[str, ...] = ("dsb", "dss", "dr", "mdc_v2", "mdc")
    units = ("target",)
    example_id = "dss-test-0/1"
    explored = True

    def split_of_id(self, row_id: str) -> tuple[str, str] | None:
        from bap_v2_dataset.items.rows import split_of_simulated

        return split_of_simulated(row_id)

    def baseline(self, name: str) -> Baseline:
        return self.part("baselines.by_name").BASELINES[name]

    def is_id(self, item_id: str) -> bool:
        return False  # any id that is of no other task


BUILDING = Building()
