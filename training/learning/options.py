"""The options of commands: fields of dataclasses, which HfArgumentParser reads, and YAML files that set them."""

import argparse
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from difflib import get_close_matches
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar, get_args, get_type_hints

import yaml
from transformers.hf_argparser import HfArg, HfArgumentParser

from bap_v2_dataset.interface.table import all_configs
from bap_v2_dataset.sentences import unknown_name
from bap_v2_training.errors import UsageError


def option(default: Any = MISSING, help: str = "", *, choices: Sequence[Any] | None = None, **others: Any) -> Any:
    """Return a field of a dataclass that is an option; without a default it is required.

    Args:
        others: of `HfArg`; `aliases` are its names on the command line. The field's own name works there too, and help
            does not show it.
    """
    return HfArg(default=default, help=help, metadata=None if choices is None else {"choices": choices}, **others)


class _HelpWithDefaults(argparse.ArgumentDefaultsHelpFormatter):
    """Shows the default of an option that has one, and names of options with hyphens."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        text = action.help if action.default is None else super()._get_help_string(action)
        return text and re.sub(r"--[a-z0-9]+_[a-z0-9_]+", lambda name: name[0].replace("_", "-"), text)


class _Help(argparse.Action):
    """Shows the common options, if the parser has some, and with `--help all` every one; then examples."""

    def __init__(self, option_strings: Sequence[str], dest: str):
        super().__init__(
            option_strings, argparse.SUPPRESS, nargs="?", metavar="all", help="Show common options, or all."
        )

    def __call__(self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option: str | None = None) -> None:
        common = [group for group in parser._action_groups if group.title in (_SETTINGS, _COMMON)]
        if values != "all" and len(common) > 1:
            parser._action_groups = common
        parser.print_help()
        from bap_v2_dataset.cli.help import print_examples  # here: it imports what no training needs

        print_examples(parser.prog.rpartition(" ")[2])
        parser.exit()


_SETTINGS, _COMMON = "options", "common options"
_VALUES = {bool: "true|false", int: "N", float: "X"}  # what help calls them, else TEXT


def group_options(parser: HfArgumentParser) -> None:
    """Shows the options of a parser in groups: each dataclass that brings options names them with `group`.

    Those that a dataclass calls `common` come first. The line of usage does not repeat them.
    """
    parser.usage = "%(prog)s [--config FILE.yaml] [--OPTION VALUE ...]"
    parser.formatter_class = _HelpWithDefaults

    # Our own help, and the file of settings
    groups: dict[str, argparse._ArgumentGroup] = {}
    parser._handle_conflict_resolve(None, [(name, parser._actions[0]) for name in ("-h", "--help")])
    parser.add_argument("-h", "--help", action=_Help)
    parser.add_argument("--config", metavar="FILE.yaml", help=_CONFIG_HELP)

    # Each option goes to the group of the dataclass that brings it
    options: dict[str, list[argparse.Action]] = {}
    for action in parser._actions:
        options.setdefault(action.dest, []).append(action)
    common = [name for kind in parser.dataclass_types for name in getattr(kind, "common", ())]
    owned = {one.name: kind for kind in parser.dataclass_types for one in fields(kind) if one.name in options}
    for name in sorted(owned, key=lambda name: common.index(name) if name in common else len(common)):
        kind = owned[name]
        owner = next(one for one in kind.__mro__ if name in vars(one).get("__annotations__", ()))
        title = vars(owner).get("group", f"{kind.__name__} of {kind.__module__.partition('.')[0]}")
        title = _COMMON if name in common else title
        if title not in groups:
            groups[title] = parser.add_argument_group(title)
        for action in options[name]:
            parser._optionals._group_actions.remove(action)
        groups[title]._group_actions.append(options[name][0])  # not --no-NAME, which is --NAME false

    # Names with hyphens and words for values; all names are parsed, and these are shown
    aliases, types = _aliases(parser.dataclass_types), {}
    for kind in parser.dataclass_types:
        types |= get_type_hints(kind)
    for name, (action, *_) in options.items():
        hyphened = [string for string in action.option_strings if "_" not in string]
        action.option_strings = [aliases[name]] if name in aliases else hyphened
        if name in owned and action.metavar is None and action.choices is None:
            kinds = {types[name], *get_args(types[name])}
            action.metavar = next((word for kind, word in _VALUES.items() if kind in kinds), "TEXT")


_CONFIG_HELP = (
    "YAML file of settings, or the name of one of this package; the command line overrides it. (A config of the data "
    "is --dataset-config.)"
)


def _aliases(kinds: Iterable[type]) -> dict[str, str]:
    """Return the name on the command line of each field of ours that has another one there."""
    ours = (one for kind in kinds if kind.__module__.startswith("bap_v2") for one in fields(kind))
    return {one.name: one.metadata["aliases"][0] for one in ours if one.metadata.get("aliases")}


def with_field_names(settings: Mapping[str, Any], kinds: Iterable[type]) -> dict[str, Any]:
    """Return the settings of a file by the names of their fields; the file may have the names of the command line."""
    fields_of = {alias.strip("-"): name for name, alias in _aliases(kinds).items()}
    return {fields_of.get(name, name): value for name, value in settings.items()}


def check_names(parser: argparse.ArgumentParser, args: Iterable[str], settings: Iterable[str] = ()) -> None:
    """Raises: UsageError for an option or a setting of a file that the parser does not know, with a near name.

    Args:
        args: the command line, without `--config`.
        settings: the names in the file, by fields.
    """
    options = {name.replace("-", "_") for name in parser._option_string_actions}
    shown = sorted({name.strip("-").replace("-", "_") for action in parser._actions for name in action.option_strings})
    for arg in args:
        name = arg.partition("=")[0]
        if name.startswith("--") and name != "--" and " " not in name and name.replace("-", "_") not in options:
            raise UsageError(unknown_name("option", name.strip("-"), shown))
    known = {action.dest for action in parser._actions} - {"config", "help"}
    if unknown := sorted({*settings} - known):
        near = get_close_matches(unknown[0], known, 1) if len(unknown) == 1 else []
        hint = f"; did you mean {near[0]}?" if near else " here: the first line of a config names its script"
        raise UsageError(f"there is no setting {', '.join(unknown)}{hint}")


def check_unused(settings: Any, names: Iterable[str], why: str) -> None:
    """Raises: UsageError for an option that was given although it would do nothing."""
    defaults = {option.name: option.default for option in fields(settings)}
    for name in names:
        if getattr(settings, name) != defaults[name]:
            raise UsageError(f"--{name.replace('_', '-')} {why}")


def check_choices(settings: Any) -> None:
    """Raises: UsageError if a field of a dataclass is none of its `choices`, which nobody checks in a file."""
    for one in fields(settings):
        choices, value = one.metadata.get("choices"), getattr(settings, one.name)
        if choices is not None and value is not None and value not in choices:
            raise UsageError(f"{one.name} is {value!r} (expected one of {', '.join(map(str, choices))})")


Options = TypeVar("Options")


def config_settings(path: Path) -> dict:
    """Return the settings of a YAML file over those of the file it `extends`, whose path is relative to its own.

    A mere name that is not a file here, such as `smoke`, is that of a config of this package.
    """
    # Find the file
    folder = Path(str(files("bap_v2_training") / "configs"))
    if not path.exists() and path.parent == Path() and (folder / path.with_suffix(".yaml")).is_file():
        path = folder / path.with_suffix(".yaml")
    if not path.is_file():
        problem = f"there is no config file {path}"
        if path.stem in all_configs():
            raise UsageError(f"--config is a file of settings; {path} is a config of the data: --dataset-config {path}")
        if path.parent == Path():
            problem = unknown_name("config file", path.stem, [file.stem for file in sorted(folder.glob("*.yaml"))])
        raise UsageError(f"{problem} (those of this package are in {folder})")

    # Read it, over the one that it extends
    try:
        settings = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise UsageError(f"{path} is not YAML: {error}") from error
    if not isinstance(settings, dict):
        raise UsageError(f"{path} has no settings (expected lines such as `learning_rate: 2.0e-4`)")
    base = settings.pop("extends", None)
    return settings if base is None else config_settings(path.parent / base) | settings


def with_config_apart(args: Sequence[str]) -> tuple[list[str], dict]:
    """Return a command line without `--config FILE` or `--config=FILE`, and the settings of that file."""
    words = [word for arg in args for word in (arg.split("=", 1) if arg.startswith("--config=") else [arg])]
    if "--config" not in words:
        return words, {}
    at = words.index("--config")
    return words[:at] + words[at + 2 :], config_settings(Path(*words[at + 1 :][:1]))


def parsed(options: type[Options], args: Sequence[str]) -> Options:
    """The command line as a dataclass of options. Raises: UsageError, as `parse_options`, and for unknown choices."""
    (arguments,) = parse_options([options], args)
    check_choices(arguments)
    return arguments


def parse_options(
    kinds: Sequence[type], args: Sequence[str], adapted: Callable[[list[str], dict], list[str]] | None = None
) -> tuple:
    """An object of each of these dataclasses, filled from `--config FILE.yaml` and overridden by the command line.

    Args:
        adapted: the command line that takes the place of this one, which is given the settings of the file.
    Raises:
        UsageError: no such file or setting, or values that do not go together.
    """
    # The names of options, of the command line and of the file
    parser = HfArgumentParser(tuple(kinds), allow_abbrev=False)
    group_options(parser)
    args, settings = with_config_apart(args)
    settings = with_field_names(settings, kinds)
    os.environ |= {name: str(value) for name, value in settings.pop("env", {}).items()}
    check_names(parser, args, settings)

    # Their values: what stands in the file is not required on the command line
    parser.set_defaults(**settings)
    for action in parser._actions:
        action.required = action.required and action.dest not in settings
    try:
        return parser.parse_args_into_dataclasses(adapted(args, settings) if adapted else args)[: len(kinds)]
    except ValueError as error:  # an unknown name, or values that do not go together
        raise UsageError(str(error)) from error
