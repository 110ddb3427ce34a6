"""How people change, repeat, mirror and extend what is there. Only heard in `dh`.

{r} is a thing that is there ("the red row"), {p} another one, {c} a color, {n} a number, {b} and {u} "block" or the
like, {to} a direction, {pp} a place.
"""

from collections.abc import Mapping

from bap_v2_simulators.view import Direction
from bap_v2_simulators.wording.phrases import Phrases, evenly

# --- what is removed

ALL_OF_THE_LAST = Phrases(
    "ALL_OF_THE_LAST",
    (
        "what you just placed",
        "what you just built",
        "what you just added",
        "everything you just placed",
        "everything you just built",
        "the blocks you just placed",
        "all of those blocks you just placed",
    ),
)
UNDO = Phrases("UNDO", ("undo that", "undo the last step", "undo what you just did", "undo all of that"))
LAST_OF_THE_LAST = Phrases("LAST_OF_THE_LAST", ("the last block you placed", "that last block", "that last one"))
SOME_OF_THE_LAST = Phrases(
    "SOME_OF_THE_LAST", ("the last {n} blocks you placed", "the last {n}", "those last {n} blocks")
)
BLOCK_AT_AN_END = Phrases(
    "BLOCK_AT_AN_END", ("the {e} block of {r}", "the {e} block in {r}", "the block at the {s} end of {r}")
)
BLOCKS_AT_AN_END = Phrases(
    "BLOCKS_AT_AN_END",
    ("the {n} {e} blocks of {r}", "the {n} blocks at the {s} end of {r}", "the {e} {n} blocks of {r}"),
)

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
OTHER_COLOR_LATER = Phrases(
    "OTHER_COLOR_LATER", ("{r} should be another color", "{r} is the wrong color", "change the color of {r}")
)
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
LAST_SHIFTED = Phrases(
    "LAST_SHIFTED", ("no, {n} {to}", "sorry, {n} {u} {to}", "not there, {n} {u} {to}", "oops, {n} {to}")
)
SHIFTED_LATER = Phrases("SHIFTED_LATER", ("move {r} {to}", "shift {r} {to}", "move {r} a bit {to}"))
SHIFT_UNITS = Phrases("SHIFT_UNITS", ("space", "block"))
WAYS: Mapping[Direction, Phrases[str]] = {
    Direction.LEFT: Phrases("WAYS.left", ("to the left", "left", "to your left", "further left", "more to the left")),
    Direction.RIGHT: Phrases(
        "WAYS.right", ("to the right", "right", "to your right", "further right", "more to the right")
    ),
    Direction.TOP: Phrases("WAYS.top", ("up", "higher", "further up")),
    Direction.BOTTOM: Phrases("WAYS.bottom", ("down", "lower", "further down")),
    Direction.FRONT: Phrases("WAYS.front", ("towards you", "closer to you", "toward you")),
    Direction.BEHIND: Phrases("WAYS.behind", ("back", "away from you", "further back", "further away from you")),
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
TAKE_THE_END = Phrases("TAKE_THE_END", ("take the end one away", "take the last one off", "remove the last one"))
TOO_FEW = Phrases(
    "TOO_FEW", ("it's {n} too short", "that's {n} too few", "it needs to be {n} longer", "it needs {n} more")
)

# --- more of it

LENGTHENED = Phrases(
    "LENGTHENED",
    (
        "make {r} {n} longer",
        "make {r} {n} {b} longer",
        "make {r} longer by {n}",
        "extend {r} by {n}",
        "extend {r} by {n} {b}",
        "can you make {r} {n} {b} longer",
        "extend {r} {n} more {b}",
    ),
)
LENGTHENED_TO = Phrases(
    "LENGTHENED_TO",
    (
        "extend {r} by {n} {to}",
        "extend {r} {n} {to}",
        "extend {r} {n} {b} {to}",
        "extend {r} {to} by {n}",
        "make {r} {n} longer {to}",
        "continue {r} {n} {b} {to}",
    ),
)
LENGTHENED_LATER = Phrases("LENGTHENED_LATER", ("extend {r}", "make {r} longer", "continue {r}"))
LENGTHENED_TO_LATER = Phrases("LENGTHENED_TO_LATER", ("extend {r} {to}", "make {r} longer {to}", "continue {r} {to}"))
HEIGHTENED = Phrases(
    "HEIGHTENED",
    (
        "make {r} {n} taller",
        "make {r} {n} {b} taller",
        "make {r} {n} higher",
        "make {r} taller by {n}",
        "extend {r} up {n}",
    ),
)
AT_BOTH_ENDS = Phrases(
    "AT_BOTH_ENDS",
    (
        "add one to both ends of {r}",
        "add one more on each end of {r}",
        "one more on both ends of {r}",
        "add one block to each end of {r}",
        "extend {r} by one on both ends",
        "extend {r} by one at each end",
    ),
)
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
LAYERED_IN = Phrases(
    "LAYERED_IN",
    (
        "put a {c} block on top of each block of {r}",
        "add a {c} layer on top of {r}",
        "add a {c} one on top of each block in {r}",
        "cover {r} with {c}",
        "place a {c} block on top of each of those",
        "put a {c} one on top of each of them",
    ),
)

# --- the same again, and its mirror image

AGAIN = Phrases(  # of the last thing
    "COPIED",
    (
        "do the same {pp}",
        "do the same thing {pp}",
        "do that again {pp}",
        "same again {pp}",
        "same thing {pp}",
        "build the same thing {pp}",
        "repeat that {pp}",
        "now repeat this {pp}",
        "another one of those {pp}",
        "make another one of those {pp}",
        "one more of those {pp}",
        "make the same shape {pp}",
        "copy that {pp}",
    ),
)
AGAIN_IN = Phrases(
    "COPIED_IN",
    (
        "do the same in {c} {pp}",
        "do the same thing in {c} {pp}",
        "same again in {c} {pp}",
        "same thing but {c}, {pp}",
        "build the same thing in {c} {pp}",
        "repeat that with {c} {pp}",
        "do that again with {c} {pp}",
    ),
)
LIKE = Phrases(  # of another thing
    "LIKE",
    (
        "make another one like {r} {pp}",
        "build another one like {r} {pp}",
        "build a copy of {r} {pp}",
        "repeat {r} {pp}",
        "copy {r} {pp}",
        "make a copy of {r} {pp}",
        "build the same as {r} {pp}",
    ),
)
LIKE_IN = Phrases(
    "LIKE_IN", ("make another one like {r} in {c} {pp}", "build a copy of {r} in {c} {pp}", "copy {r} in {c} {pp}")
)
AGAIN_WHERE: Mapping[Direction, Phrases[str]] = {
    Direction.LEFT: Phrases(
        "AGAIN_WHERE.left", ("to the left of it", "to its left", "on its left side", "to the left")
    ),
    Direction.RIGHT: Phrases(
        "AGAIN_WHERE.right", ("to the right of it", "to its right", "on its right side", "to the right")
    ),
    Direction.TOP: Phrases("AGAIN_WHERE.top", ("on top of it", "on top", "above it")),
    Direction.FRONT: Phrases("AGAIN_WHERE.front", ("in front of it", "in front")),
    Direction.BEHIND: Phrases("AGAIN_WHERE.behind", ("behind it",)),
}
NO_GAP = Phrases(
    "NO_GAP", ("directly {pp}", "right {pp}", "{pp} with no gap", "{pp}, touching it", "{pp} without a gap")
)
ONE_SPACE = Phrases(
    "ONE_SPACE",
    (
        "{pp}, with one space in between",
        "{pp} with one space in between",
        "{pp}, leaving one space in between",
        "{pp} with a gap of one",
        "{pp}, one space between them",
        "{pp} with 1 space between them",
    ),
)
SPACES = Phrases(
    "SPACES",
    (
        "{pp}, with {n} spaces in between",
        "{pp} with {n} spaces in between",
        "{pp}, leaving {n} spaces in between",
        "{pp} with a gap of {n}",
        "{pp}, {n} spaces between them",
        "{pp} with {n} spaces between them",
    ),
)
MIRRORED = Phrases(
    "MIRRORED",
    (
        "mirror {r} on the other side of {p}",
        "now mirror {r} on the other side of {p}",
        "mirror {r} across {p}",
        "build the mirror image of {r} on the other side of {p}",
        "make {r} symmetric on the other side of {p}",
        "put a mirror image of {r} on the opposite side of {p}",
    ),
)
SAME_ACROSS = Phrases(  # of what is its own mirror image
    "SAME_ACROSS",
    (
        "do the same on the other side of {p}",
        "do the same thing on the other side of {p}",
        "same on the other side of {p}",
        "same thing on the opposite side of {p}",
        "build the same on the other side of {p}",
        "repeat that on the other side of {p}",
        "do that again on the other side of {p}",
        "another one of those on the other side of {p}",
        "now the same on the other side of {p}",
    ),
)

# --- what was left out

ASK_HOW_FAR = Phrases("ASK_HOW_FAR", ("how far?", "how many spaces?", "by how many?", "by how much?"))
ASK_HOW_MANY = Phrases("ASK_HOW_MANY", ("how many blocks?", "by how many?", "how many?", "how much longer?"))
SO_MANY = evenly("SO_MANY", ("{n}", "{n} {u}", "by {n}", "{n} please"))
ASK_WHERE = Phrases("ASK_WHERE", ("where?", "where exactly?", "sorry, where?", "where should i put it?"))
ANSWER_WHERE = Phrases("ANSWER_WHERE", ("{pp}", "{pp} please", "sorry, {pp}"))
MIRRORED_LATER = Phrases("MIRRORED_LATER", ("mirror {r}", "now mirror {r}", "build the mirror image of {r}"))
ACROSS = Phrases("ACROSS", ("on the other side of {p}", "across {p}"))
