"""Where blocks go, from a reference or from the Builder."""

from bap_v2_simulators.view import Direction
from bap_v2_simulators.wording.phrases import Phrases

L, R, T, B, F, H = (
    Direction.LEFT, Direction.RIGHT, Direction.TOP, Direction.BOTTOM, Direction.FRONT, Direction.BEHIND
)  # fmt: skip

ON_THE_GROUND = Phrases(
    "ON_THE_GROUND",
    (
        "on the ground",
        "anywhere on the ground",
        "on the floor",
        "somewhere on the ground",
        "on the ground anywhere",
        "on the ground wherever you like",
        "on the ground, anywhere you want",
        "anywhere on the floor",
        "at ground level",
        "on the bottom level",
        "on the ground, it does not matter where",
        "on the ground in any spot",
        "on the lowest level",
        "on the ground level",
        "on the ground near you",
        "down on the ground",
        "wherever you like on the ground",
    ),
)

BESIDE = {
    L: Phrases(
        "BESIDE.left",
        (
            "to the left of {r}",
            "on the left of {r}",
            "on the left side of {r}",
            "directly to the left of {r}",
            "immediately to the left of {r}",
            "just to the left of {r}",
            "left of {r}",
            "directly left of {r}",
            "next to {r}, on the left side",
            "beside {r}, on its left",
            "touching the left side of {r}",
            "against the left side of {r}",
            "off the left side of {r}",
            "to the immediate left of {r}",
            "on the left-hand side of {r}",
            "attached to the left of {r}",
            "coming off the left side of {r}",
            "at the left side of {r}",
            "on the left edge of {r}",
            "flush against the left of {r}",
            "stuck to the left side of {r}",
            "to the left side of {r}",
            "left from {r}",
            "connected to the left of {r}",
            "on the direct left of {r}",
            "joined to the left side of {r}",
            "adjoining the left side of {r}",
            "sticking out to the left of {r}",
            "on the left face of {r}",
        ),
    ),
    R: Phrases(
        "BESIDE.right",
        (
            "to the right of {r}",
            "on the right of {r}",
            "on the right side of {r}",
            "directly to the right of {r}",
            "immediately to the right of {r}",
            "just to the right of {r}",
            "right of {r}",
            "directly right of {r}",
            "next to {r}, on the right side",
            "beside {r}, on its right",
            "touching the right side of {r}",
            "against the right side of {r}",
            "off the right side of {r}",
            "to the immediate right of {r}",
            "on the right-hand side of {r}",
            "attached to the right of {r}",
            "coming off the right side of {r}",
            "at the right side of {r}",
            "on the right edge of {r}",
            "flush against the right of {r}",
            "stuck to the right side of {r}",
            "to the right side of {r}",
            "right from {r}",
            "connected to the right of {r}",
            "on the direct right of {r}",
            "joined to the right side of {r}",
            "adjoining the right side of {r}",
            "sticking out to the right of {r}",
            "on the right face of {r}",
        ),
    ),
    T: Phrases(
        "BESIDE.top",
        (
            "on top of {r}",
            "above {r}",
            "one up from {r}",
            "directly above {r}",
            "directly on top of {r}",
            "on the top side of {r}",
            "on the upper face of {r}",
            "just above {r}",
            "immediately above {r}",
            "atop {r}",
            "upon {r}",
            "one level above {r}",
            "one higher than {r}",
            "on the top face of {r}",
        ),
    ),
    B: Phrases(
        "BESIDE.bottom",
        (
            "underneath {r}",
            "under {r}",
            "beneath {r}",
            "below {r}",
            "directly below {r}",
            "directly under {r}",
            "directly underneath {r}",
            "just below {r}",
            "immediately below {r}",
            "on the underside of {r}",
            "on the bottom of {r}",
            "hanging under {r}",
            "one level below {r}",
            "one lower than {r}",
            "on the bottom face of {r}",
        ),
    ),
    F: Phrases(
        "BESIDE.front",
        (
            "in front of {r}",
            "directly in front of {r}",
            "just in front of {r}",
            "immediately in front of {r}",
            "on the side of {r} that faces you",
            "on the near side of {r}",
            "on the front side of {r}",
            "one step closer to you than {r}",
            "on the side of {r} facing you",
            "on the front face of {r}",
            "on the front of {r}",
            "sticking out towards you from {r}",
            "coming towards you from {r}",
        ),
    ),
    H: Phrases(
        "BESIDE.behind",
        (
            "behind {r}",
            "directly behind {r}",
            "just behind {r}",
            "immediately behind {r}",
            "in back of {r}",
            "at the back of {r}",
            "on the far side of {r}",
            "on the back side of {r}",
            "on the side of {r} that faces away from you",
            "one step further away from you than {r}",
            "on the back of {r}",
            "on the back face of {r}",
        ),
    ),
}

