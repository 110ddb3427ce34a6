"""The dataset row of a variant: its columns, made as those of any item, and where it comes from."""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from bap_v2_dataset.items.prompts import completion, render
from bap_v2_dataset.items.versions import ROW_REPRESENTATIONS
from bap_v2_dataset.tasks.robustness.parent import Parent, VariantChange, actions_in
from bap_v2_metric.actions import execute
from bap_v2_metric.blocks import Cell, Color
from bap_v2_metric.notation import parse_structure
from bap_v2_metric.symmetry import IDENTITY, Symmetry
from bap_v2_simulators.view import off_cardinal

_ID = re.compile(r"(?P<game>.+)~(?P<family>[a-z]+_?[a-z]*)-(?P<number>[1-9][0-9]*)(?P<item>/[^/]*)?")
_OTHER_SIDE = {"left": "right", "right": "left"}


class VariantName(NamedTuple):
    """The parts of the id of a variant, or of its game."""

    parent: str  # the id of the parent, or of its game
    family: str
    number: int


def variant_name(row_id: str) -> VariantName | None:
    """Read the id of a variant; None for the id of an item of a corpus.

    >>> variant_name("dss-test-1~sa_turn-2/0")
    VariantName(parent='dss-test-1/0', family='sa_turn', number=2)
    >>> variant_name("dss-test-1/0") is None
    True
    """
    match = _ID.fullmatch(row_id)
    return match and VariantName(match["game"] + (match["item"] or ""), match["family"], int(match["number"]))


def variant_row(
    parent: Parent, change: VariantChange, family: str, number: int, version: str, config: str | None
) -> dict[str, Any]:
    """Return the row of a variant.

    Args:
        version: of the perturbations.
        config: of the parent, where it is known.
    """
    # The columns of the parent with those that were changed, under another name.
    old = parent.row
    columns = {**old, **change.columns}
    before, slash, item = old["id"].rpartition("/")  # own data may name the game otherwise
    columns["id"] = f"{before}~{family}-{number}/{item}" if slash else f"{item}~{family}-{number}"
    columns["game_id"] = f"{old['game_id']}~{family}-{number}"
    # Prompts are rendered anew.
    for representation in ROW_REPRESENTATIONS:
        name = f"prompt_{representation}"
        # Without a pose, or words, there is no prompt.
        columns[name] = None if old.get(name, "") is None else render(columns, representation)
    columns["completion"] = completion(columns["actions"])
    # How the variant was made.
    columns["metadata"] = _metadata(parent, columns, change)
    columns["metadata"]["perturbation"] = {
        "parent": old["id"], "config": config, "family": family, "variant": number,
        "transform": change.symmetry.to_json(), "version": version, **change.facts,
    }  # fmt: skip
    return columns


def _metadata(parent: Parent, columns: Mapping[str, Any], change: VariantChange) -> dict[str, Any]:
    """Return the parent's metadata as they are true of the variant."""
    metadata = dict(parent.row["metadata"])
    if plan := parent.noted("plan"):
        metadata["plan"] = _plan(plan, change.symmetry)
    if difficulty := parent.noted("difficulty"):
        metadata["difficulty"] = {**difficulty, **_difficulty(parent, columns, change)}
    metadata.pop("infeasible_actions", None)
    if infeasible := execute(parse_structure(columns["before"]), actions_in(columns["actions"])).infeasible:
        metadata["infeasible_actions"] = infeasible
    return metadata


def _difficulty(parent: Parent, columns: Mapping[str, Any], change: VariantChange) -> dict[str, Any]:
    """Return the facts of a simulated item's difficulty that may differ from the parent's."""
    difficulty: dict[str, Any] = {"blocks_before": len(columns["before"])}
    reference = parent.noted("plan").get("reference")
    if "before" in change.columns and change.symmetry == IDENTITY and reference:
        board = parse_structure(columns["before"])
        color = board.color_at(Cell(*reference))
        difficulty["distractors"] = 0 if color is None else sum(block.color is color for block in board) - 1
    if "pose" in change.columns:
        difficulty["degrees_off_grid"] = round(off_cardinal(columns["pose"]["yaw"]))
    return difficulty


def _plan(plan: Mapping[str, Any], symmetry: Symmetry) -> dict[str, Any]:
    """Return the Architect's plan in the transformed world."""
    # Colors and places as the board has them now.
    plan = dict(plan)
    if plan.get("color"):
        plan["color"] = symmetry.color(Color(plan["color"])).value
    if plan.get("reference"):
        plan["reference"] = list(symmetry.cell(Cell(*plan["reference"])))
    # In a mirror, left is right.
    if symmetry.mirror:
        if plan.get("relation"):
            plan["relation"] = _mirrored_words(plan["relation"])
        if plan.get("offset"):
            left, up, away = plan["offset"]
            plan["offset"] = [-left, up, away]
        if plan.get("directions"):
            plan["directions"] = list(map(_mirrored_words, plan["directions"]))
    if plan.get("then"):
        plan["then"] = _plan(plan["then"], symmetry)
    return plan


def _mirrored_words(words: str) -> str:
    """Return one direction, or several joined with `+`, in the mirror."""
    return "+".join(_OTHER_SIDE.get(word, word) for word in words.split("+"))
