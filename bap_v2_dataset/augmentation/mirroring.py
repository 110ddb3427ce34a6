"""The mirrored world: x becomes -x, and left becomes right in the words, wherever that is what they mean.

"Right" is often no direction ("right on top", "that's right"), and "left" neither ("what's left"). The rules here were
written from the chat lines of the human train and validation splits. They decide by the words around each one; where
they cannot, there is no mirrored line.
"""

import re
from collections.abc import Callable, Iterable

from bap_v2_dataset.augmentation.lexicon import cased
from bap_v2_metric.blocks import Cell
from bap_v2_simulators.pose import Pose, wrapped_yaw

SIDE_WORD = re.compile(  # left, right, leftmost, right-hand, ...: `word` is the side, `end` what follows
    r"(?<![a-z'])(?P<word>left|right)(?P<end>s(?=')|s|-?most|-?hand|-?wards?|-?sides?)?(?![a-z]|'(?!s\b))",
    re.IGNORECASE,
)
_OTHER = {"left": "right", "right": "left"}

_UNITS = r"spaces?|squares?|spots?|steps?|tiles?|cells?|units?|over|times"
_BLOCKS = r"blocks?|bricks?|pieces?|cubes?"
_NUMBERS = r"\d+|one|two|three|four|five|six|seven|eight|nine|ten"
_COLORS = r"reds?|oranges?|yellows?|greens?|blues?|purples?"

