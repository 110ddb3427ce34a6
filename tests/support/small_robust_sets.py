"""A small robustness test set in the place of one that is set up, and prediction files for it."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import islice
from pathlib import Path

import datasets

from bap_v2_dataset.evaluation import test_sets
from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.tasks.robustness import files as robust_files
from bap_v2_dataset.tasks.robustness.families import FAMILIES, variants_in_all
from bap_v2_dataset.tasks.robustness.ids import family_of
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.simulation import play

CONFIG, BASE = "robust_dss", "dss"
GAMES = 8


@cache
def splits() -> Mapping[str, list[dict]]:
    """The rows of each split of `robust_dss`, of a few games; `probe` has those of two items."""
    originals = [
        row(item) for index in range(GAMES) for item in islice(items(play(simulator_of(BASE), "test", index)), 2)
    ]
    variants = [variant for parent in originals for variant in variants_in_all(parent, config=BASE)]
    of_families = {name: [one for one in variants if family_of(one) == name] for name in FAMILIES}
    probe = [one for parent in originals[:2] for one in (parent, *variants_in_all(parent, most=1, config=BASE))]
    return {"original": originals, **{name: rows for name, rows in of_families.items() if rows}, "probe": probe}


def rows(split: str) -> list[dict]:
    """Those of splits joined with `+`."""
    return [one for name in split.split("+") for one in splits()[name]]


def use_small_robust_set(patch) -> None:
    """Makes `split_rows` give these rows, and those of the base config."""

    def split_rows(config: str, split: str, hint: str = "it has") -> datasets.Dataset:
        if config == BASE:
            return datasets.Dataset.from_list(splits()["original"], features=FEATURES)
        if unknown := {*split.split("+")} - splits().keys():
            raise PredictionError(f"the config {config} has no split {min(unknown)!r}: {hint} {', '.join(splits())}")
        return datasets.Dataset.from_list(rows(split), features=FEATURES)

    patch.setattr(test_sets, "split_rows", split_rows)
    patch.setattr(robust_files, "all_families", lambda config: [name for name in splits() if name != "probe"])


def write(path: Path, predictions: Mapping[str, str] | Iterable[dict], settings: dict | None = None) -> str:
    """A prediction file: of texts by id, or the right answers to rows."""
    if not isinstance(predictions, Mapping):
        predictions = {one["id"]: one["completion"] for one in predictions}
    lines = [json.dumps({"id": row_id, "prediction": text}) for row_id, text in predictions.items()]
    path.write_text("\n".join(lines) + "\n")
    if settings is not None:
        path.with_name(f"{path.name}.settings.json").write_text(json.dumps(settings))
    return str(path)
