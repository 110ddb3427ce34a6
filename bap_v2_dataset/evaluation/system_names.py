"""Which system made the predictions of a file.

One rule for all commands. The system of a file is, in this order:

    NAME        of an argument `NAME=FILE`
    the model   in `<file>.settings.json`, by the last part of its name
    the folder  of a file whose name says nothing but the test set: `runs/n/dss.jsonl`, `runs/n/test.jsonl` are `n`
    the file    by what its name says besides the test set: `gru-dr.jsonl` is `gru`, `answers.jsonl` is `answers`

A model whose file name says more is `model/more`. So the files of a run's folder are one system, tested on several test
sets. Equal names of different systems are told apart by the folder or the model's whole name, then by the input.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from bap_v2_dataset.interface.table import all_configs
from bap_v2_dataset.predictions.files import STDIN
from bap_v2_dataset.predictions.formats import without_compression
from bap_v2_dataset.predictions.model_records import input_name


def named_file(argument: str) -> tuple[str, Path]:
    """Return the name, or "", and the file of an argument `FILE` or `NAME=FILE`."""
    name, equals, path = argument.partition("=")
    if equals and name.strip() and not Path(argument).exists():
        return name.strip(), Path(path)
    return "", Path(argument)


def system_names(named: Sequence[tuple[str, Path, bool]], settings: Sequence[Mapping]) -> list[str]:
    """Return the system of each file.

    Args:
        named: the name given, or "", the file, and whether it is a log, whose name says nothing more.
        settings: what is recorded of each file.
    """
    # The short names, and beside each what tells it from an equal one.
    keys, short = [], []
    for (name, path, is_log), record in zip(named, settings):
        stem = without_compression(path).stem
        more = "stdin" if path == STDIN else "" if is_log else _without_test_set(stem)
        folder = path.absolute().parent.name
        model = str(record["model"]) if record.get("model") else ""
        base = re.split(r"[/\\]", model.rstrip("/\\"))[-1] or model or ("" if more else folder)
        whole = "" if name else model or str(path.absolute().parent)
        keys.append((name, whole, str(record.get("representation")), more))
        short.append(name or "/".join(filter(None, (base, more if more != base else ""))) or stem)

    # Longer ones for different systems whose short names are equal.
    longer = []
    for name, (given, whole, representation, more) in zip(short, keys):
        others = {key for key, other in zip(keys, short) if other == name}
        if not given:
            if len({key[1] for key in others}) > 1:
                name = "/".join(filter(None, (whole, more)))
            if len({key[2] for key in others if key[1] == whole}) > 1:
                name += f" ({input_name(representation)})"
        longer.append(name)
    return longer


def _without_test_set(stem: str) -> str:
    """Return what the name of a file says besides the test set."""
    configs = all_configs()
    words = {*configs, *(split for config in configs.values() for split in config.splits), "val", "predictions?"}
    alternatives = "|".join(sorted(words, key=len, reverse=True))
    rest = re.sub(rf"(?<![A-Za-z0-9])(?:{alternatives})(?![A-Za-z0-9])", "", stem, flags=re.IGNORECASE)
    return re.sub(r"^[\W_]+|[\W_]+$", "", re.sub(r"[-_. ]{2,}", "_", rest))
