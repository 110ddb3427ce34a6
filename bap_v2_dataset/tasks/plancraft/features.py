"""The columns of the rows of Plancraft and their types."""

import datasets

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
