"""The rows of Architect generation: columns, and what they depend on."""

from collections.abc import Mapping, Sequence

import datasets

from bap_v2_dataset.items.versions import hashed
from bap_v2_dataset.tasks.architect.task import BASE_OF
from bap_v2_dataset.tasks.architect.versions import ARCHITECT_DATA_VERSION, PROMPT_VERSION
from bap_v2_dataset.tasks.building import dataset as bap

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


def description(config: str) -> str:
    """Return one line about a config."""
    return f"Architect generation: what the Architect says next, in the games of {BASE_OF[config]}."


def info(config: str) -> datasets.DatasetInfo:
    """Return the columns of a config, which all have the same, and whose data they are."""
    base = bap.info(BASE_OF[config])
    return datasets.DatasetInfo(
        description="Architect generation: target, board and dialogue are known; what does the Architect say next?",
        features=ARCHITECT_FEATURES,
        license=base.license,
        citation=base.citation,
    )


def depends_on(config: str, mdc: str | None = None, labels: str | None = None) -> list[str]:
    """Name what the rows of a config depend on: the items, and how rows and prompts are made of them."""
    base = BASE_OF[config]
    return [config, hashed(bap.depends_on(base, mdc, labels)), ARCHITECT_DATA_VERSION, PROMPT_VERSION]


def labels_of(rows: Sequence[Mapping], config: str) -> str:
    """Say whose labels were used; shown with every score."""
    return "none: every moment counts at which the Architect speaks and the Builder then acts"
