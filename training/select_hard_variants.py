"""Keep the variants of items that are hardest for a trained model: what static adversarial training learns.

    bap-v2 perturb dsb --split train --family spl --variants 3 --out runs/spl.parquet
    python training/select_hard_variants.py --model runs/gru_sb --rows runs/spl.parquet --out runs/spl_hardest.parquet
    python training/train_gru.py --config training/configs/gru_sb.yaml --robust-rows runs/spl_hardest.parquet

Of each parent the `--keep` variants with the highest loss of the gold answer are kept, in the order of the file. The
model is a GRU, a pointer transformer, or a language model that train_sft.py made; a variant that is too long for a
language model is left out.

`OUTPUT.losses.jsonl` gets the loss of each variant as it is computed: after Ctrl-C or a kill the same command resumes.
`OUTPUT.settings.json` records how the file was made.
"""

import bap_v2_training.before_libraries  # isort: skip # noqa: F401 (before the libraries)

import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from bap_v2_dataset.failures import sentences_for_the_user
from bap_v2_dataset.items.rows import perturbation_of
from bap_v2_dataset.predictions.answer_files import earlier_answers
from bap_v2_simulators.atomic_files import atomic_path, atomic_write, check_file
from bap_v2_training.decoding.trained_model import training_run
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.dataset_rows import load_rows
from bap_v2_training.learning.gold_losses import loss_function, losses_in_batches
from bap_v2_training.learning.options import check_least, option, parsed
from bap_v2_training.tasks.robustness import hardest


@dataclass
class HardestArguments:
    """The variants that are kept, and whose losses decide."""

    group = "choice"

    model: str = option(help="Folder of a trained model, or its name on the Hub.")
    rows: str = option(help="File of variants, as `bap-v2 perturb` writes it.")
    output: str = option(help="Parquet file of those that are kept.", aliases=["--out"])
    keep: int = option(1, "How many of each parent.")
    batch_size: int = option(64, "Variants at a time.")
    dtype: str = option("float32", "In which most is computed, e.g. bfloat16.")
    overwrite: bool = option(False, "Replace files that were made with other settings.")


def main(arguments: HardestArguments) -> dict:
    """Write the hardest variants of each parent; returns the record of the file."""
    # Options and files
    output = Path(arguments.output)
    check_least(arguments, {"keep": 1, "batch_size": 1})
    if output.suffix != ".parquet":
        raise UsageError(f"--out {output}: name a file that ends with .parquet")
    check_file(output)
    # The variants, each of a parent
    rows = load_rows(None, "train", arguments.rows)
    variants = rows.to_list()
    parents = [perturbation_of(row).get("parent") for row in variants]
    if None in parents:
        name = variants[parents.index(None)].get("id")
        raise UsageError(f"{arguments.rows}: row {name} is not a variant; `bap-v2 perturb` makes files of variants")
    # The hardest of each parent
    losses = all_losses(arguments, variants)
    best = hardest(losses, parents, arguments.keep)
    kept = sorted(number for numbers in best.values() for number in numbers)
    if not kept:
        raise UsageError(f"none of the {len(variants)} variants fits the context of {arguments.model}")
    with atomic_path(output) as unfinished:
        rows.select(kept).to_parquet(str(unfinished))
    # What there was, and how hard
    usable = [number for number, loss in enumerate(losses) if loss == loss]
    record = settings_of(arguments, variants) | {
        "keep": arguments.keep,
        "variants": len(variants),
        "too_long_left_out": len(variants) - len(usable),
        "parents": len(best),
        "kept": len(kept),
        "mean_loss": sum(losses[number] for number in usable) / len(usable),
        "mean_loss_kept": sum(losses[number] for number in kept) / len(kept),
    }
    atomic_write(output.with_name(f"{output.name}.settings.json"), (json.dumps(record, indent=2) + "\n").encode())
    print(
        f"{output}: {len(kept)} of {len(variants)} variants, of {len(best)} parents; mean loss "
        f"{record['mean_loss_kept']:.3f}, of all {record['mean_loss']:.3f}"
    )
    return record


def all_losses(arguments: HardestArguments, variants: list[dict]) -> list[float]:
    """Return the loss of each variant; those that an earlier run computed are read from the file beside the output."""
    # Those of an earlier run
    path = Path(f"{arguments.output}.losses.jsonl")
    fix = "choose another --out, or replace it with --overwrite"
    known = earlier_answers(path, settings_of(arguments, variants), arguments.overwrite, fix, "loss")
    # The others, written batch by batch
    remaining = [row for row in variants if row["id"] not in known]
    print(f"{len(remaining)} of {len(variants)} losses to compute")
    if remaining:
        with path.open("a", encoding="utf-8") as file:
            batches = losses_in_batches(
                loss_function(arguments.model, arguments.dtype), remaining, arguments.batch_size
            )
            for numbers, losses in batches:
                for number, loss in zip(numbers, losses, strict=True):
                    name = remaining[number]["id"]
                    known[name] = None if loss != loss else loss
                    file.write(json.dumps({"id": name, "loss": known[name]}) + "\n")
                file.flush()
    return [float("nan") if known[row["id"]] is None else known[row["id"]] for row in variants]


def settings_of(arguments: HardestArguments, variants: list[dict]) -> dict:
    """Return what the losses depend on: the model and the items."""
    texts = json.dumps([{name: value for name, value in row.items() if name != "metadata"} for row in variants])
    run = training_run(arguments.model)
    return {
        "model": arguments.model,
        "model_finished": run.get("finished"),
        "dtype": arguments.dtype,
        "rows": arguments.rows,
        "rows_sha256": hashlib.sha256(texts.encode()).hexdigest(),
    }


def command() -> None:
    """Keep the hardest variants as the command line says; what the user can fix is printed as a sentence."""
    with sentences_for_the_user(Path(sys.argv[0]).name, "stopped; the same command resumes"):
        main(parsed(HardestArguments, sys.argv[1:]))


if __name__ == "__main__":
    command()
