"""The settings of play.py: who plays, which tasks, with which tools, and how answers are sampled."""

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from bap_v2_dataset.tasks.plancraft.policies import POLICIES
from bap_v2_dataset.tasks.plancraft.prompts import WINDOW
from bap_v2_dataset.tasks.plancraft.versions import PLANCRAFT_DATA_VERSION, PROMPT_VERSION
from bap_v2_metric.scoring import InputError
from bap_v2_simulators.plancraft.package import installed_version
from bap_v2_simulators.plancraft.turns import MAX_STEPS, READINGS, letters_of, tools_of
from bap_v2_training.decoding.predict_arguments import ModelArguments, OutputArguments
from bap_v2_training.decoding.trained_model import is_checkpoint, training_run
from bap_v2_training.errors import UsageError, check_installed
from bap_v2_training.games.episodes import Rules
from bap_v2_training.in_context.endpoint_settings import (
    NOT_IN_ANSWERS,
    EndpointArguments,
    check_endpoint,
    unrecorded_role,
)
from bap_v2_training.learning.options import check_least, check_unused, option, parsed

CONFIG = "plancraft"
_BATCH_SIZE, _ACCELERATOR_BATCH_SIZE, _VLLM_BATCH_SIZE = 8, 64, 512
_NEW_TOKENS, _NEW_TOKENS_WITH_THOUGHTS = 256, 8_192
_OF_MODELS = (
    "few_shot", "window", "reading", "temperature", "top_p", "max_new_tokens", "batch_size", "reasoning", "dtype",
    "load_in_4bit", "backend", "tools",
    "gguf_file", "system_role",
)  # fmt: skip # not for policies
_OF_ENDPOINTS = tuple(option.name for option in fields(EndpointArguments) if option.name != "system_role")
# In no settings: answers do not depend on them.
_OF_THE_RUN = ("output", "overwrite", "model_folder", "model_type", "gguf_file", "batch_size", *NOT_IN_ANSWERS)


@dataclass(kw_only=True)
class PlayerArguments(ModelArguments):
    """Options of the player: a model or a policy."""

    model: str | None = None
    policy: str | None = option(None, f"Instead of a model: {', '.join(POLICIES)}.", choices=[*POLICIES])
    batch_size: int | None = None


@dataclass(kw_only=True)
class EpisodeArguments:
    """Options of the tasks and of their rules."""

    dataset_path: str | None = option(None, aliases=["--data"])
    split: str = "test"
    max_items: int | None = option(None, aliases=["--limit"])
    runs: int = 1
    tools: str = "M S"
    few_shot: bool | None = None
    window: int = WINDOW
    max_steps: int = MAX_STEPS
    reading: str = option(READINGS[0], choices=[*READINGS])


@dataclass(kw_only=True)
class SamplingArguments:
    """Options of what a model writes."""

    temperature: float = 0.0
    top_p: float = 1.0
    seed: int = 0
    max_new_tokens: int | None = None
    reasoning: bool = False


@dataclass(kw_only=True)
class EpisodeFileArguments(OutputArguments):
    """Options of the file of episodes."""

    output: str = option(aliases=["--out"])


@dataclass(kw_only=True)
class PlayArguments(EpisodeFileArguments, EndpointArguments, SamplingArguments, EpisodeArguments, PlayerArguments):
    """All options of play.py."""

    @property
    def rules(self) -> Rules:
        """Rules of the episodes."""
        return Rules(tools_of(self.tools), bool(self.few_shot), self.window, self.max_steps, self.reading, self.seed)


def parse_arguments(args: Sequence[str] | None = None) -> PlayArguments:
    """Read the settings of `--config FILE.yaml` and the command line, completed and checked.

    A model on the Hub is downloaded.

    Raises:
        UsageError: settings that are unknown or do not go together, or there is no such model.
    """
    arguments = parsed(PlayArguments, list(sys.argv[1:] if args is None else args))
    check_least(arguments, {"max_steps": 1, "runs": 1, "window": 1, "max_new_tokens": 1, "batch_size": 1,
                            "temperature": 0, "top_p": 0.001})  # fmt: skip
    if arguments.top_p > 1:
        raise UsageError(f"--top-p is {arguments.top_p}: expected at most 1")
    try:
        arguments.tools = letters_of(tools_of(arguments.tools))
    except InputError as error:
        raise UsageError(str(error)) from None
    if (arguments.model is None) == (arguments.policy is None):
        raise UsageError(f"pass either --model or --policy ({', '.join(POLICIES)})")
    return _complete_policy(arguments) if arguments.policy is not None else _complete_model(arguments)


