"""The files of tasks in the package `plancraft`: one for each split."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from bap_v2_metric.errors import UserError
from bap_v2_simulators.plancraft.package import INSTALL, NAME, VERSION, data_folder

_FIX = f"(install the package again: {INSTALL})"


class TaskFile(NamedTuple):
    """A file of tasks."""

    name: str  # in the package
    n_tasks: int
    sha256: str  # the beginning of its digest in version 0.4.9


# The repeated file of the package holds tasks of all splits under new ids, and is left out.
FILES = {
    "train": TaskFile("train.json", 1145, "6ac648167901760b"),
    "validation": TaskFile("val.json", 570, "213a0089aa943508"),
    "test": TaskFile("test.json", 580, "e2359f60c015b990"),
    "validation_small": TaskFile("val.small.json", 110, "efa13d1056a58c34"),
    "test_small": TaskFile("test.small.json", 117, "7942c01b5adda254"),
    "validation_easy": TaskFile("val.small.easy.json", 100, "f73126a9ea635c6d"),
    "test_easy": TaskFile("test.small.easy.json", 100, "e4d6442763ea2209"),
}


class TaskFileError(UserError):
    """A file of tasks that is missing or is not what it should be."""


def records(split: str) -> list[dict[str, Any]]:
    """Return the tasks of a split, as they are in the file.

    Raises:
        TaskFileError: a file that is missing, is not JSON, or is not a list of tasks.
        PlancraftMissing: without the package.
    """
    path = data_folder() / FILES[split].name
    content = _content(path)
    try:
        tasks = orjson.loads(content.replace(b": NaN", b": null"))
    except ValueError as error:
        raise TaskFileError(f"{path} is not JSON: {error} {_FIX}") from None
    if not isinstance(tasks, list) or not all(isinstance(task, dict) and "slotted_inventory" in task for task in tasks):
        raise TaskFileError(f"{path} is not a list of tasks {_FIX}")
    return tasks


def digests() -> dict[str, str]:
    """Return by split the SHA-256 of its file. Raises: as `records`."""
    return {split: hashlib.sha256(_content(data_folder() / file.name)).hexdigest() for split, file in FILES.items()}


def changed_files(found: Mapping[str, str]) -> list[str]:
    """Sentences on files that are not those of version 0.4.9, by their digests."""
    return [
        f"{FILES[split].name} is not the one of {NAME} {VERSION}: scores may not compare"
        for split, digest in found.items()
        if not digest.startswith(FILES[split].sha256)
    ]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise TaskFileError(f"{path}: {error.strerror or error} {_FIX}") from None
