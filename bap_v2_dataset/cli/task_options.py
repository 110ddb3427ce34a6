"""Options of a command that are there for each task."""

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from bap_v2_dataset.tasks.table import TASKS
from bap_v2_dataset.tasks.task import Task


def with_task_options(help_of: Callable[[Task], str]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A command whose argument `tasks` are the tasks of which the user has named the option `Task.setup_option`.

    Args:
        help_of: what the help says of the option; "" for a task that has none.
    """
    options = {task.setup_option.strip("-").replace("-", "_"): task for task in TASKS.values() if help_of(task)}

    def decorated(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def wrapped(*values: Any, **arguments: Any) -> None:
            tasks = [task for name, task in options.items() if arguments.pop(name, False)]
            command(*values, **arguments, tasks=tasks)

        parameters = []
        for parameter in inspect.signature(command, eval_str=True).parameters.values():
            if parameter.name != "tasks":
                parameters.append(parameter)
                continue
            for name, task in options.items():
                option = Annotated[bool, typer.Option(task.setup_option, help=help_of(task))]
                parameters.append(parameter.replace(name=name, annotation=option, default=False))
        wrapped.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        wrapped.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return wrapped

    return decorated
