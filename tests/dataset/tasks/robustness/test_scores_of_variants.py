"""Scores of variants: the baselines are as robust as they are built to be."""

import pytest

from bap_v2_dataset.tasks.building.baselines import rules
from bap_v2_dataset.tasks.robustness.families import FAMILIES
from bap_v2_metric.robustness import FAMILIES as METRIC_FAMILIES
from bap_v2_metric.robustness import aggregate, reference_of, score_items

NEVER_MOVED = ("spl", "spg", "spp_history", "sa_mirror", "sa_turn", "sa_color", "sa_shift")  # what `stack` looks at


def test_the_metric_and_the_families_have_one_order():
    assert list(METRIC_FAMILIES) == list(FAMILIES)


def scores_of(baseline, variants, families=tuple(FAMILIES)):
    rows = {}
    for family in families:
        for pair in variants[family]:
            for row in pair:
                rows[row["id"]] = row
    return aggregate(score_items([baseline(row) for row in rows.values()], list(rows.values())))


def test_who_knows_the_answer_is_robust_and_so_is_who_does_nothing(variants):
    replayed, nothing = scores_of(rules.replay, variants), scores_of(rules.do_nothing, variants)
    for family in (*FAMILIES, "all"):
        scores = {replayed[f"{family}_{kind}_f1"] for kind in ("standard", "perturbed", "robust")}
        assert len(scores) == 1 and min(scores) > 0.99  # the logged order is not always feasible
        assert replayed[f"{family}_consistency"] == replayed[f"{family}_soft_consistency"] == 1
        assert nothing[f"{family}_robust_f1"] == nothing[f"{family}_standard_f1"] == 0
        assert nothing[f"{family}_consistency"] == 1
        assert (nothing[f"{family}_degradation"], nothing[f"{family}_rank"]) == (0, None)


@pytest.mark.slow
def test_the_first_ten_actions_are_as_good_in_every_variant(variants):
    first = scores_of(rules.first_ten, variants)
    for family in (*FAMILIES, "all"):
        assert first[f"{family}_robust_f1"] == first[f"{family}_standard_f1"] == first[f"{family}_perturbed_f1"]
        assert first[f"{family}_consistency"] == 1


def test_a_block_on_top_is_put_there_in_every_world(variants):
    stacked = scores_of(rules.stack, variants, NEVER_MOVED)
    for family in (*NEVER_MOVED, "all"):
        assert stacked[f"{family}_robust_f1"] == stacked[f"{family}_standard_f1"] > 0
        assert stacked[f"{family}_consistency"] == 1


def test_a_row_of_any_family_is_a_reference(variants):
    for family, pairs in variants.items():
        for parent, variant in pairs:
            reference = reference_of(variant)
            assert (reference["parent"], reference["family"]) == (parent["id"], family)
            assert reference_of(parent)["family"] == ""
