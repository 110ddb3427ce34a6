"""Where blocks go, from a reference or from the Builder.

The tables for the left are written; those for the right are their mirror images.
"""

from bap_v2_simulators.view import Direction
from bap_v2_simulators.wording.phrases import Phrases

L, R, T, B, F, H = (
    Direction.LEFT, Direction.RIGHT, Direction.TOP, Direction.BOTTOM, Direction.FRONT, Direction.BEHIND
)  # fmt: skip

ON_THE_GROUND = Phrases(
    "ON_THE_GROUND",
    (
        "on the ground",
        "on the floor",
        "anywhere on the ground",
        "somewhere on the ground",
        "anywhere on the floor",
        "down on the ground",
    ),
)

# Of a first block that goes there: any place near the middle will do.
NEAR_THE_MIDDLE = Phrases(
    "NEAR_THE_MIDDLE",
    (
        "near the middle",
        "near the center",
        "around the middle",
        "around the center",
        "on the ground near the middle",
        "on the ground near the center",
        "on the floor near the middle",
        "somewhere in the middle",
        "somewhere near the middle",
    ),
)

_BESIDE_LEFT = Phrases(
    "BESIDE.left",
    (
        "to the left of {r}",
        "on the left of {r}",
        "on the left side of {r}",
        "to the left side of {r}",
        "directly to the left of {r}",
        "directly left of {r}",
        "just to the left of {r}",
        "left of {r}",
        "off the left side of {r}",
        "attached to the left of {r}",
    ),
)
BESIDE = {
    L: _BESIDE_LEFT,
    R: _BESIDE_LEFT.mirrored(),
    T: Phrases(
        "BESIDE.top",
        (
            "on top of {r}",
            "above {r}",
            "on the top of {r}",
            "directly on top of {r}",
            "directly above {r}",
            "right on top of {r}",
            "right above {r}",
            "one up from {r}",
        ),
    ),
    B: Phrases(
        "BESIDE.bottom",
        (
            "below {r}",
            "under {r}",
            "underneath {r}",
            "beneath {r}",
            "directly under {r}",
            "directly below {r}",
            "right under {r}",
            "right below {r}",
            "on the bottom of {r}",
            "one down from {r}",
        ),
    ),
    F: Phrases(
        "BESIDE.front",
        (
            "in front of {r}",
            "directly in front of {r}",
            "right in front of {r}",
            "on the front of {r}",
            "towards you from {r}",
        ),
    ),
    H: Phrases(
        "BESIDE.behind",
        (
            "behind {r}",
            "directly behind {r}",
            "right behind {r}",
            "on the back of {r}",
            "on the far side of {r}",
        ),
    ),
}

PLAIN_BESIDE = {  # those that also say where something starts
    direction: phrases.only(
        lambda phrase: phrase.endswith("{r}") and not phrase.startswith(("off", "attached", "towards"))
    )
    for direction, phrases in BESIDE.items()
}

