"""Choose a checkpoint of a finished run by how well it answers validation items.

    python training/choose_checkpoint.py runs/llama_crafts_fast                 a table, and RUN/checkpoints.json
    python training/choose_checkpoint.py runs/llama_crafts_fast --keep          the best one becomes the run's model
    python training/choose_checkpoint.py runs/own --data own_items --split validation --limit 1000

Each checkpoint that the run left (`save_strategy: epoch`, `save_total_limit`) answers the same items, as predict.py
answers them: by default 300 of the split that was set as `eval_split` in training. Of the config `all` take
`validation_matched`, which has the proportions of its train split.

Answers are in RUN/checkpoint_answers; after Ctrl-C or a kill the same command continues with the items that have none.
Never choose by test items.
"""

import bap_v2_training.before_libraries  # isort: skip # noqa: F401 (before the libraries)

import json
import re
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rich.table import Table

from bap_v2_dataset.failures import sentences_for_the_user
from bap_v2_dataset.interface.table import TASKS, task_of, task_of_columns
from bap_v2_dataset.interface.task import Task
from bap_v2_dataset.predictions.files import read_predictions
from bap_v2_dataset.predictions.model_records import TRAINING_RUN
from bap_v2_dataset.tables.console import Console
from bap_v2_simulators.atomic_files import atomic_path, atomic_write, only_writer
from bap_v2_training import predict
from bap_v2_training.decoding.learned_builder import builder_kind
from bap_v2_training.decoding.predict_settings import parse_arguments
from bap_v2_training.decoding.trained_model import CHOSEN, training_run
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.checkpoints import of_this_run, whole_checkpoints
from bap_v2_training.learning.dataset_rows import check_columns, load_rows
from bap_v2_training.learning.options import option, parsed

RESULT = "checkpoints.json"
_WEIGHTS = re.compile(r"(adapter_)?model(-\d+-of-\d+)?\.safetensors|model\.safetensors\.index\.json")

console = Console()


@dataclass
class CheckpointArguments:
    """The run whose checkpoints answer, and the items that they answer."""

    run: str
    max_items: int = option(300, aliases=["--limit"])
    dataset_config: str | None = None
    dataset_path: str | None = option(None, aliases=["--data"])
    split: str | None = None
    batch_size: int | None = None
    max_new_tokens: int | None = None
    dtype: str | None = None
    backend: str = "transformers"
    keep: bool = False


def checkpoints_of(run: Path) -> dict[int, Path]:
    """The checkpoints of a run by their steps; those that another training left in its folder are named, and left out.

    Raises:
        UsageError: there are none.
    """
    found = whole_checkpoints(run, resumable=False)
    own = {steps: path for steps, path in found.items() if of_this_run(path, training_run(str(run)))}
    for steps in sorted(found.keys() - own.keys()):
        console.print(f"{found[steps].name} is of another training: left out", highlight=False)
    if not own:
        raise UsageError(f"{run} has no checkpoints of its training; save_strategy: epoch makes them")
    return own


def main(run: Path, items: dict[str, Any], options: dict[str, Any], keep: bool = False) -> dict:
    """Answer, score, show and record; returns what is recorded.

    Args:
        items: what `items_asked` gives.
        options: of predict.py; None for its defaults.
        keep: make the best checkpoint the model of the run.
    """
    # The items, and what they are scored against
    rows = load_rows(items["dataset_config"], items["split"], items["data"], items["max_items"])
    task = _task_of(items, rows.column_names)
    scorer = task.scorer
    check_columns(rows, ["id", *(name for name in scorer.reference if name not in scorer.defaults)])
    references = rows.remove_columns([name for name in rows.column_names if name.startswith("prompt_")]).to_list()
    # Each checkpoint answers them, and the best one is recorded
    with only_writer(run / RESULT):
        scores = []
        for steps, checkpoint in checkpoints_of(run).items():
            console.print(f"{checkpoint.name}", style="bold")
            answers = answers_of(checkpoint, items, options)
            predictions = read_predictions(answers)
            scored = scorer.aggregate(scorer.score_items([predictions[row["id"]] for row in references], references))
            scores.append(
                {"checkpoint": checkpoint.name, "steps": steps, **counted(answers, len(references)), **scored}
            )
        best = max(scores, key=lambda score: score[task.headline])  # the earliest of equally good ones
        signature = scorer.signature()
        result = {"items": items, "metric_signature": signature, "best": best["checkpoint"], "checkpoints": scores}
        atomic_write(run / RESULT, (json.dumps(result, indent=2) + "\n").encode())
        console.print(as_table(scores, best, task.headline))
        if keep:
            why = {"items": items, task.headline: {score["checkpoint"]: score[task.headline] for score in scores}}
            keep_checkpoint(run, run / best["checkpoint"], why)
            console.print(f"{best['checkpoint']} is now the model in {run}", highlight=False)
    return result


