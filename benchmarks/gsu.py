"""How fast GSU items are made and scored on one core, against the aims of the task and the cost of one random stream.

python benchmarks/gsu.py [--items 4000]

Items: what the simulators draw. Solved: with question, reasoning trace and answer. Rows: also with the prompt, its
shots and the metadata. Scored: answers (trace and `Answer:` line) that the metric reads and scores.
"""

import argparse
import time
from collections.abc import Callable
from random import Random

from rich.console import Console
from rich.table import Table

from bap_v2_dataset.tasks.gsu.rows import row_of
from bap_v2_dataset.tasks.gsu.scorer import SCORER
from bap_v2_dataset.tasks.gsu.solved import solved
from bap_v2_dataset.tasks.gsu.task import MAIN_CONFIGS
from bap_v2_simulators.gsu.configs import CONFIGS

AIMS = {"structure": (3_000, 5_000), "combined": (3_000, 20_000)}  # items per second: solved, scored
OTHER_AIMS = (20_000, 20_000)


def rate(work: Callable[[int], object], n: int) -> float:
    """How many times per second of CPU time, the best of three runs."""
    best = 0.0
    for _ in range(3):
        started = time.process_time()
        for index in range(n):
            work(index)
        best = max(best, n / (time.process_time() - started))
    return best


def scored_rate(rows: list[dict]) -> float:
    """Answers read and scored per second of CPU time, the best of three runs."""
    scorer = SCORER
    answers = ["\n".join(filter(None, (row["reasoning"], row["completion"]))) for row in rows]
    references = [scorer.reference_of(row) for row in rows]
    return rate(lambda _: scorer.score_items(answers, references), 1) * len(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=4_000, help="of each config; a fourth of it for structures")
    n_items = parser.parse_args().items
    table = Table(title="GSU, items per second and core", title_justify="left")
    table.add_column("config")
    for heading in ("items", "solved", "aim", "rows", "scored", "aim"):
        table.add_column(heading, justify="right")
    for name in (*MAIN_CONFIGS, "gsu_combined"):
        config = CONFIGS[name]
        n = n_items // 4 if config.task in AIMS else n_items
        solved_aim, scored_aim = AIMS.get(config.task, OTHER_AIMS)
        rows = [row_of(config, "test", index) for index in range(n)]
        speeds = (
            rate(lambda index, of=config: of.simulator.item("train", 0, index), n),
            rate(lambda index, of=config: solved(of, "train", 0, index), n),
            solved_aim,
            rate(lambda index, of=config: row_of(of, "train", index), n),
            scored_rate(rows),
            scored_aim,
        )
        table.add_row(name, *(f"{speed:,.0f}" for speed in speeds))
    table.add_section()
    streams = rate(lambda index: Random(f"navigation 1.0.0 2 train 0 {index} steps"), n_items)
    table.add_row("one random stream (baseline)", f"{streams:,.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
