"""An ensemble: Builders that answer together. Each gives samples, rules give an answer, `member_predictions` weighs.

Its folder holds those of its members, `member-1`, `member-2` and so on, and `config.json`, which says how they are put
together. On an empty board, where cells say little, it answers with the sample that agrees best with all of them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Self

import numpy as np

from bap_v2_dataset.predictions.model_records import TRAINING_RUN
from bap_v2_dataset.tasks.building.baselines.by_name import BASELINES
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import parse_structure
from bap_v2_simulators.atomic_files import atomic_write
from bap_v2_training.decoding.bayes_risk import PROBABILITY_VERSION, Sampled, agreement, answered, probable, whole
from bap_v2_training.decoding.learned_builder import LearnedBuilder, builder_kind, load_builder
from bap_v2_training.decoding.resolved_model import resolve_model
from bap_v2_training.decoding.text_builder import TextBuilder, learned_of, settings_in
from bap_v2_training.decoding.trained_model import base_of, training_run
from bap_v2_training.ensemble.member_predictions import MemberPredictions, feature_names, probabilities
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.net_actions import Numbers, net_of, numbers_of_line
from bap_v2_training.tasks.table import texts_of

NO_RECORD = f"has no {TRAINING_RUN}, which says what it learned: did its training end?"  # behind the name of a model
RULES = ("symbolic",)  # those of the baselines that do not read the answer and say something sensible


@dataclass(frozen=True)
class EnsembleSettings:
    """The way in which an ensemble answers: its `config.json`.

    Args:
        members: names of their folders in that of the ensemble.
        rules: baselines of building that answer too, see RULES.
        samples: of each member, a number for each.
        min_probability: above which an action is in the answer. F1 is highest at half of the F1 that is reached.
        weights: of the features of `member_predictions.features_of`, in their order.
        trust: how much a sample of each member counts on an empty board.
        probability_version: what the weights are of.
        whole_answers: the answer is that of a rule, or a sample or its beginning, see `bayes_risk.whole`.
    """

    members: list[str]
    rules: list[str]
    samples: list[int]
    min_probability: float
    weights: list[float]
    trust: list[float]
    probability_version: int = PROBABILITY_VERSION
    whole_answers: bool = False
    model_type: str = "bap_ensemble"

    @classmethod
    def load(cls, folder: str) -> Self:
        """Return the settings of a folder. Raises: UsageError: it is not that of an ensemble."""
        # The file, with what older ones did not say
        path = Path(folder) / "config.json"
        try:
            values = {"probability_version": 1} | json.loads(path.read_bytes())
            settings = cls(**values)
            complete = len(settings.weights) == len(feature_names(settings.members, settings.rules))
        except (OSError, ValueError, TypeError) as error:
            raise UsageError(f"{path} is not the config of an ensemble: {error}") from error
        # Its weights belong to these members, and to how probabilities are counted now
        lengths = {len(settings.members), len(settings.samples), len(settings.trust)}
        if not complete or len(lengths) > 1 or settings.model_type != cls.model_type:
            raise UsageError(f"{path} is not the config of an ensemble: its weights are not those of its members")
        if settings.probability_version != PROBABILITY_VERSION:
            raise UsageError(
                f"{path} is of an older version, which counted samples: make the ensemble again with `bap-v2 ensemble` "
                "and the members in its folder"
            )
        check_rules(settings.rules)
        return settings

    def save(self, folder: Path) -> None:
        """Writes `config.json`."""
        atomic_write(folder / "config.json", (json.dumps(asdict(self), indent=2) + "\n").encode())


def check_rules(names: Sequence[str]) -> None:
    """Raises: UsageError: one of them is no rule that an ensemble may ask."""
    if unknown := [name for name in names if name not in RULES]:
        raise UsageError(f"there is no rule {unknown[0]!r} for an ensemble (expected {', '.join(RULES)})")


def check_member(folder: str, name: str) -> None:
    """Raises: UsageError: the model in this folder cannot be a member. Args: name: what an error calls it."""
    kind = builder_kind(folder)
    if kind is None:
        if Path(folder, "config.json").is_file() and not training_run(folder):
            raise UsageError(f"{name} {NO_RECORD}")
        learned_of(folder, name)
        if base_of(folder) is not None:
            raise UsageError(f"{name} is an adapter: merge it first (bap-v2 merge {name} MERGED)")
    elif kind.members:
        raise UsageError(f"{name} is {kind.with_article} itself: name its members")
    elif not kind.samples:
        raise UsageError(f"{name} is {kind.with_article}, which gives no samples to weigh")


def prompt_version(member: str) -> dict[str, str]:
    """Return what the samples of a member depend on besides its weights: of a language model, `prompt_version`."""
    return {} if builder_kind(member) else {"prompt_version": texts_of(settings_in(member, samples=2)).version}


def prompt_versions(folder: str) -> dict[str, str]:
    """Return the versions of the prompts of an ensemble's language models, by the folder of each."""
    found = {name: prompt_version(str(Path(folder, name))) for name in EnsembleSettings.load(folder).members}
    return {name: of["prompt_version"] for name, of in found.items() if of}


