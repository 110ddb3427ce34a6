"""What systems answered to a GSU item: judged as the metric judges it, and read so far that it can be drawn."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bap_v2_dataset.tasks.gsu.answers.chains import read_chain
from bap_v2_dataset.tasks.gsu.answers.points import read_point
from bap_v2_dataset.tasks.gsu.pictures.item import Place, Walk
from bap_v2_dataset.tasks.gsu.scorer import SCORER
from bap_v2_simulators.gsu.walks import directions_of

_SCORES = {  # by the name of the family in the scores, those that a picture shows
    "follower": ("distance",),
    "instructor": ("distance",),
    "card2ego": ("distance",),
    "localization": ("overlap",),
    "combined": ("overlap",),
    "structure": ("spatial", "color", "number", "shape"),
}
_FAR = {"distance": "{:g} cells away"}


@dataclass(frozen=True)
class Answer:
    """The answer of a system, judged."""

    name: str
    text: str  # raw
    right: bool
    note: str  # its scores in words
    walk: Walk | None = None  # of an instructor: the chain, as it is carried out
    point: Place | None = None  # of a follower: where it says that the walk ends

    @property
    def mark(self) -> str:
        """✓ or ✗."""
        return "✓" if self.right else "✗"

    @property
    def said(self) -> str:
        """The last line of the answer that is not empty."""
        lines = [line.strip() for line in self.text.splitlines() if line.strip()]
        return re.sub(r"^answer\s*[:=]\s*", "", lines[-1], flags=re.IGNORECASE) if lines else "(no answer)"


def answered(row: Mapping[str, Any], predictions: Mapping[str, str]) -> list[Answer]:
    """Return the answers of systems, judged as the metric judges them.

    Args:
        predictions: raw texts by the names of the systems.
    """
    return [_judged(row, name, text) for name, text in predictions.items()]


def _judged(row: Mapping[str, Any], name: str, text: str) -> Answer:
    reference = {column: row[column] for column in ("task", "frame", "dims", "group", "answer")}
    scores = SCORER.aggregate(SCORER.score_items([text], [reference]))
    family = row["task"]
    right = scores.get(f"{family}_accuracy", scores.get(f"{family}_exact")) == 1.0
    notes = ["" if right else note for note in _notes(scores, family)]
    walk = point = None
    if family == "follower":
        point = read_point(text, row["dims"])
    elif family in ("instructor", "card2ego"):
        steps = read_chain(text).steps
        known = directions_of(row["dims"])
        if steps and all(step.direction in known for step in steps):
            walk = Walk.of(steps, row["frame"], row["dims"])
    unread = ["nothing was read"] * bool(scores["unparsed"] and point is None and walk is None and not right)
    return Answer(name, text, right, ", ".join(filter(None, [*notes, *unread])), walk, point)


def _notes(scores: Mapping[str, Any], family: str) -> Iterator[str]:
    for score in _SCORES[family]:
        value = scores.get(f"{family}_{score}")
        if value is not None:
            yield _FAR[score].format(round(value, 2)) if score in _FAR else f"{score} {value:.2f}"
