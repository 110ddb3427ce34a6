"""Left for right and right for left, where they are directions."""

from collections.abc import Sequence

from bap_v2_dataset.augmentation import mirroring


def mirrored_lines(lines: Sequence[str], human: bool) -> tuple[str, ...] | None:
    """Utterances in a mirrored world; None if there is no saying what they would be."""
    return mirroring.mirrored_lines(lines)
