"""Learned Builders with few random weights, in a folder as their training leaves them."""

from dataclasses import asdict
from pathlib import Path

import torch
from small_test_sets import SPLITS
from transformers import PreTrainedModel

from bap_v2_training.ensemble.builder import EnsembleSettings
from bap_v2_training.ensemble.member_predictions import feature_names
from bap_v2_training.gru.features import vocabulary_of
from bap_v2_training.gru.model import BapGruConfig, BapGruModel
from bap_v2_training.learning.vocabulary import Vocabulary
from bap_v2_training.pointer import features as pointer_features
from bap_v2_training.pointer.examples import example_of_row
from bap_v2_training.pointer.model import PointerConfig, PointerTransformer

ROWS = [row for name in ("dsb", "dss", "dr") for row in SPLITS[name, "test"]]


def _gru() -> tuple[PreTrainedModel, Vocabulary]:
    words = vocabulary_of(ROWS)
    model = BapGruModel(
        BapGruConfig(
            vocab_size=len(words), embedding=16, hidden=16, channels=[4, 4, 4], head=[8, 8], stop=[8, 8, 8],
            max_actions=4,
        )
    )  # fmt: skip
    return model, words


def _pointer() -> tuple[PreTrainedModel, Vocabulary]:
    settings = pointer_features.FeatureSettings()
    words = pointer_features.vocabulary_of([example_of_row(row) for row in ROWS])
    config = PointerConfig(
        vocab_size=len(words), hidden_size=32, attention_heads=2, encoder_layers=1, decoder_layers=1,
        intermediate_size=32, max_actions=4, features=asdict(settings),
    )  # fmt: skip
    return PointerTransformer(config), words


_MADE = {"bap_gru": _gru, "bap_pointer": _pointer}


def save_ensemble(folder: Path, seed: int = 3) -> Path:
    """A folder of an ensemble of both, with the rule `symbolic`, that trusts its members alike, the rule a little."""
    members = [save_builder(folder / f"member-{number}", kind, seed) for number, kind in enumerate(_MADE, 1)]
    names = [member.name for member in members]
    weights = [0.5] * len(names) + [1.0] + [0.0] * (len(feature_names(names, ["symbolic"])) - len(names) - 1)
    EnsembleSettings(names, ["symbolic"], [3, 4], 0.05, weights, [1.0] * len(names)).save(folder)
    return folder


def save_builder(folder: Path, model_type: str, seed: int = 3) -> Path:
    """The folder, with the weights of the model, larger than new ones so that answers differ, and its words."""
    if model_type == EnsembleSettings.model_type:
        return save_ensemble(folder, seed)
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        model, words = _MADE[model_type]()
        with torch.no_grad():
            for weight in model.parameters():
                weight.mul_(3)
    model.save_pretrained(folder)
    words.save(folder)
    return folder
