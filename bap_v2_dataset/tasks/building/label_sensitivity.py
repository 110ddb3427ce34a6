"""How much scores, and the ranks of systems, depend on the labels of the human test set.

Of the test sets that different labels give, `published` is that of the labels that scores are printed with; `a` and `b`
are those of each annotator alone; `intersection` has the items that both keep with the same structure, those of several
interpretations only where both say so; `all` has all items as they were recorded, as before labels (`mdc`). With `+3`
the grade 3 of the second annotator counts as clear.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

from rich.console import Group
from rich.text import Text

from bap_v2_dataset.evaluation.results import Answers, Resampling, Result, mean_of_runs, paired_test, scored
from bap_v2_dataset.evaluation.runs import SystemPredictions
from bap_v2_dataset.evaluation.scoring import baseline_predictions, check_names, clusters_of
from bap_v2_dataset.evaluation.test_sets import scored_rows, split_rows
from bap_v2_dataset.human.game_store import mdc_games
from bap_v2_dataset.items.item import Item
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.labels.agreement import annotators_of
from bap_v2_dataset.labels.clean_test import clean_test
from bap_v2_dataset.labels.label import AnnotationError, Label, key_of
from bap_v2_dataset.labels.label_file import OUR_LABELS, labels_file, read_labels
from bap_v2_dataset.predictions.answered_rows import matched
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tables.fitted import WordTable
from bap_v2_dataset.tasks.building.task import BUILDING
from bap_v2_metric.scoring import SCORER

SCORE = "fairer_f1"


@dataclass(frozen=True)
class Sensitivity:
    """The results of all systems on each test set that labels give."""

    results: dict[str, list[Result]]  # by the name of the labels; the systems in the same order
    sizes: dict[str, tuple[int, int]]  # items of the set, and how many of them were scored
    swaps: list[dict[str, Any]]  # pairs of systems that change places
    unit: str  # that resamples draw

    def to_dict(self) -> dict[str, Any]:
        """Return what `--format json` prints."""
        labels = {}
        for name, results in self.results.items():
            intervals = [list(result.intervals[SCORE]) if SCORE in result.intervals else None for result in results]
            systems = {
                result.name: {SCORE: result.scores[SCORE], "interval": interval}
                for result, interval in zip(results, intervals)
            }
            items, n_scored = self.sizes[name]
            labels[name] = {"items": items, "scored": n_scored, "systems": systems}
        return {"score": SCORE, "unit": self.unit, "labels": labels, "swaps": self.swaps}


def label_sensitivity(
    files: Sequence[SystemPredictions],
    baselines: Sequence[str],
    names: Sequence[str],
    resampling: Resampling,
    partial: bool = False,
) -> Sensitivity:
    """Return the scores on the test set of each of these labels.

    A prediction answers an item, whatever its labels: the input is the same, only the structure that counts may differ.
    Predictions for `mdc` answer every set. Those for `mdc_v2` lack items that other labels keep.

    Args:
        names: as for `label_sets`.
        partial: score each set on the items that all files answer, instead of refusing files that lack some.
    Raises:
        PredictionError: for files that lack items, and unknown baselines.
        AnnotationError: for unknown labels.
    """
    # The predictions of all systems, for any labels
    check_names(files, baselines)
    rows = scored_rows(split_rows("mdc", "test"))
    items = list(mdc_games().items("test"))
    answers = {(name, name): dict(zip((one["id"] for one in rows), baseline_predictions(name, rows, BUILDING)))
               for name in baselines}  # fmt: skip
    answered = {file.label: file.predictions for file in files}
    predictions = {**{(file.system, file.label): file.predictions for file in files}, **answers}
    results, sizes = {}, {}
    unit = resampling.unit or BUILDING.default_unit("mdc_v2")
    how = replace(resampling, unit=unit)
    for name, kept in label_sets(items, names).items():
        # The items of these labels
        taken = kept
        if partial:
            taken = tuple(item for item in kept if all(item.item_id in texts for texts in answered.values()))
            if not taken:
                raise PredictionError(f"no item of the labels {name} is answered by all files: score them separately")
        ids = [item.item_id for item in taken]
        taken_rows = list(map(row, taken))
        references = list(map(SCORER.reference_of, taken_rows))
        clusters = clusters_of(taken_rows, unit, BUILDING, f"labels {name}") if resampling.n else None

        # The results of each system on them, the mean of several runs
        runs: dict[str, list[Result]] = {}
        for (system, label), texts in predictions.items():
            own = {key: texts[key] for key in ids if key in texts}
            try:
                matching = matched(own, ids, label, where=f"the test set of the labels {name}")
            except PredictionError as error:
                raise PredictionError(
                    f"{error}; predict for mdc, whose test set has all items, or pass --partial"
                ) from None
            result = scored(Answers(label, matching, matching), references, SCORER, how, clusters)
            runs.setdefault(system, []).append(result)
        results[name] = [same[0] if len(same) == 1 else mean_of_runs(system, same) for system, same in runs.items()]
        sizes[name] = (len(kept), len(taken))
    return Sensitivity(results, sizes, _swaps(results, resampling), unit)


def _swaps(results: dict[str, list[Result]], resampling: Resampling) -> list[dict[str, Any]]:
    """The pairs of systems of which one leads with some labels and the other with others, and how sure that is."""
    systems = len(next(iter(results.values()), []))
    swaps = []
    for first, second in combinations(range(systems), 2):
        leads = {name: them[first].scores[SCORE] - them[second].scores[SCORE] for name, them in results.items()}
        if min(leads.values()) < 0 < max(leads.values()):
            sure = {}
            if resampling.n:
                tests = {name: paired_test(SCORER, them[first], them[second], resampling)[SCORE]
                         for name, them in results.items()}  # fmt: skip
                sure = {name: test["p_value"] for name, test in tests.items() if "p_value" in test}
            one = next(iter(results.values()))
            swaps.append({"systems": [one[first].name, one[second].name], "difference": leads, "p": sure})
    return swaps


def sensitivity_table(sensitivity: Sensitivity, title: str = "") -> Group:
    """Fairer F1 by system and labels, with ranks, and the pairs that change places."""
    # A column for each system
    table = WordTable(title=title or None)
    table.add_column("Labels")
    names = [result.name for result in next(iter(sensitivity.results.values()))]
    table.add_column("Items", justify="right")
    for name in names:
        table.add_column(name, justify="right")

    # A line for each set of labels, with ranks if there are several systems
    for labels, results in sensitivity.results.items():
        size, taken = sensitivity.sizes[labels]
        order = sorted(-round(result.scores[SCORE], 9) for result in results)
        cells = []
        for result in results:
            score = 100 * result.scores[SCORE]
            interval = result.intervals.get(SCORE)
            shown = f"{score:.1f}" + (f" [{100 * interval[0]:.1f}, {100 * interval[1]:.1f}]" if interval else "")
            rank = order.index(-round(result.scores[SCORE], 9)) + 1
            cells.append(f"{shown} #{rank}" if len(results) > 1 else shown)
        table.add_row(labels, f"{taken:,}" if taken == size else f"{taken:,} of {size:,}", *cells)
    over = [f"{labels} over {results[0].drawn}" for labels, results in sensitivity.results.items() if results[0].drawn]
    return Group(table, Text(_remark(sensitivity)), *([Text(f"Intervals: {', '.join(over)}.")] if over else []))


def _remark(sensitivity: Sensitivity) -> str:
    systems = len(next(iter(sensitivity.results.values()), []))
    if systems < 2:
        return f"{SCORE}, percent."
    if not sensitivity.swaps:
        return f"{SCORE}, percent; # is the rank. No two systems change places."
    lines = [f"{SCORE}, percent; # is the rank. {counted(len(sensitivity.swaps), 'pair')} of systems change places:"]
    for swap in sensitivity.swaps:
        first, second = swap["systems"]
        parts = ", ".join(
            f"{name} {100 * lead:+.1f}" + (f" (p {swap['p'][name]:.2f})" if name in swap["p"] else "")
            for name, lead in swap["difference"].items()
        )
        lines.append(f"{first} against {second}: {parts}")
    return "\n".join(lines)


LABEL_SETS = ("published", "published+3", "a", "b", "b+3", "intersection", "all")


def label_sets(items: Sequence[Item], names: Sequence[str] = LABEL_SETS) -> Mapping[str, tuple[Item, ...]]:
    """Return the items of each test set, in order.

    Args:
        items: all test items, those of a game in order.
        names: of LABEL_SETS, or files of labels.
    Raises:
        AnnotationError: for a name that is neither, and labels that do not fit the items.
    """
    return {name: _items_of(name, items) for name in dict.fromkeys(names)}


def _items_of(name: str, items: Sequence[Item]) -> tuple[Item, ...]:
    if name == "all":
        return tuple(items)
    if name == "published+3":
        return clean_test(items, _fitting(_with_grade_3(), items)).items
    if name in LABEL_SETS[2:]:
        annotators = annotators_of(OUR_LABELS, 2 if name == "b+3" else 3)
        first, second = (clean_test(items, _fitting(labels, items)).items for labels in annotators)
        return {"a": first, "b": second, "b+3": second}.get(name) or _shared(first, second)
    path = OUR_LABELS if name == "published" else labels_file(name)
    if not Path(path).is_file():
        raise AnnotationError(f"labels {name!r}: expected one of {', '.join(LABEL_SETS)}, or a file of labels")
    return clean_test(items, read_labels(path)).items


def _with_grade_3() -> list[Label]:
    """Return our labels, those of the first annotator for items that are unclear only by the second one's grade 3."""
    labels = []
    for ours, first, second in zip(read_labels(OUR_LABELS), *annotators_of(OUR_LABELS, 2), strict=True):
        contexts = (first.context, second.context)
        if ours.context == "unclear" and "unclear" not in contexts:
            ours = replace(first, context="multiple" if "multiple" in contexts else "unique")
        labels.append(ours)
    return labels


def _fitting(labels: Sequence[Label], items: Sequence[Item]) -> list[Label]:
    """Return the labels of one annotator, with several interpretations only on empty boards, as `check_fit` asks."""
    empty = {key_of(item) for item in items if not item.before}
    return [
        replace(label, context="unique") if label.context == "multiple" and label.key not in empty else label
        for label in labels
    ]


def _shared(first: Sequence[Item], second: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items of both that end with the same structure."""
    others = {item.item_id: item for item in second}
    shared = []
    for item in first:
        other = others.get(item.item_id)
        if other is not None and set(other.after) == set(item.after):
            both = item.interpretations == other.interpretations
            shared.append(item if both else replace(item, interpretations="unique"))
    return tuple(shared)
