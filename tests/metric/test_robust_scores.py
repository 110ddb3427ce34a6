"""Robust scores: a case by hand, the exact minimum, laws, ranks, and items that do not belong together."""

from itertools import product
from math import fsum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from robust_items import MEASURES, answer, consistency, original, perturbed, random_answers, variant_of, wanting

from bap_v2_metric import SIGNATURE, Counts, InputError
from bap_v2_metric import aggregate as plain_aggregate
from bap_v2_metric.robust_scores import FAMILIES, MissingParentError, groups_of_families, rank, signature, worst
from bap_v2_metric.robustness import aggregate, score_items

pytestmark = pytest.mark.usefixtures("few_are_enough")


def counts(wanted):
    """Counts of an item that wants so many net actions."""
    return st.integers(0, wanted).flatmap(
        lambda tp: st.builds(Counts, st.just(tp), st.integers(0, 9), st.just(wanted - tp))
    )


def groups(min_items=0, max_items=6, max_variants=4):
    item = st.integers(0, 5).flatmap(lambda n: st.lists(counts(n), min_size=2, max_size=1 + max_variants))
    return st.lists(item, min_size=min_items, max_size=max_items)


def micro(chosen):
    return sum(chosen, Counts()).f1


def robust(of_items):
    return micro(group[number] for group, number in zip(of_items, worst(of_items)))


# --- by hand
def hand_worked():
    """Two items that want two blocks each, with two variants each."""
    first, second = wanting(1, 2), wanting(2, 2, ["green 5 1 5"])
    rows, answers = [], []
    for row, texts in ((first, (answer(2), answer(1), answer(2))), (second, (answer(1, 1), "I cannot.", answer(2)))):
        rows += [row, variant_of(row, "spl", 1), variant_of(row, "spl", 2)]
        answers += texts
    return answers, rows


def test_a_case_by_hand():
    answers, rows = hand_worked()
    scores = aggregate(score_items(answers, rows))
    assert scores["spl_standard_f1"] == 0.75  # 3 of 4 predicted and 4 wanted are right
    assert scores["spl_perturbed_f1"] == 5 / 6.5  # of each item the mean: 1.5 + 1 right, 1.5 + 1 predicted, 4 wanted
    assert scores["spl_robust_f1"] == 0.4  # both first variants: 1 right, 1 predicted, 4 wanted
    assert scores["spl_robust_item_f1"] == pytest.approx((2 / 3 + 0) / 2)
    assert scores["spl_degradation"] == pytest.approx((0.75 - 0.4) / 0.75)
    assert scores["spl_consistency"] == 0.25  # the second variant of the first item
    # like the answer to the original: 1 and 2 of 2 blocks; nothing of 2, and 1 of 2 with 1 that is not
    assert scores["spl_soft_consistency"] == (2 * 1 + 2 * 2 + 0 + 2 * 1) / (3 + 4 + 2 + 4)
    assert (scores["spl_n_items"], scores["spl_n_variants"], scores["spl_rank"]) == (2, 4, 1.0)
    assert (scores["unparsed_lines"], scores["infeasible_actions"]) == (1, 0)
    assert {key.replace("spl_", "all_", 1): value for key, value in scores.items() if key.startswith("spl_")} | {
        "all_rank": None
    } == {key: value for key, value in scores.items() if key.startswith("all_")}


def test_all_measures_are_those_of_the_variants_that_are_worst_for_fairer():
    row = original(1, (), ["red 0 1 0", "red 1 1 0"])
    rows = [row, variant_of(row, "spl", 1), variant_of(row, "spl", 2)]
    shape_only = "place red 3 1 3\nplace red 4 1 3"
    scores = aggregate(score_items([answer(2), shape_only, "place red 0 1 0\npick 5 1 5"], rows))
    assert scores["spl_robust_f1"] == scores["spl_robust_fairer_f1"] == scores["spl_robust_strict_f1"] == 0
    assert scores["spl_robust_shape_f1"] == scores["spl_robust_type_f1"] == 1  # of the first variant
    assert scores["spl_perturbed_shape_f1"] == 2 * 1.5 / (1.5 + 2)


def test_it_is_the_corpus_that_is_the_worst_not_each_item():
    """An answer full of errors lowers the score of a corpus more than an empty one, though an item's F1 less."""
    nothing, errors = Counts(fn=2), Counts(tp=1, fp=9, fn=1)
    of_items = [[Counts(tp=2), nothing, errors], [Counts(tp=4), Counts(tp=4)]]
    assert nothing.f1 < errors.f1
    assert worst(of_items) == [2, 0]
    assert robust(of_items) == micro([errors, Counts(tp=4)]) < micro([nothing, Counts(tp=4)])


# --- the minimum
def test_of_equal_variants_the_first_counts():
    same = Counts(tp=1, fp=1)
    assert worst([[same, same], [Counts(tp=1), Counts(fn=1), Counts(fn=1)]]) == [0, 1]
    assert worst([]) == []
    assert worst([[Counts(), Counts()]]) == [0]


