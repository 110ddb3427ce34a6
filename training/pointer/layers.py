"""The layers of the pointer transformer: attention in which words and cells are seen relative to one another."""

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F
from transformers import PreTrainedConfig

KeysValues = tuple[torch.Tensor, torch.Tensor]  # [B, heads, L, head_size] each
EXCLUDED = -1e4  # added to the score of what is not there; finite, so that rows of nothing else give no NaN


class PointerConfig(PreTrainedConfig):
    """The sizes of a `PointerTransformer`, and what it reads.

    Args:
        vocab_size: words, with the special ones.
        hidden_size: width of all layers.
        attention_heads: of each layer.
        encoder_layers: over words, blocks, recent actions and pose.
        decoder_layers: over the answer so far and the encoder's states.
        intermediate_size: width of the feed-forward layers.
        rotary: positions of words, and cells, rotate queries and keys (RoPE in one and in three dimensions), so that
            attention sees where tokens are relative to one another; else they are only added to the embeddings.
        ranks: each block is told how many of its color are farther left, right, down, up, in front and behind.
        dropout: share of the layers' outputs that are dropped in training.
        max_actions: when decoding, an answer ends after so many net actions.
        features: what of an item it reads, see `features.FeatureSettings`.
        color_words: the numbers of the words of the six colors, which are added to blocks and actions of these colors:
            so attention finds the block that is called red before it has learned anything. None: no words are added.
    """

    model_type = "bap_pointer"

    vocab_size: int = 2
    hidden_size: int = 192
    attention_heads: int = 4
    encoder_layers: int = 4
    decoder_layers: int = 2
    intermediate_size: int = 768
    rotary: bool = True
    ranks: bool = True
    dropout: float = 0.0
    max_actions: int = 48
    features: dict | None = None
    color_words: list[int] | None = None


@dataclass
class Memory:
    """The states of B items after the encoder."""

    states: torch.Tensor  # [B, L, d]
    excluded: torch.Tensor  # [B, 1, 1, L]: 0, or EXCLUDED for padding
    rotation: tuple[torch.Tensor, torch.Tensor] | None  # of the L tokens
    blocks: torch.Tensor  # [B, N, d]: the states of the blocks


