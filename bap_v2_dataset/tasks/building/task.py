"""Builder Action Prediction: which blocks does the Builder place and remove next?"""

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

from bap_v2_dataset.tasks.task import Baseline, Card, Config, Dataset, Harness, ModelCard, Row, RowsOf, Shards, Task

if TYPE_CHECKING:
    from bap_v2_dataset.evaluation.scores import Scores
    from bap_v2_dataset.loading.config import BapV2Config
    from bap_v2_dataset.tasks.viewer import Viewer

# In the order of the documents: what mixes are made of, and what is perturbed.
CONFIGS = {
    "mdc_v2": Config(arguments=("mdc", "labels"), unit="target"),
    "mdc": Config(arguments=("mdc",), unit="target"),
    "dr": Config(arguments=("seed",)),
    "dsb": Config(arguments=("seed",)),
    "dss": Config(arguments=("seed",)),
    "dh": Config(arguments=("seed",), by_default=False, megabytes=97),  # ours: not in `all` nor the paper's tables
    "all": Config(
        splits=("train", "validation", "validation_matched", "test_mdc_v2", "test_dr", "test_dsb", "test_dss"),
        arguments=("mdc", "labels"),
        made_of=("mdc_v2", "dr", "dsb", "dss"),
    ),
}
BASELINES = ("do-nothing", "stack", "first-ten", "replay", "symbolic")


class Building(Task):
    """Builder Action Prediction (BAP v2)."""

    name = "bap"
    title = "Builder Action Prediction"
    configs: Mapping[str, Config] = CONFIGS
    own_columns: tuple[str, ...] = ("id", "before")
    baselines = BASELINES
    reported: tuple[str, ...] = ("dsb", "dss", "dr", "mdc_v2", "mdc")
    units = ("target",)
    example_id = "dss-test-0/1"
    explored = True

    # --- Rows.
    @property
    def dataset(self) -> Dataset:
        from bap_v2_dataset.tasks.building import dataset

        return dataset

    def shards(self, config: "BapV2Config", rows_of: RowsOf) -> Shards:
        from bap_v2_dataset.tasks.building.shards import shards

        return shards(config, rows_of)

    def split_of_id(self, row_id: str) -> tuple[str, str] | None:
        from bap_v2_dataset.items.rows import split_of_simulated

        return split_of_simulated(row_id)

    def own_row(self, record: Row) -> dict[str, Any]:
        from bap_v2_dataset.tasks.building.own_rows import own_row

        return own_row(record)

    def baseline(self, name: str) -> Baseline:
        from bap_v2_dataset.tasks.building.baselines.by_name import BASELINES

        return BASELINES[name]

    # --- Harnesses.
    @property
    def harness(self) -> Harness:
        from bap_v2_dataset.tasks.building import harness

        return harness

    # --- Publishing.
    @property
    def card(self) -> Card:
        from bap_v2_dataset.tasks.building import card

        return card

    @property
    def model_card(self) -> ModelCard:
        from bap_v2_dataset.tasks.building import model_card

        return model_card

    # --- Scores.
    @property
    def scores(self) -> "Scores":
        from bap_v2_dataset.tasks.building.scores import SCORES

        return SCORES

    def unit_of(self, unit: str, row: Row) -> Hashable | None:
        from bap_v2_dataset.items.rows import target_of

        return target_of(row)

    def is_id(self, item_id: str) -> bool:
        return False  # any id that is of no other task

    @property
    def viewer(self) -> "Viewer":
        from bap_v2_dataset.tasks.building.viewer import BuildingViewer

        return BuildingViewer(self)


BUILDING = Building()
