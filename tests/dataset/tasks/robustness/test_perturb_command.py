"""`bap-v2 perturb`, as a user types it."""

import json

import pytest
from case_tables import cases_of
from in_process import command

from bap_v2_dataset.evaluation.test_sets import split_rows
from bap_v2_dataset.tasks.robustness.families import variants_of


@pytest.fixture
def bap(monkeypatch, capsys, tmp_path, set_up_home):
    return command(monkeypatch, capsys, set_up_home, tmp_path, 200)


def test_variants_of_a_part_of_a_split_are_written_and_counted(bap, tmp_path):
    line = ("perturb", "dss", "--split", "test[:6]", "--family", "sa_turn", "--family", "spc_remove", "--num-proc", 1)
    code, out, err = bap(*line, "--out", "v.jsonl")
    assert code == 0 and "18 variants of 6 items (sa_turn 18)" in out
    assert "no item has a variant of spc_remove" in err
    rows = [json.loads(text) for text in (tmp_path / "v.jsonl").read_text(encoding="utf-8").splitlines()]
    parents = split_rows("dss", "test[:6]")
    assert rows == [variant for parent in parents for variant in variants_of(parent, "sa_turn", config="dss")]


def test_items_of_ones_own_have_variants_too(bap, tmp_path):
    mine = [
        {key: row[key] for key in ("id", "dialogue", "pose", "before", "after")} for row in split_rows("dss", "test")
    ]
    (tmp_path / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in mine[:4]), encoding="utf-8")
    code, out, _ = bap(
        "perturb", "--data", "mine.jsonl", "--family", "spg", "--variants", 1, "--num-proc", 1, "--out", "v.jsonl"
    )
    assert code == 0 and "4 items (spg" in out
    rows = [json.loads(text) for text in (tmp_path / "v.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {row["metadata"]["perturbation"]["config"] for row in rows} == {None}
    settings = json.loads((tmp_path / "v.jsonl.settings.json").read_text(encoding="utf-8"))
    assert settings["request"]["data"] == "mine" and settings["variants"] == {"spg": len(rows)}


@pytest.mark.parametrize(
    ("words", "problem"),
    cases_of(__file__, "mistakes"),
)
def test_a_mistake_is_one_sentence_and_nothing_is_written(bap, words, problem, tmp_path):
    code, out, err = bap("perturb", *words)
    assert (code, out) == (1, "") and problem in err and len(err.strip().splitlines()) == 1
    assert not list(tmp_path.glob("v.*"))


def test_a_config_or_data_have_to_be_named(bap):
    for words, problem in (
        ((), "pass either a config"),
        (("dss", "--data", "mine.jsonl"), "pass either a config"),
        (("robust_dss",), "robust_dss has the variants of dss already"),
        (("nothing",), "unknown config 'nothing'"),
        (("dss", "--labels", "ours"), "--labels is for the configs"),
    ):
        code, _, err = bap("perturb", *words, "--out", "v.jsonl")
        assert code == 2 and problem in " ".join(err.split())
