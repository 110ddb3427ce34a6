"""The values of robust scores as cells of tables: F1, shares, degradation and rank of a family."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from bap_v2_dataset.evaluation.resampling_units import over
from bap_v2_dataset.evaluation.scoring import Resampling, Result
from bap_v2_dataset.evaluation.table_cells import NO_VALUE, Cell, Score
from bap_v2_dataset.robustness.families import FAMILIES
from bap_v2_metric.robust_scores import ALL, PLAIN, rank


def over_originals(resampling: Resampling, results: Sequence[Result] = ()) -> str:
    """What was drawn: `over originals, each with its variants`, or as `over` says it of another unit."""
    return "over originals, each with its variants" if resampling.unit == "item" else over(resampling, results)


def families_of(results: Sequence[Result]) -> list[str]:
    """The families that some system has answered, in the order of the configs, and `all`."""
    answered = {item["family"] for result in results for item in result.items if item.get("seen", True) is not None}
    return [*(family for family in FAMILIES if family in answered), ALL]


def title_of(family: str) -> str:
    """What a table calls a family."""
    return "All" if family == ALL else family


def key(family: str, kind: str, measure: str = PLAIN) -> str:
    """Of a score of `bap_v2_metric.robust_scores.aggregate`; kind: standard, perturbed or robust.

    >>> key("all", "robust"), key("spl", "standard", "strict")
    ('all_robust_f1', 'spl_standard_strict_f1')
    """
    return f"{family}_{kind}_f1" if measure == PLAIN else f"{family}_{kind}_{measure}_f1"


def has(result: Result, family: str) -> bool:
    """Whether the system has answered, and seen, variants of the family."""
    return bool(result.scores.get(f"{family}_n_items"))


def sized(result: Result, family: str, name: str) -> Cell:
    """How many items, or variants, count."""
    return f"{result.scores[f'{family}_{name}']:,.0f}" if has(result, family) else NO_VALUE


def kind_score(result: Result, family: str, kind: str, measure: str = PLAIN) -> Cell:
    """An F1 in percent, with its interval or the spread over runs."""
    return share(result, family, key("", kind, measure)[1:])


def share(result: Result, family: str, name: str) -> Cell:
    """A share as percentage, with its interval or the spread over runs."""
    if not has(result, family):
        return NO_VALUE
    name = f"{family}_{name}"
    if result.runs:
        return Score(100 * result.scores[name], deviation=100 * result.deviations[name])
    return Score(100 * result.scores[name], *(100 * bound for bound in result.intervals.get(name, ())))


def degradation(result: Result, family: str, measure: str = PLAIN) -> Cell:
    """What is lost of the standard F1, in percent of it; nothing where that is 0."""
    if not has(result, family) or not result.scores[key(family, "standard", measure)]:
        return NO_VALUE
    if measure == PLAIN:
        return share(result, family, "degradation")
    value = _degradations(result, measure)[family]
    return NO_VALUE if value is None else Score(100 * value)


def _degradations(result: Result, measure: str) -> dict[str, float | None]:
    """By family, also of the mean of several runs: of its mean scores. None where nothing can be lost."""
    values: dict[str, float | None] = {}
    for family in (*FAMILIES, ALL):
        if has(result, family):
            standard = result.scores[key(family, "standard", measure)]
            lost = standard - result.scores[key(family, "robust", measure)]
            values[family] = lost / standard if standard else None
    return values


def ranks(result: Result, measure: str = PLAIN) -> Mapping[str, float]:
    """By family its rank by degradation, 1 for the largest; of several runs their mean rank."""
    runs = [_ranks(run, measure) for run in result.runs or [result]]
    return {family: fmean(run[family] for run in runs) for family in runs[0] if all(family in run for run in runs)}


def _ranks(run: Result, measure: str) -> dict[str, float]:
    return rank({family: value for family, value in _degradations(run, measure).items() if family != ALL})


def rank_of(result: Result, family: str, measure: str = PLAIN) -> Cell:
    """The rank of a family: `1`, `2.5`."""
    value = ranks(result, measure).get(family)
    return NO_VALUE if value is None else f"{value:.1f}".removesuffix(".0")


def mean_ranks(results: Sequence[Result], measure: str = PLAIN) -> dict[str, float]:
    """By family the mean rank over the systems that have one."""
    of_systems = [ranks(result, measure) for result in results]
    means = {}
    for family in FAMILIES:
        if known := [of_system[family] for of_system in of_systems if family in of_system]:
            means[family] = fmean(known)
    return means
