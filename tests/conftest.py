"""Fixtures that every test file shares. No test reaches the network or the user's own caches.

The human corpus is found through BAP_V2_MDC; without it, the tests that need it skip and say so.
"""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["browser"]  # the fixtures `browser`, `new_page` and `page`

# Laws hold or fail; how fast a busy machine shows it says nothing.
settings.register_profile("bap_v2", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.load_profile("bap_v2")

# Before anything imports datasets, which reads these once. Test processes share one home: corpora are read once.
_OWN_HOME = "BAP_V2_TEST_HOME" not in os.environ
os.environ.setdefault("BAP_V2_TEST_HOME", tempfile.mkdtemp(prefix="bap-v2-tests-"))
os.environ["HF_HOME"] = os.environ["BAP_V2_TEST_HOME"]
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_EVALUATE_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
for _variable in ("HF_DATASETS_CACHE", "HF_MODULES_CACHE", "HF_EVALUATE_CACHE", "HF_METRICS_CACHE"):
    os.environ.pop(_variable, None)


def pytest_unconfigure(config):
    if _OWN_HOME:
        shutil.rmtree(os.environ["BAP_V2_TEST_HOME"], ignore_errors=True)


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The path of the human corpus."""
    path = os.environ.get("BAP_V2_MDC")
    if not path:
        pytest.skip("needs the human corpus: set BAP_V2_MDC to its directory or archive")
    return Path(path).resolve()


@pytest.fixture(scope="session")
def mdc_games(corpus):
    """The games of the human corpus, kept as JSON lines."""
    from bap_v2_dataset.human import game_store

    return game_store.mdc_games(corpus)


@pytest.fixture(scope="session")
def mdc_items(mdc_games):
    """The items of the human corpus, by split."""
    from bap_v2_dataset.items import items
    from bap_v2_simulators.game import read_games

    return {
        split: [item for game in read_games(mdc_games.file(split)) for item in items(game)]
        for split in ("train", "validation", "test")
    }


@pytest.fixture(scope="session")
def mdc_rows(corpus):
    """The config `mdc` as users load it."""
    import datasets

    import bap_v2_dataset  # noqa: F401 (registers the name)

    return datasets.load_dataset("bap_v2", "mdc")


@pytest.fixture
def own_home(tmp_path, monkeypatch):
    """Caches of the test's own, in this process, and no corpus."""
    import datasets

    monkeypatch.delenv("BAP_V2_MDC", raising=False)
    monkeypatch.setattr(datasets.config, "HF_CACHE_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path / "home" / "datasets")
    return tmp_path / "home"
