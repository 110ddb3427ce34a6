"""The settings of a prediction run: the command line, completed from what the model was trained with."""

import copy
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from bap_v2_dataset.predictions.builder_kinds import BUILDER_KINDS, BuilderKind, any_of
from bap_v2_training.decoding.predict_arguments import PredictArguments
from bap_v2_training.decoding.trained_model import learned_texts, training_run
from bap_v2_training.errors import UsageError, check_installed
from bap_v2_training.in_context.chat_settings import COMPOSED, OF_ENDPOINTS, not_in_answers
from bap_v2_training.learning.options import check_least, check_unused, parsed
from bap_v2_training.tasks.building import NEW_TOKENS
from bap_v2_training.tasks.table import task_asked, texts_of, training_task
from bap_v2_training.tasks.training_task import TrainingTask

if TYPE_CHECKING:
    from bap_v2_training.decoding.learned_builder import LearnedBuilder

Arguments = TypeVar("Arguments", bound=PredictArguments)

_LOCAL = (
    "max_prompt_tokens", "batch_size", "dtype", "load_in_4bit", "constrained", "prompt_format", "bos_tokens",
    "gguf_file",
)  # fmt: skip # not for an endpoint
SAMPLING = ("samples", "temperature", "seed", "min_probability", "whole_answers")  # of answers
_OF_BUILDERS = ("max_actions", "feasible_only")  # not for language models
_OF_LANGUAGE_MODELS = (
    "representation", "history_lines", "max_prompt_tokens", "max_new_tokens", "load_in_4bit", "constrained", "backend",
    "prompt_format", "bos_tokens", "reasoning", "shots", "gguf_file",
)  # fmt: skip
_BATCH_SIZE, _ACCELERATOR_BATCH_SIZE, _BUILDER_BATCH_SIZE = 8, 32, 64
# In no settings: answers do not depend on them, or another one says it.
_OF_THE_RUN = ("output", "overwrite", "batch_size", "model_folder", "gguf_file")


def parse_arguments(args: Sequence[str] | None = None, of: type[Arguments] = PredictArguments) -> Arguments:
    """Return the settings of `--config FILE.yaml` and the command line, completed from the model's `training_run.json`.

    A model on the Hub is downloaded.

    Args:
        args: the command line; None: that of this process.
        of: with further settings.
    Raises:
        UsageError: settings that are unknown or do not go together, or there is no such model.
    """
    arguments = parsed(of, list(sys.argv[1:] if args is None else args))
    check_least(arguments, {"batch_size": 1, "max_new_tokens": 1, "max_actions": 1, "max_prompt_tokens": 1,
                            "history_lines": 0})  # fmt: skip
    if arguments.backend == "openai":
        return _for_an_endpoint(arguments)
    check_unused(arguments, OF_ENDPOINTS, "is for --backend openai")
    check_installed()
    from bap_v2_training.decoding.learned_builder import builder_kind  # here, and below: torch, which no endpoint needs
    from bap_v2_training.decoding.resolved_model import resolve_model
    from bap_v2_training.models.gguf import gguf_name

    arguments.model = gguf_name(arguments.model, arguments.gguf_file)
    arguments.model_folder, arguments.model_commit = resolve_model(arguments.model)
    if kind := builder_kind(arguments.model_folder):
        arguments.model_type = kind.model_type
        return _for_a_builder(arguments, kind)
    return _for_a_language_model(arguments)


def _for_a_language_model(arguments: Arguments) -> Arguments:
    import torch

    builders = any_of(BUILDER_KINDS.values())
    check_unused(arguments, _OF_BUILDERS, f"is for {builders}, and {arguments.model} is a language model")
    # Options that do not go together
    if arguments.constrained and arguments.prompt_format != "bap_v2":
        raise UsageError(f"--constrained begins a line: it does not go with --prompt-format {arguments.prompt_format}")
    if arguments.backend == "vllm" and arguments.load_in_4bit:
        raise UsageError("--load-in-4bit is for --backend transformers: vLLM has no bitsandbytes any more")
    # The data and the texts, as in training where nothing else is said
    run = training_run(arguments.model_folder)
    _complete_data(arguments, run.get("arguments", {}).get("bap", {}))
    task = _task_asked(arguments)
    for name, value in learned_texts(run).get(task.name, {}).items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, value)
    task.complete_prediction(arguments)
    # Samples, and how it is computed
    _complete_sampling(arguments)
    if arguments.samples is not None and not task.answers_actions:
        raise UsageError(f"samples is for answers that are actions, and {task.items} ask for something else")
    if arguments.samples is not None and arguments.backend == "vllm":
        raise UsageError("--samples is for --backend transformers: vLLM gives greedy answers here")
    arguments.max_new_tokens = arguments.max_new_tokens or NEW_TOKENS
    on_accelerator = torch.accelerator.is_available()
    arguments.batch_size = arguments.batch_size or (_ACCELERATOR_BATCH_SIZE if on_accelerator else _BATCH_SIZE)
    if arguments.dtype is None:
        arguments.dtype = "bfloat16" if on_accelerator else "float32"
    return arguments


