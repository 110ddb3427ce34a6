"""How people change, repeat, mirror and extend what is there. Only heard in `dh`.

{r} is a thing that is there ("the red row"), {p} another one, {c} a color, {n} a number, {b} and {u} "block" or the
like, {to} a direction, {pp} a place.
"""

from collections.abc import Mapping

from bap_v2_simulators.view import Direction
from bap_v2_simulators.wording.phrases import Phrases, evenly

# --- what is removed

ALL_OF_THE_LAST = Phrases("ALL_OF_THE_LAST")
UNDO = Phrases("UNDO")
LAST_OF_THE_LAST = Phrases("LAST_OF_THE_LAST")
SOME_OF_THE_LAST = Phrases("SOME_OF_THE_LAST")
BLOCK_AT_AN_END = Phrases("BLOCK_AT_AN_END")
BLOCKS_AT_AN_END = Phrases("BLOCKS_AT_AN_END")

# --- corrections

RECOLORED = evenly(
    "RECOLORED",
    (
        "{r} should be {c}",
        "{r} should be {c} instead",
        "make {r} {c} instead",
        "make {r} {c}",
        "change {r} to {c}",
        "switch {r} to {c}",
        "can you make {r} {c}",
        "can you change {r} to {c}",
        "sorry, {r} should be {c}",
        "actually, make {r} {c}",
        "replace {r} with {c}",
        "oops, {r} should have been {c}",
    ),
)
LAST_RECOLORED = evenly(
    "LAST_RECOLORED", ("sorry, i meant {c}", "i meant {c}", "oops, {c}", "no, {c} instead", "use {c} instead")
)
OTHER_COLOR_LATER = Phrases("OTHER_COLOR_LATER")
SHIFTED = evenly(
    "SHIFTED",
    (
        "move {r} {n} {to}",
        "move {r} {to} {n}",
        "move {r} {n} {u} {to}",
        "can you move {r} {n} {u} {to}",
        "shift {r} {n} {to}",
        "shift {r} {n} {u} {to}",
        "{r} should be {n} {u} {to}",
        "{r} should be {n} {to}",
        "sorry, move {r} {n} {u} {to}",
        "oops, {r} should be {n} {u} {to}",
    ),
)
LAST_SHIFTED = Phrases("LAST_SHIFTED")
SHIFTED_LATER = Phrases("SHIFTED_LATER")
SHIFT_UNITS = Phrases("SHIFT_UNITS")
WAYS: Mapping[Direction, Phrases[str]] = {
    Direction.LEFT: Phrases("WAYS.left"),
    Direction.RIGHT: Phrases("WAYS.right"),
    Direction.TOP: Phrases("WAYS.top"),
    Direction.BOTTOM: Phrases("WAYS.bottom"),
    Direction.FRONT: Phrases("WAYS.front"),
    Direction.BEHIND: Phrases("WAYS.behind"),
}
PLAIN_WAYS: Mapping[Direction, Phrases[str]] = {  # without "further": where nothing was moved before
    direction: ways.only(lambda way: "further" not in way and "more" not in way and not way.endswith("er"))
    for direction, ways in WAYS.items()
}
TOO_MANY = evenly(
    "TOO_MANY",
    (
        "that's {n} too many",
        "{n} too many",
        "it's {n} too long",
        "you placed {n} too many",
        "that's {n} block{p} too many",
    ),
)
TAKE_THE_END = Phrases("TAKE_THE_END")
TOO_FEW = Phrases("TOO_FEW")

# --- more of it

LENGTHENED = Phrases("LENGTHENED")
LENGTHENED_TO = Phrases("LENGTHENED_TO")
LENGTHENED_LATER = Phrases("LENGTHENED_LATER")
LENGTHENED_TO_LATER = Phrases("LENGTHENED_TO_LATER")
HEIGHTENED = Phrases("HEIGHTENED")
AT_BOTH_ENDS = Phrases("AT_BOTH_ENDS")
LAYERED = evenly(
    "LAYERED",
    (
        "add one more on top of each block of {r}",
        "put one more on top of each block in {r}",
        "add another layer on top of {r}",
        "build another layer on top of {r}",
        "copy {r} up one",
        "add one on top of each of those",
        "place another one on top of each of them",
    ),
)
LAYERED_IN = Phrases("LAYERED_IN")

# --- the same again, and its mirror image

AGAIN = Phrases(  # of the last thing
    "COPIED"
)
AGAIN_IN = Phrases("COPIED_IN")
LIKE = Phrases(  # of another thing
    "LIKE"
)
LIKE_IN = Phrases("LIKE_IN")
AGAIN_WHERE: Mapping[Direction, Phrases[str]] = {
    Direction.LEFT: Phrases("AGAIN_WHERE.left"),
    Direction.RIGHT: Phrases("AGAIN_WHERE.right"),
    Direction.TOP: Phrases("AGAIN_WHERE.top"),
    Direction.FRONT: Phrases("AGAIN_WHERE.front"),
    Direction.BEHIND: Phrases("AGAIN_WHERE.behind"),
}
NO_GAP = Phrases("NO_GAP")
ONE_SPACE = Phrases("ONE_SPACE")
SPACES = Phrases("SPACES")
MIRRORED = Phrases("MIRRORED")
SAME_ACROSS = Phrases(  # of what is its own mirror image
    "SAME_ACROSS"
)

# --- what was left out

ASK_HOW_FAR = Phrases("ASK_HOW_FAR")
ASK_HOW_MANY = Phrases("ASK_HOW_MANY")
SO_MANY = evenly("SO_MANY", ("{n}", "{n} {u}", "by {n}", "{n} please"))
ASK_WHERE = Phrases("ASK_WHERE")
ANSWER_WHERE = Phrases("ANSWER_WHERE")
MIRRORED_LATER = Phrases("MIRRORED_LATER")
ACROSS = Phrases("ACROSS")
