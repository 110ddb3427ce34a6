"""The counts of the human corpus, and of what was left out of it, as numbers and as tables."""

import statistics
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.text import Text

from bap_v2_dataset.human.game_store import KeptGames
from bap_v2_dataset.human.mdc import SPLITS
from bap_v2_dataset.items.item import Item, Skipped, items
from bap_v2_dataset.labels.clean_test import clean_test
from bap_v2_dataset.labels.label import Label
from bap_v2_dataset.labels.readings import NEXT_TURNS, is_clear_and_kept, read_items, reading_of, undone
from bap_v2_dataset.loading.config import BapV2Config
from bap_v2_dataset.tables.fitted import WordTable
from bap_v2_dataset.tasks.building.paper import PUBLISHED_TEST
from bap_v2_dataset.tasks.building.task import BUILDING
from bap_v2_metric.actions import ActionType, net_actions
from bap_v2_metric.counts import Counts
from bap_v2_metric.notation import format_structure
from bap_v2_metric.scoring import score_item
from bap_v2_simulators.game import Game, read_games

_TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_LABELS, _TEST_LABELS = _TABLES["counts"], _TABLES["test_items"]  # by the names of counts


def corpus_counts(games: KeptGames) -> dict[str, dict[str, float]]:
    """Count by split: games, targets, items and actions, as defined in `tests/golden/mdc_counts.json`."""
    return {split: counts_of(read_games(games.file(split))) for split in SPLITS.values()}


def config_counts(config: str) -> dict[str, dict[str, float]]:
    """Count the same of games that need no human corpus: `dr`, `dsb`, `dss`, `dh` or `written`."""
    by_split = BUILDING.shards(BapV2Config(name=config), lambda name: {})
    return {split: counts_of(game for shard in found for game in shard.games()) for split, found in by_split.items()}


def counts_of(games: Iterable[Game]) -> dict[str, float]:
    """Count the games of a split."""
    lengths: list[int] = []
    targets: set[object] = set()
    skipped: list[Skipped] = []
    count: Counter = Counter()
    # One pass over the items.
    for game in games:
        count["games"] += 1
        targets.add(game.metadata.get("target_id", game.target))
        for item in items(game, skipped):
            net = net_actions(item.before, item.after)
            lengths.append(len(item.actions))
            count["items"] += 1
            count["empty_board_items"] += not len(item.before)
            count["items_with_a_net_removal"] += any(action.type is ActionType.REMOVE for action in net)
            count["items_with_an_empty_net_change"] += not net
            count["items_without_dialogue"] += not item.dialogue
            count["items_with_an_infeasible_step"] += item.infeasible_actions > 0
            count["net_actions"] += len(net)
    # The numbers of the split, in the order of the table.
    count["targets"] = len(targets)
    return {
        **{name: count[name] for name in _LABELS},  # all of them, in this order; 0 where nothing was counted
        "actions": sum(lengths),
        "actions_mean": statistics.fmean(lengths) if lengths else 0.0,
        "actions_sd": statistics.pstdev(lengths) if lengths else 0.0,
        "actions_max": max(lengths, default=0),
        "skipped_runs": len(skipped),
    }


def counts_table(title: str, counts: dict[str, dict[str, float]]) -> WordTable:
    """Show counts, a column for each split."""
    table = WordTable(title=title)
    table.add_column("")
    for split in counts:
        table.add_column(split, justify="right")
    for name, label in _LABELS.items():
        values = [counts[split][name] for split in counts]
        table.add_row(label, *(f"{value:,.2f}" if isinstance(value, float) else f"{value:,}" for value in values))
    return table


def corpus_report(games: KeptGames) -> Group:
    """Show the counts by split, and everything that was dropped, with the reason."""
    # What there is.
    table = counts_table(f"The human corpus ({games.corpus})", corpus_counts(games))

    # What is not: logs, states, runs of actions, and games that could not be read.
    dropped = WordTable(title="Dropped, and why")
    dropped.add_column("What")
    dropped.add_column("Number", justify="right")
    dropped.add_column("Why")
    report = games.report
    dropped.add_row("logs", f"{len(report.warm_ups):,}", "warm-up games: their target belongs to no split")
    dropped.add_row("world states", f"{report.states_without_pose:,}", "no BuilderPosition")
    for split, runs in games.skipped.items():
        for reason, number in Counter(run.reason for run in runs).items():
            dropped.add_row(f"runs of actions ({split})", f"{number:,}", reason)
    for file, cause in report.problems:
        dropped.add_row(f"[red]game[/red] {file}", "1", cause)
    notes = [
        f"{report.steps_of_several_blocks:,} of {report.steps:,} steps change more than one block: placements are "
        "listed first, then removals, each sorted by x, y, z and color (the true order is unknown).",
        f"{len(report.games_with_early_blocks)} games have a block before the first chat line: "
        "their first item has no dialogue.",
    ]
    return Group(table, dropped, *(Text(note) for note in notes), reading_report(reading_counts(games)))


