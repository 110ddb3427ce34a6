"""Landmarks: the middle of a row, the corner of an L, the second block from the left, the one between two others.

`{r}` is the line or plane, `{s}` what it is called, `{c}` its color, `{o}` an ordinal, `{n}` a number,
`{a}` and `{b}` other colors.
"""

from bap_v2_simulators.wording.phrases import table

LINES = {
    "row": table("LANDMARKS.LINES.row"),
    "column": table("LANDMARKS.LINES.column"),
    "diagonal": table("LANDMARKS.LINES.diagonal"),
}

# Where blocks of the color are stacked, too, "line" could be the stack.
ROWS_BESIDE_STACKS = LINES["row"].only(lambda noun: noun == "row")

PLANES = {
    "square": table("LANDMARKS.PLANES.square"),
    "rectangle": table("LANDMARKS.PLANES.rectangle"),
    "wall": table("LANDMARKS.PLANES.wall"),
}

OF_A_COLOR = table("LANDMARKS.OF_A_COLOR")

JUST_BUILT = table("LANDMARKS.JUST_BUILT")

# Never "the third block of the row of red blocks from the front".
SHORT_OF_A_COLOR = OF_A_COLOR.only(lambda phrase: " of " not in phrase)
SHORT_JUST_BUILT = JUST_BUILT.only(lambda phrase: phrase in ("that {s}", "that {c} {s}"))

MIDDLES = table("LANDMARKS.MIDDLES")

_LEFT_ENDS = table("LANDMARKS.ENDS.left")

ENDS = {
    "left": _LEFT_ENDS,
    "right": _LEFT_ENDS.mirrored(),
    "top": table("LANDMARKS.ENDS.top"),
    "bottom": table("LANDMARKS.ENDS.bottom"),
    "front": table("LANDMARKS.ENDS.front"),
    "back": table("LANDMARKS.ENDS.back"),
    "closest": table("LANDMARKS.ENDS.closest"),
    "furthest": table("LANDMARKS.ENDS.furthest"),
    "other": table("LANDMARKS.ENDS.other"),
}

# "the second block from the left of the row" would be a place to the left of it.
_NTH_FROM_LEFT = table("LANDMARKS.NTH_IN_LINE.left")

NTH_IN_LINE = {
    "left": _NTH_FROM_LEFT,
    "right": _NTH_FROM_LEFT.mirrored(),
    "top": table("LANDMARKS.NTH_IN_LINE.top"),
    "bottom": table("LANDMARKS.NTH_IN_LINE.bottom"),
    "front": table("LANDMARKS.NTH_IN_LINE.front"),
    "back": table("LANDMARKS.NTH_IN_LINE.back"),
}

_NTH_OF_COLOR_FROM_LEFT = table("LANDMARKS.NTH_OF_COLOR.left")

NTH_OF_COLOR = {
    "left": _NTH_OF_COLOR_FROM_LEFT,
    "right": _NTH_OF_COLOR_FROM_LEFT.mirrored(),
    "top": table("LANDMARKS.NTH_OF_COLOR.top"),
    "bottom": table("LANDMARKS.NTH_OF_COLOR.bottom"),
    "front": table("LANDMARKS.NTH_OF_COLOR.front"),
    "back": table("LANDMARKS.NTH_OF_COLOR.back"),
}

ORDINALS = {
    2: table("LANDMARKS.ORDINALS.2"),
    3: table("LANDMARKS.ORDINALS.3"),
    4: table("LANDMARKS.ORDINALS.4"),
}

MIDDLE_OF_COLOR = table("LANDMARKS.MIDDLE_OF_COLOR")

# "the top left corner of the blue wall": {a} is one of the adjectives of SUPERLATIVES.
CORNERS_OF_PLANES = table("LANDMARKS.CORNERS_OF_PLANES")

CORNER_OF_AN_L = table("LANDMARKS.CORNER_OF_AN_L")

OTHER_OF_TWO = table("LANDMARKS.OTHER_OF_TWO")

BETWEEN_TWO = table("LANDMARKS.BETWEEN_TWO")

BETWEEN = table("LANDMARKS.BETWEEN")

# "with red blocks on both sides" could be something to build.
BOTH_SIDES = table("LANDMARKS.BOTH_SIDES")
