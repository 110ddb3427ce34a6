"""What gives simulated turns away, and what gives people's: words, n-grams of characters, and what is built."""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import log, sqrt
from textwrap import wrap

import numpy as np
from sklearn.metrics import roc_auc_score

from comparison.telling_apart import (
    ACTION_FEATURES,
    BOARD_FEATURES,
    action_features,
    ngrams,
    scores_of_texts,
    text_model,
)
from comparison.turns import Turn

_SHOWN = 40


def given_away(people: Sequence[Turn], others: Sequence[Turn]) -> Iterator[str]:
    """The lines of `--features`."""
    yield "Words, up to three in a row, by the turns in 1,000 that have them: simulated / people"
    for title, texts in zip(("give simulated turns away:", "give people away:"), _words(people, others), strict=True):
        yield from (title, *wrap("; ".join(texts), 78, initial_indent="  ", subsequent_indent="  "))
    yield "Characters, by their weight in the classifier of turns (_: a space)"
    for title, texts in zip(
        ("give simulated turns away:", "give people away:"), _characters(people, others), strict=True
    ):
        yield from (title, *wrap("  ".join(texts), 78, initial_indent="  ", subsequent_indent="  "))
    yield f"{'Kinds of turns: AUC of their words against all people':56}{'AUC':>6}{'share':>12}"
    yield from _kinds(people, others)
    yield f"{'What is built: AUC of one number alone':50}{'AUC':>6}{'people':>12}{'simulated':>12}"
    yield from _actions(people, others)


def _words(people: Sequence[Turn], others: Sequence[Turn]) -> list[list[str]]:
    """The most telling of both sides: log odds of the turns that have them, over their standard error."""
    counts = [Counter(words for turn in turns for words in _runs(turn.said)) for turns in (others, people)]
    sizes = len(others), len(people)
    scores = {}
    for words in counts[0].keys() | counts[1].keys():
        (a, n), (b, m) = ((count[words] + 0.5, size + 1) for count, size in zip(counts, sizes, strict=True))
        scores[words] = log(a / (n - a) / (b / (m - b))) / sqrt(1 / a + 1 / b)
    ordered = sorted(scores, key=lambda words: (-scores[words], words))
    rates = [{words: 1000 * count[words] / size for words in scores} for count, size in zip(counts, sizes, strict=True)]
    return [
        [f"{words} {rates[0][words]:.0f}/{rates[1][words]:.0f}" for words in side]
        for side in (ordered[:_SHOWN], ordered[: -_SHOWN - 1 : -1])
    ]


def _runs(text: str) -> set[str]:
    """One to three words in a row, as they are typed, marks apart."""
    runs = set()
    for line in text.split("\n"):
        words = "".join(sign if sign.isalnum() or sign in "' " else f" {sign} " for sign in line).split()
        runs |= {" ".join(words[i : i + size]) for size in (1, 2, 3) for i in range(len(words) - size + 1)}
    return runs


def _characters(people: Sequence[Turn], others: Sequence[Turn]) -> list[list[str]]:
    """The n-grams with the greatest weight times difference of the means."""
    said = [(turn.said, label) for label, turns in enumerate((people, others)) for turn in turns if turn.said]
    labels = np.array([label for _, label in said])
    vectorizer = ngrams()
    vectors = vectorizer.fit_transform([text for text, _ in said])
    weights = text_model().fit(vectors, labels).coef_[0]
    means = [np.asarray(vectors[labels == label].mean(axis=0))[0] for label in (0, 1)]
    names = vectorizer.get_feature_names_out()
    order = np.argsort(-np.sign(weights) * np.abs(weights * (means[1] - means[0])), kind="stable")
    return [[names[place].replace(" ", "_") for place in side] for side in (order[:_SHOWN], order[: -_SHOWN - 1 : -1])]


def _kinds(people: Sequence[Turn], others: Sequence[Turn]) -> Iterator[str]:
    """The kinds that are told apart most first."""
    turns = [(turn, "people") for turn in people if turn.said]
    turns += [(turn, turn.kind or "any") for turn in others if turn.said]
    labels = [kind != "people" for _, kind in turns]
    scores = scores_of_texts([turn.said for turn, _ in turns], labels, [turn.game for turn, _ in turns])
    by_kind: dict[str, list[float]] = {}
    for (_, kind), score in zip(turns, scores, strict=True):
        by_kind.setdefault(kind, []).append(score)
    human = by_kind.pop("people")
    areas = {kind: roc_auc_score([0] * len(human) + [1] * len(found), human + found) for kind, found in by_kind.items()}
    for kind in sorted(areas, key=areas.__getitem__, reverse=True):
        yield f"  {kind:54}{areas[kind]:6.2f}{len(by_kind[kind]) / len(others):12.1%}"


def _actions(people: Sequence[Turn], others: Sequence[Turn]) -> Iterator[str]:
    values = np.array([action_features(turn) for turns in (people, others) for turn in turns], dtype=float)
    labels = np.array([0] * len(people) + [1] * len(others))
    areas = [roc_auc_score(labels, column) for column in values.T]
    names = (*ACTION_FEATURES, *BOARD_FEATURES)
    for place in sorted(range(len(names)), key=lambda place: -abs(areas[place] - 0.5)):
        means = [values[labels == label, place].mean() for label in (0, 1)]
        yield f"  {names[place]:48}{areas[place]:6.2f}{means[0]:12.2f}{means[1]:12.2f}"
