"""The settings of a prediction run: the command line, completed from what the model was trained with."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, TypeVar

import torch

from bap_v2_dataset.predictions.model_records import LEARNED_BUILDERS
from bap_v2_dataset.tasks.robustness.task import BASE_OF as BASE_OF_ROBUST
from bap_v2_training.decoding.found_model import found_model
from bap_v2_training.decoding.learned_builder import learned_type
from bap_v2_training.decoding.predict_arguments import PredictArguments
from bap_v2_training.decoding.trained_model import learned_texts, training_run
from bap_v2_training.errors import UsageError
from bap_v2_training.in_context.chat_settings import (
    NOT_IN_ANSWERS,
    ChatArguments,
    answer_settings,
    check,
    check_representation,
    not_in_answers,
)
from bap_v2_training.learning.config_files import parsed
from bap_v2_training.learning.item_texts import (
    ARCHITECT,
    BAP,
    GSU,
    USUAL_REPRESENTATION,
    check_architect_texts,
    check_gsu_texts,
    task_asked,
    texts_of,
)

Arguments = TypeVar("Arguments", bound=PredictArguments)

_LOCAL = (
    "max_prompt_tokens", "batch_size", "dtype", "load_in_4bit", "constrained", "prompt_format", "bos_tokens",
)  # fmt: skip # not for an endpoint
SAMPLING = ("samples", "temperature", "seed", "min_probability")  # for a pointer transformer
_OF_ENDPOINTS = tuple(option.name for option in fields(ChatArguments) if option.name not in ("history_lines", "shots"))
# Of an endpoint that answers GSU; the others say how Builder Action Prediction is asked.
_OF_ENDPOINTS_ALONE = ("base_url", "request_options", "keep_messages", *NOT_IN_ANSWERS)
_OF_BAP_AT_ENDPOINTS = tuple(name for name in _OF_ENDPOINTS if name not in _OF_ENDPOINTS_ALONE)
_OF_BUILDERS = ("max_actions", "feasible_only")  # not for language models
_OF_LANGUAGE_MODELS = (
    "representation", "history_lines", "max_prompt_tokens", "max_new_tokens", "load_in_4bit", "constrained", "backend",
    "prompt_format", "bos_tokens", "reasoning",
)  # fmt: skip
# 8 steps of GSU with their reasoning take 432 tokens of Llama 3; chat models are less brief.
NEW_TOKENS, _NEW_TOKENS_WITH_THOUGHTS, _NEW_TOKENS_OF_CHATS = 640, 32_768, 2_048
_BATCH_SIZE, _ACCELERATOR_BATCH_SIZE, _BUILDER_BATCH_SIZE = 8, 32, 64
_FOR_GSU = "is for GSU"
_OF_THE_RUN = ("output", "overwrite", "batch_size", "model_folder")  # in no settings: answers do not depend on them
_WITH_SAMPLES = f"a {LEARNED_BUILDERS['bap_pointer']}"
_BUILDERS = " or ".join(f"a {name}" for name in LEARNED_BUILDERS.values())  # a GRU or a pointer transformer


def parse_arguments(args: Sequence[str] | None = None, of: type[Arguments] = PredictArguments) -> Arguments:
    """The settings of `--config FILE.yaml` and the command line, completed from the model's `training_run.json`.

    A model on the Hub is downloaded.

    Args:
        args: the command line; None: that of this process.
        of: with further settings.
    Raises:
        UsageError: settings that are unknown or do not go together, or there is no such model.
    """
    arguments = parsed(of, list(sys.argv[1:] if args is None else args))
    for name, least in {"batch_size": 1, "max_new_tokens": 1, "max_actions": 1, "max_prompt_tokens": 1,
                        "history_lines": 0}.items():  # fmt: skip
        if (number := getattr(arguments, name)) is not None and number < least:
            raise UsageError(f"{name} is {number}: expected at least {least}")
    if arguments.backend == "openai":
        return _for_an_endpoint(arguments)
    _check_unused(arguments, _OF_ENDPOINTS, "is for --backend openai")
    arguments.model_folder, arguments.model_commit = found_model(arguments.model)
    arguments.model_type = learned_type(arguments.model_folder)
    if arguments.model_type is not None:
        return _for_a_builder(arguments)
    return _for_a_language_model(arguments)


def _for_a_language_model(arguments: Arguments) -> Arguments:
    _check_for_language_models(arguments, f"and {arguments.model} is a language model")
    if arguments.constrained and arguments.prompt_format != "bap_v2":
        raise UsageError(f"--constrained begins a line: it does not go with --prompt_format {arguments.prompt_format}")
    if arguments.backend == "vllm" and arguments.load_in_4bit:
        raise UsageError("--load_in_4bit is for --backend transformers: vLLM has no bitsandbytes any more")
    run = training_run(arguments.model_folder)
    _complete_data(arguments, run.get("arguments", {}).get("bap", {}))
    arguments.task = task_asked(arguments.dataset_config, arguments.dataset_path, arguments.split)
    if arguments.task == BAP:
        _check_unused(arguments, ["shots"], "is for --backend openai, and with other backends for GSU alone")
        _check_unused(arguments, ["reasoning"], _FOR_GSU)
    for name, value in learned_texts(run).get(arguments.task, {}).items():
        if getattr(arguments, name) is None:
            setattr(arguments, name, value)
    if arguments.task == GSU:
        _complete_gsu(arguments)
    elif arguments.task == ARCHITECT:
        _complete_architect(arguments)
    if arguments.task in (GSU, ARCHITECT):
        _check_unused(arguments, ["constrained"], "permits only actions, and these items ask for something else")
    arguments.max_new_tokens = arguments.max_new_tokens or NEW_TOKENS
    on_accelerator = torch.accelerator.is_available()
    arguments.batch_size = arguments.batch_size or (_ACCELERATOR_BATCH_SIZE if on_accelerator else _BATCH_SIZE)
    if arguments.dtype is None:
        arguments.dtype = "bfloat16" if on_accelerator else "float32"
    if arguments.representation is None:
        raise UsageError(f"{arguments.model} has no record of its training: pass --representation")
    return arguments


def _complete_gsu(arguments: PredictArguments) -> None:
    """Fills in and checks how items of GSU are shown; what stays None is as in Table 1 of the paper."""
    check_gsu_texts(arguments)
    arguments.representation = arguments.representation or USUAL_REPRESENTATION[GSU]


def _complete_architect(arguments: PredictArguments) -> None:
    """Fills in and checks how items of the Architect are shown."""
    check_architect_texts(arguments)
    arguments.representation = arguments.representation or USUAL_REPRESENTATION[ARCHITECT]


def _complete_data(arguments: PredictArguments, trained: Mapping[str, Any]) -> None:
    """Fill in the data that the model was trained on, if none were passed."""
    if arguments.dataset_config is None and arguments.dataset_path is None:
        arguments.dataset_config, arguments.dataset_path = trained.get("dataset_config"), trained.get("dataset_path")
    if arguments.dataset_path is not None:
        arguments.dataset_config = None  # own data are used instead; what was not read should not be recorded


def _for_a_builder(arguments: Arguments) -> Arguments:
    kind = LEARNED_BUILDERS[arguments.model_type or ""]
    _check_unused(arguments, ["shots"], "is for --backend openai, and with other backends for GSU alone")
    _check_unused(arguments, _OF_LANGUAGE_MODELS, f"is for language models, and {arguments.model} is a {kind}")
    if arguments.model_type == "bap_pointer":
        _check_unused(arguments, ["feasible_only"], f"is for a GRU: all answers of a {kind} can be executed")
        _complete_sampling(arguments)
    else:
        _check_unused(arguments, SAMPLING, f"is for {_WITH_SAMPLES}, and {arguments.model} is a {kind}")
    run = training_run(arguments.model_folder)
    _complete_data(arguments, run.get("arguments", {}).get("bap", {}))
    if arguments.dataset_config is None and arguments.dataset_path is None:
        raise UsageError(
            f"{arguments.model} does not say which data are to be answered: pass --dataset_config or --data"
        )
    arguments.batch_size = arguments.batch_size or _BUILDER_BATCH_SIZE
    arguments.dtype = arguments.dtype or "float32"  # it is small, and its answers are the same whatever the batch
    return arguments


def _complete_sampling(arguments: PredictArguments) -> None:
    """Fill in how samples are drawn if there are any; nothing of it is kept for greedy answers."""
    if arguments.samples is not None and arguments.samples < 0:
        raise UsageError(f"samples is {arguments.samples}: expected at least 2 samples, or 0 for greedy answers")
    if (arguments.samples or 0) < 2:
        _check_unused(arguments, SAMPLING[1:], "is for --samples: pass at least 2 of them")
        arguments.samples = None
        return
    arguments.temperature = 1.0 if arguments.temperature is None else arguments.temperature
    arguments.seed = arguments.seed or 0
    if not 0.0 < arguments.temperature < float("inf"):
        raise UsageError(f"temperature is {arguments.temperature}: expected a positive number")
    if arguments.min_probability is not None and not 0.0 <= arguments.min_probability < 1.0:
        raise UsageError(f"min_probability is {arguments.min_probability}: expected a probability from 0 to below 1")


def _for_an_endpoint(arguments: Arguments) -> Arguments:
    _check_unused(arguments, _LOCAL, "is for models that run here, not for --backend openai")
    _check_for_language_models(arguments, "not for --backend openai")
    arguments.task = task_asked(arguments.dataset_config, arguments.dataset_path, arguments.split)
    if arguments.task == GSU:
        return _for_gsu_at_an_endpoint(arguments)
    if arguments.task == ARCHITECT:
        return _for_the_architect_at_an_endpoint(arguments)
    if "," in (arguments.dataset_config or ""):
        raise UsageError(f"--dataset_config {arguments.dataset_config}: an endpoint answers one config at a time")
    _check_unused(arguments, ["reasoning"], f"{_FOR_GSU}; see --prompt")
    if arguments.shots is None:
        arguments.shots = 0 if arguments.prompt == "reasoning" else 5
    check(arguments)
    arguments.representation = arguments.representation or "n_posb_s"
    check_representation(arguments, arguments.representation)
    if arguments.max_new_tokens is None:
        arguments.max_new_tokens = _NEW_TOKENS_WITH_THOUGHTS if arguments.prompt == "reasoning" else NEW_TOKENS
    if arguments.dataset_path is not None:
        arguments.dataset_config = None
    if arguments.shots_path is not None:
        arguments.shots_config = None
    elif arguments.shots_config is None:
        config = arguments.dataset_config or ""
        arguments.shots_config = BASE_OF_ROBUST.get(config, config) or None  # robustness configs have test items alone
        arguments.shots_path = arguments.dataset_path
    own, shots = arguments.dataset_path, arguments.shots_path
    if arguments.shots and own and shots and Path(own).is_file() and Path(own).resolve() == Path(shots).resolve():
        raise UsageError(
            f"{own} is one split, so its items cannot also be the shots: pass train items with --shots_path or "
            "--shots_config, or set --shots 0"
        )
    return arguments


def _for_the_architect_at_an_endpoint(arguments: Arguments) -> Arguments:
    _check_unused(arguments, _OF_BAP_AT_ENDPOINTS, "is for Builder Action Prediction: an Architect is asked as it is")
    _complete_architect(arguments)
    arguments.shots = 0
    return _asked_by_its_prompt(arguments)


def _for_gsu_at_an_endpoint(arguments: Arguments) -> Arguments:
    _check_unused(arguments, _OF_BAP_AT_ENDPOINTS, "is for Builder Action Prediction: GSU has --shots and --reasoning")
    _complete_gsu(arguments)
    return _asked_by_its_prompt(arguments)


def _asked_by_its_prompt(arguments: Arguments) -> Arguments:
    check(arguments)
    arguments.max_new_tokens = arguments.max_new_tokens or _NEW_TOKENS_OF_CHATS
    if arguments.dataset_path is not None:
        arguments.dataset_config = None
    elif arguments.dataset_config is None:
        raise UsageError("set dataset_config or dataset_path")
    return arguments


def _check_for_language_models(arguments: PredictArguments, instead: str) -> None:
    """Raises: UsageError for options that only other Builders have."""
    _check_unused(arguments, _OF_BUILDERS, f"is for {_BUILDERS}, {instead}")
    _check_unused(arguments, SAMPLING, f"is for {_WITH_SAMPLES}, {instead}")


def _check_unused(arguments: PredictArguments, names: Iterable[str], why: str) -> None:
    """Raises: UsageError for an option that was given although it would do nothing."""
    defaults = {option.name: option.default for option in fields(arguments)}
    for name in names:
        if getattr(arguments, name) != defaults[name]:
            raise UsageError(f"--{name} {why}")


def settings_of(arguments: PredictArguments) -> dict:
    """What the answers depend on: two runs with the same settings may write the same output file."""
    settings = asdict(arguments)
    omitted = {*_OF_THE_RUN} if arguments.model_commit else {*_OF_THE_RUN, "model_commit"}
    omitted |= {"history_lines"} if arguments.task == GSU else {"task", "reasoning"}
    if arguments.model_type is not None:
        omitted |= {*_OF_LANGUAGE_MODELS, *_OF_ENDPOINTS, "shots"}
        omitted |= {"feasible_only"} if arguments.model_type == "bap_pointer" else set(SAMPLING)
        settings["model_finished"] = training_run(arguments.model_folder).get("finished")
    elif arguments.backend == "openai":
        omitted |= {"model_type", *_OF_BUILDERS, *SAMPLING, *not_in_answers(arguments), *_LOCAL}
        if arguments.task in (GSU, ARCHITECT):
            omitted |= {*_OF_BAP_AT_ENDPOINTS}
        else:
            settings |= answer_settings(arguments)
        settings["prompt_version"] = texts_of(arguments).version
    else:
        omitted |= {"model_type", *_OF_BUILDERS, *SAMPLING, *_OF_ENDPOINTS}
        omitted |= {"constrained"} if arguments.task in (GSU, ARCHITECT) else {"shots"}
        omitted |= {"shots"} if arguments.task == ARCHITECT else set()
        settings |= {
            "model_finished": training_run(arguments.model_folder).get("finished"),
            "prompt_version": texts_of(arguments).version,
        }
    return {name: value for name, value in settings.items() if name not in omitted}
