"""Ctrl-C at any moment: one sentence, code 130, and no traceback."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

PROGRAM = "import sys; from bap_v2_training.commands import bap_v2; print('ready', flush=True); bap_v2()"


def interrupted(folder, delay: float, *arguments: str) -> tuple[int, str]:
    """Exit code and errors of a command that gets Ctrl-C, as do its processes, so many seconds after its start."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *arguments], cwd=folder, env={**os.environ, "HF_HOME": str(folder / "home")},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    assert process.stdout.readline() == "ready\n"
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    return process.returncode, err.strip()


@pytest.mark.parametrize("delay", [0.01, 0.05, 0.1, 0.2, 0.4, 1.0])
def test_generate_is_stopped_with_one_sentence_and_can_be_resumed(delay, tmp_path):
    code, err = interrupted(tmp_path, delay, "generate", "dss", "g.jsonl", "--games", "100000", "--num-proc", "2")
    assert code == 130
    assert err in ("stopped before it began", "stopped; run the same command to resume where it stopped")
    assert not (tmp_path / "g.jsonl").exists() and not (tmp_path / "g.jsonl.lock").exists()


LOST = """
import os, signal, sys, time
from bap_v2_dataset.cli import interrupts
interrupts.AGAIN = 0.1
interrupts.raise_until_handled()
{setup}
try:
    {press}
    print("lost", flush=True)
    time.sleep(30)
except KeyboardInterrupt:
    time.sleep(0.5)  # longer than it takes to come again
    print("handled")
finally:
    interrupts.end_at_once()
"""


@pytest.mark.parametrize(
    ("setup", "press"),
    [
        # by Python, in the callback of an object that goes
        ("class Gone:\n    def __del__(self): signal.raise_signal(signal.SIGINT)", "Gone()"),
        # by a library that catches everything
        ("import contextlib", "with contextlib.suppress(BaseException): signal.raise_signal(signal.SIGINT)"),
    ],
    ids=["callback", "caught"],
)
def test_an_interrupt_that_is_lost_comes_again_and_only_until_it_is_handled(setup, press):
    program = LOST.format(setup=setup, press=press)
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (ended.stdout, ended.stderr, ended.returncode) == ("lost\nhandled\n", "", 0)


STOPPED = {
    "before the command": (
        """
        import signal
        from bap_v2_dataset import cli
        from bap_v2_dataset.cli import command_line
        run = command_line.run
        command_line.run = lambda: [signal.raise_signal(signal.SIGINT), run()]
        cli.main()
        """,
        "stopped before it began",
    ),
    # `python -m` dies by the signal when it comes in code that is made of text, as that of dataclasses, even if handled
    "in code made of text": (
        """
        import signal
        from bap_v2_dataset import cli
        from bap_v2_dataset.cli import command_line
        command_line.app = lambda: exec("signal.raise_signal(signal.SIGINT)")
        cli.main()
        """,
        "stopped",
    ),
    "in a script, in code made of text": (
        """
        import signal, sys
        from bap_v2_dataset.failures import sentences_for_the_user
        sys.stdout = sys.stderr
        with sentences_for_the_user("script", "stopped"):
            exec("signal.raise_signal(signal.SIGINT)")
        """,
        "stopped",
    ),
    "while an error is printed": (
        """
        import signal
        from bap_v2_dataset import cli
        from bap_v2_dataset.cli import command_line
        from bap_v2_metric.errors import UserError
        def app(): raise UserError("wrong")
        command_line.app = app
        command_line.sentence_of = lambda error: signal.raise_signal(signal.SIGINT)
        cli.main()
        """,
        "stopped",
    ),
    "while modules are torn down, after Ctrl-C": (
        """
        import os, signal
        from bap_v2_dataset import cli
        from bap_v2_dataset.cli import command_line
        class Last:
            def __del__(self, kill=os.kill, me=os.getpid(), number=signal.SIGINT): kill(me, number)
        last = Last()
        command_line.app = lambda: signal.raise_signal(signal.SIGINT)
        cli.main()
        """,
        "stopped",
    ),
}


@pytest.mark.parametrize("moment", STOPPED)
def test_at_every_moment_the_exit_code_is_130(moment, tmp_path):
    program, sentence = STOPPED[moment]
    (tmp_path / "program.py").write_text(textwrap.dedent(program))
    ended = subprocess.run(
        [sys.executable, "-m", "program"], cwd=tmp_path, capture_output=True, text=True, timeout=60,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    assert (ended.returncode, ended.stderr.strip()) == (130, sentence)


def test_where_ctrl_c_is_ignored_it_is_ignored(tmp_path):
    """As a shell does it for commands in the background."""
    command = [sys.executable, "-c", PROGRAM, "generate", "dr", "g.jsonl", "--games", "3", "--num-proc", "1"]
    process = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN),
    )  # fmt: skip
    assert process.stdout.readline() == "ready\n"
    os.killpg(process.pid, signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 0 and (tmp_path / "g.jsonl").exists()


@pytest.mark.slow
@pytest.mark.parametrize("delay", [1.0, 2.5, 4.0])
@pytest.mark.parametrize(
    "command", [("setup", "--config", "dss", "--rebuild"), ("mix", "mixed", "--dr", "all", "--dss", "all")]
)
def test_long_commands_are_stopped_with_one_sentence(command, delay, tmp_path):
    code, err = interrupted(tmp_path, delay, *command)
    assert code == 130 and len(err.splitlines()) == 1 and err.startswith("stopped")
