"""The scorer of Plancraft: success, efficiency and how well impossible tasks are found, of what `counts` counts.

Success and length are those of solvable tasks alone (Dagan et al. 2025, 4.1). The tables of the paper count all turns;
its text counts actions: both are given.
"""

from collections.abc import Mapping, Sequence

from bap_v2_dataset.tasks.plancraft.counts import (
    COUNTED,
    PREDICTION,
    RECIPE_TYPES,
    REFERENCE,
    SOLVABLE,
    check_items,
    score_items,
)
from bap_v2_metric.resampling import SEED, Row, Statistics
from bap_v2_metric.scorer import Scorer, signed
from bap_v2_simulators.plancraft.turns import MAX_STEPS, TOOLS, letters_of, tools_of

PLANCRAFT_VERSION = "1.0.1"  # raised whenever a score can change for the same input
SIGNATURE = f"bap_v2_plancraft|version:{PLANCRAFT_VERSION}|bins:01,2,34,5|success:target-outside-[0]|ae:solved|f1:0/0=0"
SCORES = (
    "success",
    *(f"{difficulty}_success" for difficulty in SOLVABLE),
    *(f"{kind}_success" for kind in RECIPE_TYPES),
    "impossible_precision",
    "impossible_recall",
    "impossible_f1",
    "turns",
    "plan_length",
    "ae_turns",
    "ae",
    *COUNTED,
    "tokens",
)
TESTED = ("success", "impossible_f1", "ae", "ae_turns")
# The columns of a row: of solvable tasks, of those that were solved, and of impossible ones.
_SOLVABLE = ("n", "success", "turns", "actions", *COUNTED, "tokens", "n_with_tokens", "gave_up")
_GROUPS = (*SOLVABLE, *RECIPE_TYPES)
_SOLVED = ("turns", "actions", "oracle_length")
_COLUMNS = (
    *(("solvable", name) for name in _SOLVABLE),
    *((group, name) for group in _GROUPS for name in ("n", "success")),
    *(("solved", name) for name in _SOLVED),
    *(("impossible", name) for name in ("n", "gave_up")),
)


def signature(
    n_resamples: int = 0,
    seed: int = SEED,
    unit: str = "item",
    tools: str | Sequence[str] = TOOLS,
    reading: str = "package",
    max_steps: int = MAX_STEPS,
) -> str:
    """What a published score must name: the version of the rules, how turns were read, and how tasks were resampled.

    >>> signature(tools="M S", n_resamples=1000).removeprefix(SIGNATURE)
    '|tools:M+S|turns:30|reading:package|bs:1000|seed:20260|unit:task'
    """
    letters = letters_of(tools_of(tools)).replace(" ", "+")
    text = f"{SIGNATURE}|tools:{letters}|turns:{max_steps}|reading:{reading}"
    return signed(text, n_resamples, seed, "task" if unit == "item" else unit)


def statistics(items: Sequence[Mapping]) -> dict[str, Statistics]:
    """What the scores of episodes counted by `score_items` are made of: a row each, drawn with all runs of its task.

    Solvable and impossible tasks are drawn apart, as many of each as there are.
    """
    rows = list(map(row_of, items))
    impossible = [int(item["difficulty"] == "impossible") for item in items]
    return {"": Statistics(rows, scores_of, len(_COLUMNS), names=[item["id"] for item in items], strata=impossible)}


def numbers(items: Sequence[Mapping], scores: Mapping) -> dict:
    """Return what is not resampled: `n_items` (episodes), `n_tasks`, `n_unfinished` and `signature`."""
    return {
        "n_items": len(items),
        "n_tasks": len({item["id"] for item in items}),
        "n_unfinished": sum(item["unfinished"] for item in items),
        "signature": SIGNATURE,
    }


def row_of(item: Mapping) -> Row:
    """Return what `scores_of` needs of an episode, to be added up: whole numbers from 0."""
    solvable = item["difficulty"] != "impossible"
    tokens = item["tokens"]
    counts: dict[tuple[str, str], int] = {}
    if solvable:
        counts |= {("solvable", name): item[name] for name in ("success", "turns", "actions", *COUNTED, "gave_up")}
        counts |= {("solvable", "n"): 1, ("solvable", "tokens"): tokens or 0}
        counts["solvable", "n_with_tokens"] = int(tokens is not None)
        for group in (item["difficulty"], item["recipe_type"]):
            counts |= {(group, "n"): 1, (group, "success"): item["success"]}
        if item["success"]:
            counts |= {("solved", name): item[name] for name in _SOLVED}
    else:
        counts |= {("impossible", "n"): 1, ("impossible", "gave_up"): item["gave_up"]}
    return tuple(counts.get(column, 0) for column in _COLUMNS)


def scores_of(sums: Row) -> dict[str, float | None]:
    """Return the scores of summed rows: all SCORES.

    For solvable tasks `success`, in 0..1, also by difficulty and type of recipe; `turns` and `plan_length` (moves and
    smelts), means; `ae_turns` and `ae`, by how many turns, or actions, solved tasks took more than the oracle (below 0:
    fewer); `think`, `search`, `impossible`, `invalid`, the mean number of such turns; `tokens`, the mean, None where
    some are not known. `impossible_precision`, `_recall` and `_f1` of giving up, 0/0 = 0; None without impossible
    tasks. A mean of nothing is None.
    """
    # The sums by name.
    counts = dict(zip(_COLUMNS, sums))
    solvable = {name: counts["solvable", name] for name in _SOLVABLE}
    n, won = solvable["n"], solvable["success"]
    more = {name: counts["solved", name] - counts["solved", "oracle_length"] for name in ("turns", "actions")}
    found, wrong, n_impossible = counts["impossible", "gave_up"], solvable["gave_up"], counts["impossible", "n"]
    # Success, and precision and recall of giving up.
    scores: dict[str, float | None] = {"success": _mean(won, n)}
    # = {"turns"|Means over solvable tasks; of how many turns more than the oracle over solved ones.
    scores |= {f"{group}_success": _mean(counts[group, "success"], counts[group, "n"]) for group in _GROUPS}
    for name, share, of in (
        ("precision", found, found + wrong),
        ("recall", found, n_impossible),
        ("f1", 2 * found, found + wrong + n_impossible),
    ):
        scores[f"impossible_{name}"] = (share / of if of else 0.0) if n_impossible else None
    scores |= {"turns": _mean(solvable["turns"], n), "plan_length": _mean(solvable["actions"], n)}
    scores |= {"ae_turns": _mean(more["turns"], won), "ae": _mean(more["actions"], won)}
    scores |= {kind: _mean(solvable[kind], n) for kind in COUNTED}
    scores["tokens"] = _mean(solvable["tokens"], n) if solvable["n_with_tokens"] == n else None
    return scores


def _mean(total: int, n: int) -> float | None:
    return total / n if n else None


SCORER = Scorer(
    prediction=PREDICTION,
    reference=REFERENCE,
    check_items=check_items,
    score_items=score_items,
    statistics=statistics,
    further=numbers,
    signature=signature,
    described=lambda item: f"an episode of {item['id']}",
    is_tested=lambda key: key in TESTED,
    defaults={"recipe_type": ""},
    options=("tools", "reading", "max_steps"),
)
