"""What `bap-v2 score --per-item` says of an item of GSU."""

from collections.abc import Mapping
from typing import Any

_NOT_SAID = ("n", "score", "composite", "composite_spatial")


def scored_item(row: Mapping[str, Any], item: Mapping[str, Any], prediction: str) -> dict[str, Any]:
    """What is said of an item besides its id and the system.

    Args:
        item: its counts, see `bap_v2_metric.gsu_items.score_items`.
    Returns:
        `task`, `frame`, `group`; `right`, whether all of the answer is; `score`; the measures of the task; `unparsed`;
        `answer`, the right one.

    >>> counts = {"task": "localization", "frame": "egocentric", "group": "+y", "n": 1, "overlap": 0.5, "exact": 0,
    ...           "score": 0.5, "unparsed": 0}
    >>> scored_item({"answer": "left, front"}, counts, "Answer: left")["right"]
    False
    """
    measures = {name: value for name, value in item.items() if name not in ("task", "frame", "group", *_NOT_SAID)}
    return {
        "task": item["task"],
        "frame": item["frame"],
        "group": item["group"],
        "right": bool(item["accuracy"] if "accuracy" in item else item["exact"]),
        "score": item["score"],
        **measures,
        "answer": row["answer"],
    }
