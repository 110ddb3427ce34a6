"""Old names of commands and options: they work, say the new ones, and no help shows them."""

import json

import pytest
import typer.main
from in_process import command

from bap_v2_dataset import cli
from bap_v2_dataset.cli.old_names import with_new_names

SCORES = '{\n  "settings": {},\n  "systems": []\n}'


@pytest.fixture
def bap(monkeypatch, capsys, tmp_path):
    return command(monkeypatch, capsys, tmp_path / "home", tmp_path, 100)


@pytest.mark.parametrize(
    ("words", "new", "notes"),
    [
        ("compare --games 3", "compare-corpora --games 3", 1),
        ("play dsb --games 3", "play-games dsb --games 3", 1),
        ("play dsb --builder=stack --output g.jsonl", "play-games dsb --builder=stack --out g.jsonl", 2),
        ("play dsb --builder person --output g.jsonl", "play dsb --out g.jsonl", 2),
        ("play dsb --output=g.jsonl", "play dsb --out=g.jsonl", 1),
        ("score a.jsonl --json scores.json", "score a.jsonl --out scores.json", 1),
        ("score a.jsonl --json=x", "score a.jsonl --out=x", 1),
        ("score a.jsonl --json earlier.txt", "score a.jsonl --out earlier.txt", 1),
        ("score --json answers.json", "score --json answers.json", 0),  # predictions
        ("score --json a.jsonl", "score --json a.jsonl", 0),
        ("score --json mine=a.json", "score --json mine=a.json", 0),
        ("score a.jsonl --json", "score a.jsonl --json", 0),
        ("score a.jsonl --json --brief", "score a.jsonl --json --brief", 0),
        ("play dsb", "play dsb", 0),
    ],
)
def test_each_becomes_the_new_name_with_a_note(words, new, notes, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "answers.json").write_text('{"dss-test-0/0": "place red 0 1 0"}')
    (tmp_path / "earlier.txt").write_text(SCORES)
    said = []
    assert with_new_names(words.split(), said.append) == new.split()
    assert len(said) == notes and all(" is now " in text or " is for a person" in text for text in said)


def test_no_help_shows_them(bap):
    names = typer.main.get_command(cli.app).commands
    assert not {"compare"} & names.keys() and "compare " not in bap("--help")[1]
    for name in ("play", "play-games", "score", "generate", "mix", "merge", "annotate"):
        shown = bap(name, "--help")[1]
        assert "--output" not in shown and "[output]" not in shown.lower() and "--out" in shown, name


def test_a_place_to_write_is_named_once_by_either_spelling(bap, tmp_path):
    assert bap("generate", "dss", "a.jsonl", "--games", 1)[0] == 0
    assert bap("generate", "dss", "--games", 1, "--out", "b.jsonl")[0] == 0
    assert (tmp_path / "a.jsonl").read_bytes() == (tmp_path / "b.jsonl").read_bytes()
    code, _, err = bap("generate", "dss", "a.jsonl", "--games", 1, "--out", "b.jsonl")
    assert code == 2 and "name it once" in err
    code, _, err = bap("merge", "runs/x")
    assert code == 2 and "--out PATH" in err


def test_predictions_are_not_compared_as_corpora(bap):
    for name in ("compare", "compare-corpora"):
        code, _, err = bap(name, "a.jsonl", "b.jsonl")
        assert code == 2 and "bap-v2 score a.jsonl b.jsonl" in " ".join(err.replace("│", " ").split())


def test_json_means_the_same_everywhere(bap):
    for line in (["info", "--json"], ["play-games", "dss", "--games", "1", "--json"]):
        code, out, err = bap(*line)
        assert (code, err) == (0, "") and json.loads(out), line
