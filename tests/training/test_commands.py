"""`bap-v2 train`, `predict` and `ensemble` are the scripts, with their options and their names."""

import re
import sys

import pytest

from bap_v2_dataset import cli
from bap_v2_dataset.cli.help import examples


@pytest.mark.parametrize(("name", "group"), [("train", "learning"), ("predict", "prompt"), ("ensemble", "weights")])
def test_the_options_of_a_script_are_those_of_the_command(name, group, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", sys.argv)  # which the command changes
    with pytest.raises(SystemExit) as end:
        cli.app([name, "--help", "all"], standalone_mode=False)
    shown = capsys.readouterr().out
    assert end.value.code == 0 and shown.startswith(f"usage: bap-v2 {name} [--config FILE.yaml] [--OPTION VALUE ...]")
    for _, line in examples()[name]:
        for option in (word for word in line.split() if word.startswith("--")):
            assert f"{option} " in shown, line
    assert "(default: None)" not in shown
    assert 0 < shown.index("\ncommon options:") < shown.index(f"\n{group}:")
    assert not re.search(r"--[a-z]+_", shown) and "--max-items" not in shown


@pytest.mark.parametrize("name", ["train", "predict"])
def test_help_shows_ten_common_options_and_how_to_see_all(name, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", sys.argv)
    with pytest.raises(SystemExit):
        cli.app([name, "--help"], standalone_mode=False)
    shown, _, lines = capsys.readouterr().out.partition(" Examples\n")
    assert len(re.findall(r"^  --", shown, re.MULTILINE)) == 11 and "--help [all]" in shown  # --config, and ten
    assert [line for _, line in examples()[name]] == [line.strip() for line in lines.splitlines() if "# " not in line]


def test_an_error_names_the_command(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", sys.argv)
    with pytest.raises(SystemExit) as end:
        cli.app(["train", "--config", "smolm2"], standalone_mode=False)
    message = f"{end.value.code} {capsys.readouterr().err}"
    assert "bap-v2 train: unknown config file 'smolm2'; did you mean smollm2?" in message
