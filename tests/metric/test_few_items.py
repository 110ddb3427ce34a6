"""Few items say little: from how many items, or clusters, on there are intervals and p-values."""

import pytest

from bap_v2_metric import Counts, bootstrap, bootstrap_f1, paired_bootstrap, score_items
from bap_v2_metric.resampling import FEWEST_CLUSTERS, FEWEST_ITEMS
from bap_v2_metric.scoring import MEASURES

EB, NEB = {"before": [], "after": ["red 0 1 0"]}, {"before": ["red 0 1 0"], "after": []}


def answers(n_eb: int, n_neb: int, right: bool = True) -> list[dict]:
    texts = ["place red 0 1 0" if right else ""] * n_eb + ["pick 0 1 0" if right else ""] * n_neb
    return score_items(texts, [EB] * n_eb + [NEB] * n_neb)


def test_the_least_are_20_items_and_10_clusters():
    assert (FEWEST_ITEMS, FEWEST_CLUSTERS) == (20, 10)


@pytest.mark.parametrize(
    ("n_eb", "n_neb", "n_clusters", "groups"),
    [
        (2, 0, None, set()),
        (19, 0, None, set()),
        (20, 0, None, {"", "eb_"}),
        (19, 1, None, {""}),  # each group counts its own items
        (20, 20, None, {"", "eb_", "neb_"}),
        (20, 0, 9, set()),
        (20, 0, 10, {"", "eb_"}),
        (19, 0, 19, set()),  # clusters of one item are no more than items
        (100, 0, 1, set()),
    ],
)
def test_a_score_of_fewer_items_or_clusters_has_neither_interval_nor_p(n_eb, n_neb, n_clusters, groups):
    items, worse = answers(n_eb, n_neb), answers(n_eb, n_neb, right=False)
    clusters = n_clusters and [number % n_clusters for number in range(len(items))]
    assert {
        key.removesuffix("fairer_f1") for key in bootstrap(items, 30, clusters=clusters) if "fairer_f1" in key
    } == groups
    tests = paired_bootstrap(items, worse, 30, clusters=clusters)
    assert {key for key, test in tests.items() if "p_value" in test or "low" in test} == {
        f"{group}{measure}_f1" for group in groups for measure in MEASURES
    }
    assert tests["fairer_f1"]["difference"] == 1.0  # a difference needs no test
    assert (bootstrap_f1(list(map(Counts.of, items)), 30, clusters=clusters) is None) == ("" not in groups)