def load_member(
    folder: str, dtype: str, max_actions: int | None = None, **sampling: Any
) -> LearnedBuilder | TextBuilder:
    """Return the Builder in a folder, with `samples` and the other fields of `bayes_risk.Sampling`.

    Args:
        dtype: in which most is computed; max_actions: see `LearnedBuilder.load`.
    """
    if builder_kind(folder) is None:
        return TextBuilder.load(folder, dtype, max_actions, **sampling)
    return load_builder(folder, dtype, max_actions, **sampling)


class EnsembleBuilder:
    """A Builder of several Builders."""

    def __init__(self, members: Sequence[LearnedBuilder | TextBuilder], settings: EnsembleSettings):
        self.members, self.settings = members, settings
        self._weights = np.array(settings.weights)

    @classmethod
    def load(
        cls, model: str, dtype: str = "float32", max_actions: int | None = None, feasible_only: bool = False,
        samples: int = 0, min_probability: float | None = None, whole_answers: bool = False, **sampling: Any,
    ) -> Self:  # fmt: skip
        """Load the ensemble in a folder or of a name on the Hub; arguments of `LearnedBuilder.load`.

        Args:
            samples: of each member; 0: as many as in its `config.json`.
            min_probability, whole_answers: None, and False: as in its `config.json`.
        Raises:
            UsageError: it is not an ensemble, or one of its members is not here.
        """
        folder = resolve_model(model).folder
        settings = EnsembleSettings.load(folder)
        if min_probability is not None:
            settings = replace(settings, min_probability=min_probability)
        settings = replace(settings, whole_answers=whole_answers or settings.whole_answers)
        members = []
        for name, own in zip(settings.members, settings.samples, strict=True):
            member = str(Path(folder, name))
            check_member(member, member)
            members.append(load_member(member, dtype, max_actions, samples=samples if samples > 1 else own, **sampling))
        return cls(members, settings)

    def answers(self, rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, bool]]:
        """The answer to each row, one action per line, and whether most samples ended; the rows are one batch."""
        boards = [parse_structure(row["before"]) for row in rows]
        return [answered(None, board, found) for board, found in zip(boards, self.candidates(rows), strict=True)]

    def candidates(self, rows: Sequence[Mapping[str, Any]]) -> list[Sampled]:
        """Return what is answered to each row, the samples of all members, and how probable net actions are."""
        boards = [parse_structure(row["before"]) for row in rows]
        by_member = [member.candidates(rows) for member in self.members]
        by_rules = rule_answers(self.settings.rules, rows, boards)
        found = []
        for board, rules, of_item in zip(boards, by_rules, zip(*by_member), strict=True):
            samples = [sample for of_member in of_item for sample in of_member.samples]
            predictions = member_predictions_of(board, of_item, rules)
            numbers = answer_of(predictions, board, self.settings, self._weights)
            ended = 2 * sum(end for _, end in samples) > len(samples)
            found.append(Sampled((numbers, ended), samples, probabilities(predictions, self._weights)))
        return found


def member_predictions_of(board: Structure, candidates: Sequence[Sampled], by_rules: Sequence) -> MemberPredictions:
    """Return the predictions on an item. Args: candidates: of each member. by_rules: the answer of each rule."""
    samples = [[net_of(board, numbers) for numbers, _ in of_member.samples] for of_member in candidates]
    return MemberPredictions(samples, [of_member.probability for of_member in candidates], by_rules)


def rule_answers(rules: Sequence[str], rows: Sequence[Mapping[str, Any]], boards: Sequence[Structure]) -> list[list]:
    """Return the net actions that each rule answers to each row."""
    return [
        [net_of(board, map(numbers_of_line, BASELINES[rule](row).splitlines())) for rule in rules]
        for row, board in zip(rows, boards, strict=True)
    ]


def answer_of(
    member_predictions: MemberPredictions, board: Structure, settings: EnsembleSettings, weights: np.ndarray
) -> Sequence[Numbers]:
    """Return the net actions that are answered."""
    if len(board):
        probability = probabilities(member_predictions, weights)
        if not settings.whole_answers:
            return probable(probability, settings.min_probability)
        answers = chain(member_predictions.rule_predictions, *member_predictions.samples)
        return whole(answers, probability, settings.min_probability)
    return most_agreed(member_predictions, settings.trust)


def most_agreed(member_predictions: MemberPredictions, trust: Sequence[float]) -> Sequence:
    """Of all samples on an empty board, the one whose mean F1 with the others is highest, wherever they are built.

    Args:
        trust: the weight of a sample of each member; the answer of a rule weighs as much as half of all samples of a
            member with the weight 1.
    """
    weight: dict[frozenset, float] = {}
    for of_member, one in zip(member_predictions.samples, trust, strict=True):
        for answer in of_member:
            weight[frozenset(answer)] = weight.get(frozenset(answer), 0.0) + one / len(of_member)
    for answer in filter(None, member_predictions.rule_predictions):
        weight[frozenset(answer)] = weight.get(frozenset(answer), 0.0) + 0.5
    answers = list(weight)
    means = agreement(answers, empty_board=True) @ np.array([weight[answer] for answer in answers])
    return sorted(answers[int(means.round(9).argmax())])
