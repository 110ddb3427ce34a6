"""`bap-v2 convert`."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

from bap_v2_dataset.cli.terminal import app, errors, say

if TYPE_CHECKING:
    from bap_v2_dataset.generation.converted import Conversion


@app.command()
def convert(
    games: Path,
    out: Path,
    overwrite: bool = False,
) -> None:
    """Cut games of your own into items, which all commands read with --data."""
    from bap_v2_dataset.generation.converted import convert_games

    started = time.perf_counter()
    with errors.status("reading games"):
        result = convert_games(games, out, overwrite=overwrite)
    # Say what was left out, and what was made.
    _print_left_out(result)
    splits = ", ".join(f"{split} {number:,}" for split, number in result.items.items())
    summary = f"{out}: {result.items.total():,} items of {result.games:,} games ({splits})"
    say(f"{summary} in {time.perf_counter() - started:.1f} s")
    say(f"Score answers to them: bap-v2 score PREDICTIONS --data {out}", "dim")


def _print_left_out(result: "Conversion") -> None:
    from bap_v2_dataset.sentences import counted

    # Runs of actions that are no item.
    notes = []
    if result.skipped:
        shown = ", ".join(f"{run.game_id} run {run.run}" for run in result.skipped[:3])
        more = ", ..." if len(result.skipped) > 3 else ""
        reasons = ", ".join(dict.fromkeys(run.reason for run in result.skipped))
        notes.append(f"skipped {counted(len(result.skipped), 'run')} of actions ({reasons}): {shown}{more}")
    # Games without any, and actions that the log has in an impossible order.
    if result.without_items:
        notes.append(f"{counted(result.without_items, 'game')} without an item")
    if result.infeasible:
        notes.append(
            f"{counted(result.infeasible, 'action')} cannot be carried out in the order of the log; kept as logged"
        )
    for note in notes:
        say(note, "yellow", errors)
