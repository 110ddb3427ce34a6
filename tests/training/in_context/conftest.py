"""What tests of models behind an endpoint share: items, and no proxy. Without the extra `icl` there are no tests."""

import importlib.util
from pathlib import Path

import pytest
from chat_items import save_items
from chat_runs import KEY

if any(importlib.util.find_spec(package) is None for package in ("httpx2", "bm25s")):
    collect_ignore_glob = ["*"]


@pytest.fixture(autouse=True)
def surroundings(no_proxy, monkeypatch):
    """Requests stay on this machine, and have a key."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "items"
    save_items(folder)
    return folder
