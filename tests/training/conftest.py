"""What the tests of training share: fabricated data and a tiny model. Without the extra `training` there are none."""

import importlib.util
import os
from pathlib import Path

import pytest

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported: nothing here needs the Hub
if importlib.util.find_spec("trl") is None:
    collect_ignore_glob = ["*"]


@pytest.fixture
def no_proxy(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture(scope="session")
def data(tmp_path_factory) -> Path:
    """A folder with 30 fabricated items, as users would bring their own."""
    from tiny_runs import save_data

    folder = tmp_path_factory.mktemp("data") / "items"
    save_data(folder)
    return folder


@pytest.fixture(scope="session")
def tiny(data, tmp_path_factory) -> Path:
    """A model with random weights, as a Hub model would lie on this machine."""
    from tiny_runs import save_tiny

    folder = tmp_path_factory.mktemp("model") / "tiny"
    save_tiny(folder, data)
    return folder
