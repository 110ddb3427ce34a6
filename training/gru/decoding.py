"""Answers of the GRU baseline: greedy, step by step, for many items together."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np
import torch

from bap_v2_metric.actions import Action, is_supported
from bap_v2_metric.blocks import Cell
from bap_v2_metric.notation import format_action
from bap_v2_training.decoding.networks import accelerator_or_cpu, floating_type, network_of
from bap_v2_training.gru.batches import collated
from bap_v2_training.gru.features import Features, World, frame_in, pose_numbers, world_of
from bap_v2_training.gru.grid import (
    ACTION_NUMBERS,
    COLORS,
    EMPTY,
    KINDS,
    STOP,
    action_of,
    action_vector,
)
from bap_v2_training.gru.model import BapGruModel
from bap_v2_training.gru.window import window_tokens
from bap_v2_training.learning.cells import CELLS, coordinates
from bap_v2_training.learning.vocabulary import Vocabulary

_CELLS = tuple(Cell(*coordinates(index)) for index in range(CELLS))
_BATCH = 64  # items that pass through the network together: more are not faster, and take more memory


class GruBuilder:
    """A Builder that has learned from items."""

    def __init__(
        self,
        model: BapGruModel,
        vocabulary: Vocabulary,
        dtype: torch.dtype = torch.float32,
        max_actions: int | None = None,
        feasible_only: bool = False,
    ):
        """A Builder that answers with a model.

        Args:
            dtype: in which the convolutions are computed.
            max_actions: after which an answer ends; None: as the model's configuration says.
            feasible_only: choose among feasible actions and stop.
        """
        self.model = model.eval()
        self.vocabulary, self.dtype, self.feasible_only = vocabulary, dtype, feasible_only
        self.max_actions = model.config.max_actions if max_actions is None else max_actions

    @classmethod
    def load(
        cls, model: str, dtype: str = "float32", max_actions: int | None = None, feasible_only: bool = False
    ) -> Self:
        """The Builder in a model's folder, or of a model on the Hub, on this machine's accelerator or CPU.

        Args:
            dtype: in which the convolutions are computed: a type of torch, such as float32 or bfloat16.

        Raises:
            UsageError: there is no such dtype or model, it is of another kind, or its vocabulary is missing.
        """
        computed, network = floating_type(dtype), network_of(model, BapGruModel).to(accelerator_or_cpu())
        return cls(network, Vocabulary.load(model), computed, max_actions, feasible_only)

    @staticmethod
    def losses(folder: str) -> Callable[[Sequence[Mapping[str, Any]]], list[float]]:
        """A function from rows, a batch, to the loss of each: minus the log likelihood of its actions and the stop."""
        model = network_of(folder, BapGruModel).to(accelerator_or_cpu()).eval()
        features = Features(Vocabulary.load(folder), model.config.window, model.config.frame)

        def of_rows(rows: Sequence[Mapping[str, Any]]) -> list[float]:
            steps = features.of(rows)
            batch = collated(steps, [(item, np.arange(size)) for item, size in enumerate(np.diff(steps.starts))])
            return model(**{name: values.to(model.device) for name, values in batch.items()}).item_losses.tolist()

        return of_rows

    def answers(self, rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, bool]]:
        """The answer to each row, one action per line, and whether the model chose to stop within `max_actions`."""
        decoded = [self.actions(rows[first : first + _BATCH]) for first in range(0, len(rows), _BATCH)]
        return [("\n".join(map(format_action, actions)), stopped) for part in decoded for actions, stopped in part]

    @torch.inference_mode()
    def actions(self, rows: Sequence[Mapping[str, Any]]) -> list[tuple[list[Action], bool]]:
        """The actions that answer each row, and whether the model chose to stop.

        An infeasible action stays in the answer, and the model reads that it was its last one; the board does not
        change, as it does not when the answer is scored.
        """
        model, device = self.model, self.model.device
        words = [self.vocabulary.ids(window_tokens(row, model.config.window)) for row in rows]
        lengths = torch.tensor([len(ids) for ids in words])
        tokens = torch.zeros(len(rows), int(lengths.max()), dtype=torch.long)
        for row, ids in zip(tokens, words):
            row[: len(ids)] = torch.tensor(ids)
        frames = [frame_in(row, model.config.frame) for row in rows]
        numbers = [pose_numbers(row["pose"], frame) for row, frame in zip(rows, frames)]
        poses = torch.tensor(numbers, dtype=torch.float32, device=device)
        states = model.encoded(tokens.to(device), lengths.to(device))
        worlds = [world_of(row, frame) for row, frame in zip(rows, frames)]
        before = torch.zeros(len(rows), 1, ACTION_NUMBERS, device=device)
        answers: list[list[Action]] = [[] for _ in rows]
        stopped = [False] * len(rows)
        active = list(range(len(rows)))
        for _ in range(self.max_actions + 1):  # the last turn can only stop
            states[active] = model.decoder_states(before[active], states[active])[:, 0]
            logits = self._logits(states[active], [worlds[item] for item in active], poses[active])
            remaining = []
            for item, chosen in zip(active, logits.argmax(1).tolist()):
                if chosen == STOP:
                    stopped[item] = True
                elif len(answers[item]) < self.max_actions:
                    action = action_of(chosen)
                    answers[item].append(action._replace(cell=frames[item].in_world(action.cell)))
                    worlds[item].apply(action)
                    before[item, 0] = torch.tensor(action_vector(action))
                    remaining.append(item)
            active = remaining
            if not active:
                break
        return list(zip(answers, stopped))

    def _logits(self, states: torch.Tensor, worlds: Sequence[World], poses: torch.Tensor) -> torch.Tensor:
        """The logits of the next step of each world: [S, 7624], minus infinity for what must not be chosen."""
        model, device = self.model, states.device
        boards = torch.from_numpy(np.stack([world.board for world in worlds])).to(device)
        recent = torch.tensor([world.recent for world in worlds], device=device)
        levels = model.levels_of(boards)
        with torch.autocast(device.type, self.dtype, enabled=self.dtype != torch.float32):
            grid = model.grid(boards, recent, poses, int(levels.max()))
            logits = model.step_logits(states, grid, levels)
        if self.feasible_only:
            feasible = np.stack([feasible_classes(world) for world in worlds])
            logits = logits.masked_fill(~torch.from_numpy(feasible).to(device), -torch.inf)
        return logits


def feasible_classes(world: World) -> np.ndarray:
    """Which of the 7,624 classes can be carried out in a world, or stop: bool [7624]."""
    classes = np.zeros((CELLS, KINDS), bool)
    for index, cell in enumerate(_CELLS):
        if cell in world.colors:
            classes[index, EMPTY] = True
        elif is_supported(cell, world.colors):
            classes[index, : len(COLORS)] = True
    return np.append(classes.ravel(), True)
