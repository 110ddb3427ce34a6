"""Resampling by clusters: whole clusters are drawn; clusters of one item each are items."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bap_v2_metric import aggregate, bootstrap, bootstrap_f1, paired_bootstrap, resampling, score_items
from bap_v2_metric.counts import Counts
from bap_v2_metric.scoring import InputError

pytestmark = pytest.mark.usefixtures("few_are_enough")


def scored(rights, size=3, board=()):
    """Items whose Builder places `size` red blocks, of which a system places as many as it says."""
    reference = {"before": list(board), "after": [*board, *(f"red {x} 1 0" for x in range(size))]}
    texts = ["\n".join(f"place red {x} 1 0" for x in range(right)) for right in rights]
    return score_items(texts, [reference] * len(texts))


def random_games(seed, n_clusters=12):
    """Items of clusters of several sizes, on empty boards and others, and the cluster of each."""
    rng = random.Random(seed)
    items, clusters = [], []
    for cluster in range(n_clusters):
        luck = rng.random()
        for number in range(rng.randint(1, 8)):
            right = sum(rng.random() < luck for _ in range(3))
            items += scored([right], board=["blue 5 1 5"] if number else [])
            clusters.append(f"C{cluster}")
    return items, clusters


def width(interval):
    return interval[1] - interval[0]


@pytest.mark.slow
@given(st.integers(0, 1000), st.integers(2, 20))
def test_clusters_of_one_item_give_the_intervals_and_tests_over_items(seed, n_items):
    items, _ = random_games(seed)
    items = (items * 2)[:n_items]
    others = scored([0] * len(items))
    names = [f"item {number}" for number in range(len(items))]
    counts = [Counts.of(item) for item in items]
    same = [{**other, "empty_board": item["empty_board"]} for item, other in zip(items, others)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resampling, "FEWEST_ITEMS", resampling.FEWEST_CLUSTERS)
        assert bootstrap(items, 20, seed=seed, clusters=names) == bootstrap(items, 20, seed=seed)
        assert bootstrap_f1(counts, 20, clusters=names) == bootstrap_f1(counts, 20)
        assert paired_bootstrap(items, same, 20, clusters=names) == paired_bootstrap(items, same, 20)


def test_it_is_the_plain_drawing_of_whole_clusters():
    items, clusters = random_games(1)
    names = list(dict.fromkeys(clusters))
    rng = random.Random(7)
    values = []
    for _ in range(41):
        drawn = [item for name in rng.choices(names, k=len(names)) for item, of in zip(items, clusters) if of == name]
        values.append(aggregate(drawn)["fairer_f1"])
    low, high = bootstrap(items, 41, confidence=0.9, seed=7, clusters=clusters)["fairer_f1"]
    assert (low, high) == pytest.approx((sorted(values)[2], sorted(values)[38]), abs=1e-12)


def test_names_and_order_of_the_items_within_clusters_change_nothing():
    items, clusters = random_games(2)
    expected = bootstrap(items, 50, clusters=clusters)
    assert bootstrap(items, 50, clusters=[int(name[1:]) for name in clusters]) == expected
    backwards = sorted(range(len(items)), key=lambda index: (int(clusters[index][1:]), -index))
    assert bootstrap([items[index] for index in backwards], 50, clusters=[clusters[i] for i in backwards]) == expected


@pytest.mark.slow
@pytest.mark.parametrize("times", [5])
def test_copies_of_items_do_not_make_intervals_over_clusters_narrower(times):
    items, clusters = random_games(3)
    copies, names = items * times, clusters * times
    for key, interval in bootstrap(items, 200, clusters=clusters).items():
        assert bootstrap(copies, 200, clusters=names)[key] == pytest.approx(interval, abs=1e-12)
        if width(interval) > 0.05:  # where items are drawn, copies pass for evidence
            assert width(bootstrap(copies, 200)[key]) < 0.95 * width(bootstrap(items, 200)[key])


def test_a_test_over_clusters_is_not_convinced_by_copies():
    better, worse = scored([3, 3, 2, 1, 3, 0]), scored([1, 2, 2, 2, 1, 1])
    clusters = ["a", "b", "c", "d", "e", "f"]
    once = paired_bootstrap(better, worse, 500, clusters=clusters)["fairer_f1"]
    often = paired_bootstrap(better * 30, worse * 30, 500, clusters=clusters * 30)["fairer_f1"]
    assert often["p_value"] == once["p_value"] > 0.05
    assert paired_bootstrap(better * 30, worse * 30, 500)["fairer_f1"]["p_value"] < 0.01


def test_a_group_without_items_in_a_drawn_cluster_is_judged_by_the_others():
    items = scored([3, 3]) + scored([0, 0], board=["blue 5 1 5"])
    assert bootstrap(items, 200, clusters=["a", "b", "c", "d"])["eb_fairer_f1"] == (1.0, 1.0)


def test_any_names_do_and_no_items_have_no_clusters():
    items = scored([3, 0, 1])
    assert bootstrap(items, 30, clusters=("a", 1, frozenset({"red 0 1 0"}))) == bootstrap(items, 30)
    assert bootstrap([], 30, clusters=[]) == {} == bootstrap(items, 30, clusters=["a", "a", "a"])


@pytest.mark.parametrize(
    ("clusters", "message"),
    [
        (["a", "b"], "2 clusters but 3 items: pass the cluster of every item"),
        (["a", None, "b"], "item 1: the cluster is None"),
        (["a", "b", ["red 0 1 0"]], r"item 2: the cluster is \['red 0 1 0'\] \(expected a name"),
        ("abc", "clusters are 'abc' .expected a list"),
    ],
)
def test_clusters_that_cannot_be_drawn_are_named(clusters, message):
    items = scored([3, 0, 1])
    calls = [
        lambda: bootstrap(items, 10, clusters=clusters),
        lambda: bootstrap_f1([Counts.of(item) for item in items], 10, clusters=clusters),
        lambda: paired_bootstrap(items, items, 10, clusters=clusters),
    ]
    for call in calls:
        with pytest.raises(InputError, match=message):
            call()
