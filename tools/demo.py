"""A learned Builder's answers, scores and a picture, in a minute: `make demo`. With --train the whole path, as a story.

That is: data, a model that learns from them, its answers, the scores. What the steps print goes to runs/demo.log.
"""

import json
import subprocess
import sys
import time
from pathlib import Path

from rich.console import Console

from bap_v2_dataset.predictions.model_records import COMPACT
from bap_v2_dataset.tasks.building import paper
from bap_v2_simulators.corpus_table import SIZES

RUN, REPORT, LOG = Path("runs/pointer_demo"), Path("runs/report"), Path("runs/demo.log")
CONFIG = "dsb"
ANSWERS, PICTURE = RUN / f"{CONFIG}.jsonl", RUN / "item.png"
FIRST_CONFIG, FIRST, FIRST_PICTURE = "dss", Path("runs/demo/dss.jsonl"), Path("runs/demo/item.png")
ITEM = "dsb-test-0/1"
_BASELINES = ("do-nothing", "stack", "symbolic")
_SHOWN = 15  # lines of a step that failed
console = Console(highlight=False)
if not console.is_terminal:
    console.width = 100


def step(what: str, *command: object, shown: bool = False) -> float:
    """Runs a command of this environment, for so many seconds.

    Raises:
        SystemExit: if it fails, after the end of what it printed.
    """
    program, *options = map(str, command)
    line = [str(Path(sys.executable).parent / program), *options]
    started = time.perf_counter()
    console.print(f"[bold]{what}[/bold]")
    console.print(f"[dim]$ {' '.join([program, *options])}[/dim]", soft_wrap=True)
    with LOG.open("a+") as log:
        log.write(f"$ {' '.join(line)}\n")
        log.flush()
        start = log.tell()
        if shown:
            code = subprocess.run(line, stderr=log).returncode
        else:
            with console.status(f"its output: {LOG}"):
                code = subprocess.run(line, stdout=log, stderr=log).returncode
    if code:
        printed = LOG.read_bytes()[start:].decode(errors="replace")
        console.print("\n".join(printed.splitlines()[-_SHOWN:]), markup=False, soft_wrap=True)
        sys.exit(f"this step failed; all that it printed is in {LOG}")
    seconds = time.perf_counter() - started
    console.print(f"[dim]{seconds:.0f} s[/dim]\n")
    return seconds


def main(options: list[str]) -> None:
    """Args: options: --train for the whole path, and those of `bap-v2 setup`."""
    LOG.parent.mkdir(exist_ok=True)
    LOG.unlink(missing_ok=True)
    trains = options[:1] == ["--train"]
    look()
    if trains:
        learn(options[1:])
    console.print(f"[bold]What to look at next[/bold] (after: source {Path(sys.executable).parent}/activate)")
    last = f"less {REPORT / 'report.md'}" if trains else "make demo TRAIN=1  # train one yourself"
    for line in ("bap-v2 talk --browser", f"bap-v2 explore {ANSWERS if trains else FIRST}", last):
        console.print(f"  {line}")


def look() -> None:
    """Show what the Builder that comes with the package does."""
    chosen = "--dataset-config", FIRST_CONFIG, "--limit", 20, "--out", FIRST, "--overwrite"
    what = f"A Builder that has learned and comes with the package answers 20 items of {FIRST_CONFIG}, simulated games"
    seconds = step(f"{what} (made here)", "bap-v2", "predict", "--model", COMPACT, *chosen)
    seconds += step("Its scores", "bap-v2", "score", FIRST, "--subset", "--baseline", "stack", shown=True)
    item = json.loads(FIRST.read_text(encoding="utf-8").splitlines()[-1])["id"]
    seconds += step("A picture of one of them", "bap-v2", "show", item, "--predictions", FIRST, "--out", FIRST_PICTURE)
    console.print(f"[bold]The picture, after {seconds:.0f} s:[/bold] {FIRST_PICTURE}\n")


def learn(options: list[str]) -> None:
    """Let a small Builder learn, and score it beside rules. Args: options: of `bap-v2 setup`."""
    step("1. The data: simulated games of an Architect and a Builder, cut into items", "bap-v2", "setup", *options)
    sizes = [f"{name} {sum(of.values()):,} ({of['test']:,} of them test items)" for name, of in SIZES.items()]
    console.print(f"made: {', '.join(sizes)}\n")
    trained = "training/train_pointer.py", "--config", "training/configs/pointer_demo.yaml", "--overwrite"
    what = (
        f"2. What learns, in one to three minutes: a small pointer transformer, from 25,600 items of {CONFIG}'s train "
    )
    learned = step(f"{what}(sign of life: tail -f {LOG})", "python", *trained)
    predicted = "predict", "--model", RUN, "--dataset-config", CONFIG, "--out", ANSWERS, "--overwrite"
    step("3. Its answers to the test items of dsb", "bap-v2", *predicted)
    rules = [word for name in _BASELINES for word in ("--baseline", name)]
    reported = "report", ANSWERS, *rules, "--out", REPORT, "--brief"
    step("4. The scores, beside rules and the models of the paper", "bap-v2", *reported, shown=True)
    drawn = "show", ITEM, "--predictions", ANSWERS, "--baseline", "stack", "--out", PICTURE
    step("5. A picture: an item, what the model built and what a rule built", "bap-v2", *drawn)
    console.print(result(json.loads((REPORT / "report.json").read_text()), learned))
    console.print(f"[bold]The picture:[/bold] {PICTURE}\n")


def result(report: dict, learned: float) -> str:
    """The result in two sentences. Args: learned: seconds."""
    (test,) = report["tests"]
    scores = {system["name"]: 100 * system["scores"]["fairer_f1"] for system in test["systems"]["systems"]}
    gru, llama = (model.test[CONFIG] for model in (paper.TABLE_4[-1], paper.LLAMA_CRAFTS))
    return (
        f"[bold]The result:[/bold] {scores[RUN.name]:.1f} of 100 for a model that learned for {learned:.0f} s on one "
        f"core, {scores['stack']:.1f} for the best rule that knows no spatial words; in the paper a GRU has "
        f"{gru:.1f} and Llama-CRAFTS {llama:.1f}, on games of the same recipe.\nThe rule symbolic has "
        f"{scores['symbolic']:.1f} because it inverts the grammar of the simulators: it shows that every "
        "instruction can be understood, not that the task is solved. People's words are not in that grammar "
        "(docs/results.md)."
    )


if __name__ == "__main__":
    main(sys.argv[1:])
