"""What the card of a model says that learned dialogues of Plancraft: the template `model_card.md`."""

from collections.abc import Iterator
from typing import Any

from bap_v2_dataset.publishing.facts import ListedScore, ModelFacts, SplitResult
from bap_v2_dataset.tasks.plancraft.paper import HEADINGS, RECIPE_HEADINGS
from bap_v2_dataset.tasks.plancraft.task import PLANCRAFT
from bap_v2_simulators.plancraft.package import INSTALL

TEMPLATE = "plancraft/model_card.md"
TAGS = ("minecraft", "crafting", "planning", "agents")
LEARNED = "Plancraft"
REPRESENTATIONS = ()
HEADLINE = PLANCRAFT.headline
NEEDED = (HEADLINE, "signature", "n_tasks", "ae_turns")
HAS_LABELS = False
_LISTED = (*HEADINGS, *RECIPE_HEADINGS, "plan_length", "ae", "invalid")


def test_set(result: SplitResult) -> str:
    return f"Plancraft, {result.split}"


def scores(result: SplitResult) -> Iterator[ListedScore]:
    """Yield the scores that there are."""
    for key in sorted(_LISTED, key=lambda key: key != HEADLINE):
        if (value := result.scores.get(key)) is not None:
            yield ListedScore(key, value, "{:.0f}" if key == "tokens" else "{:.3f}")


def facts(facts: ModelFacts, human: bool) -> dict[str, Any]:
    return {"install": INSTALL, "citation": PLANCRAFT.dataset.info("plancraft").citation.strip()}
