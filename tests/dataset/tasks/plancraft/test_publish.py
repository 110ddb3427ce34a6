"""Plancraft on the Hub: pushed rows load as they are here, with the license of the package, and a card."""

import ast
import importlib.metadata

import datasets
import huggingface_hub
import pytest
from in_process import pushing, use_home
from plancraft_package import needs_package
from small_cards import assert_well_formed, code_of

from bap_v2_dataset import cli
from bap_v2_dataset.loading import install
from bap_v2_dataset.publishing.dataset import chosen_configs
from bap_v2_dataset.publishing.template import CardError
from bap_v2_dataset.tasks.plancraft import card as plancraft_card
from bap_v2_dataset.tasks.plancraft import scorer as plancraft_scoring
from bap_v2_dataset.tasks.plancraft.features import ORACLE_FEATURES, TASK_FEATURES

needs_package()

REPO = "tester/bap_v2"
DATA = ("dataset", REPO)
CONFIGS = ["plancraft", "plancraft_oracle"]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An HF_HOME in which both configs are set up."""
    home = tmp_path_factory.mktemp("publish_plancraft") / "home"
    with pytest.MonkeyPatch.context() as patch:
        use_home(patch, home)
        for name in CONFIGS:
            install.install_dataset(name)
    return home


@pytest.fixture
def hub(home, monkeypatch):
    use_home(monkeypatch, home)
    with pushing(monkeypatch) as hub:
        yield hub


@pytest.fixture
def push(hub, capsys):
    def push(*options: str) -> str:
        cli.app(["push", "--repo-id", REPO, *options], standalone_mode=False)
        return capsys.readouterr().out

    return push


def test_its_configs_are_pushed_only_if_that_is_said():
    assert chosen_configs([], human=False, plancraft=True) == CONFIGS
    assert chosen_configs([], human=False) == ["dr", "dsb", "dss"]
    assert chosen_configs(["dss"], human=False, plancraft=True) == ["dss", *CONFIGS]


def test_what_was_pushed_loads_as_it_is_here_with_the_license(push, hub, home, tmp_path):
    push("--plancraft")
    files = hub.files(*DATA)
    notice = files["LICENSE-PLANCRAFT.txt"].decode()
    assert notice.startswith("MIT License") and "Copyright" in notice
    folder = tmp_path / "published"
    for path, data in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    for name, features in zip(CONFIGS, (TASK_FEATURES, ORACLE_FEATURES)):
        loaded = datasets.load_dataset(str(folder), name, cache_dir=str(tmp_path / "cache"))
        local = install.rows_of(name)
        assert loaded.keys() == local.keys() and loaded["validation"].features == features
        assert loaded["validation"].to_list() == local["validation"].to_list()

    card = huggingface_hub.DatasetCard(files["README.md"].decode())
    assert_well_formed(card.text)
    ast.parse(code_of(card.text))
    assert card.data["license"] == ["mit"] and card.data["pretty_name"] == "Plancraft"
    assert plancraft_scoring.signature() in card.text and "dagan2025plancraft" in card.text
    assert "| test | 200 | 100 | 180 | 100 |" in card.text
    assert all(f"| `{column}` |" in card.text for column in (*TASK_FEATURES, *ORACLE_FEATURES))
    assert "nothing to do" in push("--plancraft")


def test_without_the_package_nothing_is_published(monkeypatch):
    def missing(name):
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(plancraft_card, "files", missing)
    with pytest.raises(CardError, match=r"pip install --no-deps plancraft==0.4.9"):
        plancraft_card.license_text()
