"""The measures of full games: targets completed, F1 of what stands at the end, turns, repairs, questions."""

from collections.abc import Mapping, Sequence
from typing import Any

from bap_v2_metric.counts import Counts
from bap_v2_metric.resampling import check_resampling, interval, resampled_sums
from bap_v2_metric.scoring import SEED

_SUMS = ("completed", "tp", "fp", "fn", "turns", "repairs", "questions", "infeasible", "unparsed")
_PER_GAME = ("turns", "repairs", "questions", "infeasible", "unparsed")


def measures(
    results: Sequence[Mapping[str, Any]], n_resamples: int = 1000, confidence: float = 0.95, seed: int = SEED
) -> dict[str, dict[str, float]]:
    """Each measure with its bootstrap interval over games: `value`, `low` and `high`.

    `completed` is the share of games whose structure is the target, `f1` the micro F1 of the blocks at the end, up to
    the allowed transforms; the others are means over games.

    Args:
        results: of `GameResult.to_dict`.
        n_resamples, confidence, seed: as for `bap_v2_metric.scorer.Scorer.bootstrap`.
    Raises:
        InputError: fewer than 1 resample, or a confidence outside 0..1.

    >>> won = {"completed": True, "tp": 2, "fp": 0, "fn": 0, "turns": 2, "repairs": 0}
    >>> measures([{**won, "questions": 0, "infeasible": 0, "unparsed": 0}], n_resamples=10)["f1"]
    {'value': 1.0, 'low': 1.0, 'high': 1.0}
    """
    check_resampling(n_resamples, confidence)
    rows = [tuple(int(result[name]) for name in _SUMS) for result in results]
    if not rows:
        return {}
    value = _values(tuple(map(sum, zip(*rows, strict=True))), len(rows))
    samples = [_values(sums, len(rows)) for sums in resampled_sums(rows, n_resamples, seed)]
    table = {}
    for name in value:
        low, high = interval([sample[name] for sample in samples], confidence)
        table[name] = {"value": value[name], "low": low, "high": high}
    return table


def _values(sums: Sequence[int], games: int) -> dict[str, float]:
    total = dict(zip(_SUMS, sums, strict=True))
    means = {name: total[name] / games for name in _PER_GAME}
    return {
        "completed": total["completed"] / games,
        "f1": Counts(total["tp"], total["fp"], total["fn"]).f1,
        **means,
    }
