"""The card of a model that learned dialogues of Plancraft: the template `hub_cards/plancraft_model_card.md`."""

from collections.abc import Iterator
from typing import Any

from huggingface_hub import EvalResult

from bap_v2_dataset.publishing.model_facts import ModelFacts, SplitResult
from bap_v2_dataset.publishing.template import CardError, rendered
from bap_v2_dataset.tasks.plancraft.card import PLANCRAFT_CONFIGS
from bap_v2_dataset.tasks.plancraft.paper import HEADINGS, RECIPE_HEADINGS
from bap_v2_dataset.tasks.table import TASKS
from bap_v2_simulators.plancraft.package import INSTALL

CHAT = "chat"  # the task, as training records it
TAGS = ("minecraft", "crafting", "planning", "agents")
HEADLINE = "success"
_SHOWN = {**HEADINGS, **RECIPE_HEADINGS, "plan_length": "Actions", "ae": "AE (actions)", "invalid": "invalid"}


def check_plancraft(facts: ModelFacts) -> None:
    """Raises: CardError for scores that are not of Plancraft."""
    for result in facts.results:
        if result.config not in PLANCRAFT_CONFIGS:
            raise CardError(
                f"the model learned Plancraft, and the scores on {result.config} are of another task: leave them out"
            )
        if missing := {HEADLINE, "signature", "n_tasks", "ae_turns"} - result.scores.keys():
            raise CardError(
                f"the scores on {result.config} lack {', '.join(sorted(missing))}: pass those of bap-v2 score"
            )


def plancraft_body(facts: ModelFacts, dataset: str, settings: str, base_license: Any) -> str:
    """The card without its front matter.

    Args:
        dataset: where the tasks are.
        settings: of the training, as YAML.
        base_license: of the base model, if it asks for something.
    """
    return rendered(
        "plancraft_model_card.md",
        {
            "facts": facts,
            "dataset": dataset,
            "scores": [line for result in facts.results for line in _lines(result)],
            "settings": settings,
            "base_license": base_license,
            "install": INSTALL,
            "citation": TASKS["plancraft"].dataset.info(PLANCRAFT_CONFIGS[0]).citation.strip(),
        },
    )


def plancraft_results(result: SplitResult, dataset: str) -> list[EvalResult]:
    """Every score of a test set; the headline first."""
    return [
        EvalResult(
            task_type="text-generation",
            task_name="Plancraft",
            dataset_type=dataset,
            dataset_name=f"Plancraft, {result.split}",
            dataset_config=result.config,
            dataset_split=result.split,
            dataset_args={"tasks": result.scores["n_tasks"]},
            metric_type=key,
            metric_name=key.replace("_", " "),
            metric_value=value,
            metric_args={"signature": result.scores["signature"]},
        )
        for key, _, value in _scores(result)
    ]


def _scores(result: SplitResult) -> Iterator[tuple[str, str, float]]:
    """Keys, headings and values of the scores that there are; the headline first."""
    for key in sorted(_SHOWN, key=lambda key: key != HEADLINE):
        value = result.scores.get(key)
        if value is not None:
            yield key, _SHOWN[key], value


def _lines(result: SplitResult) -> Iterator[dict[str, Any]]:
    for key, heading, value in _scores(result):
        yield {
            "test_set": f"`{result.config}`, {result.split}",
            "tasks": result.scores["n_tasks"],
            "key": key,
            "heading": heading,
            "value": value,
        }