@pytest.mark.slow
@given(groups(1, 4, 3))
def test_it_is_the_minimum_whatever_is_wanted_and_predicted(of_items):
    assert robust(of_items) == min(map(micro, product(*of_items)))


@pytest.mark.slow
@given(groups(1), st.data())
def test_it_never_rises_when_a_variant_is_added_and_does_not_see_names(of_items, data):
    more = [[*group, data.draw(counts(group[0].n_reference))] for group in of_items]
    assert robust(more) <= robust(of_items)
    renamed = [[group[0], *data.draw(st.permutations(group[1:]))] for group in of_items]
    assert robust(renamed) == robust(of_items)
    assert perturbed(renamed) == perturbed(of_items)


@pytest.mark.slow
@given(groups(1))
def test_it_is_the_standard_score_where_all_variants_are_alike(of_items):
    alike = [[group[0]] * len(group) for group in of_items]
    assert robust(alike) == perturbed(alike) == micro(group[0] for group in of_items)
    assert worst(alike) == [0] * len(alike)


def test_variants_that_want_different_numbers_are_an_error():
    with pytest.raises(InputError, match="item 1: its variants want 2, 1 net actions"):
        worst([[Counts(tp=1)], [Counts(tp=2), Counts(tp=1)]])
    with pytest.raises(InputError, match="item 0: its variants want none net actions"):
        worst([[]])


# --- of items
@settings(max_examples=40)
@given(st.integers(0, 10_000))
def test_the_scores_of_a_family_are_the_definitions(seed):
    answers, rows = random_answers(seed)
    items = score_items(answers, rows)
    scores = aggregate(items)
    for family, of_parents in groups_of_families(items).items():
        members = list(of_parents.values())
        of_items = [[Counts.of(item) for item in group] for group in members]
        chosen = [group[number] for group, number in zip(members, worst(of_items))]
        standard, lowest = plain_aggregate(group[0] for group in members), plain_aggregate(chosen)
        for measure in MEASURES:
            assert scores[f"{family}_standard_{measure}_f1"] == standard[f"{measure}_f1"]
            assert scores[f"{family}_robust_{measure}_f1"] == lowest[f"{measure}_f1"]
            by_measure = [[Counts.of(item, measure) for item in group] for group in members]
            assert scores[f"{family}_perturbed_{measure}_f1"] == perturbed(by_measure)
        for kind in ("standard", "perturbed", "robust"):
            assert scores[f"{family}_{kind}_f1"] == scores[f"{family}_{kind}_fairer_f1"]
        by_item = [min(c.f1 if c.n_predicted + c.n_reference else 1.0 for c in group) for group in of_items]
        assert scores[f"{family}_robust_item_f1"] == pytest.approx(fsum(by_item) / len(by_item), abs=1e-15)
        consistent = [[item["consistent"] for item in group[1:]] for group in members]
        assert scores[f"{family}_consistency"] == consistency(consistent)
        assert scores[f"{family}_n_items"] == len(members)
        assert scores[f"{family}_n_variants"] == sum(map(len, consistent))
        f_0, f_rob = scores[f"{family}_standard_f1"], scores[f"{family}_robust_f1"]
        assert scores[f"{family}_degradation"] == pytest.approx((f_0 - f_rob) / f_0 if f_0 else 0.0)
        assert f_rob <= scores[f"{family}_perturbed_f1"] and f_rob <= f_0


def test_items_without_a_variant_of_a_family_do_not_count_in_its_line():
    answers, rows = hand_worked()
    first, alone = wanting(1, 2), wanting(3, 4)
    rows += [alone, variant_of(first, "sa_mirror", 1)]
    answers += ["", answer(2)]
    scores = aggregate(score_items(answers, rows))
    assert scores["spl_standard_f1"] == scores["all_standard_f1"] == 0.75
    assert scores["sa_mirror_standard_f1"] == scores["sa_mirror_robust_f1"] == 1
    assert (scores["sa_mirror_n_items"], scores["all_n_items"], scores["all_n_variants"]) == (1, 2, 5)
    assert not any(key.startswith("spg") for key in scores)


def test_originals_alone_have_no_robust_scores():
    alone = aggregate(score_items([answer(1)], [wanting(1)]))
    assert alone == {"unparsed_lines": 0, "infeasible_actions": 0, "signature": signature()}
    assert aggregate([]) == alone


def test_the_order_of_the_items_does_not_matter():
    answers, rows = random_answers(3)
    assert aggregate(score_items(answers[::-1], rows[::-1])) == aggregate(score_items(answers, rows))


