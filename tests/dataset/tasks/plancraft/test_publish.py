"""Tasks of Plancraft are published with the license of its package."""

import importlib.metadata

import pytest
from plancraft_package import needs_package

from bap_v2_dataset.publishing.template import CardError
from bap_v2_dataset.tasks.plancraft import card
from bap_v2_dataset.tasks.plancraft.task import PLANCRAFT


def test_the_license_is_that_of_the_package():
    needs_package()
    (notice,) = card.license_files(PLANCRAFT.configs).values()
    assert notice.startswith(b"MIT License") and b"Copyright" in notice


def test_without_the_package_nothing_is_published(monkeypatch):
    def missing(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(card, "files", missing)
    with pytest.raises(CardError, match=r"pip install --no-deps plancraft==0.4.9"):
        card.license_files(PLANCRAFT.configs)
