"""How likely a pointer transformer is to give an answer, as it samples: for the gradient of what answers are worth."""

import torch
from transformers import PreTrainedModel

from bap_v2_training.learning.cells import CELLS, cell_number
from bap_v2_training.learning.net_actions import REMOVE
from bap_v2_training.pointer.examples import STOP
from bap_v2_training.pointer.generation import occupied_cells
from bap_v2_training.pointer.layers import Memory
from bap_v2_training.pointer.model import cells_before


def log_probabilities(
    model: PreTrainedModel, memory: Memory, blocks: torch.Tensor, last: torch.Tensor, answers: torch.Tensor
) -> torch.Tensor:
    """The log probabilities of n answers to each item, of all that `generation.generated` could have drawn; float32
    [B * n], with gradients.

    `PointerTransformer.forward` gives the likelihood of data, which may say what cannot be. Samples are drawn from what
    can: blocks in empty cells of the region, removals from full ones. That an answer was cut off counts nothing.

    Args:
        model: a `PointerTransformer`.
        memory, blocks, last: of B items, the last two as in a batch.
        answers: [B * n, T, 4], those to an item after one another: net actions, each possible where it stands, and the
            type STOP; type -1 is padding.
    """
    # The decoder's states at each step of each answer
    each = len(answers) // len(last)
    origin = torch.arange(len(last), device=last.device).repeat_interleave(each)
    last = last[origin]
    kinds, cells = answers[..., 0], answers[..., 1:]
    states = model.decode_states(answers, last, memory)
    there, acts = kinds >= 0, (kinds >= 0) & (kinds < STOP)

    # How many cells are full before each step: every action turns a full one into an empty one, or the other way
    start, removes = occupied_cells(blocks)[origin], kinds == REMOVE
    change = acts.long() - 2 * removes.long()
    number_full = start.sum(1, keepdim=True) + change.cumsum(1) - change

    # What is done, among what can be
    heads = model.kind_head(states).float()
    impossible = torch.zeros_like(heads, dtype=torch.bool)
    impossible[..., :REMOVE] = (number_full == CELLS)[..., None]
    impossible[..., REMOVE] = number_full == 0
    of_kinds = heads.masked_fill(impossible, -torch.inf).log_softmax(-1)
    of_kinds = of_kinds.gather(2, kinds.clamp(min=0)[..., None])[..., 0]
    total = torch.where(there, of_kinds, 0.0).sum(1)

    # Where: the log probabilities of all cells at each step
    answer, step = torch.nonzero(acts, as_tuple=True)
    if not len(answer):
        return total
    item = origin[answer]
    known = torch.cat([states[:, 1:], states[:, -1:]], 1)  # an action has been read by the state of the next step
    earlier = torch.arange(kinds.shape[1], device=kinds.device) < step[:, None]
    scores = model.cell_likelihoods(
        states[answer, step], kinds[answer, step], model.block_keys(memory.blocks)[item], blocks[item],
        model.action_keys(known)[answer], answers[answer], cells_before(answers, last)[answer, step],
        earlier,
    )  # fmt: skip
    # Among those that are empty at this step, or full for a removal
    numbers = torch.where(acts, cell_number(*cells.unbind(-1)), 0)
    touched = torch.zeros(len(answer), CELLS, dtype=torch.int16, device=kinds.device)
    touched.scatter_add_(1, numbers[answer], earlier.to(torch.int16))
    full = start[answer] ^ (touched % 2 == 1)
    of_cells = scores.masked_fill(full != removes[answer, step, None], -torch.inf).log_softmax(-1)
    of_cells = of_cells.gather(1, numbers[answer, step][:, None])[:, 0]
    return total.index_add(0, answer, of_cells)
