"""What the tests of the explorer share: caches with two small corpora, set up once."""

import pytest
from in_process import use_home

import bap_v2_dataset  # noqa: F401 (registers the name)
from bap_v2_dataset.explorer.sources import InstalledSource
from bap_v2_dataset.loading import install
from bap_v2_simulators.corpus_table import SIZES


@pytest.fixture(scope="session")
def home(tmp_path_factory):
    """An HF_HOME in which dss and dr are set up with few items."""
    home = tmp_path_factory.mktemp("explorer")
    with pytest.MonkeyPatch.context() as patch:
        use_home(patch, home)
        for name in ("dss", "dr"):
            patch.setitem(SIZES, name, {"train": 40, "validation": 10, "test": 60})
            install.install_dataset(name)
    return home


@pytest.fixture
def source(home, monkeypatch):
    use_home(monkeypatch, home)
    return InstalledSource()
