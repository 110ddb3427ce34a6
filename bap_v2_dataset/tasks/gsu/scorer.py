"""The scorer of GSU: means by task, and by group and frame, of what is counted in `counts` (GSU, 4.1).

Sums are exact: a count is a whole number of units of 2^-80, so the order of the items does not matter.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from bap_v2_dataset.tasks.gsu.counts import MEASURES, REFERENCE, STRUCTURE, check_items, score_items
from bap_v2_metric.resampling import Row, Statistics, summed
from bap_v2_metric.scorer import Scorer, signed

GSU_VERSION = "1.0.1"  # raised whenever a score can change for the same input
SIGNATURE = f"bap_v2_gsu|version:{GSU_VERSION}|read:last-marker|unparsed:20sqrt(dims)|shapes:equal-first|empty:0/0=1"
_BITS = 80  # enough for every count above 2^-28 to be exact
_UNIT = 2.0**_BITS
signature = partial(signed, SIGNATURE)


def statistics(items: Sequence[Mapping]) -> dict[str, Statistics]:
    """Return what the scores of items counted by `score_items` are made of.

    They are, for each task that the items have, TASK_MEASURE of its MEASURES, for structures also
    `structure_composite_spatial` if some have relations: in 0..1, but `distance` in cells; and `score`, the mean of the
    items' own.
    """
    tasks = tasks_of(items)
    rows = rows_of(items, tasks)
    width = 2 + sum(1 + len(_names(task)) for task in tasks)
    return {"": Statistics(rows, lambda sums: scores_of(sums, tasks), width)}


def numbers(items: Sequence[Mapping], scores: Mapping) -> dict:
    """Return what is not resampled.

    Returns:
        `groups`, the scores by "TASK/GROUP" and "TASK/FRAME" without the names of the tasks, and their `n_items`;
        TASK_n_items and `n_items`; `unparsed`, the number of items of which nothing was read; and `signature`.
    """
    members: dict[str, list[Mapping]] = {}
    for item in items:
        for group in {item["group"], item["frame"]}:
            if group:
                members.setdefault(f"{item['task']}/{group}", []).append(item)
    groups = {}
    for name in sorted(members):
        task, of_group = name.split("/")[0], members[name]
        of_task = scores_of(summed(rows_of(of_group, [task]), 0), [task])
        groups[name] = {key.removeprefix(f"{task}_"): value for key, value in of_task.items() if key != "score"}
        groups[name]["n_items"] = len(of_group)
    result: dict = {f"{task}_n_items": sum(item["task"] == task for item in items) for task in tasks_of(items)}
    result["n_items"] = len(items)
    result["unparsed"] = sum(item["unparsed"] for item in items)
    return result | {"groups": groups, "signature": SIGNATURE}


def tasks_of(items: Sequence[Mapping]) -> list[str]:
    """Return the tasks of the items, in the order of MEASURES."""
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
    """Return the scores of summed rows; without those of tasks that have no items in the sums."""
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


def described(item: Mapping) -> str:
    """Return what is the same of an item for every system: `an item of localization, egocentric, +y`."""
    names = [item.get(name) for name in ("task", "frame", "group")]
    relations = ["with relations"] if item.get("composite") else []
    return f"an item of {', '.join(filter(None, [*names, *relations]))}"


SCORER = Scorer(
    prediction="string",
    reference=REFERENCE,
    check_items=check_items,
    score_items=score_items,
    statistics=statistics,
    further=numbers,
    signature=signature,
    described=described,
    defaults={"group": ""},
)
