"""Reads turns that say nothing new: "no, other side", "yes, keep going", or no Architect at all.

What they ask for is what the instruction before asked for, without what stands there. So that instruction is read once
more, on the board as it was then. Proposals of the Builder ("to the left?" - "yep") become questions and answers.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from bap_v2_dataset.tasks.building.baselines.symbolic_changes import changed
from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import COLORS, phrases
from bap_v2_dataset.tasks.building.baselines.symbolic_turn_rules import way_of
from bap_v2_dataset.tasks.building.baselines.symbolic_world import World
from bap_v2_metric.actions import Action, execute
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import format_structure, parse_action, parse_structure

_P = phrases("repairs")
_SIDES = {"behind": "behind", "back": "behind", "front": "in front of"}


def settled(lines: Sequence[str]) -> list[str]:
    """Return the dialogue with proposals of the Builder as questions, and what they come to as the answers."""
    settled = list(lines)
    for position, line in enumerate(settled[1:-1], 1):
        speaker, _, text = line.lower().partition("> ")
        proposal = _P.proposal.fullmatch(text) if speaker == "<builder" and not _P.open.match(text) else None
        answer = settled[position + 1].lower()
        beside = _P.next_to.search(settled[position - 1])
        side = re.search(r"\b(?:left|right|back|behind|front)\b", answer)
        if beside and side and _P.which_side.fullmatch(text):  # "next to it" - "which side?" - "left"
            settled[position - 1] = settled[position - 1][: beside.start()]
            settled[position + 1] = f"<Architect> {_SIDES.get(side[0], f'to the {side[0]} of')} {beside['block']}"
            continue
        if proposal is None or not answer.startswith("<architect> "):
            continue
        if not any(other.startswith("<Architect>") for other in settled[:position]):
            continue
        answer = answer.removeprefix("<architect> ")
        other = _P.no.fullmatch(answer)
        if other is not None or _P.yes.fullmatch(answer):
            settled[position] = "<Builder> which?"
            settled[position + 1] = f"<Architect> {(other or proposal)['answer']}"
    return settled


def remainder(row: Mapping, read: Callable[[Mapping], list[Action]]) -> list[Action] | None:
    """Return what is left of the instruction before; None if the row says something new, or all is as it should be.

    Args:
        row: with `dialogue`, `history` and `before`.
        read: what the words of a row ask for.
    """
    # Nothing new is said, or in what was just built something is put right.
    lines = [line.partition("> ")[2].lower() for line in row["dialogue"] if line.startswith("<Architect>")]
    if len(lines) == 1 and (match := _P.at_once.fullmatch(lines[0])):
        return _put_right(match, World.of(row))
    one = len(lines) == 1 and _P.one_is_missing.fullmatch(lines[0]) is not None
    if not one and not all(_P.yes_alone.fullmatch(line) or _P.once_more.fullmatch(line) for line in lines):
        return None
    earlier = _turn_before(row)
    if earlier is None or not earlier["before"]:  # on an empty board any place would have been right
        return None
    # What should stand there, and what does.
    goal = execute(parse_structure(earlier["before"]), read(earlier)).after.colors()
    board = parse_structure(row["before"]).colors()
    gone = [cell for cell, color in board.items() if goal.get(cell) is not color]
    missing = {cell: color for cell, color in goal.items() if board.get(cell) is not color}
    if one and (gone or len(missing) != 1):
        return None
    return changed(World.of(row), gone, list(missing.items())) or None


def _put_right(said: re.Match, world: World) -> list[Action] | None:
    """Return what gives the last blocks another color or place, or takes the last one away."""
    run = world.run[-1:] if said["less"] or said["last"] else world.run
    if len({world.board[cell] for cell in run}) != 1:  # which of them?
        return None
    placed = {cell: world.board[cell] for cell in run}
    if said["color"]:
        placed = dict.fromkeys(run, COLORS[said["color"]])
    elif said["to"]:
        placed = {world.cell(cell, way_of(said["to"])): color for cell, color in placed.items()}
    else:
        placed = {}
    gone = [cell for cell in run if placed.get(cell) is not world.board[cell]]
    placed = {cell: color for cell, color in placed.items() if world.board.get(cell) is not color}
    return changed(world, gone, list(placed.items()))


def _turn_before(row: Mapping) -> dict | None:
    """Return the last turn of the history as a row: its dialogue, and all that was before it."""
    history = list(row["history"])
    done = len(history)
    while done and not history[done - 1].startswith("<"):
        done -= 1
    said = done
    while said and history[said - 1].startswith("<"):
        said -= 1
    if said == done or done == len(history):
        return None
    before = [parse_action(line, anywhere=True) for line in history[:said] if not line.startswith("<")]
    board = format_structure(execute(Structure(), before).after)
    return {**row, "dialogue": history[said:done], "history": history[:said], "before": board}
