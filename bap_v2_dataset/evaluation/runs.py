"""The predictions of a system for a test set, and its runs.

A system has several runs for a test set, and so a mean and a standard deviation, if

    the user gives several files the same NAME      NAME=seed1.jsonl NAME=seed2.jsonl
    models differ in nothing but their seed         by the settings of the predictions and the record of the training
    a log has several answers to every item         repeats of lm-eval, epochs of inspect

Other files of one system for the same test set are an error.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.predictions.model_records import configuration

if TYPE_CHECKING:
    from bap_v2_dataset.loading.own_splits import OwnData


@dataclass(frozen=True)
class SystemPredictions:
    """The predictions of one system for one test set."""

    path: Path
    system: str
    config: str
    split: str
    predictions: Mapping[str, str]  # by row id
    settings: Mapping[str, Any]  # of `<path>.settings.json`, or the model that a log names; empty without them
    data: "OwnData | None" = None  # own data whose items these are
    named: bool = False  # by NAME=FILE
    repeat: int = 0  # of a log that holds several answers to an item, from 1; otherwise 0
    run: str = ""  # `seed 3`, `run 2`: of a system with several runs for the test set
    missing: Mapping[str, str] = field(default_factory=dict)  # by row id, why there is no prediction
    unfinished: Mapping[str, str] = field(default_factory=dict)  # by row id, why an answer is not whole
    in_order: bool = False  # the keys are positions of rows, until it is known of which
    of_folder: bool = False  # one of the logs in a folder that was passed
    packed: bool = False  # answers that come with the package (see `systems`)
    notes: Sequence[str] = ()  # what was not read of the file, or of its folder

    @property
    def source(self) -> str:
        """The name of the predictions in an error."""
        return f"{self.path} (repeat {self.repeat})" if self.repeat else str(self.path)

    @property
    def label(self) -> str:
        """The system and, if it has several, the run."""
        return f"{self.system} ({self.run})" if self.run else self.system


def with_runs(files: Sequence[SystemPredictions]) -> list[SystemPredictions]:
    """Return the files, with the system and the run of each.

    Raises:
        PredictionError: a file that is passed twice, and files of one system for the same test set that are not runs.
    """
    files = _seeds_of_one_configuration(files)
    by_test: dict[tuple[str, str, str], list[int]] = {}
    for number, file in enumerate(files):
        by_test.setdefault((file.system, file.config, file.split), []).append(number)
    for numbers in by_test.values():
        if len(numbers) == 1:
            continue
        same = [files[number] for number in numbers]
        _check_runs(same)
        seeds = [known[1] if (known := _configuration(file)) else None for file in same]
        by_seed = None not in seeds and len(set(seeds)) == len(seeds)
        for position, number in enumerate(numbers):
            run = f"seed {seeds[position]}" if by_seed else f"run {position + 1}"
            files[number] = replace(files[number], run=run)
    return files


def _configuration(file: SystemPredictions) -> tuple[str, int] | None:
    return configuration(file.path, file.settings)


def _check_runs(files: Sequence[SystemPredictions]) -> None:
    """Raise PredictionError if files of one system for one test set are not its runs."""
    # Nothing is passed twice.
    first, other, *_ = files
    paths = {file.source: file for file in files}
    if len(paths) < len(files):
        twice = next(file for file in files if paths[file.source] is not file)
        raise PredictionError(f"the prediction file {twice.path} was passed twice")
    # Runs are named alike, answers of one log, or models that differ in their seed.
    if all(file.named for file in files) or all(file.path == first.path for file in files):
        return
    known = [_configuration(file) for file in files]
    if all(known) and len(set(known)) == len(known) and len({text for text, _ in filter(None, known)}) == 1:
        return
    raise PredictionError(
        f"{first.path} and {other.path} both answer {first.config}, {first.split}, as the system {first.system!r}: "
        f"name one of them, e.g. other={other.path}; or both alike, as runs of one system, e.g. "
        f"{first.system}={first.path} {first.system}={other.path}"
    )


def _seeds_of_one_configuration(files: Sequence[SystemPredictions]) -> list[SystemPredictions]:
    """Return the files; systems that differ in nothing but their seed have one name."""
    by_configuration: dict[str, dict[int, str]] = {}
    for file in files:
        if not file.named and (known := _configuration(file)):
            by_configuration.setdefault(known[0], {}).setdefault(known[1], file.system)
    renamed = {}
    for seeds in by_configuration.values():
        if len(set(seeds.values())) > 1 and len(set(seeds.values())) == len(seeds):
            renamed |= dict.fromkeys(seeds.values(), common_name(list(seeds.values())))
    return [file if file.named else replace(file, system=renamed.get(file.system, file.system)) for file in files]


def common_name(names: Sequence[str]) -> str:
    """Return the common part of the names of systems that differ in their seed, or else the first.

    >>> common_name(["crafts-seed1-n", "crafts-seed2-n"]), common_name(["run_a/1", "run_a/2"]), common_name(["x", "y"])
    ('crafts-n', 'run_a', 'x')
    """
    without = {re.sub(r"[-_. /=]*(?<![A-Za-z])s(?:eed)?[-_=]?[0-9]+", "", name) for name in names}
    if len(without) == 1 and (name := without.pop().strip("-_. /")):
        return name
    shared = (letters[0] for letters in takewhile(lambda letters: len(set(letters)) == 1, zip(*names)))
    return "".join(shared).rstrip("-_. /=0123456789") or names[0]
