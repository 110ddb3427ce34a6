"""The ids of Architect rows: `architect_dsb-test-0/3` for the item `dsb-test-0/3`, `architect_mdc-test-ID` for `ID`."""

import re

from bap_v2_dataset.tasks.architect.task import BASE_OF
from bap_v2_simulators.corpora import SIMULATORS

_ID = re.compile(rf"(?P<config>{'|'.join(BASE_OF)})-(?P<split>train|validation|test)-(?P<rest>.+)")
_SIMULATED = re.compile(r"[0-9]+/[0-9]+")


def id_of(item_id: str, config: str, split: str) -> str:
    """Return the id of the row that is made of an item of Builder Action Prediction.

    Args:
        config, split: of the row.

    >>> id_of("dsb-test-0/3", "architect_dsb", "test"), id_of("B1-A3-C5-1522432776975/0", "architect_mdc", "test")
    ('architect_dsb-test-0/3', 'architect_mdc-test-B1-A3-C5-1522432776975/0')
    """
    return f"architect_{item_id}" if BASE_OF[config] in SIMULATORS else f"{config}-{split}-{item_id}"


def split_of_id(row_id: str) -> tuple[str, str] | None:
    """Return the config and split of a row; None for the id of anything else.

    >>> split_of_id("architect_dsb-test-0/3"), split_of_id("dsb-test-0/3")
    (('architect_dsb', 'test'), None)
    """
    match = _ID.fullmatch(row_id)
    if match is None:
        return None
    simulated = BASE_OF[match["config"]] in SIMULATORS
    return (match["config"], match["split"]) if not simulated or _SIMULATED.fullmatch(match["rest"]) else None


def item_id_of(row_id: str) -> str | None:
    """Return the id of the item that a row is made of; None for the id of anything else.

    >>> item_id_of("architect_dsb-test-0/3"), item_id_of("architect_mdc-test-B1-A3-C5-1522432776975/0")
    ('dsb-test-0/3', 'B1-A3-C5-1522432776975/0')
    """
    match = _ID.fullmatch(row_id)
    if match is None or split_of_id(row_id) is None:
        return None
    simulated = BASE_OF[match["config"]] in SIMULATORS
    return row_id.removeprefix("architect_") if simulated else match["rest"]
