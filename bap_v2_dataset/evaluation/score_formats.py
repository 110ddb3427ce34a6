"""Scores for programs: JSON, CSV, and a line for each system."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from bap_v2_dataset.evaluation.results import Result, ScoredSplit
from bap_v2_dataset.tables.cells import NO_VALUE

CSV_COLUMNS = ("config", "split", "system", "runs", "score", "value", "low", "high", "standard_deviation", "unit")


def scores_csv(results: Iterable[tuple[ScoredSplit, Result]]) -> str:
    """All scores as a table: a line for each score of each system on each test set, with the keys of the JSON.

    Scores are fractions in 0..1, and distances in cells; what there is none of is empty.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for test, result in results:
        start = (test.config, test.split, result.name, max(len(result.runs), 1))
        for key, value in _flat(result.scores):
            if isinstance(value, (int, float)):
                low, high = result.intervals.get(key, ("", ""))
                unit = result.unit if key in result.intervals else ""
                writer.writerow([*start, key, value, low, high, result.deviations.get(key, ""), unit])
    return out.getvalue()


def _flat(scores: Mapping[str, Any], start: str = "") -> Iterator[tuple[str, Any]]:
    """The scores, and those inside them: `groups.follower/4.accuracy`."""
    for key, value in scores.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{start}{key}.")
        else:
            yield f"{start}{key}", value


def brief(results: Sequence[Result], key: str) -> str:
    """A line for each system: the key of its headline score, the score in percent, its interval or spread, its name."""
    lines = []
    for result in results:
        parts = [key, f"{100 * result.scores[key]:.1f}" if key in result.scores else NO_VALUE]
        if key in result.intervals:
            parts.append("[{:.1f}, {:.1f}]".format(*(100 * bound for bound in result.intervals[key])))
            parts += [f"(over {result.unit}s)"] * (result.unit != "item")
        if key in result.deviations:
            parts.append(f"± {100 * result.deviations[key]:.1f} ({len(result.runs)} runs)")
        lines.append(" ".join([*parts, result.name]))
    return "\n".join(lines) + "\n"


def to_json(systems: Sequence[Result], **settings: Any) -> bytes:
    """The scores and intervals of all systems, with the settings they were made with.

    The scores of a system with several runs are means; its standard deviations and its runs stand beside them.
    """
    record = {
        "settings": settings,
        "systems": [
            {
                **_record(system),
                **({"standard_deviations": system.deviations, "runs": list(map(_record, system.runs))}
                   if system.runs else {}),
            }
            for system in systems
        ],
    }  # fmt: skip
    return orjson.dumps(record, option=orjson.OPT_INDENT_2)


def _record(system: Result) -> dict[str, Any]:
    return {
        "name": system.name,
        "missing": system.missing,
        "scores": system.scores | {"signature": system.signature},
        "confidence_intervals": system.intervals,
    }
