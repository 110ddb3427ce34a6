"""How `--help` looks and what the shell completes: short names of values, examples, names that are known."""

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import typer
from rich.console import Console
from rich.text import Text
from typer.core import TyperCommand, TyperGroup
from typer.models import OptionInfo

from bap_v2_dataset.cli.examples import examples
from bap_v2_dataset.cli.options import SIMULATORS, among
from bap_v2_dataset.tasks.table import TASKS, all_configs

# What the values of an option are called, by its name, where it does not say so itself; others by their type.
_VALUES = {
    "config": "CONFIG", "split": "SPLIT", "labels": "FILE", "mdc": "PATH", "baseline": "NAME", "repo_id": "USER/NAME",
    "metric_space": "USER/NAME", "explorer_space": "USER/NAME", "dataset_repo": "USER/NAME", "mdc_url": "URL",
    "setting": "NAME=VALUE", "slurm": "NAME=VALUE", "predictions": "FILE", "json": "FILE", "out": "FILE",
    "output": "FILE", "revision": "BRANCH", "earlier": "FILE", "other": "FILE", "mdc_v2": "N", "dr": "N", "dsb": "N",
    "dss": "N", "per_item": "FILE", "format": "FORM", "game": "GAME", "id_field": "FIELD", "prediction_field": "FIELD",
    "host": "ADDRESS", "only": "WHICH", "annotator": "NAME", "against": "NAME", "more": "FILE", "played": "FILE",
    "results": "FILE",
}  # fmt: skip
_OF_TYPES = {int: "N", float: "X", Path: "PATH"}
# What can be completed, by the name of a parameter; where nothing can, the shell proposes files.
_NAMES: dict[str, Sequence[str]] = {
    "config": tuple(all_configs()),
    "baseline": tuple(dict.fromkeys(name for task in TASKS.values() for name in task.baselines)),
    "split": ("train", "validation", "test"),
    "simulator": SIMULATORS,
    "engine": ("datatrove",),
    "executor": ("local", "slurm", "ray"),
    "only": ("unlabeled", "all", "disagreements"),
}


class Command(TyperCommand):
    """A command whose help ends with examples."""

    def get_params(self, ctx: typer.Context) -> list:
        return without_types(super().get_params(ctx))

    def format_help(self, ctx: typer.Context, formatter: Any) -> None:
        super().format_help(ctx, formatter)
        print_examples(self.name or "")


class Group(TyperGroup):
    """`bap-v2` itself; its commands are listed in the order of their examples."""

    def list_commands(self, ctx: typer.Context) -> list[str]:
        order = list(examples())
        return sorted(super().list_commands(ctx), key=order.index)

    def get_params(self, ctx: typer.Context) -> list:
        return without_types(super().get_params(ctx))

    def format_help(self, ctx: typer.Context, formatter: Any) -> None:
        super().format_help(ctx, formatter)
        print_examples("")


class App(typer.Typer):
    """A `Typer` that gives every option a short name for its value, and names that the shell completes."""

    def command(self, name: str | None = None, **settings: Any) -> Callable:
        register = super().command(name, cls=Command, **settings)

        def registered(function: Callable) -> Callable:
            for parameter in inspect.signature(function).parameters.values():
                describe(parameter.name, parameter.annotation)
            return register(function)

        return registered


def describe(name: str, annotation: Any) -> None:
    """Names the value of a parameter and what completes it, as far as it does not do so itself."""
    if get_origin(annotation) is not Annotated:
        return
    value, info = get_args(annotation)
    types = {value, *get_args(value)}
    if isinstance(info, OptionInfo) and bool not in types:
        by_type = next((_OF_TYPES[kind] for kind in types if kind in _OF_TYPES), "TEXT")
        info.metavar = info.metavar or _VALUES.get(name) or by_type
    if name in _NAMES and info.autocompletion is None:
        info.autocompletion = among(_NAMES[name])


def without_types(params: list) -> list:
    """The parameters; of flags and arguments the help does not show the type, which takes a third of its width."""
    for param in params:
        if param.metavar is None or param.param_type_name == "argument":
            param.display_type_rich = lambda ctx: None
    return params


def print_examples(command: str) -> None:
    """Prints the examples of a command. Their lines are not folded: they are there to be copied."""
    console = Console(highlight=False)
    console.print(" [bold]Examples[/bold]")
    for what, line in examples()[command]:
        if what:
            console.print(Text(f"   # {what}", "dim"), soft_wrap=True)
        console.print(Text(f"   {line}"), soft_wrap=True)
