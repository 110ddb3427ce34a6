"""Landmarks: the middle of a row, the corner of an L, the second block from the left, the one between two others.

`{r}` is the line or plane, `{s}` what it is called, `{c}` its color, `{o}` an ordinal, `{n}` a number,
`{a}` and `{b}` other colors.
"""

from bap_v2_simulators.wording.phrases import Phrases

LINES = {
    "row": Phrases("LANDMARKS.LINES.row", ("row", "line")),
    "column": Phrases("LANDMARKS.LINES.column", ("column", "tower", "stack", "pillar")),
    "diagonal": Phrases("LANDMARKS.LINES.diagonal", ("diagonal", "diagonal line")),
}

# Where blocks of the color are stacked, too, "line" could be the stack.
ROWS_BESIDE_STACKS = LINES["row"].only(lambda noun: noun == "row")

PLANES = {
    "square": Phrases("LANDMARKS.PLANES.square", ("square",)),
    "rectangle": Phrases("LANDMARKS.PLANES.rectangle", ("rectangle",)),
    "wall": Phrases("LANDMARKS.PLANES.wall", ("wall",)),
}

OF_A_COLOR = Phrases("LANDMARKS.OF_A_COLOR", ("the {c} {s}", "the {s} of {c} blocks"))

JUST_BUILT = Phrases(
    "LANDMARKS.JUST_BUILT",
    (
        "the {s} you just built",
        "the {s} you just made",
        "the {s} you just placed",
        "the {s} you just put down",
        "the {c} {s} you just built",
        "that {s}",
        "that {c} {s}",
        "that last {s}",
        "the last {s} you built",
    ),
)

# Never "the third block of the row of red blocks from the front".
SHORT_OF_A_COLOR = OF_A_COLOR.only(lambda phrase: " of " not in phrase)
SHORT_JUST_BUILT = JUST_BUILT.only(lambda phrase: phrase in ("that {s}", "that {c} {s}"))

MIDDLES = Phrases(
    "LANDMARKS.MIDDLES",
    (
        "the middle of {r}",
        "the center of {r}",
        "the middle block of {r}",
        "the center block of {r}",
        "the middle block in {r}",
        "the very middle of {r}",
        "the middle one of {r}",
        "the exact middle of {r}",
    ),
)

_LEFT_ENDS = Phrases(
    "LANDMARKS.ENDS.left",
    (
        "the left end of {r}",
        "the leftmost block of {r}",
        "the left block of {r}",
        "the left end block of {r}",
        "the block on the left end of {r}",
        "the block at the left end of {r}",
        "the leftmost block in {r}",
    ),
)

ENDS = {
    "left": _LEFT_ENDS,
    "right": _LEFT_ENDS.mirrored(),
    "top": Phrases(
        "LANDMARKS.ENDS.top",
        (
            "the top block of {r}",
            "the top block in {r}",
            "the highest block of {r}",
            "the topmost block of {r}",
            "the block at the top of {r}",
        ),
    ),
    "bottom": Phrases(
        "LANDMARKS.ENDS.bottom",
        (
            "the bottom block of {r}",
            "the bottom block in {r}",
            "the lowest block of {r}",
            "the bottom of {r}",
            "the block at the bottom of {r}",
        ),
    ),
    "front": Phrases(
        "LANDMARKS.ENDS.front", ("the front end of {r}", "the front block of {r}", "the block at the front of {r}")
    ),
    "back": Phrases(
        "LANDMARKS.ENDS.back", ("the back end of {r}", "the back block of {r}", "the block at the back of {r}")
    ),
    "closest": Phrases(
        "LANDMARKS.ENDS.closest",
        (
            "the end of {r} closest to you",
            "the end of {r} nearest to you",
            "the end of {r} that is closest to you",
            "the near end of {r}",
            "the close end of {r}",
        ),
    ),
    "furthest": Phrases(
        "LANDMARKS.ENDS.furthest",
        (
            "the far end of {r}",
            "the end of {r} farthest from you",
            "the end of {r} furthest from you",
            "the end of {r} farthest away from you",
            "the end of {r} furthest away from you",
        ),
    ),
    "other": Phrases(
        "LANDMARKS.ENDS.other", ("the other end of {r}", "the opposite end of {r}", "the block on the other end of {r}")
    ),
}

# "the second block from the left of the row" would be a place to the left of it.
_NTH_FROM_LEFT = Phrases(
    "LANDMARKS.NTH_IN_LINE.left",
    (
        "the {o} block from the left in {r}",
        "the {o} block of {r} from the left",
        "the {o} one from the left in {r}",
        "the {o} block in {r} from the left",
    ),
)