_CLINGING = (
    "touching", "sticking", "coming", "joined", "attached", "connected", "stuck", "adjoining", "off", "hanging",
)  # fmt: skip
PLAIN_BESIDE = {  # those that also say where something starts
    direction: phrases.only(lambda phrase: phrase.split()[0] not in _CLINGING and phrase.endswith("{r}"))
    for direction, phrases in BESIDE.items()
}

BESIDE_UNSAID = {
    L: Phrases(
        "BESIDE_UNSAID.left",
        (
            "to the left",
            "on the left",
            "on the left side",
            "to its left",
            "on its left side",
            "directly to the left",
            "just to the left",
            "immediately to the left",
            "one to the left",
        ),
    ),
    R: Phrases(
        "BESIDE_UNSAID.right",
        (
            "to the right",
            "on the right",
            "on the right side",
            "to its right",
            "on its right side",
            "directly to the right",
            "just to the right",
            "immediately to the right",
            "one to the right",
        ),
    ),
    T: Phrases(
        "BESIDE_UNSAID.top",
        ("on top", "above", "directly above", "directly on top", "on the top", "just above", "one above"),
    ),
    B: Phrases(
        "BESIDE_UNSAID.bottom",
        ("underneath", "below", "beneath", "directly below", "directly underneath", "just below", "one below"),
    ),
    F: Phrases(
        "BESIDE_UNSAID.front",
        ("in front", "directly in front", "on the front side", "just in front", "towards you", "one towards you"),
    ),
    H: Phrases(
        "BESIDE_UNSAID.behind",
        (
            "behind",
            "directly behind",
            "on the back side",
            "just behind",
            "in back",
            "away from you",
            "one away from you",
        ),
    ),
}

# Several blocks, one after the other, in one direction: `{pp}` is one of BESIDE's, `{to}` the direction. A row needs
# it: "a row behind the last block" could also lie crosswise.
ALONG = Phrases("ALONG", ("{pp}", "one after another, {pp}", "one after the other, {pp}"))

ALONG_GOING = Phrases(
    "ALONG_GOING",
    (
        "going {to} from {r}",
        "extending {to} from {r}",
        "in a row going {to} from {r}",
        "in a line going {to} from {r}",
        "in a straight line going {to} from {r}",
        "from {r} going {to}",
        "running {to} from {r}",
        "in a row from {r} going {to}",
    ),
)

ALONG_VERTICAL = Phrases(
    "ALONG_VERTICAL",
    ("{pp}", "stacked {pp}", "in a column {pp}", "in a vertical line {pp}", "one over the other, {pp}"),
)

FAR_BESIDE = {  # those of BESIDE that also fit several blocks
    direction: phrases.only(
        lambda phrase: (
            not any(word in phrase for word in ("one ", "touching", "adjacent", "beside", "next to", "hanging", "atop"))
        )
    )
    for direction, phrases in BESIDE.items()
}

# In front of a reference: "above and to the left of {r}".
NEXT_TO_REFERENCE = {
    L: Phrases("NEXT_TO_REFERENCE.left", ("to the left of", "left of")),
    R: Phrases("NEXT_TO_REFERENCE.right", ("to the right of", "right of")),
    T: Phrases("NEXT_TO_REFERENCE.top", ("above",)),
    B: Phrases("NEXT_TO_REFERENCE.bottom", ("below", "beneath", "underneath", "under")),
    F: Phrases("NEXT_TO_REFERENCE.front", ("in front of",)),
    H: Phrases("NEXT_TO_REFERENCE.behind", ("behind", "in back of")),
}

# As the first of two: "up and to the left of {r}".
FIRST_OF_TWO = {
    L: Phrases("FIRST_OF_TWO.left", ("to the left", "left", "to the left of")),
    R: Phrases("FIRST_OF_TWO.right", ("to the right", "right", "to the right of")),
    T: Phrases("FIRST_OF_TWO.top", ("above", "up")),
    B: Phrases("FIRST_OF_TWO.bottom", ("below", "down")),
    F: Phrases("FIRST_OF_TWO.front", ("in front", "in front of", "towards you")),
    H: Phrases("FIRST_OF_TWO.behind", ("behind", "back", "away from you")),
}

# Corners: "to the top left of {r}".
CORNERS = {
    (T, L): Phrases("CORNERS.top+left", ("top left", "upper left", "upper-left", "top-left")),
    (T, R): Phrases("CORNERS.top+right", ("top right", "upper right", "upper-right", "top-right")),
    (B, L): Phrases("CORNERS.bottom+left", ("bottom left", "lower left", "lower-left", "bottom-left")),
    (B, R): Phrases("CORNERS.bottom+right", ("bottom right", "lower right", "lower-right", "bottom-right")),
    (L, F): Phrases("CORNERS.left+front", ("front left", "front-left")),
    (R, F): Phrases("CORNERS.right+front", ("front right", "front-right")),
    (L, H): Phrases("CORNERS.left+behind", ("back left", "back-left", "rear left")),
    (R, H): Phrases("CORNERS.right+behind", ("back right", "back-right", "rear right")),
    (T, F): Phrases("CORNERS.top+front", ("top front", "upper front", "top-front")),
    (B, F): Phrases("CORNERS.bottom+front", ("bottom front", "lower front", "bottom-front")),
    (T, H): Phrases("CORNERS.top+behind", ("top back", "upper back", "top-back")),
    (B, H): Phrases("CORNERS.bottom+behind", ("bottom back", "lower back", "bottom-back")),
}

