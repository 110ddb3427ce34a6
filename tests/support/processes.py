"""What became of the processes of a command, as Linux tells it."""

import subprocess
from pathlib import Path

import pytest


def children(process: subprocess.Popen) -> list[str]:
    """The ids of a running process's children, also of those that are not its own any more."""
    file = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not file.exists():
        pytest.skip("needs a kernel that lists the children of a process")
    return file.read_text().split()


def is_running(pid: str) -> bool:
    try:
        return Path("/proc", pid, "stat").read_text().split(") ")[1][0] != "Z"
    except OSError:
        return False
