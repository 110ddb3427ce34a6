"""The test sets of a prediction run, each with the file that its answers go to."""

import copy
from pathlib import Path

from bap_v2_training.decoding.predict_arguments import PredictArguments
from bap_v2_training.errors import UsageError


def of_each_test_set(arguments: PredictArguments) -> list[PredictArguments]:
    """The same settings once for each config, with its file as `output`, as if it were answered alone.

    Raises:
        UsageError: several configs and no folder to write to, or a config twice.
    """
    output, names = arguments.output, (arguments.dataset_config or "").split(",")
    is_folder = output.endswith("/") or Path(output).is_dir()
    if len(names) > 1 and not is_folder:
        raise UsageError(f"{output} is one file, and {arguments.dataset_config} are several test sets: write {output}/")
    if len({*names}) < len(names):
        raise UsageError(f"dataset_config is {arguments.dataset_config}: name each config once")
    if not is_folder:
        return [arguments]
    each = []
    for name in names:
        one = copy.copy(arguments)
        one.dataset_config = name or None
        one.output = str(Path(output) / f"{name or Path(arguments.dataset_path or '').stem}.jsonl")
        each.append(one)
    return each
