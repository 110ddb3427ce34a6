"""Landmarks: the middle of a row, the corner of an L, the second block from the left, the one between two others.

`{r}` is the line or plane, `{s}` what it is called, `{c}` its color, `{o}` an ordinal, `{n}` a number,
`{a}` and `{b}` other colors.
"""

from bap_v2_simulators.wording.phrases import Phrases

LINES = {
    "row": Phrases("LANDMARKS.LINES.row"),
    "column": Phrases("LANDMARKS.LINES.column"),
    "diagonal": Phrases("LANDMARKS.LINES.diagonal"),
}

# Where blocks of the color are stacked, too, "line" could be the stack.
ROWS_BESIDE_STACKS = LINES["row"].only(lambda noun: noun == "row")

PLANES = {
    "square": Phrases("LANDMARKS.PLANES.square"),
    "rectangle": Phrases("LANDMARKS.PLANES.rectangle"),
    "wall": Phrases("LANDMARKS.PLANES.wall"),
}

OF_A_COLOR = Phrases("LANDMARKS.OF_A_COLOR")

JUST_BUILT = Phrases("LANDMARKS.JUST_BUILT")

# Never "the third block of the row of red blocks from the front".
SHORT_OF_A_COLOR = OF_A_COLOR.only(lambda phrase: " of " not in phrase)
SHORT_JUST_BUILT = JUST_BUILT.only(lambda phrase: phrase in ("that {s}", "that {c} {s}"))

MIDDLES = Phrases("LANDMARKS.MIDDLES")

_LEFT_ENDS = Phrases("LANDMARKS.ENDS.left")

ENDS = {
    "left": _LEFT_ENDS,
    "right": _LEFT_ENDS.mirrored(),
    "top": Phrases("LANDMARKS.ENDS.top"),
    "bottom": Phrases("LANDMARKS.ENDS.bottom"),
    "front": Phrases("LANDMARKS.ENDS.front"),
    "back": Phrases("LANDMARKS.ENDS.back"),
    "closest": Phrases("LANDMARKS.ENDS.closest"),
    "furthest": Phrases("LANDMARKS.ENDS.furthest"),
    "other": Phrases("LANDMARKS.ENDS.other"),
}

# "the second block from the left of the row" would be a place to the left of it.
_NTH_FROM_LEFT = Phrases("LANDMARKS.NTH_IN_LINE.left")

NTH_IN_LINE = {
    "left": _NTH_FROM_LEFT,
    "right": _NTH_FROM_LEFT.mirrored(),
    "top": Phrases("LANDMARKS.NTH_IN_LINE.top"),
    "bottom": Phrases("LANDMARKS.NTH_IN_LINE.bottom"),
    "front": Phrases("LANDMARKS.NTH_IN_LINE.front"),
    "back": Phrases("LANDMARKS.NTH_IN_LINE.back"),
}

_NTH_OF_COLOR_FROM_LEFT = Phrases("LANDMARKS.NTH_OF_COLOR.left")

NTH_OF_COLOR = {
    "left": _NTH_OF_COLOR_FROM_LEFT,
    "right": _NTH_OF_COLOR_FROM_LEFT.mirrored(),
    "top": Phrases("LANDMARKS.NTH_OF_COLOR.top"),
    "bottom": Phrases("LANDMARKS.NTH_OF_COLOR.bottom"),
    "front": Phrases("LANDMARKS.NTH_OF_COLOR.front"),
    "back": Phrases("LANDMARKS.NTH_OF_COLOR.back"),
}

ORDINALS = {
    2: Phrases("LANDMARKS.ORDINALS.2"),
    3: Phrases("LANDMARKS.ORDINALS.3"),
    4: Phrases("LANDMARKS.ORDINALS.4"),
}

MIDDLE_OF_COLOR = Phrases("LANDMARKS.MIDDLE_OF_COLOR")

# "the top left corner of the blue wall": {a} is one of the adjectives of SUPERLATIVES.
CORNERS_OF_PLANES = Phrases("LANDMARKS.CORNERS_OF_PLANES")

CORNER_OF_AN_L = Phrases("LANDMARKS.CORNER_OF_AN_L")

OTHER_OF_TWO = Phrases("LANDMARKS.OTHER_OF_TWO")

BETWEEN_TWO = Phrases("LANDMARKS.BETWEEN_TWO")

BETWEEN = Phrases("LANDMARKS.BETWEEN")

# "with red blocks on both sides" could be something to build.
BOTH_SIDES = Phrases("LANDMARKS.BOTH_SIDES")
