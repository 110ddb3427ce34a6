"""What making all variants of the test sets costs, family by family, against making the test items themselves.

BAP_V2_MDC=PATH python benchmarks/robustness.py [--config dss]        after `bap-v2 setup`
"""

import argparse
import time
from collections import Counter

from rich.console import Console
from rich.table import Table

from bap_v2_dataset.evaluation.test_sets import split_rows
from bap_v2_dataset.tasks.building.items import items
from bap_v2_dataset.tasks.building.rows import row
from bap_v2_dataset.tasks.robustness.families import FAMILIES, variants_of_parent
from bap_v2_dataset.tasks.robustness.parent import Parent
from bap_v2_dataset.tasks.robustness.task import BASE_OF as BASE_OF_ROBUST
from bap_v2_simulators.corpora import SIMULATORS, SIZES, games_of, simulator_of
from bap_v2_simulators.simulation import play


def seconds_of_simulating(config: str) -> float:
    """CPU seconds to play the test games again and make their rows."""
    started = time.process_time()
    simulator = simulator_of(config)
    for index, turns in games_of(simulator, "test", SIZES[config]["test"], 0):
        for item in items(play(simulator, "test", index, 0, turns=turns)):
            row(item)
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--config", action="append", choices=list(BASE_OF_ROBUST.values()))
    configs = parser.parse_args().config or list(BASE_OF_ROBUST.values())
    table = Table(title="All variants of the test sets, one core", title_justify="left")
    for heading in ("family", *(f"{name}: variants" for name in configs), *(f"{name}: CPU s" for name in configs)):
        table.add_column(heading, justify="left" if heading == "family" else "right")
    seconds: dict[str, Counter] = {}
    variants: dict[str, Counter] = {}
    for config in configs:
        seconds[config], variants[config] = Counter(), Counter()
        for parent in map(Parent, split_rows(config, "test").to_list()):
            for family in FAMILIES:
                started = time.process_time()
                variants[config][family] += len(list(variants_of_parent(parent, family, config=config)))
                seconds[config][family] += time.process_time() - started
    for family in FAMILIES:
        numbers = [f"{variants[config][family]:,}" for config in configs]
        table.add_row(family, *numbers, *(f"{seconds[config][family]:.1f}" for config in configs))
    table.add_section()
    totals = [f"{sum(variants[config].values()):,}" for config in configs]
    table.add_row("all", *totals, *(f"{sum(seconds[config].values()):.1f}" for config in configs))
    simulated = [f"{seconds_of_simulating(name):.1f}" if name in SIMULATORS else "–" for name in configs]
    table.add_row("the items themselves, simulated again", *("" for _ in configs), *simulated)
    Console().print(table)


if __name__ == "__main__":
    main()
