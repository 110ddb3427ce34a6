"""Kills commands at random moments and runs them again: is the result that of an uninterrupted run?

    python benchmarks/reliability.py                  # 20 kills each
    python benchmarks/reliability.py --kills 3 --only set-up --only annotate

SIGKILL, to the process alone or to all processes it has started, at a moment drawn uniformly from the time an
uninterrupted run takes; every command is killed one to three times before it may end. Results are compared by the
SHA-256 of every file except locks. Two setups at once are compared too. Ends with 1 if any result differs.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import track
from rich.table import Table

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))  # the small corpus, and the Hub stand-in

import small_corpus  # noqa: E402
from hub_stand_in import TOKEN  # noqa: E402

COMMAND = [sys.executable, "-m", "bap_v2_dataset.cli"]
ONLINE = {"HF_HUB_OFFLINE": "0", "HF_HUB_DISABLE_XET": "1"}  # the stand-in has no Xet
SECONDS_AN_ANSWER = 0.2
GAME_IDS = {small_corpus.EARLY: 2, small_corpus.IDLE: 2}  # test games of the small corpus, and their items


@dataclass
class Activity:
    """A command that is killed."""

    name: str
    command: Callable[[Path], list[str]]  # in this work folder
    result: Callable[[Path], dict[str, str]]  # digests by name
    environment: Callable[[Path], dict[str, str]] = lambda work: {}
    answers: Callable[[Path], list[str] | None] = lambda work: None  # lines that are typed in the next run
    before: Callable[[Path], None] = lambda work: None  # prepares a work folder
    two_at_once: bool = False


@dataclass
class Outcome:
    """How often an activity was killed, and whether it ended with the same result."""

    runs: int = 0
    kills: int = 0
    too_late: int = 0  # it had ended before it could be killed
    equal: int = 0
    problems: list[str] = field(default_factory=list)
    seconds: float = 0.0  # of the uninterrupted run
    expected: dict[str, str] = field(default_factory=dict)  # its result


def digests(folder: Path) -> dict[str, str]:
    """SHA-256 of every file below a folder, by its name, except locks and byte code."""
    sums = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.suffix not in (".lock", ".pyc") and not path.name.endswith(".lock"):
            sums[str(path.relative_to(folder))] = hashlib.sha256(path.read_bytes()).hexdigest()
    return sums


def environment_of(activity: Activity, work: Path) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "BAP_V2_"))}
    own = {"HF_HOME": str(work / "home"), "HF_HUB_OFFLINE": "1", "HF_DATASETS_DISABLE_PROGRESS_BARS": "1"}
    return {**inherited, **own, "PYTHONDONTWRITEBYTECODE": "1", **activity.environment(work)}


def start(activity: Activity, work: Path) -> subprocess.Popen:
    answers = activity.answers(work)
    process = subprocess.Popen(
        activity.command(work), env=environment_of(activity, work), cwd=work, start_new_session=True, text=True,
        stdin=subprocess.DEVNULL if answers is None else subprocess.PIPE,
        stdout=subprocess.DEVNULL, stderr=open(work / "stderr.txt", "w"),  # noqa: SIM115 (the process's)
    )  # fmt: skip
    if answers is not None:
        threading.Thread(target=type_answers, args=(process, answers), daemon=True).start()
    return process


def type_answers(process: subprocess.Popen, answers: list[str]) -> None:
    """Types the answers, slowly."""
    with suppress(BrokenPipeError, ValueError):
        for answer in answers:
            time.sleep(SECONDS_AN_ANSWER)
            process.stdin.write(f"{answer}\n")
            process.stdin.flush()
        process.stdin.close()


def kill(process: subprocess.Popen, everything: bool) -> None:
    if everything:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    else:
        process.kill()
    process.wait()


def finish(activity: Activity, work: Path) -> str | None:
    """Runs it to its end; what went wrong, or None."""
    process = start(activity, work)
    code = process.wait(timeout=600)
    lines = (work / "stderr.txt").read_text().strip().splitlines()
    return f"ended with {code}: {lines[-1] if lines else ''}" if code else None


def killed_and_repeated(activity: Activity, kills: int, root: Path, chance: random.Random) -> Outcome:
    """Runs it uninterrupted, then kills and repeats it in work folders of their own."""
    outcome = Outcome()
    work = root / "uninterrupted"
    work.mkdir(parents=True)
    activity.before(work)
    began = time.perf_counter()
    if problem := finish(activity, work):
        raise SystemExit(f"{activity.name}: the uninterrupted run {problem}")
    outcome.seconds = time.perf_counter() - began
    outcome.expected = activity.result(work)
    assert outcome.expected, activity.name
    while outcome.kills < kills:
        outcome.runs += 1
        work = root / f"run-{outcome.runs}"
        work.mkdir()
        activity.before(work)
        for _ in range(min(chance.randint(1, 3), kills - outcome.kills)):
            process = start(activity, work)
            try:
                process.wait(timeout=chance.uniform(0, outcome.seconds))
                outcome.too_late += 1
                break
            except subprocess.TimeoutExpired:
                kill(process, everything=chance.random() < 0.5)
                outcome.kills += 1
        compare(activity, work, outcome.expected, finish(activity, work), outcome)
    return outcome


def both_at_once(activity: Activity, alone: Outcome, work: Path) -> Outcome:
    """Two of the same at the same time.

    Args:
        alone: of the one without the other.
    """
    outcome = Outcome(runs=1, seconds=alone.seconds)
    work.mkdir(parents=True)
    activity.before(work)
    processes = [start(activity, work) for _ in range(2)]
    codes = [process.wait(timeout=600) for process in processes]
    compare(activity, work, alone.expected, f"ended with {codes}" if any(codes) else None, outcome)
    return outcome


def compare(activity: Activity, work: Path, expected: dict, problem: str | None, outcome: Outcome) -> None:
    result = {} if problem else activity.result(work)
    if not problem and result != expected:
        names = sorted(name for name in result.keys() | expected.keys() if result.get(name) != expected.get(name))
        problem = f"differs in {len(names)} files, e.g. {names[0]}"
    if problem:
        outcome.problems.append(f"{work.name}: {problem}")
    else:
        outcome.equal += 1
        shutil.rmtree(work)


# --- The commands.
def bap(words: str) -> Callable[[Path], list[str]]:
    """The command line of a work folder."""
    return lambda work: [*COMMAND, *words.replace("{work}", work.name).split()]


def activities(root: Path, hub: str) -> list[Activity]:
    """The commands that are killed.

    Args:
        root: a folder for what they share; if it has a `home`, the synthetic configs are set up in it.
        hub: the address of the Hub stand-in.
    """
    corpus = small_corpus.write(root / "corpus")
    labels = root / "labels.jsonl"
    lines = [
        json.dumps({"game_id": game, "item_index": index, "context": "unique", "structure": "correct"})
        for game, items in GAME_IDS.items()
        for index in range(items)
    ]
    labels.write_text("".join(f"{line}\n" for line in lines))

    def set_up_home(work: Path) -> None:
        """A home in which the synthetic configs are set up."""
        if not (root / "home").is_dir():
            env = {**os.environ, "HF_HOME": str(root / "home"), "HF_HUB_OFFLINE": "1"}
            options = ["setup", "--config", "dss", "--config", "dr", "--num-proc", "2"]
            subprocess.run([*COMMAND, *options], env=env, check=True, capture_output=True)
        shutil.copytree(root / "home", work / "home", copy_function=os.link)

    def pushed(work: Path) -> dict[str, str]:
        with urllib.request.urlopen(f"{hub}/_state") as answer:
            state = json.load(answer)
        return {
            f"{name.removesuffix(work.name)}{path}": file["sha256"]
            for name, repo in state.items()
            for path, file in repo["branches"]["main"]["files"].items()
            if name.endswith(f"/{work.name}") and path != "README.md"  # which holds the name of the repository
        }

    def annotate_answers(work: Path) -> list[str]:
        """The answers that are missing: of an item whose first question was answered, the second."""
        file = work / "labels.jsonl"
        saved = [json.loads(line) for line in file.read_text().splitlines()] if file.is_file() else []
        second_questions = ["c"] * sum(label["structure"] is None for label in saved)
        return second_questions + ["u", "c"] * (sum(GAME_IDS.values()) - len(saved))

    configs = "--config mdc_v2 --config mdc --config dss"
    return [
        Activity(
            "set-up",
            bap(f"setup --mdc {corpus} --labels {labels} {configs} --num-proc 2"),
            lambda work: digests(work / "home"),
            two_at_once=True,
        ),
        Activity(
            "download",
            lambda work: download_script(root),
            lambda work: digests(work / "home" / "bap_v2_corpus"),
            two_at_once=True,
        ),
        Activity(
            "generate, one file",
            bap("generate dsb a.parquet --games 1000 --num-proc 2"),
            lambda work: digests_of(work, "a.parquet"),
        ),
        Activity(
            "generate, datatrove",
            bap("generate dr shards --games 400 --engine datatrove --shard-games 50 --num-proc 2"),
            # .generation holds logs and times
            lambda work: {name: sha for name, sha in digests(work / "shards").items() if not name.startswith(".")},
        ),
        Activity(
            "mix",
            bap("mix mixed --dr 2000 --dss 1000"),
            lambda work: digests_of(work, "mixed"),
            before=set_up_home,
        ),
        Activity(
            "push",
            bap("push --repo-id tester/{work} --metric-space tester/{work} --config dss"),
            pushed,
            environment=lambda work: {"HF_ENDPOINT": hub, "HF_TOKEN": TOKEN, **ONLINE},
            before=set_up_home,
        ),
        Activity(
            "annotate",
            bap(f"annotate labels.jsonl --mdc {corpus}"),
            lambda work: digests_of(work, "labels.jsonl"),
            answers=annotate_answers,
        ),
    ]


def digests_of(work: Path, name: str) -> dict[str, str]:
    """Of one file or folder, and of all others that begin with its name: leftovers of a killed run show."""
    return {n: digest for n, digest in digests(work).items() if n.split("/")[0].startswith(name.split(".")[0])}


def download_script(root: Path) -> list[str]:
    """A command that downloads the small corpus, a file at a time, from a git repository like the public one."""
    script, public = root / "download.py", root / "public"
    if not script.is_file():
        expected = {n: (hashlib.sha256(data).hexdigest(), len(data)) for n, data in small_corpus.files().items()}
        script.write_text(
            "import sys\nfrom bap_v2_dataset.human import download\ndownload._FILES_AT_ONCE = 1\n"
            f"download.downloaded(sys.argv[1], announce=print, expected={expected!r})\n"
        )
        small_corpus.repository(public)
    return [sys.executable, str(script), public.as_uri()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=20, help="of each command")
    parser.add_argument("--only", action="append", help="part of a command's name; repeatable")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    parser.add_argument("--home", type=Path, help="an HF_HOME where dr and dss are set up; by default one is made")
    arguments = parser.parse_args()
    console = Console()
    table = Table(title="Killed at random moments and run again", title_justify="left")
    for heading in ("command", "s alone", "kills", "runs", "ended first", "equal results"):
        table.add_column(heading, justify="left" if heading == "command" else "right")
    root = Path(tempfile.mkdtemp(prefix="bap-v2-reliability-"))
    if arguments.home:
        shutil.copytree(arguments.home, root / "home")
    stand_in = [sys.executable, str(ROOT / "tests" / "support" / "hub_stand_in.py")]
    server = subprocess.Popen(stand_in, stdout=subprocess.PIPE, text=True)
    problems: list[str] = []
    total = 0
    try:
        hub = server.stdout.readline().strip()
        chosen = [
            activity
            for activity in activities(root, hub)
            if not arguments.only or any(part in activity.name for part in arguments.only)
        ]
        for number, activity in enumerate(track(chosen, console=console, transient=True)):
            chance = random.Random(f"{arguments.seed} {activity.name}")
            alone = killed_and_repeated(activity, arguments.kills, root / f"work-{number}", chance)
            outcomes = {activity.name: alone}
            if activity.two_at_once:
                outcomes[f"{activity.name}, two at once"] = both_at_once(activity, alone, root / f"both-{number}")
            for name, outcome in outcomes.items():
                table.add_row(
                    name, f"{outcome.seconds:.1f}", str(outcome.kills), str(outcome.runs), str(outcome.too_late),
                    f"{outcome.equal} of {outcome.runs}",
                )  # fmt: skip
                problems += [f"{name}: {problem}" for problem in outcome.problems]
                total += outcome.kills if not outcome.problems else 0
    finally:
        server.kill()
        if not problems:
            shutil.rmtree(root, ignore_errors=True)
    console.print(table)
    for problem in problems:
        console.print(problem, highlight=False, soft_wrap=True)
    if problems:
        console.print(f"the folders that differ are in {root}", highlight=False, soft_wrap=True)
        sys.exit(1)
    console.print(f"{total} kills, every result equal to that of an uninterrupted run")


if __name__ == "__main__":
    main()
