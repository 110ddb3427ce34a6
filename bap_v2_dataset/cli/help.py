"""How `--help` looks and what the shell completes: short names of values, examples, names that are known."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import typer
from rich.console import Console
from rich.text import Text
from typer.core import TyperCommand, TyperGroup

from bap_v2_dataset.cli.examples import EXAMPLES
from bap_v2_dataset.tasks.table import TASKS, all_configs

_SPLITS = ("train", "validation", "test")
# What the values of an option are called, where its type says too little.
_VALUES = {
    "config": "CONFIG", "split": "SPLIT", "labels": "FILE", "mdc": "PATH", "seed": "N", "baseline": "NAME",
    "simulator": "SIMULATOR", "repo_id": "USER/NAME", "metric_space": "USER/NAME", "explorer_space": "USER/NAME",
    "dataset_repo": "USER/NAME", "mdc_url": "URL", "setting": "NAME=VALUE", "slurm": "NAME=VALUE",
    "predictions": "FILE", "json": "FILE", "out": "FILE", "output": "FILE", "revision": "BRANCH", "earlier": "FILE",
    "other": "FILE", "first": "FILE", "second": "FILE", "mdc_v2": "N", "dr": "N", "dsb": "N", "dss": "N",
    "per_item": "FILE", "format": "FORM", "game": "GAME", "id_field": "FIELD", "prediction_field": "FIELD",
    "host": "ADDRESS", "only": "WHICH", "annotator": "NAME", "against": "NAME", "more": "FILE", "results": "FILE",
}  # fmt: skip
_KINDS = {"int": "N", "float": "X", "path": "PATH", "file": "FILE", "directory": "FOLDER"}
# What can be completed: by the name of a parameter.
_NAMES: dict[str, Sequence[str]] = {
    "config": tuple(all_configs()),
    "baseline": tuple(TASKS["bap"].baselines),
    "split": _SPLITS,
    "simulator": ("dr", "dsb", "dss"),
    "engine": ("datatrove",),
    "executor": ("local", "slurm", "ray"),
    "only": ("unlabeled", "all", "disagreements"),
}
_FILES = ("FILE", "PATH", "FOLDER")


class Command(TyperCommand):
    """A command whose help is narrow and ends with examples, and whose values the shell completes."""

    def get_params(self, ctx: typer.Context) -> list:
        return [_prepared(param, ctx) for param in super().get_params(ctx)]

    def format_help(self, ctx: typer.Context, formatter: Any) -> None:
        super().format_help(ctx, formatter)
        print_examples(self.name or "")


class Group(TyperGroup):
    """`bap-v2` itself; its commands are listed in the order of their examples."""

    def list_commands(self, ctx: typer.Context) -> list[str]:
        order = {name: place for place, name in enumerate(EXAMPLES)}
        return sorted(super().list_commands(ctx), key=lambda name: order.get(name, len(order)))

    def get_params(self, ctx: typer.Context) -> list:
        return [_prepared(param, ctx) for param in super().get_params(ctx)]

    def format_help(self, ctx: typer.Context, formatter: Any) -> None:
        super().format_help(ctx, formatter)
        print_examples("")


class App(typer.Typer):
    """A `Typer` whose commands are of the class `Command`."""

    def command(self, name: str | None = None, **settings: Any) -> Callable:
        return super().command(name, cls=Command, **settings)


def print_examples(command: str) -> None:
    """Prints the examples of a command. Their lines are not folded: they are there to be copied."""
    if not (examples := EXAMPLES.get(command)):
        return
    console = Console(highlight=False)
    console.print(" [bold]Examples[/bold]")
    for what, line in examples:
        if what:
            console.print(Text(f"   # {what}", "dim"), soft_wrap=True)
        console.print(Text(f"   {line}"), soft_wrap=True)


def value_name(param: Any, kind: str) -> str | None:
    """What the value of a parameter is called in the help; None for a flag.

    Args:
        kind: what typer calls it, such as `<list[path]>` or `<int range>`: it takes a third of the width of the help.
    """
    if getattr(param, "is_flag", False):
        return None
    if param.param_type_name == "argument":
        return ""  # its name says it
    if param.metavar:
        return param.metavar
    kind = kind.strip("<>").removeprefix("list[").removesuffix("]").removesuffix(" range").lower()
    return _VALUES.get(param.name) or _KINDS.get(kind, "TEXT")


def _prepared(param: Any, ctx: typer.Context) -> Any:
    """The parameter, with the short name of its value and what completes it."""
    if hasattr(param, "_value_name"):
        return param
    # What is replaced are methods of typer's parameters; a version without them shows its own, which does no harm.
    kind = param.display_type(ctx) if hasattr(param, "display_type") else str(getattr(param.type, "name", ""))
    param._value_name = name = value_name(param, kind)
    param.display_type = param.display_type_rich = lambda ctx: name or None
    param._get_number_range_help_str = lambda: ""
    if not getattr(param, "_custom_shell_complete", None):
        if known := _NAMES.get(param.name):
            param._custom_shell_complete = lambda ctx, param, begun: [each for each in known if each.startswith(begun)]
        elif (name or _VALUES.get(param.name)) in _FILES:
            param._custom_shell_complete = lambda ctx, param, begun: files(begun)
    return param


def files(begun: str) -> list[str]:
    """The files and folders that a text may become, as a shell completes them."""
    folder, _, name = begun.rpartition("/")
    try:
        entries = sorted(Path(f"{folder}/" if "/" in begun else ".").iterdir())
    except OSError:
        return []
    prefix = begun[: len(begun) - len(name)]
    shown = [entry for entry in entries if entry.name.startswith(name) and (name or not entry.name.startswith("."))]
    return [f"{prefix}{entry.name}{'/' if entry.is_dir() else ''}" for entry in shown]
