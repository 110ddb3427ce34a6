"""Rewards for reinforcement learning with TRL's GRPOTrainer: the metric itself, and what keeps answers well formed.

The metric's functions are reward functions of TRL, and can be named by their dotted paths in TRL's own script:
`trl grpo --reward_funcs bap_v2_training.learning.rewards.fairer_f1 bap_v2_training.learning.rewards.clean`.
They read the columns of our rows. F1 alone is not enough: net actions do not count lines that cannot be read or carried
out, so it can rise while answers get longer and stop ending. Use it with `clean`, and with `Ended` where the end token
is known.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from bap_v2_metric.scoring import Attempt, attempt_at
from bap_v2_training.errors import UsageError

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

ItemTexts = TrainingTask = Any  # of `tasks.training_task`, which stands above
Completion: TypeAlias = str | Sequence[Mapping]  # a text, or the messages of a chat
LogMetric: TypeAlias = Callable[[str, float], None]
Reward: TypeAlias = Callable[..., list[float]]

ENDED = "ended"


def fairer_f1(
    completions: Sequence[Completion], before: Sequence, after: Sequence, interpretations: Sequence[str] | None = None,
    log_metric: LogMetric | None = None, **_: Any,
) -> list[float]:  # fmt: skip
    """Return the fairer F1 of each item (BAP v2, 4.1), in 0..1; 1 if nothing was to be done and nothing was done.

    Args:
        completions: the answers; of a chat the last message counts.
        before, after, interpretations: the columns of the rows, one value for each answer.
        log_metric: TRL's; gets the micro F1 of the batch, which is what test sets are scored by.
    Raises:
        InputError: for a reference that cannot be read; the message names it.

    >>> fairer_f1(["place red 0 1 0", ""], before=[[], []], after=[["red 0 1 0"], ["red 0 1 0"]])
    [1.0, 0.0]
    """
    counts = _right_of(_attempts(completions, before, after, interpretations))
    if log_metric and counts:
        log_metric("micro_fairer_f1", _micro_f1(counts))
    return [2 * right / size if size else 1.0 for right, size in counts]


def micro_gain(
    completions: Sequence[Completion], before: Sequence, after: Sequence, interpretations: Sequence[str] | None = None,
    log_metric: LogMetric | None = None, **_: Any,
) -> list[float]:  # fmt: skip
    """Return the gain in micro fairer F1 of the batch, by which test sets are scored, through each answer; about -1..1.

    That F1 is 2 R / N: R right net actions, and N of answers and references together. An answer with r and n of them
    gets (2 r - F1 n) divided by the mean n of the batch. The sum over a batch is 0. Where F1 alone asks for the best
    answer to each item, this asks for every net action that is right with a probability above F1 / 2 (Lipton, Elkan
    and Naryanaswamy, 2014), and long items weigh more.

    >>> micro_gain(["place red 0 1 0", ""], before=[[], []], after=[["red 0 1 0"], ["red 0 1 0"]])
    [0.4444444444444445, -0.4444444444444444]
    """
    counts = _right_of(_attempts(completions, before, after, interpretations))
    f1, mean = _micro_f1(counts), sum(size for _, size in counts) / max(1, len(counts))
    if log_metric and counts:
        log_metric("micro_fairer_f1", f1)
    return [(2 * right - f1 * size) / mean if mean else 0.0 for right, size in counts]


def feasible(
    completions: Sequence[Completion], before: Sequence, after: Sequence, interpretations: Sequence[str] | None = None,
    **_: Any,
) -> list[float]:  # fmt: skip
    """Minus the share of actions that cannot be carried out, in -1..0; 0 for an answer without actions.

    >>> feasible(["place red 0 1 0\\nplace blue 0 1 0"], before=[[]], after=[["red 0 1 0"]])
    [-0.5]
    """
    attempts = _attempts(completions, before, after, interpretations)
    return [-attempt.n_infeasible / max(1, len(attempt.actions)) for attempt in attempts]


def well_formed(
    completions: Sequence[Completion], before: Sequence, after: Sequence, interpretations: Sequence[str] | None = None,
    **_: Any,
) -> list[float]:  # fmt: skip
    """Minus the share of unparsed lines, in -1..0; -1 for an answer without any text.

    >>> well_formed(["place red 0 1 0\\nsure", ""], before=[[], []], after=[["red 0 1 0"], []])
    [-0.5, -1.0]
    """
    attempts = _attempts(completions, before, after, interpretations)
    return [_malformed(attempt, text) for attempt, text in zip(attempts, map(text_of, completions))]


def clean(
    completions: Sequence[Completion], before: Sequence, after: Sequence, interpretations: Sequence[str] | None = None,
    **_: Any,
) -> list[float]:  # fmt: skip
    """Minus the share of unparsed lines and infeasible actions, in -1..0; -1 for an empty answer.

    >>> clean(["place red 0 1 0\\nplace blue 0 1 0\\nsure\\nok"], before=[[]], after=[["red 0 1 0"]])
    [-0.75]
    """
    rewards = []
    for attempt, text in zip(_attempts(completions, before, after, interpretations), map(text_of, completions)):
        lines = len(attempt.actions) + attempt.n_unparsed
        rewards.append(-(attempt.n_unparsed + attempt.n_infeasible) / lines if lines else _malformed(attempt, text))
    return rewards


def reward_weights(chosen: str | None, task: TrainingTask) -> dict[str, float]:
    """Return the names of rewards with their weights, as the setting `rewards` says; by default those of the task.

    Raises:
        UsageError: for a name that the task does not have, and for a weight that is not a number.
    """
    weights = {}
    names = [*task.rewards, ENDED]
    for part in (task.usual_rewards if chosen is None else chosen).split(","):
        name, _, weight = part.strip().partition("=")
        if name not in names or name in weights:
            raise UsageError(f"rewards: {part.strip()!r} (expected each of {', '.join(names)} once at most, as NAME=1)")
        try:
            weights[name] = float(weight or 1)
        except ValueError as error:
            raise UsageError(f"rewards: the weight of {name} is {weight!r} (expected a number)") from error
    return weights


def chosen_rewards(
    names: Sequence[str], task: TrainingTask, texts: ItemTexts, tokenizer: "PreTrainedTokenizerBase"
) -> list[Reward]:
    """The reward functions of these names, for TRL. Args: texts: how the model writes; predict.py reads them alike."""
    ends = [token for token in (tokenizer.eos_token_id,) if token is not None]
    return [Ended(ends) if name == ENDED else PredictionReward(task.rewards[name], texts) for name in names]


class PredictionReward:
    """A reward that reads of each answer what predict.py would write as the prediction."""

    def __init__(self, reward: Reward, texts: ItemTexts) -> None:
        self.reward, self.texts = reward, texts
        self.__name__ = reward.__name__  # TRL logs it under this name

    def __call__(self, completions: Sequence[Completion], **columns: Any) -> list[float]:
        read = self.texts.read_with
        rows = [{name: columns[name][index] for name in read} for index in range(len(completions))]
        predictions = [self.texts.prediction(text_of(one), row) for one, row in zip(completions, rows)]
        return self.reward(completions=predictions, **columns)


class Ended:
    """Minus 1 for an answer without an end token: it was cut off, and would have gone on.

    >>> Ended([2])(completions=["place red 0 1 0"] * 2, completion_ids=[[7, 2], [7, 7]])
    [0.0, -1.0]
    """

    __name__ = ENDED  # TRL logs it under this name

    def __init__(self, end_ids: Sequence[int]) -> None:
        """Raises: UsageError without an end token: every answer would be punished."""
        self.end_ids = frozenset(end_ids)
        if not self.end_ids:
            raise UsageError("no end token: give the tokenizer an eos_token, or leave the reward out")

    def __call__(self, completion_ids: Sequence[Sequence[int]], **_: Any) -> list[float]:
        return [0.0 if self.end_ids.intersection(ids) else -1.0 for ids in completion_ids]


def text_of(completion: Completion) -> str:
    """Return the text of an answer: of a chat, what its last message says.

    >>> text_of([{"role": "assistant", "content": "pick 0 1 0"}])
    'pick 0 1 0'
    """
    if isinstance(completion, str):
        return completion
    return str(completion[-1].get("content") or "") if completion else ""


def _right_of(attempts: Sequence[Attempt]) -> list[tuple[int, int]]:
    """Of each answer how many net actions are right, and how many it and its reference have together."""
    return [(len(attempt.fair & attempt.gold), len(attempt.predicted) + len(attempt.gold)) for attempt in attempts]


def _micro_f1(counts: Sequence[tuple[int, int]]) -> float:
    size = sum(size for _, size in counts)
    return 2 * sum(right for right, _ in counts) / size if size else 0.0


def _malformed(attempt: Attempt, text: str) -> float:
    if not text.strip():
        return -1.0
    return -attempt.n_unparsed / max(1, len(attempt.actions) + attempt.n_unparsed)


def _attempts(
    completions: Sequence[Completion], before: Sequence, after: Sequence, interpretations: Sequence[str] | None
) -> list[Attempt]:
    """The answers, carried out. Equal answers to one item are carried out once: samples of a group often agree."""
    done: dict[tuple, Attempt] = {}
    attempts = []
    for index, completion in enumerate(completions):
        text = text_of(completion)
        how = (interpretations[index] if interpretations is not None else None) or "unique"
        key = (text, tuple(before[index]), tuple(after[index]), how)
        attempt = done.get(key)
        if attempt is None:
            reference = {"before": before[index], "after": after[index], "interpretations": how}
            attempt = done[key] = attempt_at(text, reference, index)
        attempts.append(attempt)
    return attempts
