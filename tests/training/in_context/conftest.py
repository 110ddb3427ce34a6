"""What tests of models behind an endpoint share: items, and no proxy. Without the extra `icl` there are no tests."""

import importlib.util
from pathlib import Path

import pytest
from chat_items import save_items

if any(importlib.util.find_spec(package) is None for package in ("httpx2", "bm25s")):
    collect_ignore_glob = ["*"]


@pytest.fixture(autouse=True)
def surroundings(no_proxy):
    """Requests stay on this machine."""


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("data") / "items"
    save_items(folder)
    return folder
