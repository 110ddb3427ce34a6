"""The card of a model that learned GSU: the template `hub_cards/gsu_model_card.md`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from huggingface_hub import EvalResult

from bap_v2_dataset.publishing.model_facts import ModelFacts, SplitResult
from bap_v2_dataset.publishing.template import CardError, rendered
from bap_v2_dataset.tasks.gsu.blocks import REPRESENTATIONS
from bap_v2_dataset.tasks.gsu.card import GSU_CONFIGS
from bap_v2_dataset.tasks.gsu.counts import MEASURES
from bap_v2_dataset.tasks.gsu.prompts import usual_form
from bap_v2_dataset.tasks.table import TASKS
from bap_v2_simulators.gsu.configs import CONFIGS

GSU = "gsu"  # the task, as training records it
TAGS = ("spatial-reasoning", "navigation", "grid")
HEADLINE = "score"


def check_gsu(facts: ModelFacts) -> None:
    """Raises: CardError for a representation or scores that are not of GSU."""
    if facts.representation not in REPRESENTATIONS:
        raise CardError(f"representation={facts.representation!r}: expected one of {', '.join(REPRESENTATIONS)}")
    for result in facts.results:
        if result.config not in GSU_CONFIGS:
            raise CardError(
                f"the model learned GSU, and the scores on {result.config} are of another task: leave them out"
            )
        if missing := {HEADLINE, "signature", "n_items", "unparsed"} - result.scores.keys():
            raise CardError(
                f"the scores on {result.config} lack {', '.join(sorted(missing))}: pass those of bap-v2 score"
            )


def gsu_body(facts: ModelFacts, dataset: str, settings: str, base_license: Any) -> str:
    """The card without its front matter.

    Args:
        dataset: where the data are.
        settings: of the training, as YAML.
        base_license: of the base model, if it asks for something.
    """
    example = (facts.results[0].config, facts.results[0].split) if facts.results else (_learned(facts), "test")
    shots, reasoning = facts.hyperparameters.get("shots"), facts.hyperparameters.get("reasoning")
    structures = example[0] in CONFIGS and not usual_form(CONFIGS[example[0]].task)[1]
    return rendered(
        "gsu_model_card.md",
        {
            "facts": facts,
            "dataset": dataset,
            "example": example,
            "shots": shots,
            "reasoning": reasoning is not False,
            "shown_reasoning": False if structures else reasoning,
            "scores": [line for result in facts.results for line in _lines(result)],
            "settings": settings,
            "base_license": base_license,
            "citation": TASKS[GSU].dataset.info(GSU_CONFIGS[0]).citation.strip(),
        },
    )


def gsu_results(result: SplitResult, dataset: str) -> list[EvalResult]:
    """Every score of a test set, as a fraction or in cells; the headline first."""
    return [
        EvalResult(
            task_type="text-generation",
            task_name="Grid Spatial Understanding",
            dataset_type=dataset,
            dataset_name=f"GSU, {result.config}",
            dataset_config=result.config,
            dataset_split=result.split,
            dataset_args={"items": result.scores["n_items"]},
            metric_type=key,
            metric_name=key.replace("_", " "),
            metric_value=value,
            metric_args={"signature": result.scores["signature"]},
        )
        for key, value in _scores(result.scores)
    ]


def _scores(scores: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """The scores by their keys: the mean of all items, then those of each task."""
    yield HEADLINE, scores[HEADLINE]
    for task, measures in MEASURES.items():
        for key in (*(f"{task}_{measure}" for measure in measures), f"{task}_composite_spatial"):
            if key in scores:
                yield key, scores[key]


def _lines(result: SplitResult) -> Iterator[dict[str, Any]]:
    name = f"`{result.config}`, {result.split}"
    for key, value in _scores(result.scores):
        of_task = next((task for task in MEASURES if key.startswith(f"{task}_")), "")
        items = result.scores.get(f"{of_task}_n_items", result.scores["n_items"])
        yield {"test_set": name, "items": items, "key": key, "value": value}


def _learned(facts: ModelFacts) -> str:
    """A config that was learned, else the first one."""
    names: Sequence[str] = [name for name in facts.data if name in CONFIGS]
    return names[0] if names else next(iter(CONFIGS))
