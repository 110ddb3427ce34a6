"""What sampled answers of a pointer transformer are worth: rewards, and advantages within the samples of an item.

Everything is in the Builder's frame, as the arrays of a batch are: turned by a quarter, a world is as good as before.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from bap_v2_metric.blocks import Block, Cell, Structure
from bap_v2_metric.notation import format_action, format_structure
from bap_v2_training.learning.net_actions import COLORS, REMOVE, planned
from bap_v2_training.learning.rewards import ENDED, Ended, LogMetric
from bap_v2_training.pointer.examples import STOP
from bap_v2_training.pointer.generation import Answer
from bap_v2_training.tasks.building import BUILDING


class Judged:
    """The items of a batch, as what answers to them are rewarded by."""

    def __init__(self, batch: Mapping[str, np.ndarray]):
        """Args: batch: of `features`, with its targets."""
        self.boards = [
            Structure(Block(COLORS[color], Cell(*cell)) for color, *cell in blocks if color >= 0)
            for blocks in batch["blocks"].tolist()
        ]
        self.before = [format_structure(board) for board in self.boards]
        self.after = [
            format_structure(_changed(board, targets))
            for board, targets in zip(self.boards, batch["targets"].tolist(), strict=True)
        ]
        # Where a Builder begins is its own choice, as in `held_out`
        self.interpretations = ["unique" if len(board) else "multiple" for board in self.boards]

    def __len__(self) -> int:
        return len(self.boards)

    def rewards(
        self, answers: Sequence[Sequence[Answer]], weights: Mapping[str, float], log_metric: LogMetric | None = None
    ) -> np.ndarray:
        """Return the weighted sum of rewards of each answer, [items, answers].

        Args:
            answers: to each item, all equally many, as `generation.generated` gives them.
            weights: of rewards, by their names.
            log_metric: gets the mean of each reward, `rewards/NAME/mean`, and what rewards tell besides.
        """
        # What rewards take: a list for each column, with an entry for each answer
        each = len(answers[0])
        every = [answer for group in answers for answer in group]
        item = np.repeat(np.arange(len(self)), each)
        columns = {
            "completions": [self._text(index, answer) for index, answer in zip(item.tolist(), every)],
            "completion_ids": [[kind for kind, *_ in answer] for answer in every],
            **{name: [getattr(self, name)[index] for index in item] for name in ("before", "after", "interpretations")},
        }
        # Their weighted sum
        total = np.zeros(len(every))
        for name, weight in weights.items():
            reward = Ended([STOP]) if name == ENDED else BUILDING.rewards[name]
            values = np.array(reward(log_metric=log_metric, **columns))
            if log_metric is not None:
                log_metric(f"rewards/{name}/mean", float(values.mean()))
            total += weight * values
        return total.reshape(len(self), each)

    def _text(self, item: int, answer: Answer) -> str:
        """Return what predict.py would write of an answer."""
        net = [action for action in answer if action[0] != STOP]
        return "\n".join(map(format_action, planned(self.boards[item], net)))


def leave_one_out(rewards: np.ndarray) -> np.ndarray:
    """Return by how much each sample is better than the mean of the others of its item, [items, samples] (RLOO).

    Ahmadian et al. (2024), Back to Basics: Revisiting REINFORCE Style Optimization for Learning from Human Feedback in
    LLMs, ACL. It is unbiased, and the advantages of an item sum to zero.

    >>> leave_one_out(np.array([[1.0, 0.0, 0.5]]))
    array([[ 0.75, -0.75,  0.  ]])
    """
    samples = rewards.shape[1]
    return (rewards - rewards.mean(1, keepdims=True)) * (samples / (samples - 1))


def scaled(rewards: np.ndarray) -> np.ndarray:
    """Return the advantages over the mean of the item, divided by its deviation (GRPO): every item weighs as much.

    >>> scaled(np.array([[1.0, 0.0], [0.2, 0.1], [0.5, 0.5]])).round(2)
    array([[ 0.71, -0.71],
           [ 0.71, -0.71],
           [ 0.  ,  0.  ]])
    """
    deviation = rewards.std(1, ddof=1, keepdims=True)
    return (rewards - rewards.mean(1, keepdims=True)) / (deviation + 1e-4)


ADVANTAGES = {"leave_one_out": leave_one_out, "scaled": scaled}


def _changed(board: Structure, targets: Sequence[Sequence[int]]) -> Structure:
    """Return the board after net actions, whether or not they could be carried out in this order."""
    colors = board.colors()
    for kind, *cell in targets:
        if kind == REMOVE:
            colors.pop(Cell(*cell), None)
        elif 0 <= kind < REMOVE:
            colors[Cell(*cell)] = COLORS[kind]
    return Structure.from_colors(colors)
