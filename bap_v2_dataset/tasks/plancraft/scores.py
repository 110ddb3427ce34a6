"""The scores of Plancraft: what is said of them in tables, tests, reports and files."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bap_v2_dataset.evaluation.results import Answers, Report, Result, ScoredSplit
from bap_v2_dataset.evaluation.score_tables import missing_items
from bap_v2_dataset.evaluation.scores import ItemGroup, ScoreBlock, Scores
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tables.cells import ScoreTable
from bap_v2_dataset.tasks.plancraft import scoring, tables
from bap_v2_dataset.tasks.plancraft.paper import LLAMA_NOTE
from bap_v2_dataset.tasks.plancraft.scorer import SCORER
from bap_v2_dataset.tasks.plancraft.tables import MAIN, MORE, RECIPES, letters, told

LEGEND = (
    "Success: of solvable tasks, 0 to 1. Plan length: turns, of any kind. AE: by how many turns solved tasks took more "
    "than the gold plan has actions (below 0: fewer); those of two systems may differ. AE (actions) counts moves and "
    "smelts alone. think, search, impossible, invalid: such turns of an episode. Impossible F1: of giving up."
)
_SOURCES = (
    "Source ours: played here. Source paper: as reported, five runs at temperature 0.6; its text says that the small "
    "test set was used, its numbers and released settings say test."
)


class PlancraftScores(Scores):
    scorer = SCORER
    name = "plancraft"
    headline = "success"
    drawn = "tasks"
    item = "task"
    answer = "an episode, scored as failed"
    join_predictions = staticmethod(scoring.join_predictions)

    def answers(self, rows: Sequence[Mapping[str, Any]], texts: Sequence[str], system: str, **further: Any) -> Answers:
        return scoring.answers_of_policy(rows, texts, system)

    def mean_of_runs(self, system: str, runs: Sequence[Result]) -> Result:
        return scoring.pooled(system, runs)

    def blocks(self, results: Sequence[Result], measure: str = "") -> list[ScoreBlock]:
        """As in Table 2, by type of recipe, and further ones."""
        every = [ItemGroup("")]
        return [
            ScoreBlock(every, MAIN),
            ScoreBlock(every, RECIPES, title="Success by type of recipe", name="_recipes"),
            ScoreBlock(every, MORE, title="Giving up, invalid turns, and actions (moves and smelts)", name="_more"),
        ]

    def shown(self, result: Result, measure: str = "") -> Result:
        return replace(result, scores=told(result))

    def settings_of(self, result: Result) -> Mapping[str, str]:
        return {"Tools": letters(result)}

    def item_record(self, row: Mapping[str, Any], item: Mapping[str, Any], prediction: str) -> dict[str, Any]:
        """`right`, whether the episode succeeds; its numbers of turns, and those of the gold plan; the turns."""
        return {
            "target": row["target"],
            "right": bool(item["success"]),
            **{name: value for name, value in item.items() if name not in ("id", "success")},
            "turns_taken": json.loads(prediction)["turns"] if prediction else [],
        }

    def legend(self, results: Sequence[Result]) -> list[str]:
        return [LEGEND]

    def notes_on(self, result: Result) -> list[str]:
        return played(result)

    def tables(self, report: Report) -> list[ScoreTable]:
        return tables.tables(report)

    def remarks(self, report: Report, paper: bool = True) -> list[str]:
        sentences = [LEGEND]
        for test in report.tests:
            for _, result in report.on(test):
                missing = [missing_items(self, result)] if result.missing else []
                sentences.append(f"{result.name} on {test.title}: {', '.join([*played(result), *missing])}")
            if (score := giving_up(test)) is not None:
                sentences.append(f"Who gives up every task of {test.title} has an impossible F1 of {score:.2f}.")
        if paper and any(test.key == ("plancraft", "test") for test in report.tests):
            sentences += [_SOURCES, f"{LLAMA_NOTE}."]
        return sentences


def played(result: Result) -> list[str]:
    """Return how a system played: its tools, settings, and how many episodes."""
    # The settings of the run, as far as its file has them.
    facts = result.facts
    parts = [f"tools {letters(result)}", f"{facts.get('max_steps', 30)} turns", f"reading {facts.get('reading')}"]
    if "few_shot" in facts:
        parts.append("two examples" if facts["few_shot"] else "no examples")
    for name, text in (("window", "window {}"), ("temperature", "temperature {}")):
        if name in facts:
            parts.append(text.format(facts[name]))
    # How many episodes were scored, of all runs.
    runs = result.runs or [result]
    episodes = sum(len(run.counted_items) for run in runs)
    unfinished = sum(item["unfinished"] for run in runs for item in run.counted_items)
    parts.append(f"{counted(episodes, 'episode')} of {counted(len(runs[0].counted_items), 'task')}")
    if result.runs:
        parts.append("scores of all episodes")
    if unfinished:
        parts.append(f"{counted(unfinished, 'episode')} without an end")
    return parts


def giving_up(test: ScoredSplit) -> float | None:
    """Return the impossible F1 of giving up every task; None without impossible tasks."""
    impossible = sum(bool(row["impossible"]) for row in test.rows)
    return 2 * impossible / (len(test.rows) + impossible) if impossible else None


SCORES = PlancraftScores()
