"""Does the Builder's pose help? The paper's central finding (6.2, Table 6), at small scale and from scratch.

    python training/compare_inputs.py                     # 30,000 items; minutes on two cores
    python training/compare_inputs.py --items 100000 --max-new-tokens 512    # the run of LOG.md
    python training/compare_inputs.py --config training/configs/inputs_gpu.yaml --items 2000000 --at-once 1

The training items are simulated; only those with few blocks on the board are used, so that prompts are short. Three
equal models learn the same items from the three inputs of Table 5: N, N+PosB and N+PosB+S; they answer the published
test sets, and `bap-v2 report` compares them. All files are written to the folder `--out`; the same command resumes
where a killed one stopped.
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
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from bap_v2_dataset.failures import sentences_for_the_user
from bap_v2_dataset.loading import install
from bap_v2_dataset.paper import INPUTS
from bap_v2_metric.errors import UserError
from bap_v2_simulators.whole_files import replacing

HERE = Path(__file__).parent
_BAP_V2 = str(Path(sys.executable).with_name("bap-v2"))  # of this environment, also if that is not activated
# Simulator, share of the items, its settings: few turns or one shape. The test sets are the published, longer games.
CORPORA = (
    ("dr", 0.4, ("least_turns=2", "most_turns=8")),
    ("dsb", 0.4, ("target.shapes=1",)),
    ("dss", 0.2, ()),
)
MOST_BLOCKS = 10  # on the board before an item: their list is a part of the longest prompt
SPARE = 2.0  # so many times the items are generated, so that enough of them have few blocks
console = Console()


class StepFailed(UserError):
    """A step ended with an error; the message shows the end of its log."""


def made_items(folder: Path, items: int, seed: int) -> Path:
    """The training items, one Parquet file of all simulators; generated if it does not exist yet."""
    folder.mkdir(parents=True, exist_ok=True)
    together = folder / f"train-{items}-{seed}.parquet"
    if together.exists():
        return together
    parts = []
    for name, share, settings in CORPORA:
        parts.append(folder / f"{name}-{items}-{seed}.parquet")
        chosen = [word for setting in settings for word in ("--set", setting)]
        amount = ["--items", str(round(SPARE * share * items)), "--seed", str(seed)]
        # `generate` resumes an unfinished file.
        subprocess.run([_BAP_V2, "generate", name, str(parts[-1]), *amount, *chosen], check=True)
    tables = []
    for part, (name, share, _) in zip(parts, CORPORA):
        table = pq.read_table(part)
        table = table.filter(pc.less_equal(pc.list_value_length(table["before"]), MOST_BLOCKS))
        needed = round(share * items)
        if len(table) < needed:
            raise StepFailed(f"only {len(table)} of {needed} items of {name} have few blocks: raise SPARE")
        tables.append(table.slice(0, needed))
    with replacing(together) as unfinished:
        pq.write_table(pa.concat_tables(tables, promote_options="default"), unfinished)
    return together


def run_step(
    command: Sequence[str], log: Path, environment: Mapping[str, str], progress: Progress, task: TaskID
) -> None:
    """Runs a command with its output in a file, and moves a bar by the last `12/345` in it.

    Raises:
        StepFailed: the command ended with an error.
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
                        progress.update(task, completed=int(done), total=int(total))
        except BaseException:
            step.terminate()
            raise
    if step.returncode:
        end = log.read_text(encoding="utf-8", errors="replace").replace("\r", "\n").strip().split("\n")[-15:]
        raise StepFailed(f"{' '.join(command)}\nended with {step.returncode}; {log} ends:\n" + "\n".join(end))
    progress.update(task, completed=1, total=1)


def training_command(folder: Path, name: str, config: Path, data: Path, overrides: Sequence[str]) -> list[str]:
    """The command that trains one model."""
    chosen = ["--representation", name, "--dataset_path", str(data), "--output_dir", str(folder)]
    launch = [sys.executable, "-m", "accelerate.commands.launch", "--num_processes", "1", str(HERE / "train_sft.py")]
    return [*launch, "--config", str(config), *chosen, "--resume_from_checkpoint", "auto", *overrides]


def prediction_command(folder: Path, test: str, max_items: int | None, new_tokens: int) -> list[str]:
    """The command that answers a test set, or the rest of it."""
    chosen = ["--model", str(folder), "--dataset_config", test, "--output", str(folder / f"{test}.jsonl")]
    some = [] if max_items is None else ["--max_items", str(max_items)]
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


