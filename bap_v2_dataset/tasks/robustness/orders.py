"""Families spp and spp_history: the same blocks and actions, told in another order (Dan et al., SPP)."""

from random import Random

from bap_v2_dataset.tasks.robustness.parent import Parent, VariantChange, actions_in, newest_block
from bap_v2_dataset.tasks.robustness.unsafe_words import UNSAFE
from bap_v2_metric.actions import execute
from bap_v2_metric.blocks import Structure

_ORDERS = 24  # that are tried for a run of actions


def board_in_another_order(parent: Parent, rng: Random, number: int) -> VariantChange | None:
    """Return the blocks of the board listed in a random order; `after` lists those that stay in the same order.

    None for fewer than two blocks.
    """
    before = list(parent.row["before"])
    if len(before) < 2:
        return None
    while (order := rng.sample(before, len(before))) == before:
        pass
    stayed = set(parent.row["after"])
    after = [line for line in order if line in stayed]
    after += [line for line in parent.row["after"] if line not in set(before)]
    return VariantChange({"before": order, "after": after})


def history_in_another_order(parent: Parent, rng: Random, number: int) -> VariantChange | None:
    """Return the actions within runs of the history in another order that can be carried out.

    The last action of each run keeps its place, so that "the last block" stays, and so does the newest block. No order
    needs more blocks of a color than there are. None without a run of three actions that has another order, where the
    history is not what built the board, and where people speak of blocks by the order of their placement.
    """
    # Words such as "the first one", and histories that do not lead to the board, need their order.
    if not parent.simulated and UNSAFE.PLACED_IN_ORDER.search(parent.all_words):
        return None
    history = list(parent.row["history"])
    if parent.replayed.after != parent.before or not any(len(run) > 2 for run in parent.runs):
        return None
    # Each run in another order that leads to the same board, with the same last action.
    board = Structure()
    for run in parent.runs:
        lines = [history[position] for position in run]
        whole = execute(board, actions_in(lines))
        if len(lines) > 2:
            for _ in range(_ORDERS):
                order = [*rng.sample(lines[:-1], len(lines) - 1), lines[-1]]
                if order == lines or execute(board, actions_in(order)) != whole:
                    continue
                reordered = list(history)
                for position, line in zip(run, order):
                    reordered[position] = line
                if not Parent({**parent.row, "history": reordered}).lacks_blocks(parent):
                    history = reordered
                    break
        board = whole.after
    # A variant is another history with the same newest block.
    changed = history != list(parent.row["history"])
    if not changed or newest_block(actions_in(history), parent.before) != parent.newest:
        return None
    return VariantChange({"history": history})
