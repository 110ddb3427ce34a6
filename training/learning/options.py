"""The options of commands: fields of dataclasses, which HfArgumentParser reads, and YAML files that set them."""

import argparse
import json
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from difflib import get_close_matches
from functools import cached_property
from importlib.resources import files
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

import yaml
from transformers.hf_argparser import HfArg, HfArgumentParser

from bap_v2_dataset.interface.table import all_configs
from bap_v2_dataset.sentences import unknown_name
from bap_v2_training.commands import purpose_and_examples
from bap_v2_training.errors import UsageError

_FOLDER = Path(str(files("bap_v2_training")))
_TEXTS = tomllib.loads((_FOLDER / "options.toml").read_text(encoding="utf-8"))  # of help, by dataclass and field


def _listed(kinds: Iterable[type], key: str) -> list[str]:
    """Return what dataclasses, or else those that they derive from, list under a key."""
    texts = [[_TEXTS.get(one.__name__, {}) for one in kind.__mro__] for kind in kinds]
    return [name for own in texts for name in next((one[key] for one in own if key in one), ())]


def option(
    default: Any = MISSING, help: str | None = None, *, choices: Sequence[Any] | None = None, **others: Any
) -> Any:
    """Return a field of a dataclass that is an option with choices or with another name; else a plain field is one.

    Its help is in `options.toml`, or is passed here if it names what the code knows. Without a default it is required.

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
    """Says what the script is for, shows the common options, or with `--help all` every one, and ends with examples."""

    def __init__(self, option_strings: Sequence[str], dest: str):
        super().__init__(
            option_strings, argparse.SUPPRESS, nargs="?", metavar="all", help="Show common options, or all."
        )

    def __call__(self, parser: argparse.ArgumentParser, namespace: Any, values: Any, option: str | None = None) -> None:
        # Options that are needed, and those that are shown
        needed = [action.option_strings[0] for action in parser._actions if action.required]
        needed += _listed(parser.dataclass_types, "needed")
        if needed:
            parser.description = f"Needed, here or in the file: {', '.join(needed)}."
        common = [group for group in parser._action_groups if group.title in (_SETTINGS, _COMMON)]
        if values != "all" and len(common) > 1:
            parser._action_groups = common

        # Between the purpose and the examples of the script, or of its command
        purpose, examples = purpose_and_examples(parser.prog)
        print(f"{purpose}\n")
        parser.print_help()
        from bap_v2_dataset.cli.help import print_examples  # here: it imports what no training needs

        print()
        if not print_examples(parser.prog.removeprefix("bap-v2 ")):
            print(f" Examples\n{examples}")
        parser.exit()


class _Parser(HfArgumentParser):
    """Reads `null` as YAML does, as the value of each option that can be null."""

    @cached_property
    def types(self) -> dict[str, Any]:
        """The types of the options."""
        return {name: hint for kind in self.dataclass_types for name, hint in get_type_hints(kind).items()}

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        null = arg_strings == ["null"] and NoneType in get_args(self.types.get(action.dest))
        return None if null else super()._get_values(action, arg_strings)


_SETTINGS, _COMMON = "options", "common options"
_VALUES = {bool: "true|false", int: "N", float: "X"}  # what help calls them, else TEXT


def group_options(parser: _Parser) -> None:
    """Shows the options of a parser in groups: `options.toml` names that of each dataclass which brings options.

    Those that `options.toml` calls `common` come first. The line of usage does not repeat them.
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
        action.help = _RESUME_HELP if action.dest == "resume_from_checkpoint" else action.help
    common = _listed(parser.dataclass_types, "common")
    owned = {one.name: kind for kind in parser.dataclass_types for one in fields(kind) if one.name in options}
    for name in sorted(owned, key=lambda name: common.index(name) if name in common else len(common)):
        kind = owned[name]
        owner = next(one for one in kind.__mro__ if name in vars(one).get("__annotations__", ()))
        texts = _TEXTS.get(owner.__name__, {"group": f"{kind.__name__} of {kind.__module__.partition('.')[0]}"})
        title = _COMMON if name in common else texts["group"]
        if title not in groups:
            groups[title] = parser.add_argument_group(title)
        if options[name][0].help is None and owner.__name__ in _TEXTS:
            options[name][0].help = " ".join(texts[name].split())
        for action in options[name]:
            parser._optionals._group_actions.remove(action)
        groups[title]._group_actions.append(options[name][0])  # not --no-NAME, which is --NAME false

    # Names with hyphens and words for values; all names are parsed, and these are shown
    aliases = _aliases(parser.dataclass_types)
    for name, (action, *_) in options.items():
        hyphened = [string for string in action.option_strings if "_" not in string]
        action.option_strings = [aliases[name]] if name in aliases else hyphened
        if name in owned and action.metavar is None and action.choices is None:
            kinds = {parser.types[name], *get_args(parser.types[name])}
            action.metavar = next((word for kind, word in _VALUES.items() if kind in kinds), "TEXT")


