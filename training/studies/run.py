"""One run of a study in a process of its own: train a model, and let it answer the test sets.

    python -m bap_v2_training.studies.run runs/inputs/everything/seed-1 dsb:validation dsb:test

The folder holds `config.yaml`, the settings of train_pointer.py. What is finished is not done again, and a training
that was killed resumes from its newest checkpoint: the files are those of train_pointer.py and predict.py.
"""

import bap_v2_training.harmless_warnings  # isort: skip # noqa: F401 (before the libraries that warn)

import sys
from collections.abc import Sequence
from pathlib import Path

from bap_v2_dataset.failures import sentences_for_the_user
from bap_v2_dataset.predictions.model_records import TRAINING_RUN
from bap_v2_simulators.whole_files import only_writer
from bap_v2_training import predict, train_pointer
from bap_v2_training.decoding import predict_settings
from bap_v2_training.pointer.settings import parse_arguments
from bap_v2_training.studies.plan import TestSet


def main(folder: Path, tests: Sequence[TestSet], max_items: int | None = None) -> None:
    """Train the model of a folder unless it is trained, and write what it has not answered yet.

    Args:
        max_items: answer a fixed subset of so many items of each test set.
    """
    with only_writer(folder / TRAINING_RUN):
        if not (folder / TRAINING_RUN).exists():
            config = str(folder / "config.yaml")
            train_pointer.main(*parse_arguments(["--config", config, "--resume_from_checkpoint", "auto"]))
        for test in tests:
            output = folder / test.file_name
            arguments = ["--model", str(folder), *test.arguments(), "--output", str(output)]
            arguments += [] if max_items is None else ["--max_items", str(max_items)]
            predict.main(predict_settings.parse_arguments(arguments))


if __name__ == "__main__":
    with sentences_for_the_user("run.py", "stopped; the same command resumes where it stopped"):
        folder, *names = sys.argv[1:]
        number = int(names.pop(0).removeprefix("--max_items=")) if names[:1] and names[0].startswith("--") else None
        main(Path(folder), [TestSet.of(name) for name in names], number)
