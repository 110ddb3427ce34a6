"""Plancraft: crafting in Minecraft, played turn by turn."""

import re
from collections.abc import Mapping

from bap_v2_dataset.interface.task import Baseline, Config, Row, Task

_ID = re.compile(r"(TRAIN|VAL|TEST)[0-9]{4}")
_SPLITS = {"TRAIN": "train", "VAL": "validation", "TEST": "test"}


class Plancraft(Task):
    """Plancraft (Dagan, Keller and Lascarides, 2025)."""

    name = "plancraft"
    title = "Plancraft"
    parts = ("harness", "card", "model_card", "viewer")
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

    def split_of_id(self, row_id: str) -> tuple[str, str] | None:
        """Return a whole split; small and easy splits have some of its tasks."""
        match = _ID.fullmatch(row_id)
        return (self.name, _SPLITS[match[1]]) if match else None

    def check_setup(self) -> list[str]:
        files = self.part("task_files")
        return files.changed_files(files.digests())

    def baseline(self, name: str) -> Baseline:
        return self.part("policies").BASELINES[name]

    def prediction_of(self, row: Row, answer: str) -> str:
        return self.part("harness").prediction_of(row, answer)

    def is_prediction(self, line: bytes) -> bool:
        return b'"turns"' in line  # an episode


PLANCRAFT = Plancraft()
