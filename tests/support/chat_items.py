"""Fabricated items for shots: train has variants of games and few targets, test others."""

import random
from pathlib import Path

from datasets import Dataset, DatasetDict

from bap_v2_dataset.items.prompts import render
from bap_v2_dataset.items.versions import ROW_REPRESENTATIONS

WORDS = ["tower", "row", "left", "right", "red", "blue", "green", "behind", "top", "three", "two", "again"]


def made_up(number: int, split: str, n_targets: int = 6) -> dict:
    """An item; every second game of train is a variant of the game before it."""
    rng = random.Random(f"{split}/{number}")
    target = number % n_targets if split == "train" else n_targets + number % 3
    game = f"{split}-{number // 4}"
    metadata = {"source": "human", "target_id": f"C{target}"}
    if split == "train" and number // 4 % 2:
        game = f"train-{number // 4 - 1}-aug1"
        metadata["augmentation"] = {"variant": 1, "of": f"train-{number // 4 - 1}"}
    height = rng.randint(1, 3)
    x, z = rng.randint(-5, 5), rng.randint(-5, 5)
    actions = [f"place red {x} {y} {z}" for y in range(1, height + 1)] + ["pick 5 1 5"] * (number % 3 == 0)
    row = {
        "id": f"{game}/{number % 4}",
        "game_id": game,
        "history": [f"<Builder> {rng.choice(WORDS)}" for _ in range(rng.randint(0, 12))],
        "dialogue": ["<Architect> " + " ".join(rng.choices(WORDS, k=rng.randint(1, 9)))] * (number % 7 > 0),
        "pose": {"x": 0.5, "y": 1.0, "z": -3.0, "yaw": 0.0, "pitch": 20.0},
        "before": [] if number % 2 else ["blue 5 1 5"],
        "target": [f"red {x % 3} {y} 0" for y in range(1, 2 + target)],
        "actions": actions,
        "completion": "\n".join(actions),
        "metadata": metadata,
    }
    return row | {f"prompt_{name}": render(row, name) for name in ROW_REPRESENTATIONS}


TRAIN, TEST = [made_up(number, "train") for number in range(96)], [made_up(number, "test") for number in range(24)]


def save_items(folder: Path) -> None:
    """The items as users would bring their own."""
    DatasetDict(train=Dataset.from_list(TRAIN), test=Dataset.from_list(TEST)).save_to_disk(folder)


def no_leak(row: dict, shots: list[dict]) -> None:
    def game(one: dict) -> str:
        return (one["metadata"].get("augmentation") or {}).get("of") or one["game_id"]

    assert len({(game(one), one["id"].rpartition("/")[2]) for one in shots}) == len(shots)
    for one in shots:
        assert bool(one["before"]) == bool(row["before"])
        assert game(one) != game(row)
        assert one["metadata"].get("target_id", "none") != row["metadata"].get("target_id", "")
