"""YAML files that extend one another."""

import os

import pytest

pytest.importorskip("trl", reason="the training extra is not installed")
os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before transformers is imported: nothing here needs the Hub

from bap_v2_training.learning.config_files import config_settings


def test_a_file_changes_only_what_it_names(tmp_path):
    (tmp_path / "base.yaml").write_text("seed: 1\nlora_r: 8\n")
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "own.yaml").write_text("extends: ../base.yaml\nlora_r: 16\n")
    assert config_settings(tmp_path / "deeper" / "own.yaml") == {"seed": 1, "lora_r": 16}
