"""What a prediction does to an item: executed, judged beside the reference, scored, and what is wrong in sentences."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import bap_v2_metric
from bap_v2_dataset.pictures.cubes import Cube, judged
from bap_v2_metric import notation
from bap_v2_metric.actions import Infeasible, InfeasibleReason, execute

LONGEST = 20_000  # characters that are read of a typed prediction: far more than any item needs


@dataclass(frozen=True)
class Verdict:
    """The judgment of a prediction."""

    cubes: Sequence[Cube]  # of its board, judged
    counts: Mapping  # of `bap_v2_metric.score_item`
    aligned: bool  # whether it was rotated and moved to fit best
    unparsed: Sequence[str]  # lines, shortened
    problems: Sequence[str]  # a sentence for each line that is not an action, and for each action that changes nothing


def verdict(text: str, row: Mapping) -> Verdict:
    """Return the prediction judged as the metric scores it.

    Args:
        text: raw.
        row: of the item; `before`, `after` and, if it is not unique, `interpretations` are enough.

    >>> outcome = verdict("place red 0 1 0\\npick 5 1 5", {"before": [], "after": ["red 0 1 0"]})
    >>> outcome.counts["fairer"], outcome.problems
    ({'tp': 1, 'fp': 0, 'fn': 0}, ['action 2: pick 5 1 5 changes nothing: there is no block'])
    """
    before, after = notation.parse_structure(row["before"]), notation.parse_structure(row["after"])
    interpretations = row.get("interpretations", "unique")
    actions, unparsed = notation.read_prediction(text)
    execution = execute(before, actions)
    cubes = judged(before, execution.after, after, interpretations)
    aligned = interpretations == "multiple" and cubes != judged(before, execution.after, after)
    reference = {name: row[name] for name in ("before", "after", "interpretations") if name in row}
    problems = [*_unparsed(text, unparsed), *map(_infeasible, execution.failures)]
    return Verdict(cubes, bap_v2_metric.score_item(text, reference), aligned, unparsed, problems)


def _unparsed(text: str, unparsed: Sequence[str]) -> Iterator[str]:
    """Say what is wrong with each line that was not read, with its number if it is found again."""
    lines = enumerate(re.split(r"\r\n|\r|\n", text), 1)
    for line in unparsed:
        number = next((number for number, other in lines if line and other.strip().startswith(line)), None)
        yield notation.storable(f"line {number}: {_what_is_wrong(line)}" if number else _what_is_wrong(line))


def _what_is_wrong(line: str) -> str:
    try:
        notation.parse_action(line, anywhere=True)
    except notation.NotationError as error:
        return str(error)
    return f"{line[:80]!r} contains something that is not an action"


_REASONS = {
    InfeasibleReason.NO_BLOCK: "there is no block",
    InfeasibleReason.OUTSIDE: "it is outside the BuildRegion (x and z in -5..5, y in 1..9)",
    InfeasibleReason.OCCUPIED: "there is already a {} block",
    InfeasibleReason.UNSUPPORTED: "it is neither on the ground nor beside a block",
}


def _infeasible(failure: Infeasible) -> str:
    reason = _REASONS[failure.reason].format(failure.occupant and failure.occupant.value)
    return f"action {failure.index + 1}: {notation.format_action(failure.action)} changes nothing: {reason}"
