"""Where an item is from, by its id."""

import re

from bap_v2_simulators.corpora import SIMULATORS

_SIMULATED_ID = re.compile(rf"(?P<config>{'|'.join(SIMULATORS)})-(?P<split>train|validation|test)-[0-9]+/")


def split_of_simulated(row_id: str) -> tuple[str, str] | None:
    """The config and split of a simulated item.

    >>> split_of_simulated("dss-test-12/0"), split_of_simulated("B1-A3-C5-1522432776975/0")
    (('dss', 'test'), None)
    """
    match = _SIMULATED_ID.match(row_id)
    return (match["config"], match["split"]) if match else None
