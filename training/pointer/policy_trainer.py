"""Training a pointer transformer with rewards: the policy gradient of its own sampled answers (REINFORCE)."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from transformers import PreTrainedModel

from bap_v2_training.decoding.bayes_risk import Sampling
from bap_v2_training.learning.cells import CELLS, cell_number
from bap_v2_training.learning.net_actions import REMOVE
from bap_v2_training.pointer.answer_rewards import ADVANTAGES, Judged
from bap_v2_training.pointer.examples import STOP
from bap_v2_training.pointer.generation import Answer, generated, occupied_cells
from bap_v2_training.pointer.layers import Memory
from bap_v2_training.pointer.model import cells_before
from bap_v2_training.pointer.settings import PolicyArguments
from bap_v2_training.pointer.stream import Batch
from bap_v2_training.pointer.trainer import PointerTrainer


class PolicyTrainer(PointerTrainer):
    """A PointerTrainer whose loss is minus the expected reward of samples, drawn for each batch.

    For every sample, the gradient is that of its log probability times its advantage over the other samples of its
    item. Each batch gets one update, so samples are those of the model that learns, and nothing has to be clipped.
    Beside it stands the usual loss, with its weight. The log has the means since the last entry: of the rewards of
    samples and of greedy answers (`greedy/`), the share of items whose samples are all worth the same, and how long
    samples are.
    """

    def __init__(self, policy: PolicyArguments, *arguments: Any, **options: Any):
        """Args: policy: with rewards. arguments, options: of a PointerTrainer."""
        super().__init__(*arguments, **options)
        self._policy, self._weights = policy, policy.reward_weights
        self._sampling = Sampling(policy.samples, seed=self.args.seed)
        self._batch = 0  # the number of the next one, of which its samples are a function
        self._logged: dict[str, list[float]] = defaultdict(list)

    def train(self, resume_from_checkpoint: str | None = None, **options: Any):
        self._batch = self.batches_learned(resume_from_checkpoint)
        return super().train(resume_from_checkpoint=resume_from_checkpoint, **options)

    def _prepare_inputs(self, inputs: Batch) -> dict[str, Any]:
        return {**super()._prepare_inputs(inputs), "judged": Judged(inputs)}

    def compute_loss(
        self, model: PreTrainedModel, inputs: dict[str, Any], return_outputs: bool = False, **_: Any
    ) -> torch.Tensor:
        judged = inputs.pop("judged")
        targets, blocks, last = (inputs[name] for name in ("targets", "blocks", "last"))
        with self.accelerator.autocast():
            memory = model.encode(**{name: values for name, values in inputs.items() if name != "targets"})
            answers = self._sampled(model, inputs, memory)
            advantages = self._advantages(judged, answers)
            loss = self._policy.supervised_weight * model.losses_of(memory, blocks, last, targets).loss
            items, answers, weights = _worth_learning(answers, advantages)
            if len(items):
                items = items.to(blocks.device)
                log_probability = log_probabilities(
                    model, _of_items(memory, items), blocks[items], last[items], answers.to(blocks.device)
                )
                loss = loss - (weights.to(blocks.device) * log_probability).sum() / advantages.size
        return loss

    def log(self, logs: dict[str, float], *arguments: Any) -> None:
        if "loss" in logs:
            logs = {**logs, **{name: float(np.mean(values)) for name, values in self._logged.items()}}
            self._logged.clear()
        super().log(logs, *arguments)

    def _sampled(self, model: PreTrainedModel, inputs: dict[str, Any], memory: Memory) -> list[list[Answer]]:
        """Return the greedy answer to each item, and then its samples."""
        n, steps = len(inputs["last"]), model.config.max_actions + 1
        draws = self._sampling._replace(samples=n * self._policy.samples)
        uniform = torch.from_numpy(draws.uniform(f"batch {self._batch}", steps)).to(memory.states.device)
        self._batch += 1
        with torch.no_grad():
            draws = uniform.unflatten(0, (n, self._policy.samples))
            return generated(model, inputs, steps - 1, draws, memory=memory)

    def _advantages(self, judged: Judged, answers: Sequence[Sequence[Answer]]) -> np.ndarray:
        """Of each sample, [items, samples]."""
        greedy = [group[:1] for group in answers]
        of_greedy = judged.rewards(greedy, self._weights, lambda name, value: self._note(f"greedy/{name}", value))
        samples = [group[1:] for group in answers]
        rewards = judged.rewards(samples, self._weights, self._note)
        lengths = np.array([sum(kind != STOP for kind, *_ in answer) for group in samples for answer in group])
        self._note("reward", rewards.mean())
        self._note("greedy/reward", of_greedy.mean())
        self._note("frac_reward_zero_std", (np.ptp(rewards, axis=1) < 1e-9).mean())
        self._note("actions/mean", lengths.mean())
        self._note("actions/empty", (lengths == 0).mean())
        return ADVANTAGES[self._policy.advantage](rewards)

    def _note(self, name: str, value: float) -> None:
        self._logged[name].append(float(value))


def _worth_learning(
    answers: Sequence[Sequence[Answer]], advantages: np.ndarray
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return the samples that are better or worse than others: samples of an item often agree, and are computed once.

    Args:
        answers: to each item: the greedy one, then samples.
        advantages: of samples, [items, samples].
    Returns:
        items: [I], those that have such samples.
        answers: [I * n, T, 4], as for `log_probabilities`: the different samples of each, and padding up to n.
        weights: [I * n], the advantages, summed over equal samples; 0 for padding.
    """
    # The advantages of each item, summed over equal samples
    worth: dict[int, dict[tuple, float]] = {}
    for item, (group, values) in enumerate(zip(answers, advantages, strict=True)):
        sums: dict[tuple, float] = defaultdict(float)
        for answer, value in zip(group[1:], values):
            sums[tuple(answer)] += value
        if kept := {answer: value for answer, value in sums.items() if abs(value) > 1e-9}:
            worth[item] = kept
    # As arrays, padded
    most = max(map(len, worth.values()), default=0)
    longest = max((len(answer) for kept in worth.values() for answer in kept), default=0)
    rows = np.zeros((len(worth), most, max(1, longest), 4), np.int64)
    rows[..., 0] = -1
    weights = np.zeros((len(worth), most), np.float32)
    for index, kept in enumerate(worth.values()):
        for number, (answer, value) in enumerate(kept.items()):
            rows[index, number, : len(answer)] = np.array(answer, np.int64).reshape(-1, 4)
            weights[index, number] = value
    return (
        torch.tensor(list(worth), dtype=torch.long),
        torch.from_numpy(rows).flatten(0, 1),
        torch.from_numpy(weights).flatten(),
    )


def _of_items(memory: Memory, items: torch.Tensor) -> Memory:
    """Return what the encoder made of these items alone."""
    rotation = memory.rotation and tuple(part[items] for part in memory.rotation)
    return Memory(memory.states[items], memory.excluded[items], rotation, memory.blocks[items])


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
