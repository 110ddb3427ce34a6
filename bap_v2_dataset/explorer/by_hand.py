"""A prediction that somebody types: executed, scored, and what is wrong with its lines in sentences."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import bap_v2_metric
from bap_v2_metric.actions import Action, Remove, execute, is_supported
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import NotationError, format_action, parse_action, parse_structure, read_prediction

_LONGEST = 20_000  # characters that are read: far more than any item asks for


@dataclass(frozen=True)
class Trial:
    """What became of a typed prediction."""

    after: Structure
    counts: Mapping  # of `bap_v2_metric.score_item`
    complaints: list[str]  # a sentence for each line that is no action or changed nothing


def tried(text: str, row: Mapping) -> Trial:
    """The prediction executed on the row's board and scored as a model's would be.

    >>> trial = tried("place red 0 1 0\\nplace pink 1 1 0", {"before": [], "after": ["red 0 1 0"]})
    >>> trial.counts["fairer"], trial.complaints[0][:29]
    ({'tp': 1, 'fp': 0, 'fn': 0}, "line 2: unknown colour 'pink'")
    """
    text = text[:_LONGEST]
    before = parse_structure(row["before"])
    after, complaints = before, []
    lines = re.split(r"\r\n|\r|\n", text)
    # Among calls, lines of brackets are read; alone they are not.
    in_list = read_prediction(text).unparsed_lines < sum(read_prediction(line).unparsed_lines for line in lines)
    for number, line in enumerate(lines, 1):
        actions, unparsed = read_prediction(line)
        if in_list and not actions:
            unparsed = read_prediction(f"{line}\npick(0, 1, 0)").unparsed_lines
        if unparsed:
            complaints.append(f"line {number}: {_what_is_wrong(line)}")
        for action in actions:
            done = execute(after, [action])
            if done.infeasible:
                complaints.append(f"line {number}: {format_action(action)} changes nothing: {_why(action, after)}")
            after = done.after
    reference = {name: row[name] for name in ("before", "after", "interpretations") if name in row}
    return Trial(after, bap_v2_metric.score_item(text, reference), complaints)


def _what_is_wrong(line: str) -> str:
    try:
        parse_action(line.strip(), anywhere=True)
    except NotationError as error:
        return str(error)
    return f"{line.strip()[:80]!r} holds something that is no action"  # a call among calls


def _why(action: Action, board: Structure) -> str:
    """Why an action is infeasible on this board."""
    cell = action.cell
    if isinstance(action, Remove):
        return "there is no block"
    if not cell.in_region:
        return "it is outside the BuildRegion (x and z in -5..5, y in 1..9)"
    if (color := board.color_at(cell)) is not None:
        return f"there is a {color.value} block already"
    assert not is_supported(cell, board.colors())
    return "it is neither on the ground nor beside a block"
