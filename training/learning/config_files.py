"""YAML files of settings, which may extend one another."""

from collections.abc import Sequence
from dataclasses import fields
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

import yaml
from transformers import HfArgumentParser

from bap_v2_training.errors import UsageError
from bap_v2_training.learning.options import check_choices, group_options

Options = TypeVar("Options")


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


def parsed(options: type[Options], args: Sequence[str]) -> Options:
    """The command line as a dataclass of options, over the settings of the file in its `--config FILE.yaml`.

    Raises:
        UsageError: there is no such file, or a setting is unknown or none of its choices.
    """
    parser = HfArgumentParser(options, allow_abbrev=False)
    parser.add_argument("--config", help="YAML file of these settings, which the command line overrides.")
    group_options(parser)
    args = with_config_apart(args)
    if "--config" in args:
        at = args.index("--config")
        settings = config_settings(Path(*args[at + 1 :][:1]))
        del args[at : at + 2]
        known = {option.name for option in fields(options) if option.init}
        if unknown := sorted(settings.keys() - known):
            raise UsageError(f"there is no setting {', '.join(unknown)}")
        parser.set_defaults(**settings)
        for action in parser._actions:
            action.required = action.required and action.dest not in settings
    try:
        arguments, *_ = parser.parse_args_into_dataclasses(args)
    except ValueError as error:  # an unknown name
        raise UsageError(str(error)) from error
    check_choices(arguments)
    return arguments
