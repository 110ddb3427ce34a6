"""The features of items as small integer arrays, all cells in the Builder's frame, and batches of them.

A batch is a dict of tensors, B items padded to the longest:

    words     int64 [B, W]     numbers in the vocabulary: what was said before, then D; 0 is padding
    segments  int64 [B, W]     PREVIOUS, DIALOGUE, or DIALOGUE + n for the n-th dialogue before the previous one
    blocks    int64 [B, N, 4]  the board: color, x, y, z, in order of placement; color -1 is padding
    recent    int64 [B, 8, 4]  the last actions before the item: type, x, y, z, the newest first; type -1 is padding
    pose      float32 [B, 5]   x, y, z in cells; yaw and pitch in degrees; yaw in [-45, 45)
    last      int64 [B, 3]     the cell of the newest action; zeros if there is none
    has_last  bool [B]
    targets   int64 [B, T, 4]  net actions: type, x, y, z; then the type STOP; type -1 is padding

for a Builder that reads earlier dialogues,

    placed    int64 [B, N]     how many runs of actions ago a block was placed, at most EARLIER + 1; 0: none is known

and, for a Builder with a `reader.Reader`,

    subwords  int64 [B, S]     what the language model reads; -1 is padding
    ends      int64 [B, W]     which of the subwords is the last one of each word; -1: none that is read

Every utterance begins with the token of its speaker, so that the number of utterances and who speaks are seen. Cells of
`recent` and `last` may be outside the region, where people build, too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property

import numpy as np
import torch

from bap_v2_dataset.items.frame import WORLD, frame_of
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.vocabulary import Vocabulary, tokens_of
from bap_v2_training.pointer.examples import EARLIER, RECENT, STOP, PointerExample
from bap_v2_training.pointer.reader import ReaderSettings, reader_settings, subwords_of

SPEAKERS = {"<Architect>": "<architect>", "<Builder>": "<builder>"}  # the first token of an utterance
SPECIAL = tuple(SPEAKERS.values())
PREVIOUS, DIALOGUE = 1, 2
UNKNOWN = 1  # the number of <unk>
PLAIN = 2 + len(SPECIAL)  # words of people have this number or a higher one

_PADDING = {"words": 0, "segments": 0, "placed": 0}  # -1 elsewhere
_COS, _SIN = np.array([1, 0, -1, 0]), np.array([0, 1, 0, -1])


@dataclass(frozen=True)
class FeatureSettings:
    """The parts of an item that a Builder sees. A model keeps its own in its config, as `features`."""

    frame: str = "builder"  # or `world`: cells as they are, and the yaw in [-180, 180)
    pose: bool = True  # False: zeros; with the frame `world` nothing is known of the pose then
    structure: bool = True  # False: an empty board
    history: bool = True  # False: neither the previous dialogue nor the last actions
    dialogue_words: int = 128  # at most, the newest
    earlier_dialogues: int = 0  # that are read before the previous one, with which run of actions placed each block
    previous_words: int = 48  # at most, the newest, of the previous dialogue and the earlier ones
    reader: dict | None = None  # fields of `reader.ReaderSettings`; None: no language model reads

    def __post_init__(self) -> None:
        # True or false, which may come as texts from the command line
        for name in ("pose", "structure", "history"):
            value = {"true": True, "false": False}.get(str(getattr(self, name)).lower())
            if value is None:
                raise UsageError(f"features: {name} is {getattr(self, name)!r}: expected true or false")
            object.__setattr__(self, name, value)
        # The frame, which needs a pose
        if self.frame not in ("builder", "world"):
            raise UsageError(f"features: unknown frame {self.frame!r} (expected builder or world)")
        if not self.pose and self.frame == "builder":
            raise UsageError("features: the Builder's frame follows from the pose: without it set frame: world")
        # Numbers, which may come as texts from the command line
        for name in ("dialogue_words", "previous_words", "earlier_dialogues"):
            value = getattr(self, name)
            if isinstance(value, str) and value.isdigit():  # of NAME=VALUE
                object.__setattr__(self, name, int(value))
            elif type(value) is not int:
                raise UsageError(f"features: {name} is {value!r}: expected a whole number")
        for name in ("dialogue_words", "previous_words"):
            if getattr(self, name) < 1:
                raise UsageError(f"features: {name} is {getattr(self, name)}: expected a positive number")
        if not 0 <= self.earlier_dialogues <= EARLIER:
            raise UsageError(f"features: earlier_dialogues is {self.earlier_dialogues}: expected 0 to {EARLIER}")
        if self.reader is not None:
            object.__setattr__(self, "reader", asdict(reader_settings(self.reader)))

    @property
    def language_model(self) -> ReaderSettings | None:
        """The settings of the reader; None: there is none."""
        return None if self.reader is None else reader_settings(self.reader)


EVERYTHING = FeatureSettings()
READ_LATER = ("dialogue_words", "previous_words", "earlier_dialogues")  # may change while a model is trained further


def tokens_in(lines: Iterable[str]) -> list[str]:
    """Return the tokens of utterances, each with its speaker in front.

    >>> tokens_in(["<Architect> Two red ones, please", "<Builder> ok"])
    ['<architect>', 'two', 'red', 'ones', ',', 'please', '<builder>', 'ok']
    """
    tokens: list[str] = []
    for line in lines:
        speaker, _, text = line.partition(" ")
        tokens.append(SPEAKERS[speaker])
        tokens += tokens_of(text)
    return tokens


def vocabulary_of(examples: Iterable[PointerExample], least: int = 2) -> Vocabulary:
    """Return the words that occur at least `least` times in what is said in these examples."""
    return Vocabulary.of(
        (tokens_in(lines) for example in examples for lines in (example.previous, example.dialogue)), SPECIAL, least
    )


def said_before(example: PointerExample, settings: FeatureSettings) -> list[tuple[int, tuple[str, ...]]]:
    """Return the dialogues before D that are seen, the oldest first, each with its number among `segments`."""
    if not settings.history:
        return []
    earlier = [(DIALOGUE + age, lines) for age, lines in enumerate(example.earlier[: settings.earlier_dialogues], 1)]
    return [*reversed(earlier), (PREVIOUS, example.previous)]


class PackedItems:
    """The features of many items, one array a kind: what all items have of it, one after the other.

    About 500 bytes an item; with a reader 800.
    """

    def __init__(
        self, examples: Sequence[PointerExample], vocabulary: Vocabulary, settings: FeatureSettings = EVERYTHING
    ):
        self.settings = settings
        # One list of each kind, and where each item ends in it
        lists: dict[str, list] = {name: [] for name in ("words", "segments", "blocks", "placed", "targets", "recent")}
        bounds: dict[str, list[int]] = {"words": [0], "blocks": [0], "targets": [0]}
        for number, example in enumerate(examples, 1):
            for said, most in (
                (said_before(example, settings), settings.previous_words),
                ([(DIALOGUE, example.dialogue)], settings.dialogue_words),
            ):
                tokens = [(token, segment) for segment, lines in said for token in tokens_in(lines)][-most:]
                lists["words"] += vocabulary.ids([token for token, _ in tokens])
                lists["segments"] += [segment for _, segment in tokens]
            if settings.history:
                lists["recent"] += example.recent
            lists["recent"] += [(-1, 0, 0, 0)] * (number * RECENT - len(lists["recent"]))
            if settings.structure:
                lists["blocks"] += example.blocks
                lists["placed"] += (settings.history * min(run, EARLIER + 1) for run in example.placed)
            lists["targets"] += (*example.net, (STOP, 0, 0, 0))
            for name, ends in bounds.items():
                ends.append(len(lists[name]))
        self._bounds = {name: np.array(ends, np.int64) for name, ends in bounds.items()}
        self._bounds |= {"segments": self._bounds["words"], "placed": self._bounds["blocks"]}

        # Poses and cells as the Builder of each item sees them
        n = len(examples)
        poses = np.array([example.pose for example in examples], np.float64).reshape(n, 5)
        frames = [frame_of(yaw) if settings.frame == "builder" else WORLD for yaw in poses[:, 3].tolist()]
        self.turns = np.array([frame.quarter_turns for frame in frames], np.int8)
        self.pose = _pose_in_frame(poses, self.turns) if settings.pose else np.zeros((n, 5), np.float32)

        def cells(name: str, numbers: np.ndarray | int) -> np.ndarray:
            return _in_frame(np.array(lists[name], np.int64).reshape(-1, 4), np.repeat(self.turns, numbers))

        self.recent = cells("recent", RECENT).reshape(n, RECENT, 4)
        self._flat = {
            "words": np.array(lists["words"], np.int32),
            "segments": np.array(lists["segments"], np.int8),
            "blocks": cells("blocks", np.diff(self._bounds["blocks"])),
            "targets": cells("targets", np.diff(self._bounds["targets"])),
        }
        if settings.earlier_dialogues:
            self._flat["placed"] = np.array(lists["placed"], np.int8)
        if reader := settings.language_model:
            self._add_subwords(examples, reader)

    def _add_subwords(self, examples: Sequence[PointerExample], reader: ReaderSettings) -> None:
        """Add what a language model reads of the items, and which of its subwords are the last ones of words."""
        dialogues = [
            ([line for _, lines in said_before(example, self.settings) for line in lines], example.dialogue)
            for example in examples
        ]
        read, none = subwords_of(dialogues, reader), np.zeros(0, np.int32)
        self._bounds["subwords"] = np.cumsum([0, *(len(subwords) for subwords, _, _ in read)])
        self._flat["subwords"] = np.concatenate([none, *(subwords for subwords, _, _ in read)])
        # As many as there are words
        ends = [none]
        for _, previous, dialogue in read:
            ends += [previous[-self.settings.previous_words :], dialogue[-self.settings.dialogue_words :]]
        self._bounds["ends"], self._flat["ends"] = self._bounds["words"], np.concatenate(ends)

    def __len__(self) -> int:
        return len(self.turns)

    @cached_property
    def lengths(self) -> np.ndarray:
        """The numbers of words and blocks of each item, which most of its work depends on, [n, 2].

        Not its actions: in batches of items with equally many, the number of actions is no news, and when to stop is
        learned far more slowly.
        """
        return np.stack([np.diff(self._bounds[name]) for name in ("words", "blocks")], 1)

    def batch(self, indices: Sequence[int] | np.ndarray) -> dict[str, np.ndarray]:
        """Return these items, padded; see the module for the arrays, and `tensors` for a model's input."""
        indices = np.asarray(indices, np.int64)
        recent = self.recent[indices]
        has_last = recent[:, 0, 0] >= 0
        return {
            **{name: self._padded(name, indices, _PADDING.get(name, -1)) for name in self._flat},
            "recent": recent,
            "pose": self.pose[indices],
            "last": recent[:, 0, 1:],
            "has_last": has_last,
        }

    def _padded(self, name: str, indices: np.ndarray, padding: int) -> np.ndarray:
        """Return what these items have of a kind, [B, longest, ...]: at least 1 long. Cells of padding are zeros."""
        flat, bounds = self._flat[name], self._bounds[name]
        starts = bounds[indices]
        lengths = bounds[indices + 1] - starts
        place = np.arange(max(1, lengths.max(initial=0)))
        there = place < lengths[:, None]
        padded = np.zeros((*there.shape, *flat.shape[1:]), flat.dtype)
        if flat.ndim == 1:
            padded[:] = padding
        else:
            padded[..., 0] = padding
        padded[there] = flat[(starts[:, None] + place)[there]]
        return padded