TWO_WAYS = Phrases(
    "TWO_WAYS",
    ("{first} and {second} {r}", "diagonally {first} and {second} {r}", "diagonal, {first} and {second} {r}"),
)

CORNER_WAYS = Phrases(
    "CORNER_WAYS",
    (
        "to the {corner} of {r}",
        "on the {corner} diagonal of {r}",
        "diagonally to the {corner} of {r}",
        "at the {corner} of {r}",
        "touching the {corner} edge of {r}",
    ),
)

PLAIN_CORNER_WAYS = CORNER_WAYS.only(lambda way: not way.startswith("touching"))

CORNER_UNSAID = Phrases("CORNER_UNSAID", ("to the {corner}", "diagonally to the {corner}", "on the {corner} diagonal"))

# "away from you from it" would be hard to read: away from the Builder, the reference comes first.
ALONG_GOING_AWAY = Phrases(
    "ALONG_GOING_AWAY",
    ("from {r} going {to}", "in a row from {r} going {to}", "in a line from {r} going {to}", "from {r} on, going {to}"),
)

DIAGONAL_LINES_AWAY = Phrases(
    "DIAGONAL_LINES_AWAY",
    (
        "diagonally from {r} going {going}",
        "in a diagonal line from {r} going {going}",
        "from {r} going diagonally {going}",
        "in a diagonal from {r} going {going}",
    ),
)

DIAGONAL_LINES = Phrases(
    "DIAGONAL_LINES",
    (
        "going diagonally {going} from {r}",
        "diagonally {going} from {r}",
        "in a diagonal line going {going} from {r}",
        "in a diagonal going {going} from {r}",
        "going {going} diagonally from {r}",
        "in a diagonal line {going} from {r}",
        "continuing diagonally {going} from {r}",
        "along the diagonal going {going} from {r}",
    ),
)

STEPS_AWAY = {
    L: Phrases("STEPS_AWAY.left", ("{n} to the left", "{n} to your left")),
    R: Phrases("STEPS_AWAY.right", ("{n} to the right", "{n} to your right")),
    T: Phrases("STEPS_AWAY.top", ("{n} above", "{n} up", "{n} higher", "{n} upwards")),
    B: Phrases("STEPS_AWAY.bottom", ("{n} below", "{n} down", "{n} underneath", "{n} lower", "{n} downwards")),
    F: Phrases("STEPS_AWAY.front", ("{n} in front", "{n} towards you", "{n} closer to you")),
    H: Phrases("STEPS_AWAY.behind", ("{n} behind", "{n} away from you", "{n} further away from you", "{n} back")),
}

STEPS_FROM = {
    L: Phrases("STEPS_FROM.left", ("{n} to the left of {r}", "{n} left of {r}")),
    R: Phrases("STEPS_FROM.right", ("{n} to the right of {r}", "{n} right of {r}")),
    T: Phrases("STEPS_FROM.top", ("{n} above {r}", "{n} up from {r}", "{n} higher than {r}")),
    B: Phrases(
        "STEPS_FROM.bottom",
        ("{n} below {r}", "{n} down from {r}", "{n} underneath {r}", "{n} under {r}", "{n} lower than {r}"),
    ),
    F: Phrases("STEPS_FROM.front", ("{n} in front of {r}", "{n} towards you from {r}", "{n} closer to you than {r}")),
    H: Phrases("STEPS_FROM.behind", ("{n} behind {r}", "{n} further away from you than {r}", "{n} back from {r}")),
}

STEP_NOUNS = Phrases("STEP_NOUNS", ("", " block", " cell", " step", " tile", " square"))

STEPS_RELATIVE = Phrases(
    "STEPS_RELATIVE",
    ("{steps} from {r}", "{steps} relative to {r}", "{steps}, counted from {r}", "{steps}, measured from {r}"),
)

GOING = {
    L: Phrases(
        "GOING.left",
        (
            "to the left of you",
            "to your left",
            "towards your left",
            "left",
            "to the left",
            "leftwards",
            "off to your left",
        ),
    ),
    R: Phrases(
        "GOING.right",
        (
            "to the right of you",
            "to your right",
            "towards your right",
            "right",
            "to the right",
            "rightwards",
            "off to your right",
        ),
    ),
    T: Phrases("GOING.top", ("up", "upwards", "upward")),
    B: Phrases("GOING.bottom", ("down", "downwards", "downward")),
    F: Phrases(
        "GOING.front", ("towards you", "toward you", "closer to you", "in your direction", "towards where you are")
    ),
    H: Phrases(
        "GOING.behind", ("away from you", "away from where you are", "farther away from you", "further away from you")
    ),
}
