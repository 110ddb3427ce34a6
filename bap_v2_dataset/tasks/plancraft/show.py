"""`bap-v2 show` of a Plancraft task: episodes of systems in the terminal, as a strip, an animation or a page."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.text import Text

from bap_v2_dataset.cli.terminal import console, counting, errors, widen

if TYPE_CHECKING:
    from bap_v2_dataset.tasks.plancraft.lookup import LocatedTask
    from bap_v2_dataset.tasks.plancraft.pictures.frames import Shown

FORMATS = (".gif", ".html", ".png", ".svg", ".pdf")
_LEAST_WIDTH = 80


def check_output(out: Path) -> None:
    """Raises: BadParameter, for a format that there is none of."""
    if out.suffix.lower() not in FORMATS:
        listed = f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]}"
        raise typer.BadParameter(f"{out}: the name has to end in {listed}", param_hint="--out")


def task_text(task: "LocatedTask", files: list[str], baselines: list[str]) -> None:
    """Prints a task and the episodes of systems; without systems the gold plan."""
    from bap_v2_dataset.tasks.plancraft.pictures import text as plancraft_text

    shown = episodes(task, files, baselines)
    widen(_LEAST_WIDTH)
    console.print(Text(task.row["id"], "bold"), Text(f"{plancraft_text.title(task.row)} · {_where(task)}", "dim"))
    for part in plancraft_text.task_text(task.row, shown):
        console.print(part, highlight=False)


def task_picture(task: "LocatedTask", files: list[str], baselines: list[str], suffix: str) -> bytes:
    """The episodes as a strip or a page; an animation is of the first alone."""
    shown = episodes(task, files, baselines)
    if suffix == ".html":
        from bap_v2_dataset.tasks.plancraft.pictures.replay import replay

        return replay(task.row, shown, _where(task)).encode()
    from bap_v2_dataset.tasks.plancraft.pictures.animation import animation, strip

    if suffix != ".gif":
        return strip(shown, f"{task.row['id']} · {_where(task)}", suffix[1:])
    if len(shown) > 1:
        note = f"an animation shows one system: {shown[0].name}; a page (.html) or a figure (.png) shows all"
        errors.print(note, style="yellow", highlight=False, soft_wrap=True)
    with counting() as progress:
        bar = progress.add_task("drawing frames", total=len(shown[0].frames))
        return animation(shown[0], task.row["id"], lambda done, of: progress.update(bar, completed=done, total=of))


def episodes(task: "LocatedTask", files: list[str], baselines: list[str]) -> "list[Shown]":
    """What systems played, each run an episode; without systems the gold plan."""
    from bap_v2_dataset.tasks.plancraft.pictures.frames import gold_episode, shown_episode

    shown = [shown_episode(task.row, text, name, settings) for name, text, settings in _played(task, files)]
    if baselines:
        from bap_v2_dataset.evaluation.scoring import baseline_predictions
        from bap_v2_dataset.tasks.table import TASKS

        of_task = TASKS["plancraft"]
        shown += [
            shown_episode(task.row, baseline_predictions(name, [task.row], of_task)[0], name) for name in baselines
        ]
    return shown or [gold_episode(task.row)]


def _played(task: "LocatedTask", files: list[str]) -> list[tuple[str, str, Mapping[str, Any]]]:
    """The name, the episode and the settings of each file that has one of this task."""
    if not files:
        return []
    from bap_v2_dataset.evaluation.systems_of_files import named_file, read_systems

    playing = read_systems(files, task.row["id"])
    for _, path in map(named_file, files):
        if not any(path in (file.path, *file.path.parents) for file in playing):
            note = f"{path} has no episode of {task.row['id']}"
            errors.print(note, style="yellow", highlight=False, soft_wrap=True)
    return [(file.label, file.predictions[task.row["id"]], file.settings) for file in playing]


def _where(task: "LocatedTask") -> str:
    return f"{task.config}, {task.split}"
