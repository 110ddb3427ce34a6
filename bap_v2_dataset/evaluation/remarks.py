"""What a reader needs to judge the tables of a report, as sentences."""

from bap_v2_dataset.evaluation import score_tables
from bap_v2_dataset.evaluation.paper_tables import input_name
from bap_v2_dataset.evaluation.report import Report
from bap_v2_dataset.evaluation.resampling_units import over
from bap_v2_dataset.evaluation.robust_remarks import LEGEND, unseen_sentences
from bap_v2_dataset.evaluation.robust_values import over_originals
from bap_v2_dataset.predictions.model_records import LEARNED_BUILDERS
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tasks import BASE_OF_ROBUST, TASKS, part


def remarks(report: Report, paper: bool = True) -> list[str]:
    """Everything that a reader needs to judge the tables, as sentences.

    Args:
        paper: whether numbers of the paper stand in them.
    """
    sentences = list(report.notes)
    for system in report.systems:
        parts = []
        if system.model:
            kind = LEARNED_BUILDERS.get(system.model_type or "")
            parts.append(f"model {system.model}" + (f", a {kind}" if kind else ""))
        if system.train:
            items = f"{system.train_items:,} items of " if system.train_items else ""
            parts.append(f"trained on {items}{', '.join(system.train)}")
        elif not system.baseline:
            parts.append("training data unknown (no training_run.json)")
        if system.representation:
            parts.append(f"input {input_name(system.representation)}")
        if system.seeds:
            parts.append(f"seed{'s' if len(system.seeds) > 1 else ''} {', '.join(map(str, system.seeds))}")
        if system.baseline:
            parts.append("a baseline of this project")
        sentences.append(f"{system.name}: {'; '.join(parts)}")
    for test in report.tests:
        sentences.append(f"Labels of {test.title}: {test.labels}")
        for system, result in report.on(test):
            runs = result.runs or [result]
            kinds = (
                ("unparsed_lines", "unparsed line"),
                ("infeasible_actions", "infeasible action"),
                ("unparsed", "unparsed answer"),
            )
            numbers = [(sum(run.scores.get(key, 0) for run in runs), noun) for key, noun in kinds]
            unusual = [counted(number, noun) for number, noun in numbers if number]
            if result.missing:
                unusual.append(f"{counted(result.missing, 'item')} without a prediction, scored as empty")
            if unusual or result.runs:
                mean = [f"the mean of {len(runs)} runs, ± their standard deviation"] if result.runs else []
                sentences.append(f"{system.name} on {test.title}: {', '.join([*mean, *unusual])}")
            if test.config in BASE_OF_ROBUST:
                sentences += unseen_sentences(result)
    if report.of_task(TASKS["bap"]).tests:
        if paper and not all(test.source for test in report.tests):  # own data are not compared with the paper
            sentences.append(
                "Source ours: computed here. Source paper: as reported, under its authors' labels of the human test "
                "items and on its authors' synthetic games, which were not released; ours follow the same recipe."
            )
        sentences += [
            f"{score_tables.LEGEND}.",
            "F1 in percent, micro-averaged over items.",
        ]
    robust = report.of_task(TASKS["robust"]).tests
    if robust:
        sentences += [LEGEND, "The worst variants are chosen once, not in each resample."]
    for task in TASKS.values():
        if task.remarks and (own := report.of_task(task)).tests:
            sentences += part(task.remarks)(own, paper)
    if report.resampling.n:
        sentences.append(
            f"Intervals: {100 * report.resampling.confidence:g}% percentile bootstrap {_drawn(report)}, "
            f"{counted(report.resampling.n, 'resample')}, seed {report.resampling.seed}."
        )
    return sentences


def _drawn(report: Report) -> str:
    """`over items`; with another unit how many there are in each test set: `over targets (mdc_v2: 39, dss: 500)`."""
    clusters = {test.title: result.clusters for test in report.tests for _, result in report.on(test)}
    sizes = [f"{title}: {len(set(names)):,}" for title, names in clusters.items() if names]
    drawn = dict.fromkeys(
        over_originals(report.resampling) if test.config in BASE_OF_ROBUST else over(report.resampling)
        for test in report.tests
    )
    return " or ".join(drawn) + (f" ({', '.join(sizes)})" if sizes else "")
