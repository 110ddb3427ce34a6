"""Which train items are the shots of an item: the most similar ones, of other games and other targets.

An item on an empty board gets shots on an empty board, one on a non-empty board the others. Never shown are items of
the same game (nor of a variant of it), items toward the same target (also turned, moved or recolored), and two
variants of one item.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any

import numpy as np

from bap_v2_dataset.items.rows import WORD, noted
from bap_v2_metric.errors import UserError
from bap_v2_metric.notation import parse_block
from bap_v2_simulators.targets import distances_from_axis

COLUMNS = ("id", "game_id", "history", "dialogue", "before", "target", "metadata")  # that rows must have
_HISTORY_WITHOUT_DIALOGUE = 3  # entries
_K1, _B = 1.5, 0.75  # of BM25, as usual


def compared_text(row: Mapping[str, Any]) -> str:
    """Return what items are compared by: the utterances since the last action, or else the newest history."""
    return "\n".join(row["dialogue"] or row["history"][-_HISTORY_WITHOUT_DIALOGUE:])


class RetrievalError(UserError):
    """Shots that cannot be retrieved; the message says what to change."""


class Pool:
    """Train rows that shots are drawn from, ready to be searched.

    Args:
        rows: with COLUMNS.
    """

    def __init__(self, rows: Sequence[Mapping[str, Any]]):
        self.rows = rows
        self._empty = np.array([not row["before"] for row in rows], dtype=bool)
        self._games, self._targets, self._items = (
            [name(row) for row in rows] for name in (_game, target_digest, _item)
        )

    def nearest(self, row: Mapping[str, Any], shots: int, similarity: np.ndarray) -> list[int]:
        """Return the positions of up to `shots` rows, the most similar last: nearest to the question.

        Args:
            row: with COLUMNS.
            similarity: array [rows]; of equal ones the first wins.
        """
        bucket = np.flatnonzero(self._empty == (not row["before"]))
        game, target = _game(row), target_digest(row)
        chosen: dict[str, int] = {}
        for position in bucket[np.argsort(-similarity[bucket], kind="stable")].tolist():
            if len(chosen) == shots:
                break
            if self._games[position] != game and (target is None or self._targets[position] != target):
                chosen.setdefault(self._items[position], position)
        return list(chosen.values())[::-1]

    def with_similar_words(self, row: Mapping[str, Any], shots: int) -> list[Mapping[str, Any]]:
        """Up to `shots` rows by BM25 of their words, the most similar last.

        Args:
            row: with `history`, `dialogue` and `before`; without the other COLUMNS no row is left out for them.
        Raises:
            RetrievalError: without bm25s.
        """
        similarity = self._words.similarity(compared_text(row))
        return [self.rows[position] for position in self.nearest(row, shots, similarity)]

    @cached_property
    def _words(self) -> "WordIndex":
        return WordIndex([compared_text(row) for row in self.rows])


def retrieved(
    rows: Sequence[Mapping[str, Any]], pool: Sequence[Mapping[str, Any]], shots: int, similarities: Iterable[np.ndarray]
) -> Iterator[list[int]]:
    """For each row the positions in the pool of up to `shots` rows: see `Pool.nearest`.

    Args:
        rows, pool: with COLUMNS.
        similarities: for each row one array [len(pool)]; of equal ones the first in the pool wins.
    """
    searched = Pool(pool)
    for row, similarity in zip(rows, similarities, strict=True):
        yield searched.nearest(row, shots, similarity)


class WordIndex:
    """BM25 of texts. Raises: RetrievalError without bm25s."""

    def __init__(self, texts: Sequence[str]):
        try:
            from bm25s import BM25
        except ImportError as error:
            raise RetrievalError('similar words are found with bm25s: pip install "bap-v2[icl]"') from error

        words = [WORD.findall(text.lower()) for text in texts]
        self._size = len(words)
        self._index = None
        if any(words):
            self._index = BM25(k1=_K1, b=_B, method="lucene", dtype="float64")
            self._index.index(words, show_progress=False)

    def similarity(self, text: str) -> np.ndarray:
        """Of each text of the index to this one: array [texts]."""
        if self._index is None:
            return np.zeros(self._size)
        known = [word for word in WORD.findall(text.lower()) if word in self._index.vocab_dict]
        # bm25s omits the constant factor
        return (_K1 + 1) * self._index.get_scores(known) if known else np.zeros(self._size)


def by_words(texts: Sequence[str], pool_texts: Sequence[str]) -> Iterator[np.ndarray]:
    """BM25 of every pool text for each text."""
    index = WordIndex(pool_texts)
    yield from map(index.similarity, texts)


def by_vectors(vectors: np.ndarray, pool_vectors: np.ndarray) -> Iterator[np.ndarray]:
    """Cosine of every pool vector for each vector; arrays [items, dimensions]."""
    unit, pool_unit = (
        values / np.maximum(np.linalg.norm(values, axis=1, keepdims=True), 1e-12) for values in (vectors, pool_vectors)
    )
    yield from (pool_unit @ vector for vector in unit)


def at_random(ids: Iterable[str], pool_size: int, seed: int) -> Iterator[np.ndarray]:
    """Random numbers: the same for the same id and seed."""
    for row_id in ids:
        # "exemplars" only names the stream of random numbers; with another name, other shots would be drawn.
        rng = random.Random(f"exemplars/{seed}/{row_id}")
        yield np.array([rng.random() for _ in range(pool_size)])


def _augmentation_of(row: Mapping[str, Any]) -> Mapping[str, Any]:
    return noted(row, "augmentation")


def _game(row: Mapping[str, Any]) -> str | None:
    """Return the game, or for a variant the game it is one of; None if the row does not name it."""
    return _augmentation_of(row).get("of") or row.get("game_id")


def _item(row: Mapping[str, Any]) -> str:
    """Return the item, the same for its variants."""
    return f"{_game(row)}/{row['id'].rpartition('/')[2]}"


def target_digest(row: Mapping[str, Any]) -> str | None:
    """Return a digest of the target, the same however it is turned, moved or recolored; None if the row has no target.

    Each block is described by its height and its distance from the axis.
    """
    cells = [parse_block(block, anywhere=True).cell for block in row.get("target") or ()]
    if not cells:
        return None
    description = sorted((cell.y, distance) for cell, distance in zip(cells, distances_from_axis(cells), strict=True))
    return sha256(repr(description).encode()).hexdigest()