def keep_checkpoint(run_folder: Path, checkpoint: Path, why: Mapping[str, Any]) -> None:
    """Puts the weights of a checkpoint in the place of those that its run ended with, and records it.

    After a kill, the same call completes it.

    Args:
        why: what to record.
    Raises:
        UsageError: the checkpoint has no weights that a model is loaded from.
    """
    # Its weights in the place of the others, none of which stays
    weights = [path for path in checkpoint.iterdir() if _WEIGHTS.fullmatch(path.name)]
    if not weights:
        raise UsageError(
            f"{checkpoint} has no weights of one process (model.safetensors); with FSDP, fsdp_state_dict_type: "
            "FULL_STATE_DICT saves them"
        )
    for path in weights:
        with atomic_path(run_folder / path.name) as unfinished:
            shutil.copyfile(path, unfinished)
    for path in run_folder.iterdir():
        if _WEIGHTS.fullmatch(path.name) and not (checkpoint / path.name).exists():
            path.unlink()  # of another number of parts
    # The record of the run
    record = run_folder / TRAINING_RUN
    run = json.loads(record.read_bytes())
    ended = run.get(CHOSEN, {}).get("training_finished", run["finished"])
    # Another time, so that answers of the model that was here before are not taken for those of this one.
    run["finished"] = datetime.now(UTC).isoformat(timespec="microseconds")
    run[CHOSEN] = {"checkpoint": checkpoint.name, "training_finished": ended, **why}
    atomic_write(record, (json.dumps(run, indent=2) + "\n").encode())


def _task_of(items: dict[str, Any], columns: Sequence[str]) -> Task:
    """Return the task of the items; that of building where nothing says which."""
    config = items["dataset_config"]
    return (task_of(config.split(",")[0]) if config else task_of_columns(columns)) or TASKS["bap"]


def items_asked(
    run: Path, dataset_config: str | None, data: str | None, split: str | None, max_items: int
) -> dict[str, Any]:
    """Return which items are answered, completed from the settings of the training.

    Raises:
        UsageError: there is no finished training of a language model, or it left no checkpoints.
    """
    # A finished run of a language model, with checkpoints
    trained = training_run(str(run))
    if not trained:
        raise UsageError(f"{run} has no training_run.json: no training ended in this folder")
    if builder_kind(str(run)) is not None:
        raise UsageError(f"{run} is no language model; train_gru.py and train_pointer.py choose while they train")
    if not whole_checkpoints(run, resumable=False):
        raise UsageError(f"{run} has no checkpoints; save_strategy: epoch and save_total_limit: 3 leave three of them")
    # Its items, unless others are named
    settings = trained["arguments"]["bap"]
    if dataset_config is None and data is None:
        dataset_config, data = settings["dataset_config"], settings["dataset_path"]
        if data is not None or dataset_config is None:
            dataset_config = None if data else "all"  # a mix has no validation items of its own
    return {
        "dataset_config": dataset_config,
        "data": data,
        "split": split or settings["eval_split"],
        "max_items": max_items,
    }


def answers_of(checkpoint: Path, items: dict[str, Any], options: dict[str, Any]) -> Path:
    """Return the file with the answers of a checkpoint, all of them."""
    name = f"{items['dataset_config'] or Path(items['data']).stem}.{items['split']}.{items['max_items']}.jsonl"
    output = checkpoint.parent / "checkpoint_answers" / checkpoint.name / name
    given = {"model": checkpoint, "out": output, **items, **options}
    given["limit"] = given.pop("max_items")
    arguments = [part for name, value in given.items() if value is not None for part in (f"--{name}", str(value))]
    return predict.main(parse_arguments(arguments))


def counted(answers: Path, items: int) -> dict[str, int]:
    """Count the items that were answered, and the answers that did not end by themselves."""
    lines = [json.loads(line) for line in answers.read_bytes().splitlines()]
    return {"items": items, "cut_off": sum(not line["finished"] for line in lines)}


# Columns of the table: scores in percent, then counts.
_SHOWN = {
    "fairer_f1": {"fairer_f1": "F1", "location_f1": "location", "shape_f1": "shape"},
    "score": {"score": "score"},
}
_COUNTS = {"unparsed_lines": "unparsed lines", "unparsed": "unparsed", "cut_off": "cut off"}


def as_table(scores: list[dict], best: dict, headline: str = "fairer_f1") -> Table:
    """Return a table of the scores of the checkpoints, in percent, the best one in bold."""
    name = "Fairer F1" if headline == "fairer_f1" else "Score"
    table = Table("checkpoint", title=f"{name} of {best['items']:,} items", title_justify="left", header_style="bold")
    counts = {key: title for key, title in _COUNTS.items() if key in best}
    for title in ("steps", *_SHOWN[headline].values(), *counts.values()):
        table.add_column(title, justify="right")
    for score in scores:
        cells = [f"{score['steps']:,}", *(f"{100 * score[key]:.1f}" for key in _SHOWN[headline])]
        cells += [f"{score[key]:,}" for key in counts]
        table.add_row(score["checkpoint"], *cells, style="bold" if score is best else None)
    return table


def command() -> None:
    """Choose as the command line says; what the user can fix is printed as a sentence."""
    with sentences_for_the_user(Path(sys.argv[0]).name, "stopped; the same command resumes where it stopped"):
        words = sys.argv[1:]
        named = words and not words[0].startswith("-")
        asked = parsed(CheckpointArguments, ["--run", *words] if named else words)
        run = Path(asked.run)
        items = items_asked(run, asked.dataset_config, asked.dataset_path, asked.split, asked.max_items)
        options = {name: getattr(asked, name) for name in ("batch_size", "max_new_tokens", "dtype", "backend")}
        main(run, items, options, asked.keep)


if __name__ == "__main__":
    command()
