"""One run of a study in a process of its own: train a model, and let it answer the test sets.

    python -m studies.run runs/inputs/everything/seed-1 train_pointer dsb:validation dsb:test

The folder holds `config.yaml`, the settings of the trainer. What is finished is not done again, and a training
that was killed resumes from its newest checkpoint: the files are those of the trainer and of predict.py.
"""

import bap_v2_training.before_libraries  # isort: skip # noqa: F401 (before the libraries)

import sys
from collections.abc import Sequence
from pathlib import Path

from bap_v2_dataset.failures import sentences_for_the_user
from bap_v2_dataset.predictions.model_records import TRAINING_RUN
from bap_v2_simulators.atomic_files import only_writer
from bap_v2_training import predict
from bap_v2_training.decoding import predict_settings
from bap_v2_training.one_gpu import take_one_gpu
from studies.plan import TRAINERS, TestSet, Trainer


def main(folder: Path, trainer: Trainer, tests: Sequence[TestSet], options: Sequence[str] = ()) -> None:
    """Train the model of a folder unless it is trained, and write what it has not answered yet.

    Args:
        options: further ones of predict.py, such as `--limit=100`.
    """
    with only_writer(folder / TRAINING_RUN):
        if not (folder / TRAINING_RUN).exists():
            config = str(folder / "config.yaml")
            trainer.main(*trainer.parse_arguments(["--config", config, "--resume_from_checkpoint", "auto"]))
        for test in tests:
            output = folder / test.file_name
            arguments = ["--model", str(folder), *test.arguments(), "--out", str(output), *options]
            predict.main(predict_settings.parse_arguments(arguments))


def command(words: Sequence[str]) -> None:
    """Does what the command line says."""
    folder, trainer, *names = words
    options = [name for name in names if name.startswith("--")]
    main(Path(folder), TRAINERS[trainer], [TestSet.of(name) for name in names if name not in options], options)


if __name__ == "__main__":
    take_one_gpu()
    with sentences_for_the_user("run.py", "stopped; the same command resumes where it stopped"):
        command(sys.argv[1:])
