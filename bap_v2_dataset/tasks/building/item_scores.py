"""What `bap-v2 score --per-item` says of an item of building."""

from collections.abc import Mapping
from typing import Any

from bap_v2_metric.actions import execute, net_actions
from bap_v2_metric.alignment import align
from bap_v2_metric.answers import read_prediction
from bap_v2_metric.blocks import Structure
from bap_v2_metric.counts import Counts
from bap_v2_metric.notation import format_action, parse_structure
from bap_v2_metric.scoring import MEASURES, fair_net_actions


def scored_item(row: Mapping[str, Any], item: Mapping[str, Any], prediction: str) -> dict[str, Any]:
    """What is said of an item of Builder Action Prediction, besides its id and the system.

    Args:
        item: its counts.
    Returns:
        `board` ("EB", "NEB"), `interpretations`; `right`, `wrong`, `missed`: net actions as fairer F1 counts them; F1
        of all measures in 0..1 (0/0 is 0.0); `unparsed`: the lines that could not be read; `infeasible`: the actions
        that changed nothing, and why; `alignment`: [quarter turns, dx, dz] of the predicted structure where fairer F1
        compares it rotated and moved, else None.
    """
    actions, unparsed = read_prediction(prediction)
    before, after = parse_structure(row["before"]), parse_structure(row["after"])
    predicted_after, failures = execute(before, actions)
    counts = Counts.of(item, "fairer")
    return {
        "board": "EB" if item["empty_board"] else "NEB",
        "interpretations": row["interpretations"],
        "right": counts.tp,
        "wrong": counts.fp,
        "missed": counts.fn,
        **{f"{measure}_f1": Counts.of(item, measure).f1 for measure in MEASURES},
        "unparsed": list(unparsed),
        "infeasible": [f"{format_action(failure.action)}: {failure.reason.value}" for failure in failures],
        "alignment": _alignment(before, predicted_after, after, row["interpretations"]),
    }


def _alignment(before: Structure, predicted: Structure, after: Structure, interpretations: str) -> list[int] | None:
    changes, gold = net_actions(before, predicted), net_actions(before, after)
    if fair_net_actions(changes, gold, predicted, after, interpretations) is changes:
        return None
    moved = align(predicted, after)
    return list(moved) if any(moved) else None
