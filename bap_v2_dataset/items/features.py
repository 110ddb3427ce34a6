"""The columns of a dataset row and their types."""

import datasets

from bap_v2_dataset.items.versions import ROW_REPRESENTATIONS

_TEXTS = datasets.List(datasets.Value("string"))
FEATURES = datasets.Features(
    {
        "id": datasets.Value("string"),
        "game_id": datasets.Value("string"),
        "history": _TEXTS,
        "dialogue": _TEXTS,
        "pose": {name: datasets.Value("float64") for name in ("x", "y", "z", "yaw", "pitch")},
        "before": _TEXTS,
        "after": _TEXTS,
        "actions": _TEXTS,
        "target": _TEXTS,
        "interpretations": datasets.Value("string"),
        **{f"prompt_{representation}": datasets.Value("string") for representation in ROW_REPRESENTATIONS},
        "completion": datasets.Value("string"),
        "metadata": datasets.Json(),
    }
)
