"""How fast episodes of Plancraft are played and scored on one core, against the package `plancraft` in the same run.

python benchmarks/crafting.py [--tasks 480]

The package's column is its own environment, recipes and handlers of turns (pip install --no-deps plancraft==0.4.9). It
reads 976 pictures whenever an environment is made, and draws at every step; "reused" plays all episodes in one
environment. Episodes play the gold plans of the test split, with text observations. CPU time, the best of three runs;
of the package's episodes a single run of fewer.
"""

import argparse
import time
import tracemalloc
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from plancraft.environment.actions import MoveActionHandler, SmeltActionHandler
from plancraft.environment.env import PlancraftEnvironment, target_and_inventory_to_text_obs
from rich.console import Console
from rich.table import Table

from bap_v2_dataset.tasks.plancraft.policies import batched
from bap_v2_dataset.tasks.plancraft.rows import task_row
from bap_v2_dataset.tasks.plancraft.scorer import SCORER
from bap_v2_dataset.tasks.plancraft.task_files import FILES, records
from bap_v2_simulators.plancraft.environment import crafting_environment
from bap_v2_simulators.plancraft.episode import Episode, inventory_of
from bap_v2_simulators.plancraft.lenient import read_turn_leniently
from bap_v2_simulators.plancraft.recipes import crafted
from bap_v2_simulators.plancraft.turns import read_turn, written
from bap_v2_training.games.episodes import PlayedEpisode, Rules, TurnAnswer, play

TOOLS = ("move", "smelt")
OF_PACKAGE = 12  # episodes that are played in new environments of the package
HANDLERS = (MoveActionHandler(), SmeltActionHandler())


def seconds(work: Callable[[], object], times: int = 3) -> float:
    """CPU time of a call, the least of so many."""
    best = float("inf")
    for _ in range(times):
        started = time.process_time()
        work()
        best = min(best, time.process_time() - started)
    return best


def play_here(tasks: Sequence[dict]) -> None:
    """Gold plans in our episodes."""
    for task in tasks:
        episode = Episode(task, TOOLS)
        for action in task["plan"]:
            episode.take(action)
        assert episode.success


def play_in_package(tasks: Sequence[dict], reused: PlancraftEnvironment | None = None) -> None:
    """Gold plans in environments of the package, one for each episode or one for all."""
    for task in tasks:
        inventory = inventory_of(task)
        environment = reused or PlancraftEnvironment(inventory)
        if reused:
            reused.reset(inventory)
        for action in task["plan"]:
            handler = HANDLERS[action.startswith("smelt")]
            environment.step(handler.match(action))
            target_and_inventory_to_text_obs(task["target"], environment.state)


class Scripted:
    """Answers with gold plans, to chats of which it looks up the task."""

    size = 64

    def __init__(self, tasks: Sequence[dict]):
        self._plans = {task["observation"]: task["plan"] for task in tasks}

    def answers(self, chats: Sequence[Sequence[dict]], seeds: Sequence[int]) -> list[TurnAnswer]:
        """The next action of each plan."""
        turns = (sum(message["role"] == "assistant" for message in chat) for chat in chats)
        return [TurnAnswer(self._plans[chat[1]["content"]][turn], 1, 1) for chat, turn in zip(chats, turns)]


def run_games(tasks: Sequence[dict]) -> None:
    """All episodes through the runner, many at once, with whole chats."""
    rules = Rules(TOOLS, few_shot=False, window=100)
    play((PlayedEpisode.begun(task, rules) for task in tasks), Scripted(tasks), lambda game: game.line)


def grids(n: int) -> list[tuple[str | None, ...]]:
    """Grids that make nothing, mostly: two items drawn from all."""
    random = Random(0)
    names = sorted({item["type"] for task in records("train") for item in task["slotted_inventory"].values()})
    return [(*random.sample(names, 2), *[None] * 7) for _ in range(n)]


