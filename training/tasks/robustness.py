"""Robust training: train items and one variant of each (Dan et al., 2021, 2.2), and the settings that choose it."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any

from datasets import Dataset, concatenate_datasets
from tqdm.auto import tqdm

from bap_v2_dataset.items.rows import perturbation_of
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.dataset_rows import load_rows
from bap_v2_training.tasks.settings import RANDOM, STATIC, RobustArguments

Row = dict[str, Any]


def with_variants(rows: Dataset, robust: RobustArguments) -> tuple[Dataset, dict[str, Any]]:
    """Return the rows, each followed by its variant, and what to record of them; for modes that choose once.

    Raises:
        UsageError: none of the rows has a variant.
    """
    chosen = variants_chosen_once(rows, robust)
    variants = [variant for variant in chosen if variant is not None]
    taken = [{name: variant.get(name) for name in rows.column_names} for variant in variants]
    both = concatenate_datasets([rows, Dataset.from_list(taken, features=rows.features)])
    order, following = [], iter(range(len(rows), len(both)))
    for number, variant in enumerate(chosen):
        order += [number] if variant is None else [number, next(following)]
    return both.select(order), counts_of_variants(len(rows), variants)


def variants_chosen_once(rows: Sequence[Row], robust: RobustArguments) -> list[Row | None]:
    """Return the variant of each row that is learned with it; None for a row without one.

    Raises:
        UsageError: no row has any, there is no such model, or all variants are too long for it.
    """
    candidates = candidates_of(rows, robust)
    if robust.robust_mode == STATIC:
        from bap_v2_training.learning.gold_losses import gold_losses  # here: it loads a model

        flat = [variant for variants in candidates for variant in variants]
        losses = gold_losses(robust.robust_model, flat)
        owners = [number for number, variants in enumerate(candidates) for _ in variants]
        best = hardest(losses, owners)
        if not best:
            raise UsageError(
                f"robust training: none of the {len(flat)} variants fits the context of {robust.robust_model}: choose "
                "another robust_model, or robust_mode: random"
            )
        return [flat[best[number]] if number in best else None for number in range(len(candidates))]
    return [variants[0] if variants else None for variants in candidates]


def candidates_of(rows: Iterable[Row], robust: RobustArguments) -> list[list[Row]]:
    """Return the variants of each row among which one is chosen; in the mode `random` one at most.

    With several families, `random` takes the first valid variant of a family that is drawn by the row's id.

    Raises:
        UsageError: no row has any.
    """
    rows = list(rows)
    if robust.robust_rows is None:
        candidates = [list(_variants(row, robust)) for row in tqdm(rows, desc="Perturbing", unit="item")]
    else:
        by_parent: dict[str, list[Row]] = {}
        for variant in load_rows(None, "train", robust.robust_rows).to_list():
            by_parent.setdefault(perturbation_of(variant).get("parent", ""), []).append(variant)
        candidates = [by_parent.get(row["id"], []) for row in rows]
    if not any(candidates):
        source = robust.robust_rows or f"families {', '.join(robust.robust_families or ())}"
        raise UsageError(f"robust training: none of the {len(rows)} train items has a variant of {source}")
    return candidates


def hardest(losses: Sequence[float], owners: Sequence[Any]) -> dict[Any, int]:
    """Return the number of the variant of each owner with the highest loss; ties: the earlier one.

    Variants without a loss (nan: they are too long for the model) are left out.

    >>> hardest([1.0, 3.0, 3.0, 2.0, float("nan")], ["a", "a", "a", "b", "b"])
    {'a': 1, 'b': 3}
    """
    best: dict[Any, int] = {}
    for number, (loss, owner) in enumerate(zip(losses, owners, strict=True)):
        if not math.isnan(loss) and (owner not in best or loss > losses[best[owner]]):
            best[owner] = number
    return best


def counts_of_variants(parents: int, variants: Sequence[Row]) -> dict[str, Any]:
    """Count for the record how many items are learned with a variant, and of which families these are."""
    families = Counter(perturbation_of(variant).get("family", "unknown") for variant in variants)
    return {"parents": parents, "variants": len(variants), "families": dict(sorted(families.items()))}


def _variants(row: Row, robust: RobustArguments) -> Iterator[Row]:
    from bap_v2_dataset.tasks.robustness.families import variants_in_all  # here: most trainings do without

    families = list(robust.robust_families or ())
    if robust.robust_mode == RANDOM:
        Random(f"robust {row['id']}").shuffle(families)
        yield from islice(variants_in_all(row, families), 1)
    else:
        yield from variants_in_all(row, families, robust.robust_variants)
