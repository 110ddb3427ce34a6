"""What a card says of Plancraft: the template `hub_cards/plancraft_card.md`, with every number from the rows.

It is a card of its own, or a part of the card of a repository that also holds other tasks.
"""

from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, files, version
from statistics import fmean
from typing import Any

import datasets

from bap_v2_dataset.publishing.template import CardError, rendered
from bap_v2_dataset.tasks.plancraft import scorer as plancraft_scoring
from bap_v2_dataset.tasks.plancraft.counts import SOLVABLE
from bap_v2_dataset.tasks.plancraft.prompts import PROMPT_VERSION
from bap_v2_dataset.tasks.plancraft.rows import PLANCRAFT_DATA_VERSION
from bap_v2_dataset.tasks.table import TASKS, known_task
from bap_v2_simulators.plancraft.package import INSTALL, NAME, VERSION

PLANCRAFT_CONFIGS = tuple(TASKS["plancraft"].configs)
TITLE = "Plancraft"
TAGS = ("minecraft", "crafting", "planning", "agents", "multi-turn")
LICENSE_FILE = "LICENSE-PLANCRAFT.txt"


def plancraft_part(
    repo_id: str,
    infos: Mapping[str, datasets.DatasetInfo],
    rows: Mapping[str, Mapping[str, datasets.Dataset]],
    metric_space: str | None,
    alone: bool,
) -> str:
    """The text of a card about the Plancraft configs of a repository.

    Args:
        infos: by config, with features and splits; of Plancraft alone, at least one.
        rows: config -> split -> rows; what is missing has no statistics.
        alone: whether it is the whole card; else headings are a level deeper.
    """
    names = [name for name in PLANCRAFT_CONFIGS if name in infos]
    tasks = rows.get("plancraft", {})
    return rendered(
        "plancraft_card.md",
        {
            "top": "#" if alone else "##",
            "sub": "##" if alone else "###",
            "repo_id": repo_id,
            "sizes": {
                name: {split.name: split.num_examples for split in infos[name].splits.values()} for name in names
            },
            "types": {
                name: {column: _type_name(feature) for column, feature in infos[name].features.items()}
                for name in names
            },
            "statistics": [
                _statistics(split, tasks[split]) for split in ("train", "validation", "test") if split in tasks
            ],
            "example": tasks["validation"][0] if "validation" in tasks else None,
            "metric_space": metric_space,
            "signature": plancraft_scoring.signature(),
            "data_version": PLANCRAFT_DATA_VERSION,
            "prompt_version": PROMPT_VERSION,
            "plancraft_version": VERSION,
            "install": INSTALL,
            "package_version": version("bap-v2"),
            "citation": known_task(names[0]).dataset.info(names[0]).citation.strip(),
            "license_file": LICENSE_FILE,
        },
    ).strip()


def license_text() -> bytes:
    """The license of the package, which copies of its tasks have to have with them.

    Raises:
        CardError: the package is not installed, or has none.
    """
    try:
        found = [file for file in files(NAME) or () if file.name.upper().startswith("LICENSE")]
    except PackageNotFoundError:
        found = []
    if not found:
        raise CardError(f"the tasks of Plancraft are published with the license of its package: {INSTALL}")
    return found[0].read_binary()


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


def _type_name(feature: Any) -> str:
    """The type of a column as a reader says it."""
    if isinstance(feature, datasets.List):
        return f"list of {_type_name(feature.feature)}"
    if isinstance(feature, dict):
        return f"{{{', '.join(feature)}}}"
    return "JSON" if isinstance(feature, datasets.Json) else feature.dtype
