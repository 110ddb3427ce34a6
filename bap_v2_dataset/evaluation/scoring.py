"""The scores of systems and baselines on a split: what `bap-v2 score` prints, and `bap-v2 report` for each split."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import TYPE_CHECKING, Any

from bap_v2_dataset.evaluation import test_sets
from bap_v2_dataset.evaluation.results import USUAL_RESAMPLING, Answers, Resampling, Result, ScoredSplit, scored
from bap_v2_dataset.evaluation.runs import SystemPredictions
from bap_v2_dataset.evaluation.scores import Scores
from bap_v2_dataset.evaluation.test_sets import scored_rows
from bap_v2_dataset.interface.task import Task
from bap_v2_dataset.predictions.answered_rows import matched, rows_with_predictions
from bap_v2_dataset.predictions.endings import UNFINISHED
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.sentences import counted
from bap_v2_metric.chat_marks import answer_of
from bap_v2_metric.errors import shortened
from bap_v2_metric.prediction_records import reasons

if TYPE_CHECKING:
    from bap_v2_dataset.loading.own_splits import OwnData


def scored_split(
    task: Task,
    config: str,
    split: str,
    files: Sequence[SystemPredictions],
    baselines: Sequence[str] = (),
    *,
    subset: bool = False,
    partial: bool = False,
    resampling: Resampling = USUAL_RESAMPLING,
    hint: str = "it has",
    data: "OwnData | None" = None,
    **further: Any,
) -> tuple[ScoredSplit, list[Result], list[str]]:
    """Score systems and baselines on one split.

    Args:
        task: of the config, or of the own data; it may read the files in a way of its own.
        files: predictions for its rows; those that were made for another split may have more.
        baselines: names; scored after the files.
        subset: score only the rows that have predictions.
        partial: score rows without a prediction as if it were empty.
        hint: what an error says before the names of the splits that there are.
        data: own data that have the split, in place of a config.
        further: options of the task's own `join_predictions` or `answers`, if it has one.
    Returns:
        The rows, the results in order, and what was left out, as sentences.
    Raises:
        PredictionError: predictions that do not fit the rows, an unknown config, split or baseline, a system and a
            baseline of the same name, `subset` together with `partial`, and rows that do not know the unit of the
            resampling.
    """
    if subset and partial:
        raise PredictionError("--subset and --partial are mutually exclusive: pass one")
    check_names(files, baselines)

    # The rows, and what files and baselines answer.
    scores = task.scores
    test, answers, notes = (scores.join_predictions or join_predictions)(
        task, config, split, files, subset=subset, partial=partial, hint=hint, data=data, **further
    )
    rows = test.rows
    unfinished = {file.label: file.unfinished for file in files}
    for one in answers:
        why = Counter(filter(None, _endings(rows, one.texts, unfinished.get(one.label or one.system, {}))))
        notes += notes_on_thoughts(one, scores)
        share = f"{why.total():,} of {counted(len(rows) - one.missing, 'answer')} not whole"
        notes += [f"{one.label or one.system}: {share}: {_in_words(why)}"] if why else []
    answers += [scores.answers(rows, baseline_predictions(name, rows, task), name, **further) for name in baselines]
    notes = [*dict.fromkeys(note for file in files for note in file.notes), *notes, *scores.notes_on_rows(rows, config)]

    # The score of each answer; runs of one system are one result.
    references = [scores.scorer.reference_of(row) for row in rows]
    resampling = resampling.on(test)
    drawn = scores.cluster_keys(rows)
    clusters = clusters_of(drawn, resampling.unit, task, f"{config}, {split}") if resampling.n else None
    runs: dict[str, list[Result]] = {}
    for one in answers:
        result = scored(one, references, scores.scorer, resampling, clusters, test.signed)
        for item, marks in zip(result.items, one.marks):
            item.update(marks)
        told = unfinished.get(one.label or one.system, {})
        warnings = [] if one.system in baselines else warnings_on(test, result, told)
        runs.setdefault(one.system, []).append(replace(result, warnings=warnings))
    results = [same[0] if len(same) == 1 else scores.mean_of_runs(system, same) for system, same in runs.items()]
    return test, results, notes


def baseline_predictions(name: str, rows: Sequence[Mapping], task: Task) -> list[str]:
    """Return what a baseline predicts for each row. Raises: PredictionError for an unknown name."""
    if name not in task.baselines:
        known = ", ".join(task.baselines) or "none: this task has no baselines"
        raise PredictionError(f"unknown baseline {name!r} (expected one of {known})")
    return list(map(task.baseline(name), rows))


def clusters_of(rows: Sequence[Mapping], unit: str, task: Task, title: str) -> list[Hashable] | None:
    """Return for each row what it is drawn with; None where items are drawn.

    Items about one target are not independent: who understands the words of one structure in one game is likely to do
    so in another.

    Args:
        unit: "item", or one of the task's `units`.
        title: of the test set, for errors.
    Raises:
        PredictionError: the task, or a row, does not know this unit.
    """
    if unit == "item":
        return None
    fix = "resample items (unit item)"
    if unit not in task.units:
        raise PredictionError(f"{title}: unit {unit}: items of this task have no {unit}: {fix}")
    clusters = [task.unit_of(unit, row) for row in rows]
    if None in clusters:
        item = rows[clusters.index(None)]["id"]
        raise PredictionError(f"{title}: unit {unit}: the item {item} has no {unit}: fill its column {unit}, or {fix}")
    return clusters


def join_predictions(
    task: Task, config: str, split: str, files: Sequence[SystemPredictions], *, subset: bool, partial: bool, hint: str,
    data: "OwnData | None", **further: Any,
) -> tuple[ScoredSplit, list[Answers], list[str]]:  # fmt: skip
    """Return the rows of a split that are scored, the answers of files to them, and what was left out, as sentences.

    Arguments and errors as for `scored_split`.
    """
    rows: Sequence[Mapping] = scored_rows(data.splits[split] if data else test_sets.split_rows(config, split, hint))
    n_rows, notes = len(rows), []
    ids = [row["id"] for row in rows]

    # A file for another split may have more rows, and a subset fewer.
    predictions = {file.source: file.predictions for file in files}
    for file in files:
        if file.config != config:
            predictions[file.source] = {key: file.predictions[key] for key in ids if key in file.predictions}
    if subset and predictions:
        rows = rows_with_predictions(rows, predictions)
        ids = [row["id"] for row in rows]
        inside = set(ids)
        if left_out := len(next(iter(predictions.values())).keys() - inside):
            notes.append(f"{config}, {split}: left out {counted(left_out, 'prediction')} of items that it lacks")
        predictions = {name: {key: texts[key] for key in texts.keys() & inside} for name, texts in predictions.items()}

    # Answers in the order of the rows.
    answers = []
    for file in files:
        answered = predictions[file.source]
        texts = matched(answered, ids, file.source, partial, f"{config}, {split}", file.missing)
        one = task.scores.answers(rows, texts, file.system, **further)
        answers.append(one._replace(label=file.label, missing=len(ids) - len(answered)))
    return ScoredSplit(task, config, split, rows, n_rows, data.source if data else ""), answers, notes


def warnings_on(test: ScoredSplit, result: Result, unfinished: Mapping[str, str] | None = None) -> list[str]:
    """Return a sentence if nothing could be read of most answers; items without a prediction have none.

    Args:
        unfinished: by row id, why an answer is not whole, as far as its file says; None: there is no file.
    """
    # The answers of which nothing could be read, and why they are not whole.
    scores = test.task.scores
    answered = len(result.items) - result.missing
    unread = [not scores.is_read(item, text) for item, text in zip(result.items, result.texts)]
    why = Counter(filter(None, compress(_endings(test.rows, result.texts, unfinished or {}), unread)))
    texts = Counter(compress(result.texts, unread))
    texts[""] = max(0, texts[""] - result.missing)  # which are scored as empty
    if 2 * texts.total() <= answered:
        return []
    # What there is to do follows from the reasons, if most have one.
    start = f"{result.name}: nothing could be read of {texts.total():,} of {counted(answered, 'answer')}"
    if 2 * why.total() > texts.total():
        more = why["length"] or why["thoughts"]
        fix = "Ask again with more tokens (`bap-v2 predict --max-new-tokens`)" if more else "Look at the answers"
        return [f"{start}: {_in_words(why)}. {fix}"]
    text, times = texts.most_common(1)[0]
    field = "" if unfinished is None else ", and at the field that they are read from (--prediction-field)"
    most = f"Most frequent ({counted(times, 'time')}): {shortened(text)}"
    return [f"{start}. {most}. Expected: {scores.expected}. Look at the answers{field}"]


def _endings(rows: Sequence[Mapping], texts: Sequence[Any], unfinished: Mapping[str, str]) -> list[str]:
    """Return for each row why its answer is not whole, as its file says, or as its text is thoughts alone; or ""."""
    alone = (isinstance(text, str) and bool(text.strip()) and not answer_of(text).strip() for text in texts)
    return [unfinished.get(row["id"]) or "thoughts" * thinks for row, thinks in zip(rows, alone)]


def _in_words(endings: Counter) -> str:
    return reasons(UNFINISHED[why] for why in endings.elements())


def notes_on_thoughts(answers: Answers, scores: Scores) -> list[str]:
    """Return a sentence if answers of a system seem to hold thoughts in marks that are not known."""
    marks = Counter(filter(None, map(scores.unknown_thoughts, answers.texts)))
    if not marks:
        return []
    return [
        f"{answers.label or answers.system}: {counted(marks.total(), 'prediction')} of {len(answers.texts):,} "
        f"{'seem' if marks.total() > 1 else 'seems'} to hold thoughts in marks that are not known, such as "
        f"{marks.most_common(1)[0][0]}: they were read as answers; leave the thoughts out of the file"
    ]


def check_names(files: Sequence[SystemPredictions], baselines: Sequence[str]) -> None:
    """Raise PredictionError for a system and a baseline of the same name."""
    for name in baselines:
        if any(file.system == name for file in files):
            raise PredictionError(f"a system and a baseline are both called {name}: name the file, NAME=FILE")
