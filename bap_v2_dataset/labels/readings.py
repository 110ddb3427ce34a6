"""How a careful reader, a large language model, understands human train and validation items, and what became of them.

Each item was read once, without a look at what was built; `data/README.md` says by whom and how good the readings are.
What the next turn of the game does to an item is from the log alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Any

from bap_v2_dataset.augmentation.model_text import model_lines
from bap_v2_dataset.items.item import Item, items
from bap_v2_dataset.items.rows import noted
from bap_v2_metric.actions import ActionType, NetAction, Remove, net_actions
from bap_v2_metric.notation import format_action, parse_action, parse_structure
from bap_v2_metric.symmetry import Symmetry
from bap_v2_simulators.building import changed
from bap_v2_simulators.game import Game

READINGS_VERSION = "1"  # raised whenever what rows say of them changes
READER = "a language model's reading"  # what tables and pictures call it
NEXT_TURNS = ("kept", "partly undone", "undone", "last")
UNDONE = NEXT_TURNS[1:3]  # by the next turn, wholly or not
_OPPOSITE = {ActionType.PLACE: ActionType.REMOVE, ActionType.REMOVE: ActionType.PLACE}


def read_items(game: Game) -> Iterator[Item]:
    """Yield the items of a human game, with `metadata["annotation"]`: `next_turn` and, if it was read, the reading.

    Of a reading `clear` says if most readers would do the same, and `reading` has the net actions in the world's
    coordinates, removals first. Variants of a game have its readings, turned and in their colors.
    """
    variant = game.metadata.get("augmentation", {})
    world = Symmetry.from_json({name: variant[name] for name in ("quarter_turns", "colors") if variant})
    for item, following in pairwise([*items(game), None]):
        annotation: dict[str, Any] = {"next_turn": next_turn(item, following)}
        if reading := _readings().get(f"{variant.get('of', game.game_id)}/{item.index}"):
            actions = (world.action(parse_action(action, anywhere=True)) for action in reading["actions"])
            annotation |= {"clear": reading["clear"], "reading": list(map(format_action, actions))}
        yield replace(item, metadata={**item.metadata, "annotation": annotation})


def undone(item: Item, following: Item | None) -> frozenset[NetAction]:
    """Return the net actions of an item that are taken back by those of the next item of its game."""
    if following is None:
        return frozenset()
    back = {action._replace(type=_OPPOSITE[action.type]) for action in net_actions(following.before, following.after)}
    return net_actions(item.before, item.after) & back


def next_turn(item: Item, following: Item | None) -> str:
    """Return what the next item of the game does to an item, one of NEXT_TURNS; None follows the last one."""
    if following is None:
        return "last"
    taken_back = undone(item, following)
    return (
        "kept"
        if not taken_back
        else "undone"
        if taken_back == net_actions(item.before, item.after)
        else "partly undone"
    )


def is_clear_and_kept(item: Item) -> bool:
    """Return whether an item of `read_items` is for `validation_clear`: clear, changes the board, and is not undone."""
    annotation = item.metadata["annotation"]
    kept = annotation["next_turn"] in ("kept", "last") and set(item.before) != set(item.after)
    return kept and annotation.get("clear", False)


def reading_of(row: Mapping[str, Any]) -> str | None:
    """Return the reading of a row as a prediction that can be carried out, with supports; None without a reading."""
    lines = noted(row, "annotation").get("reading")
    if not isinstance(lines, list) or not all(isinstance(line, str) for line in lines):
        return None
    actions = [action for line in lines if (action := parse_action(line, anywhere=True)).cell.in_region]
    removed = [action.cell for action in actions if isinstance(action, Remove)]
    placed = {action.cell: action.color for action in actions if not isinstance(action, Remove)}
    return "\n".join(map(format_action, changed(parse_structure(row["before"]).colors(), removed, placed) or actions))


def clear_reading_of(row: Mapping[str, Any]) -> str | None:
    """Return the same where most readers would do what the reading says, else None."""
    return reading_of(row) if noted(row, "annotation").get("clear") is True else None


@lru_cache(maxsize=1)
def _readings() -> dict[str, dict[str, Any]]:
    """Return the readings by the ids of the items."""
    return {reading["id"]: reading for reading in model_lines("mdc_readings.jsonl.gz")}
