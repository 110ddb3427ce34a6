"""Intervals and tests of robust scores: those of the plain resampling, of the variants that were chosen."""

import random

import pytest
from robust_items import MEASURES, answer, consistency, perturbed, random_answers, variant_of, wanting

from bap_v2_metric import Counts, scoring
from bap_v2_metric.resampling import interval
from bap_v2_metric.robust_resampling import degradation_test
from bap_v2_metric.robust_scores import groups_of_families, worst
from bap_v2_metric.robustness import aggregate, bootstrap, paired_bootstrap, score_items
from bap_v2_metric.scoring import InputError

pytestmark = pytest.mark.usefixtures("few_are_enough")


def groups_of(items):
    return {family: list(groups.values()) for family, groups in groups_of_families(items).items()}


def chosen_of(groups):
    return [group[v] for group, v in zip(groups, worst([[Counts.of(item) for item in group] for group in groups]))]


def cluster_of(item):
    return int(item["parent"].split("/")[0].removeprefix("g")) % 3


@pytest.fixture(scope="module")
def items():
    return score_items(*random_answers(21, 14))


@pytest.fixture(scope="module")
def clusters(items):
    """Those of variants are no matter: their originals count."""
    return [cluster_of(item) if not item["family"] else f"own {number}" for number, item in enumerate(items)]


def test_intervals_are_those_of_the_plain_drawing_of_originals(items):
    """An original comes with all its variants, as often as it is drawn; the choice of the worst stays."""
    n_resamples = 40
    found = bootstrap(items, n_resamples, 0.9, 11)
    for family, groups in groups_of(items).items():
        rng = random.Random(11)
        chosen = chosen_of(groups)
        samples = {}
        for _ in range(n_resamples):
            drawn = rng.choices(range(len(groups)), k=len(groups))
            members = [groups[number] for number in drawn]
            standard = sum((Counts.of(group[0]) for group in members), Counts()).f1
            robust = sum((Counts.of(chosen[number]) for number in drawn), Counts()).f1
            lowest = [
                min(c.f1 if c.n_predicted + c.n_reference else 1.0 for c in map(Counts.of, group)) for group in members
            ]
            values = {
                "degradation": (standard - robust) / standard if standard else 0.0,
                "consistency": consistency([[item["consistent"] for item in group[1:]] for group in members]),
                "soft_consistency": perturbed([[None, *(Counts(**i["agreement"]) for i in g[1:])] for g in members]),
                "robust_item_f1": sum(lowest) / len(lowest),
                "standard_f1": standard,
                "robust_f1": robust,
            }
            for measure in MEASURES:
                values[f"perturbed_{measure}_f1"] = perturbed([[Counts.of(i, measure) for i in g] for g in members])
                for kind, of_kind in (("standard", [g[0] for g in members]), ("robust", [chosen[n] for n in drawn])):
                    values[f"{kind}_{measure}_f1"] = sum((Counts.of(i, measure) for i in of_kind), Counts()).f1
            for name, value in values.items():
                samples.setdefault(name, []).append(value)
        for name, values in samples.items():
            assert found[f"{family}_{name}"] == pytest.approx(interval(values, 0.9), abs=1e-12), (family, name)


def test_there_is_an_interval_for_every_score(items):
    scores, found = aggregate(items), bootstrap(items, 20)
    families = [*groups_of(items)]
    without = {f"{family}_{name}" for family in families for name in ("rank", "n_items", "n_variants")}
    assert set(found) == set(scores) - without - {"unparsed_lines", "infeasible_actions", "signature"}
    assert all(low <= high for low, high in found.values())
    assert bootstrap(items, 20) == found != bootstrap(items, 20, seed=1)


def test_whole_clusters_of_originals_are_drawn():
    rows, answers = [], []
    for number in range(4):
        row = wanting(number)
        rows += [row, variant_of(row, "spl", 1), variant_of(row, "spl", 2)]
        answers += [answer(3), answer(3 if number % 2 else 0), answer(3)]
    items = score_items(answers, rows)
    clusters = [cluster for cluster in (0, 1, 0, 1) for _ in range(3)]
    found = bootstrap(items, 200, clusters=clusters)
    assert found["spl_robust_f1"] == found["all_robust_f1"] == (0.0, 1.0)
    assert found["spl_degradation"] == (0.0, 1.0)
    assert found["spl_standard_f1"] == (1.0, 1.0)


