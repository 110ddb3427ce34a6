"""The runs of a study: which are to be done, several at a time, with their progress."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from bap_v2_dataset.predictions.model_records import TRAINING_RUN, read_record
from bap_v2_dataset.sentences import counted
from bap_v2_metric.errors import UserError
from bap_v2_simulators.atomic_files import atomic_write
from bap_v2_training.errors import UsageError
from studies.plan import Arm, Study, run_folder, run_settings

_SECONDS = 0.5  # between two looks at the logs
_TAIL = 4000  # bytes of a log that are looked at


class RunFailed(UserError):
    """A run ended with an error; the message shows the end of its log."""


@dataclass(frozen=True, eq=False)
class Run:
    """An arm with a seed."""

    arm: Arm
    seed: int
    folder: Path

    @property
    def log(self) -> Path:
        return self.folder / "log.txt"

    @property
    def title(self) -> str:
        return f"{self.arm.name}, seed {self.seed}"


def runs_of(study: Study, out: Path) -> list[Run]:
    """All runs, seed by seed, so that the first complete comparison is there early."""
    return [Run(arm, seed, run_folder(out, arm, seed)) for seed in study.seeds for arm in study.arms]


def finished(run: Run, study: Study, items: Mapping[str, int]) -> bool:
    """Whether a run's model is trained and has answered every test set.

    Args:
        items: how many each test set has, by its name.
    """
    if not (run.folder / TRAINING_RUN).exists():
        return False
    return run.arm.stage or all(
        _lines(run.folder / test.file_name) >= items[test.name] for test in study.test_sets
    )  # fmt: skip


def run_all(study: Study, out: Path, items: Mapping[str, int], jobs: int, console: Console) -> None:
    """Do what is not finished yet, `jobs` runs at a time, each with one thread.

    Raises:
        UsageError: a run was begun with other settings.
        RunFailed: a run ended with an error; the others are stopped, and the same command resumes them.
    """
    runs = runs_of(study, out)
    for run in runs:
        prepare(run, run_settings(study, run.arm, run.seed, out))
        check_answers(run, study)
    waiting = [run for run in runs if not finished(run, study, items)]
    if done := len(runs) - len(waiting):
        console.print(f"{done} of {counted(len(runs), 'run')} are finished already", highlight=False)
    columns = (
        TextColumn("{task.description}"), BarColumn(bar_width=24), MofNCompleteColumn(),
        TextColumn("{task.fields[loss]}"), TimeRemainingColumn(compact=True),
    )  # fmt: skip
    going: dict[Run, tuple[subprocess.Popen, TaskID, float]] = {}
    steps = {run: int(run.arm.settings["max_steps"]) for run in waiting}
    with Progress(*columns, console=console) as progress:
        whole = progress.add_task("all runs", total=sum(steps.values()), loss="")
        try:
            while waiting or going:
                for run in [run for run in waiting if _can_start(run, study, out)][: jobs - len(going)]:
                    waiting.remove(run)
                    task = progress.add_task(run.title, total=steps[run], loss="starts")
                    going[run] = _started(run, study), task, time.monotonic()
                time.sleep(_SECONDS)
                for run, (process, task, since) in list(going.items()):
                    progress.update(task, **progress_in(_tail(run.log), steps[run]))
                    if process.poll() is not None:
                        _check(run, process)
                        progress.remove_task(task)
                        del going[run]
                        minutes = (time.monotonic() - since) / 60
                        console.print(f"{run.title}: finished in {minutes:.1f} minutes", highlight=False)
                left = [task.total - task.completed for task in progress.tasks if task.id != whole]
                progress.update(whole, completed=sum(steps.values()) - sum(left) - sum(steps[run] for run in waiting))
        except BaseException:
            for process, _, _ in going.values():
                process.terminate()
            for process, _, _ in going.values():
                process.wait()
            raise


def prepare(run: Run, settings: Mapping[str, Any]) -> None:
    """Write the settings of a run into its folder. Raises: UsageError if it was begun with other ones."""
    path = run.folder / "config.yaml"
    begun = (run.folder / TRAINING_RUN).exists() or any(run.folder.glob("checkpoint-*"))
    if begun and path.is_file():
        earlier = yaml.safe_load(path.read_bytes())
        if differing := sorted(
            name for name in {*earlier, *settings} if earlier.get(name) != settings.get(name) and name != "output_dir"
        ):
            raise UsageError(
                f"{run.folder} was trained with another {differing[0]} ({earlier.get(differing[0])}, now "
                f"{settings.get(differing[0])}): choose another --out, or remove that folder"
            )
    run.folder.mkdir(parents=True, exist_ok=True)
    atomic_write(path, yaml.safe_dump(dict(settings), sort_keys=False, allow_unicode=True).encode())


def check_answers(run: Run, study: Study) -> None:
    """Raises: UsageError: a run has answered a test set with other options."""
    for path in (run.folder / test.file_name for test in study.test_sets):
        earlier = read_record(path.with_name(f"{path.name}.settings.json"), {})
        for name, value in study.predict.items():
            if name != "batch_size" and earlier.get(name, value) != value:
                raise UsageError(
                    f"{path} was answered with {name} {earlier[name]}, now {value}: remove it, or choose another --out"
                )


def progress_in(log: str, steps: int) -> dict[str, Any]:
    """How far the run with this log (its end) is, as fields of its line.

    >>> progress_in("2%|1 | 12/640 [00:03<02:50]\\r{'loss': '5.25', 'epoch': '0'}\\nshards: 1/1 [00:00]", 640)
    {'completed': 12, 'loss': 'loss 5.25'}
    >>> progress_in("12 of 12 items to answer\\nAnswering:   8%|#  | 1/12 [00:00<00:01]", 640)
    {'completed': 640, 'loss': 'answers'}
    """
    if "items to answer" in log:
        return {"completed": steps, "loss": "answers"}
    fields: dict[str, Any] = {}
    if counts := re.findall(rf"\b(\d+)/{steps} \[", log):
        fields["completed"] = int(counts[-1])
    if losses := re.findall(r"'loss': '?([\d.]+(?:e-?\d+)?)", log):
        fields["loss"] = f"loss {losses[-1]}"
    return fields


def _can_start(run: Run, study: Study, out: Path) -> bool:
    if run.arm.after is None:
        return True
    first = next(arm for arm in study.arms if arm.name == run.arm.after)
    return (run_folder(out, first, run.seed) / TRAINING_RUN).exists()


def _started(run: Run, study: Study) -> subprocess.Popen:
    tests: Sequence[str] = [] if run.arm.stage else [test.name for test in study.test_sets]
    options = dict(study.predict) | ({} if study.max_test_items is None else {"limit": study.max_test_items})
    named = [f"--{name}={value}" for name, value in options.items()]
    command = [sys.executable, "-m", "studies.run", str(run.folder), study.trainer.name, *tests, *named]
    tools = str(Path(__file__).parent.parent)
    path = os.pathsep.join(filter(None, [tools, os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": path}
    with run.log.open("wb") as log:
        return subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env=environment)


def _check(run: Run, process: subprocess.Popen) -> None:
    """Raises: RunFailed if it ended with an error, KeyboardInterrupt if it was Ctrl-C."""
    if process.returncode == 130:
        raise KeyboardInterrupt
    if process.returncode:
        end = _tail(run.log).replace("\r", "\n").strip().split("\n")[-15:]
        raise RunFailed(f"{run.title} ended with {process.returncode}; {run.log} ends:\n" + "\n".join(end))


def _tail(path: Path) -> str:
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _TAIL))
        return file.read().decode("utf-8", errors="replace")


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.is_file() else 0
