"""A prediction that somebody types: executed, scored, and what is wrong with its lines in sentences."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

import bap_v2_metric
from bap_v2_metric.actions import Action, Infeasible, InfeasibleReason, execute
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import NotationError, format_action, parse_action, parse_structure, read_prediction

_LONGEST = 20_000  # characters that are read: far more than any item needs


@dataclass(frozen=True)
class Attempt:
    """What a typed prediction does."""

    after: Structure
    counts: Mapping  # of `bap_v2_metric.score_item`
    problems: list[str]  # a sentence for each line that is not an action, and for each action that changes nothing


def attempt(text: str, row: Mapping) -> Attempt:
    """The prediction executed on the row's board and scored as a model's would be.

    >>> outcome = attempt("place red 0 1 0\\npick 5 1 5", {"before": [], "after": ["red 0 1 0"]})
    >>> outcome.counts["fairer"], outcome.problems
    ({'tp': 1, 'fp': 0, 'fn': 0}, ['line 2: pick 5 1 5 changes nothing: there is no block'])
    """
    text = text[:_LONGEST]
    lines = re.split(r"\r\n|\r|\n", text)
    # Among calls, lines of brackets are read; alone they are not.
    in_list = read_prediction(text).unparsed_lines < sum(read_prediction(line).unparsed_lines for line in lines)
    actions: list[tuple[int, Action]] = []  # with the numbers of their lines
    problems: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        parsed, unparsed = read_prediction(line)
        if in_list and not parsed:
            unparsed = read_prediction(f"{line}\npick(0, 1, 0)").unparsed_lines
        if unparsed:
            problems.append((number, _what_is_wrong(line)))
        actions += ((number, action) for action in parsed)
    execution = execute(parse_structure(row["before"]), [action for _, action in actions])
    problems += ((actions[failure.index][0], _why(failure)) for failure in execution.failures)
    problems.sort(key=lambda problem: problem[0])
    reference = {name: row[name] for name in ("before", "after", "interpretations") if name in row}
    sentences = [f"line {number}: {problem}" for number, problem in problems]
    return Attempt(execution.after, bap_v2_metric.score_item(text, reference), sentences)


def _what_is_wrong(line: str) -> str:
    try:
        parse_action(line.strip(), anywhere=True)
    except NotationError as error:
        return str(error)
    return f"{line.strip()[:80]!r} contains something that is not an action"  # a call among calls


_REASONS = {
    InfeasibleReason.NO_BLOCK: "there is no block",
    InfeasibleReason.OUTSIDE: "it is outside the BuildRegion (x and z in -5..5, y in 1..9)",
    InfeasibleReason.OCCUPIED: "there is already a {} block",
    InfeasibleReason.UNSUPPORTED: "it is neither on the ground nor beside a block",
}


def _why(failure: Infeasible) -> str:
    reason = _REASONS[failure.reason].format(failure.occupant and failure.occupant.value)
    return f"{format_action(failure.action)} changes nothing: {reason}"
