"""Small test sets in the place of those that are set up, and prediction files for them."""

import json
from pathlib import Path

import datasets

from bap_v2_dataset.evaluation import test_sets
from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.loading import install
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.simulation import play


def human(number: int, **annotation) -> dict:
    simulated = row(next(iter(items(play(simulator_of("dss"), "test", number)))))
    metadata = {"source": "human", **({"annotation": {"labels": "mine", **annotation}} if annotation else {})}
    return simulated | {"id": f"B1-A2-C3-1522432776975/{number}", "interpretations": "unique", "metadata": metadata}


SPLITS = {
    **{(name, "test"): [row(item) for index in range(3) for item in items(play(simulator_of(name), "test", index))]
       for name in SIMULATORS},
    ("mdc", "test"): [human(number) for number in range(4)],
    ("mdc_v2", "test"): [human(number, context="unique", fixed=number == 1) for number in range(3)],
}  # fmt: skip


def use_small_test_sets(patch) -> None:
    """Makes `split_rows` give SPLITS."""

    def split_rows(config: str, split: str, hint: str = "") -> datasets.Dataset:
        return datasets.Dataset.from_list(SPLITS[config, split], features=FEATURES)

    patch.setattr(test_sets, "split_rows", split_rows)
    patch.setattr(install, "is_set_up", lambda name: (name, "test") in SPLITS)


def write(path: Path, config: str, wrong: int = 0, settings: dict | None = None) -> str:
    """Right answers but for the first so many, which are empty."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rows = SPLITS[config, "test"]
    texts = [row["completion"] if position >= wrong else "" for position, row in enumerate(rows)]
    lines = [json.dumps({"id": row["id"], "prediction": text}) for row, text in zip(rows, texts)]
    path.write_text("\n".join(lines) + "\n")
    if settings is not None:
        record = {"dataset_config": config, "split": "test", "dataset_path": None, **settings}
        path.with_name(f"{path.name}.settings.json").write_text(json.dumps(record))
    return str(path)


def run(folder: Path, dataset: dict, representation: str, **tests: int) -> list[str]:
    """A run's folder with predictions for test sets."""
    folder.mkdir(parents=True)
    (folder / "training_run.json").write_text(
        json.dumps({"dataset": dataset, "train": {"items": 1234}, "seed": 7, "representation": representation})
    )
    settings = {"model": str(folder), "representation": representation}
    return [write(folder / f"{config}.jsonl", config, wrong, settings) for config, wrong in tests.items()]
