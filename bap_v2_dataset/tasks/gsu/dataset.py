"""The rows of Grid Spatial Understanding: columns, citation, and what they depend on."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import datasets

from bap_v2_dataset.items.versions import hashed
from bap_v2_dataset.tasks.gsu.task import GSU, JOINT, MAIN_CONFIGS
from bap_v2_dataset.tasks.gsu.versions import GSU_DATA_VERSION, PROMPT_VERSION
from bap_v2_simulators.gsu.configs import CONFIGS

_TEXT = datasets.Value("string")
GSU_FEATURES = datasets.Features(
    {
        "id": _TEXT,
        "task": _TEXT,  # follower, instructor, card2ego, localization, structure or combined
        "frame": _TEXT,  # cardinal, egocentric, allocentric or viewer
        "dims": datasets.Value("int8"),  # 2 or 3
        "group": _TEXT,  # what scores are broken down by: number of steps, heading, or class of the structure
        "question": _TEXT,
        "prompt": _TEXT,  # the question after the shots of Table 1
        "reasoning": _TEXT,  # empty for structures
        "answer": _TEXT,
        "completion": _TEXT,
        "blocks": datasets.List(_TEXT),  # COLOR X Y [Z]
        "metadata": datasets.Json(),
    }
)
_TASKS = {
    "follower": "where do these steps end?",
    "instructor": "which steps lead along this path?",
    "card2ego": "which steps of one's own are these of the compass?",
    "localization": "where is this block?",
    "structure": "what is built of these blocks?",
    "combined": "where is this structure, seen from the end of a walk?",
}
_CITATION = (Path(__file__).parent / "citation.bib").read_text(encoding="utf-8").rstrip("\n")


def description(config: str) -> str:
    """Return one line about a config."""
    if config == JOINT:
        return "GSU: the eight configs of Table 1 joined and shuffled, and a test split for each."
    of = CONFIGS[config]
    return f"GSU, {of.frame}, {of.dims}D: {_TASKS[of.task]}"


def info(config: str) -> datasets.DatasetInfo:
    """Return the columns of a config, which all have the same."""
    return datasets.DatasetInfo(
        description="Grid Spatial Understanding (GSU): walks, blocks around a viewer and structures of boxes.",
        features=GSU_FEATURES,
        citation=_CITATION,
    )


def depends_on(config: str, mdc: str | None = None, labels: str | None = None) -> list[str]:
    """Return what the rows of a config depend on: the versions of their parts."""
    if config == JOINT:
        return [config, *(hashed(depends_on(name)) for name in MAIN_CONFIGS)]
    return [config, GSU_DATA_VERSION, PROMPT_VERSION, CONFIGS[config].simulator.version]


def labels_of(rows: Sequence[Mapping], config: str) -> str:
    """Return whose labels were used; shown with every score.

    Args:
        config: or the name of own data.
    """
    return "none needed (synthetic)" if config in GSU.configs else "none (own data)"
