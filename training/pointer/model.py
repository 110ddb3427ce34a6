"""The pointer transformer: a small Builder that reads words, blocks and pose, and points at the cells to change.

An encoder reads one token for the pose, one for each block, recent action and word. A decoder writes one net action a
step. Where an action takes place is said as people say it: a reference, which is a block, the cell of the action before
or of an earlier one of the same answer, and an offset from it in the Builder's frame; or no reference, and a place on
the ground. Which reference was meant is not in the data: the likelihood of a cell is summed over all.
"""

import math
from dataclasses import asdict, dataclass

import torch
from torch import nn
from torch.nn import functional as F
from transformers import AutoConfig, AutoModel, PreTrainedModel
from transformers.utils import ModelOutput

from bap_v2_training.errors import UsageError
from bap_v2_training.learning.cells import FIRST, SHAPE
from bap_v2_training.pointer.examples import EARLIER, RECENT, STOP
from bap_v2_training.pointer.layers import EXCLUDED, Layer, Memory, PointerConfig, Rotation, initialized
from bap_v2_training.pointer.reader import Reader, ReaderSettings, reader_settings

KINDS = STOP + 1  # of actions: a color to place, remove, stop
FAR = max(SHAPE) - 1  # offsets go from -FAR to FAR cells
NEAR_REGION = 12  # cells whose x, y or z is farther from 0 share the last embedding
OLD = 63  # blocks placed longer ago share the last embedding
RANKS = 7  # 0 to 5 blocks, or more


@dataclass
class PointerOutput(ModelOutput):
    """The losses of a forward pass."""

    loss: torch.Tensor | None = None  # the mean over items of their losses
    item_losses: torch.Tensor | None = None  # [B]: minus the log likelihood of an item's net actions, in nats
    kind_loss: torch.Tensor | None = None  # the part of `loss` that is about what is done, and when to stop
    cell_loss: torch.Tensor | None = None  # the part that is about where


