"""A small build of every config, real rows but few of them, and the cards that describe it."""

import re
from collections.abc import Iterable
from pathlib import Path

import datasets
import pytest
from huggingface_hub import DatasetCard

import bap_v2_dataset  # noqa: F401 (registers the name)
from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.publishing.dataset_card import dataset_card
from bap_v2_dataset.tasks.building.task import CONFIGS
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.simulation import play

SYNTHETIC = tuple(SIMULATORS)
Parts = dict[str, dict[str, datasets.Dataset]]  # config -> split -> rows


def simulated(name: str, split: str) -> datasets.Dataset:
    """The rows of two games."""
    games = (play(simulator_of(name), split, index) for index in range(2))
    return datasets.Dataset.from_list([row(item) for game in games for item in items(game)], features=FEATURES)


def joined(parts: Parts, split: str) -> datasets.Dataset:
    """The rows of a split of all sources, one after the other."""
    return datasets.concatenate_datasets([parts[name][split] for name in CONFIGS["all"].made_of])


def infos_of(parts: Parts) -> dict[str, datasets.DatasetInfo]:
    return {
        name: datasets.DatasetInfo(
            features=next(iter(splits.values())).features,
            splits=datasets.SplitDict(
                {split: datasets.SplitInfo(split, rows.data.nbytes, len(rows)) for split, rows in splits.items()}
            ),
            download_size=1,
        )
        for name, splits in parts.items()
    }


def files_of(parts: Parts) -> dict[str, dict[str, str]]:
    return {name: {split: f"data/{name}/{split}-*.parquet" for split in splits} for name, splits in parts.items()}


def chosen_of(parts: Parts, names: Iterable[str]) -> Parts:
    """Some configs; a test of those whose package is not installed is skipped."""
    if missing := set(names) - parts.keys():
        pytest.skip(f"{min(missing)} needs its package")
    return {name: parts[name] for name in names}


def card_of(parts: Parts, *names: str, **options) -> DatasetCard:
    chosen = chosen_of(parts, names)
    return dataset_card(
        "USER/bap_v2", infos_of(chosen), files_of(chosen), **{"rows": chosen, "labels": "mine.csv", **options}
    )


def repository(folder: Path, parts: Parts, *names: str, **options) -> Path:
    """What is published, as a directory."""
    for name, splits in chosen_of(parts, names).items():
        for split, rows in splits.items():
            file = folder / "data" / name / f"{split}-00000-of-00001.parquet"
            file.parent.mkdir(parents=True, exist_ok=True)
            rows.to_parquet(file)
    card_of(parts, *names, **options).save(folder / "README.md")
    return folder


ALL = ("mdc_v2", "mdc", *SYNTHETIC, "all")
SUBSETS = {"synthetic": SYNTHETIC, "one": ("dss",), "legacy": ("mdc",), "human": ("mdc_v2", "mdc"), "all": ALL}
OF_ALL_TASKS = {
    **SUBSETS,
    "with variants": ("mdc_v2", "dss", "robust_mdc_v2", "robust_dss"),
    "variants alone": ("robust_dss",),
    "human variants": ("robust_mdc_v2",),
    "walks": ("gsu_card2ego_2d", "gsu"),
    "structures": ("gsu_combined", "gsu_structure"),
    "crafts": ("plancraft", "plancraft_oracle"),
    "dialogues": ("plancraft_oracle",),
    "two tasks": ("gsu_structure", "plancraft"),
    "every task": ("mdc", "dss", "robust_dss", "gsu_structure", "plancraft"),
}
subsets = pytest.mark.parametrize("names", SUBSETS.values(), ids=SUBSETS)
of_all_tasks = pytest.mark.parametrize("names", OF_ALL_TASKS.values(), ids=OF_ALL_TASKS)


def code_of(text: str) -> str:
    """The Python blocks of a card."""
    return "\n".join(re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL))


def assert_well_formed(text: str) -> None:
    """Headings and tables stand apart, rows have the columns of their table, and no gap was left by a template."""
    outside = re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)
    lines = ["", *outside.split("\n"), ""]
    for before, line, after in zip(lines, lines[1:], lines[2:]):
        if line.startswith("#"):
            assert not before and not after, line
        if line.startswith("|"):
            assert not before or before.startswith("|"), line
            if before:
                assert line.count("|") == before.count("|"), line
            assert not after or after.startswith("|"), line
    assert text.count("```") % 2 == 0 and "\n\n\n" not in text and "{" + "{" not in outside and "{%" not in outside
    assert not re.search(r"[ (]None\b|Undefined| ,| \.(?!\.)", outside), re.search(r".*(None| ,| \.).*", outside)
