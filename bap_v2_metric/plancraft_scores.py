"""Scores of Plancraft, of episodes that are added up: success, efficiency and how well impossible tasks are found.

Success and length are those of solvable tasks alone (Dagan et al. 2025, 4.1). The tables of the paper count all turns;
its text counts actions: both are given.
"""

from collections.abc import Iterable, Mapping, Sequence

from .plancraft_items import COUNTED, MAX_STEPS, RECIPE_TYPES, SOLVABLE
from .plancraft_turns import TOOLS, letters_of, tools_of
from .scoring import SEED

PLANCRAFT_VERSION = "1.0.0"  # raised whenever a score can change for the same input
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
Row = tuple[int, ...]  # counts of an episode, to be added up
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
    if not n_resamples:
        return text
    return f"{text}|bs:{n_resamples}|seed:{seed}|unit:{'task' if unit == 'item' else unit}"


def aggregate(items: Iterable[Mapping]) -> dict:
    """The scores of episodes counted by `plancraft_items.score_items`.

    Returns:
        For solvable tasks `success`, in 0..1, also by difficulty and type of recipe; `turns` and `plan_length` (moves
        and smelts), means; `ae_turns` and `ae`, by how many turns, or actions, solved tasks took more than the oracle
        (below 0: fewer); `think`, `search`, `impossible`, `invalid`, the mean number of such turns; `tokens`, the mean,
        None where some are not known. `impossible_precision`, `_recall` and `_f1` of giving up, 0/0 = 0; None without
        impossible tasks. A mean of nothing is None. `n_items` (episodes), `n_tasks`, `n_unfinished` and `signature`.

    >>> from .plancraft_items import score_items
    >>> task = {"id": "VAL0", "impossible": True, "complexity_bin": 5, "oracle_length": 0, "recipe_type": None}
    >>> scores = aggregate(score_items([{"turns": ["impossible: no iron"], "success": True}], [task]))
    >>> scores["impossible_f1"], scores["success"]
    (1.0, None)
    """
    items = list(items)
    result: dict = scores_of(tuple(map(sum, zip(*map(row_of, items)))) if items else (0,) * len(_COLUMNS))
    result["n_items"] = len(items)
    result["n_tasks"] = len({item["id"] for item in items})
    result["n_unfinished"] = sum(item["unfinished"] for item in items)
    result["signature"] = SIGNATURE
    return result


def row_of(item: Mapping) -> Row:
    """What `scores_of` needs of an episode, to be added up: whole numbers from 0."""
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
    """The scores of summed rows: all SCORES."""
    counts = dict(zip(_COLUMNS, sums))
    solvable = {name: counts["solvable", name] for name in _SOLVABLE}
    n, won = solvable["n"], solvable["success"]
    more = {name: counts["solved", name] - counts["solved", "oracle_length"] for name in ("turns", "actions")}
    found, wrong, n_impossible = counts["impossible", "gave_up"], solvable["gave_up"], counts["impossible", "n"]
    scores: dict[str, float | None] = {"success": _mean(won, n)}
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
