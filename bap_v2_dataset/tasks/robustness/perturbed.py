"""Variants of any items as a file of rows: families of perturbations, chosen, and so many variants of each item.

The rows of an item stand together, in the order of the families. A run that is killed resumes where it stopped
(`resumable_chunks`).
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from bap_v2_dataset.generation.resumable_chunks import write_chunks
from bap_v2_dataset.generation.workers import GenerationError
from bap_v2_dataset.items.versions import DATA_VERSION, PROMPT_VERSION
from bap_v2_dataset.sentences import counted
from bap_v2_dataset.tasks.robustness.families import FAMILIES, known_family, variants_in_all
from bap_v2_dataset.tasks.robustness.versions import PERTURBATION_VERSION

_PARENTS_PER_CHUNK = 250


def write_perturbed(
    parents: Sequence[Mapping[str, Any]],
    output: Path,
    *,
    source: Mapping[str, Any],
    families: Sequence[str] = (),
    most: int | None = None,
    num_proc: int = 1,
    overwrite: bool = False,
    progress: Callable[[int], None] | None = None,
) -> dict[str, int]:
    """Writes the variants of items and returns how many there are by family; families without any have 0.

    Beside the file, `<output>.settings.json` says what it holds.

    Args:
        parents: rows of a config or of own data, as a list or as a split of `datasets`.
        output: .jsonl or .parquet. If it holds these variants already, it is left as it is.
        source: what the parents are, for the settings: `config`, which is that of the variants' metadata if it is one
            of ours, `split`, and what tells their versions apart.
        families: by default all.
        most: variants of an item in each family, up to the family's own number, which is the default.
        num_proc: processes; the bytes are the same for any number.
        overwrite: replace a file that holds anything else.
        progress: called with the parents that were finished since the last call.
    Raises:
        bap_v2_dataset.tasks.robustness.families.PerturbationError: for an unknown family, and variants as parents.
        GenerationError: for items without a variant, and for a file that holds something else.
        bap_v2_simulators.atomic_files.OutputError: for a file that cannot be made, or that another process writes.
    """
    # What is written: which families, and how many variants of each.
    chosen = [name for name in FAMILIES if name in {known_family(each).name for each in families or FAMILIES}]
    if most is not None and most < 1:
        raise GenerationError(f"{counted(most, 'variant')} of an item: request at least 1")
    request = {
        **source, "families": chosen, "variants": most, "perturbation_version": PERTURBATION_VERSION,
        "data_version": DATA_VERSION, "prompt_version": PROMPT_VERSION,
    }  # fmt: skip

    def facts(counts: Counter) -> dict[str, Any]:
        variants = {name: counts[name] for name in chosen}
        if not any(variants.values()):
            raise GenerationError(_without_variants(source, len(parents), chosen))
        return {"parents": len(parents), "variants": variants}

    # In chunks, so that a run that is killed resumes.
    starts = range(0, len(parents), _PARENTS_PER_CHUNK)
    settings = write_chunks(
        Path(output), request, partial(_made, chosen, most, source.get("config")),
        (_rows(parents, start, start + _PARENTS_PER_CHUNK) for start in starts), kind="variants", facts=facts,
        num_proc=num_proc, overwrite=overwrite, progress=progress and (lambda counts: progress(counts["parents"])),
    )  # fmt: skip
    return settings["variants"]


def _rows(parents: Sequence[Mapping[str, Any]], start: int, stop: int) -> Sequence[Mapping[str, Any]]:
    """Return a run of the parents; `datasets` gives it column by column."""
    rows = parents[start:stop]
    return rows if not isinstance(rows, Mapping) else [dict(zip(rows, values)) for values in zip(*rows.values())]


def _made(
    families: Sequence[str], most: int | None, config: str | None, parents: Sequence[Mapping[str, Any]]
) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """Return the variants of some parents, and how many there are of each family."""
    rows = [row for parent in parents for row in variants_in_all(parent, tuple(families), most, config)]
    counts = Counter(row["metadata"]["perturbation"]["family"] for row in rows)
    return rows, {"parents": len(parents), **counts}


def _without_variants(source: Mapping[str, Any], parents: int, families: Sequence[str]) -> str:
    where = ", ".join(str(source[name]) for name in ("config", "data", "split") if source.get(name))
    named = " and ".join(families) if len(families) < 3 else f"the {len(families)} families"
    others = (
        "" if len(families) == len(FAMILIES) else f": choose another family ({', '.join(FAMILIES)}), or other items"
    )
    return f"none of the {counted(parents, 'item')} of {where} has a variant of {named}{others}"
