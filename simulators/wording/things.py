"""What things are called that stand on the board, and how letters and other shapes are asked for. Only heard in `dh`.

{c} is a color, {s} a name, {n} and {m} numbers, {z} a size, {pp} a place.
"""

from collections.abc import Mapping

from bap_v2_simulators.view import Direction
from bap_v2_simulators.wording.phrases import Phrases, evenly

THING_NAMES: Mapping[str, Phrases[str]] = {
    "block": Phrases("THING_NAMES.block", ("block", "one", "brick")),
    "row": Phrases("THING_NAMES.row", ("row", "line")),
    "tower": Phrases("THING_NAMES.tower", ("tower", "column", "stack")),
    "diagonal": Phrases("THING_NAMES.diagonal", ("diagonal", "diagonal line")),
    "wall": Phrases("THING_NAMES.wall", ("wall",)),
    "square": Phrases("THING_NAMES.square", ("square",)),
    "rectangle": Phrases("THING_NAMES.rectangle", ("rectangle",)),
    "l": evenly("THING_NAMES.l", ("l", "l shape")),
    "t": evenly("THING_NAMES.t", ("t", "t shape")),
    "u": evenly("THING_NAMES.u", ("u", "u shape")),
    "c": evenly("THING_NAMES.c", ("c", "c shape", "letter c")),
    "h": evenly("THING_NAMES.h", ("h", "h shape", "letter h")),
    "i": Phrases("THING_NAMES.i", ("letter i", "capital i")),
    "x": evenly("THING_NAMES.x", ("x", "x shape")),
    "plus": evenly("THING_NAMES.plus", ("plus", "plus sign", "cross")),
    "frame": Phrases("THING_NAMES.frame", ("frame", "ring")),
    "arch": Phrases("THING_NAMES.arch", ("arch", "archway")),
}
ANYTHING = evenly("ANYTHING", ("thing", "shape", "one", "structure", "part"))  # the only one of its color
THE = Phrases("THE", ("the", "that", "the whole", "the entire"))
IT = evenly("IT", ("it", "that"))
EARLIER = Phrases("EARLIER", ("from before", "from earlier", "we made earlier", "you built earlier", "you made before"))
FIRST_THING = Phrases(
    "FIRST_THING",
    ("the first thing we built", "the first thing you made", "the first shape", "the first shape we made"),
)
SECOND_THING = Phrases(
    "SECOND_THING", ("the second thing we built", "the second thing you made", "the second shape we made")
)

# The ends of a line: adjectives, and what the end is called.
ENDS: Mapping[Direction, tuple[Phrases[str], str]] = {
    Direction.LEFT: (Phrases("ENDS.left", ("leftmost",)), "left"),
    Direction.RIGHT: (Phrases("ENDS.right", ("rightmost",)), "right"),
    Direction.TOP: (Phrases("ENDS.top", ("top", "topmost", "highest")), "top"),
    Direction.BOTTOM: (Phrases("ENDS.bottom", ("bottom", "lowest")), "bottom"),
    Direction.FRONT: (Phrases("ENDS.front", ("front", "closest")), "front"),
    Direction.BEHIND: (Phrases("ENDS.behind", ("back", "furthest", "farthest")), "back"),
}

# --- letters and the like

DRAWN = evenly(
    "DRAWN",
    ("{a} {c} {s}, {z}", "{a} {c} {s} that is {z}", "{a} {c} {s} {z}"),
)
DRAWN_UPRIGHT = evenly("DRAWN_UPRIGHT", ("an upright", "a standing", "a vertical"))
DRAWN_FLAT = Phrases("DRAWN_FLAT", ("a flat", "a horizontal"))
SIZE_UPRIGHT = evenly(
    "SIZE_UPRIGHT", ("{n} wide and {m} tall", "{n} wide and {m} high", "{n} blocks wide and {m} tall")
)
SIZE_FLAT = evenly("SIZE_FLAT", ("{n} wide and {m} long", "{n} wide and {m} deep", "{n} blocks wide and {m} deep"))
FACING = evenly("FACING", ("facing you", "as you see it"))
TOP_AWAY = Phrases("TOP_AWAY", ("with its top away from you", "with the top pointing away from you"))
DRAWN_VERBS = Phrases("DRAWN_VERBS", ("make", "build", "create", "now make", "let's make", "let's build", "we need"))
BOTTOM_LEFT = Phrases(
    "BOTTOM_LEFT",
    (
        "its bottom left block goes {pp}",
        "its bottom left block is {pp}",
        "the bottom left block of it goes {pp}",
        "its lower left block should be {pp}",
    ),
)
BOTTOM = Phrases(
    "BOTTOM",
    ("its bottom block goes {pp}", "its bottom block is {pp}", "its lowest block goes {pp}", "its foot goes {pp}"),
)
