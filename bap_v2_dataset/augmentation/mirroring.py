"""The mirrored world: x becomes -x, and left becomes right in the words, wherever that is what they mean.

"Right" is often no direction ("right on top", "that's right"), and "left" neither ("what's left"). The rules here were
written from the chat lines of the human train and validation splits. They decide by the words around each one; where
they cannot, there is no mirrored line.
"""

import re
from collections.abc import Callable, Iterable

from bap_v2_dataset.augmentation.lexicon import cased
from bap_v2_dataset.augmentation.patterns import patterns_beside
from bap_v2_metric.blocks import Cell
from bap_v2_simulators.pose import Pose, wrapped_yaw

SIDE_WORD = re.compile(  # left, right, leftmost, right-hand, ...: `word` is the side, `end` what follows
    r"(?<![a-z'])(?P<word>left|right)(?P<end>s(?=')|s|-?most|-?hand|-?wards?|-?sides?)?(?![a-z]|'(?!s\b))",
    re.IGNORECASE,
)
_OTHER = {"left": "right", "right": "left"}

_SAID = patterns_beside(__file__)


def is_direction(text: str, match: re.Match) -> bool | None:
    """Decide by the words around it whether a SIDE_WORD in a text is a direction; None if they do not tell."""
    if any(found.start() <= match.start() < found.end() for found in _SAID.UNSURE.finditer(text)):
        return None
    text = text.lower()
    before, after = text[: match.start()], text[match.end() :]
    if match["end"] and match["end"].lower() != "s":
        return True  # leftmost, right-hand
    if match["word"].lower() == "left":
        return _is_left(before, after)
    return _is_right(before, after)


def swapped(text: str, direction: Callable[[str, re.Match], bool | None] = is_direction) -> str | None:
    """Return the text with left for right and right for left, capitals kept; None if one is undecided.

    Args:
        direction: says of the text and a SIDE_WORD in it whether that one changes; None if it is undecided.
    """
    parts: list[str] = []
    done = 0
    for match in SIDE_WORD.finditer(text):
        changes = direction(text, match)
        if changes is None:
            return None
        if changes:
            parts += [text[done : match.start()], cased(_OTHER[match["word"].lower()], match["word"])]
            done = match.end("word")
    return "".join(parts) + text[done:]


def mirrored_text(text: str) -> str | None:
    """Return the chat line with left for right and right for left, where they are directions; None if one is undecided.

    Capitals are kept. Mirrored twice, a line is as it was; a line for which that fails counts as undecided.

    >>> mirrored_text("Right, now one to the Left of it, right on top of the rightmost red")
    'Right, now one to the Right of it, right on top of the leftmost red'
    >>> mirrored_text("is it two blocks left?") is None
    True
    """
    once = swapped(text)
    return once if once is not None and swapped(once) == text else None


def has_a_mirror_image(text: str) -> bool:
    """Return whether a line means the same in the mirrored world, apart from left and right: it names no such figure.

    >>> has_a_mirror_image("an L shape"), has_a_mirror_image("a T of 5 blocks")
    (False, True)
    """
    return _SAID.CHIRAL.search(text) is None


def mirrored_lines(lines: Iterable[str]) -> tuple[str, ...] | None:
    """Return utterances, `<Architect> ...`, of the mirrored world; None if there is no saying what they would be."""
    mirrored = []
    for line in lines:
        speaker, space, text = line.partition(" ")
        other = mirrored_text(text) if has_a_mirror_image(text) else None
        if other is None:
            return None
        mirrored.append(f"{speaker}{space}{other}")
    return tuple(mirrored)


def mirrored_cell(cell: tuple[int, int, int]) -> Cell:
    """Return the cell in the mirrored world. The mirror stands in the middle of the cells with x = 0.

    >>> mirrored_cell((2, 1, 3))
    Cell(x=-2, y=1, z=3)
    """
    x, y, z = cell
    return Cell(-x, y, z)


def mirrored_pose(pose: Pose) -> Pose:
    """Return the pose in the mirrored world: a cell is named by its corner, so the mirror is at x = 0.5.

    >>> mirrored_pose(Pose(2.0, 1.0, -3.0, yaw=90.0, pitch=20.0))
    Pose(x=-1.0, y=1.0, z=-3.0, yaw=-90.0, pitch=20.0)
    """
    return Pose(1.0 - pose.x, pose.y, pose.z, wrapped_yaw(-pose.yaw), pose.pitch)


def _is_left(before: str, after: str) -> bool | None:
    if _SAID.NAMED.search(before) or _SAID.TOGETHER.match(after):
        return True
    if _SAID.REMAINING.search(before):
        return False
    if _SAID.GAVE.match(after):  # "and left a space"
        return None
    if _SAID.AMOUNT.search(before) and not _SAID.OF_IT.match(after):  # "two blocks left": remain, or to the left?
        return True if _SAID.PATH.match(after) else None
    if _SAID.THING.match(after) or _SAID.MOVED.search(before) or not (before + after).strip(" .,!?"):
        return True
    return True if _SAID.COUNTED.search(before) and _SAID.PATH.match(after) else None


def _is_right(before: str, after: str) -> bool | None:
    # What stands before or behind it names a direction, or says "exactly".
    if _SAID.NAMED.search(before):
        correct = re.search(r"\bthe\W+$", before) and _SAID.CORRECT.match(after)
        return None if correct and "one" in correct[0] else not correct
    if _SAID.EXACTLY.match(after):
        return False
    if _SAID.THING.match(after) or _SAID.TOGETHER.match(after):
        return None if _SAID.JUDGED.search(before) and not _SAID.OF_IT.match(after) else True
    # It opens the line, or asks for agreement.
    if not before.strip():
        return False if re.match(r"[,!]\W*\w", after) else None  # "Right, and now ..."
    if after.lstrip().startswith("?"):
        asked = before.rstrip().endswith(",") or not (_SAID.COUNTED.search(before) or _SAID.MOVED.search(before))
        return False if asked else None  # "..., right?"
    # It agrees, or says where something moves.
    if _SAID.AGREED.search(before):
        return False
    if not after.strip() and (before.rstrip().endswith(",") or _SAID.COUNTED.search(before)):
        return None  # "you have them already, right", "it's a row of 5 right"
    return True if _SAID.MOVED.search(before) or _SAID.COUNTED.search(before) else None
