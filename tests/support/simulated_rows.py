"""Rows of the published synthetic corpora by id, made without a setup."""

from bap_v2_dataset.tasks.building.items import items
from bap_v2_dataset.tasks.building.rows import row
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.simulation import play


def row_of(item_id: str) -> dict:
    name, _, number = item_id.partition("/")
    simulator, split, index = name.split("-")
    return row(list(items(play(simulator_of(simulator), split, int(index))))[int(number)])
