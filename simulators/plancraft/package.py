"""The package `plancraft` (Dagan et al. 2025): its rules, recipes, texts and data, imported when they are needed.

None of its texts or data is in this project: whoever plays or loads Plancraft has the package installed.
"""

from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any

from bap_v2_metric.errors import UserError

NAME = "plancraft"
VERSION = "0.4.9"  # that everything here was measured with
INSTALL = f"pip install --no-deps {NAME}=={VERSION}"
NEEDS = ("pillow", "networkx", "pydantic", "loguru")  # what the modules imported here need besides numpy
_EXTRAS = f"the extras {NAME} and all"


class PlancraftMissing(UserError):
    """The package `plancraft` is not installed, or does not work; the message says how to install it."""


@cache
def module(name: str) -> ModuleType:
    """Return a module of the package, e.g. "environment.recipes".

    Raises:
        PlancraftMissing: without the package, or without something that it needs.
    """
    try:
        return import_module(f"{NAME}.{name}")
    except ImportError as error:
        if (error.name or "").partition(".")[0] == NAME:
            raise PlancraftMissing(
                f"the package {NAME} is not installed: {INSTALL} (what it needs comes with {_EXTRAS})"
            ) from None
        needed = (error.name or str(error)).partition(".")[0]
        raise PlancraftMissing(
            f"the package {NAME} needs {needed}, which is not installed: pip install {' '.join(NEEDS)} (or {_EXTRAS})"
        ) from None


@cache
def installed_version() -> str:
    """Return the version of the package; "" without it."""
    try:
        return version(NAME)
    except PackageNotFoundError:
        return ""


def data_folder() -> Path:
    """Return where the package keeps its tasks, one JSON file for each split."""
    return Path(str(module("environment").__file__)).parents[1] / "data"


@cache
def handlers() -> dict[str, Any]:
    """Return by tool what the package makes of a turn: an action, or the text of a reply."""
    actions = module("environment.actions")
    return {
        "move": actions.MoveActionHandler(),
        "smelt": actions.SmeltActionHandler(),
        "think": actions.ThinkActionHandler(),
        "search": module("environment.search").GoldSearchActionHandler(),
        "impossible": actions.ImpossibleActionHandler(),
    }
