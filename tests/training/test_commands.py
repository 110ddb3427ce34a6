"""`bap-v2 train`, `predict` and `ensemble` are the scripts, with their options and their names; what `--help` says."""

import importlib
import io
import re
import subprocess
import sys
import time
from contextlib import redirect_stdout, suppress

import pytest
from paths import ROOT
from processes import children, is_running

from bap_v2_dataset import cli
from bap_v2_dataset.cli.help import examples
from bap_v2_training.commands import _SCRIPTS
from bap_v2_training.tasks.settings import REPRESENTATIONS_HELP
from bap_v2_training.tasks.table import LEARNED_TASKS

HELP = ROOT / "training" / "help"
COMMANDS = {f"bap-v2 {name}": _SCRIPTS[name] for name in ("train", "predict", "ensemble")}
COMMANDS |= {path.name: path.stem for path in (ROOT / "training").glob("*.py") if "def command()" in path.read_text()}


def help_of(command: str) -> str:
    """What a command says of itself, with 80 columns."""
    printed = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(printed), suppress(SystemExit):
        patch.setattr(sys, "argv", [command, "--help"])
        patch.setenv("COLUMNS", "80")
        importlib.import_module(f"bap_v2_training.{COMMANDS[command]}").command()
    return printed.getvalue()


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_help_that_is_kept_is_that_of_the_command_and_ends_with_examples(command):
    text = (HELP / f"{command.replace(' ', '_')}.txt").read_text()
    assert text == help_of(command), "PYTHONPATH=tests/support python tests/training/test_commands.py writes it"
    lines = text.splitlines()
    purpose, usage, examples = lines[0], lines[2], text.partition("\n Examples\n")[2].splitlines()
    assert purpose.endswith((".", ":")) and usage.startswith(f"usage: {command}") and len(examples) >= 2
    assert len(lines) <= 75 and max(map(len, text.partition(" Examples")[0].splitlines()[1:])) <= 80 and text.isascii()


@pytest.mark.parametrize("words", [["training/predict.py"], ["-m", "bap_v2_training.train_sft"]])
def test_help_is_printed_without_a_library(words):
    program = [sys.executable, "-X", "importtime", *words, "--help"]
    done = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=True)
    assert " Examples" in done.stdout and not re.search(
        r"\| +(torch|transformers|datasets)$", done.stderr, re.MULTILINE
    )


def test_help_names_all_inputs_of_every_task():
    named = set(re.findall(r"\w+", REPRESENTATIONS_HELP))
    assert {name for task in LEARNED_TASKS.values() for name in task.representations} - {"chat", "prompt"} <= named


@pytest.mark.parametrize(("name", "group"), [("train", "learning"), ("predict", "prompt"), ("ensemble", "weights")])
def test_the_options_of_a_script_are_those_of_the_command(name, group, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", sys.argv)  # which the command changes
    with pytest.raises(SystemExit) as end:
        cli.app([name, "--help", "all"], standalone_mode=False)
    shown = capsys.readouterr().out
    assert end.value.code == 0 and f"\nusage: bap-v2 {name} [--config FILE.yaml] [--OPTION VALUE ...]\n" in shown
    for _, line in examples()[name]:
        for option in (word for word in line.split() if word.startswith("--")):
            assert f"{option} " in shown, line
    assert "(default: None)" not in shown
    assert 0 < shown.index("\ncommon options:") < shown.index(f"\n{group}:")
    assert not re.search(r"--[a-z]+_", shown) and "--max-items" not in shown


@pytest.mark.parametrize("name", ["train", "predict"])
def test_help_shows_a_dozen_common_options_and_how_to_see_all(name, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", sys.argv)
    with pytest.raises(SystemExit):
        cli.app([name, "--help"], standalone_mode=False)
    shown, _, lines = capsys.readouterr().out.partition(" Examples\n")
    assert len(re.findall(r"^  --", shown, re.MULTILINE)) in (11, 13) and "--help [all]" in shown  # with --config
    assert [line for _, line in examples()[name]] == [line.strip() for line in lines.splitlines() if "# " not in line]


def test_an_error_names_the_command(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", sys.argv)
    with pytest.raises(SystemExit) as end:
        cli.app(["train", "--config", "smolm2"], standalone_mode=False)
    message = f"{end.value.code} {capsys.readouterr().err}"
    assert "bap-v2 train: unknown config file 'smolm2'; did you mean smollm2?" in message


WORKERS = """
import time
from torch.utils.data import DataLoader
from bap_v2_training.commands import run_training

class Big:  # batches that no pipe holds
    def __len__(self): return 99
    def __getitem__(self, number): return bytes(2**20)

def main():
    batches = iter(DataLoader(Big(), batch_size=None, num_workers=2))
    next(batches)
    print("learning", flush=True)
    time.sleep(60)

run_training(main, tuple)
"""


def test_workers_of_a_training_that_is_killed_end_too():
    with subprocess.Popen([sys.executable, "-c", WORKERS], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "learning\n"
        workers = children(process)
        process.kill()
    end = time.monotonic() + 20
    while any(map(is_running, workers)) and time.monotonic() < end:
        time.sleep(0.1)
    assert len(workers) >= 2 and not any(map(is_running, workers))


if __name__ == "__main__":
    HELP.mkdir(exist_ok=True)
    for command in COMMANDS:
        (HELP / f"{command.replace(' ', '_')}.txt").write_text(help_of(command))
