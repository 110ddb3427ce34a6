"""`bap-v2 setup --robust`: the configs of variants, which the default leaves out; `info` shows them."""

import re
from pathlib import Path

import datasets
import pytest
import small_corpus
from in_process import command, use_home
from small_corpus import LABELS, write_labels

from bap_v2_simulators import corpus_table


@pytest.fixture
def bap(tmp_path, monkeypatch, capsys):
    """With synthetic corpora of a few items, in a home of its own."""
    for name in corpus_table.SIZES:
        monkeypatch.setitem(corpus_table.SIZES, name, {"train": 12, "validation": 6, "test": 6})
    return command(monkeypatch, capsys, tmp_path / "home", tmp_path, width=200)


def made(home: Path) -> set[str]:
    return {folder.name for folder in (home / "datasets" / "bap_v2").iterdir()}


@pytest.mark.slow
def test_variants_are_set_up_when_asked_for_with_the_test_items_they_are_made_of(bap, tmp_path, monkeypatch):
    code, out, _ = bap("setup", "--robust", "--num-proc", "1")
    assert code == 0
    assert "Variants of test items: 4 configs, about 570 MB; robust_mdc_v2 needs the human corpus." in out
    assert "pass --mdc PATH or --mdc auto for the configs mdc_v2 and robust_mdc_v2." in out
    assert made(tmp_path / "home") == {"dr", "dsb", "dss", "robust_dr", "robust_dsb", "robust_dss"}
    use_home(monkeypatch, tmp_path / "home")
    rows = datasets.load_dataset("bap_v2", "robust_dss", split="original+sa_turn")
    assert len(rows) == 6 + 18
    shown = bap("info")[1]
    assert "6 original / " in shown and re.search(r"robust_mdc_v2 +not set up: bap-v2 setup --robust", shown)


def test_human_variants_are_made_with_the_corpus_and_its_labels_and_removed_when_those_change(bap, tmp_path):
    corpus = small_corpus.write(tmp_path / "mdc")
    labels, others = (
        write_labels(tmp_path / "mine.jsonl", LABELS),
        write_labels(tmp_path / "others.jsonl", [*LABELS[:-1], (*LABELS[-1][:2], "unique", "correct")]),
    )
    line = ("setup", "--config", "robust_mdc_v2", "--mdc", corpus, "--num-proc", "1", "--labels")
    code, _, err = bap(*line, labels)
    assert code == 0, err
    assert made(tmp_path / "home") == {"mdc_v2", "robust_mdc_v2"}
    code, _, err = bap("setup", "--config", "mdc_v2", "--mdc", corpus, "--num-proc", "1", "--labels", others)
    assert code == 0, err
    assert "Removed, because made with other games or labels: robust_mdc_v2. `bap-v2 setup --robust` makes" in err