def clean_test_counts(games: KeptGames, labels: Sequence[Label]) -> dict[str, int]:
    """Count what becomes of the test items under labels (3.1, 3.2). Raises: AnnotationError if they do not fit."""
    clean = clean_test(games.items("test"), labels)
    return {name: len(clean.items) if name == "items" else getattr(clean, name) for name in _TEST_LABELS}


def clean_test_report(counts: dict[str, int], source: str) -> WordTable:
    """Show the counts beside the paper's.

    Args:
        source: whose labels they are.
    """
    table = WordTable(title=f"The v2 test set; labels: {source}")
    table.add_column("")
    table.add_column("these labels", justify="right")
    table.add_column("the paper", justify="right")
    for name, label in _TEST_LABELS.items():
        table.add_row(label, f"{counts[name]:,}", f"{PUBLISHED_TEST[name]:,}" if name in PUBLISHED_TEST else "")
    return table


_TURNS: Mapping[str, Callable[[Item], bool]] = {  # groups of items
    "items": lambda item: True,
    "  clear": lambda item: item.metadata["annotation"].get("clear") is True,
    "  unclear": lambda item: item.metadata["annotation"].get("clear") is False,
    **{f"  {name}": lambda item, name=name: item.metadata["annotation"]["next_turn"] == name for name in NEXT_TURNS},
    "  clear and not undone": is_clear_and_kept,
}


def reading_counts(games: KeptGames) -> dict[str, dict[str, dict[str, float]]]:
    """Count items by split and group: how a language model reads them, and what the next turn does to them.

    Each group has `items`, `net_actions`, `undone` (net actions that the next turn takes back), and how the readings
    agree with the log where blocks are on the board: `on_blocks` (items), `fairer_f1` and `exact` (shares).
    """
    counts: dict[str, dict[str, Counter]] = {
        split: {group: Counter() for group in _TURNS} for split in ("train", "validation", "both")
    }
    for split in ("train", "validation"):
        for game in read_games(games.file(split)):
            for item, following in pairwise([*read_items(game), None]):
                # What is counted of one item
                change = net_actions(item.before, item.after)
                count = Counter(items=1, net_actions=len(change), undone=len(undone(item, following)))
                columns = {"before": format_structure(item.before), "after": format_structure(item.after)}
                reading = reading_of({**columns, "metadata": item.metadata}) if columns["before"] else None
                if reading is not None:
                    right = score_item(reading, columns)["fairer"]
                    count += Counter(right, on_blocks=1, exact=not right["fp"] + right["fn"])
                # In all its groups
                for group in (name for name, holds in _TURNS.items() if holds(item)):
                    counts[split][group] += count
                    counts["both"][group] += count
    return {split: {name: _agreement(count) for name, count in groups.items()} for split, groups in counts.items()}


def _agreement(count: Counter) -> dict[str, float]:
    f1 = Counts(count["tp"], count["fp"], count["fn"]).f1
    numbers = {name: count[name] for name in ("items", "net_actions", "undone", "on_blocks")}
    return {**numbers, "fairer_f1": f1, "exact": count["exact"] / max(count["on_blocks"], 1)}


def reading_report(counts: dict[str, dict[str, dict[str, float]]]) -> WordTable:
    """Show the counts of `reading_counts`."""
    table = WordTable(title="Human turns, as a language model reads them and as the next turn leaves them")
    table.add_column("")
    for name in ("train", "validation", "net actions", "undone next", "with blocks", "F1 of readings", "equal"):
        table.add_column(name, justify="right")
    for group, both in counts["both"].items():
        numbers = [counts[split][group]["items"] for split in ("train", "validation")]
        numbers += [both[name] for name in ("net_actions", "undone", "on_blocks")]
        shares = [f"{100 * both[name]:.1f}" if both["on_blocks"] else "" for name in ("fairer_f1", "exact")]
        table.add_row(group, *(f"{number:,}" for number in numbers), *shares)
    return table


def to_dict(games: KeptGames) -> dict[str, Any]:
    """Return plain values for JSON: counts, what was dropped, and where from."""
    return {
        "corpus": games.corpus,
        "digest": games.digest,
        "counts": corpus_counts(games),
        "readings": reading_counts(games),
        "report": games.report.to_dict(),
        "skipped": {split: [asdict(run) for run in runs] for split, runs in games.skipped.items()},
    }
