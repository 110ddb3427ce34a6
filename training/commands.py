"""The commands `bap-v2 train` and `bap-v2 predict`, and what `bap-v2 play-games` does with models: scripts beside this.

    bap-v2 train --config smoke
    bap-v2 predict --model runs/smoke --split test --out runs/smoke/test.jsonl

They take the options of `train_sft.py`, `predict.py`, `play_games.py` and `play.py`; `--config smoke` is a file of
`configs/`. `bap-v2-train` and `bap-v2-predict` are older names. On several GPUs: `accelerate launch -m
bap_v2_training.train_sft`, with the same options.
"""

import importlib.util
import sys
from collections.abc import Callable

from bap_v2_dataset.failures import sentences_for_the_user

_EXTRA = ("torch", "transformers", "trl", "peft", "accelerate")  # of what the extra `training` installs


def train() -> None:
    """Fine-tune a model: `train_sft.py`."""
    _run("bap_v2_training.train_sft", one_gpu=True)


def predict() -> None:
    """Write what a model answers: `predict.py`."""
    _run("bap_v2_training.predict")


def ensemble() -> None:
    """Put trained Builders together: `make_ensemble.py`."""
    _run("bap_v2_training.make_ensemble")


def play() -> None:
    """Let a model play a task of turns: `play.py`."""
    _run("bap_v2_training.play")


def play_games() -> None:
    """Let a model build full games: `play_games.py`."""
    _run("bap_v2_training.play_games")


def run_training(main: Callable[..., object], parse_arguments: Callable[[], tuple]) -> None:
    """Train as the command line says; what the user can fix is printed as a sentence.

    Args:
        main: of a script that trains.
        parse_arguments: gives the arguments of `main`.
    """
    with sentences_for_the_user(
        _script(), "stopped; with --resume-from-checkpoint auto the same command resumes from the last checkpoint"
    ):
        main(*parse_arguments())


def _script() -> str:
    return sys.argv[0].replace("\\", "/").rpartition("/")[2]


def _run(module: str, one_gpu: bool = False) -> None:
    name = _script()
    with sentences_for_the_user(name, "stopped before it began"):
        if missing := [package for package in _EXTRA if importlib.util.find_spec(package) is None]:
            sys.exit(f'{name} needs {", ".join(missing)}: pip install "bap-v2[training]"')
        if one_gpu:
            from bap_v2_training.one_gpu import take_one_gpu

            take_one_gpu()
        script = importlib.import_module(module)
    script.command()
