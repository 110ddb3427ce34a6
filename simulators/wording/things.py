"""What things are called that stand on the board, and how letters and other shapes are asked for. Only heard in `dh`.

{c} is a color, {s} a name, {n} and {m} numbers, {z} a size, {pp} a place.
"""

from collections.abc import Mapping

from bap_v2_simulators.view import Direction
from bap_v2_simulators.wording.phrases import Phrases, evenly

THING_NAMES: Mapping[str, Phrases[str]] = {
    "block": Phrases("THING_NAMES.block"),
    "row": Phrases("THING_NAMES.row"),
    "tower": Phrases("THING_NAMES.tower"),
    "diagonal": Phrases("THING_NAMES.diagonal"),
    "wall": Phrases("THING_NAMES.wall"),
    "square": Phrases("THING_NAMES.square"),
    "rectangle": Phrases("THING_NAMES.rectangle"),
    "l": evenly("THING_NAMES.l", ("l", "l shape")),
    "t": evenly("THING_NAMES.t", ("t", "t shape")),
    "u": evenly("THING_NAMES.u", ("u", "u shape")),
    "c": evenly("THING_NAMES.c", ("c", "c shape", "letter c")),
    "h": evenly("THING_NAMES.h", ("h", "h shape", "letter h")),
    "i": Phrases("THING_NAMES.i"),
    "x": evenly("THING_NAMES.x", ("x", "x shape")),
    "plus": evenly("THING_NAMES.plus", ("plus", "plus sign", "cross")),
    "frame": Phrases("THING_NAMES.frame"),
    "arch": Phrases("THING_NAMES.arch"),
}
ANYTHING = evenly("ANYTHING", ("thing", "shape", "one", "structure", "part"))  # the only one of its color
THE = Phrases("THE")
IT = evenly("IT", ("it", "that"))
EARLIER = Phrases("EARLIER")
FIRST_THING = Phrases("FIRST_THING")
SECOND_THING = Phrases("SECOND_THING")

# The ends of a line: adjectives, and what the end is called.
ENDS: Mapping[Direction, tuple[Phrases[str], str]] = {
    Direction.LEFT: (Phrases("ENDS.left"), "left"),
    Direction.RIGHT: (Phrases("ENDS.right"), "right"),
    Direction.TOP: (Phrases("ENDS.top"), "top"),
    Direction.BOTTOM: (Phrases("ENDS.bottom"), "bottom"),
    Direction.FRONT: (Phrases("ENDS.front"), "front"),
    Direction.BEHIND: (Phrases("ENDS.behind"), "back"),
}

# --- letters and the like

DRAWN = evenly(
    "DRAWN",
    ("{a} {c} {s}, {z}", "{a} {c} {s} that is {z}", "{a} {c} {s} {z}"),
)
DRAWN_UPRIGHT = evenly("DRAWN_UPRIGHT", ("an upright", "a standing", "a vertical"))
DRAWN_FLAT = Phrases("DRAWN_FLAT")
SIZE_UPRIGHT = evenly(
    "SIZE_UPRIGHT", ("{n} wide and {m} tall", "{n} wide and {m} high", "{n} blocks wide and {m} tall")
)
SIZE_FLAT = evenly("SIZE_FLAT", ("{n} wide and {m} long", "{n} wide and {m} deep", "{n} blocks wide and {m} deep"))
FACING = evenly("FACING", ("facing you", "as you see it"))
TOP_AWAY = Phrases("TOP_AWAY")
DRAWN_VERBS = Phrases("DRAWN_VERBS")
BOTTOM_LEFT = Phrases("BOTTOM_LEFT")
BOTTOM = Phrases("BOTTOM")