def _complete_data(arguments: PredictArguments, trained: Mapping[str, Any]) -> None:
    """Fill in the data that the model was trained on, if none were passed."""
    if arguments.dataset_config is None and arguments.dataset_path is None:
        arguments.dataset_config, arguments.dataset_path = trained.get("dataset_config"), trained.get("dataset_path")
    if arguments.dataset_path is not None:
        arguments.dataset_config = None  # own data are used instead; what was not read should not be recorded


def _for_a_builder(arguments: Arguments, kind: BuilderKind) -> Arguments:
    # Options that make no difference to this kind are refused.
    name = kind.with_article
    check_unused(arguments, _OF_LANGUAGE_MODELS, f"is for language models, and {arguments.model} is {name}")
    if kind.plans:
        others = any_of(other for other in BUILDER_KINDS.values() if not other.plans)
        check_unused(arguments, ["feasible_only"], f"is for {others}: all answers of {name} can be executed")
    if not kind.samples:
        check_unused(arguments, SAMPLING, f"is for Builders that give samples, and {arguments.model} is {name}")
    # What was not said: how samples are drawn, the data, the size of batches.
    if kind.members:
        _complete_ensemble(arguments)
    else:
        _complete_sampling(arguments)
    run = training_run(arguments.model_folder)
    _complete_data(arguments, run.get("arguments", {}).get("bap", {}))
    if arguments.dataset_config is None and arguments.dataset_path is None:
        raise UsageError(
            f"{arguments.model} does not say which data are to be answered: pass --dataset-config or --data"
        )
    arguments.batch_size = arguments.batch_size or _BUILDER_BATCH_SIZE
    arguments.dtype = arguments.dtype or "float32"  # it is small, and its answers are the same whatever the batch
    return arguments


def _complete_ensemble(arguments: PredictArguments) -> None:
    """Fill in what is probable enough; its members give as many samples as it says, if no other number is asked for."""
    from bap_v2_training.ensemble.builder import EnsembleSettings

    settings = EnsembleSettings.load(arguments.model_folder)
    if arguments.samples is not None and arguments.samples < 2:
        raise UsageError(f"samples is {arguments.samples}: an ensemble answers by samples, at least 2 of each member")
    if arguments.min_probability is None:
        arguments.min_probability = settings.min_probability
    _complete_drawing(arguments)


def _complete_sampling(arguments: PredictArguments) -> None:
    """Fill in how samples are drawn if there are any; nothing of it is kept for greedy answers."""
    if arguments.samples is not None and arguments.samples < 0:
        raise UsageError(f"samples is {arguments.samples}: expected at least 2 samples, or 0 for greedy answers")
    if (arguments.samples or 0) < 2:
        check_unused(arguments, SAMPLING[1:], "is for --samples: pass at least 2 of them")
        arguments.samples = None
        return
    _complete_drawing(arguments)


def _complete_drawing(arguments: PredictArguments) -> None:
    """Fill in how samples are drawn. Raises: UsageError for numbers that cannot be."""
    arguments.temperature = 1.0 if arguments.temperature is None else arguments.temperature
    arguments.seed = arguments.seed or 0
    if not 0.0 < arguments.temperature < float("inf"):
        raise UsageError(f"temperature is {arguments.temperature}: expected a positive number")
    if arguments.min_probability is not None and not 0.0 <= arguments.min_probability < 1.0:
        raise UsageError(f"min_probability is {arguments.min_probability}: expected a probability from 0 to below 1")
    if arguments.whole_answers and arguments.min_probability is None:
        raise UsageError("--whole-answers is for --min-probability: pass one, e.g. 0.2")


