"""What the card of a model says that learned to build: the template `model_card.md`."""

from collections.abc import Iterator
from typing import Any

from bap_v2_dataset.items import prompts
from bap_v2_dataset.items.versions import ROW_REPRESENTATIONS
from bap_v2_dataset.publishing.facts import ListedScore, ModelFacts, SplitResult
from bap_v2_dataset.tasks.building import paper
from bap_v2_dataset.tasks.building.task import CONFIGS
from bap_v2_metric.scoring import MEASURES

TEMPLATE = "building/model_card.md"
TAGS = ("minecraft", "dialogue", "instruction-following", "spatial-reasoning")
LEARNED = "to build"
REPRESENTATIONS = tuple(prompts.REPRESENTATIONS)
HEADLINE = paper.HEADLINE
NEEDED = {"signature", "n_items", *(f"{measure}_f1" for measure in MEASURES)}
HAS_LABELS = True


def test_set(result: SplitResult) -> str:
    return f"BAP v2, {result.config}"


def scores(result: SplitResult) -> Iterator[ListedScore]:
    """F1 of each measure."""
    for measure in sorted(MEASURES, key=lambda measure: measure != "fairer"):
        yield ListedScore(f"{measure}_f1", result.scores[f"{measure}_f1"])


def facts(facts: ModelFacts, human: bool) -> dict[str, Any]:
    learned = [name for name in facts.data if name in CONFIGS]
    synthetic = learned[0] if learned and "dss" not in learned else "dss"
    return {
        "example": facts.first_test_set or ("mdc_v2" if human else synthetic, "test"),
        "rendered": _rendered(facts),
        "seen": prompts.REPRESENTATIONS.get(facts.representation or "", prompts.Representation("", "")),
        "columns": paper.COLUMNS,
        "boards": paper.ROWS,
        "human": human,
    }


def _rendered(facts: ModelFacts) -> str:
    """Return the Python that renders a prompt from `row`; "" where it is a column of the dataset."""
    lines = facts.hyperparameters.get("history_lines")
    if facts.representation in (None, *ROW_REPRESENTATIONS) and lines is None:
        return ""
    return f'render(row, "{facts.representation}"{"" if lines is None else f", newest={lines}"})'
