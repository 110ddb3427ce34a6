"""Robust scores: how much of a score is left where, for every item, the worst of its variants counts.

A variant is an item under a small change that keeps the right answer, or transforms it in a known way. For a system
let c(i, v) be the counts of item i in variant v, where v = 0 is the original (see `scoring.score_item`):

    standard      the micro F1 of the originals
    perturbed     the micro F1 of the variants; each item counts by the mean of its variants
    robust        the lowest micro F1 that any choice of one v for each item has, originals included
    robust item   the mean over the items of the lowest F1 of any v: the form of Dan et al. (2021), section 2.1
    degradation   the share of the standard score that is lost in the robust one (their Figure 3)
    consistency   the share of variants with the answer that follows from the answer to the original; needs no reference

The robust choice is made once, for PLAIN; the other measures are those of the same variants. All in whole numbers:
what is equal or smaller by definition is so to the last bit.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import lcm

from .counts import Counts
from .resampling import Row, Statistics
from .scoring import MEASURES, SEED, InputError
from .scoring import signature as metric_signature

ROBUST_VERSION = "1.0.0"  # raised whenever a robust score can change for the same counts
PLAIN = "fairer"  # the measure of scores that name none, and for which the worst variants are chosen
ALL = "all"  # the variants of all families together
FAMILIES = ("spl", "spg", "spp", "spp_history", "spc_add", "spc_remove", "sa_mirror", "sa_turn", "sa_color", "sa_shift")
KINDS = ("standard", "perturbed", "robust")
_WIDTH = 1 + len(KINDS) * (1 + len(MEASURES)) + 5  # of a row: see `_rows`
_F1_UNIT = 62  # bits: exact for an F1 of 2 tp / (predicted + wanted) that is not below 2 ** -9


class MissingParentError(InputError):
    """A variant without its original; `parent` is the id of that."""

    def __init__(self, variant: str, parent: str):
        super().__init__(
            f"{variant} is a variant of {parent}, which is not among the items: also pass the predictions and "
            "references of the originals (split 'original'), to which variants are compared"
        )
        self.parent = parent


def worst(groups: Sequence[Sequence[Counts]]) -> list[int]:
    """For each item the number of the variant that makes the micro F1 over all items the lowest; ties: the smaller.

    Exact for the corpus, by Dinkelbach's method: with the lowest F1 so far, s, the variant of each item that has the
    smallest 2 tp - s (2 tp + fp + fn), until s no longer falls.

    Args:
        groups: for each item its counts, first those of the original.
    Raises:
        InputError: for an item without counts, or whose variants want different numbers of net actions.

    >>> first, second = [Counts(tp=3, fn=1), Counts(tp=1, fn=3)], [Counts(tp=1, fp=3), Counts(tp=1)]
    >>> worst([first, second])
    [1, 0]
    """
    for number, group in enumerate(groups):
        if len({counts.n_reference for counts in group}) != 1:
            wanted = ", ".join(str(counts.n_reference) for counts in group) or "none"
            raise InputError(f"item {number}: its variants want {wanted} net actions (expected one number, for all)")
    shares = [[(2 * counts.tp, counts.n_predicted + counts.n_reference) for counts in group] for group in groups]
    chosen, (right, both) = [0] * len(shares), _sums(group[0] for group in shares)
    while True:
        chosen = [
            min(range(len(group)), key=lambda v, group=group: group[v][0] * both - right * group[v][1])
            for group in shares
        ]
        lower_right, lower_both = _sums(group[v] for group, v in zip(shares, chosen))
        if lower_right * both >= right * lower_both:
            return chosen
        right, both = lower_right, lower_both


def rank(degradations: Mapping[str, float | None]) -> dict[str, float]:
    """Return the rank of each family: 1 for the largest degradation; equal ones share the mean of their ranks.

    Args:
        degradations: by family; one that is None has no rank.

    >>> rank({"spl": 0.1, "spp": 0.0, "spg": 0.1, "sa_turn": None})
    {'spl': 1.5, 'spp': 3.0, 'spg': 1.5}
    """
    known = {family: value for family, value in degradations.items() if value is not None}
    return {
        family: sum(other > value for other in known.values()) + (list(known.values()).count(value) + 1) / 2
        for family, value in known.items()
    }


def statistics(items: Iterable[Mapping]) -> dict[str, Statistics]:
    """Return by family the sufficient statistics of items counted by `robustness.score_items`, a row for each original.

    An item without a variant of a family does not count in the scores of that family, also not in its standard score.
    The worst variants are chosen here, once, on all items; in a resample they stay as they are.

    The scores are, for each family that has variants, and for `all` of them together: FAMILY_standard_f1,
    FAMILY_perturbed_f1 and FAMILY_robust_f1, of PLAIN; the same of each measure, FAMILY_robust_strict_f1;
    FAMILY_robust_item_f1, FAMILY_degradation, FAMILY_consistency and FAMILY_soft_consistency; all in 0..1.

    Raises:
        MissingParentError: a variant whose original is not among the items.
    """
    items = list(items)
    places = {item["id"]: place for place, item in enumerate(items)}
    return {
        f"{family}_": Statistics(list(rows.values()), scores_of, _WIDTH, [places[parent] for parent in rows])
        for family, groups in groups_of_families(items).items()
        for rows in [_rows(groups)]
    }


def numbers(items: Sequence[Mapping], scores: Mapping[str, float]) -> dict:
    """Return the numbers that are not resampled.

    Returns:
        FAMILY_n_items and FAMILY_n_variants; FAMILY_rank, by degradation, None for `all`, and where the standard score
        is 0: nothing can be lost there, and the degradation is 0. Then `unparsed_lines` and `infeasible_actions` of all
        items, and `signature`.
    """
    groups = groups_of_families(items)
    ranks = rank({
        family: scores[f"{family}_degradation"] if scores[f"{family}_standard_f1"] else None
        for family in groups
        if family != ALL
    })  # fmt: skip
    result: dict = {}
    for family, of_family in groups.items():
        result[f"{family}_n_items"] = len(of_family)
        result[f"{family}_n_variants"] = sum(len(group) - 1 for group in of_family.values())
        result[f"{family}_rank"] = ranks.get(family)
    for name in ("unparsed_lines", "infeasible_actions"):
        result[name] = sum(item[name] for item in items)
    return result | {"signature": signature(**signed_facts(items))}


def signature(
    n_resamples: int = 0,
    seed: int = SEED,
    unit: str = "item",
    families: Sequence[str] = (),
    variants: Sequence[int] = (),
) -> str:
    """Name what a robust score depends on: the rules, which variants there were, and the signature of the counts.

    Args:
        families, variants: those that the items have, and of each the most variants of an item; see `signed_facts`.

    >>> signature(families=["spl", "sa_mirror"], variants=[3, 1])[:88]
    'bap_v2_robust|version:1.0.0|worst:corpus-min|families:spl,sa_mirror|variants:3,1|bap_v2|'
    """
    names, numbers = ",".join(families) or "none", ",".join(map(str, variants)) or "0"
    rules = f"bap_v2_robust|version:{ROBUST_VERSION}|worst:corpus-min|families:{names}|variants:{numbers}"
    return f"{rules}|{metric_signature(n_resamples, seed, unit)}"


def signed_facts(items: Iterable[Mapping]) -> dict[str, list]:
    """Return the facts of the items that the signature names: `families` and `variants`."""
    most = {
        family: max(len(group) - 1 for group in groups.values())
        for family, groups in groups_of_families(items).items()
        if family != ALL
    }
    return {"families": list(most), "variants": list(most.values())}


def groups_of_families(items: Iterable[Mapping]) -> dict[str, dict[str, list[Mapping]]]:
    """For each family that has variants, and for `all`: by the id of the original that, and its variants in order.

    Raises:
        MissingParentError: a variant whose original is not among the items.
    """
    items = list(items)
    # Originals by id; a variant without its original cannot be compared.
    originals = {item["id"]: item for item in items if not item["family"]}
    variants = [item for item in items if item["family"]]
    for item in variants:
        if item["parent"] not in originals:
            raise MissingParentError(item["id"], item["parent"])
    # Variants in the order of families, by parent.
    variants.sort(key=lambda item: (_place(item["family"]), item["variant"]))
    groups: dict[str, dict[str, list[Mapping]]] = {family["family"]: {} for family in variants}
    if variants:
        groups[ALL] = {}
    members: dict[str, list[Mapping]] = {}
    for item in variants:
        members.setdefault(item["parent"], []).append(item)
    # In each family, and in all together, an original stands before its variants.
    for parent, original in originals.items():
        for item in members.get(parent, ()):
            for family in (item["family"], ALL):
                groups[family].setdefault(parent, [original]).append(item)
    return groups


def _place(family: str) -> tuple[int, str]:
    """Return the place of a family in tables: in the order of FAMILIES; others after them, by name."""
    return (FAMILIES.index(family) if family in FAMILIES else len(FAMILIES)), family


def _rows(groups: Mapping[str, Sequence[Mapping]]) -> dict[str, Row]:
    chosen = worst([[Counts.of(item, PLAIN) for item in group] for group in groups.values()])
    parts = _equal_parts(len(group) - 1 for group in groups.values())
    return {
        parent: (
            1,
            *_columns([group[0]], 1),
            *_columns(group[1:], part),
            *_columns([group[number]], 1),
            min(_scaled_f1(Counts.of(item, PLAIN)) for item in group),
            part * (len(group) - 1),
            part * sum(bool(item["consistent"]) for item in group[1:]),
            *(part * sum(agreed) for agreed in zip(*(_agreed(item["agreement"]) for item in group[1:]))),
        )
        for (parent, group), number, part in zip(groups.items(), chosen, parts)
    }


def scores_of(sums: Row) -> dict[str, float]:
    """Return the scores, without the name of a family, of the sums over all items."""
    # F1 by kind and measure.
    n_items, *rest = sums
    result: dict[str, float] = {}
    width = 1 + len(MEASURES)
    for number, kind in enumerate(KINDS):
        both, *right = rest[number * width : (number + 1) * width]
        by_measure = {measure: _share(2 * tp, both) for measure, tp in zip(MEASURES, right)}
        result[f"{kind}_f1"] = by_measure[PLAIN]
        result |= {f"{kind}_{measure}_f1": value for measure, value in by_measure.items()}
    # What is lost from original to robust, and in how many items answers agree.
    plain = 1 + MEASURES.index(PLAIN)
    (both, right), (robust_both, robust_right) = ((rest[at], rest[at + plain]) for at in (0, 2 * width))
    item_f1, n_shares, consistent, agreed, compared = rest[3 * width :]
    result["robust_item_f1"] = _share(item_f1, n_items << _F1_UNIT)
    result["degradation"] = _share(right * robust_both - robust_right * both, right * robust_both)
    result["consistency"] = _share(consistent, n_shares)
    result["soft_consistency"] = _share(agreed, compared) if compared else 1.0  # nothing done, and nothing differs
    return result


def _columns(variants: Sequence[Mapping], part: int) -> Row:
    """Predicted and wanted net actions together, and those that are right by each measure, of variants."""
    strict = [Counts.of(item, "strict") for item in variants]  # all measures divide by the same numbers
    right = (sum(item[measure]["tp"] for item in variants) for measure in MEASURES)
    return (part * sum(c.n_predicted + c.n_reference for c in strict), *(part * tp for tp in right))


def _agreed(agreement: Mapping[str, int]) -> tuple[int, int]:
    counts = Counts(**agreement)
    return 2 * counts.tp, counts.n_predicted + counts.n_reference


def _scaled_f1(counts: Counts) -> int:
    """Return the F1 of an item as a whole number; 1 if nothing is wanted and nothing predicted."""
    return int((counts.f1 if counts.n_predicted + counts.n_reference else 1.0) * (1 << _F1_UNIT))


def _equal_parts(sizes: Iterable[int]) -> list[int]:
    """For each size the weight of one of so many, such that all together weigh the same in every group.

    >>> _equal_parts([3, 1, 2])
    [2, 6, 3]
    """
    sizes = list(sizes)
    whole = lcm(*sizes)
    return [whole // size for size in sizes]


def _sums(pairs: Iterable[tuple[int, int]]) -> tuple[int, int]:
    right = both = 0
    for more_right, more in pairs:
        right, both = right + more_right, both + more
    return right, both


def _share(part: int, whole: int) -> float:
    """Return the quotient; 0/0 is 0.0, as in the 2020 scorer."""
    return part / whole if whole else 0.0
