"""The rows of Plancraft: columns, citation, and what they depend on."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import datasets

from bap_v2_dataset.tasks.plancraft.task_files import changed_files, digests
from bap_v2_dataset.tasks.plancraft.versions import PLANCRAFT_DATA_VERSION, PROMPT_VERSION
from bap_v2_simulators.plancraft.package import VERSION, PlancraftMissing, installed_version

TASKS_CONFIG, ORACLE_CONFIG = "plancraft", "plancraft_oracle"
_CITATION = (Path(__file__).parent / "citation.bib").read_text(encoding="utf-8").rstrip("\n")

_TEXT, _NUMBER = datasets.Value("string"), datasets.Value("int32")
TASK_FEATURES = datasets.Features(
    {
        "id": _TEXT,  # as in the package, e.g. TEST0000
        "target": _TEXT,
        "inventory": datasets.List({"slot": _NUMBER, "type": _TEXT, "quantity": _NUMBER}),  # 10 to 45: [I1] to [I36]
        "observation": _TEXT,  # what is read first
        "impossible": datasets.Value("bool"),
        "complexity_bin": _NUMBER,  # 0 to 5
        "complexity": _NUMBER,  # items used times recipes; None if impossible
        "difficulty": _TEXT,  # easy, medium, hard or impossible
        "recipe_type": _TEXT,  # smelting, shapeless, shaped, mixed or impossible
        "recipes": datasets.List(_TEXT),  # the item that each recipe makes, in order; empty if impossible
        "plan": datasets.List(_TEXT),  # gold actions; empty if impossible
        "oracle_length": _NUMBER,  # of the plan
        "metadata": datasets.Json(),
    }
)
ORACLE_FEATURES = datasets.Features(
    {
        "id": _TEXT,
        "target": _TEXT,
        "difficulty": _TEXT,
        "messages": datasets.List({"role": _TEXT, "content": _TEXT}),  # system, then user and assistant in turn
        "n_actions": _NUMBER,
    }
)


def description(config: str) -> str:
    """Return one line about a config."""
    if config == ORACLE_CONFIG:
        return "Plancraft: gold dialogues of the tasks that can be solved, to learn from."
    return "Plancraft: which moves and smelts make this item of what is in the inventory, or can it not be made?"


def info(config: str) -> datasets.DatasetInfo:
    """Return the columns of a config."""
    return datasets.DatasetInfo(
        description="Plancraft (Dagan, Keller and Lascarides, 2025): crafting tasks, of the package plancraft.",
        features=TASK_FEATURES if config == TASKS_CONFIG else ORACLE_FEATURES,
        citation=_CITATION,
        license="MIT",
    )


def depends_on(config: str, mdc: str | None = None, labels: str | None = None) -> list[str]:
    """What the rows of a config depend on: our versions, that of the package, and files that are not as in 0.4.9.

    Without the package, that of the version which this project is made for: rows that are set up can be loaded.
    """
    try:
        changed = changed_files(digests())
    except PlancraftMissing:
        changed = []
    return [config, PLANCRAFT_DATA_VERSION, PROMPT_VERSION, installed_version() or VERSION, *changed]


def labels_of(rows: Sequence[Mapping], config: str) -> str:
    """Return whose labels were used; shown with every score."""
    return "none needed (played by the rules)"
