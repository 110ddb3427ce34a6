"""A task of Plancraft with episodes of systems, in the terminal."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.columns import Columns
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from bap_v2_dataset.tasks.plancraft.pictures.frames import Shown
from bap_v2_simulators.plancraft.turns import slot_name

_TURN = 44  # columns that hold any move on one line


def title(task: Mapping[str, Any]) -> str:
    """Return what a task is about: `craft cake · easy, mixed recipes, gold plan of 14 actions`."""
    start = f"craft {task['target']}"
    if task["impossible"]:
        return f"{start} · impossible"
    kind = task["recipe_type"]
    length = task["oracle_length"]
    return f"{start} · {task['difficulty']}, {kind}, gold plan of {length} action{'' if length == 1 else 's'}"


def task_text(task: Mapping[str, Any], episodes: Sequence[Shown]) -> Iterator[RenderableType]:
    """Yield the inventory, and the turns of each episode with what came of them."""
    items = (f"{slot_name(item['slot'])} {item['type']} × {item['quantity']}" for item in task["inventory"])
    yield Text("inventory", "bold")
    yield Columns([Text(text) for text in items], padding=(0, 3), column_first=True)
    for shown in episodes:
        table = Table(box=box.SIMPLE_HEAD, title=Text(shown.name, "bold"), title_justify="left", pad_edge=False)
        table.add_column("", justify="right", no_wrap=True)
        longest = max((cell_len(frame.turn) for frame in shown.frames), default=0)
        table.add_column("turn", overflow="fold", min_width=min(longest, _TURN))
        table.add_column("what came of it", overflow="fold", style="dim")
        for number, frame in enumerate(shown.frames[1:], start=1):
            table.add_row(str(number), Text(frame.turn), Text(frame.words))
        yield Text()
        yield table
        yield Text(shown.verdict, "green" if shown.success else "red")
