"""Where blocks go, from a reference or from the Builder.

The tables for the left are written; those for the right are their mirror images.
"""

from bap_v2_simulators.view import Direction
from bap_v2_simulators.wording.phrases import table

L, R, T, B, F, H = (
    Direction.LEFT, Direction.RIGHT, Direction.TOP, Direction.BOTTOM, Direction.FRONT, Direction.BEHIND
)  # fmt: skip

ON_THE_GROUND = table("ON_THE_GROUND")

# Of a first block that goes there: any place near the middle will do.
NEAR_THE_MIDDLE = table("NEAR_THE_MIDDLE")

_BESIDE_LEFT = table("BESIDE.left")
BESIDE = {
    L: _BESIDE_LEFT,
    R: _BESIDE_LEFT.mirrored(),
    T: table("BESIDE.top"),
    B: table("BESIDE.bottom"),
    F: table("BESIDE.front"),
    H: table("BESIDE.behind"),
}

PLAIN_BESIDE = {  # those that also say where something starts
    direction: phrases.only(
        lambda phrase: phrase.endswith("{r}") and not phrase.startswith(("off", "attached", "towards"))
    )
    for direction, phrases in BESIDE.items()
}

_BESIDE_UNSAID_LEFT = table("BESIDE_UNSAID.left")
BESIDE_UNSAID = {
    L: _BESIDE_UNSAID_LEFT,
    R: _BESIDE_UNSAID_LEFT.mirrored(),
    T: table("BESIDE_UNSAID.top"),
    B: table("BESIDE_UNSAID.bottom"),
    F: table("BESIDE_UNSAID.front"),
    H: table("BESIDE_UNSAID.behind"),
}

# --- several blocks, one after the other

# The paper's own form: "two blocks behind the last block". It always goes on in that direction.
_PLAIN = (
    "to the left of", "to the right of", "on top of", "above", "under", "below", "underneath", "beneath",
    "in front of", "behind",
)  # fmt: skip
SEVERAL_BESIDE = {
    direction: phrases.only(lambda phrase: phrase.removesuffix(" {r}") in _PLAIN)
    for direction, phrases in BESIDE.items()
}

ALONG_GOING = table("ALONG_GOING")

# Rows and lines are level.
ALONG_GOING_UP = ALONG_GOING.only(lambda phrase: "in a" not in phrase)

# "away from you from it" would be hard to read: away from the Builder, the reference comes first.
ALONG_GOING_AWAY = table("ALONG_GOING_AWAY")

# `{pp}` is one of SEVERAL_BESIDE, `{to}` the same direction once more.
ALONG_BESIDE = table("ALONG_BESIDE")

ALONG_VERTICAL = table("ALONG_VERTICAL")

# --- diagonally: one direction and another

# The first of two: "up and to the left of {r}".
_FIRST_OF_TWO_LEFT = table("FIRST_OF_TWO.left")
FIRST_OF_TWO = {
    L: _FIRST_OF_TWO_LEFT,
    R: _FIRST_OF_TWO_LEFT.mirrored(),
    T: table("FIRST_OF_TWO.top"),
    B: table("FIRST_OF_TWO.bottom"),
    F: table("FIRST_OF_TWO.front"),
    H: table("FIRST_OF_TWO.behind"),
}

# "starting towards you and to the right of it" would be about the way it goes.
PLAIN_FIRST_OF_TWO = {
    direction: phrases.only(lambda phrase: not phrase.endswith(" you")) for direction, phrases in FIRST_OF_TWO.items()
}

# The first of two if the reference is not said: "in front and to the left".
FIRST_UNSAID = {
    direction: phrases.only(lambda phrase: not phrase.endswith(" of")) for direction, phrases in FIRST_OF_TWO.items()
}

# The second of two.
_SECOND_OF_TWO_LEFT = table("SECOND_OF_TWO.left")
SECOND_OF_TWO = {
    L: _SECOND_OF_TWO_LEFT,
    R: _SECOND_OF_TWO_LEFT.mirrored(),
    T: table("SECOND_OF_TWO.top"),
    B: table("SECOND_OF_TWO.bottom"),
    F: table("SECOND_OF_TWO.front"),
    H: table("SECOND_OF_TWO.behind"),
}

# The second of two if the reference is not said: "up and to the left".
_SECOND_UNSAID_LEFT = table("SECOND_UNSAID.left")
SECOND_UNSAID = {
    L: _SECOND_UNSAID_LEFT,
    R: _SECOND_UNSAID_LEFT.mirrored(),
    T: table("SECOND_UNSAID.top"),
    B: table("SECOND_UNSAID.bottom"),
    F: table("SECOND_UNSAID.front"),
    H: table("SECOND_UNSAID.behind"),
}

# `{at}` says where, but for one step to a side: "on top of it but one to the left".
ASIDE = {
    T: "on top of {r}",
    B: "under {r}",
    F: "in front of {r}",
    H: "behind {r}",
}
# Both equally: train has one of them, once.
ASIDE_WAYS = ("{at} but one {to}", "{at} but one space {to}")
_ASIDE_TO_LEFT = table("ASIDE_TO.left")
ASIDE_TO = {
    L: _ASIDE_TO_LEFT,
    R: _ASIDE_TO_LEFT.mirrored(),
    F: table("ASIDE_TO.front"),
    H: table("ASIDE_TO.behind"),
}

_TOP_LEFT = table("CORNERS.top+left")
_BOTTOM_LEFT = table("CORNERS.bottom+left")
CORNERS = {
    (T, L): _TOP_LEFT,
    (T, R): _TOP_LEFT.mirrored(),
    (B, L): _BOTTOM_LEFT,
    (B, R): _BOTTOM_LEFT.mirrored(),
}
CORNER_WAYS = table("CORNER_WAYS")

DIAGONAL_LINES_AWAY = table("DIAGONAL_LINES_AWAY")

DIAGONAL_LINES = table("DIAGONAL_LINES")

# --- counted

_STEPS_AWAY_LEFT = table("STEPS_AWAY.left")
STEPS_AWAY = {
    L: _STEPS_AWAY_LEFT,
    R: _STEPS_AWAY_LEFT.mirrored(),
    T: table("STEPS_AWAY.top"),
    B: table("STEPS_AWAY.bottom"),
    F: table("STEPS_AWAY.front"),
    H: table("STEPS_AWAY.behind"),
}

_STEPS_FROM_LEFT = table("STEPS_FROM.left")
STEPS_FROM = {
    L: _STEPS_FROM_LEFT,
    R: _STEPS_FROM_LEFT.mirrored(),
    T: table("STEPS_FROM.top"),
    B: table("STEPS_FROM.bottom"),
    F: table("STEPS_FROM.front"),
    H: table("STEPS_FROM.behind"),
}

STEP_NOUNS = table("STEP_NOUNS")
NEXT_STEP_NOUNS = STEP_NOUNS.only(lambda noun: noun != " block")  # never "one block one block to the left"

# Straight in one direction, with `{n}` empty cells on the way: `{pp}` is one of SEVERAL_BESIDE.
GAPS = table("GAPS")
GAP_NOUNS = table("GAP_NOUNS")

# --- directions from the Builder

_GOING_LEFT = table("GOING.left")
GOING = {
    L: _GOING_LEFT,
    R: _GOING_LEFT.mirrored(),
    T: table("GOING.top"),
    B: table("GOING.bottom"),
    F: table("GOING.front"),
    H: table("GOING.behind"),
}
