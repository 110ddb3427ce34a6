"""A learned Builder in miniature: its answers depend on its weights, on all that it is given, and on its options."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

import torch
from huggingface_hub import snapshot_download
from safetensors.torch import load_file, save_file

from bap_v2_metric.blocks import Color

WORDS = 50


class StandInBuilder:
    """Sums a row of weights for each word; the sums say how many blocks are placed, of which color and where."""

    def __init__(self, weights: torch.Tensor, max_actions: int, feasible_only: bool):
        self.weights, self.max_actions, self.feasible_only = weights, max_actions, feasible_only

    @classmethod
    def load(cls, model: str, dtype: str, max_actions: int | None, feasible_only: bool) -> Self:
        folder = Path(model) if Path(model).is_dir() else Path(snapshot_download(model))
        words = json.loads((folder / "vocabulary.json").read_text())
        assert len(words) == WORDS
        weights = load_file(folder / "model.safetensors")["weights"].to(getattr(torch, dtype))
        config = json.loads((folder / "config.json").read_text())
        return cls(weights, max_actions or config["max_actions"], feasible_only)

    def answers(self, rows: Sequence[Mapping]) -> list[tuple[str, bool]]:
        return [self._answer(row) for row in rows]

    def _answer(self, row: Mapping) -> tuple[str, bool]:
        assert set(row) == {"id", "history", "dialogue", "pose", "before"}, "the answer was given away"
        numbers = [len(word) for line in (*row["history"], *row["dialogue"]) for word in line.split()]
        numbers += [int(row["pose"]["yaw"]) % WORDS, len(row["before"]) % WORDS]
        number, color, x, z = (abs(int(1000 * value)) for value in self.weights[numbers].sum(0))
        colors = [color.value for color in Color]
        lowest = 1 if self.feasible_only else 2  # above the ground, a block hangs in the air
        lines = [
            f"place {colors[color % 6]} {x % 11 - 5} {lowest + height} {z % 11 - 5}" for height in range(number % 5)
        ]
        return "\n".join(lines[: self.max_actions]), len(lines) <= self.max_actions


def save_stand_in(folder: Path, model_type: str, seed: int = 0) -> Path:
    """A folder with such a model."""
    folder.mkdir(parents=True, exist_ok=True)
    generator = torch.Generator().manual_seed(seed)
    save_file({"weights": torch.randn(WORDS, 4, generator=generator)}, folder / "model.safetensors")
    (folder / "config.json").write_text(json.dumps({"model_type": model_type, "max_actions": 20}))
    (folder / "vocabulary.json").write_text(json.dumps([f"word{number}" for number in range(WORDS)]))
    return folder
