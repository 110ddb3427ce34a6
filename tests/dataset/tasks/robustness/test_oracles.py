"""What baselines must score on variants: laws that hold for every family and corpus, also on much of a test set.

`replay` knows the answer, `do-nothing` and `first-ten` do the same to an item and its variants, and the symbolic reader
reads every simulated variant as its original. `stack` looks at colors, numbers and the block changed last: not at the
pose, the order of earlier turns, sides, or where things are.
"""

from collections.abc import Iterator
from itertools import islice

import pytest

from bap_v2_dataset.evaluation.scoring import baseline_predictions
from bap_v2_dataset.tasks.building.items import items
from bap_v2_dataset.tasks.building.rows import row
from bap_v2_dataset.tasks.robustness.families import variants_in_all
from bap_v2_dataset.tasks.robustness.task import ROBUSTNESS
from bap_v2_metric import robustness
from bap_v2_metric.robust_scores import ALL, KINDS
from bap_v2_simulators.corpora import SIMULATORS
from bap_v2_simulators.simulation import play

NOT_FOR_STACK = {"spp", "spc_add", "spc_remove", ALL}  # the block listed last, and free cells


def parents(config: str, n_items: int | None, games: int) -> Iterator[dict]:
    """The first so many items of each of so many games, or all."""
    played = (play(SIMULATORS[config](), "test", index) for index in range(games))
    return (row(item) for game in played for item in islice(items(game), n_items))


def scores_of(config: str, n_items: int | None, games: int) -> dict[str, dict]:
    """By baseline its scores on originals and all their variants."""
    found = parents(config, n_items, games)
    rows = [one for parent in found for one in (parent, *variants_in_all(parent, config=config))]
    references = [robustness.reference_of(one) for one in rows]
    return {
        name: robustness.aggregate(robustness.score_items(baseline_predictions(name, rows, ROBUSTNESS), references))
        for name in ROBUSTNESS.baselines
    }


# On whole test sets: `bap-v2 score --config robust_dsb --baseline symbolic` prints them, in a minute each.
EVERY_ITEM = pytest.param("dss", None, 150, marks=pytest.mark.slow, id="dss-every-item")


@pytest.mark.parametrize(("config", "n_items", "games"), [*((name, 3, 8) for name in SIMULATORS), EVERY_ITEM])
def test_baselines_obey_their_laws_in_every_family(config, n_items, games):
    found = scores_of(config, n_items, games)
    families = [key.removesuffix("_n_variants") for key in found["stack"] if key.endswith("_n_variants")]
    assert len(families) >= 8 and families[-1] == ALL
    for family in families:

        def of(system: str, family: str = family) -> list[float]:
            scores = found[system]
            return [*(scores[f"{family}_{kind}_f1"] for kind in KINDS), scores[f"{family}_consistency"]]

        assert of("symbolic") == [1.0] * 4, family
        assert of("replay") == [1.0] * 4, family
        assert of("do-nothing") == [0.0, 0.0, 0.0, 1.0], family
        for system in ("first-ten", *(["stack"] if family not in NOT_FOR_STACK else [])):
            assert len(set(of(system)[:3])) == 1 and of(system)[3] == 1.0, (system, family)
