"""How many CPU seconds scoring takes, and alignment against trying every transform.

    python benchmarks/scoring.py

Needs the human corpus (BAP_V2_MDC, or after `bap-v2 setup --mdc PATH`). Prints four tables: all measures on all test
items; reading the same answers in the notation and in the forms in which models write them; the optimal alignment of
two structures of 20 blocks against plain enumeration of the 1,764 candidates, in the same run; and the bootstrap.
"""

import json
import random
import statistics
import time
from collections.abc import Callable

import datasets
from rich.console import Console
from rich.table import Table

import bap_v2_dataset  # noqa: F401 (registers the name)
from bap_v2_dataset.tasks.building.baselines.rules import first_ten, stack
from bap_v2_metric import bootstrap, paired_bootstrap, score, score_items
from bap_v2_metric.alignment import Transform, align
from bap_v2_metric.answers import read_prediction
from bap_v2_metric.blocks import Block, Cell, Color, Structure
from bap_v2_metric.notation import format_call, parse_action, parse_structure

console = Console()
BLOCKS = 20
PAIRS = 30


def seconds(action: Callable[[], object], repeats: int = 5) -> tuple[float, float]:
    """Median and shortest CPU time of an action: what else runs on the machine counts little."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return statistics.median(times), min(times)


def enumerated_alignment(moving: Structure, fixed: Structure) -> Transform:
    """The baseline: every rotation and translation is carried out, and the first of the closest is taken."""
    best, best_distance = Transform(0, 0, 0), moving.distance(fixed)
    for turns in range(4):
        for dx in range(-10, 11):
            for dz in range(-10, 11):
                transform = Transform(turns, dx, dz)
                moved = [Block(color, transform(cell)) for color, cell in moving]
                if all(block.cell.in_region for block in moved):
                    distance = Structure(moved).distance(fixed)
                    if distance < best_distance:
                        best, best_distance = transform, distance
    return best


def human_pairs(test: datasets.Dataset) -> list[tuple[Structure, Structure]]:
    """Structures of 20 blocks from different human games."""
    by_game = {}
    for game_id, after in zip(test["game_id"], test["after"]):
        if len(after) == BLOCKS:
            by_game.setdefault(game_id, parse_structure(after))
    structures = list(by_game.values())
    rng = random.Random(0)
    return [tuple(rng.sample(structures, 2)) for _ in range(PAIRS)]


def random_pairs() -> list[tuple[Structure, Structure]]:
    """Structures of 20 blocks of random colors in random cells of a 5 x 3 x 5 box."""
    rng = random.Random(1)
    cells = [Cell(x, y, z) for x in range(-2, 3) for y in (1, 2, 3) for z in range(-2, 3)]
    return [
        tuple(Structure(Block(rng.choice(list(Color)), cell) for cell in rng.sample(cells, BLOCKS)) for _ in range(2))
        for _ in range(PAIRS)
    ]


def answers_in_forms(completions: list[str]) -> dict[str, list[str]]:
    """The same answers in the notation and as models write them."""
    answers = [text.splitlines() for text in completions]
    objects = [[_as_object(line) for line in lines] for lines in answers]
    return {
        "notation": completions,
        "bullets": ["\n".join(f"- **{line}**" for line in lines) for lines in answers],
        "one line": ["; ".join(lines) for lines in answers],
        "calls": ["\n".join(format_call(parse_action(line)) for line in lines) for lines in answers],
        "JSON, an object per line": ["\n".join(map(json.dumps, lines)) for lines in objects],
        "JSON over many lines": [json.dumps({"actions": lines}, indent=2) for lines in objects],
        "prose": [f"I would {' and '.join(lines)} here." for lines in answers],
        "1,000 characters of thoughts": [f"<think>{'Hm. ' * 250}</think>\n{text}" for text in completions],
    }


def _as_object(line: str) -> dict:
    verb, *color, x, y, z = line.split()
    return {"action": verb, **({"color": color[0]} if color else {}), "x": int(x), "y": int(y), "z": int(z)}


def reading_table(rows: list[dict]) -> Table:
    """Seconds to read the completions of the items in each form."""
    table = Table(title=f"Reading the {len(rows):,} answers of the test items", title_justify="left")
    for heading in ("form", "MB", "median CPU s", "shortest", "µs / answer", "actions read", "unparsed lines"):
        table.add_column(heading, justify="left" if heading == "form" else "right")
    for form, texts in answers_in_forms([row["completion"] for row in rows]).items():
        read = [read_prediction(text) for text in texts]
        median, shortest = seconds(lambda texts=texts: [read_prediction(text) for text in texts])
        size = sum(map(len, texts)) / 1e6
        numbers = (sum(len(one.actions) for one in read), sum(one.unparsed_lines for one in read))
        times = (f"{size:.2f}", f"{median:.3f}", f"{shortest:.3f}", f"{1e6 * median / len(rows):,.0f}")
        table.add_row(form, *times, *(f"{number:,}" for number in numbers))
    return table


def main() -> None:
    test = datasets.load_dataset("bap_v2", "mdc", split="test")
    rows = test.select_columns(
        ["id", "history", "dialogue", "before", "after", "interpretations", "completion"]
    ).to_list()
    references = [{key: row[key] for key in ("before", "after", "interpretations")} for row in rows]
    multiple = [{**reference, "interpretations": "multiple"} if not reference["before"] else reference
                for reference in references]  # fmt: skip
    systems = {name: [rule(row) for row in rows] for name, rule in (("first-ten", first_ten), ("stack", stack))}

    table = Table(title=f"All measures on all {len(rows):,} test items", title_justify="left")
    for heading in ("predictions", "empty-board items", "median CPU s", "shortest", "items / s"):
        table.add_column(heading, justify="left" if heading in ("predictions", "empty-board items") else "right")
    for name, predictions in systems.items():
        for kind, labeled in (("unique", references), ("multiple", multiple)):
            median, shortest = seconds(lambda p=predictions, r=labeled: score(p, r))
            table.add_row(name, kind, f"{median:.3f}", f"{shortest:.3f}", f"{len(rows) / median:,.0f}")
    console.print(table)

    console.print(reading_table(rows))

    table = Table(title=f"Alignment of two structures of {BLOCKS} blocks, per pair", title_justify="left")
    for heading in ("pairs", "ours", "enumeration", "times faster"):
        table.add_column(heading, justify="left" if heading == "pairs" else "right")
    for name, pairs in (("human games", human_pairs(test)), ("random", random_pairs())):
        for moving, fixed in pairs:
            assert _distance(moving, fixed, align) == _distance(moving, fixed, enumerated_alignment)
        ours, slow = [], []
        for moving, fixed in pairs:
            ours.append(seconds(lambda m=moving, f=fixed: [align(m, f) for _ in range(20)])[0] / 20)
            slow.append(seconds(lambda m=moving, f=fixed: enumerated_alignment(m, f), repeats=1)[0])
        ratio = statistics.median(b / a for a, b in zip(ours, slow))
        times = f"{1e6 * statistics.median(ours):.0f} µs", f"{1e3 * statistics.median(slow):.1f} ms"
        table.add_row(f"{len(pairs)} {name}", *times, f"{ratio:,.0f}")
    console.print(table)

    first, second = (score_items(predictions, references) for predictions in systems.values())
    table = Table(title=f"Bootstrap, 1,000 resamples of {len(rows):,} items", title_justify="left")
    table.add_column("what")
    table.add_column("median CPU s", justify="right")
    table.add_row("confidence intervals", f"{seconds(lambda: bootstrap(first), 3)[0]:.2f}")
    table.add_row("paired test of two systems", f"{seconds(lambda: paired_bootstrap(first, second), 3)[0]:.2f}")
    console.print(table)


def _distance(moving: Structure, fixed: Structure, method: Callable[[Structure, Structure], Transform]) -> int:
    transform = method(moving, fixed)
    return Structure(Block(color, transform(cell)) for color, cell in moving).distance(fixed)


if __name__ == "__main__":
    main()
