"""What `bap-v2 score --per-item` says of an episode of Plancraft."""

import json
from collections.abc import Mapping
from typing import Any


def scored_episode(row: Mapping[str, Any], item: Mapping[str, Any], prediction: str) -> dict[str, Any]:
    """What is said of an episode besides its id and the system.

    Args:
        item: its counts, see `bap_v2_metric.plancraft_items.score_items`.
        prediction: the episode as JSON; "" for none.
    Returns:
        `target`, `difficulty`, `recipe_type`; `right`, whether it succeeds; the numbers of turns of each kind, and of
        the gold plan; `turns_taken`, their texts.

    >>> counts = {"id": "VAL0", "difficulty": "easy", "recipe_type": "smelting", "success": 1, "turns": 1}
    >>> scored_episode({"target": "stone"}, counts, '{"turns": ["smelt: ..."]}')["turns_taken"]
    ['smelt: ...']
    """
    counts = {name: value for name, value in item.items() if name not in ("id", "success")}
    return {
        "target": row["target"],
        "right": bool(item["success"]),
        **counts,
        "turns_taken": json.loads(prediction)["turns"] if prediction else [],
    }
