"""A mix of the corpora of the user's own, as files: so many items of each (BAP v2, 11.1).

    OUTPUT/train.parquet        the items, shuffled
    OUTPUT/validation.parquet   the largest set of validation items in the same proportions (11.2)
    OUTPUT/mix.json             the request, and the number of items of each source

`load_dataset("OUTPUT")` reads it. The folder appears when it is complete.
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import datasets
import orjson
import pyarrow

from bap_v2_dataset.augmentation.variants import AUGMENTATION_VERSION
from bap_v2_dataset.generation.simulated import write_simulated
from bap_v2_dataset.interface.table import first_task, unknown_config
from bap_v2_dataset.items.versions import DATA_VERSION, PROMPT_VERSION
from bap_v2_dataset.loading import install
from bap_v2_dataset.loading.builder import rows_hash
from bap_v2_dataset.loading.sampling import matched_sizes, sampled, shuffled
from bap_v2_metric.errors import UserError
from bap_v2_simulators.atomic_files import check_parent, only_writer
from bap_v2_simulators.corpora import SIMULATORS, simulator_of

MIXED = tuple(name for name, config in first_task().configs.items() if not config.made_of)  # what a mix can hold


class MixError(UserError):
    """A mix that cannot be made; the message says what to change."""


def write_mix(
    output: Path, amounts: Mapping[str, int | None], *, seed: int = 0, num_proc: int = 1
) -> dict[str, dict[str, int]]:
    """Writes a mix and returns its items by split and source.

    Of a human corpus a random part is taken, of a synthetic one its first games; a smaller amount is part of a larger
    one. A synthetic corpus can be asked for more items than are published: its simulator plays on.

    Args:
        output: a folder. If it holds this mix already, it is left as it is.
        amounts: train items by config; None: all that are published.
        seed: of the human part and of the order.
        num_proc: processes that set up the configs and simulate items.
    Raises:
        MixError: for a mix that makes no sense.
        bap_v2_dataset.human.corpus_files.CorpusError: for a human config, if the corpus is not set up.
        bap_v2_simulators.atomic_files.OutputError: for a folder that cannot be made, or that another process writes.
    """
    # What is mixed.
    output = Path(output)
    amounts = {name: amount for name, amount in amounts.items() if amount != 0}
    if not amounts:
        raise MixError(f"the mix is empty: request at least one item of {', '.join(MIXED)}")
    for name, amount in amounts.items():
        if name not in MIXED:
            raise MixError(unknown_config(name, MIXED))
        if amount is not None and amount < 0:
            raise MixError(f"{amount} items of {name}: expected a positive number")
    if {"mdc", "mdc_v2"} <= amounts.keys():
        raise MixError("mdc_v2 holds the items of mdc already: choose one of them")
    # What the folder records, and is compared with when it is there already.
    request = {
        "amounts": amounts,
        "seed": seed,
        "rows": {name: _train_hash(name) for name in amounts},
        "data_version": DATA_VERSION,
        "prompt_version": PROMPT_VERSION,
    }
    check_parent(output)
    with only_writer(output):
        return _items_of_output(output, request) or _write(output, request, num_proc)


def _items_of_output(output: Path, request: Mapping) -> dict[str, dict[str, int]] | None:
    """Return the items of the mix if the folder holds it. Raises: MixError if it holds something else."""
    if not output.exists():
        return None
    try:
        record = orjson.loads((output / "mix.json").read_bytes())
    except (OSError, ValueError):
        record = {}
    earlier = record.get("request") or {}
    if earlier != request:
        other = ", ".join(name for name in request if earlier.get(name) != request[name])
        raise MixError(f"{output} exists and is another mix (it differs in {other}): remove it, or choose another name")
    return record["items"]


def _write(output: Path, request: Mapping, num_proc: int) -> dict[str, dict[str, int]]:
    # The published rows have to be enough, but of corpora that are played on.
    seed = request["seed"]
    published = {name: install.rows_of(name, num_proc) for name in request["amounts"]}
    for name, amount in request["amounts"].items():
        available = len(published[name].get("train", ()))
        if name not in SIMULATORS and available < (amount or 1):
            requested = "all" if amount is None else f"{amount:,}"
            raise MixError(f"{requested} items of {name}: it has {available:,}")
    # Train items of each source.
    unfinished = output.with_name(f"{output.name}.unfinished")  # of a killed run: what it simulated is used
    parts = unfinished / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    train = {
        name: _train(name, amount, published[name]["train"], seed, parts, num_proc)
        for name, amount in request["amounts"].items()
    }
    # Validation items in the same proportions.
    validation = {name: splits["validation"] for name, splits in published.items() if "validation" in splits}
    sizes = matched_sizes(
        {name: len(rows) for name, rows in train.items()}, {name: len(rows) for name, rows in validation.items()}
    )
    validation = {name: rows.select(sampled(rows["id"][:], sizes[name], seed)) for name, rows in validation.items()}
    splits = {"train": train, "validation": validation}
    counts = {split: {name: len(rows) for name, rows in sources.items()} for split, sources in splits.items()}
    # The folder appears when it is complete.
    for split, sources in splits.items():
        if any(counts[split].values()):  # datasets cannot load an empty split
            _write_split(sources, unfinished / f"{split}.parquet", seed)
    record = {"request": request, "items": counts}
    (unfinished / "mix.json").write_bytes(orjson.dumps(record, option=orjson.OPT_INDENT_2))
    shutil.rmtree(parts)
    os.replace(unfinished, output)
    return counts


def _train_hash(name: str) -> str:
    """Return what the train and validation rows depend on: not on the labels of the test items."""
    return f"{rows_hash('mdc')} {AUGMENTATION_VERSION}" if name == "mdc_v2" else rows_hash(name)


def _train(
    name: str, amount: int | None, rows: datasets.Dataset, seed: int, parts: Path, num_proc: int
) -> datasets.Dataset:
    if amount is None:
        return rows
    if name not in SIMULATORS:
        return rows.select(sampled(rows["id"][:], amount, seed))
    if amount <= len(rows):
        return rows.select(range(amount))
    path = parts / f"{name}.parquet"
    write_simulated(simulator_of(name), path, n_items=amount, num_proc=num_proc, overwrite=True)
    return datasets.Dataset.from_parquet(str(path), cache_dir=str(parts / "cache"))


def _write_split(sources: Mapping[str, datasets.Dataset], path: Path, seed: int) -> None:
    starts, start = {}, 0
    for name, rows in sources.items():
        starts[name] = start
        start += len(rows)
    order = [starts[name] + n for name, n in shuffled({name: rows["id"][:] for name, rows in sources.items()}, seed)]
    mixed = datasets.concatenate_datasets(list(sources.values())).select(order)
    with pyarrow.OSFile(str(path), "wb") as file:  # not a file of Python's: Ctrl-C inside one makes Arrow abort
        mixed.to_parquet(file)
