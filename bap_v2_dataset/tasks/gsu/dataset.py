"""The rows of Grid Spatial Understanding: columns, splits, what they depend on, and any number of them."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import datasets
import orjson

from bap_v2_dataset.generation.single_items import Source
from bap_v2_dataset.generation.workers import GenerationError
from bap_v2_dataset.items.rows import hashed
from bap_v2_dataset.loading.shards import MixedShard, joint_shards, runs
from bap_v2_dataset.tasks.gsu.prompts import PROMPT_VERSION
from bap_v2_dataset.tasks.gsu.rows import GSU_DATA_VERSION, row_of
from bap_v2_dataset.tasks.gsu.task import GSU, JOINT, MAIN_CONFIGS
from bap_v2_simulators.gsu.configs import CONFIGS, SIZES, GsuConfig, config_of
from bap_v2_simulators.settings import settings_of

if TYPE_CHECKING:
    from bap_v2_dataset.loading.config import BapV2Config

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
_CITATION = """\
@article{sidhu2026gsu,
  title = {Grid Spatial Understanding: A Dataset for Textual Spatial Reasoning over Grids, Embodied Settings, and
           Coordinate Structures},
  author = {Sidhu, Risham and Hockenmaier, Julia},
  journal = {arXiv preprint arXiv:2603.17333},
  year = {2026}
}"""


class GsuShard(NamedTuple):
    """A run of items that are made when their rows are needed."""

    config: str
    split: str
    seed: int
    first: int  # index
    end: int

    def rows(self) -> Iterator[dict[str, Any]]:
        config = CONFIGS[self.config]
        return (row_of(config, self.split, index, self.seed) for index in range(self.first, self.end))


def description(config: str) -> str:
    """One line about a config."""
    if config == JOINT:
        return "GSU: the eight configs of Table 1 joined and shuffled, and a test split for each."
    of = CONFIGS[config]
    return f"GSU, {of.frame}, {of.dims}D: {_TASKS[of.task]}"


def info(config: str) -> datasets.DatasetInfo:
    """The columns of a config, which all have the same."""
    return datasets.DatasetInfo(
        description="Grid Spatial Understanding (GSU): walks, blocks around a viewer and structures of boxes.",
        features=GSU_FEATURES,
        citation=_CITATION,
    )


def shards(
    config: "BapV2Config", rows_of: Callable[[str], Mapping[str, datasets.Dataset]]
) -> dict[str, Sequence[GsuShard | MixedShard]]:
    """The shards of each split of a config, in the order of the rows.

    Args:
        rows_of: gives the splits of another config.
    """
    if config.name == JOINT:
        return joint_shards({name: rows_of(name) for name in MAIN_CONFIGS})
    return {
        split: [GsuShard(config.name, split, config.seed, first, end) for first, end in runs(size)]
        for split, size in SIZES.items()
    }


def depends_on(config: str, mdc: str | None = None, labels: str | None = None) -> list[str]:
    """What the rows of a config depend on: the versions of their parts.

    Also a digest of some rows: a change whose author forgot to raise the version is not served from the cache.
    """
    if config == JOINT:
        return [config, *(hashed(depends_on(name)) for name in MAIN_CONFIGS)]
    rows = [row_of(CONFIGS[config], split, index) for split in SIZES for index in range(2)]
    version = CONFIGS[config].simulator.version
    return [config, GSU_DATA_VERSION, PROMPT_VERSION, version, hashlib.sha256(orjson.dumps(rows)).hexdigest()]


def labels_of(rows: Sequence[Mapping], config: str) -> str:
    """Whose labels were used; shown with every score.

    Args:
        config: or the name of own data.
    """
    return "none needed (synthetic)" if config in GSU.configs else "none (own data)"


def source(config: str, settings: Mapping[str, str]) -> Source:
    """The items of a config with settings of its simulator other than the published ones.

    Args:
        settings: by name, as text: {"most_steps": "8"}.
    Raises:
        GenerationError: for a config that joins others.
        bap_v2_simulators.settings.SettingsError: for an unknown config, and for settings that are not valid.
    """
    if parts := GSU.configs[config].made_of:
        raise GenerationError(f"{config} joins other configs: generate the items of {' or '.join(parts)}")
    chosen = config_of(config, settings)
    facts = {
        "config": config,
        "simulator": chosen.simulator.name,
        "version": chosen.simulator.version,
        "settings": settings_of(chosen.simulator),
        "data_version": GSU_DATA_VERSION,
        "prompt_version": PROMPT_VERSION,
    }
    return Source(facts, facts["settings"], partial(_rows, chosen), "bap_v2_dataset.tasks.gsu.dataset:GSU_FEATURES")


def _rows(config: GsuConfig, split: str, seed: int, indices: range) -> list[dict[str, Any]]:
    return [row_of(config, split, index, seed) for index in indices]
