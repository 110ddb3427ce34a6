"""The settings of a prediction run: the command line, completed from what the model was trained with."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import torch
from transformers import HfArgumentParser

from bap_v2_dataset.chat.messages import CHAT_VERSION
from bap_v2_dataset.predictions.model_records import LEARNED_BUILDERS
from bap_v2_dataset.prompts import prompt_version
from bap_v2_training.decoding.learned_builder import builder_run, learned_type
from bap_v2_training.decoding.trained_model import training_run
from bap_v2_training.errors import UsageError
from bap_v2_training.in_context.chat_settings import NOT_IN_ANSWERS, ChatArguments, check
from bap_v2_training.learning.data_settings import DatasetArguments

_LOCAL = ("max_prompt_tokens", "batch_size", "dtype", "load_in_4bit", "constrained")  # not for an endpoint
SAMPLING = ("samples", "temperature", "seed", "min_probability")  # for a pointer transformer
_OF_ENDPOINTS = tuple(option.name for option in fields(ChatArguments) if option.name != "history_lines")
_OF_BUILDERS = ("max_actions", "feasible_only")  # not for language models
_OF_LANGUAGE_MODELS = (
    "representation", "history_lines", "max_prompt_tokens", "max_new_tokens", "load_in_4bit", "constrained", "backend",
)  # fmt: skip
_BATCH_SIZE, _BUILDER_BATCH_SIZE = 8, 64
_WITH_SAMPLES = f"a {LEARNED_BUILDERS['bap_pointer']}"
_BUILDERS = " or ".join(f"a {name}" for name in LEARNED_BUILDERS.values())  # a GRU or a pointer transformer


@dataclass(kw_only=True)
class PredictArguments(ChatArguments, DatasetArguments):
    """Which model answers which items."""

    model: str = field(metadata={"help": "Folder of an adapter or a model, or its name on the Hub or an endpoint."})
    model_type: str | None = field(default=None, init=False)  # of a learned Builder; None: a language model
    output: str = field(metadata={"help": "File of JSON lines to write, or to resume."})
    split: str = field(default="test", metadata={"help": "Split to answer."})
    max_items: int | None = field(
        default=None, metadata={"help": "Answer a fixed random subset of this size, the one train_sft.py draws."}
    )
    representation: str | None = field(default=None, metadata={"help": "Input: n, n_posb, n_posb_s (Table 5), or ego."})
    max_prompt_tokens: int | None = field(
        default=None,
        metadata={"help": "Longest prompt in tokens; never more than the model's context less max_new_tokens."},
    )
    max_new_tokens: int = field(
        default=512,
        metadata={"help": "Longest answer in tokens. 100 would cut off 4-7%% of the human answers."},
    )
    batch_size: int | None = field(
        default=None,
        metadata={
            "help": "Items answered together: 8 by default, 64 with a GRU or a pointer transformer. It does not "
            "change the answers, up to rounding."
        },
    )
    dtype: str | None = field(
        default=None,
        metadata={
            "help": "float32, bfloat16 or float16. Default: bfloat16 on an accelerator, float32 without and for a "
            "GRU or a pointer transformer.",
            "choices": ["float32", "bfloat16", "float16"],
        },
    )
    load_in_4bit: bool | None = field(
        default=None, metadata={"help": "Quantize the base model (nf4). Default: as in training."}
    )
    backend: str = field(
        default="transformers",
        metadata={"help": "What runs the model: transformers or vllm here, or an OpenAI-compatible endpoint.",
                  "choices": ["transformers", "vllm", "openai"]},
    )  # fmt: skip
    constrained: bool = field(
        default=False, metadata={"help": "Permit only lines of the notation, inside the BuildRegion."}
    )
    max_actions: int | None = field(
        default=None,
        metadata={"help": "GRU or pointer transformer: longest answer in actions. Default: as in its configuration."},
    )
    feasible_only: bool = field(
        default=False,
        metadata={"help": "GRU: choose among the actions that can be executed. Others of its actions change nothing."},
    )
    samples: int | None = field(
        default=None,
        metadata={
            "help": "Pointer transformer: minimum Bayes risk decoding. Of so many samples and the greedy answer, give "
            "the one with the highest mean F1 against the samples. Default, and 0 or 1: the greedy answer."
        },
    )
    temperature: float | None = field(default=None, metadata={"help": "Temperature of --samples. Default: 1."})
    seed: int | None = field(
        default=None, metadata={"help": "Seed of --samples; an item's depend on it and its id alone. Default: 0."}
    )
    min_probability: float | None = field(
        default=None,
        metadata={
            "help": "Give every net action that is in more than this share of the --samples, in place of one of them, "
            "unless the board is empty. F1 is highest at about half of the F1 that a system reaches: 0.15 for 0.3."
        },
    )
    overwrite: bool = field(default=False, metadata={"help": "Replace the output file instead of resuming it."})


def parse_arguments(args: Sequence[str] | None = None) -> PredictArguments:
    """The command line, completed from the model's `training_run.json` where it has one."""
    try:
        (arguments,) = HfArgumentParser(PredictArguments, allow_abbrev=False).parse_args_into_dataclasses(args)
    except ValueError as error:  # an unknown name
        raise UsageError(str(error)) from error
    for name in ("batch_size", "max_new_tokens", "max_actions"):
        if (number := getattr(arguments, name)) is not None and number < 1:
            raise UsageError(f"{name} is {number}: expected a positive number")
    if arguments.backend == "openai":
        return _for_an_endpoint(arguments)
    _check_unused(arguments, _OF_ENDPOINTS, "is for --backend openai")
    arguments.model_type = learned_type(arguments.model)
    if arguments.model_type is not None:
        return _for_a_builder(arguments)
    _check_for_language_models(arguments, f"and {arguments.model} is a language model")
    trained = training_run(arguments.model).get("arguments", {"bap": {}, "model": {}})
    for name in ("representation", "max_prompt_tokens", "history_lines"):
        if getattr(arguments, name) is None:
            setattr(arguments, name, trained["bap"].get(name))
    _complete_data(arguments, trained["bap"])
    arguments.batch_size = arguments.batch_size or _BATCH_SIZE
    if arguments.load_in_4bit is None:
        arguments.load_in_4bit = trained["model"].get("load_in_4bit", False)
    if arguments.dtype is None:
        arguments.dtype = "bfloat16" if torch.accelerator.is_available() else "float32"
    if arguments.representation is None:
        raise UsageError(f"{arguments.model} has no record of its training: pass --representation")
    return arguments