def train_and_test(
    name: str,
    folder: Path,
    training: Sequence[str],
    predictions: Mapping[str, Sequence[str]],
    environment: Mapping[str, str],
    progress: Progress,
) -> None:
    """Train a model unless it is trained already, and let it answer what it has not answered of each test set.

    Args:
        name: of the input, as it is shown.
        folder: of the model.
        training: the command that trains it.
        predictions: by test set, the command that answers it.
    """
    task = progress.add_task(f"{name}: learns", total=None)
    if not (folder / "training_run.json").exists():
        run_step(training, folder / "train.log", environment, progress, task)
    progress.update(task, completed=1, total=1)
    for test, command in predictions.items():
        task = progress.add_task(f"{name}: answers {test}", total=None)
        run_step(command, folder / f"{test}.log", environment, progress, task)


def tests_here() -> list[str]:
    """The test sets: the human one only if the human corpus is set up."""
    return [*(["mdc_v2"] if install.is_set_up("mdc_v2") else []), "dr", "dsb", "dss"]


def draw_curves(runs: Mapping[str, Path], out: Path) -> list[Path]:
    """The training losses of all runs over the items trained on, as PNG and SVG."""
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
    axes.set(xlabel="items trained on", ylabel="training loss (nats per token)", yscale="log")
    for axis in (axes.yaxis.set_major_formatter, axes.yaxis.set_minor_formatter):
        axis("{x:g}")
    axes.grid(color="#dddddd")
    axes.legend()
    paths = [out / f"curves.{suffix}" for suffix in ("png", "svg")]
    for path in paths:
        with replacing(path) as unfinished:
            figure.savefig(unfinished, dpi=150, format=path.suffix[1:])
    return paths


def compare(
    out: Annotated[Path, typer.Option(help="Folder of all files that are written.")] = Path("runs/inputs"),
    config: Annotated[Path, typer.Option(help="YAML file with settings of train_sft.py.")] = HERE
    / "configs"
    / "inputs.yaml",
    items: Annotated[int, typer.Option(help="Training items, of all simulators together.", min=10)] = 30_000,
    seed: Annotated[int, typer.Option(help="Seed of the games, the weights and the order.")] = 20,
    at_once: Annotated[int, typer.Option(help="Models trained in parallel, with one thread each.", min=1)] = 3,
    test: Annotated[list[str] | None, typer.Option(help="Test sets. Default: all that are set up.")] = None,
    max_test_items: Annotated[int | None, typer.Option(help="Answer at most this many items per test set.")] = None,
    max_new_tokens: Annotated[int, typer.Option(help="Longest answer in tokens; an action takes six.", min=1)] = 256,
    set_: Annotated[
        list[str] | None, typer.Option("--set", help="Another setting of train_sft.py, e.g. learning_rate=1e-3.")
    ] = None,
) -> None:
    """Train a model on each of the three inputs, test all, and write a report."""
    started = time.monotonic()
    data = made_items(out / "data", items, seed)
    runs = {name: out / name for name in INPUTS}
    overrides = ["--seed", str(seed)]
    # On a CPU, bfloat16 is faster only if there are instructions for it; train_sft.py uses float32 by default.
    overrides += ["--bf16", "true"] if _fast_bfloat16() else []
    overrides += [word for pair in set_ or () for word in (f"--{pair.partition('=')[0]}", pair.partition("=")[2])]
    environment = {"OMP_NUM_THREADS": "1"} if at_once > 1 else {}
    tests = test or tests_here()
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console) as progress, ThreadPoolExecutor(at_once) as pool:
        jobs = [
            pool.submit(
                train_and_test,
                INPUTS[name],
                folder,
                training_command(folder, name, config, data, overrides),
                {test: prediction_command(folder, test, max_test_items, max_new_tokens) for test in tests},
                environment,
                progress,
            )
            for name, folder in runs.items()
        ]
        for job in jobs:
            job.result()
    files = [f"{INPUTS[name]}={folder / test}.jsonl" for name, folder in runs.items() for test in tests]
    some = [] if max_test_items is None else ["--subset"]
    baselines = ["--baseline", "stack", "--baseline", "symbolic"]
    report = [_BAP_V2, "report", *files, *baselines, *some, "--against", "N", "--out", str(out / "report")]
    subprocess.run(report, check=True)
    curves = draw_curves(runs, out / "report")
    console.print(f"{(time.monotonic() - started) / 60:.1f} minutes; curves: {curves[0]}", highlight=False)


def _fast_bfloat16() -> bool:
    import torch

    capabilities = getattr(torch.cpu, "get_capabilities", dict)()  # older versions of torch do not tell
    return torch.cuda.is_available() or bool(capabilities.get("amx_tile"))


if __name__ == "__main__":
    with sentences_for_the_user("compare_inputs.py", "stopped; the same command resumes where it stopped"):
        typer.run(compare)
