"""Train one Builder in several ways, with several seeds, test all of them, and say what differs.

    python tools/study.py tools/studies/inputs.yaml              what a Builder needs to see
    python tools/study.py tools/studies/learning_curve.yaml      how many simulated items it takes
    python tools/study.py tools/studies/inputs_as_text.yaml   the inputs of Table 5, for a language model
    python tools/study.py inputs --jobs 2                           two trainings at a time, one thread each
    python tools/study.py inputs --set max_steps=20 --seeds 1 --max-test-items 20 --out /tmp/inputs     does it run?

A study is a YAML file: `arms` by name, each with the settings in which it differs from the file `base`; `seeds`;
`tests`, groups of test sets. Settings are those of its `trainer`: train_pointer, or train_sft for language models.
Arms are compared with the first one. All files are written to the folder `--out`: a folder for each arm and seed with
the model, its log and its answers, and `table.md`, `table.json` and, for a study with an `axis`, `plot.png`. What is
finished is kept: the same command resumes where it stopped. A file with `configs` is a study of each of them, in a
folder of its own, and `table.md` has all.
"""

import bap_v2_training.before_libraries  # isort: skip # noqa: F401 (before the libraries)

import shlex
import signal
import sys
from pathlib import Path
from typing import Annotated

import orjson
import typer
from rich.console import Console
from rich.markdown import Markdown
from studies.plan import Study, checked_settings, load_studies
from studies.results import Results, items_of, results_of
from studies.running import run_all
from studies.tables import as_json, drawn, joint_markdown, markdown

from bap_v2_dataset.failures import sentences_for_the_user
from bap_v2_simulators.atomic_files import atomic_write, only_writer
from bap_v2_training.errors import UsageError

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
console = Console()


@app.command()
def study(
    file: Annotated[Path, typer.Argument(help="YAML file of the study, or the name of one in tools/studies.")],
    out: Annotated[Path | None, typer.Option(help="Folder of all files. Default: runs/studies/NAME.")] = None,
    jobs: Annotated[int, typer.Option(help="Models trained at a time, with one thread each.", min=1)] = 1,
    seeds: Annotated[str | None, typer.Option(help="Other seeds than those of the file, e.g. 1,2,3,4,5.")] = None,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="A setting of the trainer in all arms, e.g. max_steps=100.")
    ] = None,
    max_test_items: Annotated[int | None, typer.Option(help="Answer a subset of each test set.", min=1)] = None,
) -> None:
    """Train all arms with all seeds, answer the test sets, and write the tables."""
    with sentences_for_the_user("study.py", "stopped; the same command resumes where it stopped"):
        plans = load_studies(file, checked_settings(set_ or []), _numbers(seeds), max_test_items)
        out = out or Path("runs", "studies", plans[0].name)
        out.mkdir(parents=True, exist_ok=True)
        with only_writer(out / "table.json"):
            results = [carry_out(plan, out / (plan.config or ""), jobs) for plan in plans]
            if plans[0].config is not None:
                text = joint_markdown(results, _command())
                atomic_write(out / "table.md", text.encode())
                console.print(Markdown(text))


def carry_out(plan: Study, out: Path, jobs: int) -> Results:
    """Do what is not finished of a study, and write its tables into this folder."""
    out.mkdir(parents=True, exist_ok=True)
    items = items_of(plan.test_sets, plan.max_test_items)
    run_all(plan, out, {name: len(one.ids) for name, one in items.items()}, jobs, console)
    results = results_of(plan, out, items)
    text = markdown(results, _command())
    atomic_write(out / "table.md", text.encode())
    atomic_write(out / "table.json", orjson.dumps(as_json(results), option=orjson.OPT_INDENT_2))
    if plan.axis is not None:
        for suffix, data in drawn(results).items():
            atomic_write(out / f"plot.{suffix}", data)
    console.print(Markdown(text))
    console.print(f"written to {out}", highlight=False)
    return results


def _command() -> str:
    return shlex.join(["python", "tools/study.py", *sys.argv[1:]])


def _numbers(text: str | None) -> list[int] | None:
    """The seeds of `--seeds`. Raises: UsageError."""
    if text is None:
        return None
    try:
        return [int(word) for word in text.split(",")]
    except ValueError:
        raise UsageError(f"--seeds {text}: expected whole numbers, e.g. 1,2,3") from None


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # kill: as Ctrl-C, which stops the trainings too
    app()
