"""The columns of a GSU row and their types."""

import datasets

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
