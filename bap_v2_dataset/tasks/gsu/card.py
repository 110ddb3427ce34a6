"""What the card of a dataset says of GSU: the template `card.md`, with every number filled in from the rows."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

import datasets

from bap_v2_dataset.interface.task import Config
from bap_v2_dataset.publishing.published import PublishedConfigs
from bap_v2_dataset.tasks.gsu.rows import row_of
from bap_v2_dataset.tasks.gsu.task import GSU, JOINT, MAIN_CONFIGS
from bap_v2_dataset.tasks.gsu.versions import GSU_DATA_VERSION, PROMPT_VERSION, QUESTION_VERSION
from bap_v2_simulators.gsu.configs import CONFIGS, SIZES, GsuConfig

TITLE = "Grid Spatial Understanding (GSU)"
_EXAMPLES = 12  # a short item is chosen from the first ones
_ASKED = {
    "follower": "where a walk ends",
    "instructor": "the instructions of a path",
    "card2ego": "one's own directions for a path given by the compass",
    "localization": "where a block is relative to {}",
    "structure": "what blocks form",
    "combined": "where a structure is relative to another one, after a walk",
}


def front_matter(published: PublishedConfigs) -> dict[str, list[str]]:
    return {
        "license": ["apache-2.0"],
        "task_categories": ["text-generation", "question-answering"],
        "annotations_creators": ["machine-generated"],
        "language_creators": ["machine-generated"],
        "source_datasets": ["original"],
        "tags": ["spatial-reasoning", "navigation", "grid", "synthetic"],
    }


def license_files(configs: Mapping[str, Config]) -> dict[str, bytes]:
    return {}


def text(published: PublishedConfigs) -> str:
    """Return the card, or a part of one."""
    # The configs of the card, and one that is loaded in the example.
    infos = published.infos
    single = [name for name in infos if name != JOINT] or list(MAIN_CONFIGS)
    loaded = next(iter(infos))
    # Numbers and versions come from the build.
    return published.rendered(
        "gsu/card.md",
        lines=[_line(name, info) for name, info in infos.items()],
        joint=JOINT in infos,
        joined_names=MAIN_CONFIGS,
        example=_example(single),
        statistics=[
            _statistics(name, published.rows[name]["train"])
            for name in infos
            if "train" in published.rows.get(name, ())
        ],
        simulators={CONFIGS[name].simulator.name: CONFIGS[name].simulator.version for name in single},
        signature=GSU.scorer.signature(),
        data_version=GSU_DATA_VERSION,
        question_version=QUESTION_VERSION,
        prompt_version=PROMPT_VERSION,
        citation=GSU.dataset.info(loaded).citation.strip(),
    )


def _line(name: str, info: datasets.DatasetInfo) -> dict[str, Any]:
    """Return a config in the table of all."""
    sizes = {split.name: split.num_examples for split in info.splits.values()}
    test = sum(size for split, size in sizes.items() if split.startswith("test"))
    asked = "those of Table 1 together" if name == JOINT else _asked(CONFIGS[name])
    return {
        "name": name, "asked": asked, "main": name in MAIN_CONFIGS or name == JOINT,
        "train": sizes.get("train", 0), "validation": sizes.get("validation", 0), "test": test,
    }  # fmt: skip


def _asked(config: GsuConfig) -> str:
    """Return what a config asks, in a few words."""
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
    """Return a short train row of the first of these configs."""
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
