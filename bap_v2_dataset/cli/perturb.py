"""`bap-v2 perturb`."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from bap_v2_dataset.cli.options import among
from bap_v2_dataset.cli.terminal import app, counting, errors, hide_progress_bars, one_a_core, say
from bap_v2_dataset.interface.table import item_configs, unknown_config
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tasks.building.task import CONFIGS
from bap_v2_dataset.tasks.robustness.task import BASE_OF as BASE_OF_ROBUST

if TYPE_CHECKING:
    import datasets


def _families(incomplete: str) -> list[str]:
    """Return what the shell completes a family to."""
    from bap_v2_dataset.tasks.robustness.families import FAMILIES

    return among(tuple(FAMILIES))(incomplete)


@app.command(words={"FAMILIES": _families})
def perturb(
    out: Path,
    config: str | None = None,
    split: str | None = None,
    family: list[str] | None = None,
    variants: int | None = None,
    data: str | None = None,
    labels: str | None = None,
    num_proc: int | None = None,
    overwrite: bool = False,
) -> None:
    """Write variants of items, with answers that stay known: other words, poses, orders, blocks, sides, colors."""
    from bap_v2_dataset.generation.resumable_chunks import check_suffix
    from bap_v2_dataset.tasks.robustness.families import FAMILIES, known_family
    from bap_v2_dataset.tasks.robustness.perturbed import write_perturbed
    from bap_v2_simulators.atomic_files import check_file

    # Check what can be checked before rows are read, or made.
    if (config is None) == (data is None):
        raise typer.BadParameter("pass either a config, e.g. dss, or items of your own with --data")
    for name in family or ():
        known_family(name)
    check_suffix(out)
    check_file(out)
    # Read the rows, and write their variants.
    started = time.perf_counter()
    hide_progress_bars()
    rows, source = _own_rows(data, split, labels) if data else _rows(config, split or "train", labels)
    with counting() as progress:
        task = progress.add_task("items", total=len(rows))
        numbers = write_perturbed(
            rows, out, source=source, families=family or tuple(FAMILIES), most=variants,
            num_proc=num_proc or one_a_core(), overwrite=overwrite,
            progress=lambda parents: progress.advance(task, parents),
        )  # fmt: skip
    # Say how many of each family there are.
    if none := [name for name, number in numbers.items() if not number]:
        say(f"no item has a variant of {', '.join(none)}", "yellow", errors)
    by_family = ", ".join(f"{name} {number:,}" for name, number in numbers.items() if number)
    total = counted(sum(numbers.values()), "variant")
    summary = f"{out}: {total} of {counted(len(rows), 'item')} ({by_family})"
    say(f"{summary} in {time.perf_counter() - started:.1f} s")


def _rows(config: str, split: str, labels: str | None) -> "tuple[datasets.Dataset, dict[str, Any]]":
    """Read the rows of a config, which is made if it is not set up; return them, and what they are."""
    from bap_v2_dataset.evaluation.test_sets import split_rows
    from bap_v2_dataset.loading.builder import rows_hash

    if config in BASE_OF_ROBUST:
        base = BASE_OF_ROBUST[config]
        raise typer.BadParameter(f"{config} has the variants of {base} already: pass {base}", param_hint="CONFIG")
    if config not in CONFIGS:
        raise typer.BadParameter(unknown_config(config, CONFIGS), param_hint="CONFIG")
    labeled = [name for name in item_configs("labels") if name in CONFIGS]
    if labels is not None and config not in labeled:
        raise typer.BadParameter(f"--labels is for the configs {', '.join(labeled)}")
    arguments = {"labels": labels} if labels else {}
    with errors.status(f"reading {config}"):
        rows = split_rows(config, split, **arguments)
    return rows, {"config": config, "split": split, "rows": rows_hash(config, labels=labels)}


def _own_rows(data: str, split: str | None, labels: str | None) -> "tuple[datasets.Dataset, dict[str, Any]]":
    """Read rows of the user's own; return them, and what they are."""
    import hashlib

    import orjson

    from bap_v2_dataset.loading.own_data import read_data

    if labels is not None:
        raise typer.BadParameter("--labels is for items of a config: leave it out with --data")
    with errors.status(f"reading {data}"):
        own = read_data(data, split)
        name, rows = own.rows(split)
    digest = hashlib.sha256()
    for start in range(0, len(rows), 1000):
        digest.update(orjson.dumps(rows[start : start + 1000], option=orjson.OPT_SORT_KEYS))
    return rows, {"config": None, "data": own.name, "split": split or name, "rows": digest.hexdigest()[:16]}
