"""Architect generation, as a language model learns and answers it: what the Architect says next."""

from dataclasses import dataclass
from typing import Any

from bap_v2_dataset.tasks.architect.prompts import REPRESENTATIONS, STRUCTURES, render, shown_history
from bap_v2_dataset.tasks.architect.versions import PROMPT_VERSION
from bap_v2_training.tasks.training_task import ItemTexts, Row, TrainingTask


@dataclass(frozen=True)
class ArchitectTexts(ItemTexts):
    """The words that the Architect says next, without the oldest lines of the history."""

    history_lines: int | None = None

    columns = ("id", "history", "pose", "before", "target")

    @property
    def version(self) -> str:
        return PROMPT_VERSION

    def texts(self, row: Row) -> dict[str, Any]:
        shown = (row, self.representation, self.history_lines)
        return {"prompt": render(*shown), "history": shown_history(*shown)}


class ArchitectTraining(TrainingTask):
    """Architect generation."""

    representations = REPRESENTATIONS
    usual = STRUCTURES
    text_settings = ("history_lines",)
    column = "utterances"
    has_history = True
    unrecorded = ("task", "reasoning")
    unrecorded_here = ("shots", "constrained")
    unrewarded = "no reward reads what an Architect says"

    def texts(self, settings: Any) -> ArchitectTexts:
        return ArchitectTexts(settings.representation or self.usual, settings.history_lines)

    def complete_question(self, arguments: Any) -> None:
        super().complete_question(arguments)
        arguments.shots = 0


ARCHITECT = ArchitectTraining("architect", "Architect", "Architect configs")
