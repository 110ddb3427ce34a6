"""Scores of GSU, of items that are added up: means by task, and by group and frame (GSU, 4.1).

Sums are exact: a count is a whole number of units of 2^-80, so the order of the items does not matter.
"""

from collections.abc import Iterable, Mapping, Sequence

from .gsu_items import MEASURES, STRUCTURE
from .scoring import SEED

GSU_VERSION = "1.0.0"  # raised whenever a score can change for the same input
SIGNATURE = f"bap_v2_gsu|version:{GSU_VERSION}|read:last-marker|unparsed:20sqrt(dims)|shapes:equal-first|empty:0/0=1"
Row = tuple[int, ...]  # counts of an item, to be added up
_BITS = 80  # enough for every count above 2^-28 to be exact
_UNIT = 2.0**_BITS


def signature(n_resamples: int = 0, seed: int = SEED, unit: str = "item") -> str:
    """What a published score must name: the version of the rules and, with intervals, how they were resampled.

    >>> signature(n_resamples=1000, unit="cluster").removeprefix(SIGNATURE)
    '|bs:1000|seed:20260|unit:cluster'
    """
    if not n_resamples:
        return SIGNATURE
    return f"{SIGNATURE}|bs:{n_resamples}|seed:{seed}" + (f"|unit:{unit}" if unit != "item" else "")


def aggregate(items: Iterable[Mapping]) -> dict:
    """The scores of items counted by `gsu_items.score_items`.

    Returns:
        For each task that the items have TASK_n_items and TASK_MEASURE of its MEASURES, for structures also
        `structure_composite_spatial` if some have relations: in 0..1, but `distance` in cells. `score`, the mean of
        the items' own; `n_items`; `unparsed`, the number of items of which nothing was read; `groups`, the same by
        "TASK/GROUP" and "TASK/FRAME" without the names of the tasks; and `signature`.

    >>> from .gsu_items import score_items
    >>> reference = {"task": "localization", "frame": "egocentric", "dims": 3, "group": "+y", "answer": "left, front"}
    >>> scores = aggregate(score_items(["Answer: front"], [reference]))
    >>> scores["localization_overlap"], scores["groups"]["localization/+y"]["exact"]
    (0.5, 0.0)
    """
    items = list(items)
    tasks = tasks_of(items)
    result: dict = scores_of(tuple(map(sum, zip(*rows_of(items, tasks)))), tasks) if items else {"score": 0.0}
    members: dict[str, list[Mapping]] = {}
    for item in items:
        for group in {item["group"], item["frame"]}:
            if group:
                members.setdefault(f"{item['task']}/{group}", []).append(item)
    groups = {}
    for name in sorted(members):
        task, of_group = name.split("/")[0], members[name]
        scores = scores_of(tuple(map(sum, zip(*rows_of(of_group, [task])))), [task])
        scores.pop("score")
        groups[name] = {key.removeprefix(f"{task}_"): value for key, value in scores.items()}
        groups[name]["n_items"] = len(of_group)
    for task in tasks:
        result[f"{task}_n_items"] = sum(item["task"] == task for item in items)
    result["n_items"] = len(items)
    result["unparsed"] = sum(item["unparsed"] for item in items)
    result["groups"] = groups
    result["signature"] = SIGNATURE
    return result


def tasks_of(items: Sequence[Mapping]) -> list[str]:
    """The tasks of the items, in the order of MEASURES."""
    present = {item["task"] for item in items}
    return [task for task in MEASURES if task in present]


def rows_of(items: Sequence[Mapping], tasks: Sequence[str]) -> list[Row]:
    """Of each item what `scores_of` needs of it, to be added up: zeros for the tasks that it is not of."""
    starts, width = {}, 2
    for task in tasks:
        starts[task] = width
        width += 1 + len(_names(task))
    rows = []
    for item in items:
        task = item["task"]
        counts = (item["n"], *(_exact(item[name]) for name in _names(task)))
        before, start = (item["n"], _exact(item["score"])), starts[task]
        rows.append((*before, *(0,) * (start - 2), *counts, *(0,) * (width - start - len(counts))))
    return rows


def scores_of(sums: Row, tasks: Sequence[str]) -> dict[str, float]:
    """The scores of summed rows; without those of tasks that have no items in the sums."""
    scores = {"score": _mean(sums[1], sums[0])}
    start = 2
    for task in tasks:
        names = _names(task)
        n, *counts = sums[start : start + 1 + len(names)]
        start += 1 + len(names)
        if not n:
            continue
        for name, count in zip(MEASURES[task], counts):
            scores[f"{task}_{name}"] = _mean(count, n)
        if task == STRUCTURE and (n_composite := counts[-2] >> _BITS):
            scores["structure_composite_spatial"] = _mean(counts[-1], n_composite)
    return scores


def _names(task: str) -> tuple[str, ...]:
    return (*MEASURES[task], "composite", "composite_spatial") if task == STRUCTURE else MEASURES[task]


def _exact(count: float) -> int:
    return count << _BITS if isinstance(count, int) else int(count * _UNIT)


def _mean(count: int, n: int) -> float:
    return count / (n << _BITS) if n else 0.0
