"""The variants of the published test items: how many, and byte for byte which.

The tests make those of every twentieth item; as a script, this file makes all. If they were changed on purpose: raise
PERTURBATION_VERSION, say it in the CHANGELOG and in docs/robustness.md, then run
`python tests/dataset/tasks/robustness/test_golden_variants.py`.
"""

import json
import os
import sys
from collections.abc import Iterable
from itertools import islice

import pytest

sys.path.insert(0, str(__import__("pathlib").Path(__file__).parents[3] / "support"))  # run as a script

from digests import digest_of
from paths import GOLDEN
from simulated_rows import published_rows

from bap_v2_dataset.tasks.robustness.families import FAMILIES, variants_in_all, variants_of_parent
from bap_v2_dataset.tasks.robustness.parent import Parent
from bap_v2_dataset.tasks.robustness.task import BASE_OF as BASE_OF_ROBUST
from bap_v2_metric.blocks import Cell

FILE = GOLDEN / "robust_variants.json"
BASES = tuple(BASE_OF_ROBUST.values())
STEP = 20  # the tests make the variants of every twentieth item


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
    assert summary(base, islice(published_rows(base), 0, None, STEP)) == of_some


@pytest.mark.slow
@pytest.mark.parametrize("base", BASES)
def test_no_pose_puts_the_builder_into_a_block_that_it_was_not_in(base):
    if base == "mdc_v2" and not os.environ.get("BAP_V2_MDC"):
        pytest.skip("needs the human corpus: set BAP_V2_MDC to its directory or archive")
    for parent in map(Parent, published_rows(base)):
        outside = [block.cell for block in parent.blocks if overlap(parent.row["pose"], block.cell) < 0.0099]
        for variant in variants_of_parent(parent, "spg"):
            assert max((overlap(variant["pose"], cell) for cell in outside), default=0) < 0.0101, variant["id"]


def overlap(pose: dict, cell: Cell) -> float:
    """How far the Builder's body, 0.6 cells wide and 1.8 high, is in a cell: the least depth of three, 0 outside."""
    low, high = (pose["x"] - 0.3, pose["y"], pose["z"] - 0.3), (pose["x"] + 0.3, pose["y"] + 1.8, pose["z"] + 0.3)
    return max(0.0, min(min(b, at + 1) - max(a, at) for a, b, at in zip(low, high, cell, strict=True)))


def test_every_config_has_the_families_of_which_there_are_variants():
    from bap_v2_dataset.interface.table import all_configs

    golden = json.loads(FILE.read_text())
    for config, base in BASE_OF_ROBUST.items():
        known = [family for family in FAMILIES if golden[base][family]["variants"]]
        left_out = {"mdc_v2": ["spc_remove"]}.get(base, [])
        assert list(all_configs()[config].splits[1:-1]) == [f for f in known if f not in left_out]


if __name__ == "__main__":
    found = {}
    for base in BASES:
        found[base] = summary(base, published_rows(base))
        for family, of_some in summary(base, islice(published_rows(base), 0, None, STEP)).items():
            found[base][family]["of_some"] = of_some
    FILE.write_text(json.dumps(found, indent=1) + "\n")
