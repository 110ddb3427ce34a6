"""Plancraft: crafting in Minecraft, played turn by turn."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bap_v2_dataset.tasks.task import Baseline, Card, Config, Dataset, Harness, ModelCard, Row, RowsOf, Shards, Task

if TYPE_CHECKING:
    from bap_v2_dataset.evaluation.scores import Scores
    from bap_v2_dataset.generation.single_items import Source
    from bap_v2_dataset.loading.config import BapV2Config
    from bap_v2_dataset.tasks.viewer import Viewer

_ID = re.compile(r"(TRAIN|VAL|TEST)[0-9]{4}")
_SPLITS = {"TRAIN": "train", "VAL": "validation", "TEST": "test"}


class Plancraft(Task):
    """Plancraft (Dagan, Keller and Lascarides, 2025)."""

    name = "plancraft"
    title = "Plancraft"
    configs: Mapping[str, Config] = {
        "plancraft": Config(
            splits=("train", "validation", "test", "validation_small", "test_small", "validation_easy", "test_easy"),
            by_default=False,
            megabytes=6,
        ),
        "plancraft_oracle": Config(splits=("train", "validation"), by_default=False, megabytes=9),
    }
    setup_option = "--plancraft"
    setup_help = "The configs of Plancraft: plancraft, plancraft_oracle. Needs its package."
    push_help = "Push the configs of Plancraft, with its license; nothing else by itself."
    learned_as = "chat"
    own_columns = ("id", "target", "inventory")
    generates = True
    baselines = ("oracle", "batched", "one-recipe", "always-impossible", "random")
    reported = ("plancraft",)
    headline = "success"
    played = True
    example_id = "TEST0000"

    @property
    def dataset(self) -> Dataset:
        from bap_v2_dataset.tasks.plancraft import dataset

        return dataset

    def shards(self, config: "BapV2Config", rows_of: RowsOf) -> Shards:
        from bap_v2_dataset.tasks.plancraft.shards import shards

        return shards(config, rows_of)

    def source(self, config: str, settings: Mapping[str, str]) -> "Source":
        from bap_v2_dataset.tasks.plancraft.shards import source

        return source(config, settings)

    def split_of_id(self, row_id: str) -> tuple[str, str] | None:
        """A whole split; small and easy splits have some of its tasks."""
        match = _ID.fullmatch(row_id)
        return (self.name, _SPLITS[match[1]]) if match else None

    def own_row(self, record: Row) -> dict[str, Any]:
        from bap_v2_dataset.tasks.plancraft.own_rows import own_row

        return own_row(record)

    def check_setup(self) -> list[str]:
        from bap_v2_dataset.tasks.plancraft.task_files import changed_files, digests

        return changed_files(digests())

    def baseline(self, name: str) -> Baseline:
        from bap_v2_dataset.tasks.plancraft.policies import BASELINES

        return BASELINES[name]

    # --- Harnesses.
    @property
    def harness(self) -> Harness:
        from bap_v2_dataset.tasks.plancraft import harness

        return harness

    def prediction_of(self, row: Row, answer: str) -> str:
        from bap_v2_dataset.tasks.plancraft.harness import prediction_of

        return prediction_of(row, answer)

    # --- Publishing.
    @property
    def card(self) -> Card:
        from bap_v2_dataset.tasks.plancraft import card

        return card

    @property
    def model_card(self) -> ModelCard:
        from bap_v2_dataset.tasks.plancraft import model_card

        return model_card

    # --- Scores.
    @property
    def scores(self) -> "Scores":
        from bap_v2_dataset.tasks.plancraft.scores import SCORES

        return SCORES

    def is_prediction(self, line: bytes) -> bool:
        return b'"turns"' in line  # an episode

    @property
    def viewer(self) -> "Viewer":
        from bap_v2_dataset.tasks.plancraft.viewer import PlancraftViewer

        return PlancraftViewer(self)


PLANCRAFT = Plancraft()
