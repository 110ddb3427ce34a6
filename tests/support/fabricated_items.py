"""Fabricated items for tests of training, and the settings of the smallest model that can learn them."""

import random

from datasets import Dataset

from bap_v2_dataset.items.prompts import render
from bap_v2_dataset.items.versions import ROW_REPRESENTATIONS

TINY = {
    "vocab_size": 320,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "max_position_embeddings": 512,
}


def fabricated_rows(n_games: int, seed: str = "fabricated") -> Dataset:
    """Items of fabricated games, with the columns that training and scoring read; five to a game."""
    rows = []
    for game in range(n_games):
        rng = random.Random(f"{seed}/{game}")
        history, structure = [], {}
        for item in range(5):
            shape, place = rng.choice(["row", "tower", "step"]), rng.choice(["on the left", "on top", "behind it"])
            dialogue = [f"<Architect> {rng.choice(['now', 'next', 'please'])} a {shape} {place}"]
            if rng.random() < 0.5:
                dialogue.append(f"<Builder> {rng.choice(['here?', 'like this?', 'ok', 'how many?'])}")
            before = [f"{color} {x} {y} {z}" for (x, y, z), color in structure.items()]
            actions = []
            if structure and rng.random() < 0.4:
                cell = rng.choice(sorted(structure))
                del structure[cell]
                actions.append("pick {} {} {}".format(*cell))
            x, z, color = rng.randint(-5, 5), rng.randint(-5, 5), rng.choice(["red", "blue", "green", "yellow"])
            for y in range(1, 1 + rng.randint(1, 3)):
                if (x, y, z) not in structure:
                    structure[x, y, z] = color
                    actions.append(f"place {color} {x} {y} {z}")
            row = {
                "id": f"{seed}-{game}/{item}",
                "game_id": f"{seed}-{game}",
                "history": list(history),
                "dialogue": dialogue,
                "pose": {"x": rng.randint(-6, 6) + 0.5, "y": 1.0, "z": rng.randint(-6, 6) + 0.5,
                         "yaw": rng.randint(-1800, 1799) / 10, "pitch": rng.randint(-100, 800) / 10},
                "before": before,
                "after": [f"{color} {x} {y} {z}" for (x, y, z), color in structure.items()],
                "actions": actions,
                "target": [],
                "interpretations": "unique",
                "completion": "\n".join(actions),
            }  # fmt: skip
            rows.append(row | {f"prompt_{name}": render(row, name) for name in ROW_REPRESENTATIONS})
            history += dialogue + actions
    return Dataset.from_list(rows)
