"""Training items in other forms: other colors, mirrored, shifted, in other words.

Quarter turns are not among them: in the Builder's frame a turned item is the same item. Each form is drawn where it is
safe, and the item stays as it is where it is not. Dialogues before the previous one never keep an item from its form:
of them, those are left out that cannot be said in it, with all that are older.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import takewhile
from random import Random

from bap_v2_dataset.augmentation.lexicon import paraphrased
from bap_v2_dataset.augmentation.mirroring import mirrored_cell, mirrored_lines, mirrored_pose
from bap_v2_dataset.augmentation.model_text import line_digest, paraphrase, paraphrases
from bap_v2_dataset.augmentation.transforms import recolored
from bap_v2_metric.blocks import X_MAX, X_MIN, Z_MAX, Z_MIN, Cell
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.settings import check_rates
from bap_v2_training.learning.net_actions import COLORS, REMOVE, Numbers
from bap_v2_training.pointer.examples import PointerExample

# Colors that no block has: nobody knows which of the six is meant, so the six cannot change places.
_FOREIGN = re.compile(r"\b(?:brown|pink|violet|magenta|cyan|gold(?:en)?|gr[ae]y|black|turquoise|dark|light)\b", re.I)
# Words that say where something is in the region.
_PLACE = re.compile(
    r"\b(?:middle|cent(?:er|re)(?:ed)?|central|corners?|edges?|borders?|boundar\w+|perimeter|board|grid|region|area|walls?|"
    r"arena|map|zone|field|limits?|white|platform)\b",
    re.I,
)


@dataclass(frozen=True)
class AugmentationSettings:
    """Rates at which an item is learned in another form, where that is safe."""

    colors: float = 1.0  # another permutation of the six colors, all 720 equally likely
    mirror: float = 0.5  # left for right
    shift: float = 0.5  # moved with the Builder, as far as all cells stay inside, all places equally likely
    synonyms: float = 0.5  # with words of the lexicon
    paraphrases: float = field(default=0.0, repr=False)  # of lines of human train games, by a larger model

    def __post_init__(self) -> None:
        check_rates(**vars(self))


def augmented(example: PointerExample, rng: Random, settings: AugmentationSettings) -> PointerExample:
    """Return the example in another form; the same draw gives the same form."""
    draws = {name: rng.random() < getattr(settings, name) for name in ("colors", "mirror", "shift", "synonyms")}
    order = rng.sample(range(len(COLORS)), len(COLORS))
    x, z = rng.random(), rng.random()
    if settings.paraphrases:
        example = _with_words(example, lambda text: paraphrase(text, rng, settings.paraphrases))
    if draws["mirror"]:
        example = mirrored(example) or example
    if draws["shift"]:
        example = shifted(example, x, z)
    if draws["synonyms"]:
        example = _with_words(example, lambda text: paraphrased(text, rng)[0])
    if draws["colors"]:
        example = permuted(example, order)
    return example


def has_paraphrases(example: PointerExample) -> bool:
    """Return whether a line of its dialogue has some."""
    return any(line_digest(line.partition(" ")[2]) in paraphrases() for line in example.dialogue)


def permuted(example: PointerExample, order: list[int]) -> PointerExample:
    """With block color `order[c]` for c, in the words too; as it is if somebody names a color that no block has."""
    if _says(_FOREIGN, (*example.previous, *example.dialogue)):
        return example
    colors = {color: COLORS[new] for color, new in zip(COLORS, order)}
    example = _with_words(_until(_FOREIGN, example), lambda text: recolored(text, colors))
    return _with_actions(example, lambda kind, *cell: (order[kind] if kind < REMOVE else kind, *cell))


def mirrored(example: PointerExample) -> PointerExample | None:
    """With left for right; None if that cannot be said of what is in its words."""
    previous, dialogue = mirrored_lines(example.previous), mirrored_lines(example.dialogue)
    if previous is None or dialogue is None:
        return None
    pose = mirrored_pose(Pose(*example.pose))
    earlier = tuple(takewhile(lambda lines: lines is not None, map(mirrored_lines, example.earlier)))
    example = _with_actions(example, lambda kind, *cell: (kind, *mirrored_cell(cell)))
    pose_in_order = (pose.x, pose.y, pose.z, pose.yaw, pose.pitch)
    return example._replace(dialogue=dialogue, previous=previous, earlier=earlier, pose=pose_in_order)


def shifted(example: PointerExample, x: float, z: float) -> PointerExample:
    """Moved along x and z, as far as its blocks stay in the region; as it is if its words name a place there.

    Args:
        x, z: in [0, 1), which of the possible distances.
    """
    # Actions and blocks outside the region do not keep the others from being moved
    cells = [Cell(*cell) for _, *cell in (*example.recent, *example.blocks, *example.net)]
    inside = [cell for cell in cells if cell.in_region]
    if not inside or _says(_PLACE, (*example.previous, *example.dialogue)):
        return example
    # One of the distances at which all stay inside
    xs, zs = [cell.x for cell in inside], [cell.z for cell in inside]
    dx = _drawn(X_MIN - min(xs), X_MAX - max(xs), x)
    dz = _drawn(Z_MIN - min(zs), Z_MAX - max(zs), z)
    px, y, pz, yaw, pitch = example.pose
    example = _until(_PLACE, example)._replace(pose=(px + dx, y, pz + dz, yaw, pitch))
    return _with_actions(example, lambda kind, x, y, z: (kind, x + dx, y, z + dz))


def _drawn(low: int, high: int, share: float) -> int:
    return low + int(share * (high - low + 1))


def _says(pattern: re.Pattern, lines: Iterable[str]) -> bool:
    return any(pattern.search(line) for line in lines)


def _until(pattern: re.Pattern, example: PointerExample) -> PointerExample:
    """Without the earlier dialogues from the newest one on that says this."""
    return example._replace(earlier=tuple(takewhile(lambda lines: not _says(pattern, lines), example.earlier)))


def _with_actions(example: PointerExample, change: Callable[..., Numbers]) -> PointerExample:
    """With other actions and blocks. Args: change: of type, x, y and z."""
    kinds = ("recent", "blocks", "net")
    return example._replace(**{name: tuple(change(*one) for one in getattr(example, name)) for name in kinds})


def _with_words(example: PointerExample, change: Callable[[str], str]) -> PointerExample:
    """With other words in its utterances; the speakers stay."""

    def changed(lines: Iterable[str]) -> tuple[str, ...]:
        parts = (line.partition(" ") for line in lines)
        return tuple(f"{speaker}{space}{change(text)}" for speaker, space, text in parts)

    dialogue, previous = changed(example.dialogue), changed(example.previous)
    return example._replace(dialogue=dialogue, previous=previous, earlier=tuple(map(changed, example.earlier)))
