"""`bap-v2 setup --gsu`: the configs of GSU, which the default leaves out; `info` shows them."""

import re
from pathlib import Path

import pytest
from in_process import command

from bap_v2_dataset.tasks.table import TASKS
from bap_v2_simulators.gsu.configs import SIZES


@pytest.fixture
def bap(tmp_path, monkeypatch, capsys):
    """With configs of a few items, in a home of its own."""
    for split in SIZES:
        monkeypatch.setitem(SIZES, split, 3)
    return command(monkeypatch, capsys, tmp_path / "home", tmp_path, width=200)


def made(home: Path) -> set[str]:
    return {folder.name for folder in (home / "datasets" / "bap_v2").iterdir()}


def test_one_config_can_be_set_up_alone(bap, tmp_path):
    code, out, err = bap("setup", "--config", "gsu_structure", "--num-proc", "1")
    assert code == 0, err
    assert "Grid Spatial Understanding: 1 config, about 64 MB." in out
    assert 'load_dataset("bap_v2", "gsu_structure")' in out and "3 train / 3 validation / 3 test" in out
    assert made(tmp_path / "home") == {"gsu_structure"}
    shown = bap("info")[1]
    assert re.search(r"gsu_structure +3 train / 3 validation / 3 test", shown)
    assert re.search(r"gsu\* +20 configs are not set up: bap-v2 setup --gsu", shown)


@pytest.mark.slow
def test_all_configs_are_set_up_when_asked_for(bap, tmp_path):
    code, out, err = bap("setup", "--gsu", "--num-proc", "1")
    assert code == 0, err
    assert "Grid Spatial Understanding: 21 configs, about 336 MB." in out
    assert made(tmp_path / "home") == set(TASKS["gsu"].configs)
    assert "24 train / 24 validation / 3 test_gsu_follower_ego_2d" in out
    assert "not set up: bap-v2 setup --gsu" not in bap("info")[1]


def test_configs_of_gsu_need_no_corpus_and_no_labels(bap):
    code, _, err = bap("setup", "--gsu", "--mdc", "corpus")
    assert code and "--mdc is for the configs" in err
    code, _, err = bap("setup", "--config", "gsu_structur")
    assert code and "did you mean gsu_structure?" in " ".join(err.replace("│", " ").split())  # the frame breaks lines
