"""What tests of models with adapters share."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def adapter(tmp_path_factory) -> Path:
    """An adapter with the base model that its run made."""
    from small_adapters import new_adapter

    return new_adapter(tmp_path_factory.mktemp("runs") / "adapter")


@pytest.fixture(scope="session")
def data(tmp_path_factory) -> Path:
    from small_adapters import save_items

    return save_items(tmp_path_factory.mktemp("data") / "items.jsonl")
