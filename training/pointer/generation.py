"""Answers of a pointer transformer, one net action a step: the likeliest of each step, and samples.

All answers to all items of a batch take a step together. An item is encoded once, however many answers it gets, and
what the decoder has read stays as keys and values; items and answers that have ended are taken out of them.
"""

from functools import partial

import torch
from transformers import PreTrainedModel

from bap_v2_training.decoding.bayes_risk import drawn
from bap_v2_training.learning.cells import CELLS, cell_number, coordinates
from bap_v2_training.learning.net_actions import REMOVE
from bap_v2_training.pointer.examples import STOP
from bap_v2_training.pointer.layers import Attention, KeysValues, Memory

Answer = list[tuple[int, int, int, int]]  # net actions (type, x, y, z), and (STOP, 0, 0, 0) if it ended by itself


@torch.no_grad()
def generated(
    model: PreTrainedModel, batch: dict[str, torch.Tensor], max_actions: int, uniform: torch.Tensor | None = None,
    temperature: float = 1.0, memory: Memory | None = None, expected: torch.Tensor | None = None,
) -> list[list[Answer]]:  # fmt: skip
    """Return the answers to each item of a batch: the greedy one, then samples.

    Only what can be: blocks are placed in empty cells of the region and taken from occupied ones.

    Args:
        model: a `PointerTransformer`.
        batch: of `features.collate`; its targets are not read.
        max_actions: an answer ends after so many.
        uniform: numbers in [0, 1), [B, samples, max_actions + 1, 2], from which samples are drawn: what is done, then
            where. Distributions are inverted, so an item's samples depend on its own numbers alone. None: no samples.
        temperature: of samples: divides the log probabilities.
        memory: what the encoder makes of the batch, where that is known already.
        expected: zeros, [B, STOP, 1089], to which is added how probable each net action is, by its type and cell. Each
            step of a sample adds the probabilities of all cells for what it does there, not 1 for the cell that was
            drawn (Rao-Blackwellization): a quarter of the samples are as good.
    """
    # The items, read once
    if memory is None:
        memory = model.encode(**{name: values for name, values in batch.items() if name != "targets"})
    blocks, last = batch["blocks"], batch["last"]
    n, device = len(last), last.device
    # R answers: of each item the greedy one, for which nothing is drawn, and its samples
    each, draws = 1, None
    if uniform is not None:
        each = 1 + uniform.shape[1]
        draws = torch.cat([uniform.new_full((n, 1, *uniform.shape[2:]), -1.0), uniform], 1).flatten(0, 1)
    occupied = occupied_cells(blocks).repeat_interleave(each, 0)
    decoder = _Decoder(model, memory, blocks, last, each)
    answers = torch.zeros(n * each, max_actions + 1, 4, dtype=torch.long, device=device)
    answers[..., 0] = -1
    live = torch.arange(n * each, device=device)
    for step in range(max_actions + 1):
        # What is done: blocks are placed while there is an empty cell, and removed while there is a full one
        states = decoder.states()
        kinds = model.kind_head(states).float()
        kinds[:, :REMOVE] = kinds[:, :REMOVE].masked_fill(occupied.all(1, keepdim=True), -torch.inf)
        kinds[:, REMOVE] = kinds[:, REMOVE].masked_fill(~occupied.any(1), -torch.inf)
        chosen = drawn(kinds, None if draws is None else draws[live, step, 0], temperature)
        if step == max_actions:
            chosen = chosen.masked_fill(chosen != STOP, -1)  # cut off
        answers[live, step, 0] = chosen
        # Answers that have ended leave
        going = (chosen >= 0) & (chosen < STOP)
        if not going.any():
            break
        if not going.all():
            live, occupied, states, chosen = live[going], occupied[going], states[going], chosen[going]
            decoder.keep(going)
        # Where it is done
        removal = (chosen == REMOVE)[:, None]
        scores = decoder.cell_likelihoods(states, chosen).masked_fill(occupied != removal, -torch.inf)
        if expected is not None:
            sample = live % each > 0
            place = live[sample] // each * STOP + chosen[sample]
            likelihood = (scores[sample] / temperature).softmax(1)
            expected.view(-1, CELLS).index_add_(0, place, likelihood, alpha=1 / (each - 1))
        cells = drawn(scores, None if draws is None else draws[live, step, 1], temperature)
        answers[live, step, 1:] = torch.stack(coordinates(cells), -1)
        occupied[torch.arange(len(live), device=device), cells] = ~removal[:, 0]
        decoder.add(answers[live, step])
    rows = [[tuple(action) for action in answer if action[0] >= 0] for answer in answers.tolist()]
    return [rows[first : first + each] for first in range(0, len(rows), each)]


