"""The weights of an ensemble, from its members' samples on validation items, and what they are worth there."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from tqdm.auto import tqdm

from bap_v2_dataset.predictions.answer_files import earlier_answers
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import parse_structure
from bap_v2_training.decoding.bayes_risk import Candidate, Sampled, probable, text_of
from bap_v2_training.decoding.learned_builder import Situation
from bap_v2_training.decoding.output_file import batches
from bap_v2_training.ensemble.builder import (
    EnsembleSettings,
    answer_of,
    load_member,
    member_predictions_of,
    most_agreed,
    rule_answers,
)
from bap_v2_training.ensemble.member_predictions import MemberPredictions, features_of, fitted
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.net_actions import Numbers, net_of_row

FOLDS = 5


@dataclass(frozen=True)
class FitItem:
    """A validation item, and what is said of it."""

    row: Mapping[str, Any]
    board: Structure
    member_predictions: MemberPredictions
    gold: frozenset[Numbers]
    fold: int  # items of a game are in one

    @property
    def on_empty_board(self) -> bool:
        return not len(self.board)


def samples_of(
    member: str, situations: Sequence[Situation], path: Path, settings: Mapping[str, Any]
) -> dict[str, Sampled]:
    """Draw what a member would say to each item, by id; what a file of an earlier call holds is kept.

    Args:
        member: its folder.
        path: the file that grows.
        settings: what the samples depend on, `dtype`, `batch_size` and `samples` among them.
    """
    # Those of an earlier call
    of_file = {name: value for name, value in settings.items() if name != "batch_size"}
    earlier = earlier_answers(path, of_file, False, "remove it, or name another --out", column="sampled")
    found = {name: _read(values) for name, values in earlier.items()}
    # The others, written batch by batch
    missing = [situation for situation in situations if situation.id not in found]
    if missing:
        builder = load_member(member, settings["dtype"], samples=settings["samples"])
        with path.open("a", encoding="utf-8") as file, tqdm(total=len(missing), desc=path.stem, unit="item") as bar:
            for batch in batches(missing, settings["batch_size"]):
                answers = builder.candidates([situation.row for situation in batch])
                for situation, own in zip(batch, answers, strict=True):
                    found[situation.id] = own
                    values = [own.greedy, own.samples, [[*action, p] for action, p in own.probability.items()]]
                    file.write(json.dumps({"id": situation.id, "sampled": values}) + "\n")
                file.flush()
                bar.update(len(batch))
    return found


def _read(values: Sequence) -> Sampled:
    greedy, samples, probability = values

    def candidate(answer: Sequence) -> Candidate:
        numbers, ended = answer
        return [tuple(action) for action in numbers], ended

    return Sampled(candidate(greedy), list(map(candidate, samples)), {tuple(action): p for *action, p in probability})


def folds_of(names: Iterable[str]) -> dict[str, int]:
    """The fold of each item, by id: those of a game are in one. Raises: UsageError: they are of too few games."""
    games = {name: name.rpartition("/")[0] or name for name in names}
    fold = {game: number % FOLDS for number, game in enumerate(sorted({*games.values()}))}
    if len(fold) < FOLDS:
        raise UsageError(f"the items of fit are of {len(fold)} games: too few to learn weights from")
    return {name: fold[game] for name, game in games.items()}


def trust_of(weights: np.ndarray) -> list[float]:
    """Return how much a sample of each member counts on an empty board: by its weight elsewhere, on average 1."""
    positive = np.maximum(weights, 0.0)
    if not positive.any():
        return [1.0] * len(weights)
    return (positive * len(weights) / positive.sum()).round(6).tolist()


def fit_items(
    rows: Sequence[Mapping[str, Any]],
    found: Sequence[Mapping[str, Sampled]],
    rules: Sequence[str],
    folds: Mapping[str, int],
) -> list[FitItem]:
    """Return the items of one test set.

    Args:
        found: of each member, what `samples_of` gives.
        folds: what `folds_of` gives.
    """
    boards = [parse_structure(row["before"]) for row in rows]
    by_rules = rule_answers(rules, rows, boards)
    return [
        FitItem(
            row,
            board,
            member_predictions_of(board, [of_member[row["id"]] for of_member in found], of_rules),
            frozenset(net_of_row(row)),
            folds[row["id"]],
        )
        for row, board, of_rules in zip(rows, boards, by_rules, strict=True)
    ]


class Fit:
    """Weights of all items, and of all but a fold, by which that fold is answered."""

    def __init__(self, items: Sequence[FitItem]):
        """Weights by logistic regression.

        Args:
            items: of all test sets together; those on an empty board teach nothing.
        Raises:
            UsageError: they are of too few games.
        """
        if len({item.fold for item in items if not item.on_empty_board}) < 2:
            raise UsageError(
                "the items of fit begin on an empty board nearly always: no weights can be learned from them"
            )
        features, right, folds = [], [], []
        for item in items:
            if not item.on_empty_board:
                actions, of_item = features_of(item.member_predictions)
                features.append(of_item)
                right += [action in item.gold for action in actions]
                folds += [item.fold] * len(actions)
        inputs, labels, fold = np.concatenate(features), np.array(right), np.array(folds)
        self.weights = fitted(inputs, labels)
        self.without = [fitted(inputs[fold != one], labels[fold != one]) for one in range(FOLDS)]

    def answers(self, items: Sequence[FitItem], settings: EnsembleSettings) -> list[str]:
        """Return the answers of the ensemble to items, each by weights that did not see its game."""
        members = len(settings.members)
        answers = []
        for item in items:
            weights = self.without[item.fold]
            own = replace(settings, trust=trust_of(weights[:members]))
            answers.append(text_of(item.board, answer_of(item.member_predictions, item.board, own, weights)))
        return answers


def answers_of_member(items: Sequence[FitItem], member: int, min_probability: float) -> list[str]:
    """Return what a member answers alone, with as many samples."""
    answers = []
    for item in items:
        if item.on_empty_board:
            chosen = most_agreed(MemberPredictions([item.member_predictions.samples[member]], [{}], []), [1.0])
        else:
            chosen = probable(item.member_predictions.probability[member], min_probability)
        answers.append(text_of(item.board, chosen))
    return answers


def answers_of_rule(items: Sequence[FitItem], rule: int) -> list[str]:
    """Return what a rule answers alone."""
    return [text_of(item.board, item.member_predictions.rule_predictions[rule]) for item in items]
