"""The rows of Architect generation, which are made of the items of Builder Action Prediction, split by split."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import datasets

from bap_v2_dataset.items.rows import hashed
from bap_v2_dataset.loading.shards import MixedShard, rows_shards
from bap_v2_dataset.tasks.architect.prompts import PROMPT_VERSION
from bap_v2_dataset.tasks.architect.rows import ARCHITECT_DATA_VERSION, architect_row
from bap_v2_dataset.tasks.architect.task import BASE_OF
from bap_v2_dataset.tasks.building import dataset as bap

if TYPE_CHECKING:
    from bap_v2_dataset.loading.config import BapV2Config


_TEXT = datasets.Value("string")
_TEXTS = datasets.List(_TEXT)
ARCHITECT_FEATURES = datasets.Features(
    {
        "id": _TEXT,
        "game_id": _TEXT,
        "history": _TEXTS,  # all that was said and done before the utterances
        "pose": {name: datasets.Value("float64") for name in ("x", "y", "z", "yaw", "pitch")},
        "before": _TEXTS,
        "target": _TEXTS,
        "utterances": _TEXTS,  # what the Architect said: the gold answer
        "after": _TEXTS,
        "actions": _TEXTS,  # what the Builder then did
        "interpretations": _TEXT,
        "prompt": _TEXT,
        "completion": _TEXT,
        "metadata": datasets.Json(),
    }
)


class ArchitectShard(NamedTuple):
    """The rows that are made of a run of items."""

    items: MixedShard
    config: str
    split: str

    def rows(self) -> Iterator[dict[str, Any]]:
        rows = (architect_row(item, self.config, self.split) for item in self.items.rows())
        return (row for row in rows if row is not None)


def description(config: str) -> str:
    """One line about a config."""
    return f"Architect generation: what the Architect says next, in the games of {BASE_OF[config]}."


def info(config: str) -> datasets.DatasetInfo:
    """The columns of a config, which all have the same, and whose data they are."""
    base = bap.info(BASE_OF[config])
    return datasets.DatasetInfo(
        description="Architect generation: target, board and dialogue are known; what does the Architect say next?",
        features=ARCHITECT_FEATURES,
        license=base.license,
        citation=base.citation,
    )


def shards(
    config: "BapV2Config", rows_of: Callable[[str], Mapping[str, datasets.Dataset]]
) -> dict[str, Sequence[ArchitectShard]]:
    """The shards of each split, in the order of the items.

    Args:
        rows_of: gives the splits of another config, made from the same corpus.
    """
    return {
        split: [ArchitectShard(shard, config.name, split) for shard in rows_shards(items)]
        for split, items in rows_of(BASE_OF[config.name]).items()
    }


def depends_on(config: str, mdc: str | None = None, labels: str | None = None) -> list[str]:
    """What the rows of a config depend on: the items, and how rows and prompts are made of them."""
    base = BASE_OF[config]
    return [config, hashed(bap.depends_on(base, mdc, labels)), ARCHITECT_DATA_VERSION, PROMPT_VERSION]


def labels_of(rows: Sequence[Mapping], config: str) -> str:
    """Whose labels were used; shown with every score."""
    return "none: every moment counts at which the Architect speaks and the Builder then acts"
