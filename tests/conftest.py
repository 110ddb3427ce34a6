"""Fixtures that every test file shares. No test reaches the network or the user's own caches.

The human corpus is found through BAP_V2_MDC; without it, the tests that need it skip and say so.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

pytest_plugins = ["browser"]  # the fixtures `browser`, `new_page` and `page`

# Laws hold or fail; how fast a busy machine shows it says nothing.
settings.register_profile(
    "bap_v2", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("bap_v2")

# Tests press Ctrl-C, which commands leave alone where it is ignored: in a run in the background, by `nohup` or `&`.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Before anything imports datasets, which reads these once. Test processes share one home: corpora are read once.
_OWN_HOME = "BAP_V2_TEST_HOME" not in os.environ
os.environ.setdefault("BAP_V2_TEST_HOME", tempfile.mkdtemp(prefix="bap-v2-tests-"))
os.environ["HF_HOME"] = os.environ["BAP_V2_TEST_HOME"]
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["HF_EVALUATE_OFFLINE"] = "1"
os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
os.environ["COLUMNS"] = "100"  # as in a pipe: pytest-xdist says 80
for _variable in ("HF_DATASETS_CACHE", "HF_MODULES_CACHE", "HF_EVALUATE_CACHE", "HF_METRICS_CACHE"):
    os.environ.pop(_variable, None)


def pytest_collection_modifyitems(items):
    """Files with slow tests come first: of files that are shared out, no process is left alone with a long one."""
    long = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in long)


def pytest_unconfigure(config):
    if _OWN_HOME:
        shutil.rmtree(os.environ["BAP_V2_TEST_HOME"], ignore_errors=True)


@pytest.fixture(scope="module")
def few_are_enough():
    """Intervals and tests of as few items as a case has that is worked by hand."""
    from bap_v2_dataset.evaluation import score_tables  # noqa: F401 (which keep the numbers that they name)
    from bap_v2_dataset.games import tables  # noqa: F401
    from bap_v2_metric import resampling

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(resampling, "FEWEST_ITEMS", 1)
        patch.setattr(resampling, "FEWEST_CLUSTERS", 2)
        yield


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
    from bap_v2_dataset.items.item import items
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
    from in_process import use_home

    use_home(monkeypatch, tmp_path / "home")
    return tmp_path / "home"


@pytest.fixture(scope="session")
def set_up_home() -> Path:
    """An HF_HOME after a setup with few items: the synthetic configs, `mdc` of the small corpus, and the metric.

    Whoever uses it leaves it as it is: all test processes share it. In this process `in_process.use_home` points to it,
    in another one HF_HOME; the rows load by their bare names, offline. The test split of dss is whole, as it is
    published; the other splits of dr, dsb and dss have 40, 10 and 60 items.
    """
    return made_once("set_up", set_up_with_few_items)


@pytest.fixture(scope="session")
def published_home() -> Path:
    """An HF_HOME after `bap-v2 setup`, with the human corpus if there is one. Shared as `set_up_home` is."""
    return made_once("published", set_up_as_published)


def made_once(name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the first test process of this run makes, and the others wait for.

    Nothing is kept for the next run. A key of all that rows depend on (their sources, the corpus, versions of packages)
    is easy to get wrong, a stale folder would hide a change, and continuous integration begins with an empty disk.
    """
    folder = Path(os.environ["BAP_V2_TEST_HOME"]) / "made" / name
    done = folder.with_suffix(".done")
    folder.parent.mkdir(exist_ok=True)
    with FileLock(folder.with_suffix(".lock")):
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            make(folder)
            done.touch()
    return folder


def set_up_with_few_items(home: Path) -> None:
    import datasets
    import small_corpus
    from in_process import use_home

    from bap_v2_dataset.human import game_store
    from bap_v2_dataset.loading import install
    from bap_v2_simulators.corpora import SIMULATORS
    from bap_v2_simulators.corpus_table import SIZES

    with pytest.MonkeyPatch.context() as patch:
        use_home(patch, home)
        patch.setattr(datasets.config, "HF_MODULES_CACHE", str(home / "modules"))
        for name, sizes in [(name, SIZES[name]) for name in SIMULATORS]:
            few = {"train": 40, "validation": 10, "test": sizes["test"] if name == "dss" else 60}
            patch.setitem(SIZES, name, few)
            install.install_dataset(name)
        game_store.choose(game_store.mdc_games(str(small_corpus.write(home.with_name("small_corpus")))))
        install.install_dataset("mdc")
        install.install_metric()


def set_up_as_published(home: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "BAP_V2_"))}
    environment |= {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1"}
    corpus = os.environ.get("BAP_V2_MDC")
    command = [sys.executable, "-m", "bap_v2_dataset.cli", "setup"]
    command += ["--mdc", str(Path(corpus).resolve())] if corpus else []
    done = subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