def _complete_policy(arguments: PlayArguments) -> PlayArguments:
    """Refuse what is for models, and fill in the tools of the policy."""
    check_unused(arguments, (*_OF_MODELS, *_OF_ENDPOINTS), "is for models")
    if arguments.runs > 1 and arguments.policy != "random":
        raise UsageError(f"--runs is for models and random moves: {arguments.policy} plays every run alike")
    arguments.tools = letters_of(POLICIES[arguments.policy].tools)
    return arguments


def _complete_model(arguments: PlayArguments) -> PlayArguments:
    """Refuse what does not go together, and fill in the defaults of this backend, model and machine."""
    new_tokens = _NEW_TOKENS_WITH_THOUGHTS if arguments.reasoning else _NEW_TOKENS
    arguments.max_new_tokens = arguments.max_new_tokens or new_tokens
    if arguments.runs > 1 and not arguments.temperature:
        raise UsageError("--runs needs --temperature: without it every run is the same (the paper: 0.6)")

    # At an endpoint nothing is loaded.
    if arguments.backend == "openai":
        check_unused(arguments, ("batch_size", "dtype", "load_in_4bit", "gguf_file"), "is not for --backend openai")
        check_endpoint(arguments, timeout=1800.0 if arguments.reasoning else 600.0)
        arguments.few_shot = True if arguments.few_shot is None else arguments.few_shot
        return arguments

    # Here the model is found, and its own record says whether it learned dialogues, which need no examples.
    check_unused(arguments, _OF_ENDPOINTS, "is for --backend openai")
    check_installed()
    import torch  # here: no endpoint needs it

    from bap_v2_training.decoding.resolved_model import resolve_model
    from bap_v2_training.models.gguf import gguf_name

    if arguments.backend == "vllm" and arguments.load_in_4bit:
        raise UsageError("--load-in-4bit is for --backend transformers: vLLM has no bitsandbytes any more")
    arguments.model = gguf_name(arguments.model, arguments.gguf_file)
    arguments.model_folder, arguments.model_commit = resolve_model(arguments.model)
    run = training_run(arguments.model_folder)
    if arguments.system_role is None:
        arguments.system_role = run.get("arguments", {}).get("bap", {}).get("system_role")
    if arguments.few_shot is None:
        if not run and is_checkpoint(arguments.model_folder):
            raise UsageError(
                f"{arguments.model} is of a training that has not ended, so nothing says what it learned: pass "
                "--few-shot false if that was dialogues, else --few-shot true"
            )
        arguments.few_shot = run.get("representation") != "chat"

    # The machine decides how numbers are kept, and how many episodes fit.
    on_accelerator = torch.accelerator.is_available()
    arguments.dtype = arguments.dtype or ("bfloat16" if on_accelerator else "float32")
    if arguments.batch_size is None:
        here = _ACCELERATOR_BATCH_SIZE if on_accelerator else _BATCH_SIZE
        arguments.batch_size = _VLLM_BATCH_SIZE if arguments.backend == "vllm" else here
    return arguments


def settings_of(arguments: PlayArguments) -> dict[str, Any]:
    """Return what episodes depend on: the record beside them. A file is resumed with the same alone."""
    # Options that say nothing of this kind of player are left out.
    left_out = {*_OF_THE_RUN, *unrecorded_role(arguments)}
    if arguments.policy is not None:
        left_out |= {*_OF_MODELS, *_OF_ENDPOINTS} - {"tools"}
    else:
        left_out |= {"dtype", "load_in_4bit"} if arguments.backend == "openai" else {*_OF_ENDPOINTS}
    settings = {name: value for name, value in asdict(arguments).items() if name not in left_out}
    settings["model"] = arguments.model or arguments.policy

    # Versions, and of a model how its training ended.
    run, of_template = {}, {}
    if arguments.model_folder:
        from bap_v2_training.decoding.language_model import template_facts_of

        run, of_template = training_run(arguments.model_folder), template_facts_of(arguments.model_folder)
    return {
        "dataset_config": CONFIG if arguments.dataset_path is None else None,
        **settings,
        **({"model_finished": run.get("finished")} if run else {}),
        **of_template,
        "data_version": PLANCRAFT_DATA_VERSION,
        "prompt_version": PROMPT_VERSION,
        "package_version": installed_version(),
    }
