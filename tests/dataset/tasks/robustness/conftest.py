"""Items and their variants that several tests look at: simulated ones, and human ones where there is a corpus."""

from itertools import islice

import pytest
import small_corpus

from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.tasks.robustness.families import FAMILIES, variants_of
from bap_v2_simulators.corpora import SIMULATORS
from bap_v2_simulators.corpus_table import PUBLISHED
from bap_v2_simulators.game import read_games
from bap_v2_simulators.simulation import play

GAMES = 5  # of each simulator
HUMAN_GAMES = 3


@pytest.fixture(scope="session")
def simulated_parents() -> list[dict]:
    games = (play(SIMULATORS[name](), "test", index) for name in PUBLISHED for index in range(GAMES))
    return [row(item) for game in games for item in items(game)]


@pytest.fixture(scope="session")
def parents(simulated_parents, tmp_path_factory) -> list[dict]:
    """Simulated items, those of a small human-like corpus and, where there is one, of the human corpus."""
    import os

    from bap_v2_dataset.human import game_store

    files = [small_corpus.write(tmp_path_factory.mktemp("small") / "mdc")]
    files += [os.environ["BAP_V2_MDC"]] if os.environ.get("BAP_V2_MDC") else []
    games = [
        game
        for file in files
        for split in ("train", "test")
        for game in islice(read_games(game_store.mdc_games(str(file)).file(split)), HUMAN_GAMES)
    ]
    return simulated_parents + [row(item) for game in games for item in items(game)]


@pytest.fixture(scope="session")
def variants(parents) -> dict[str, list[tuple[dict, dict]]]:
    """By family, every variant with its parent."""
    return {
        family: [(parent, variant) for parent in parents for variant in variants_of(parent, family)]
        for family in FAMILIES
    }
