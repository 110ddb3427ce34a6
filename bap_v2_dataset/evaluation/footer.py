"""What stands below tables of scores, as sentences: what they mean, what was unusual, and how sure they are."""

from collections.abc import Sequence

from bap_v2_dataset.evaluation.results import RUNS_TEST, Resampling, Result
from bap_v2_dataset.evaluation.scores import Scores
from bap_v2_dataset.sentences import counted


def drawn(scores: Scores, resampling: Resampling, results: Sequence[Result] = ()) -> str:
    """What was drawn: `over items`, `over targets`, `over 39 targets` where results tell how many there are."""
    clusters = next((result.clusters for result in results if result.clusters), None)
    if clusters is not None:
        return f"over {counted(len(set(clusters)), resampling.unit)}"
    return f"over {scores.drawn}" if resampling.unit == "item" else f"over {resampling.unit}s"


def bootstrap(drawn: str, resampling: Resampling) -> str:
    """`95% percentile bootstrap over items, 1,000 resamples, seed 20260`."""
    share, resamples = f"{100 * resampling.confidence:g}%", counted(resampling.n, "resample")
    return f"{share} percentile bootstrap {drawn}, {resamples}, seed {resampling.seed}"


def remark_on_runs(results: Sequence[Result]) -> list[str]:
    """How tests take several runs, if there are any."""
    return [f"{RUNS_TEST}."] if any(result.runs for result in results) else []


def footer(
    scores: Scores, results: Sequence[Result], labels: str, resampling: Resampling, measure: str = ""
) -> list[str]:
    """What stands below the tables of `bap-v2 score`: a line each."""
    lines = scores.legend(results)
    for result in results:
        runs = [f"in {len(result.runs)} runs"] if result.runs else []
        missing = [missing_items(scores, result)] if result.missing else []
        lines.append(f"{result.name}: {', '.join([*runs, *scores.notes_on(result), *missing])}")
        lines += scores.lines_on(result)
    how = scores.how(measure)
    if any(result.runs for result in results):
        how.append("±: standard deviation over the runs")
    if resampling.n:
        how.append(f"intervals: {bootstrap(drawn(scores, resampling, results), resampling)}")
    return [*lines, *(["; ".join(how)] if how else []), f"labels: {labels}"]


def missing_items(scores: Scores, result: Result) -> str:
    """`3 items without a prediction, scored as empty`."""
    return f"{counted(result.missing, scores.item)} without {scores.answer}"
