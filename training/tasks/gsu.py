"""Grid Spatial Understanding, as a language model learns and answers it: solved items before a question, and traces."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bap_v2_dataset.tasks.gsu.blocks import REPRESENTATIONS
from bap_v2_dataset.tasks.gsu.prompts import MOST_SHOTS, render, usual_form
from bap_v2_dataset.tasks.gsu.scorer import SCORER
from bap_v2_dataset.tasks.gsu.versions import PROMPT_VERSION
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.rewards import Completion, LogMetric, text_of
from bap_v2_training.tasks.training_task import ItemTexts, Row, TrainingTask

_NEXT_ITEM = re.compile(r"^(?:Example|Your turn)$", re.MULTILINE)  # as `render` begins them


@dataclass(frozen=True)
class GsuTexts(ItemTexts):
    """Questions after some solved ones; with reasoning, an answer follows its trace."""

    shots: int | None = None  # None: as in Table 1 of the paper
    reasoning: bool | None = None  # the same; structures have no traces, and so never reason

    columns = ("id", "task", "question", "blocks")
    optional = ("metadata", "reasoning")

    @property
    def version(self) -> str:
        return PROMPT_VERSION

    def texts(self, row: Row) -> dict[str, Any]:
        usual = usual_form(row["task"])[1]
        reasoning = None if self.reasoning is None else self.reasoning and usual
        prompt = render(_without_gaps(row), self.shots, reasoning, self.representation)
        if "completion" not in row:
            return {"prompt": prompt, "history": []}
        trace = row.get("reasoning") if (usual if self.reasoning is None else self.reasoning) else None
        completion = f"{trace}\n{row['completion']}" if trace else row["completion"]
        return {"prompt": prompt, "history": [], "completion": completion}

    def prediction(self, text: str, row: Row) -> str:
        """Return what stands before a further item; models that only continue texts go on with some of their own."""
        return _NEXT_ITEM.split(text, maxsplit=1)[0]


def _without_gaps(row: Row) -> Row:
    """Return a row without settings that are null: a file of own data may hold other settings in other rows."""
    metadata = row.get("metadata")
    if not isinstance(metadata, Mapping) or not metadata.get("settings"):
        return row
    settings = {name: value for name, value in metadata["settings"].items() if value is not None}
    return {**row, "metadata": {**metadata, "settings": settings}}


def gsu_score(completions: Sequence[Completion], log_metric: LogMetric | None = None, **columns: Any) -> list[float]:
    """Return the score of each answer to a GSU question, in 0..1 (GSU, 4.1): a reward function of TRL.

    Args:
        columns: those of GSU rows; the scorer's reference fields are taken from them.
    Raises:
        UsageError: naming a column that is missing.
    """
    missing = [name for name in SCORER.reference if name not in columns and name not in SCORER.defaults]
    if missing:
        raise UsageError(f"the GSU reward needs the column {missing[0]!r}: train on rows of a gsu_ config")
    n = len(completions)
    given = {name: columns.get(name) or [SCORER.defaults.get(name)] * n for name in SCORER.reference}
    references = [dict(zip(given, values)) for values in zip(*given.values())]
    items = SCORER.score_items([text_of(completion) for completion in completions], references)
    if log_metric and items:
        log_metric("gsu_score", SCORER.aggregate(items)["score"])
    return [float(item["score"]) for item in items]


class GsuTraining(TrainingTask):
    """Grid Spatial Understanding. In predictions, what stays None is as in Table 1 of the paper."""

    representations = REPRESENTATIONS
    usual = "text"
    text_settings = ("shots", "reasoning")
    column = "question"
    unrecorded = ("history_lines",)
    rewards = {"gsu_score": gsu_score}
    usual_rewards = "gsu_score=1,ended=0.5"

    def texts(self, settings: Any) -> GsuTexts:
        return GsuTexts(settings.representation or self.usual, settings.shots, settings.reasoning)

    def complete_texts(self, settings: Any) -> None:
        super().complete_texts(settings)
        if settings.shots is not None and not 0 <= settings.shots <= MOST_SHOTS:
            raise UsageError(f"shots is {settings.shots}: expected 0 to {MOST_SHOTS} for GSU")

    def complete_training(self, settings: Any) -> None:
        self.complete_texts(settings)
        settings.shots = settings.shots or 0
        settings.reasoning = True if settings.reasoning is None else settings.reasoning


GSU = GsuTraining("gsu", "GSU")