NTH_IN_LINE = {
    "left": _NTH_FROM_LEFT,
    "right": _NTH_FROM_LEFT.mirrored(),
    "top": Phrases(
        "LANDMARKS.NTH_IN_LINE.top", ("the {o} block from the top of {r}", "the {o} block of {r} from the top")
    ),
    "bottom": Phrases(
        "LANDMARKS.NTH_IN_LINE.bottom", ("the {o} block from the bottom of {r}", "the {o} block of {r} from the bottom")
    ),
    "front": Phrases(
        "LANDMARKS.NTH_IN_LINE.front",
        ("the {o} block from the front in {r}", "the {o} block of {r} from the front"),
    ),
    "back": Phrases(
        "LANDMARKS.NTH_IN_LINE.back", ("the {o} block from the back in {r}", "the {o} block of {r} from the back")
    ),
}

_NTH_OF_COLOR_FROM_LEFT = Phrases(
    "LANDMARKS.NTH_OF_COLOR.left",
    (
        "the {o} {c} block from the left",
        "the {o} {c} one from the left",
        "the {o} {c} block from your left",
        "the {o} {c} brick from the left",
        "the {o} leftmost {c} block",
    ),
)

NTH_OF_COLOR = {
    "left": _NTH_OF_COLOR_FROM_LEFT,
    "right": _NTH_OF_COLOR_FROM_LEFT.mirrored(),
    "top": Phrases(
        "LANDMARKS.NTH_OF_COLOR.top",
        (
            "the {o} {c} block from the top",
            "the {o} highest {c} block",
            "the {o} {c} one from the top",
            "the {o} {c} brick from the top",
        ),
    ),
    "bottom": Phrases(
        "LANDMARKS.NTH_OF_COLOR.bottom",
        (
            "the {o} {c} block from the bottom",
            "the {o} lowest {c} block",
            "the {o} {c} one from the bottom",
            "the {o} {c} brick from the bottom",
        ),
    ),
    "front": Phrases(
        "LANDMARKS.NTH_OF_COLOR.front", ("the {o} {c} block from the front", "the {o} {c} one from the front")
    ),
    "back": Phrases(
        "LANDMARKS.NTH_OF_COLOR.back", ("the {o} {c} block from the back", "the {o} {c} one from the back")
    ),
}

ORDINALS = {
    2: Phrases("LANDMARKS.ORDINALS.2", ("second", "2nd")),
    3: Phrases("LANDMARKS.ORDINALS.3", ("third", "3rd")),
    4: Phrases("LANDMARKS.ORDINALS.4", ("fourth", "4th")),
}

MIDDLE_OF_COLOR = Phrases(
    "LANDMARKS.MIDDLE_OF_COLOR",
    (
        "the middle {c} block",
        "the middle {c} one",
        "the center {c} block",
        "the {c} block in the middle",
        "the middle {c} brick",
        "the middle one of the {n} {c} blocks",
        "the middle of the {n} {c} blocks",
    ),
)

# "the top left corner of the blue wall": {a} is one of the adjectives of SUPERLATIVES.
CORNERS_OF_PLANES = Phrases(
    "LANDMARKS.CORNERS_OF_PLANES",
    (
        "the {a} corner of {r}",
        "the {a} block of {r}",
        "the {a} corner block of {r}",
        "the block in the {a} corner of {r}",
    ),
)

CORNER_OF_AN_L = Phrases(
    "LANDMARKS.CORNER_OF_AN_L",
    (
        "the corner of the {c} l",
        "the corner of the {c} l shape",
        "the corner block of the {c} l",
        "the {c} corner block",
        "the {c} block in the corner",
        "the {c} block at the corner",
    ),
)

OTHER_OF_TWO = Phrases("LANDMARKS.OTHER_OF_TWO", ("the other {c} block", "the other {c} one", "the other {c} brick"))

BETWEEN_TWO = Phrases(
    "LANDMARKS.BETWEEN_TWO",
    (
        "the {c} block between the two {a} blocks",
        "the {c} block between the two {a} ones",
        "the {c} block between the {a} blocks",
        "the {c} block that is between the two {a} ones",
        "the {c} one between the two {a} ones",
        "the {c} block in between the two {a} blocks",
        "the {c} block in between the {a} ones",
    ),
)

BETWEEN = Phrases(
    "LANDMARKS.BETWEEN",
    (
        "the {c} block between the {a} block and the {b} block",
        "the {c} block between the {a} and {b} blocks",
        "the {c} block between the {a} and {b} ones",
        "the {c} one between the {a} and the {b} one",
        "the {c} block that is between the {a} and the {b} block",
        "the {c} block in between the {a} and {b} blocks",
    ),
)

# "with red blocks on both sides" could be something to build.
BOTH_SIDES = Phrases(
    "LANDMARKS.BOTH_SIDES",
    (
        "the {c} block that has {a} blocks on both sides",
        "the {c} block that has {a} blocks on either side",
        "the {c} block that has a {a} block on either side",
        "the {c} block that has a {a} block on each side",
        "the {c} block that has {a} on both sides",
        "the {c} one that has {a} blocks on both sides",
    ),
)
