"""How well a classifier tells simulated turns from people's, by their words or by what is built.

AUC of classifiers that are tested on games that they have not seen; .5: cannot be told apart. Beside it stand people
against people: the Architects in two halves, which differ in style.
"""

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from comparison.turns import SHAPES, Turn, middle

_FOLDS = 5
_SPLITS = 3  # of the Architects in two halves
_PLAIN = re.compile(r"[^\w\s]+")


def whole_turns(turn: Turn) -> list[str]:
    """The Architect's lines of a turn as one text; none if it says nothing."""
    return [turn.said] if turn.said else []


def utterances(turn: Turn) -> list[str]:
    """Each of the Architect's lines."""
    return list(turn.architect)


def plain_utterances(turn: Turn) -> list[str]:
    """Each of the Architect's lines in lower case, without punctuation."""
    return [_PLAIN.sub(" ", line.lower()) for line in turn.architect]


TEXTS: dict[str, Callable[[Turn], list[str]]] = {
    "turns": whole_turns,
    "utterances": utterances,
    "utterances, lower case, no marks": plain_utterances,
}


def auc_of_texts(people: Sequence[Turn], others: Sequence[Turn], texts: Callable[[Turn], list[str]]) -> float:
    """By logistic regression over n-grams of 2 to 5 characters within words."""
    lines = [(text, turn.game) for turns in (people, others) for turn in turns for text in texts(turn)]
    said, games = zip(*lines, strict=True)
    labels = np.arange(len(lines)) >= sum(len(texts(turn)) for turn in people)
    return float(roc_auc_score(labels, scores_of_texts(said, labels, games)))


def scores_of_texts(said: Sequence[str], labels: Sequence[int], games: Sequence[str]) -> np.ndarray:
    """What the classifier gives each text when it has not seen the game: near 1 for the second corpus."""
    return _scores(text_model(), ngrams().fit_transform(said), labels, games)


def ngrams() -> TfidfVectorizer:
    """The n-grams of characters, weighted."""
    return TfidfVectorizer(
        analyzer="char_wb", ngram_range=(2, 5), min_df=2, sublinear_tf=True, lowercase=False, dtype=np.float32
    )


def text_model() -> LogisticRegression:
    """The classifier of texts."""
    return LogisticRegression(C=10.0, class_weight="balanced", solver="liblinear", random_state=0)


def auc_of_actions(people: Sequence[Turn], others: Sequence[Turn], board: bool = False) -> float:
    """By boosted trees over `ACTION_FEATURES`, and `BOARD_FEATURES` if the board counts too."""
    values = np.array([action_features(turn) for turns in (people, others) for turn in turns])
    labels = [0] * len(people) + [1] * len(others)
    if not board:
        values = values[:, : len(ACTION_FEATURES)]
    games = [turn.game for turns in (people, others) for turn in turns]
    return float(roc_auc_score(labels, _scores(_trees(), values, labels, games)))


def among_people(people: Sequence[Turn], auc: Callable[[Sequence[Turn], Sequence[Turn]], float]) -> list[float]:
    """The AUC of one half of the Architects against the other, of some random splits."""
    architects = sorted({turn.architect_id for turn in people})
    areas = []
    for split in range(_SPLITS):
        half = set(Random(f"architects {split}").sample(architects, len(architects) // 2))
        parts = [[turn for turn in people if (turn.architect_id in half) == first] for first in (True, False)]
        areas.append(auc(*parts))
    return areas


def _trees() -> HistGradientBoostingClassifier:
    return HistGradientBoostingClassifier(max_iter=150, learning_rate=0.08, class_weight="balanced", random_state=0)


def _scores(model: Any, values: Any, labels: Sequence[int], games: Sequence[str]) -> np.ndarray:
    labels = np.array(labels)
    scores = np.zeros(len(labels))
    for train, test in GroupKFold(_FOLDS, shuffle=True, random_state=0).split(values, labels, games):
        model.fit(values[train], labels[train])
        scores[test] = model.predict_proba(values[test])[:, 1]
    return scores


ACTION_FEATURES = (
    "net actions", "removals", "colors placed", "max |x|", "max |z|", "lowest", "highest", "blocks before",
    "separate spots", "distance to the last block", "shape", "first block from the middle", "width in x", "height",
    "width in z", "board's middle: |x|", "board's middle: |z|",
)  # fmt: skip
BOARD_FEATURES = (  # what stood there before, too
    "blocks of the turn before", "touches a face", "board's height", "removed of the turn before",
    "color of the turn before", "colors on the board",
)  # fmt: skip


def action_features(turn: Turn) -> list[float]:
    """What is built, as numbers: cells, blocks; `ACTION_FEATURES`, then `BOARD_FEATURES`."""
    changed = sorted({*turn.placed, *turn.removed})
    sizes = [max(values) - min(values) + 1 for values in zip(*changed, strict=True)] or [0, 0, 0]
    heights = [cell[1] for cell in changed] or [0]
    recent = turn.last_placed & turn.before.keys()
    gaps = [sum(abs(a - b) for a, b in zip(cell, old, strict=True)) for cell in turn.placed for old in recent]
    return [
        len(changed), len(turn.removed), len(set(turn.placed.values())),
        *(max((abs(cell[axis]) for cell in changed), default=0) for axis in (0, 2)),
        min(heights), max(heights), len(turn.before), turn.spots, min(gaps, default=-1), SHAPES.index(turn.shape),
        min((max(abs(x), abs(z)) for x, _, z in turn.placed), default=-1), *sizes, *map(abs, middle(turn.after)),
        len(turn.last_placed), turn.touching, max((cell[1] for cell in turn.after), default=0),
        len(turn.removed.keys() & turn.last_placed),
        not {turn.before[cell] for cell in recent}.isdisjoint(turn.placed.values()), len(set(turn.before.values())),
    ]  # fmt: skip