def _for_an_endpoint(arguments: Arguments) -> Arguments:
    check_unused(arguments, _LOCAL, "is for models that run here, not for --backend openai")
    check_unused(arguments, (*_OF_BUILDERS, *SAMPLING), "is for models that run here, not for --backend openai")
    _task_asked(arguments).complete_question(arguments)
    return arguments


def _task_asked(arguments: PredictArguments) -> TrainingTask:
    """Return the task of the items, noted in `task`."""
    task = task_asked(arguments.dataset_config, arguments.dataset_path, arguments.split)
    arguments.task = task.name
    return task


def settings_of(arguments: PredictArguments) -> dict:
    """Return what the answers depend on: two runs with the same settings may write the same output file."""
    # All settings but those that answers do not depend on
    settings, task = asdict(arguments), training_task(arguments.task)
    omitted = {*_OF_THE_RUN, *task.unrecorded, *([] if arguments.whole_answers else ["whole_answers"])}
    if not arguments.model_commit:
        omitted.add("model_commit")
    # Of a model at an endpoint: what it is sent
    if arguments.backend == "openai":
        omitted |= {"model_type", *_OF_BUILDERS, *SAMPLING, *not_in_answers(arguments), *_LOCAL}
        of_messages = task.question_settings(arguments)
        if not of_messages:
            omitted |= {*COMPOSED}
        return _kept(settings | of_messages | {"prompt_version": texts_of(arguments).version}, omitted)
    # Of a Builder: those of prompts say nothing of it
    settings["model_finished"] = training_run(arguments.model_folder).get("finished")
    if kind := BUILDER_KINDS.get(arguments.model_type or ""):
        from bap_v2_training.decoding.bayes_risk import PROBABILITY_VERSION
        from bap_v2_training.ensemble.builder import prompt_versions

        omitted |= {*_OF_LANGUAGE_MODELS, *OF_ENDPOINTS, *["feasible_only"] * kind.plans}
        if kind.own_probabilities and arguments.min_probability is not None:
            settings["probability_version"] = PROBABILITY_VERSION
        if kind.members and (versions := prompt_versions(arguments.model_folder)):
            settings["prompt_versions"] = versions
        return _kept(settings, omitted)
    # Of a language model that runs here
    omitted |= {"model_type", *_OF_BUILDERS, *OF_ENDPOINTS, *task.unrecorded_here}
    if arguments.prompt_format == "chat":
        settings["prompt_format_version"] = 2  # 1 left out the last line break
        from bap_v2_training.decoding.language_model import template_facts_of

        settings |= template_facts_of(arguments.model_folder)
    return _kept(settings | {"prompt_version": texts_of(arguments).version}, omitted)


def _kept(settings: Mapping[str, Any], omitted: set[str]) -> dict[str, Any]:
    return {name: value for name, value in settings.items() if name not in omitted}


def of_each_test_set(arguments: PredictArguments) -> list[PredictArguments]:
    """Return the settings once for each config, with its file as `output`, as if it were answered alone.

    Raises:
        UsageError: several configs and no folder to write to, or a config twice.
    """
    # Several files need a folder
    output, names = arguments.output, (arguments.dataset_config or "").split(",")
    is_folder = output.endswith("/") or Path(output).is_dir()
    if len(names) > 1 and not is_folder:
        raise UsageError(f"{output} is one file, and {arguments.dataset_config} are several test sets: write {output}/")
    if len({*names}) < len(names):
        raise UsageError(f"dataset_config is {arguments.dataset_config}: name each config once")
    if not is_folder:
        return [arguments]
    # Settings and file of each
    each = []
    for name in names:
        one = copy.copy(arguments)
        one.dataset_config = name or None
        one.output = str(Path(output) / f"{name or Path(arguments.dataset_path or '').stem}.jsonl")
        if one.backend == "openai":
            training_task(one.task).complete_test_set(one)
        each.append(one)
    return each


def builder_of(arguments: PredictArguments) -> "LearnedBuilder":
    """Return the GRU, pointer transformer or ensemble of these settings, loaded."""
    from bap_v2_training.decoding.learned_builder import load_builder

    sampling = {name: value for name in SAMPLING if (value := getattr(arguments, name)) is not None}
    return load_builder(
        arguments.model_folder, arguments.dtype, arguments.max_actions, arguments.feasible_only, **sampling
    )
