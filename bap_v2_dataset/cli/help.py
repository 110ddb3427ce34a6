"""The help of commands, with short names of values and examples; and the names that the shell completes."""

import inspect
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import typer
from rich.console import Console
from rich.text import Text
from typer.core import TyperCommand, TyperGroup
from typer.models import OptionInfo

from bap_v2_dataset.cli.main_help import names, print_main_help
from bap_v2_dataset.cli.options import BASELINES, PLAYED_IN_FULL, UNITS, among, take_parameters
from bap_v2_dataset.interface.table import TASKS, all_configs

_EXAMPLES = tomllib.loads((Path(__file__).parent / "examples.toml").read_text(encoding="utf-8"))  # by command
_OPTIONS = tomllib.loads((Path(__file__).parent / "options.toml").read_text(encoding="utf-8"))  # likewise
_WORDS = {"BASELINES": BASELINES.partition(";")[0], "UNITS": UNITS}  # in its texts


def examples() -> dict[str, list[tuple[str, str]]]:
    """Return by command what a line does, and the line."""
    return {
        command: [*map(tuple, lines), *(line for task in TASKS.values() for line in task.examples.get(command, ()))]
        for command, lines in _EXAMPLES.items()
    }


_VALUES, _FURTHER = _OPTIONS["values"], _OPTIONS["further"]
_OF_TYPES = {int: "N", float: "X", Path: "PATH"}
# What can be completed, by the name of a parameter; where nothing can, the shell proposes files.
_NAMES: dict[str, Sequence[str]] = {
    "config": tuple(all_configs()),
    "baseline": tuple(dict.fromkeys(name for task in TASKS.values() for name in task.baselines)),
    "split": ("train", "validation", "test"),
    "simulator": PLAYED_IN_FULL,
    "engine": ("datatrove",),
    "only": ("unlabeled", "all", "disagreements"),
}


class Command(TyperCommand):
    """A command whose help ends with examples. `--help all` shows further options: named ones, and those in panels."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:
        ctx.meta["help_all"] = args[1:] == ["all"]
        return super().parse_args(ctx, args)

    def collect_usage_pieces(self, ctx: typer.Context) -> list[str]:
        hidden = {piece for param in self.params if param.hidden for piece in param.get_usage_pieces(ctx)}
        return [piece for piece in super().collect_usage_pieces(ctx) if piece not in hidden]

    def get_params(self, ctx: typer.Context) -> list:
        """Return the parameters; of flags and arguments the help shows no type, which takes a third of its width."""
        params = super().get_params(ctx)
        for param in params:
            if param.metavar is None or param.param_type_name == "argument":
                param.display_type_rich = lambda ctx: None
        return params

    def format_help(self, ctx: typer.Context, formatter: Any) -> None:
        named = _FURTHER.get(self.name or "", ())
        further = [one for one in self.params if one.name in named or getattr(one, "rich_help_panel", None)]
        further = [] if ctx.meta.get("help_all") else further
        for param in further:
            param.hidden = True
        super().format_help(ctx, formatter)
        for param in further:
            param.hidden = False
        if further:
            names = ", ".join(param.opts[0] for param in further)
            Console(highlight=False).print(Text(f" --help all shows more: {names}\n", "dim"))
        print_examples(self.name or "")


class MainGroup(TyperGroup):
    """`bap-v2` itself."""

    def list_commands(self, ctx: typer.Context) -> list[str]:
        return sorted(super().list_commands(ctx), key=names().index)

    def format_help(self, ctx: typer.Context, formatter: Any) -> None:
        print_main_help()


class App(typer.Typer):
    """A `Typer` that gives every option a short name for its value, and names that the shell completes."""

    def command(self, name: str | None = None, words: Mapping[str, Any] | None = None, **settings: Any) -> Callable:
        """Register a command; what the help says of its parameters stands in `options.toml`.

        Args:
            words: what stands there for {WORDS}, and what values are completed to: names, or a function.
        """
        register = super().command(name, cls=Command, **settings)

        def registered(function: Callable) -> Callable:
            entries = {**_OPTIONS["shared"], **_OPTIONS.get(name or function.__name__, {})}
            parameters = [
                _described(parameter, entries, {**_WORDS, **(words or {})})
                for parameter in inspect.signature(function, eval_str=True).parameters.values()
            ]
            take_parameters(function, parameters)
            return register(function)

        return registered


def _described(parameter: inspect.Parameter, entries: Mapping[str, Any], words: Mapping[str, Any]) -> inspect.Parameter:
    """Return a parameter with what its entry says, unless it says that itself."""
    annotation = parameter.annotation
    if annotation is not typer.Context and get_origin(annotation) is not Annotated:
        # The entry, with the words in their places.
        entry = entries[parameter.name]
        entry = {"help": entry} if isinstance(entry, str) else dict(entry)
        entry = {key: _filled(value, words) for key, value in entry.items()}
        # What typer makes of it; flags have one name, without a second one for "no".
        flag = [f"--{parameter.name.replace('_', '-')}"] if annotation is bool else []
        made = typer.Argument if entry.pop("argument", False) else typer.Option
        names = entry.pop("names", flag)
        if completes := entry.pop("completes", None):
            entry["autocompletion"] = words[completes] if callable(words[completes]) else among(words[completes])
        annotation = Annotated[annotation, made(*names, **entry)]
    describe(parameter.name, annotation)
    return parameter.replace(annotation=annotation)


def _filled(value: Any, words: Mapping[str, Any]) -> Any:
    """Return a text of an entry with words in place of their names; other values are as they were."""
    if isinstance(value, list):
        return [_filled(one, words) for one in value]
    return re.sub(r"\{([A-Z_]+)\}", lambda name: words[name[1]], value) if isinstance(value, str) else value


def describe(name: str, annotation: Any) -> None:
    """Name the value of a parameter and what completes it, as far as it does not do so itself."""
    if get_origin(annotation) is not Annotated:
        return
    value, info = get_args(annotation)
    types = {value, *get_args(value)}
    if isinstance(info, OptionInfo) and bool not in types:
        by_type = next((_OF_TYPES[kind] for kind in types if kind in _OF_TYPES), "TEXT")
        info.metavar = info.metavar or _VALUES.get(name) or by_type
    if name in _NAMES and info.autocompletion is None:
        info.autocompletion = among(_NAMES[name])


def print_examples(command: str) -> bool:
    """Print the examples of a command; return whether it has some. Their lines are not folded: they are copied."""
    console, lines = Console(highlight=False), examples().get(command, [])
    if lines:
        console.print(" [bold]Examples[/bold]")
    for what, line in lines:
        if what:
            console.print(Text(f"   # {what}", "dim"), soft_wrap=True)
        console.print(Text(f"   {line}"), soft_wrap=True)
    return bool(lines)
