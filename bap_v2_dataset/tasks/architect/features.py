"""The columns of an Architect row and their types."""

import datasets

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