def occupied_cells(blocks: torch.Tensor) -> torch.Tensor:
    """Return which cells are full before the answers, bool [B, 1089]. Args: blocks: of a batch."""
    occupied = torch.zeros(len(blocks), CELLS, dtype=torch.bool, device=blocks.device)
    item, number = torch.nonzero(blocks[..., 0] >= 0, as_tuple=True)
    occupied[item, cell_number(*blocks[item, number, 1:].unbind(-1))] = True
    return occupied


class _Decoder:
    """The decoder, a step at a time, for R answers to I items."""

    def __init__(self, model: PreTrainedModel, memory: Memory, blocks: torch.Tensor, last: torch.Tensor, answers: int):
        """
        Args:
            blocks, last: of a batch.
            answers: to each item.
        """
        self.model = model
        self.encoded = [layer.cross.keys_values(memory.states, memory.rotation) for layer in model.decoder]
        self.excluded, self.block_keys = memory.excluded, model.block_keys(memory.blocks)
        self.blocks, self.last = blocks, last
        self.item = torch.arange(len(last), device=last.device).repeat_interleave(answers)  # [R]
        self._number_answers()
        self.own: list[KeysValues | None] = [None] * len(model.decoder)
        self.actions = last.new_zeros(len(self.item), 0, 4)
        self.touched = last[self.item][:, None]  # the cell touched before each step, [R, 1 + actions, 3]
        self.action_keys = self.block_keys.new_zeros(len(self.item), 0, self.block_keys.shape[-1])

    def states(self) -> torch.Tensor:
        """Return the states at the next step, [R, d], as `PointerTransformer.decode_states` gives them."""
        # What is read: the action before, at first where the last one of the game was
        model, number = self.model, self.actions.shape[1]
        last = self.last[self.item]
        if number:
            states = model.read_actions(self.actions[:, -1:], self.touched[:, -2:-1], last)
        else:
            states = model.beginnings(last)
        states = model.typed(states + model.steps.weight[min(number, model.steps.num_embeddings - 1)])
        # Through the layers, which keep keys and values of the steps before
        rotation = None
        if model.rotation is not None:
            away = self.touched[:, -1:] - last[:, None]
            rotation = model.rotation(torch.cat([torch.full_like(away[..., :1], number), away], -1), states.dtype)
        for index, layer in enumerate(model.decoder):
            states, self.own[index] = layer.step(states, rotation, self.own[index], partial(self._read, index))
        states = model.decoder_norm(states)
        if number:  # it has read the action before
            self.action_keys = torch.cat([self.action_keys, model.action_keys(states)], 1)
        return states[:, 0]

    def cell_likelihoods(self, states: torch.Tensor, kinds: torch.Tensor) -> torch.Tensor:
        """Log probabilities of all cells, given what is done: float32 [R, 1089]."""
        return self.model.cell_likelihoods(
            states, kinds, self.block_keys[self.item], self.blocks[self.item], self.action_keys, self.actions,
            self.touched[:, -1],
        )  # fmt: skip

    def add(self, actions: torch.Tensor) -> None:
        """Note what was done in this step, [R, 4]."""
        self.actions = torch.cat([self.actions, actions[:, None]], 1)
        self.touched = torch.cat([self.touched, actions[:, None, 1:]], 1)

    def keep(self, answers: torch.Tensor) -> None:
        """Forget the other answers, and items that have none left. `answers`: bool [R]."""
        self.item, self.actions, self.touched = self.item[answers], self.actions[answers], self.touched[answers]
        self.action_keys = self.action_keys[answers]
        self.own = [(key[answers], value[answers]) for key, value in self.own]
        left = torch.zeros(len(self.last), dtype=torch.bool, device=answers.device)
        left[self.item] = True
        if not left.all():
            self.item = (left.cumsum(0) - 1)[self.item]
            self.encoded = [(key[left], value[left]) for key, value in self.encoded]
            self.excluded, self.block_keys = self.excluded[left], self.block_keys[left]
            self.blocks, self.last = self.blocks[left], self.last[left]
        self._number_answers()

    def _number_answers(self) -> None:
        """Number the answers to each item; they are one after the other."""
        counts = torch.bincount(self.item, minlength=len(self.last))
        self.number = torch.arange(len(self.item), device=counts.device) - (counts.cumsum(0) - counts)[self.item]
        self.most = int(counts.max())  # answers to an item

    def _read(self, layer: int, query: torch.Tensor) -> torch.Tensor:
        """Return what the answers get from the encoder's states of their items.

        The answers to an item read as so many tokens would: nothing is copied for each of them.
        """
        key, value = self.encoded[layer]
        if self.most == 1:  # each item has one
            return Attention.read(query, key, value, self.excluded)
        queries = query.new_zeros(len(self.last), self.most, *query.shape[1::2])
        queries[self.item, self.number] = query[:, :, 0]
        got = Attention.read(queries.transpose(1, 2), key, value, self.excluded)
        return got.transpose(1, 2)[self.item, self.number][:, :, None]