_CONFIG_HELP = (
    "YAML file of settings, or the name of one of this package; the command line overrides it. (A config of the data "
    "is --dataset-config.)"
)


_RESUME_HELP = (
    "true: resume from the newest checkpoint in output_dir; auto: if there is one; or its folder. Default: no."
)


def _aliases(kinds: Iterable[type]) -> dict[str, str]:
    """Return the name on the command line of each field of ours that has another one there."""
    ours = (one for kind in kinds if kind.__module__.startswith("bap_v2") for one in fields(kind))
    return {one.name: one.metadata["aliases"][0] for one in ours if one.metadata.get("aliases")}


def with_field_names(settings: Mapping[str, Any], kinds: Iterable[type]) -> dict[str, Any]:
    """Return the settings of a file by the names of their fields; the file may have the names of the command line."""
    fields_of = {alias.strip("-"): name for name, alias in _aliases(kinds).items()}
    if doubled := [name for name, of in fields_of.items() if {name, of} <= settings.keys()]:
        raise UsageError(f"{doubled[0]} and {fields_of[doubled[0]]} are one setting: leave one out")
    return {fields_of.get(name, str(name)): value for name, value in settings.items()}


def mapping_of(name: str, text: str) -> dict[str, Any]:
    """Return a mapping that is written as JSON, or as NAME=VALUE,NAME=VALUE. Raises: UsageError."""

    def unique(pairs: Sequence[Sequence[Any]]) -> dict[str, Any]:
        if len(mapping := dict(pairs)) < len(pairs):
            raise ValueError
        return mapping

    try:
        if text.lstrip().startswith("{"):
            return json.loads(text, object_pairs_hook=unique)
        return unique([part.split("=") for part in text.split(",")]) if text.strip() else {}
    except ValueError as error:
        raise UsageError(f"{name}: {text!r} is neither JSON nor NAME=VALUE,NAME=VALUE, each name once") from error


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


def check_least(settings: Any, least: Mapping[str, float]) -> None:
    """Raises: UsageError for a number below the least that it can be; null is none."""
    for name, value in least.items():
        if (given := getattr(settings, name)) is not None and given < value:
            raise UsageError(f"{name} is {given}: expected at least {value}")


def check_choices(settings: Any) -> None:
    """Raises: UsageError if a field of a dataclass is none of its `choices`, which nobody checks in a file."""
    for one in fields(settings):
        choices, value = one.metadata.get("choices"), getattr(settings, one.name)
        if choices is not None and value is not None and value not in choices:
            raise UsageError(f"{one.name} is {value!r} (expected one of {', '.join(map(str, choices))})")


Options = TypeVar("Options")


class _UniqueKeys(yaml.SafeLoader):
    """Refuses a key that stands twice, of which PyYAML would take the last value."""

    def compose_mapping_node(self, anchor: str | None) -> yaml.MappingNode:
        node, lines = super().compose_mapping_node(anchor), {}
        for key, _ in node.value:
            if (name := str(key.value)) in lines:
                problem = f"{name} stands in line {lines[name]} already: leave one of them out"
                raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
            lines[name] = key.start_mark.line + 1
        return node


