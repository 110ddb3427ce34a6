"""What the card of a dataset says of Plancraft: the template `card.md`, with every number from the rows."""

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, files
from statistics import fmean
from typing import Any

import datasets

from bap_v2_dataset.interface.task import Config
from bap_v2_dataset.publishing.published import PublishedConfigs
from bap_v2_dataset.publishing.template import CardError
from bap_v2_dataset.tasks.plancraft.counts import SOLVABLE
from bap_v2_dataset.tasks.plancraft.task import PLANCRAFT
from bap_v2_dataset.tasks.plancraft.versions import PLANCRAFT_DATA_VERSION, PROMPT_VERSION
from bap_v2_simulators.plancraft.package import INSTALL, NAME, VERSION

TITLE = "Plancraft"
LICENSE_FILE = "LICENSE-PLANCRAFT.txt"


def front_matter(published: PublishedConfigs) -> dict[str, list[str]]:
    return {
        "license": ["mit"],
        "task_categories": ["text-generation"],
        "annotations_creators": ["machine-generated"],
        "language_creators": ["machine-generated"],
        "source_datasets": ["extended"],
        "tags": ["minecraft", "crafting", "planning", "agents", "multi-turn"],
    }


def license_files(configs: Mapping[str, Config]) -> dict[str, bytes]:
    """Return the license of the package, which copies of its tasks have to have with them.

    Raises:
        CardError: the package is not installed, or has none.
    """
    try:
        licenses = [file for file in files(NAME) or () if file.name.upper().startswith("LICENSE")]
    except PackageNotFoundError:
        licenses = []
    if not licenses:
        raise CardError(f"the tasks of Plancraft are published with the license of its package: {INSTALL}")
    return {LICENSE_FILE: licenses[0].read_binary()}


def text(published: PublishedConfigs) -> str:
    """Return the card, or a part of one."""
    tasks = published.rows.get("plancraft", {})
    return published.rendered(
        "plancraft/card.md",
        columns_of={name: info.features for name, info in published.infos.items()},
        statistics=[_statistics(split, tasks[split]) for split in ("train", "validation", "test") if split in tasks],
        example=tasks["validation"][0] if "validation" in tasks else None,
        signature=PLANCRAFT.scorer.signature(),
        data_version=PLANCRAFT_DATA_VERSION,
        prompt_version=PROMPT_VERSION,
        plancraft_version=VERSION,
        install=INSTALL,
        citation=PLANCRAFT.dataset.info("plancraft").citation.strip(),
        license_file=LICENSE_FILE,
    )


def _statistics(split: str, rows: datasets.Dataset) -> dict[str, Any]:
    difficulties, lengths, slots = rows["difficulty"][:], rows["oracle_length"][:], rows["inventory"][:]
    solvable = [length for length, difficulty in zip(lengths, difficulties) if difficulty in SOLVABLE]
    return {
        "split": split,
        **{name: difficulties.count(name) for name in (*SOLVABLE, "impossible")},
        "targets": len(set(rows["target"][:])),
        "length": fmean(solvable),
        "longest": max(solvable),
        "slots": fmean(map(len, slots)),
    }
