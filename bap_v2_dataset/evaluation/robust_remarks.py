"""What a reader needs to judge tables of robust scores, as sentences."""

from collections import Counter
from collections.abc import Sequence

from bap_v2_dataset.evaluation.robust_values import over_originals
from bap_v2_dataset.evaluation.scoring import Resampling, Result
from bap_v2_dataset.robustness.families import FAMILIES
from bap_v2_dataset.sentences import counted
from bap_v2_metric.robust_scores import PLAIN

LEGEND = (
    "Robust F1: the worst of each item and its variants; degradation: the share of the standard F1 that is lost; rank: "
    "of the families by degradation, 1 loses most; consistency: answers that follow from the one to the original."
)


def unseen_sentences(result: Result) -> list[str]:
    """A sentence where variants are left out for a system that cannot tell them from their originals."""
    total = Counter(item["family"] for item in result.items if item["family"] and item.get("seen", True) is not None)
    unseen = Counter(item["family"] for item in result.items if item.get("seen") is False)
    if not unseen:
        return []
    parts = [f"{family} {unseen[family]:,} of {total[family]:,}" for family in FAMILIES if unseen[family]]
    return [f"{result.name}: not seen and left out, for the prompt is that of the original: {', '.join(parts)}"]


def remarks_on(results: Sequence[Result], labels: str, resampling: Resampling, measure: str = PLAIN) -> list[str]:
    """What stands below the tables of `bap-v2 score`: a line each."""
    lines = [LEGEND]
    for result in results:
        runs = result.runs or [result]
        unparsed, infeasible = (
            sum(run.scores[name] for run in runs) for name in ("unparsed_lines", "infeasible_actions")
        )  # fmt: skip
        notes = [f"in {len(runs)} runs"] if result.runs else []
        notes += [counted(unparsed, "unparsed line"), counted(infeasible, "infeasible action")]
        if result.missing:
            notes.append(f"{counted(result.missing, 'item')} without a prediction, scored as empty")
        lines += [f"{result.name}: {', '.join(notes)}", *unseen_sentences(result)]
    how = f"{measure} F1 in percent, micro-averaged" if measure != PLAIN else "Fairer F1 in percent, micro-averaged"
    if measure != PLAIN:
        how += ", on the variants that are worst for fairer F1"
    if any(result.runs for result in results):
        how += "; ±: standard deviation over the runs"
    if resampling.n:
        drawn = over_originals(resampling, results)
        how += (
            f"; intervals: {100 * resampling.confidence:g}% percentile bootstrap {drawn}, "
            f"{counted(resampling.n, 'resample')}, seed {resampling.seed}; the worst variants are chosen once"
        )
    return [*lines, how, f"labels: {labels}"]