_BESIDE_UNSAID_LEFT = Phrases(
    "BESIDE_UNSAID.left",
    (
        "to the left",
        "on the left",
        "on the left side",
        "to its left",
        "on its left",
        "to the left side",
        "directly to the left",
        "next to it on the left",
        "next to it to the left",
    ),
)
BESIDE_UNSAID = {
    L: _BESIDE_UNSAID_LEFT,
    R: _BESIDE_UNSAID_LEFT.mirrored(),
    T: Phrases("BESIDE_UNSAID.top", ("on top", "above", "on the top", "directly above", "directly on top")),
    B: Phrases("BESIDE_UNSAID.bottom", ("underneath", "below", "beneath", "directly below")),
    F: Phrases("BESIDE_UNSAID.front", ("in front", "directly in front", "towards you")),
    H: Phrases("BESIDE_UNSAID.behind", ("behind", "directly behind")),
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

ALONG_GOING = Phrases(
    "ALONG_GOING",
    (
        "going {to} from {r}",
        "extending {to} from {r}",
        "in a row going {to} from {r}",
        "in a line going {to} from {r}",
        "from {r} going {to}",
        "starting from {r} and going {to}",
        "in a row from {r} going {to}",
    ),
)

# Rows and lines are level.
ALONG_GOING_UP = ALONG_GOING.only(lambda phrase: "in a" not in phrase)

# "away from you from it" would be hard to read: away from the Builder, the reference comes first.
ALONG_GOING_AWAY = Phrases(
    "ALONG_GOING_AWAY",
    (
        "from {r} going {to}",
        "in a row from {r} going {to}",
        "in a line from {r} going {to}",
        "starting from {r} and going {to}",
    ),
)

# `{pp}` is one of SEVERAL_BESIDE, `{to}` the same direction once more.
ALONG_BESIDE = Phrases(
    "ALONG_BESIDE", ("{pp} going {to}", "{pp}, going {to}", "in a row {pp} going {to}", "in a line {pp} going {to}")
)

ALONG_VERTICAL = Phrases(
    "ALONG_VERTICAL",
    (
        "stacked {pp}",
        "in a stack {pp}",
        "in a column {pp}",
        "stacked up {pp}",
        "stacked vertically {pp}",
        "in a vertical line {pp}",
    ),
)

# --- diagonally: one direction and another

# The first of two: "up and to the left of {r}".
_FIRST_OF_TWO_LEFT = Phrases("FIRST_OF_TWO.left", ("to the left", "left"))
FIRST_OF_TWO = {
    L: _FIRST_OF_TWO_LEFT,
    R: _FIRST_OF_TWO_LEFT.mirrored(),
    T: Phrases("FIRST_OF_TWO.top", ("up", "above")),
    B: Phrases("FIRST_OF_TWO.bottom", ("down", "below", "underneath", "under")),
    F: Phrases("FIRST_OF_TWO.front", ("in front", "in front of", "towards you")),
    H: Phrases("FIRST_OF_TWO.behind", ("behind", "away from you")),
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
_SECOND_OF_TWO_LEFT = Phrases("SECOND_OF_TWO.left", ("to the left of {r}", "left of {r}"))
SECOND_OF_TWO = {
    L: _SECOND_OF_TWO_LEFT,
    R: _SECOND_OF_TWO_LEFT.mirrored(),
    T: Phrases("SECOND_OF_TWO.top", ("above {r}", "on top of {r}", "up from {r}")),
    B: Phrases("SECOND_OF_TWO.bottom", ("below {r}", "under {r}", "underneath {r}", "beneath {r}", "down from {r}")),
    F: Phrases("SECOND_OF_TWO.front", ("in front of {r}",)),
    H: Phrases("SECOND_OF_TWO.behind", ("behind {r}",)),
}

# The second of two if the reference is not said: "up and to the left".
_SECOND_UNSAID_LEFT = Phrases("SECOND_UNSAID.left", ("to the left", "left", "to your left"))
SECOND_UNSAID = {
    L: _SECOND_UNSAID_LEFT,
    R: _SECOND_UNSAID_LEFT.mirrored(),
    T: Phrases("SECOND_UNSAID.top", ("up", "above")),
    B: Phrases("SECOND_UNSAID.bottom", ("down", "below", "underneath")),
    F: Phrases("SECOND_UNSAID.front", ("in front", "towards you", "toward you")),
    H: Phrases("SECOND_UNSAID.behind", ("behind", "away from you")),
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
_ASIDE_TO_LEFT = Phrases("ASIDE_TO.left", ("to the left", "to your left"))
ASIDE_TO = {
    L: _ASIDE_TO_LEFT,
    R: _ASIDE_TO_LEFT.mirrored(),
    F: Phrases("ASIDE_TO.front", ("towards you", "closer to you")),
    H: Phrases("ASIDE_TO.behind", ("further away from you", "farther away from you")),
}

_TOP_LEFT = Phrases("CORNERS.top+left", ("top left", "upper left"))
_BOTTOM_LEFT = Phrases("CORNERS.bottom+left", ("bottom left", "lower left"))
CORNERS = {
    (T, L): _TOP_LEFT,
    (T, R): _TOP_LEFT.mirrored(),
    (B, L): _BOTTOM_LEFT,
    (B, R): _BOTTOM_LEFT.mirrored(),
}
CORNER_WAYS = Phrases("CORNER_WAYS", ("to the {corner} of {r}", "diagonally to the {corner} of {r}"))

DIAGONAL_LINES_AWAY = Phrases(
    "DIAGONAL_LINES_AWAY",
    (
        "from {r} going diagonally {going}",
        "diagonally from {r} going {going}",
        "in a diagonal line from {r} going {going}",
        "in a diagonal from {r} going {going}",
    ),
)

DIAGONAL_LINES = Phrases(
    "DIAGONAL_LINES",
    (
        "going diagonally {going} from {r}",
        "diagonally {going} from {r}",
        "in a diagonal going {going} from {r}",
        "in a diagonal line going {going} from {r}",
        "extending diagonally {going} from {r}",
        "from {r} going diagonally {going}",
    ),
)

# --- counted

_STEPS_AWAY_LEFT = Phrases("STEPS_AWAY.left", ("{n} to the left", "{n} to your left", "{n} left"))
STEPS_AWAY = {
    L: _STEPS_AWAY_LEFT,
    R: _STEPS_AWAY_LEFT.mirrored(),
    T: Phrases("STEPS_AWAY.top", ("{n} up", "{n} above", "{n} higher")),
    B: Phrases("STEPS_AWAY.bottom", ("{n} down", "{n} below", "{n} underneath", "{n} lower")),
    F: Phrases("STEPS_AWAY.front", ("{n} towards you", "{n} in front", "{n} closer to you")),
    H: Phrases("STEPS_AWAY.behind", ("{n} behind", "{n} further away from you", "{n} farther away from you")),
}

_STEPS_FROM_LEFT = Phrases("STEPS_FROM.left", ("{n} to the left of {r}", "{n} left of {r}"))
STEPS_FROM = {
    L: _STEPS_FROM_LEFT,
    R: _STEPS_FROM_LEFT.mirrored(),
    T: Phrases("STEPS_FROM.top", ("{n} above {r}", "{n} up from {r}", "{n} higher than {r}")),
    B: Phrases("STEPS_FROM.bottom", ("{n} below {r}", "{n} down from {r}", "{n} under {r}", "{n} underneath {r}")),
    F: Phrases("STEPS_FROM.front", ("{n} in front of {r}", "{n} towards you from {r}", "{n} closer to you than {r}")),
    H: Phrases("STEPS_FROM.behind", ("{n} behind {r}",)),
}

STEP_NOUNS = Phrases("STEP_NOUNS", ("", " block", " space"))
NEXT_STEP_NOUNS = STEP_NOUNS.only(lambda noun: noun != " block")  # never "one block one block to the left"

# Straight in one direction, with `{n}` empty cells on the way: `{pp}` is one of SEVERAL_BESIDE.
GAPS = Phrases(
    "GAPS",
    (
        "{pp} with {n} in between",
        "{pp} with {n} between them",
        "{pp}, leaving {n} in between",
        "{pp} with a gap of {m} in between",
        "{pp}, leaving a gap of {m}",
    ),
)
GAP_NOUNS = Phrases("GAP_NOUNS", (" space", " empty space", " blank space"))

# --- directions from the Builder

_GOING_LEFT = Phrases("GOING.left", ("to the left", "left", "to your left", "towards your left"))
GOING = {
    L: _GOING_LEFT,
    R: _GOING_LEFT.mirrored(),
    T: Phrases("GOING.top", ("up", "upward", "upwards")),
    B: Phrases("GOING.bottom", ("down", "downward", "downwards")),
    F: Phrases("GOING.front", ("towards you", "toward you", "in your direction")),
    H: Phrases("GOING.behind", ("away from you", "further away from you", "farther away from you")),
}