def test_a_family_of_a_single_cluster_has_no_intervals():
    first, second = wanting(1), wanting(2)
    rows = [first, second, variant_of(first, "spl", 1), variant_of(second, "spl", 1), variant_of(first, "spp", 1)]
    items = score_items([answer(3)] * 5, rows)
    found = bootstrap(items, 20, clusters=["a", "b", "a", "b", "a"])
    assert {key.split("_")[0] for key in found} == {"spl", "all"}
    assert bootstrap(items, 20, clusters=["a"] * 5) == {}
    with pytest.raises(InputError, match="2 clusters but 5 items"):
        bootstrap(items, 20, clusters=["a", "b"])


def test_degradation_is_tested_as_two_systems_are(items, clusters):
    for drawn in (None, clusters):
        found = degradation_test(items, 50, 0.9, 3, drawn)
        families = groups_of(items)
        assert len(found) == len(families) * (1 + len(MEASURES))
        for family, groups in families.items():
            named = None if drawn is None else [cluster_of(group[0]) for group in groups]
            originals = [group[0] for group in groups]
            plain = scoring.paired_bootstrap(originals, chosen_of(groups), 50, 0.9, 3, named)
            for measure in MEASURES:
                assert found[f"{family}_{measure}_f1"] == plain[f"{measure}_f1"]
            assert found[f"{family}_f1"] == plain["fairer_f1"]
            assert found[f"{family}_f1"]["difference"] >= 0


def test_two_systems_are_tested_on_the_variants_that_each_does_worst(items, clusters):
    answers, rows = random_answers(21, 14)
    other = score_items([text.replace("place red 0 1 0", "") for text in answers], rows)
    for drawn in (None, clusters):
        found = paired_bootstrap(items, other, 50, 0.9, 3, drawn)
        families = groups_of(items)
        for family, groups in families.items():
            named = None if drawn is None else [cluster_of(group[0]) for group in groups]
            chosen = [chosen_of(of_system) for of_system in (groups, groups_of(other)[family])]
            plain = scoring.paired_bootstrap(*chosen, 50, 0.9, 3, named)
            for measure in MEASURES:
                assert found[f"{family}_robust_{measure}_f1"] == plain[f"{measure}_f1"]
            assert found[f"{family}_robust_f1"] == plain["fairer_f1"]
        scores = aggregate(items), aggregate(other)
        for key, test in found.items():
            assert (test["a"], test["b"]) == (scores[0][key], scores[1][key])
    assert found["spl_robust_f1"]["a"] > found["spl_robust_f1"]["b"]
    assert {key.removeprefix("spl_") for key in found if key.startswith("spl_")} == {
        *(f"{kind}_f1" for kind in ("standard", "perturbed", "robust")), "robust_item_f1", "degradation",
        *(f"{kind}_{measure}_f1" for kind in ("standard", "perturbed", "robust") for measure in MEASURES),
    }  # fmt: skip


def test_systems_are_compared_on_the_variants_that_both_have(items):
    fewer = [item for item in items if item["variant"] < 3 and item["family"] != "sa_color"]
    found = paired_bootstrap(items, fewer, 20)
    scores = aggregate(fewer)
    assert found.keys() == paired_bootstrap(fewer, items[::-1], 20).keys()
    assert not any(key.startswith("sa_color") for key in found)
    for key, test in found.items():
        assert test["a"] == test["b"] == scores[key]
        assert (test["difference"], test["p_value"]) == (0.0, 1.0)


def test_systems_without_a_variant_in_common_or_with_other_items_are_errors(items):
    spl, color = ([item for item in items if item["family"] in ("", family)] for family in ("spl", "sa_color"))
    with pytest.raises(InputError, match="no variant is among the items of both systems"):
        paired_bootstrap(spl, color, 20)
    other = [{**item, "strict": {"tp": 0, "fp": 0, "fn": 9}, "fairer": {"tp": 0, "fp": 0, "fn": 9}} for item in items]
    with pytest.raises(InputError, match=r"g0/1 has . reference net actions for one system and 9 for the other"):
        paired_bootstrap(items, other, 20)


def test_no_items_have_no_intervals():
    assert bootstrap([], 10) == bootstrap(score_items([""], [wanting(1)]), 10) == degradation_test([], 10) == {}
    for call in (bootstrap, degradation_test):
        with pytest.raises(InputError, match="n_resamples is 0"):
            call([], 0)
