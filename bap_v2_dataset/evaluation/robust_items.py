"""What is said of single items of the robustness configs, and of those that have something in common."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from bap_v2_dataset.evaluation.error_analysis import Bin, binned
from bap_v2_dataset.evaluation.item_scores import scored_item
from bap_v2_dataset.evaluation.report import Report
from bap_v2_dataset.evaluation.robust_rows import parent_of


def scored_variant(row: Mapping[str, Any], item: Mapping[str, Any], prediction: str) -> dict[str, Any]:
    """What `--per-item` says of an item: of what it is a variant, and what is said of any item.

    `seen` is whether the system can tell the variant from its original, `consistent` whether it answers both alike.
    """
    names = {name: item[name] for name in ("parent", "family", "variant", "seen", "consistent")}
    return names | scored_item(row, item, prediction)


def error_bins(report: Report) -> dict[tuple[str, str], list[Bin]]:
    """The error analysis of every robustness test set: of the rows that all its systems answered.

    Intervals are over originals, or clusters of them: an original and its variants are drawn together.
    """
    how, bins = report.resampling, {}
    for test in report.tests:
        results = [result for _, result in report.on(test)]
        answered = [
            number for number in range(len(test.rows))
            if all(result.items[number]["seen"] is not None for result in results)
        ]  # fmt: skip
        rows = [test.rows[number] for number in answered]
        of_result = next((result.clusters for result in results), None)
        clusters: Sequence[Hashable] = (
            [parent_of(row) for row in rows] if of_result is None else [of_result[number] for number in answered]
        )
        items = [[result.items[number] for number in answered] for result in results]
        bins[test.key] = binned(rows, items, how.n, how.confidence, how.seed, clusters)
    return bins
