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


def take_parameters(function: Callable[..., None], parameters: Sequence[inspect.Parameter]) -> None:
    """Make these the parameters of a function for all that read its signature, as typer does."""
    function.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    function.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}


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
        take_parameters(wrapped, parameters)
        return wrapped

    return decorated
