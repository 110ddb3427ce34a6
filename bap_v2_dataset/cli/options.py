"""Options that commands share, and those that are there for each task."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Annotated, Any

import typer

from bap_v2_dataset.interface.table import TASKS
from bap_v2_dataset.interface.task import Task
from bap_v2_dataset.tasks.building.task import CONFIGS

# Of games, as in `bap_v2_simulators.corpora`, whose import takes time.
SIMULATORS = tuple(name for name, config in CONFIGS.items() if "settings" in config.arguments)
PLAYED_IN_FULL = tuple(name for name in CONFIGS["all"].made_of if name in SIMULATORS)  # `corpus_table.PUBLISHED`
UNITS = ("item", *dict.fromkeys(unit for task in TASKS.values() for unit in task.units))


def among(values: Sequence[str]) -> Callable[[str], list[str]]:
    """Return what the shell completes a value to that is one of these."""
    return lambda incomplete: [value for value in values if value.startswith(incomplete)]


def _baselines() -> str:
    """List the baselines, those of each task that has others than the first."""
    first, *others = dict.fromkeys(task.baselines for task in TASKS.values())
    titles = {task.baselines: task.title for task in reversed(list(TASKS.values()))}
    return "; for ".join([", ".join(first), *(f"{titles[names]} {', '.join(names)}" for names in others if names)])


BASELINES = _baselines()

Mdc = Annotated[Path | None, typer.Option(help="The human corpus. Default: $BAP_V2_MDC, else the one that was set up.")]
MdcToSetUp = Annotated[
    str | None,
    typer.Option(
        help="The human corpus (the Minecraft Dialogue Corpus): a directory, an archive, or [bold]auto[/bold] to "
        "download it. Default: $BAP_V2_MDC."
    ),
]
Data = Annotated[
    str | None,
    typer.Option(
        metavar="DATA",
        help="Items of your own: a .jsonl, .json or .parquet file, a folder, or USER/NAME on the Hub.",
    ),
]
Baselines = Annotated[
    list[str] | None,
    typer.Option(help=f"Add a baseline (repeatable): {BASELINES.partition(';')[0]}. Other tasks have others."),
]
Beside = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME",
        help="Put a system of the package beside (repeatable), or all of them. bap-v2 score --systems lists them.",
    ),
]
Labels = Annotated[
    str | None, typer.Option(help="Labels of the test items of mdc_v2. Default: those of the last setup.")
]
NumProc = Annotated[int | None, typer.Option(help="Processes. Default: one per core.", min=1)]
Output = Annotated[Path | None, typer.Argument(hidden=True)]  # the same as --out
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace a file that holds anything else.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Private = Annotated[bool, typer.Option("--private", help="Create the repositories as private.")]
Revision = Annotated[str, typer.Option(help="The branch to push to; created if it does not exist.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show what would be pushed, and send nothing.")]
_FILES, _STATISTICS = {"rich_help_panel": "Prediction files"}, {"rich_help_panel": "Intervals and tests"}
IdField = Annotated[
    str | None,
    typer.Option(help="The field of the id. Default: id. May be nested: doc.id.", **_FILES),
]
PredictionField = Annotated[
    str | None,
    typer.Option(help="The field of the text. Default: prediction. May be nested: choices.0.text.", **_FILES),
]
Subset = Annotated[bool, typer.Option("--subset", help="Score only the items that have predictions.", **_FILES)]
Partial = Annotated[bool, typer.Option("--partial", help="Score items without a prediction as empty.", **_FILES)]
Resamples = Annotated[int, typer.Option(help="Bootstrap resamples; 0 for none.", min=0, **_STATISTICS)]
Confidence = Annotated[
    float, typer.Option(help="Confidence level of the intervals.", min=0.01, max=0.999, **_STATISTICS)
]
ResamplingSeed = Annotated[int, typer.Option(help="Seed for the resampling.", **_STATISTICS)]
Unit = Annotated[
    str | None,
    typer.Option(
        help="What resamples draw: item, or target, with all items about it, where items of a target are not "
        "independent. Default: target of human test sets, else item.",
        autocompletion=among(UNITS),
        **_STATISTICS,
    ),
]


Port = Annotated[int | None, typer.Option(help="Default: the first free port from 7860.", min=0, max=65535)]
Host = Annotated[str, typer.Option(help="The address to serve at. With 0.0.0.0, other machines can open the page too.")]


def output_of(argument: Path | None, out: Path | None) -> Path:
    """Return what to write, of --out or the argument. Raises: BadParameter for none and for both."""
    if out is not None and argument is not None:
        raise typer.BadParameter(f"{argument} and --out {out}: name it once")
    if out is None and argument is None:
        raise typer.BadParameter("name what to write: --out PATH")
    return out or argument


def with_task_options(help_of: Callable[[Task], str]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command whose argument `tasks` are the tasks of which the user has named the option `Task.setup_option`.

    Args:
        help_of: what the help says of the option; "" for a task that has none.
    """
    options = {task.setup_option.strip("-").replace("-", "_"): task for task in TASKS.values() if help_of(task)}
    annotations = {
        name: (Annotated[bool, typer.Option(task.setup_option, help=help_of(task))], False)
        for name, task in options.items()
    }
    return _with_parameters(
        "tasks", annotations, lambda given: [options[name] for name, value in given.items() if value]
    )


def with_score_options(command: Callable[..., None]) -> Callable[..., None]:
    """Make a command whose argument `options` are those of `Task.score_options` that were passed, by their names.

    The help shows them at its end, in a group for each task.
    """
    annotations = {}
    for task in TASKS.values():
        for option in task.score_options:
            shown = typer.Option(
                option.typed, help=option.help, metavar=option.value, min=option.least,
                autocompletion=among(option.choices) if option.choices else None,
                rich_help_panel=f"Only for {task.of_items.partition(' (')[0]}",
            )  # fmt: skip
            annotations[option.name] = (Annotated[option.type | None, shown], None)
    passed = _with_parameters(
        "options", annotations, lambda given: {name: value for name, value in given.items() if value}
    )
    return passed(command)


def _with_parameters(
    place: str, annotations: Mapping[str, tuple[Any, Any]], argument: Callable[[dict[str, Any]], Any]
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Make a command with further parameters in place of one.

    Args:
        annotations: the further parameters: what they are, and their defaults.
        argument: what the command gets in place of their values.
    """

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        # The command gets one value for theirs.
        @wraps(command)
        def wrapped(*values: Any, **arguments: Any) -> None:
            given = {name: arguments.pop(name) for name in annotations if name in arguments}
            command(*values, **arguments, **{place: argument(given)})

        # What typer reads of the command: its signature, with the parameters where the one was.
        parameters = []
        for parameter in inspect.signature(command, eval_str=True).parameters.values():
            if parameter.name != place:
                parameters.append(parameter)
                continue
            for name, (annotation, default) in annotations.items():
                parameters.append(parameter.replace(name=name, annotation=annotation, default=default))
        wrapped.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        wrapped.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return wrapped

    return decorated
