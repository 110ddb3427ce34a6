"""What a card says of GSU: the template `hub_cards/gsu_card.md`, with every number filled in from the rows.

It is a card of its own, or a part of the card of a repository that also holds items of building.
"""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from statistics import median
from typing import Any

import datasets

from bap_v2_dataset.publishing.template import rendered
from bap_v2_dataset.sentences import listed
from bap_v2_dataset.tasks.gsu import scorer as gsu_scoring
from bap_v2_dataset.tasks.gsu.prompts import PROMPT_VERSION
from bap_v2_dataset.tasks.gsu.questions import QUESTION_VERSION
from bap_v2_dataset.tasks.gsu.rows import GSU_DATA_VERSION, row_of
from bap_v2_dataset.tasks.gsu.task import JOINT, MAIN_CONFIGS
from bap_v2_dataset.tasks.table import TASKS, known_task
from bap_v2_simulators.gsu.configs import CONFIGS, SIZES, GsuConfig

GSU_CONFIGS = tuple(TASKS["gsu"].configs)
TITLE = "Grid Spatial Understanding (GSU)"
TAGS = ("spatial-reasoning", "navigation", "grid", "synthetic")

_EXAMPLES = 12  # a short item is chosen from the first ones
_ASKED = {
    "follower": "where a walk ends",
    "instructor": "the instructions of a path",
    "card2ego": "one's own directions for a path given by the compass",
    "localization": "where a block is relative to {}",
    "structure": "what blocks form",
    "combined": "where a structure is relative to another one, after a walk",
}


def gsu_part(
    repo_id: str,
    infos: Mapping[str, datasets.DatasetInfo],
    rows: Mapping[str, Mapping[str, datasets.Dataset]],
    metric_space: str | None,
    alone: bool,
) -> str:
    """The text of a card about the GSU configs of a repository.

    Args:
        infos: by config, with features and splits; of GSU alone, at least one.
        rows: config -> split -> rows; what is missing has no statistics.
        alone: whether it is the whole card; else headings are a level deeper.
    """
    names = [name for name in GSU_CONFIGS if name in infos]
    loaded = names[0]
    single = [name for name in names if name != JOINT] or list(MAIN_CONFIGS)
    info = infos[loaded]
    return rendered(
        "gsu_card.md",
        {
            "top": "#" if alone else "##",
            "sub": "##" if alone else "###",
            "repo_id": repo_id,
            "configs": [_line(name, infos[name]) for name in names],
            "joint": JOINT in names,
            "joined_names": listed([f"`{name}`" for name in MAIN_CONFIGS]),
            "loaded": loaded,
            "loaded_split": next((split for split in info.splits if split.startswith("test")), next(iter(info.splits))),
            "example": _example(single),
            "types": {name: _type_name(feature) for name, feature in info.features.items()},
            "statistics": [_statistics(name, rows[name]["train"]) for name in names if "train" in rows.get(name, ())],
            "simulators": {CONFIGS[name].simulator.name: CONFIGS[name].simulator.version for name in single},
            "metric_space": metric_space,
            "signature": gsu_scoring.signature(),
            "data_version": GSU_DATA_VERSION,
            "question_version": QUESTION_VERSION,
            "prompt_version": PROMPT_VERSION,
            "package_version": version("bap-v2"),
            "citation": known_task(loaded).dataset.info(loaded).citation.strip(),
        },
    ).strip()


def _line(name: str, info: datasets.DatasetInfo) -> dict[str, Any]:
    """A config in the table of all."""
    sizes = {split.name: split.num_examples for split in info.splits.values()}
    test = sum(size for split, size in sizes.items() if split.startswith("test"))
    asked = "those of Table 1 together" if name == JOINT else _asked(CONFIGS[name])
    return {
        "name": name, "asked": asked, "main": name in MAIN_CONFIGS or name == JOINT,
        "train": sizes.get("train", 0), "validation": sizes.get("validation", 0), "test": test,
    }  # fmt: skip


def _asked(config: GsuConfig) -> str:
    """What a config asks, in a few words."""
    if config.task in ("follower", "instructor", "card2ego"):
        frame = "" if config.task == "card2ego" else f", {config.frame}"
        return f"{_ASKED[config.task]}{frame}, {config.dims}D"
    if config.task == "localization":
        simulator = config.simulator
        of = "oneself" if config.frame == "egocentric" else "another block"
        heading = {"y": ", facing +y", "reference": ", facing that block"}.get(simulator.heading, "")
        others = ", among others" if simulator.distractors else ""
        return f"{_ASKED[config.task].format(of)}{heading}; {simulator.distance}{others}"
    return _ASKED[config.task]


def _example(names: Sequence[str]) -> Mapping[str, Any]:
    """A short train row of the first of these configs."""
    rows = [row_of(CONFIGS[names[0]], "train", index) for index in range(min(_EXAMPLES, SIZES["train"]))]
    return min(
        (row for row in rows if row["group"] != "1"),
        key=lambda row: (len(row["question"]) + len(row["completion"]), row["id"]),
    )


def _statistics(config: str, rows: datasets.Dataset) -> dict[str, Any]:
    questions = [len(text) for text in rows["question"][:]]
    return {
        "config": config,
        "median": round(median(questions)),
        "longest": max(questions),
        "prompt": max(len(text) for text in rows["prompt"][:]),
        "answers": len(set(rows["answer"][:])),
    }


def _type_name(feature: Any) -> str:
    """The type of a column as a reader says it."""
    if isinstance(feature, datasets.List):
        return f"list of {_type_name(feature.feature)}"
    return "JSON" if isinstance(feature, datasets.Json) else feature.dtype
