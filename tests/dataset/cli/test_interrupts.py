"""Ctrl-C: one sentence, code 130, no traceback, and files that are whole or absent."""

import os
import signal
import subprocess
import sys
import time

import pytest

PROGRAM = "from bap_v2_dataset.cli import main; print('ready', flush=True); main()"
STOPPED = "stopped; nothing is left half done, and the same command does the rest"


def interrupted(folder, delay: float, *arguments: str, action=signal.SIG_DFL) -> tuple[int, str]:
    """Exit code and errors of a command that gets Ctrl-C, as do its processes, so many seconds after its start."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments], cwd=folder, env={**os.environ, "HF_HOME": str(folder / "home")},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, action),
    )  # fmt: skip
    assert process.stdout.readline() == "ready\n"
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    return process.returncode, err.strip()


@pytest.mark.slow
@pytest.mark.parametrize("delay", [0.05, 0.4, 2.0])  # while it is imported, begins, and writes
def test_generate_is_stopped_with_one_sentence_and_without_a_file(delay, tmp_path):
    command = ("generate", "dss", "g.jsonl", "--games", "100000", "--num-proc", "2")
    assert interrupted(tmp_path, delay, *command) == (130, STOPPED)
    assert not (tmp_path / "g.jsonl").exists() and not (tmp_path / "g.jsonl.lock").exists()


@pytest.mark.slow
def test_where_ctrl_c_is_ignored_it_is_ignored(tmp_path):
    """As a shell does it for commands in the background."""
    command = ("generate", "dr", "g.jsonl", "--games", "3", "--num-proc", "1")
    assert interrupted(tmp_path, 0.0, *command, action=signal.SIG_IGN)[0] == 0
    assert (tmp_path / "g.jsonl").exists()


@pytest.mark.slow
@pytest.mark.parametrize("delay", [1.0, 4.0])
def test_setup_is_stopped_with_one_sentence(delay, tmp_path):
    assert interrupted(tmp_path, delay, "setup", "--config", "dss", "--rebuild") == (130, STOPPED)


def test_a_script_that_has_said_what_is_kept_is_not_answered_twice(monkeypatch, capsys):
    from bap_v2_dataset.cli import command_line, models
    from bap_v2_dataset.failures import Stopped, sentences_for_the_user

    def script(name, args):
        with sentences_for_the_user(name, "stopped; answers are kept"):
            raise KeyboardInterrupt

    monkeypatch.setattr(models, "run_script", script)
    monkeypatch.setattr(sys, "argv", ["bap-v2", "predict"])
    with pytest.raises(Stopped):
        command_line.run()
    assert capsys.readouterr().out == "\nstopped; answers are kept\n"
