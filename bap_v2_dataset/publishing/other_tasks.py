"""The tasks besides building whose configs a repository may hold: each has a part in the card."""

from collections.abc import Callable
from dataclasses import dataclass

from bap_v2_dataset.tasks.gsu import card as gsu_card
from bap_v2_dataset.tasks.plancraft import card as plancraft_card
from bap_v2_dataset.tasks.table import ITEM_CONFIGS


@dataclass(frozen=True)
class OtherTask:
    """What a card needs of a task."""

    title: str
    configs: tuple[str, ...]
    text: Callable[..., str]  # (repo_id, infos, rows, metric_space, alone) -> its part
    tags: tuple[str, ...]
    license: str  # as the Hub names it
    categories: tuple[str, ...] = ("text-generation",)
    source: str = "original"  # as the Hub says it: original or extended


OTHER_TASKS = (
    OtherTask(
        gsu_card.TITLE, gsu_card.GSU_CONFIGS, gsu_card.gsu_part, gsu_card.TAGS, "apache-2.0",
        ("text-generation", "question-answering"),
    ),
    OtherTask(
        plancraft_card.TITLE, plancraft_card.PLANCRAFT_CONFIGS, plancraft_card.plancraft_part, plancraft_card.TAGS,
        "mit", source="extended",
    ),
)  # fmt: skip
PUBLISHED_CONFIGS = (*ITEM_CONFIGS, *(name for task in OTHER_TASKS for name in task.configs))
