"""Frozen word vectors from a text file, as the model of 2020 had them (GloVe 42B, 300 numbers a word)."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from bap_v2_training.errors import UsageError
from bap_v2_training.gru.model import BapGruModel
from bap_v2_training.gru.window import SPECIAL
from bap_v2_training.learning.vocabulary import PAD, UNKNOWN, Vocabulary

_FIRST = (PAD, UNKNOWN, *SPECIAL)


@dataclass(frozen=True)
class WordVectors:
    """The words that a file has vectors of, and these."""

    vocabulary: Vocabulary  # of the training items, without the words that the file lacks: those are <unk>
    matrix: np.ndarray  # float32 [words, size]; special tokens have random numbers between 0 and 1
    record: dict  # name and digest

    def put_into(self, model: BapGruModel) -> None:
        """Make these the model's word vectors, which are not trained."""
        model.words.weight.data.copy_(torch.from_numpy(self.matrix))
        model.words.weight.requires_grad = False


def read_vectors(path: str, vocabulary: Vocabulary) -> WordVectors:
    """Return the vectors that a file has for these words.

    Args:
        path: a text file with a word and its numbers in each line, separated by spaces.

    Raises:
        UsageError: there is no such file, it is not of this form, or it has none of the words.
    """
    # The vectors of words that are needed, all of one size
    vectors: dict[str, np.ndarray] = {}
    size = None
    try:
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                word, _, numbers = line.rstrip().partition(" ")
                if word in _FIRST or word not in vocabulary:
                    continue
                vector = np.array(numbers.split(), np.float32)
                size = size or len(vector)
                if len(vector) != size:
                    raise ValueError(f"line {number} has {len(vector)} numbers, lines before it have {size}")
                vectors[word] = vector
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{path} is not a file of word vectors, with a word and its numbers in each line: {error}"
        ) from error
    if not size:
        raise UsageError(f"{path} has no vector of any word of the training items")
    # Of special tokens, random numbers
    known = Vocabulary([*_FIRST, *(word for word in vocabulary.words if word in vectors)])
    special = np.random.default_rng(0).uniform(size=(len(_FIRST), size)).astype(np.float32)
    matrix = np.concatenate([special, np.stack([vectors[word] for word in known.words[len(_FIRST) :]])])
    record = {"name": Path(path).name, "sha256": hashlib.sha256(matrix.tobytes()).hexdigest()}
    return WordVectors(known, matrix, record)
