"""The card of a model: the template `hub_cards/model_card.md`, with what a run recorded and its scores.

model_card(facts_of_run("USER/builder", "runs/smoke", ["scores.json"])).save("README.md")
"""

from huggingface_hub import EvalResult, ModelCard, ModelCardData
from huggingface_hub.utils import HFValidationError, validate_repo_id, yaml_dump

from bap_v2_dataset.publishing.base_licenses import base_license
from bap_v2_dataset.publishing.model_facts import BUILDERS, ModelFacts, SplitResult
from bap_v2_dataset.publishing.template import CardError, rendered
from bap_v2_dataset.tasks.building.paper import COLUMNS, ROWS
from bap_v2_dataset.tasks.building.prompts import ALL_REPRESENTATIONS, REPRESENTATIONS
from bap_v2_dataset.tasks.gsu.card import GSU_CONFIGS
from bap_v2_dataset.tasks.gsu.model_card import GSU, check_gsu, gsu_body, gsu_results
from bap_v2_dataset.tasks.gsu.model_card import TAGS as GSU_TAGS
from bap_v2_dataset.tasks.plancraft.card import PLANCRAFT_CONFIGS
from bap_v2_dataset.tasks.plancraft.model_card import CHAT, check_plancraft, plancraft_body, plancraft_results
from bap_v2_dataset.tasks.plancraft.model_card import TAGS as PLANCRAFT_TAGS
from bap_v2_dataset.tasks.table import HUMAN_CONFIGS
from bap_v2_metric.scoring import MEASURES

MODEL_TAG = "builder-action-prediction"  # by which our cards are known
_MODEL_TAGS = ("minecraft", "dialogue", "instruction-following", "spatial-reasoning", MODEL_TAG)

_TAGS = {GSU: (*GSU_TAGS, MODEL_TAG), CHAT: (*PLANCRAFT_TAGS, MODEL_TAG)}  # of models of other tasks


def model_card(facts: ModelFacts) -> ModelCard:
    """The card of an adapter or a model.

    Raises:
        CardError: an unknown kind or representation, a base model that is not a name of the Hub, no data, scores that
            are not those of `bap_v2_metric.score`.
    """
    _check_model(facts)
    dataset = facts.dataset_repo or "bap_v2"
    known = base_license(facts.base_model)
    inherited = facts.base_model is not None and facts.license is None and known is None
    data = ModelCardData(
        language=["en"],
        license="other" if inherited else facts.license or (known.identifier if known else "apache-2.0"),
        license_name="license-of-the-base-model" if inherited else None,
        license_link=f"https://huggingface.co/{facts.base_model}" if inherited else None,
        library_name="peft" if facts.kind == "adapter" else "transformers",
        pipeline_tag=None if facts.kind in BUILDERS else "text-generation",
        base_model=facts.base_model,
        base_model_relation=facts.base_model and ("adapter" if facts.kind == "adapter" else "finetune"),
        datasets=facts.dataset_repo and [facts.dataset_repo],
        metrics=[facts.metric_space or "bap_v2"],
        tags=[*_TAGS.get(facts.task, _MODEL_TAGS), *["lora"] * (facts.kind == "adapter")],
        model_name=facts.repo_id.rpartition("/")[2] if facts.results else None,
        eval_results=[entry for result in facts.results for entry in _eval_results(result, dataset)] or None,
    )
    settings = {"model_name_or_path": facts.base_model} if facts.base_model else {}
    settings |= dict(facts.hyperparameters)
    settings |= {"representation": facts.representation} if facts.representation else {}
    settings |= {"seed": facts.seed}
    if facts.task in (GSU, CHAT):
        as_yaml = yaml_dump(settings, sort_keys=False).strip()
        body_of = gsu_body if facts.task == GSU else plancraft_body
        return ModelCard(f"---\n{data.to_yaml()}\n---\n\n{body_of(facts, dataset, as_yaml, known)}")
    human = any(name in HUMAN_CONFIGS for name in (*facts.data, *(result.config for result in facts.results)))
    example = ("mdc_v2" if human else "dss", "test")
    if facts.results:
        example = (facts.results[0].config, facts.results[0].split)
    body = rendered(
        "model_card.md",
        {
            "facts": facts,
            "builder": BUILDERS.get(facts.kind),
            "dataset": dataset,
            "metric": facts.metric_space or "bap_v2",
            "example": example,
            "rendered": _rendered(facts),
            "columns": COLUMNS,
            "boards": ROWS,
            "settings": yaml_dump(settings, sort_keys=False).strip(),
            "human": human,
            "base_license": known,
        },
    )
    return ModelCard(f"---\n{data.to_yaml()}\n---\n\n{body}")


def _rendered(facts: ModelFacts) -> str:
    """How a prompt is rendered from `row`, as Python; "" where it is a column of the dataset."""
    lines = facts.hyperparameters.get("history_lines")
    if facts.representation in (None, *REPRESENTATIONS) and lines is None:
        return ""
    return f'render(row, "{facts.representation}"{"" if lines is None else f", newest={lines}"})'


def _check_model(facts: ModelFacts) -> None:
    if facts.kind not in ("adapter", "full", *BUILDERS):
        raise CardError(f"kind={facts.kind!r}: expected adapter, full, {' or '.join(BUILDERS)}")
    if facts.task == GSU:
        check_gsu(facts)
    elif facts.task == CHAT:
        check_plancraft(facts)
    elif facts.task == "architect":
        raise CardError("there is no card yet for a model that speaks for the Architect: upload its folder by itself")
    elif facts.kind not in BUILDERS and facts.representation not in ALL_REPRESENTATIONS:
        raise CardError(f"representation={facts.representation!r}: expected one of {', '.join(ALL_REPRESENTATIONS)}")
    if not facts.data:
        raise CardError("data is empty: a model card says what was learned")
    for name in (facts.repo_id, facts.base_model, facts.dataset_repo, facts.metric_space):
        try:
            if name is not None:
                validate_repo_id(name)
        except HFValidationError:
            raise CardError(f"{name!r} is not a name on the Hub: expected e.g. USER/bap_v2") from None
    for result in facts.results if facts.task not in (GSU, CHAT) else ():
        if result.config in (*GSU_CONFIGS, *PLANCRAFT_CONFIGS):
            of = "GSU" if result.config in GSU_CONFIGS else "Plancraft"
            raise CardError(
                f"the model learned to build, and the scores on {result.config} are of {of}: leave them out"
            )
        if missing := {"signature", "n_items", *(f"{measure}_f1" for measure in MEASURES)} - result.scores.keys():
            raise CardError(f"the scores on {result.config} lack {', '.join(sorted(missing))}: pass those of score()")


def _eval_results(result: SplitResult, dataset: str) -> list[EvalResult]:
    """F1 of each measure, as a fraction, or the scores of GSU; the headline first."""
    if result.config in GSU_CONFIGS:
        return gsu_results(result, dataset)
    if result.config in PLANCRAFT_CONFIGS:
        return plancraft_results(result, dataset)
    return [
        EvalResult(
            task_type="text-generation",
            task_name="Builder Action Prediction",
            dataset_type=dataset,
            dataset_name=f"BAP v2, {result.config}",
            dataset_config=result.config,
            dataset_split=result.split,
            dataset_args={"items": result.scores["n_items"], "labels": result.labels},
            metric_type=f"{measure}_f1",
            metric_name=f"{measure} F1",
            metric_value=result.scores[f"{measure}_f1"],
            metric_args={"signature": result.scores["signature"]},
        )
        for measure in sorted(MEASURES, key=lambda measure: measure != "fairer")
    ]