def config_settings(path: Path, kinds: Sequence[type] = (), extended_by: tuple[Path, ...] = ()) -> dict:
    """Return the settings of a YAML file over those of the file it `extends`, whose path is relative to its own.

    A mere name that is not a file here, such as `smoke`, is that of a config of this package.

    Args:
        kinds: dataclasses of options, by whose fields the settings are named.
        extended_by: the files whose settings are put over these.
    """
    # Find the file
    folder = _FOLDER / "configs"
    if not path.exists() and path.parent == Path() and (folder / path.with_suffix(".yaml")).is_file():
        path = folder / path.with_suffix(".yaml")
    if not path.is_file():
        problem = f"there is no config file {path}"
        if path.stem in all_configs():
            raise UsageError(f"--config is a file of settings; {path} is a config of the data: --dataset-config {path}")
        if path.parent == Path():
            problem = unknown_name("config file", path.stem, [file.stem for file in sorted(folder.glob("*.yaml"))])
        raise UsageError(f"{problem} (those of this package are in {folder})")
    if any(path.samefile(earlier) for earlier in extended_by):
        circle = " extends ".join(map(str, [*extended_by, path]))
        raise UsageError(f"{circle}: no file can extend itself")

    # Read it
    content = path.read_bytes()
    try:
        settings = yaml.load(content, _UniqueKeys)
    except yaml.MarkedYAMLError as error:
        problem = " ".join(filter(None, (error.context, error.problem)))
        hint = " (indent and separate with spaces)" if "\\t" in problem else ""
        raise UsageError(f"{path} is not YAML: line {error.problem_mark.line + 1}: {problem}{hint}") from error
    except yaml.reader.ReaderError as error:
        line = content[: error.position].count(b"\n") + 1
        raise UsageError(f"{path} is no text in UTF-8: line {line}: {error.reason} (save it as UTF-8)") from error
    if not isinstance(settings, dict):
        raise UsageError(f"{path} has no settings (expected lines such as `learning_rate: 2.0e-4`)")

    # Put it over the one that it extends
    settings = with_field_names(settings, kinds)
    base = settings.pop("extends", None)
    if not isinstance(base, str | None):
        raise UsageError(f"{path}: extends is {base!r} (expected one file, e.g. smoke.yaml)")
    return settings if base is None else config_settings(path.parent / base, kinds, (*extended_by, path)) | settings


def with_config_apart(args: Sequence[str], kinds: Sequence[type]) -> tuple[list[str], dict]:
    """Return a command line without `--config FILE` or `--config=FILE`, and the settings of that file, by fields."""
    words = [word for arg in args for word in (arg.split("=", 1) if arg.startswith("--config=") else [arg])]
    if "--config" not in words:
        return words, {}
    if words.count("--config") > 1:
        raise UsageError("--config stands twice: name one file, which can extend another")
    at = words.index("--config")
    return words[:at] + words[at + 2 :], config_settings(Path(*words[at + 1 :][:1]), kinds)


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
    parser = _Parser(tuple(kinds), allow_abbrev=False)
    group_options(parser)
    args, settings = with_config_apart(args, kinds)
    if not isinstance(environment := settings.pop("env", {}), dict):
        raise UsageError(f"env is {environment!r} (expected variables with their values)")
    os.environ |= {name: str(value) for name, value in environment.items()}
    check_names(parser, args, settings)
    if needed := [name for name in settings if settings[name] is None and NoneType not in get_args(parser.types[name])]:
        raise UsageError(f"{needed[0]} is null, but needs a value: leave it out for its default")

    # Their values: what stands in the file is not required on the command line
    parser.set_defaults(**settings)
    for action in parser._actions:
        action.required = action.required and action.dest not in settings
    try:
        return parser.parse_args_into_dataclasses(adapted(args, settings) if adapted else args)[: len(kinds)]
    except ValueError as error:  # an unknown name, or values that do not go together
        raise UsageError(str(error)) from error
