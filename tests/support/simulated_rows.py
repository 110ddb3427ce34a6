"""Rows of the published corpora, made without a setup: synthetic ones by id, and whole test sets."""

import os
from collections.abc import Iterator

from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.labels.clean_test import clean_test
from bap_v2_dataset.labels.label_file import OUR_LABELS, labels_name, read_labels
from bap_v2_simulators.corpora import SIMULATORS, games_of, simulator_of
from bap_v2_simulators.corpus_table import SIZES
from bap_v2_simulators.game import read_games
from bap_v2_simulators.simulation import play


def row_of(item_id: str) -> dict:
    name, _, number = item_id.partition("/")
    simulator, split, index = name.split("-")
    return row(list(items(play(simulator_of(simulator), split, int(index))))[int(number)])


def published_rows(base: str) -> Iterator[dict]:
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