def megabytes_of_open(tasks: Sequence[dict]) -> float:
    """Memory of as many open episodes."""
    tracemalloc.start()
    kept = [Episode(task, TOOLS) for task in tasks]
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return size / 1e6 if kept else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=480, help="solvable tasks of test that are played")
    n_tasks = parser.parse_args().tasks
    tasks = [row for row in map(task_row, records("test")) if not row["impossible"]][:n_tasks]
    turns = sum(len(task["plan"]) for task in tasks)
    few = tasks[:: max(1, len(tasks) // OF_PACKAGE)][:OF_PACKAGE]
    play_here(tasks)  # recipes are read once
    table = Table(title="Plancraft on one core", title_justify="left")
    for heading in ("what", "here", "package", "aim"):
        table.add_column(heading, justify="left" if heading == "what" else "right")

    def add(what: str, here: str, package: str = "", aim: str = "") -> None:
        table.add_row(what, here, package, aim)

    inventories = [inventory_of(task) for task in tasks]
    construct = seconds(lambda: [crafting_environment(one) for one in inventories]) / len(tasks)
    theirs = seconds(lambda: [PlancraftEnvironment(inventory_of(task)) for task in few], 1) / len(few)
    add("environments made", f"{construct * 1e6:,.0f} µs", f"{theirs * 1e3:,.0f} ms", "100 µs")

    replay = len(tasks) / seconds(lambda: play_here(tasks))
    made = len(few) / seconds(lambda: play_in_package(few), 1)
    reused = PlancraftEnvironment({})
    again = len(few) / seconds(lambda: play_in_package(few, reused), 1)
    add("gold plans played, episodes a second", f"{replay:,.0f}", f"{made:.1f} ({again:.1f} reused)", "1,500")

    through = seconds(lambda: run_games(tasks))
    add("the same through the runner, episodes a second", f"{len(tasks) / through:,.0f}", "", "1,000")
    add("... turns a second", f"{turns / through:,.0f}", "", "7,000")

    few_grids = grids(300)
    misses = seconds(lambda: (crafted.cache_clear(), [crafted(grid) for grid in few_grids])) / len(few_grids)
    environment = PlancraftEnvironment({})

    def scan() -> None:
        for grid in few_grids[:40]:
            environment.state = {slot: {"type": item, "quantity": 1} for slot, item in enumerate(grid, 1) if item}
            environment.populate_craft_slot_craft_item()

    add("what a new grid makes", f"{misses * 1e6:,.0f} µs", f"{seconds(scan, 1) / 40 * 1e3:,.1f} ms", "150 µs")

    lines = [written("move", 10 + n % 36, 1 + n % 9, 1 + n % 64) for n in range(2_000)]
    reading = seconds(lambda: [read_turn(line, TOOLS) for line in lines]) / len(lines)
    lenient = seconds(lambda: [read_turn_leniently(line, TOOLS) for line in lines]) / len(lines)
    handled = seconds(lambda: [HANDLERS[0].match(line) for line in lines]) / len(lines)
    add("a turn read (leniently)", f"{reading * 1e6:.1f} ({lenient * 1e6:.1f}) µs", f"{handled * 1e6:.1f} µs", "20 µs")

    rows = seconds(lambda: [task_row(record) for split in FILES for record in records(split)], 1)
    add("rows of all splits, with gold plans", f"{rows:.1f} s", "", "6 s")
    short = seconds(lambda: [batched(task) for task in tasks], 1)
    add(f"batched plans of {len(tasks)} tasks", f"{short:.1f} s")
    add(f"{len(tasks)} open episodes", f"{megabytes_of_open(tasks):.1f} MB", "", "10 MB")

    references: list[Any] = list(map(SCORER.reference_of, tasks))
    episodes = [{"turns": task["plan"], "success": True, "tokens": None} for task in tasks]
    scored = seconds(lambda: SCORER.score_items(episodes, references, "M S"))
    add("episodes scored a second", f"{len(tasks) / scored:,.0f}")
    items = SCORER.score_items(episodes, references, "M S")
    for runs in (1, 5):
        drawn = seconds(lambda runs=runs: SCORER.bootstrap(items * runs, 1000))
        add(f"1,000 resamples of {len(items) * runs:,} episodes", f"{drawn:.2f} s", "", "1.0 s")
    Console().print(table)


if __name__ == "__main__":
    main()
