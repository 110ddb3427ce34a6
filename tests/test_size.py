"""The house does not grow unnoticed: lines of Python of each package, comments and docstrings included.

What needs more lines says in its change what goes for it, and raises a ceiling only with the total in mind.
"""

import pytest
from paths import ROOT

CEILINGS = {  # lines
    "bap_v2_metric": 3_870,
    "simulators": 11_832,
    "bap_v2_dataset": 42_183,
    "training": 15_450,
    "tests": 46_197,
    "tools": 4_309,
    "benchmarks": 2_550,
}
PRODUCT = 73_314  # of the first four together


def lines_of(folder: str) -> int:
    return sum(len(path.read_bytes().splitlines()) for path in (ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("folder", CEILINGS)
def test_a_package_stays_below_its_ceiling(folder):
    assert lines_of(folder) <= CEILINGS[folder], "say what goes for what comes"


def test_the_product_stays_below_its_ceiling():
    assert sum(map(lines_of, list(CEILINGS)[:4])) <= PRODUCT