class PointerTransformer(PreTrainedModel):
    """Net actions of items, see the module; a batch is that of `features.collate`."""

    config_class = PointerConfig
    main_input_name = "words"

    def __init__(self, config: PointerConfig):
        super().__init__(config)
        size = config.hidden_size

        # What a token is made of: the sum of some of these
        self.words = nn.Embedding(config.vocab_size, size)
        self.segments = nn.Embedding(3, size)
        self.positions = None if config.rotary else nn.Embedding(192, size)
        self.kinds = nn.Embedding(5, size)  # pose, "a cell was touched", block, recent action, own action
        self.actions = nn.Embedding(KINDS, size)  # the color of a block too
        self.places = nn.ModuleList(nn.Embedding(2 * NEAR_REGION + 1, size) for _ in range(3))
        self.from_last = nn.ModuleList(nn.Embedding(2 * FAR + 1, size) for _ in range(3))
        self.age = nn.Embedding(OLD + 1, size)
        self.recency = nn.Embedding(RECENT, size)
        self.yaw = nn.Embedding(73, size)  # every 5 degrees
        self.pitch = nn.Embedding(19, size)  # every 10 degrees
        self.rank = nn.Embedding(6 * RANKS, size) if config.ranks else None
        self.same_color = nn.Embedding(RANKS + 1, size) if config.ranks else None
        self.steps = nn.Embedding(config.max_actions + 1, size)
        self.moved = nn.ModuleList(nn.Embedding(2 * FAR + 1, size) for _ in range(3))
        self.runs = None  # how many runs of actions ago a block was placed
        if earlier := (config.features or {}).get("earlier_dialogues", 0):
            self.read_earlier(earlier)
        self.reader = None
        if reader := (config.features or {}).get("reader"):
            self.reader = Reader(reader_settings(reader), size)

        self.rotation = Rotation(size // config.attention_heads) if config.rotary else None
        self.encoder = nn.ModuleList(Layer(config, decoder=False) for _ in range(config.encoder_layers))
        self.encoder_norm = nn.LayerNorm(size, bias=False)
        self.decoder = nn.ModuleList(Layer(config, decoder=True) for _ in range(config.decoder_layers))
        self.decoder_norm = nn.LayerNorm(size, bias=False)

        # What is read off a decoder state
        self.kind_head = nn.Linear(size, KINDS)
        self.chosen = nn.Embedding(KINDS, size)
        self.where = nn.Sequential(nn.Linear(size, 2 * size), nn.ReLU(), nn.Linear(2 * size, size))
        self.pointer = nn.Linear(size, size, bias=False)
        self.block_keys = nn.Linear(size, size, bias=False)
        self.action_keys = nn.Linear(size, size, bias=False)
        self.no_block = nn.Linear(size, 2)  # no reference; the cell touched before
        self.offset = nn.Linear(size, 3 * (2 * FAR + 1))
        self.place = nn.Linear(size, sum(SHAPE))
        self.post_init()

    def _init_weights(self, module: nn.Module) -> None:
        initialized(module)
        if isinstance(module, Reader):
            module.reset()

    def read_with(self, reader: ReaderSettings) -> None:
        """Let a language model read from now on; at first it changes nothing. The same reader stays as it is.

        Raises:
            UsageError: another one reads already, or the language model is not here.
        """
        if self.reader is not None and self.reader.settings == reader:
            return
        if self.reader is not None:
            raise UsageError(
                f"{self.reader.settings} reads for this Builder already: keep it, or start from one without a reader"
            )
        self.config.features = {**(self.config.features or {}), "reader": asdict(reader)}
        self.reader = Reader(reader, self.config.hidden_size)
        self.reader.reset()

    def read_earlier(self, dialogues: int) -> None:
        """Read so many dialogues before the previous one from now on, at first as if they were part of it.

        And see in which run of actions each block was placed, which changes nothing at first.

        Raises:
            UsageError: it reads another number of them already.
        """
        now = len(self.segments.weight) - 3
        if now == dialogues:
            return
        if now:
            raise UsageError(f"this Builder reads {now} earlier dialogues already: leave out earlier_dialogues")
        self.config.features = {**(self.config.features or {}), "earlier_dialogues": dialogues}
        with torch.no_grad():
            known = self.segments.weight
            self.segments = nn.Embedding(3 + dialogues, known.shape[1])
            self.segments.weight.copy_(torch.cat([known, known[1:2].expand(dialogues, -1)]))
        self.runs = nn.Embedding(EARLIER + 2, known.shape[1])
        nn.init.zeros_(self.runs.weight)

    def forward(
        self, words: torch.Tensor, segments: torch.Tensor, blocks: torch.Tensor, recent: torch.Tensor,
        pose: torch.Tensor, last: torch.Tensor, has_last: torch.Tensor, targets: torch.Tensor,
        subwords: torch.Tensor | None = None, ends: torch.Tensor | None = None, placed: torch.Tensor | None = None,
    ) -> PointerOutput:  # fmt: skip # each by its name: of a model that takes any, Trainer divides the loss otherwise
        """Return the loss of a batch, teacher-forced. The arguments are those of a batch, see `features`."""
        memory = self.encode(words, segments, blocks, recent, pose, last, has_last, subwords, ends, placed)
        return self.losses_of(memory, blocks, last, targets)

    def losses_of(
        self, memory: Memory, blocks: torch.Tensor, last: torch.Tensor, targets: torch.Tensor
    ) -> PointerOutput:
        """Return the loss of items that are encoded already; the other arguments are those of `forward`."""
        # What is done, and when to stop
        states = self.decode_states(targets, last, memory)
        kinds = targets[..., 0]
        kind_losses = F.cross_entropy(
            self.kind_head(states).float().transpose(1, 2), kinds, ignore_index=-1, reduction="none"
        )
        # Where it is done
        item, step = torch.nonzero((kinds >= 0) & (kinds < STOP), as_tuple=True)
        cells = targets[item, step, 1:]
        likelihood = self.cell_likelihood(states, memory, blocks, targets, last, item, step, kinds[item, step], cells)
        cell_losses = torch.zeros(len(kinds), device=likelihood.device).index_add(0, item, -likelihood)

        item_losses = kind_losses.sum(1) + cell_losses
        return PointerOutput(
            loss=item_losses.mean(),
            item_losses=item_losses.detach(),
            kind_loss=kind_losses.detach().sum(1).mean(),
            cell_loss=cell_losses.detach().mean(),
        )

    def encode(
        self, words: torch.Tensor, segments: torch.Tensor, blocks: torch.Tensor, recent: torch.Tensor,
        pose: torch.Tensor, last: torch.Tensor, has_last: torch.Tensor, subwords: torch.Tensor | None = None,
        ends: torch.Tensor | None = None, placed: torch.Tensor | None = None,
    ) -> Memory:  # fmt: skip
        """Encode items; the arguments are those of `forward`."""
        origin = last[:, None]
        n_blocks, n_words = blocks.shape[1], words.shape[1]
        is_word, is_block, is_recent = words > 0, blocks[..., 0] >= 0, recent[..., 0] >= 0
        near = pose[:, None, :3].round().long()

        # A token for each word
        position = torch.arange(n_words, device=words.device).expand_as(words)
        tokens = self.words(words) + self.segments(segments)
        if self.positions is not None:
            tokens = tokens + self.positions(position.clamp(max=self.positions.num_embeddings - 1))
        if self.reader is not None:
            tokens = tokens + self.reader(subwords, ends)

        # For each block
        age = (is_block.sum(1, keepdim=True) - 1 - torch.arange(n_blocks, device=words.device)).clamp(0, OLD)
        board = self.kinds.weight[2] + self._of_kinds(blocks[..., 0]) + self.age(age)
        board = board + self._of_cells(blocks[..., 1:], origin)
        if self.runs is not None:
            board = board + self.runs(placed)
        if self.rank is not None:
            board = board + self._of_ranks(blocks, is_block)

        # For each recent action
        done = self.kinds.weight[3] + self._of_kinds(recent[..., 0]) + self.recency.weight
        done = done + self._of_cells(recent[..., 1:], origin)

        # For the pose
        turn, tilt = (pose[:, 3:4] / 5).round().long() + 36, (pose[:, 4:5] / 10).round().long() + 9
        body = (
            self.kinds.weight[0]
            + self._of_cells(near, origin)
            + self.yaw(turn.clamp(0, 72))
            + self.pitch(tilt.clamp(0, 18))
        )
        body = body + self.kinds.weight[1] * has_last[:, None, None]

        # All of them, and which are padding
        states = torch.cat([body, board, done, tokens], 1)
        there = torch.cat([torch.ones_like(is_word[:, :1]), is_block, is_recent, is_word], 1)
        states, excluded = self.typed(states), self.typed(torch.zeros_like(there, dtype=states.dtype))
        excluded = excluded.masked_fill(~there, EXCLUDED)[:, None, None]
        # Where they are: cells from the last one, words by their number
        rotation = None
        if self.rotation is not None:
            cells = torch.cat([near, blocks[..., 1:], recent[..., 1:]], 1) - origin
            where = torch.cat([F.pad(cells, (1, 0)), F.pad(position[..., None], (0, 3))], 1)
            rotation = self.rotation(where, states.dtype)
        for layer in self.encoder:
            states = layer(states, excluded, rotation)
        states = self.encoder_norm(states)
        return Memory(states, excluded, rotation, states[:, 1 : 1 + n_blocks])

    def decode_states(self, actions: torch.Tensor, last: torch.Tensor, memory: Memory) -> torch.Tensor:
        """Return the decoder's state at each step t, which has read actions 0 to t - 1, [B, T, d].

        Args:
            actions: [B, T, 4]; what stands at the last step is not read. Or [B * n, T, 4], n answers to each item.
            last: [B, 3], as in a batch; or [B * n, 3].
        """
        # A token for each step: the action before it
        before = cells_before(actions, last)
        number = torch.arange(actions.shape[1], device=actions.device)
        states = torch.cat([self.beginnings(last), self.read_actions(actions[:, :-1], before[:, :-1], last)], 1)
        states = self.typed(states + self.steps(number.clamp(max=self.steps.num_embeddings - 1)))
        # Later ones are not seen
        later = number[:, None] < number
        excluded = torch.zeros(later.shape, dtype=states.dtype, device=states.device).masked_fill(later, EXCLUDED)
        rotation = None
        if self.rotation is not None:
            steps = number[None, :, None].expand(len(actions), -1, 1)
            rotation = self.rotation(torch.cat([steps, before - last[:, None]], -1), states.dtype)
        for layer in self.decoder:
            states = layer(states, excluded, rotation, memory)
        return self.decoder_norm(states)

    def beginnings(self, last: torch.Tensor) -> torch.Tensor:
        """Return what the decoder reads before there are actions, [B, 1, d]."""
        return self._of_cells(last[:, None], last[:, None])

    def read_actions(self, actions: torch.Tensor, before: torch.Tensor, last: torch.Tensor) -> torch.Tensor:
        """Return what the decoder reads of actions [B, T, 4], [B, T, d].

        Args:
            before: [B, T, 3], the cells touched before each.
            last: [B, 3], as in a batch.
        """
        cells = actions[..., 1:]
        moved = (cells - before).clamp(-FAR, FAR) + FAR
        done = self.kinds.weight[4] + self._of_kinds(actions[..., 0]) + self._of_cells(cells, last[:, None])
        return done + sum(self.moved[axis](moved[..., axis]) for axis in range(3))

    def cell_likelihood(
        self, states: torch.Tensor, memory: Memory, blocks: torch.Tensor, actions: torch.Tensor, last: torch.Tensor,
        item: torch.Tensor, step: torch.Tensor, kinds: torch.Tensor, cells: torch.Tensor,
    ) -> torch.Tensor:  # fmt: skip
        """Log probabilities of where actions take place, given what they do; float32 [n].

        Args:
            states: [B, T, d], of `decode_states`.
            actions: [B, T, 4]; those before a step may be its references.
            item, step: [n], the steps that are asked for.
            kinds: [n], what is done there.
            cells: [n, 3], where.
        """
        # Of the reference; the state that has read an action is that of the next step
        known = torch.cat([states[:, 1:], states[:, -1:]], 1)
        number = torch.arange(actions.shape[1], device=actions.device)
        reference, offset, place = self._pointed(
            states[item, step], kinds, self.block_keys(memory.blocks)[item], blocks[item, :, 0] >= 0,
            self.action_keys(known)[item], number < step[:, None],
        )  # fmt: skip
        # Of the cell, from each reference, and without one
        before = cells_before(actions, last)[item, step]
        origins = torch.cat([before[:, None], blocks[item, :, 1:], actions[item, :, 1:]], 1)  # [n, 1 + N + T, 3]
        away = (cells[:, None] - origins).clamp(-FAR, FAR) + FAR
        near = sum(offset[:, axis].gather(1, away[..., axis]) for axis in range(3))
        inside = (cells - cells.new_tensor(FIRST)).clamp(cells.new_zeros(3), cells.new_tensor(SHAPE) - 1)
        free = sum(part.gather(1, inside[:, axis, None]) for axis, part in enumerate(place))
        return (reference + torch.cat([free, near], 1)).logsumexp(1)

    def cell_likelihoods(
        self, states: torch.Tensor, kinds: torch.Tensor, block_keys: torch.Tensor, blocks: torch.Tensor,
        action_keys: torch.Tensor, actions: torch.Tensor, before: torch.Tensor, earlier: torch.Tensor | None = None,
    ) -> torch.Tensor:  # fmt: skip
        """Return log probabilities of all cells, in the order of `cells.cell_number`: float32 [n, 1089].

        Args:
            states: [n, d], the decoder's, each of a step of its own.
            kinds: [n], what is done there.
            block_keys, blocks: [n, N, d] and [n, N, 4].
            action_keys, actions: [n, t, d] and [n, t, 4], the actions before the step.
            before: [n, 3], the cell touched before.
            earlier: bool [n, t], which of `actions` are before the step; None: all.
        """
        if earlier is None:
            earlier = torch.ones(actions.shape[:2], dtype=torch.bool, device=actions.device)
        reference, offset, place = self._pointed(states, kinds, block_keys, blocks[..., 0] >= 0, action_keys, earlier)
        origins = torch.cat([before[:, None], blocks[..., 1:], actions[..., 1:]], 1)
        x, y, z = (self._at_each_place(offset[:, axis], origins[..., axis], axis) for axis in range(3))
        # Sum over references in the probabilities, not their logarithms: one matrix product for all cells
        weighted = (reference[:, 1:, None] + x).exp()
        planes = (y.exp()[..., None] * z.exp()[..., None, :]).flatten(2)
        near = weighted.transpose(1, 2) @ planes
        free = (reference[:, :1] + place[0])[:, :, None, None] + place[1][:, None, :, None] + place[2][:, None, None]
        return (near.flatten(1) + free.exp().flatten(1)).clamp(min=1e-30).log()

    def _pointed(
        self, states: torch.Tensor, kinds: torch.Tensor, block_keys: torch.Tensor, is_block: torch.Tensor,
        action_keys: torch.Tensor, is_earlier: torch.Tensor,
    ) -> tuple[torch.Tensor, torch.Tensor, list[torch.Tensor]]:  # fmt: skip
        """Log probabilities of the parts of a place, all float32.

        Returns: of the reference, [n, 1 + 1 + N + T]: none, the cell before, a block, an earlier action of this answer;
            of the offset from it, [n, 3, 21]; of the place on each axis if there is none.
        """
        state = states + self.chosen(kinds)
        state = state + self.where(state)
        query = self.pointer(state)[..., None] / math.sqrt(state.shape[-1])
        to_blocks = (block_keys @ query)[..., 0].float().masked_fill(~is_block, EXCLUDED)
        to_actions = (action_keys @ query)[..., 0].float().masked_fill(~is_earlier, EXCLUDED)
        reference = torch.cat([self.no_block(state).float(), to_blocks, to_actions], -1).log_softmax(-1)
        offset = self.offset(state).float().unflatten(-1, (3, 2 * FAR + 1)).log_softmax(-1)
        place = [part.log_softmax(-1) for part in self.place(state).float().split(SHAPE, -1)]
        return reference, offset, place

    def typed(self, x: torch.Tensor) -> torch.Tensor:
        """In the type in which matrix products are computed: that of a surrounding autocast, or of the weights."""
        device = x.device.type
        return x.to(torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else self.dtype)

    def _of_kinds(self, kinds: torch.Tensor) -> torch.Tensor:
        """Return the embeddings of what actions do, or of the colors of blocks; of padding (-1), any."""
        kinds = kinds.clamp(min=0)
        embedded = self.actions(kinds)
        if self.config.color_words is not None:
            words = self.words(torch.tensor(self.config.color_words, device=kinds.device))
            embedded = embedded + F.pad(words, (0, 0, 0, KINDS - len(words)))[kinds]
        return embedded

    def _of_cells(self, cells: torch.Tensor, origin: torch.Tensor) -> torch.Tensor:
        """Return the embeddings of cells [B, M, 3], as they are and as seen from `origin` [B, 1, 3]."""
        places = cells.clamp(-NEAR_REGION, NEAR_REGION) + NEAR_REGION
        away = (cells - origin).clamp(-FAR, FAR) + FAR
        return sum(self.places[axis](places[..., axis]) + self.from_last[axis](away[..., axis]) for axis in range(3))

    def _of_ranks(self, blocks: torch.Tensor, is_block: torch.Tensor) -> torch.Tensor:
        """Of each block: how many of its color there are, and how many of these lie lower and higher on each axis."""
        color = torch.where(is_block, blocks[..., 0], -1 - torch.arange(blocks.shape[1], device=blocks.device))
        same = color[:, :, None] == color[:, None]
        ranks = self.same_color(same.sum(-1).clamp(max=RANKS))
        for axis in range(3):
            place = blocks[..., 1 + axis]
            lower = (same & (place[:, None] < place[:, :, None])).sum(-1).clamp(max=RANKS - 1)
            higher = (same & (place[:, None] > place[:, :, None])).sum(-1).clamp(max=RANKS - 1)
            ranks = ranks + self.rank(lower + 2 * axis * RANKS) + self.rank(higher + (2 * axis + 1) * RANKS)
        return ranks

    @staticmethod
    def _at_each_place(offset: torch.Tensor, origins: torch.Tensor, axis: int) -> torch.Tensor:
        """From log probabilities of offsets [n, 21] and origins [n, R], those of an axis's places, [n, R, size]."""
        places = torch.arange(SHAPE[axis], device=offset.device) + FIRST[axis]
        away = (places - origins[..., None]).clamp(-FAR, FAR) + FAR
        return offset.gather(1, away.flatten(1)).view(away.shape)


def cells_before(actions: torch.Tensor, last: torch.Tensor) -> torch.Tensor:
    """Return the cell touched before each step, [B, T, 3]."""
    return torch.cat([last[:, None], actions[:, :-1, 1:]], 1)


AutoConfig.register(PointerConfig.model_type, PointerConfig)
AutoModel.register(PointerConfig, PointerTransformer)
