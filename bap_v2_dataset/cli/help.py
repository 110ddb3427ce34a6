"""The help of commands, with short names of values and examples; and the names that the shell completes."""

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import typer
from rich.console import Console
from rich.text import Text
from typer.core import TyperCommand, TyperGroup
from typer.models import OptionInfo

from bap_v2_dataset.cli.main_help import names, print_main_help
from bap_v2_dataset.cli.options import PLAYED_IN_FULL, among
from bap_v2_dataset.interface.table import TASKS, all_configs

# By command: what a line does, and the line; those of a task are in its room.
_EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "setup": (
        ("the synthetic configs and the metric", "bap-v2 setup"),
        ("the human configs too; downloads the corpus", "bap-v2 setup --mdc auto"),
        ("one config, with labels of your own", "bap-v2 setup --config mdc_v2 --mdc PATH --labels labels.jsonl"),
    ),
    "generate": (
        ("games with another seed", "bap-v2 generate dss --games 100 --seed 1 --out items.jsonl"),
        ("a million items on all cores", "bap-v2 generate dr --items 1000000 --out items.parquet"),
        ("the settings of a simulator, and games with others", "bap-v2 generate dr --settings"),
        ("", "bap-v2 generate dr --games 100 --set talk.clarification=0.5 --out items.jsonl"),
    ),
    "mix": (("human items and some of two simulators", "bap-v2 mix --mdc-v2 all --dr 8000 --dss 6000 --out mixed"),),
    "perturb": (),
    "convert": (
        ("games of your own, to items", "bap-v2 convert games.jsonl --out items.jsonl"),
        ("which other commands read", "bap-v2 score predictions.jsonl --data items.jsonl"),
    ),
    "train": (
        ("a small pretrained model, on a CPU", "bap-v2 train --config smollm2"),
        ("what a run needs, without starting it", "bap-v2 train --config llama_crafts --dry-run true"),
    ),
    "predict": (
        ("the model of a run", "bap-v2 predict --model runs/smollm2 --dataset-config dsb --out runs/smollm2/dsb.jsonl"),
        (
            "20 items by a model behind an endpoint",
            "bap-v2 predict --backend openai --base-url http://localhost:8000/v1 --model NAME --dataset-config dss "
            "--limit 20 --out chat.jsonl",
        ),
    ),
    "ensemble": (
        (
            "two trained Builders and the rule symbolic",
            "bap-v2 ensemble --members runs/pointer runs/gru_agg --out runs/ensemble",
        ),
    ),
    "merge": (("a plain model of an adapter", "bap-v2 merge runs/llama_crafts --out runs/llama_crafts_merged"),),
    "play-games": (
        ("what a rule builds when its Architect sees the board and corrects", "bap-v2 play-games dsb"),
        ("the games too, one per line", "bap-v2 play-games dss --builder symbolic_err25 --games 50 --out games.jsonl"),
        ("a model, with options of bap-v2 predict", "bap-v2 play-games dsb --model runs/pointer --out games.jsonl"),
    ),
    "info": (
        ("", "bap-v2 info"),
        ("for a program, or a bug report", "bap-v2 info --json"),
    ),
    "stats": (("", "bap-v2 stats"),),
    "show": (
        ("an item in the terminal", "bap-v2 show dss-test-0/1"),
        ("any item, and what a language model reads of one", "bap-v2 show --random --config mdc_v2"),
        ("", "bap-v2 show dss-test-0/1 --prompt n_posb_s"),
        ("a figure, with what a rule answers", "bap-v2 show dss-test-0/1 --baseline stack --out item.png"),
        ("a page in 3D", "bap-v2 show dss-test-0/1 --out item.html"),
        ("a whole game as a replay", "bap-v2 show --game dss-test-0 --out game.html"),
        ("a game that a Builder played", "bap-v2 show --played games.jsonl --game dss-full-test-3"),
    ),
    "play": (
        ("a game in the terminal", "bap-v2 play dr --seed 3"),
        ("or on a page in the browser", "bap-v2 play dss --browser"),
    ),
    "explore": (
        ("the items that are set up", "bap-v2 explore"),
        ("with the predictions of two systems", "bap-v2 explore a.jsonl b.jsonl"),
    ),
    "annotate": (
        ("label the test items", "bap-v2 annotate --out labels.jsonl --annotator me"),
        ("check the labels of this project", "bap-v2 annotate --out labels.jsonl --from ours --only all"),
        ("a blind sample, with agreement", "bap-v2 annotate --out labels.jsonl --sample 100 --blind"),
    ),
    "agreement": (
        ("the two annotators of this project", "bap-v2 agreement"),
        ("your labels and those of this project", "bap-v2 agreement labels.jsonl ours"),
    ),
    "score": (
        ("predictions for a test set", "bap-v2 score predictions.jsonl"),
        ("two systems, with a paired test", "bap-v2 score mine=a.jsonl other=b.jsonl"),
        ("all test sets that a model has answered", "bap-v2 score runs/smoke/"),
        ("a rule, without predictions", "bap-v2 score --config dss --baseline stack"),
        ("by the labels of the test set", "bap-v2 score mdc.jsonl --labels published,a,b,intersection,all"),
    ),
    "report": (
        ("tables beside the paper's", "bap-v2 report predictions.jsonl"),
        ("as a folder with plots and LaTeX", "bap-v2 report mine=a.jsonl --baseline stack --out report"),
    ),
    "push": (
        ("what would be sent", "bap-v2 push --repo-id USER/bap_v2 --metric-space USER/bap_v2 --dry-run"),
        ("one config, to a private repository", "bap-v2 push --repo-id USER/bap_v2 --config dss --private"),
    ),
    "harness": (("where the tasks of lm-eval are", "bap-v2 harness lm-eval"),),
    "push-model": (("what would be sent", "bap-v2 push-model runs/smoke --repo-id USER/NAME --dry-run"),),
}


def examples() -> dict[str, list[tuple[str, str]]]:
    """Return by command what a line does, and the line."""
    return {
        command: [*lines, *(line for task in TASKS.values() for line in task.examples.get(command, ()))]
        for command, lines in _EXAMPLES.items()
    }


# What the values of an option are called, by its name, where it does not say so itself; others by their type.
_VALUES = {
    "config": "CONFIG", "split": "SPLIT", "labels": "FILE", "mdc": "PATH", "baseline": "NAME", "repo_id": "USER/NAME",
    "metric_space": "USER/NAME", "explorer_space": "USER/NAME", "dataset_repo": "USER/NAME", "mdc_url": "URL",
    "setting": "NAME=VALUE", "predictions": "FILE", "json": "FILE", "out": "FILE",
    "revision": "BRANCH", "earlier": "FILE", "other": "FILE", "mdc_v2": "N", "dr": "N", "dsb": "N",
    "dss": "N", "dh": "N", "written": "N",
    "per_item": "FILE", "format": "FORM", "game": "GAME", "id_field": "FIELD", "prediction_field": "FIELD",
    "host": "ADDRESS", "only": "WHICH", "annotator": "NAME", "against": "NAME", "played": "FILE",
    "results": "FILE",
}  # fmt: skip
# Options besides those in panels that the help shows if it is asked for all.
_FURTHER = {"show": ("data", "played", "config", "split", "labels"), "score": ("labels",)}
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

    def command(self, name: str | None = None, **settings: Any) -> Callable:
        register = super().command(name, cls=Command, **settings)

        def registered(function: Callable) -> Callable:
            for parameter in inspect.signature(function).parameters.values():
                describe(parameter.name, parameter.annotation)
            return register(function)

        return registered


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