_NAMED = re.compile(  # in front of a direction
    r"\b(?:the|your|ur|its|it's|my|their|our|his|far|farthest|furthest|most|very|immediate|current|top|bottom|upper|"
    r"lower|back|front|rear|to|from|towards?|on|at|facing)\W+$"
)
_CORRECT = re.compile(  # behind "the right", the correct
    r"\s+(?:place(?!\W+(?:\d|[a-z]+ (?:blocks?|bricks?|ones?)\b|an?\b|another|the\b|one\b|two\b|three\b|it\b))|"
    r"way|idea|colou?rs?|shapes?|structure|spot|track|thing|number|amount|position|orientation|location|"
    r"path|pattern|direction|height|order|answer|ones?\b(?!\W*(?:space|square|spot|block|more|up|down)))\b"
)
_THING = re.compile(  # behind a direction
    r"\s*(?:sides?|corners?|edges?|ends?|hands?|legs?|arms?|columns?|rows?|walls?|towers?|stacks?|lines?|foot|feet|"
    rf"eyes?|wings?|half|part|most|face|faces|of|from|{_BLOCKS}|{_UNITS}|{_NUMBERS}|{_COLORS})\b"
    r"(?!\W*(?:this|that|which|what|your|my) (?:angle|view|perspective|pov|side))"
)
_EXACTLY = re.compile(  # behind a "right" that means exactly, or at once
    r"\W*(?:now|here|there|above|below|under|underneath|beneath|behind|beside|next|where|between|against|angles?|away|"
    r"adjacent|alongside|inside|atop|on top|at the|onto|in (?:front|the|between)|infront|up against|back to)\b"
)
_AGREED = re.compile(  # in front of a "right" that means correct
    r"\b(?:all|that|that's|thats|this|is this|is it|it's|its|it is|(?<!on )you're|youre|you are|was|looks?|just|not|"
    r"isn't|isnt|yes|yeah|yea|yep|yup|oh|ok|okay|ah|no|uh|exactly|sounds?|seems?|do it|did it|got it|had it|have it|"
    r"done|doing|get it|about|quite|be)\W*$"
)
_JUDGED = re.compile(r"\b(?:that's|thats|that is|this is|looks?|seems?|you're|you are|isn't)\W+$")
_REMAINING = re.compile(  # in front of a "left" that means remaining, or gone from
    r"\b(?:what's|whats|what is|have|has|had|we're|any|anything|nothing|i|you|we|they|i've|you've|that is|is all|"
    r"are)\W*$"
)
_MOVED = re.compile(  # in front of a direction
    r"\b(?:go|goes|going|move|moves|moved|moving|shift|shifts|shifted|turn|turned|face|look|looking|expand|extend|"
    r"further|farther|more|start|starting|diagonal|diagonally|up|down|and|or|front|back|forwards?|backwards?)\W+$"
    rf"|\b(?:{_NUMBERS}|an?|few)\W+(?:more\W+)?(?:{_UNITS}|places?)\W+$|[/,&]\s*$"
)
_AMOUNT = re.compile(rf"\b(?:{_NUMBERS})\W+(?:more\W+)?(?:(?:{_COLORS})\W+)?(?:{_BLOCKS})\W+$")
_OF_IT = re.compile(r"\s+(?:of|from|most|sides?|corners?|edges?|ends?)\b")  # behind a direction, whatever is before it
# A "right" that the rules below would take for a direction: "check that it's right", "stay right over it".
_UNSURE = re.compile(
    r"(?<!to )(?<!on )(?<!of )(?<!from )\bit'?s right(?![a-z-]|s? (?:most|hand|side|corner|edge|end)\b)"
    r"|\bright(?: over|[ -]angles?)\b|\bthe right (?:starting|structure|square)\b|\blook right\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(rf"\b(?:{_NUMBERS})(?:\W+more)?(?:\W+(?:{_BLOCKS}))?\W+$")
_PATH = re.compile(
    rf"\W*(?:(?:and|or|then)\W+)?(?:go\W+)?(?:{_NUMBERS})?\W*(?:{_UNITS}|places?)?\W*(?:up|down|forwards?|back)\b"
)
_TOGETHER = re.compile(  # behind a direction: another one
    r"\W*and\W+(?:behind|in front|infront|below|above|under|up|down|on top|over|forwards?|back|away|towards?)\b"
)
_GAVE = re.compile(r"\W*(?:an?|the|some|enough|it|out|over|off|behind|them|open|empty|in|with|for|here|blank)\b")

# Figures that look different in a mirror, as people name them.
_CHIRAL = re.compile(
    r"\b(?:spirals?|swirls?|question marks?|arrows?|(?:counter|anti)?-?clockwise|helix)\b"
    r"|(?<![\w'])[b-gj-lnp-sz](?![\w'])(?!\))"  # a letter that is not its own mirror image, on its own
    r"|\b(?:number|digit|letter|like an?|an?|the)\W+[2-79](?!\w)(?!\W*(?:x|by|blocks?|high|tall|long|wide|more)\b)"
    r"|\b[2-79]\W?shaped?\b"
    r"|\b(?:north|south|east|west)(?:ern|wards?)?\b",
    re.IGNORECASE,
)


def is_direction(text: str, match: re.Match) -> bool | None:
    """Decide by the words around it whether a SIDE_WORD in a text is a direction; None if they do not tell."""
    if any(found.start() <= match.start() < found.end() for found in _UNSURE.finditer(text)):
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
    return _CHIRAL.search(text) is None


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
    if _NAMED.search(before) or _TOGETHER.match(after):
        return True
    if _REMAINING.search(before):
        return False
    if _GAVE.match(after):  # "and left a space"
        return None
    if _AMOUNT.search(before) and not _OF_IT.match(after):  # "two blocks left": remain, or to the left?
        return True if _PATH.match(after) else None
    if _THING.match(after) or _MOVED.search(before) or not (before + after).strip(" .,!?"):
        return True
    return True if _COUNTED.search(before) and _PATH.match(after) else None


def _is_right(before: str, after: str) -> bool | None:
    # What stands before or behind it names a direction, or says "exactly".
    if _NAMED.search(before):
        correct = re.search(r"\bthe\W+$", before) and _CORRECT.match(after)
        return None if correct and "one" in correct[0] else not correct
    if _EXACTLY.match(after):
        return False
    if _THING.match(after) or _TOGETHER.match(after):
        return None if _JUDGED.search(before) and not _OF_IT.match(after) else True
    # It opens the line, or asks for agreement.
    if not before.strip():
        return False if re.match(r"[,!]\W*\w", after) else None  # "Right, and now ..."
    if after.lstrip().startswith("?"):
        asked = before.rstrip().endswith(",") or not (_COUNTED.search(before) or _MOVED.search(before))
        return False if asked else None  # "..., right?"
    # It agrees, or says where something moves.
    if _AGREED.search(before):
        return False
    if not after.strip() and (before.rstrip().endswith(",") or _COUNTED.search(before)):
        return None  # "you have them already, right", "it's a row of 5 right"
    return True if _MOVED.search(before) or _COUNTED.search(before) else None