def _complete_data(arguments: PredictArguments, trained: Mapping[str, Any]) -> None:
    """Fill in the data that the model was trained on, if none were passed."""
    if arguments.dataset_config is None and arguments.dataset_path is None:
        arguments.dataset_config, arguments.dataset_path = trained.get("dataset_config"), trained.get("dataset_path")
    if arguments.dataset_path is not None:
        arguments.dataset_config = None  # own data are used instead; what was not read should not be recorded


def _for_a_builder(arguments: PredictArguments) -> PredictArguments:
    kind = LEARNED_BUILDERS[arguments.model_type or ""]
    _check_unused(arguments, _OF_LANGUAGE_MODELS, f"is for language models, and {arguments.model} is a {kind}")
    if arguments.model_type == "bap_pointer":
        _check_unused(arguments, ["feasible_only"], f"is for a GRU: all answers of a {kind} can be executed")
        _complete_sampling(arguments)
    else:
        _check_unused(arguments, SAMPLING, f"is for {_WITH_SAMPLES}, and {arguments.model} is a {kind}")
    run = builder_run(arguments.model)
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


def _for_an_endpoint(arguments: PredictArguments) -> PredictArguments:
    _check_unused(arguments, _LOCAL, "is for models that run here, not for --backend openai")
    _check_for_language_models(arguments, "not for --backend openai")
    check(arguments)
    arguments.representation = arguments.representation or "n_posb_s"
    if arguments.dataset_path is not None:
        arguments.dataset_config = None
    if arguments.shots_path is not None:
        arguments.shots_config = None
    elif arguments.shots_config is None:
        arguments.shots_config, arguments.shots_path = arguments.dataset_config, arguments.dataset_path
    own, shots = arguments.dataset_path, arguments.shots_path
    if arguments.shots and own and shots and Path(own).is_file() and Path(own).resolve() == Path(shots).resolve():
        raise UsageError(
            f"{own} is one split, so its items cannot also be the shots: pass train items with --shots_path or "
            "--shots_config, or set --shots 0"
        )
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
    omitted = {"output", "overwrite", "batch_size"}
    if arguments.model_type is not None:
        omitted |= {*_OF_LANGUAGE_MODELS, *_OF_ENDPOINTS}
        omitted |= {"feasible_only"} if arguments.model_type == "bap_pointer" else set(SAMPLING)
        settings["model_finished"] = builder_run(arguments.model).get("finished")
    elif arguments.backend == "openai":
        omitted |= {"model_type", *_OF_BUILDERS, *SAMPLING, *NOT_IN_ANSWERS, *_LOCAL}
        settings |= {"chat_version": CHAT_VERSION, "prompt_version": prompt_version(arguments.representation)}
    else:
        omitted |= {"model_type", *_OF_BUILDERS, *SAMPLING, *_OF_ENDPOINTS}
        settings |= {
            "model_finished": training_run(arguments.model).get("finished"),
            "prompt_version": prompt_version(arguments.representation),
        }
    return {name: value for name, value in settings.items() if name not in omitted}
