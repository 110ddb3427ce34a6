"""How many rewards a second and core, beside scoring the same answers one by one.

    python benchmarks/rewards.py

Eight answers to each of 1,000 simulated items of dsb, as a policy samples them: gold, shortened, repeated, with text
between, and three times the same wrong one. Needs `bap-v2 setup`.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial

import datasets
from rich.console import Console
from rich.table import Table

import bap_v2_dataset  # noqa: F401 (registers the name)
from bap_v2_metric.scoring import score_items
from bap_v2_training.learning import rewards

ITEMS, REPEATS = 1_000, 5


def samples(row: dict) -> list[str]:
    """Eight answers to an item."""
    lines = row["completion"].splitlines()
    wrong = "place red 3 1 3\nplace red 3 2 3"
    return [row["completion"], "\n".join(lines[: len(lines) // 2]), "\n".join([*lines, *lines]),
            "\n".join(["Sure:", *lines]), "", wrong, wrong, wrong]  # fmt: skip


def per_second(action: Callable[[], Sequence], n: int) -> float:
    """Answers a second of CPU time, the best of some runs."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        assert len(action()) == n
        times.append(time.process_time() - start)
    return n / min(times)


def main() -> None:
    """Prints the table."""
    rows = datasets.load_dataset("bap_v2", "dsb", split=f"test[:{ITEMS}]").to_list()
    answers = [(text, row) for row in rows for text in samples(row)]
    texts = [text for text, _ in answers]
    columns = {name: [row[name] for _, row in answers] for name in ("before", "after", "interpretations")}
    references = [{name: row[name] for name in columns} for _, row in answers]
    table = Table(title=f"{len(texts):,} answers to {len(rows):,} items of dsb, one core")
    table.add_column("what")
    table.add_column("a second", justify="right")
    table.add_row("score_items (baseline)", f"{per_second(lambda: score_items(texts, references), len(texts)):,.0f}")
    for reward in (rewards.fairer_f1, rewards.feasible, rewards.well_formed, rewards.clean):
        speed = per_second(partial(reward, completions=texts, **columns), len(texts))
        table.add_row(reward.__name__, f"{speed:,.0f}")
    Console().print(table)


if __name__ == "__main__":
    main()
