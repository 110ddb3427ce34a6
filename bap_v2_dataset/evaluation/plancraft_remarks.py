"""What a reader needs to judge tables of Plancraft, as sentences."""

from collections.abc import Sequence
from typing import Any

from bap_v2_dataset.evaluation.plancraft_values import letters
from bap_v2_dataset.evaluation.report import Report
from bap_v2_dataset.evaluation.scoring import Resampling, Result
from bap_v2_dataset.evaluation.test_sets import ScoredSplit
from bap_v2_dataset.plancraft.paper import LLAMA_NOTE
from bap_v2_dataset.sentences import counted

LEGEND = (
    "Success: of solvable tasks, 0 to 1. Plan length: turns, of any kind. AE: by how many turns solved tasks took more "
    "than the gold plan has actions (below 0: fewer); AE (actions) counts moves and smelts alone. think, search, "
    "impossible, invalid: such turns of an episode. Impossible F1: of giving up."
)


def remarks(report: Report, paper: bool = True) -> list[str]:
    """What a report of Plancraft needs to be understood.

    Args:
        paper: whether numbers of the paper stand in the tables.
    """
    sentences = [LEGEND]
    for test in report.tests:
        sentences += [f"{result.name} on {test.title}: {played(result)}" for _, result in report.on(test)]
        if (score := giving_up(test)) is not None:
            sentences.append(f"Who gives up every task of {test.title} has an impossible F1 of {score:.2f}.")
    if paper and any(test.key == ("plancraft", "test") for test in report.tests):
        sentences += [
            "Source ours: played here. Source paper: as reported, five runs at temperature 0.6; its text says that the "
            "small test set was used, its numbers and released settings say test.",
            f"{LLAMA_NOTE}.",
        ]
    return sentences


def remarks_on(results: Sequence[Result], labels: str, resampling: Resampling) -> list[str]:
    """What stands below the tables of `bap-v2 score`: a line each."""
    lines = [LEGEND, *(f"{result.name}: {played(result)}" for result in results)]
    how = []
    if any(result.runs for result in results):
        how.append("scores of several runs: of all episodes; ±: standard deviation over the runs")
    if resampling.n:
        how.append(
            f"intervals: {100 * resampling.confidence:g}% percentile bootstrap over {_drawn(resampling)}, "
            f"{counted(resampling.n, 'resample')}, seed {resampling.seed}"
        )
    return [*lines, *(["; ".join(how)] if how else []), f"labels: {labels}"]


def played(result: Result) -> str:
    """How a system played: its tools, settings, and how many episodes."""
    facts = result.facts
    parts = [f"tools {letters(result)}", f"{facts.get('max_steps', 30)} turns", f"reading {facts.get('reading')}"]
    if "few_shot" in facts:
        parts.append("two examples" if facts["few_shot"] else "no examples")
    for name, text in (("window", "window {}"), ("temperature", "temperature {}")):
        if name in facts:
            parts.append(text.format(facts[name]))
    runs = result.runs or [result]
    episodes = sum(len(run.counted_items) for run in runs)
    unfinished = sum(item["unfinished"] for run in runs for item in run.counted_items)
    parts.append(f"{counted(episodes, 'episode')} of {counted(len(runs[0].counted_items), 'task')}")
    if result.missing:
        parts.append(f"{counted(result.missing, 'task')} without an episode, scored as failed")
    if unfinished:
        parts.append(f"{counted(unfinished, 'episode')} without an end")
    return ", ".join(parts)


def giving_up(test: ScoredSplit) -> float | None:
    """The impossible F1 of giving up every task; None without impossible tasks."""
    impossible = sum(bool(row["impossible"]) for row in test.rows)
    return 2 * impossible / (len(test.rows) + impossible) if impossible else None


def _drawn(resampling: Resampling) -> Any:
    return "tasks" if resampling.unit == "item" else f"{resampling.unit}s"
