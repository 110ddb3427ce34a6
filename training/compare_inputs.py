"""Does it help to know where the Builder stands? The paper's central finding (6.2, Table 6), in small and from scratch.

    python training/compare_inputs.py                     # 30,000 items; minutes on two cores
    python training/compare_inputs.py --items 100000 --max-new-tokens 512    # the run of LOG.md
    python training/compare_inputs.py --config training/configs/inputs_gpu.yaml --items 2000000 --at-once 1

Simulated games are made, and their items with few blocks on the board kept, so that prompts are short. Three equal
models learn the same items from the three inputs of Table 5: N, N+PosB and N+PosB+S; they answer the published test
sets, and `bap-v2 report` compares them. Everything lies in the folder of `--out`; the same command goes on where a
killed one stopped.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated

import orjson
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from bap_v2_dataset.loading import install
from bap_v2_dataset.paper import INPUTS

HERE = Path(__file__).parent
# Simulator, share of the items, its settings: few turns or one shape. The test sets are the published, longer games.
CORPORA = (
    ("dr", 0.4, ("least_turns=2", "most_turns=8")),
    ("dsb", 0.4, ("target.shapes=1",)),
    ("dss", 0.2, ()),
)
MOST_BLOCKS = 10  # on the board before an item: their list is a part of the longest prompt
SPARE = 2.0  # so many times the items are made, for enough of them with few blocks
console = Console()


class StepFailed(RuntimeError):
    """A step ended with an error; the message has the end of its log."""


def made_items(folder: Path, items: int, seed: int) -> Path:
    """The training items, one Parquet file of all simulators; made if it is not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    together = folder / f"train-{items}-{seed}.parquet"
    if together.exists():
        return together
    parts = []
    for name, share, settings in CORPORA:
        parts.append(folder / f"{name}-{items}-{seed}.parquet")
        chosen = [word for setting in settings for word in ("--set", setting)]
        amount = ["--items", str(round(SPARE * share * items)), "--seed", str(seed)]
        # generate goes on with a file of its own that is not whole.
        subprocess.run([_script("bap-v2"), "generate", name, str(parts[-1]), *amount, *chosen], check=True)
    half = together.with_suffix(".part")
    tables = []
    for part, (name, share, _) in zip(parts, CORPORA):
        table = pq.read_table(part)
        table = table.filter(pc.less_equal(pc.list_value_length(table["before"]), MOST_BLOCKS))
        wanted = round(share * items)
        if len(table) < wanted:
            raise StepFailed(f"only {len(table)} of {wanted} items of {name} have few blocks: raise SPARE")
        tables.append(table.slice(0, wanted))
    pq.write_table(pa.concat_tables(tables, promote_options="default"), half)
    half.replace(together)
    return together


