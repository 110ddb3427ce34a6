"""The scores of Architect generation: what a Builder built on the words, in tables, tests, reports and files."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bap_v2_dataset.evaluation.results import Answers, Report, Result, ScoredSplit
from bap_v2_dataset.evaluation.runs import SystemPredictions
from bap_v2_dataset.evaluation.scores import N_ITEMS, PLAIN, ItemGroup, Score, ScoreBlock, Scores, cells
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tables.cells import Line, ScoreTable
from bap_v2_dataset.tasks.architect import built
from bap_v2_dataset.tasks.architect.rows import is_cut, spoken
from bap_v2_dataset.tasks.architect.scorer import SCORER
from bap_v2_dataset.tasks.building.paper import ROWS
from bap_v2_metric.counts import Counts

_SCORES = (
    Score("reads_f1", "Reads F1", tested=True, reported=True),
    Score("reads_precision", "Reads precision"),
    Score("reads_recall", "Reads recall"),
    Score("progress", "Progress", tested=True, reported=True),
    Score("right_actions", "Right actions", PLAIN),
    Score("built", "Built"),
)
LEGEND = (
    "Reads: what the Builder built on these words, against what was built in the game. Progress: the share of its net "
    "actions that is right with regard to the target, wherever that fits best. Right actions: of an item, on average. "
    "Built: items in which it did anything."
)


class ArchitectScores(Scores):
    scorer = SCORER
    name = "architect"
    headline = "reads_f1"

    def answers(self, rows: Sequence[Mapping[str, Any]], texts: Sequence[str], system: str, **further: Any) -> Answers:
        """With the actions of the Builder that reads the words; `built_by`: by system who that is."""
        return Answers(system, texts, *built.scored_predictions(rows, texts, system, **further))

    def is_read(self, item: Mapping[str, Any], text: str) -> bool:
        return bool(spoken(text))

    def prepared_for(
        self,
        files: Sequence[SystemPredictions],
        baselines: Sequence[str],
        options: Mapping[str, Any],
        read: Callable[[Sequence[str]], Sequence[SystemPredictions]],
    ) -> tuple[Sequence[SystemPredictions], Mapping[str, Any]]:
        """Return the files, and the Builders that read the words of the systems."""
        if "builder_items" in options and len(files) + len(baselines) != 1:
            raise PredictionError("--builder-items is for one file or one baseline: write those of others apart")
        systems = [*(file.system for file in files), *baselines]
        return files, {"built_by": built.read_built(options.get("built", ()), systems, read)}

    def extra_outputs(
        self, test: ScoredSplit, results: Sequence[Result], options: Mapping[str, Any]
    ) -> Mapping[Path, bytes]:
        """Return the items in which a Builder reads the words."""
        if (path := options.get("builder_items")) is None:
            return {}
        return {path: built.builder_items(test, results[0])}

    def blocks(self, results: Sequence[Result], measure: str = "") -> list[ScoreBlock]:
        groups = [ItemGroup(title, prefix, tested=not prefix) for prefix, title in ROWS.items()]
        return [ScoreBlock(groups, (N_ITEMS, *_SCORES), "Board")]

    def item_record(self, row: Mapping[str, Any], item: Mapping[str, Any], prediction: str) -> dict[str, Any]:
        """`right`, `wrong`, `missed`: net actions of the Builder; `nearer`, `not_nearer`: to the target; the words."""
        counts = Counts.of(item, "fairer")
        return {
            "board": "EB" if item["empty_board"] else "NEB",
            "right": counts.tp,
            "wrong": counts.fp,
            "missed": counts.fn,
            "nearer": item["progress"]["right"],
            "not_nearer": item["progress"]["wrong"],
            "utterances": spoken(prediction),
        }

    def legend(self, results: Sequence[Result]) -> list[str]:
        return [LEGEND, "EB, NEB: items that start from an empty, a non-empty board."]

    def notes_on(self, result: Result) -> list[str]:
        runs = result.runs or [result]
        texts = [text for run in runs for text in run.texts]
        notes = [f"says nothing in {counted(sum(not spoken(text) for text in texts), 'item')}"]
        if cut := sum(map(is_cut, texts)):
            notes.append(f"{counted(cut, 'answer')} cut at a line of the Builder")
        if infeasible := sum(run.scores["infeasible_actions"] for run in runs):
            notes.append(counted(infeasible, "infeasible action"))
        return notes

    def how(self, measure: str = "") -> list[str]:
        return ["in percent, right actions excepted; micro-averaged"]

    def tables(self, report: Report) -> list[ScoreTable]:
        """Return all scores by test set and system."""
        lines = [
            Line([test.title, system.title, *cells(result, ItemGroup(""), _SCORES)], opens=not position)
            for test in report.tests
            for position, (system, result) in enumerate(report.on(test))
        ]
        headings = ("Test set", "System", *(score.heading for score in _SCORES))
        return [ScoreTable("architect", "Architect generation", headings, lines, 2)]

    def remarks(self, report: Report, paper: bool = True) -> list[str]:
        return [LEGEND]


SCORES = ArchitectScores()