class Rotation(nn.Module):
    """Angles of tokens from their position among the words and their cell: four parts of each attention head.

    A word's cell is the last touched one, and a block is at word 0.
    """

    def __init__(self, head_size: int):
        super().__init__()
        self.pairs = head_size // 8  # of numbers that are rotated, for each of word, x, y and z

    def forward(self, position: torch.Tensor, dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
        """Cosines and sines, [B, 1, L, head_size // 2], of positions [B, L, 4]."""
        number = torch.arange(self.pairs, device=position.device)
        words, cells = 4.0**-number, 2.0 * 2.2**-number  # radians a word; radians a cell
        frequencies = torch.stack([words, cells, cells, cells])  # computed here: buffers do not survive a meta device
        angles = (position[..., None] * frequencies).flatten(2)[:, None]
        return angles.cos().to(dtype), angles.sin().to(dtype)


def rotated(x: torch.Tensor, rotation: tuple[torch.Tensor, torch.Tensor] | None) -> torch.Tensor:
    """Queries or keys [B, heads, L, head_size] turned by the angles of their tokens."""
    if rotation is None:
        return x
    cosine, sine = rotation
    first, second = x.chunk(2, -1)
    return torch.cat([first * cosine - second * sine, first * sine + second * cosine], -1)


def merged(heads: torch.Tensor) -> torch.Tensor:
    """Of [B, heads, L, head_size], the heads of each token side by side, [B, L, d]."""
    return heads.transpose(1, 2).flatten(2)


class Attention(nn.Module):
    """Multi-head attention of L tokens to themselves, or to M states of the encoder."""

    def __init__(self, config: PointerConfig):
        super().__init__()
        self.heads = config.attention_heads
        self.scale = (config.hidden_size // config.attention_heads) ** -0.5
        self.query = nn.Linear(config.hidden_size, config.hidden_size, bias=False)
        self.key_value = nn.Linear(config.hidden_size, 2 * config.hidden_size, bias=False)
        self.out = nn.Linear(config.hidden_size, config.hidden_size, bias=False)

    def forward(
        self, x: torch.Tensor, memory: torch.Tensor, excluded: torch.Tensor,
        rotation: tuple[torch.Tensor, torch.Tensor] | None, memory_rotation: tuple[torch.Tensor, torch.Tensor] | None,
    ) -> torch.Tensor:  # fmt: skip
        """
        Args:
            x: [B, L, d]; or [B * n, L, d], where n rows after one another read the same memory.
            memory: [B, M, d].
            excluded: added to the scores, broadcast to [B, heads, L, M].
        """
        query, (key, value) = self.queries(x, rotation), self.keys_values(memory, memory_rotation)
        if len(x) == len(memory):
            return self.out(merged(self.read(query, key, value, excluded)))
        # They read as so many tokens of one row would: nothing is copied for each of them
        together = query.unflatten(0, (len(memory), -1)).transpose(1, 2).flatten(2, 3)
        got = self.read(together, key, value, excluded)
        return self.out(merged(got.unflatten(2, (-1, x.shape[1])).transpose(1, 2).flatten(0, 1)))

    def queries(self, x: torch.Tensor, rotation: tuple[torch.Tensor, torch.Tensor] | None) -> torch.Tensor:
        """Return what tokens [B, L, d] look for, [B, heads, L, head_size]."""
        (query,) = self._split(self.query(x) * self.scale, 1)  # not in the weights: Adam would take larger steps
        return rotated(query, rotation)

    def keys_values(self, memory: torch.Tensor, rotation: tuple[torch.Tensor, torch.Tensor] | None) -> KeysValues:
        """Return by what tokens [B, M, d] are found, and what they give: [B, heads, M, head_size] each."""
        key, value = self._split(self.key_value(memory), 2)
        return rotated(key, rotation), value

    @staticmethod
    def read(
        query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, excluded: torch.Tensor | None
    ) -> torch.Tensor:
        """Return what the queries get, [B, heads, L, head_size]."""
        if query.is_cuda:
            mask = None if excluded is None else excluded.to(query.dtype)
            return F.scaled_dot_product_attention(query, key, value, attn_mask=mask, scale=1.0)
        # On CPUs the backward pass of PyTorch's own attention takes longer than this, in bfloat16 many times
        scores = query @ key.transpose(-1, -2)
        return (scores if excluded is None else scores + excluded).softmax(-1).to(value.dtype) @ value

    def _split(self, x: torch.Tensor, parts: int) -> tuple[torch.Tensor, ...]:
        """Return each part as [B, heads, L, head_size]."""
        return x.view(*x.shape[:2], parts, self.heads, -1).permute(2, 0, 3, 1, 4).unbind(0)


class Layer(nn.Module):
    """A transformer layer, normalized before each part; with attention to the encoder's states in a decoder."""

    def __init__(self, config: PointerConfig, decoder: bool):
        super().__init__()
        size = config.hidden_size
        self.own_norm, self.own = nn.LayerNorm(size, bias=False), Attention(config)
        if decoder:
            self.cross_norm, self.cross = nn.LayerNorm(size, bias=False), Attention(config)
        self.wide_norm = nn.LayerNorm(size, bias=False)
        self.wide = nn.Linear(size, config.intermediate_size, bias=False)
        self.narrow = nn.Linear(config.intermediate_size, size, bias=False)
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self,
        x: torch.Tensor,
        excluded: torch.Tensor,
        rotation: tuple[torch.Tensor, torch.Tensor] | None,
        memory: Memory | None = None,
    ) -> torch.Tensor:
        normed = self.own_norm(x)
        x = x + self.dropout(self.own(normed, normed, excluded, rotation, rotation))
        if memory is not None:
            read = self.cross(self.cross_norm(x), memory.states, memory.excluded, rotation, memory.rotation)
            x = x + self.dropout(read)
        return self._widened(x)

    def step(
        self,
        x: torch.Tensor,
        rotation: tuple[torch.Tensor, torch.Tensor] | None,
        past: KeysValues | None,
        cross: Callable[[torch.Tensor], torch.Tensor],
    ) -> tuple[torch.Tensor, KeysValues]:
        """Return what `forward` of a decoder's layer gives for the token after those that it has read.

        Args:
            x: [B, 1, d], the new token.
            past: of the tokens before it; None: it is the first.
            cross: from what the tokens look for in the encoder's states, what they get, [B, heads, 1, head_size] each.
        Returns: [B, 1, d], and the keys and values of all tokens.
        """
        normed = self.own_norm(x)
        key, value = self.own.keys_values(normed, rotation)
        if past is not None:
            key, value = torch.cat([past[0], key], 2), torch.cat([past[1], value], 2)
        x = x + self.own.out(merged(self.own.read(self.own.queries(normed, rotation), key, value, None)))
        x = x + self.cross.out(merged(cross(self.cross.queries(self.cross_norm(x), rotation))))
        return self._widened(x), (key, value)

    def _widened(self, x: torch.Tensor) -> torch.Tensor:
        """Return the layer's last part."""
        return x + self.dropout(self.narrow(F.relu(self.wide(self.wide_norm(x)), inplace=True)))


def initialized(module: nn.Module) -> None:
    """Small embeddings, and PyTorch's own linear layers but for small ones that add to the stream."""
    if isinstance(module, nn.Embedding):
        nn.init.normal_(module.weight, std=0.05)
    elif isinstance(module, nn.Linear):
        module.reset_parameters()
    elif isinstance(module, nn.LayerNorm):
        nn.init.ones_(module.weight)
    elif isinstance(module, Layer):
        nn.init.normal_(module.narrow.weight, std=0.02)
    elif isinstance(module, Attention):
        nn.init.normal_(module.out.weight, std=0.02)