def run_step(command: Sequence[str], log: Path, environment: Mapping[str, str], shown: Progress, task: int) -> None:
    """Runs a command with its output in a file, and moves a bar by the last `12/345` in it.

    Raises:
        StepFailed: it did not end well.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with (
        log.open("wb") as output,
        subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env={**os.environ, **environment}) as step,
    ):
        try:
            while step.poll() is None:
                time.sleep(1)
                with log.open("rb") as so_far:
                    so_far.seek(max(0, log.stat().st_size - 4000))
                    if counts := re.findall(rb"\b(\d+)/(\d+) \[", so_far.read()):
                        done, total = counts[-1]
                        shown.update(task, completed=int(done), total=int(total))
        except BaseException:
            step.terminate()
            raise
    if step.returncode:
        end = log.read_text(encoding="utf-8", errors="replace").replace("\r", "\n").strip().split("\n")[-15:]
        raise StepFailed(f"{' '.join(command)}\nended with {step.returncode}; {log} ends:\n" + "\n".join(end))
    shown.update(task, completed=1, total=1)


def learned(folder: Path, name: str, config: Path, data: Path, overrides: Sequence[str]) -> list[str]:
    """The command that trains one model."""
    chosen = ["--representation", name, "--dataset_path", str(data), "--output_dir", str(folder)]
    launch = [_script("accelerate"), "launch", "--num_processes", "1", str(HERE / "train_sft.py")]
    return [*launch, "--config", str(config), *chosen, "--resume_from_checkpoint", "auto", *overrides]


def answered(folder: Path, test: str, most: int | None, new_tokens: int) -> list[str]:
    """The command that answers a test set; what is answered already stays."""
    chosen = ["--model", str(folder), "--dataset_config", test, "--output", str(folder / f"{test}.jsonl")]
    some = [] if most is None else ["--max_items", str(most)]
    return [
        sys.executable,
        str(HERE / "predict.py"),
        *chosen,
        *some,
        "--batch_size",
        "64",
        "--max_new_tokens",
        str(new_tokens),
    ]


def tests_here() -> list[str]:
    """The test sets: the human one only if the human corpus is set up."""
    return [*(["mdc_v2"] if install.is_set_up("mdc_v2") else []), "dr", "dsb", "dss"]


def draw_curves(runs: Mapping[str, Path], out: Path) -> list[Path]:
    """The training losses of all runs over the items learned, as PNG and SVG."""
    from matplotlib.figure import Figure

    from bap_v2_dataset.evaluation.plots import COLORS

    figure = Figure(figsize=(6.5, 3.2), layout="constrained")
    axes = figure.add_subplot()
    for (name, folder), color in zip(runs.items(), COLORS):
        run = orjson.loads((folder / "training_run.json").read_bytes())
        batch = run["train"]["items"] / run["steps"]
        entries = [entry for entry in run["log"] if "loss" in entry]
        items, losses = [entry["step"] * batch for entry in entries], [entry["loss"] for entry in entries]
        axes.plot(items, losses, label=INPUTS[name], color=color)
    axes.set(xlabel="items learned", ylabel="training loss (nats a token)", yscale="log")
    for axis in (axes.yaxis.set_major_formatter, axes.yaxis.set_minor_formatter):
        axis("{x:g}")
    axes.grid(color="#dddddd")
    axes.legend()
    paths = [out / f"curves.{suffix}" for suffix in ("png", "svg")]
    for path in paths:
        figure.savefig(path, dpi=150)
    return paths


def compare(
    out: Annotated[Path, typer.Option(help="Folder of all that is made.")] = Path("runs/inputs"),
    config: Annotated[Path, typer.Option(help="Settings of train_sft.py.")] = HERE / "configs" / "inputs.yaml",
    items: Annotated[int, typer.Option(help="Training items, of all simulators together.", min=10)] = 30_000,
    seed: Annotated[int, typer.Option(help="Of the games, of the weights and of the order.")] = 20,
    at_once: Annotated[int, typer.Option(help="Models that learn at the same time, a thread each.", min=1)] = 3,
    test: Annotated[list[str] | None, typer.Option(help="Test sets. Default: all that are set up.")] = None,
    max_test_items: Annotated[int | None, typer.Option(help="Only so many items of each test set.")] = None,
    max_new_tokens: Annotated[int, typer.Option(help="Longest answer; an action has six tokens.", min=1)] = 256,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="Another setting of train_sft.py, e.g. learning_rate=1e-3.")
    ] = None,
) -> None:
    """Train a model on each of the three inputs, test all, and write a report."""
    started = time.monotonic()
    data = made_items(out / "data", items, seed)
    runs = {name: out / name for name in INPUTS}
    overrides = ["--seed", str(seed)]
    # Of a CPU, bfloat16 is only faster where it has instructions for it; train_sft.py leaves it out unless told.
    overrides += ["--bf16", "true"] if _fast_bfloat16() else []
    overrides += [word for pair in set_ or () for word in (f"--{pair.partition('=')[0]}", pair.partition("=")[2])]
    environment = {"OMP_NUM_THREADS": "1"} if at_once > 1 else {}
    tests = test or tests_here()
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console) as shown, ThreadPoolExecutor(at_once) as pool:

        def one(name: str) -> None:
            folder = runs[name]
            task = shown.add_task(f"{INPUTS[name]}: learns", total=None)
            if not (folder / "training_run.json").exists():
                command = learned(folder, name, config, data, overrides)
                run_step(command, folder / "train.log", environment, shown, task)
            shown.update(task, completed=1, total=1)
            for test in tests:
                task = shown.add_task(f"{INPUTS[name]}: answers {test}", total=None)
                command = answered(folder, test, max_test_items, max_new_tokens)
                run_step(command, folder / f"{test}.log", environment, shown, task)

        for done in [pool.submit(one, name) for name in runs]:
            done.result()
    files = [f"{INPUTS[name]}={folder / test}.jsonl" for name, folder in runs.items() for test in tests]
    some = [] if max_test_items is None else ["--subset"]
    baselines = ["--baseline", "stack", "--baseline", "symbolic"]
    report = [_script("bap-v2"), "report", *files, *baselines, *some, "--against", "N", "--out", str(out / "report")]
    subprocess.run(report, check=True)
    curves = draw_curves(runs, out / "report")
    console.print(f"{(time.monotonic() - started) / 60:.1f} minutes; curves: {curves[0]}", highlight=False)


def _script(name: str) -> str:
    """A console script of this environment, also if that is not activated."""
    return str(Path(sys.executable).with_name(name))


def _fast_bfloat16() -> bool:
    import torch

    return torch.cuda.is_available() or torch.cpu._is_amx_tile_supported()


if __name__ == "__main__":
    try:
        typer.run(compare)
    except (StepFailed, ValueError, OSError) as error:
        sys.exit(f"compare_inputs.py: {error}")
