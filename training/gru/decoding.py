"""Answers of the GRU baseline, step by step, for many items together: the likeliest action of each step, or samples."""

from collections.abc import Sequence

import numpy as np
import torch

from bap_v2_metric.actions import Action, execute, is_supported
from bap_v2_metric.blocks import Cell, Structure
from bap_v2_metric.notation import format_action, parse_structure
from bap_v2_training.decoding.bayes_risk import Sampled, drawn, shares_of
from bap_v2_training.decoding.learned_builder import NetworkBuilder, Row
from bap_v2_training.decoding.output_file import batches
from bap_v2_training.gru.batches import collated
from bap_v2_training.gru.features import (
    ACTION_NUMBERS,
    COLORS,
    EMPTY,
    KINDS,
    STOP,
    Features,
    GridWorld,
    action_of,
    action_vector,
    frame_in,
    pose_numbers,
    world_of,
)
from bap_v2_training.gru.model import BapGruModel
from bap_v2_training.gru.window import window_tokens
from bap_v2_training.learning.cells import CELLS, coordinates
from bap_v2_training.learning.net_actions import Numbers, net_of, numbers_of

_CELLS = tuple(Cell(*coordinates(index)) for index in range(CELLS))
_BATCH = 64  # items that pass through the network together: more are not faster, and take more memory


class GruBuilder(NetworkBuilder):
    """A GRU that answers; its convolutions are computed in `dtype`."""

    network = BapGruModel

    def losses(self, rows: Sequence[Row]) -> list[float]:
        """Return minus the log likelihood of each row's actions and the stop."""
        steps = Features(self.vocabulary, self.model.config.window, self.model.config.frame).of(rows)
        whole = [(item, np.arange(size)) for item, size in enumerate(np.diff(steps.starts))]
        return self.batch_losses(collated(steps, whole))

    def answers(self, rows: Sequence[Row]) -> list[tuple[str, bool]]:
        """Return the answer to each row as it was said, or what can be carried out of the one that was chosen."""
        if self.sampling is not None:
            return super().answers(rows)
        decoded = [one for some in batches(rows, _BATCH) for one in self.actions(some)]
        return [("\n".join(map(format_action, actions)), stopped) for ((actions, stopped),) in decoded]

    def candidates(self, rows: Sequence[Row]) -> list[Sampled]:
        """Return the greedy answer to each row and the samples, of their actions those that are feasible.

        Actions are as probable as their share of the samples.
        """
        size, steps = max(1, _BATCH // self.sampling.samples), self.max_actions + 1
        found = []
        for some in batches(rows, size):
            uniform = np.stack([self.sampling.uniform(row["id"], steps)[..., 0] for row in some])
            for row, answers in zip(some, self.actions(some, uniform), strict=True):
                before = parse_structure(row["before"])
                greedy, *samples = ((_numbers(before, actions), stopped) for actions, stopped in answers)
                shares = shares_of([net_of(before, numbers) for numbers, _ in samples])
                found.append(Sampled(greedy, samples, shares))
        return found

    @torch.inference_mode()
    def actions(self, rows: Sequence[Row], uniform: np.ndarray | None = None) -> list[list[tuple[list[Action], bool]]]:
        """The answers to each row, the greedy one and then samples: actions, and whether the model chose to stop.

        An infeasible action stays in the answer, and the model reads that it was its last one; the board does not
        change, as it does not when the answer is scored.

        Args:
            uniform: numbers in [0, 1), [rows, samples, max_actions + 1], from which samples are drawn; None: there are
                none.
        """
        # The words and the pose of each item, as it is turned
        model, device = self.model, self.model.device
        words = [self.vocabulary.ids(window_tokens(row, model.config.window)) for row in rows]
        lengths = torch.tensor([len(ids) for ids in words])
        tokens = torch.zeros(len(rows), int(lengths.max()), dtype=torch.long)
        for row, ids in zip(tokens, words):
            row[: len(ids)] = torch.tensor(ids)
        frames = [frame_in(row, model.config.frame) for row in rows]
        numbers = [pose_numbers(row["pose"], frame) for row, frame in zip(rows, frames)]
        # Several answers to each: the greedy one, for which nothing is drawn, and samples
        each, draws = 1, None
        if uniform is not None:
            greedy = np.full_like(uniform[:, :1], -1.0)
            draws = torch.from_numpy(np.concatenate([greedy, uniform], 1)).flatten(0, 1)
            each = 1 + uniform.shape[1]
        poses = torch.tensor(numbers, dtype=torch.float32, device=device).repeat_interleave(each, 0)
        states = model.encoded(tokens.to(device), lengths.to(device)).repeat_interleave(each, 0)
        worlds = [world_of(row, frame) for row, frame in zip(rows, frames) for _ in range(each)]
        # A step of all answers that have not ended, each in its own world
        before = torch.zeros(len(worlds), 1, ACTION_NUMBERS, device=device)
        answers: list[list[Action]] = [[] for _ in worlds]
        stopped = [False] * len(worlds)
        active = list(range(len(worlds)))
        for step in range(self.max_actions + 1):  # the last turn can only stop
            states[active] = model.decoder_states(before[active], states[active])[:, 0]
            logits = self._logits(states[active], [worlds[answer] for answer in active], poses[active])
            now = None if draws is None else draws[active, step].to(device)
            temperature = 1.0 if self.sampling is None else self.sampling.temperature
            remaining = []  # answers that have not ended
            for answer, chosen in zip(active, drawn(logits, now, temperature).tolist()):
                if chosen == STOP:
                    stopped[answer] = True
                elif len(answers[answer]) < self.max_actions:
                    action = action_of(chosen)
                    cell = frames[answer // each].in_world(action.cell)
                    answers[answer].append(action._replace(cell=cell))
                    worlds[answer].apply(action)
                    before[answer, 0] = torch.tensor(action_vector(action))
                    remaining.append(answer)
            active = remaining
            if not active:
                break
        found = list(zip(answers, stopped))
        return [found[first : first + each] for first in range(0, len(found), each)]

    def _logits(self, states: torch.Tensor, worlds: Sequence[GridWorld], poses: torch.Tensor) -> torch.Tensor:
        """Return the logits of the next step of each world: [S, 7624], minus infinity for what must not be chosen."""
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


def _numbers(before: Structure, actions: Sequence[Action]) -> list[Numbers]:
    """Types and cells of those of the actions that are feasible."""
    infeasible = {failure.index for failure in execute(before, actions).failures}
    return [numbers_of(action) for index, action in enumerate(actions) if index not in infeasible]


def feasible_classes(world: GridWorld) -> np.ndarray:
    """Return which of the 7,624 classes can be carried out in a world, or stop: bool [7624]."""
    classes = np.zeros((CELLS, KINDS), bool)
    for index, cell in enumerate(_CELLS):
        if cell in world.colors:
            classes[index, EMPTY] = True
        elif is_supported(cell, world.colors):
            classes[index, : len(COLORS)] = True
    return np.append(classes.ravel(), True)
