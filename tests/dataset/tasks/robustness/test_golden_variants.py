"""The variants of the published test items: how many, and byte for byte which.

The tests make those of every twentieth item; as a script, this file makes all. If they were changed on purpose: raise
PERTURBATION_VERSION, say it in the CHANGELOG and in docs/robustness.md, then run
`python tests/dataset/tasks/robustness/test_golden_variants.py`.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from itertools import islice

import pytest

sys.path.insert(0, str(__import__("pathlib").Path(__file__).parents[2] / "support"))  # run as a script

from digests import digest_of
from paths import GOLDEN

from bap_v2_dataset.labels.clean_test import clean_test
from bap_v2_dataset.labels.label_file import OUR_LABELS, labels_name, read_labels
from bap_v2_dataset.tasks.building.items import items
from bap_v2_dataset.tasks.building.rows import row
from bap_v2_dataset.tasks.robustness.families import FAMILIES, variants_in_all
from bap_v2_dataset.tasks.robustness.task import BASE_OF as BASE_OF_ROBUST
from bap_v2_simulators.corpora import SIMULATORS, SIZES, games_of, simulator_of
from bap_v2_simulators.game import read_games
from bap_v2_simulators.simulation import play

FILE = GOLDEN / "robust_variants.json"
BASES = tuple(BASE_OF_ROBUST.values())
STEP = 20  # the tests make the variants of every twentieth item


def test_items(base: str) -> Iterator[dict]:
    """The rows of a published test set, made without a setup."""
    if base in SIMULATORS:
        simulator = simulator_of(base)
        for index, turns in games_of(simulator, "test", SIZES[base]["test"], 0):
            yield from map(row, items(play(simulator, "test", index, 0, turns=turns)))
        return
    from bap_v2_dataset.human import game_store

    games = read_games(game_store.mdc_games(os.environ["BAP_V2_MDC"]).file("test"))
    every = [item for game in games for item in items(game)]
    yield from map(row, clean_test(every, read_labels(OUR_LABELS), labels_name(OUR_LABELS)).items)


test_items.__test__ = False


def summary(base: str, parents: Iterable[dict]) -> dict[str, dict]:
    """By family: items that have variants, variants, and the digest of their rows."""
    by_family: dict[str, list[dict]] = {family: [] for family in FAMILIES}
    for parent in parents:
        for variant in variants_in_all(parent, config=base):
            by_family[variant["metadata"]["perturbation"]["family"]].append(variant)
    return {
        family: {
            "items": len({variant["metadata"]["perturbation"]["parent"] for variant in variants}),
            "variants": len(variants),
            "rows": digest_of(variants),
        }
        for family, variants in by_family.items()
    }


@pytest.mark.slow
@pytest.mark.parametrize("base", BASES)
def test_variants_are_byte_for_byte_those_of_this_version(base):
    if base == "mdc_v2" and not os.environ.get("BAP_V2_MDC"):
        pytest.skip("needs the human corpus: set BAP_V2_MDC to its directory or archive")
    golden = json.loads(FILE.read_text())[base]
    of_some = {family: numbers.pop("of_some") for family, numbers in golden.items()}
    assert summary(base, islice(test_items(base), 0, None, STEP)) == of_some


def test_every_config_has_the_families_of_which_there_are_variants():
    from bap_v2_dataset.tasks.table import all_configs

    golden = json.loads(FILE.read_text())
    for config, base in BASE_OF_ROBUST.items():
        known = [family for family in FAMILIES if golden[base][family]["variants"]]
        left_out = {"mdc_v2": ["spc_remove"]}.get(base, [])
        assert list(all_configs()[config].splits[1:-1]) == [f for f in known if f not in left_out]


if __name__ == "__main__":
    found = {}
    for base in BASES:
        found[base] = summary(base, test_items(base))
        for family, of_some in summary(base, islice(test_items(base), 0, None, STEP)).items():
            found[base][family]["of_some"] = of_some
    FILE.write_text(json.dumps(found, indent=1) + "\n")
