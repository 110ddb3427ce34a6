"""The options of commands as fields of dataclasses, which HfArgumentParser reads."""

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, field, fields
from typing import Any

from transformers import HfArgumentParser

from bap_v2_training.errors import UsageError


def option(
    default: Any = MISSING,
    help: str = "",
    *,
    default_factory: Callable[[], Any] | None = None,
    choices: Sequence[Any] | None = None,
    aliases: Sequence[str] | None = None,
) -> Any:
    """A field of a dataclass that is an option; without a default it is required."""
    given = {"help": help, "choices": choices, "aliases": aliases}
    metadata = {name: value for name, value in given.items() if value is not None}
    if default_factory is not None:
        return field(default_factory=default_factory, metadata=metadata)
    return field(default=default, metadata=metadata)


def group_options(parser: HfArgumentParser) -> None:
    """Shows the options of a parser in groups: each dataclass that brings options names them with `group`."""
    groups: dict[str, argparse._ArgumentGroup] = {}
    options = {action.dest: action for action in parser._actions}
    for kind in parser.dataclass_types:
        for name in (one.name for one in fields(kind) if one.name in options):
            owner = next(one for one in kind.__mro__ if name in vars(one).get("__annotations__", ()))
            title = vars(owner).get("group", f"{kind.__name__} of {kind.__module__.partition('.')[0]}")
            if title not in groups:
                groups[title] = parser.add_argument_group(title)
            parser._optionals._group_actions.remove(options[name])
            groups[title]._group_actions.append(options[name])


def check_unused(settings: Any, names: Iterable[str], why: str) -> None:
    """Raises: UsageError for an option that was given although it would do nothing."""
    defaults = {option.name: option.default for option in fields(settings)}
    for name in names:
        if getattr(settings, name) != defaults[name]:
            raise UsageError(f"--{name} {why}")


def check_choices(settings: Any) -> None:
    """Raises: UsageError if a field of a dataclass is none of its `choices`, which nobody checks in a file."""
    for one in fields(settings):
        choices, value = one.metadata.get("choices"), getattr(settings, one.name)
        if choices is not None and value is not None and value not in choices:
            raise UsageError(f"{one.name} is {value!r} (expected one of {', '.join(map(str, choices))})")
