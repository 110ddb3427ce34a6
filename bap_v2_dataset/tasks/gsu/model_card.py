"""What the card of a model says that learned GSU: the template `model_card.md`."""

from collections.abc import Iterator
from typing import Any

from bap_v2_dataset.publishing.facts import ListedScore, ModelFacts, SplitResult
from bap_v2_dataset.tasks.gsu import blocks
from bap_v2_dataset.tasks.gsu.counts import MEASURES
from bap_v2_dataset.tasks.gsu.prompts import usual_form
from bap_v2_dataset.tasks.gsu.task import GSU
from bap_v2_simulators.gsu.configs import CONFIGS

TEMPLATE = "gsu/model_card.md"
TAGS = ("spatial-reasoning", "navigation", "grid")
LEARNED = "GSU"
REPRESENTATIONS = blocks.REPRESENTATIONS
HEADLINE = GSU.headline
NEEDED = (HEADLINE, "signature", "n_items", "unparsed")
HAS_LABELS = False


def test_set(result: SplitResult) -> str:
    return f"GSU, {result.config}"


def scores(result: SplitResult) -> Iterator[ListedScore]:
    """As fractions or in cells: the mean of all items, then the scores of each task."""
    yield ListedScore(HEADLINE, result.scores[HEADLINE])
    for task, measures in MEASURES.items():
        for key in (*(f"{task}_{measure}" for measure in measures), f"{task}_composite_spatial"):
            if key in result.scores:
                form = "{:.4g}" if key.endswith("distance") else "{:.3f}"
                yield ListedScore(key, result.scores[key], form, result.scores.get(f"{task}_n_items"))


def facts(facts: ModelFacts, human: bool) -> dict[str, Any]:
    learned = next((name for name in facts.data if name in CONFIGS), next(iter(CONFIGS)))
    example = facts.first_test_set or (learned, "test")
    reasoning = facts.hyperparameters.get("reasoning")
    structures = example[0] in CONFIGS and not usual_form(CONFIGS[example[0]].task)[1]
    return {
        "example": example,
        "shots": facts.hyperparameters.get("shots"),
        "reasoning": reasoning is not False,
        "shown_reasoning": False if structures else reasoning,
        "citation": GSU.dataset.info(GSU.reported[0]).citation.strip(),
    }
