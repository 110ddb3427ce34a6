"""The network of the GRU baseline: a GRU reads the words, another the actions so far, and a CNN the board.

2,378,592 parameters besides the word vectors, as many as the model of Jayannavar et al. (ACL 2020) whose best settings
BAP v2 uses. Teacher-forced steps of all items of a batch pass through the CNN together.
"""

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F
from transformers import AutoConfig, AutoModel, PreTrainedConfig, PreTrainedModel
from transformers.utils import ModelOutput

from bap_v2_metric.blocks import X_MIN, Y_MIN, Z_MIN
from bap_v2_training.gru.features import ACTION_NUMBERS, EMPTY, KINDS, RECENT, STOP
from bap_v2_training.gru.recurrence import gru_states
from bap_v2_training.learning.cells import CELLS, DEPTH, HEIGHT, WIDTH

CHANNELS = KINDS + 1 + 3  # of the grid: what is in a cell, recency, and the cell as the Builder sees it


class BapGruConfig(PreTrainedConfig):
    """The sizes of a `BapGruModel` and what it reads; the defaults are those of the paper.

    Args:
        vocab_size: words, with the special ones.
        embedding: numbers of a word vector.
        hidden: width of both GRUs.
        action_size: width of the layer that reads an action.
        channels: of the 3x3x3, the 1x1x1 and the second 3x3x3 convolution.
        head: of the two 1x1x1 convolutions after the step's state was joined.
        stop: widths of the layers that decide whether the answer ends.
        window: how far back the dialogue is read: h1, h2 or h3.
        frame: world, or builder: an item is read turned by quarters, so that the Builder looks along +z, and the answer
            is turned back. Ours, not the paper's: there the network learns from the pose which way is left.
        height_crop: leave out the levels of a board in which no action is feasible: half the work.
        max_actions: when decoding, an answer ends after so many.
        vectors: name and digest of the file that the frozen word vectors are from; None if they were learned.
    """

    model_type = "bap_gru"

    vocab_size: int = 2
    embedding: int = 300
    hidden: int = 300
    action_size: int = 10
    channels: tuple[int, ...] | list[int] = (200, 100, 200)
    head: tuple[int, ...] | list[int] = (250, 125)
    stop: tuple[int, ...] | list[int] = (544, 272, 136)
    window: str = "h3"
    frame: str = "world"
    height_crop: bool = True
    max_actions: int = 20
    vectors: dict | None = None


@dataclass
class GruOutput(ModelOutput):
    """The logits and losses of a forward pass."""

    loss: torch.Tensor | None = None  # mean over the items of the mean over their steps
    item_losses: torch.Tensor | None = None  # [B]: summed over the steps of each item
    logits: torch.Tensor | None = None  # float32 [S, 7624]; minus infinity where no level was computed


