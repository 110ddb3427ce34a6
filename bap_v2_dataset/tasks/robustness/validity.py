"""What must hold of every variant before it is published: that its answer is still right, proved by code.

C1  the net actions of the variant are those of the parent, transformed
C2  as many of its actions are infeasible as of the parent's
C3  its history builds its board wherever the parent's does, with no more infeasible actions
C4  board and answer lie in the BuildRegion, and no color has more than its 20 blocks at any moment
C5  of simulated items: the symbolic reader reads in the variant what it reads in the parent, transformed
C6  it differs from its parent in what a Builder sees: history, dialogue, pose or board
"""

from collections.abc import Iterable

from bap_v2_dataset.tasks.robustness.parent import Parent, VariantChange, newest_block
from bap_v2_metric.actions import Action, NetAction, execute, net_actions
from bap_v2_metric.blocks import Structure
from bap_v2_metric.symmetry import IDENTITY


def violation(parent: Parent, change: VariantChange) -> str | None:
    """Return the first condition that the variant does not meet; None if it meets all.

    >>> from bap_v2_dataset.tasks.robustness.parent import VariantChange
    >>> row = {"id": "a/0", "history": [], "dialogue": ["<Architect> a red one"], "before": [], "after": ["red 0 1 0"],
    ...        "actions": ["place red 0 1 0"], "pose": {"x": 0, "y": 1, "z": 0, "yaw": 0, "pitch": 0}, "metadata": {}}
    >>> violation(Parent(row), VariantChange({"dialogue": ["<Architect> one red"], "after": ["red 1 1 0"]}))
    'C1'
    """
    # Something has to be seen (C6), and the net actions have to follow from the change (C1).
    columns = change.columns
    if seen(parent, change) == seen(parent):
        return "C6"
    variant = Parent({**parent.row, **columns})
    symmetry = change.symmetry
    if variant.net != frozenset(map(symmetry.net_action, parent.net)):
        return "C1"
    # The boards and what is infeasible stay as they were (C4, C2).
    if not _fits_the_board(parent, variant, change):
        return "C4"
    if variant.infeasible != parent.infeasible:
        return "C2"
    # The history leads to the board, with the same newest block (C3).
    if "history" in columns or "before" in columns:
        builds = parent.replayed.after == parent.before
        if builds and variant.replayed.after != variant.before:
            return "C3"
        if variant.replayed.infeasible > parent.replayed.infeasible:
            return "C3"
        newest = parent.newest and (symmetry.color(parent.newest.color), symmetry.cell(parent.newest.cell))
        if newest_block(variant.past, variant.before) != newest:
            return "C3"
    # The rule that reads simulated words reads them alike (C5).
    if parent.simulated and not _is_read_alike(parent, variant, change):
        return "C5"
    return None


def seen(parent: Parent, change: VariantChange | None = None) -> tuple:
    """Return the columns that a Builder sees of an item, or of its variant, before it acts."""
    columns = parent.row if change is None else {**parent.row, **change.columns}
    return tuple(columns[name] for name in ("history", "dialogue", "pose", "before"))


def _fits_the_board(parent: Parent, variant: Parent, change: VariantChange) -> bool:
    cells = [block.cell for block in (*variant.before, *variant.after)] + [action.cell for action in variant.actions]
    if not all(cell.in_region for cell in cells):
        return False
    if change.symmetry != IDENTITY or "history" not in change.columns or variant.past == parent.past:
        return True  # as many blocks of each color as in the parent, at every moment
    return not variant.lacks_blocks(parent)


def _is_read_alike(parent: Parent, variant: Parent, change: VariantChange) -> bool:
    if change.symmetry == IDENTITY:
        return variant.reading == parent.reading
    expected = map(change.symmetry.action, parent.reading)
    return _net(variant.before, variant.reading) == _net(variant.before, expected)


def _net(before: Structure, actions: Iterable[Action]) -> frozenset[NetAction]:
    return net_actions(before, execute(before, actions).after)
