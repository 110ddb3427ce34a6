"""The card of a model: what a run recorded, and its scores, in the template of the room of the task that it learned.

model_card(facts_of_run("USER/builder", "runs/smoke", ["scores.json"])).save("README.md")
"""

from collections.abc import Iterator
from pathlib import PurePath

from huggingface_hub import EvalResult, ModelCard, ModelCardData
from huggingface_hub.utils import HFValidationError, validate_repo_id, yaml_dump

from bap_v2_dataset.interface.table import item_configs, task_of
from bap_v2_dataset.interface.task import ModelCard as TaskModelCard
from bap_v2_dataset.predictions.builder_kinds import BUILDER_KINDS
from bap_v2_dataset.predictions.model_records import MODELS_OF_PACKAGES
from bap_v2_dataset.publishing.base_licenses import base_license
from bap_v2_dataset.publishing.facts import ModelFacts
from bap_v2_dataset.publishing.model_facts import training_task
from bap_v2_dataset.publishing.template import CardError, rendered

MODEL_TAG = "builder-action-prediction"  # by which our cards are known


def model_card(facts: ModelFacts) -> ModelCard:
    """Return the card of an adapter or a model.

    Raises:
        CardError: an unknown kind or representation, a base model that is not a name of the Hub, no data, scores that
            are not those of the task.
    """
    card = _checked_card(facts)
    # The front matter, which the Hub reads. A license that we do not know is inherited.
    known = base_license(facts.base_model)
    inherited = facts.base_model is not None and facts.license is None and known is None
    data = ModelCardData(
        language=["en"],
        license="other" if inherited else facts.license or (known.identifier if known else "apache-2.0"),
        license_name="license-of-the-base-model" if inherited else None,
        license_link=f"https://huggingface.co/{facts.base_model}" if inherited else None,
        library_name="peft" if facts.kind == "adapter" else "transformers",
        pipeline_tag="robotics" if facts.builder else "text-generation",  # whose snippets load a Builder, too
        base_model=facts.base_model,
        base_model_relation=facts.base_model and ("adapter" if facts.kind == "adapter" else "finetune"),
        datasets=facts.dataset_repo and [facts.dataset_repo],
        metrics=[facts.metric_space or "bap_v2"],
        tags=[*card.TAGS, MODEL_TAG, *["lora"] * (facts.kind == "adapter")],
        model_name=facts.repo_id.rpartition("/")[2] if facts.results else None,
        eval_results=list(_eval_results(facts)) or None,
    )
    # The settings with which such a model is trained again.
    settings = {
        **({"model_name_or_path": facts.base_model} if facts.base_model and not facts.builder else {}),
        **facts.hyperparameters,
        **({"representation": facts.representation} if facts.representation else {}),
        **({} if facts.builder and facts.builder.members else {"seed": facts.seed}),
    }
    # The text, from the template of the task.
    configs = {*facts.data, *(result.config for result in facts.results)}
    body = rendered(
        card.TEMPLATE,
        {
            "facts": facts,
            "item": training_task(facts).scores.item,
            "headline": training_task(facts).headline,
            "listed": [(result, list(card.scores(result))) for result in facts.results],
            "builder": facts.builder,
            "packages": MODELS_OF_PACKAGES,
            "weights": _weights(facts),
            "dataset": facts.dataset_repo or "bap_v2",
            "settings": yaml_dump(settings, sort_keys=False).strip(),
            "base_license": known,
            **card.facts(facts, human=not configs.isdisjoint(item_configs("mdc"))),
        },
    )
    return ModelCard(f"---\n{data.to_yaml()}\n---\n\n{body}")


def _weights(facts: ModelFacts) -> str:
    """Return a sentence on the weights in the repository, and what they were made from."""
    base = facts.base_model and f"[{facts.base_model}](https://huggingface.co/{facts.base_model})"
    if facts.kind == "adapter":
        return f"An adapter (LoRA) of {base}." if base else "An adapter (LoRA)."
    if facts.base_weights:
        file = PurePath(facts.base_weights).name
        return f"All weights; fine-tuned from {base}, with the rounded weights of `{file}` (GGUF)."
    return f"All weights; fine-tuned from {base}." if base else "All weights."


def _checked_card(facts: ModelFacts) -> TaskModelCard:
    """Return what the task says in cards of its models.

    Raises:
        CardError: see `model_card`.
    """
    # The model: its kind, its task and its inputs.
    if facts.kind not in ("adapter", "full", *BUILDER_KINDS):
        raise CardError(f"kind={facts.kind!r}: expected adapter, full, {' or '.join(BUILDER_KINDS)}")
    task, card = training_task(facts), training_task(facts).model_card
    if card is None:
        raise CardError(f"there is no card yet for a model that learned {task.title}: upload its folder by itself")
    if card.REPRESENTATIONS and not facts.builder and facts.representation not in card.REPRESENTATIONS:
        raise CardError(f"representation={facts.representation!r}: expected one of {', '.join(card.REPRESENTATIONS)}")
    if not facts.data:
        raise CardError("data is empty: a model card says what was learned")
    # The names of repositories.
    for name in (facts.repo_id, facts.base_model, facts.dataset_repo, facts.metric_space):
        try:
            if name is not None:
                validate_repo_id(name)
        except HFValidationError:
            raise CardError(f"{name!r} is not a name on the Hub: expected e.g. USER/bap_v2") from None
    # The scores, which must be of this task, and all that the card shows.
    for result in facts.results:
        of_config = task_of(result.config)
        if of_config is not None and of_config.model_card is not card:
            raise CardError(
                f"the model learned {card.LEARNED}, and the scores on {result.config} are of another task, "
                f"{of_config.title}: leave them out"
            )
        if missing := set(card.NEEDED) - result.scores.keys():
            raise CardError(
                f"the scores on {result.config} lack {', '.join(sorted(missing))}: pass those of bap-v2 score"
            )
    return card


def _eval_results(facts: ModelFacts) -> Iterator[EvalResult]:
    """Yield every score of each test set, as a fraction or what else it is; the headline first."""
    task, card = training_task(facts), training_task(facts).model_card
    for result in facts.results:
        # What the test set is, and of how many items the scores are.
        items = f"{task.scores.item}s"
        labels = {"labels": result.labels} if card.HAS_LABELS else {}
        test_set = {
            "task_type": "text-generation",
            "task_name": task.title,
            "dataset_type": facts.dataset_repo or "bap_v2",
            "dataset_name": card.test_set(result),
            "dataset_config": result.config,
            "dataset_split": result.split,
            "dataset_args": {items: result.scores[f"n_{items}"], **labels},
            "metric_args": {"signature": result.scores["signature"]},
        }
        # A result for each score.
        for score in card.scores(result):
            yield EvalResult(**test_set, metric_type=score.key, metric_name=score.name, metric_value=score.value)