class BapGruModel(PreTrainedModel):
    """Action logits of decoder steps.

    GRUs, logits and loss are computed in float32; the CNN in the type of a surrounding `torch.autocast`.
    """

    config_class = BapGruConfig
    main_input_name = "tokens"

    def __init__(self, config: BapGruConfig):
        super().__init__(config)
        # Words and actions
        first, middle, second = config.channels
        self.words = nn.Embedding(config.vocab_size, config.embedding)
        self.words.weight.requires_grad = config.vectors is None
        self.encoder = nn.GRU(config.embedding, config.hidden, batch_first=True)
        self.action = nn.Linear(ACTION_NUMBERS, config.action_size)
        self.decoder = nn.GRU(config.action_size, config.hidden, batch_first=True)
        # The board, and what is read off it
        self.conv1 = nn.Conv3d(CHANNELS, first, 3, padding=1)
        self.mid = nn.Linear(first, middle)  # 1x1x1 convolutions are matrix products: channels come last
        self.conv2 = nn.Conv3d(middle, second, 3, padding=1)
        self.head1 = nn.Linear(second + config.hidden, config.head[0])
        self.head2 = nn.Linear(config.head[0], config.head[1])
        self.out = nn.Linear(config.head[1], KINDS)
        sizes = (CELLS, *config.stop)
        self.stop = nn.ModuleList(nn.Linear(*pair) for pair in zip(sizes, (*config.stop, 1)))
        self.post_init()

    def _init_weights(self, module: nn.Module) -> None:
        """PyTorch's own weights, but for the words N(0, 0.3), and Xavier's in `action` and `stop`, without bias."""
        if module is self.words:
            nn.init.normal_(module.weight, std=0.3)
        elif module is self.action or any(module is layer for layer in self.stop):
            nn.init.xavier_uniform_(module.weight)
            nn.init.zeros_(module.bias)
        elif isinstance(module, (nn.Linear, nn.Conv3d, nn.GRU)):
            module.reset_parameters()

    def forward(
        self, tokens: torch.Tensor, lengths: torch.Tensor, poses: torch.Tensor, actions: torch.Tensor,
        item: torch.Tensor, position: torch.Tensor, boards: torch.Tensor, recent: torch.Tensor,
        labels: torch.Tensor | None = None,
    ) -> GruOutput:  # fmt: skip
        """Return the logits of S steps of B items, and with `labels` the loss.

        Args:
            tokens: int64 [B, L]: word numbers, 0 behind the end of an item.
            lengths: int64 [B]: words of each item.
            poses: float32 [B, 5].
            actions: float32 [B, T, 11]: the vectors of the actions before steps 0 to T - 1.
            item: int64 [S]: the item of each step.
            position: int64 [S]: the number of the step in its item.
            boards: uint8 [S, 1089].
            recent: int16 [S, 5].
            labels: int64 [S]: the class of each step's action.
        """
        with torch.autocast(tokens.device.type, enabled=False):
            states = self.decoder_states(actions, self.encoded(tokens, lengths))[item, position]
        levels = self.levels_of(boards, labels)
        logits = self.step_logits(states, self.grid(boards, recent, poses[item], int(levels.max())), levels)
        if labels is None:
            return GruOutput(logits=logits)
        step_losses = F.cross_entropy(logits, labels, reduction="none")
        n_steps = torch.zeros_like(lengths).index_add_(0, item, torch.ones_like(item))
        item_losses = logits.new_zeros(len(lengths)).index_add_(0, item, step_losses)
        return GruOutput((item_losses / n_steps).mean(), item_losses, logits)

    def encoded(self, tokens: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        """Return the state after the last word of each item: float32 [B, hidden]."""
        states = gru_states(self.encoder, self.words(tokens))
        return states[torch.arange(len(tokens), device=tokens.device), lengths - 1]

    def decoder_states(self, actions: torch.Tensor, state: torch.Tensor) -> torch.Tensor:
        """Return the states after each of the actions [B, T, 11], from `state` [B, hidden]: float32 [B, T, hidden]."""
        return gru_states(self.decoder, F.relu(self.action(actions)), state)

    def levels_of(self, boards: torch.Tensor, labels: torch.Tensor | None = None) -> torch.Tensor:
        """Return how many levels of each step's board are computed: int64 [S]; see `Steps.levels`."""
        if not self.config.height_crop:
            return torch.full((len(boards),), HEIGHT, device=boards.device)
        filled = (boards.view(-1, WIDTH, HEIGHT, DEPTH) != EMPTY).any(3).any(1)
        levels = (filled * torch.arange(2, HEIGHT + 2, device=boards.device)).amax(1).clamp(1, HEIGHT)
        if labels is not None:
            levels = levels.maximum(torch.where(labels == STOP, 0, labels // KINDS // DEPTH % HEIGHT + 1))
        return levels

    def grid(self, boards: torch.Tensor, recent: torch.Tensor, poses: torch.Tensor, levels: int) -> torch.Tensor:
        """Return the lowest levels of the grid that the CNN reads: float32 [S, x, y, z, 11].

        Channels: what is in the cell (six colors, empty), recency (5 at the cell of the last action, then 4, 3, 2, 1),
        and how far left, up and away of the Builder the cell is, in tens of cells.
        """
        steps, device = len(boards), boards.device
        content = torch.eye(KINDS, device=device)[boards.view(-1, WIDTH, HEIGHT, DEPTH)[:, :, :levels].long()]
        recency = torch.zeros(steps, CELLS + 1, device=device)  # the last place takes what is not on the board
        cells = torch.where(recent < 0, CELLS, recent.long())
        for age in reversed(range(RECENT)):  # the newest is written last
            recency.scatter_(1, cells[:, age : age + 1], float(RECENT - age))
        recency = recency[:, :CELLS].view(-1, WIDTH, HEIGHT, DEPTH, 1)[:, :, :levels]
        return torch.cat([content, recency, perspective(poses, levels) / 10], -1)

    def step_logits(self, states: torch.Tensor, grid: torch.Tensor, levels: torch.Tensor) -> torch.Tensor:
        """Float32 [S, 7624] from each step's state [S, hidden] and grid; `levels` are those that count in each step."""
        steps, height = len(grid), grid.shape[2]
        counts = torch.arange(height, device=grid.device) < levels[:, None]  # [S, y]
        counts = counts[:, None, :, None, None]
        all_count = bool(counts.all())

        def kept(values: torch.Tensor) -> torch.Tensor:
            """Zero above the levels that count, as beyond the edge: the other steps of the batch do not matter."""
            return values if all_count else values * counts.to(values.dtype)

        x = F.relu(self._convolved(self.conv1, kept(grid)), inplace=True)
        x = kept(F.relu(self.mid(x), inplace=True))
        x = F.relu(self._convolved(self.conv2, x), inplace=True)
        # A convolution of [x, state] is one of x plus one of the state, which is the same in every cell.
        width = x.shape[-1]
        joined = F.linear(x, self.head1.weight[:, :width])
        state = F.linear(states, self.head1.weight[:, width:], self.head1.bias)
        x = F.relu(joined + state[:, None, None, None].to(joined.dtype), inplace=True)
        # Zero channels up to a multiple of 32: products of 125 columns take several times as long as those of 128.
        spare = -self.config.head[1] % 32
        x = F.relu(F.linear(x, F.pad(self.head2.weight, (0, 0, 0, spare)), F.pad(self.head2.bias, (0, spare))), True)
        with torch.autocast(grid.device.type, enabled=False):
            weight = self.out.weight
            cells = F.linear(x.to(weight.dtype), F.pad(weight, (0, spare)), self.out.bias)  # [S, x, y, z, kinds]
            highest = kept(x.max(-1, keepdim=True).values.to(self.out.weight.dtype))[..., 0]
            stop = F.pad(highest, (0, 0, 0, HEIGHT - height)).reshape(steps, CELLS)
            for number, layer in enumerate(self.stop):
                stop = layer(F.relu(stop) if number else stop)
            if not all_count:
                cells = cells.masked_fill(~counts, -torch.inf)
            cells = F.pad(cells, (0, 0, 0, 0, 0, HEIGHT - height), value=-torch.inf)
            return torch.cat([cells.reshape(steps, STOP), stop], 1)

    @staticmethod
    def _convolved(layer: nn.Conv3d, x: torch.Tensor) -> torch.Tensor:
        """Return a convolution of [S, x, y, z, channels], whose channels come last before and after."""
        return layer(x.permute(0, 4, 1, 2, 3)).permute(0, 2, 3, 4, 1)


def perspective(poses: torch.Tensor, levels: int = HEIGHT) -> torch.Tensor:
    """Return each cell as seen from each pose, left, up and away in cells: [S, x, y, z, 3].

    `perspective_coordinates` for all cells at once. Computed, not kept: `from_pretrained` would leave garbage in a
    buffer that is not saved.
    """
    x = torch.arange(WIDTH, device=poses.device)[:, None, None] + X_MIN - poses[:, 0, None, None, None]
    y = torch.arange(levels, device=poses.device)[None, :, None] + Y_MIN - poses[:, 1, None, None, None]
    z = torch.arange(DEPTH, device=poses.device)[None, None, :] + Z_MIN - poses[:, 2, None, None, None]
    yaw, pitch = poses[:, 3, None, None, None], poses[:, 4, None, None, None]
    left = yaw.cos() * x + yaw.sin() * z
    ahead = yaw.cos() * z - yaw.sin() * x
    up = pitch.cos() * y + pitch.sin() * ahead
    away = pitch.cos() * ahead - pitch.sin() * y
    return torch.stack([left.expand_as(up), up, away], -1)


AutoConfig.register(BapGruConfig.model_type, BapGruConfig)
AutoModel.register(BapGruConfig, BapGruModel)
