"""Episodes of Plancraft as an HTML page that plays them: the table after every turn, the turns beside it.

One task, or many in a list that can be filtered. The page draws the table itself, from the pictures of the package and
what is in the slots; it is one file, and needs no network.
"""

import base64
import html
import io
from collections.abc import Mapping, Sequence
from typing import Any

from PIL import Image

from bap_v2_dataset.pictures.html_document import asset, html_document
from bap_v2_dataset.tasks.plancraft.pictures.frames import Shown
from bap_v2_dataset.tasks.plancraft.pictures.table import table_parts
from bap_v2_dataset.tasks.plancraft.pictures.text import title as title_of
from bap_v2_simulators.plancraft.environment import State
from bap_v2_simulators.plancraft.turns import N_SLOTS, slot_name

_COLORS = 64  # of an icon
_BODY = asset(__package__, "crafting.html").rstrip("\n")
_FILTERS = asset(__package__, "filters.html").rstrip("\n")


def replay(task: Mapping[str, Any], episodes: Sequence[Shown], where: str) -> str:
    """Return the page of one task; of several systems one can be chosen. Args: where: the task is from."""
    return _page([(task, episodes)], task["id"], where)


def gallery(played: Sequence[tuple[Mapping[str, Any], Sequence[Shown]]], where: str) -> str:
    """Return the page of many tasks, each with episodes of the same systems in the same order."""
    return _page(played, "Plancraft", where)


def _page(played: Sequence[tuple[Mapping[str, Any], Sequence[Shown]]], title: str, where: str) -> str:
    # A list and filters only if there is a choice.
    several = len(played) > 1
    difficulties = dict.fromkeys(task["difficulty"] for task, _ in played)
    filters = _FILTERS.format(difficulties="".join(f"<option>{html.escape(name)}</option>" for name in difficulties))
    body = _BODY.format(
        title=html.escape(title),
        filters=filters if several else "",
        listed=" listed" if several else "",
        tasks="<ol id='tasks' aria-label='Tasks'></ol>" if several else "",
        keys=" · ↑ ↓: previous or next task" if several else "",
    )
    # Only the icons that occur go into the page.
    used = {
        item["type"] for _, shown in played for one in shown for frame in one.frames for item in frame.state.values()
    }
    parts = table_parts(used)
    data = {
        "where": where,
        "table": _uri(parts.table),
        "icons": {name: _uri(picture.quantize(_COLORS)) for name, picture in sorted(parts.icons.items())},
        "places": parts.places,
        "iconSize": parts.icon_size,
        "slots": [slot_name(index) for index in range(N_SLOTS)],
        "systems": [one.name for one in played[0][1]],
        "tasks": [_task(task, shown) for task, shown in played],
    }
    return html_document(f"{title}: {where} — bap_v2", body, data, __package__, "crafting.js")


def _task(task: Mapping[str, Any], episodes: Sequence[Shown]) -> dict[str, Any]:
    # The table at the start, and what each turn changes in it.
    return {
        "id": task["id"],
        "target": task["target"],
        "title": title_of(task),
        "difficulty": task["difficulty"],
        "start": _slots(episodes[0].frames[0].state),
        "episodes": [
            {
                "verdict": one.verdict,
                "success": one.success,
                # A turn holds no whole table: pages of many episodes stay small.
                "turns": [
                    {
                        "turn": frame.turn,
                        "words": frame.words,
                        "marked": list(frame.slots),
                        "changes": _changes(before.state, frame.state),
                        "milliseconds": frame.milliseconds,
                    }
                    for before, frame in zip(one.frames, one.frames[1:])
                ],
            }
            for one in episodes
        ],
    }


def _slots(state: State) -> dict[str, list]:
    return {str(slot): [item["type"], item["quantity"]] for slot, item in sorted(state.items())}


def _changes(before: State, after: State) -> dict[str, list | None]:
    """Return by slot what is in it now, where that is something else; None: nothing."""
    slots = sorted(slot for slot in before.keys() | after.keys() if before.get(slot) != after.get(slot))
    return {str(slot): [after[slot]["type"], after[slot]["quantity"]] if slot in after else None for slot in slots}


def _uri(picture: Image.Image) -> str:
    data = io.BytesIO()
    picture.save(data, "PNG", optimize=True)
    return f"data:image/png;base64,{base64.b64encode(data.getvalue()).decode()}"
