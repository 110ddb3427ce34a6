"""What other processes take, as Linux tells it."""

import os
from pathlib import Path


def cpu_seconds(pid: int) -> float:
    """Seconds of CPU time of a process; nan where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_memory(pid: int) -> float:
    """The largest resident memory of a process so far, in MB; 0.0 where the system does not tell."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), 0.0)
