"""YAML files of settings, which may extend one another."""

from collections.abc import Sequence
from dataclasses import fields
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from bap_v2_training.errors import UsageError


def config_settings(path: Path) -> dict:
    """The settings of a YAML file over those of the file it `extends`, whose path is relative to its own.

    A mere name that is not a file here, such as `smoke`, is that of a config of this package.
    """
    folder = Path(str(files("bap_v2_training") / "configs"))
    if not path.exists() and path.parent == Path() and (folder / path.with_suffix(".yaml")).is_file():
        path = folder / path.with_suffix(".yaml")
    if not path.is_file():
        names = ", ".join(file.name for file in sorted(folder.glob("*.yaml")))
        raise UsageError(f"there is no config file {path} ({folder} has {names})")
    try:
        settings = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise UsageError(f"{path} is not YAML: {error}") from error
    if not isinstance(settings, dict):
        raise UsageError(f"{path} has no settings (expected lines such as `learning_rate: 2.0e-4`)")
    base = settings.pop("extends", None)
    return settings if base is None else config_settings(path.parent / base) | settings


def with_config_apart(args: Sequence[str]) -> list[str]:
    """A command line with `--config=FILE` as two words."""
    return [word for arg in args for word in (arg.split("=", 1) if arg.startswith("--config=") else [arg])]


def check_choices(settings: Any) -> None:
    """Raises: UsageError if a field of a dataclass is none of its `choices`, which nobody checks in a file."""
    for one in fields(settings):
        choices, value = one.metadata.get("choices"), getattr(settings, one.name)
        if choices is not None and value is not None and value not in choices:
            raise UsageError(f"{one.name} is {value!r} (expected one of {', '.join(map(str, choices))})")
