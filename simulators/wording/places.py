"""Where blocks go, from a reference or from the Builder.

The tables for the left are written; those for the right are their mirror images.
"""

from bap_v2_simulators.view import Direction
from bap_v2_simulators.wording.phrases import Phrases

L, R, T, B, F, H = (
    Direction.LEFT, Direction.RIGHT, Direction.TOP, Direction.BOTTOM, Direction.FRONT, Direction.BEHIND
)  # fmt: skip

ON_THE_GROUND = Phrases("ON_THE_GROUND")

# Of a first block that goes there: any place near the middle will do.
NEAR_THE_MIDDLE = Phrases("NEAR_THE_MIDDLE")

_BESIDE_LEFT = Phrases("BESIDE.left")
BESIDE = {
    L: _BESIDE_LEFT,
    R: _BESIDE_LEFT.mirrored(),
    T: Phrases("BESIDE.top"),
    B: Phrases("BESIDE.bottom"),
    F: Phrases("BESIDE.front"),
    H: Phrases("BESIDE.behind"),
}

PLAIN_BESIDE = {  # those that also say where something starts
    direction: phrases.only(
        lambda phrase: phrase.endswith("{r}") and not phrase.startswith(("off", "attached", "towards"))
    )
    for direction, phrases in BESIDE.items()
}

_BESIDE_UNSAID_LEFT = Phrases("BESIDE_UNSAID.left")
BESIDE_UNSAID = {
    L: _BESIDE_UNSAID_LEFT,
    R: _BESIDE_UNSAID_LEFT.mirrored(),
    T: Phrases("BESIDE_UNSAID.top"),
    B: Phrases("BESIDE_UNSAID.bottom"),
    F: Phrases("BESIDE_UNSAID.front"),
    H: Phrases("BESIDE_UNSAID.behind"),
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

ALONG_GOING = Phrases("ALONG_GOING")

# Rows and lines are level.
ALONG_GOING_UP = ALONG_GOING.only(lambda phrase: "in a" not in phrase)

# "away from you from it" would be hard to read: away from the Builder, the reference comes first.
ALONG_GOING_AWAY = Phrases("ALONG_GOING_AWAY")

# `{pp}` is one of SEVERAL_BESIDE, `{to}` the same direction once more.
ALONG_BESIDE = Phrases("ALONG_BESIDE")

ALONG_VERTICAL = Phrases("ALONG_VERTICAL")

# --- diagonally: one direction and another

# The first of two: "up and to the left of {r}".
_FIRST_OF_TWO_LEFT = Phrases("FIRST_OF_TWO.left")
FIRST_OF_TWO = {
    L: _FIRST_OF_TWO_LEFT,
    R: _FIRST_OF_TWO_LEFT.mirrored(),
    T: Phrases("FIRST_OF_TWO.top"),
    B: Phrases("FIRST_OF_TWO.bottom"),
    F: Phrases("FIRST_OF_TWO.front"),
    H: Phrases("FIRST_OF_TWO.behind"),
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
_SECOND_OF_TWO_LEFT = Phrases("SECOND_OF_TWO.left")
SECOND_OF_TWO = {
    L: _SECOND_OF_TWO_LEFT,
    R: _SECOND_OF_TWO_LEFT.mirrored(),
    T: Phrases("SECOND_OF_TWO.top"),
    B: Phrases("SECOND_OF_TWO.bottom"),
    F: Phrases("SECOND_OF_TWO.front"),
    H: Phrases("SECOND_OF_TWO.behind"),
}

# The second of two if the reference is not said: "up and to the left".
_SECOND_UNSAID_LEFT = Phrases("SECOND_UNSAID.left")
SECOND_UNSAID = {
    L: _SECOND_UNSAID_LEFT,
    R: _SECOND_UNSAID_LEFT.mirrored(),
    T: Phrases("SECOND_UNSAID.top"),
    B: Phrases("SECOND_UNSAID.bottom"),
    F: Phrases("SECOND_UNSAID.front"),
    H: Phrases("SECOND_UNSAID.behind"),
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
_ASIDE_TO_LEFT = Phrases("ASIDE_TO.left")
ASIDE_TO = {
    L: _ASIDE_TO_LEFT,
    R: _ASIDE_TO_LEFT.mirrored(),
    F: Phrases("ASIDE_TO.front"),
    H: Phrases("ASIDE_TO.behind"),
}

_TOP_LEFT = Phrases("CORNERS.top+left")
_BOTTOM_LEFT = Phrases("CORNERS.bottom+left")
CORNERS = {
    (T, L): _TOP_LEFT,
    (T, R): _TOP_LEFT.mirrored(),
    (B, L): _BOTTOM_LEFT,
    (B, R): _BOTTOM_LEFT.mirrored(),
}
CORNER_WAYS = Phrases("CORNER_WAYS")

DIAGONAL_LINES_AWAY = Phrases("DIAGONAL_LINES_AWAY")

DIAGONAL_LINES = Phrases("DIAGONAL_LINES")

# --- counted

_STEPS_AWAY_LEFT = Phrases("STEPS_AWAY.left")
STEPS_AWAY = {
    L: _STEPS_AWAY_LEFT,
    R: _STEPS_AWAY_LEFT.mirrored(),
    T: Phrases("STEPS_AWAY.top"),
    B: Phrases("STEPS_AWAY.bottom"),
    F: Phrases("STEPS_AWAY.front"),
    H: Phrases("STEPS_AWAY.behind"),
}

_STEPS_FROM_LEFT = Phrases("STEPS_FROM.left")
STEPS_FROM = {
    L: _STEPS_FROM_LEFT,
    R: _STEPS_FROM_LEFT.mirrored(),
    T: Phrases("STEPS_FROM.top"),
    B: Phrases("STEPS_FROM.bottom"),
    F: Phrases("STEPS_FROM.front"),
    H: Phrases("STEPS_FROM.behind"),
}

STEP_NOUNS = Phrases("STEP_NOUNS")
NEXT_STEP_NOUNS = STEP_NOUNS.only(lambda noun: noun != " block")  # never "one block one block to the left"

# Straight in one direction, with `{n}` empty cells on the way: `{pp}` is one of SEVERAL_BESIDE.
GAPS = Phrases("GAPS")
GAP_NOUNS = Phrases("GAP_NOUNS")

# --- directions from the Builder

_GOING_LEFT = Phrases("GOING.left")
GOING = {
    L: _GOING_LEFT,
    R: _GOING_LEFT.mirrored(),
    T: Phrases("GOING.top"),
    B: Phrases("GOING.bottom"),
    F: Phrases("GOING.front"),
    H: Phrases("GOING.behind"),
}
