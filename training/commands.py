"""The commands of `bap-v2` that are scripts beside this, and how scripts that train are run.

    bap-v2 train --config smoke
    bap-v2 predict --model runs/smoke --split test --out runs/smoke/test.jsonl

They take the options of the scripts; `--config smoke` is a file of `configs/`. On several GPUs: `accelerate launch -m
bap_v2_training.train_sft`, with the same options.
"""

import importlib
import os
import sys
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from bap_v2_dataset.failures import sentences_for_the_user
from bap_v2_dataset.generation.workers import forks_end_with_this_process
from bap_v2_training.before_libraries import print_kept_help
from bap_v2_training.errors import check_installed

_SCRIPTS = {
    "train": "train_sft", "predict": "predict", "ensemble": "make_ensemble", "play": "play", "play_games": "play_games"
}  # fmt: skip
_ASK_ENDPOINTS = {"predict", "play", "play_games"}  # too: these ask for torch when a model shall run here


def run_script(name: str) -> None:
    """Run the script of a command with the options of `sys.argv`."""
    shown = _command_name()
    print_kept_help(shown)
    with sentences_for_the_user(shown, "stopped before it began"):
        if name in _ASK_ENDPOINTS:
            check_installed(("transformers",), "icl")
            _no_advice_without_torch()
        else:
            check_installed()
        if not {"-h", "--help"} & {*sys.argv}:
            print(f"{shown}: loading libraries", file=sys.stderr, flush=True)
        if name == "train":
            from bap_v2_training.one_gpu import take_one_gpu

            take_one_gpu()
        script = importlib.import_module(f"bap_v2_training.{_SCRIPTS[name]}")
    script.command()


def talker(args: Sequence[str]) -> Any:
    """Return the `Talker` of `bap-v2 talk`. Args: args: options of `bap-v2 predict`. Raises: UsageError."""
    builders, arguments = _of_builders(args)
    importlib.import_module("transformers.utils.logging").disable_progress_bar()  # of weights, amid the talk
    return builders.talker(arguments, as_asked=any(word.partition("=")[0] == "--samples" for word in args))


def answers(args: Sequence[str]) -> Any:
    """Return the function of a model from rows to its answers. Args, Raises: as for `talker`."""
    builders, arguments = _of_builders(args)
    return builders.load_builder(arguments)


def _no_advice_without_torch() -> None:
    if find_spec("torch") is None:
        os.environ.setdefault("TRANSFORMERS_NO_ADVISORY_WARNINGS", "1")  # it would say so each time


def _of_builders(args: Sequence[str]) -> tuple[Any, Any]:
    check_installed(("transformers",), "icl")
    _no_advice_without_torch()
    importlib.import_module("bap_v2_training.before_libraries")
    builders = importlib.import_module("bap_v2_training.games.game_builders")
    settings = importlib.import_module("bap_v2_training.decoding.predict_settings")
    return builders, settings.parse_arguments(["--dataset-config", "dss", *args, "--out", "talk.jsonl"])


def purpose_and_examples(shown: str) -> list[str]:
    """Return the first two paragraphs of the docstring of a script that is imported, or of the command of it."""
    name = _SCRIPTS.get(shown.removeprefix("bap-v2 "), shown.removesuffix(".py"))
    script = sys.modules.get(f"bap_v2_training.{name}", sys.modules["__main__"])
    return [*(script.__doc__ or "").split("\n\n"), ""][:2]


def run_training(main: Callable[..., object], parse_arguments: Callable[[], tuple]) -> None:
    """Train as the command line says; what the user can fix is printed as a sentence.

    Args:
        main: of a script that trains.
        parse_arguments: gives the arguments of `main`.
    """
    with (
        sentences_for_the_user(
            _command_name(),
            "stopped; with --resume-from-checkpoint auto the same command resumes from the last checkpoint",
        ),
        forks_end_with_this_process(),
    ):  # workers that load data would wait for ever
        main(*parse_arguments())


def _command_name() -> str:
    return sys.argv[0].replace("\\", "/").rpartition("/")[2]