def test_an_item_with_nothing_to_do_is_right_if_nothing_is_done():
    row = original(1, ["red 0 1 0"], ["red 0 1 0"])
    rows = [row, variant_of(row, "spl", 1)]
    done_nothing = aggregate(score_items(["", ""], rows))
    assert (done_nothing["spl_robust_item_f1"], done_nothing["spl_robust_f1"]) == (1.0, 0.0)
    assert (done_nothing["spl_consistency"], done_nothing["spl_soft_consistency"]) == (1.0, 1.0)
    done_much = aggregate(score_items(["", "place red 1 1 0"], rows))
    assert (done_much["spl_robust_item_f1"], done_much["spl_consistency"]) == (0.0, 0.0)


# --- degradation and ranks
def test_ranks_are_by_degradation_and_ties_share_the_mean():
    assert rank({"a": 0.5, "b": 0.2, "c": 0.9}) == {"a": 2.0, "b": 3.0, "c": 1.0}
    assert rank({"a": 0.2, "b": 0.2, "c": 0.9, "d": 0.2}) == {"a": 3.0, "b": 3.0, "c": 1.0, "d": 3.0}
    assert rank({"a": 0.2, "b": 0.2}) == {"a": 1.5, "b": 1.5}
    assert rank({"a": None, "b": 0.0}) == {"b": 1.0}
    assert rank({}) == {}


@given(st.dictionaries(st.text(max_size=2), st.integers(0, 4).map(lambda n: n / 4), max_size=9))
def test_ranks_add_up_to_those_without_ties(degradations):
    n = len(degradations)
    assert sum(rank(degradations).values()) == n * (n + 1) / 2


def test_equal_degradations_tie_however_they_come_about():
    rows, answers = [], []
    for number, (family, wanted) in enumerate([("spl", 3), ("spg", 6), ("spp", 3)]):
        row = wanting(number, wanted)
        rows += [row, variant_of(row, family, 1)]
        answers += [answer(wanted), answer(wanted // 3 if family != "spp" else 3)]
    scores = aggregate(score_items(answers, rows))
    assert scores["spl_degradation"] == scores["spg_degradation"] == 0.5
    assert [scores[f"{family}_rank"] for family in ("spl", "spg", "spp", "all")] == [1.5, 1.5, 3.0, None]


def test_where_the_standard_score_is_0_nothing_is_lost_and_there_is_no_rank():
    rows, answers = [], []
    for number, family in enumerate(["spl", "spp"]):
        row = wanting(number)
        rows += [row, variant_of(row, family, 1)]
        answers += ["" if family == "spl" else answer(3), answer(3)]
    scores = aggregate(score_items(answers, rows))
    assert (scores["spl_degradation"], scores["spl_rank"]) == (0.0, None)
    assert (scores["spl_perturbed_f1"], scores["spl_robust_f1"]) == (1.0, 0.0)
    assert (scores["spp_degradation"], scores["spp_rank"]) == (0.0, 1.0)


# --- what does not belong together, and the signature
def test_a_variant_without_its_original_is_an_error_that_says_what_to_pass():
    answers, rows = hand_worked()
    with pytest.raises(MissingParentError, match=r"g2~spl-1/1 is a variant of g2/1.* also pass .*split 'original'"):
        score_items(answers[:3] + answers[4:], rows[:3] + rows[4:])
    with pytest.raises(MissingParentError) as error:
        aggregate(score_items(answers, rows)[1:])
    assert error.value.parent == "g1/1" and isinstance(error.value, InputError)


def test_a_variant_is_never_the_original_of_another():
    row = wanting(1)
    variant = variant_of(row, "spl", 1)
    items = score_items(["", "", ""], [row, variant, variant_of(row, "spl", 2)])
    items[2]["parent"] = variant["id"]
    with pytest.raises(MissingParentError):
        aggregate(items)
    nested = variant_of(variant, "spp", 1)
    with pytest.raises(MissingParentError):
        score_items(["", "", ""], [row, variant, nested])


def test_the_signature_names_the_families_and_how_many_variants_they_have():
    answers, rows = random_answers(1)
    scores = aggregate(score_items(answers, rows))
    facts = "families:spl,spp_history,sa_color|variants:3,1,2"
    assert scores["signature"] == f"bap_v2_robust|version:1.0.0|worst:corpus-min|{facts}|{SIGNATURE}"
    assert signature(100, 7, "target") == (
        f"bap_v2_robust|version:1.0.0|worst:corpus-min|families:none|variants:0|{SIGNATURE}|bs:100|seed:7|unit:target"
    )


def test_families_stand_in_their_order_and_others_after_them():
    row = wanting(1)
    names = ["zz_own", "sa_shift", "an_own", *FAMILIES[:3][::-1]]
    rows = [row, *(variant_of(row, family, 1) for family in names)]
    scores = aggregate(score_items([answer(3)] * len(rows), rows))
    in_order = [key.removesuffix("_degradation") for key in scores if key.endswith("_degradation")]
    assert in_order == ["spl", "spg", "spp", "sa_shift", "an_own", "zz_own", "all"]