def tensors(batch: Mapping[str, np.ndarray]) -> dict[str, torch.Tensor]:
    """Return a batch as a model takes it: integers are int64."""
    kinds = {"pose": np.float32, "has_last": np.bool_}
    return {
        name: torch.from_numpy(np.ascontiguousarray(values, kinds.get(name, np.int64)))
        for name, values in batch.items()
    }


def collate(
    examples: Sequence[PointerExample], vocabulary: Vocabulary, settings: FeatureSettings = EVERYTHING
) -> dict[str, torch.Tensor]:
    """Return the batch of these examples, in their order."""
    return tensors(PackedItems(examples, vocabulary, settings).batch(range(len(examples))))


def _in_frame(rows: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Rows of type, x, y, z with their cells in frames of so many quarter turns; see `frame.Frame.cell`."""
    cos, sin, (kind, x, y, z) = _COS[turns], _SIN[turns], rows.T
    framed = np.stack([kind, cos * x + sin * z, y, cos * z - sin * x], 1)
    return framed.clip(-100, 100).astype(np.int8)  # people have built 30 cells away


def _pose_in_frame(poses: np.ndarray, turns: np.ndarray) -> np.ndarray:
    """Poses in their frames, to a thousandth: turned worlds give the same numbers; see `frame.Frame.pose`."""
    cos, sin, (x, y, z, yaw, pitch) = _COS[turns], _SIN[turns], poses.T
    x, z = x - 0.5, z - 0.5
    yaw = (yaw - 90.0 * turns + 180.0) % 360.0 - 180.0
    return np.stack([cos * x + sin * z + 0.5, y, cos * z - sin * x + 0.5, yaw, pitch], 1).round(3).astype(np.float32)
