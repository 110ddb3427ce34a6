"""Whole shapes: what they are called, how large they are, where they start and which way they go (BAP v2, 10.4).

One meaning a word:

    row, line          level with the ground; "vertical line" stands
    column, tower      stand
    diagonal           three or more blocks in a diagonal line, level or rising
    staircase          a rising diagonal; which way it goes always says "up"
    wall               upright
    platform, layer    flat; "floor" is the ground
    square             has equal sides; flat, if no word says that it stands
    tall, high         upwards
    wide               from the Builder's left to its right
    deep               away from the Builder, of what is flat
    long               of a line, and of a wall along the ground, whichever way it goes
"""

from bap_v2_simulators.wording.phrases import Phrases

SHAPE_NAMES = {  # (kind, whether it stands upright): names that leave the direction open, and names that say "up"
    ("row", False): (Phrases("SHAPE_NAMES.row.flat", ("row", "line", "horizontal row")), None),
    ("row", True): (
        None,
        Phrases("SHAPE_NAMES.row.up", ("column", "tower", "stack", "pillar", "vertical line", "vertical column")),
    ),
    ("diagonal", False): (Phrases("SHAPE_NAMES.diagonal.flat", ("diagonal", "diagonal line", "diagonal row")), None),
    ("diagonal", True): (
        Phrases("SHAPE_NAMES.diagonal.upright", ("diagonal", "diagonal line")),
        Phrases("SHAPE_NAMES.diagonal.up", ("staircase", "diagonal staircase", "stairway")),
    ),
    ("plane", False): (
        Phrases("SHAPE_NAMES.plane.flat", ("platform", "layer", "flat rectangle", "flat plane")),
        None,
    ),
    ("plane", True): (
        None,
        Phrases("SHAPE_NAMES.plane.up", ("wall", "vertical rectangle", "vertical plane", "vertical wall")),
    ),
}

EQUAL_SIDES = {  # whether it stands upright
    False: Phrases("EQUAL_SIDES.flat", ("square", "flat square", "horizontal square")),
    True: Phrases("EQUAL_SIDES.upright", ("vertical square", "standing square", "upright square")),
}

LONG = Phrases("LONG", ("long",))
TALL = Phrases("TALL", ("tall", "high"))
WIDE = Phrases("WIDE", ("wide",))
WIDE_OR_LONG = Phrases("WIDE_OR_LONG", ("long", "wide"))
DEEP = Phrases("DEEP", ("deep",))

# {d} a determiner, {f} floating or nothing, {c} the color or nothing, {s} the shape, {n} a number, {l} long or tall.
LINES_OF_BLOCKS = Phrases(
    "LINES_OF_BLOCKS",
    (
        "{d} {f} {s} of {n} {c} blocks",
        "{d} {f} {c} {s} of {n}",
        "{d} {f} {s} of {n} {c}",
        "{d} {f} {c} {s} of {n} blocks",
        "{d} {f} {s} of {n} {c} bricks",
        "{n} {f} {c} blocks in {d} {s}",
        "{d} {n} block {l} {f} {c} {s}",
        "{d} {n} {l} {f} {c} {s}",
        "{d} {f} {c} {s} {n} {l}",
        "{d} {f} {c} {s} {n} blocks {l}",
        "{d} {f} {c} {s} that is {n} {l}",
        "{d} {f} {c} {s} that is {n} blocks {l}",
        "{d} {f} {s} made of {n} {c} blocks",
        "{d} {f} {s} with {n} {c} blocks",
        "{d} {n} block {f} {c} {s}",
    ),
)

STEPPED = Phrases("STEPPED", ("{d} {n}x{n} {f} {c} {s}", "{d} {n} by {n} {f} {c} {s}"))

STAIRS = Phrases(
    "STAIRS", ("{d} {f} {c} {s} with {n} steps", "{d} {f} {c} {s} of {n} steps", "{d} {n} step {f} {c} {s}")
)

SQUARES = Phrases(
    "SQUARES",
    (
        "{d} {n}x{n} {f} {c} {s}",
        "{d} {f} {c} {n}x{n} {s}",
        "{d} {n} by {n} {f} {c} {s}",
        "{d} {n}x{n} {f} {s} of {c} blocks",
        "{d} {f} {c} {s} that is {n}x{n}",
        "{d} {f} {c} {s} that is {n} by {n}",
        "{d} {n}x{n} {f} {s} of {c}",
    ),
)

SQUARE_SIDES = Phrases(
    "SQUARE_SIDES",
    (
        "{d} {f} {c} {s}, {n} blocks in both directions,",
        "{d} {f} {c} {s}, {n} on each side,",
        "{d} {f} {c} {s}, {n} blocks on each side,",
        "{d} {f} {c} {s} that is {n} blocks long on each side",
    ),
)

# {n} along the ground and {m} up, or {n} across and {m} in depth; {l} and {t} are the words for them.
TWO_SIDES = Phrases(
    "TWO_SIDES",
    (
        "{d} {f} {c} {s} that is {n} {l} and {m} {t}",
        "{d} {f} {c} {s}, {n} {l} and {m} {t},",
        "{d} {f} {c} {s} {n} blocks {l} and {m} blocks {t}",
        "{d} {f} {c} {s} {n} {l} and {m} {t}",
        "{d} {f} {c} {s} that is {m} {t} and {n} {l}",
        "{d} {n} {l} and {m} {t} {f} {c} {s}",
        "{d} {m} {t} and {n} {l} {f} {c} {s}",
        "{d} {f} {c} {s} that is {n} blocks {l} and {m} blocks {t}",
    ),
)

# Of a wall: its rows lie on top of each other.
ROWS_OF_A_WALL = Phrases(
    "ROWS_OF_A_WALL",
    (
        "{d} {f} {s} with {m} rows of {n} {c} blocks each",
        "{d} {f} {c} {s}, {m} rows of {n} blocks each,",
        "{d} {f} {c} {s} of {m} rows, each row {n} blocks long,",
    ),
)

UNSIZED = Phrases("UNSIZED", ("{d} {f} {c} {s}", "{d} {f} {s} of {c} blocks", "{d} {f} {s} of {c}"))

# {l} is "length", "height" or "size": that of the shape before it.
SAME_SIZE = Phrases("SAME_SIZE", ("{d} {f} {c} {s} the same {l}", "{d} {f} {c} {s} of the same {l}"))

# A shape without its size, and then "make it 4 long": {z} is "4 long", "4 long and 3 tall", "4x4".
SIZES_ALONE = Phrases(
    "SIZES_ALONE", ("make it {z}", "it should be {z}", "it will be {z}", "it is {z}", "it's {z}", "it needs to be {z}")
)

ONE_SIZE = Phrases("ONE_SIZE", ("{n} {l}", "{n} blocks {l}"))
EQUAL_SIZES = Phrases("EQUAL_SIZES", ("{n}x{n}", "{n} by {n}", "{n} in both directions", "{n} on each side"))
TWO_SIZES = Phrases("TWO_SIZES", ("{n} {l} and {m} {t}", "{m} {t} and {n} {l}", "{n} blocks {l} and {m} blocks {t}"))

EXTENDING = Phrases(
    "EXTENDING",
    (
        "going {to}",
        "running {to}",
        "that goes {to}",
        "that extends {to}",
        "that runs {to}",
    ),
)

# The direction of the shape before it.
EXTENDING_LIKEWISE = {
    "same": Phrases(
        "EXTENDING_LIKEWISE.same", ("in the same direction", "going in the same direction", "going the same way")
    ),
    "opposite": Phrases(
        "EXTENDING_LIKEWISE.opposite",
        ("in the opposite direction", "going in the opposite direction", "going the opposite way"),
    ),
}

COURSES = {
    "parallel": Phrases("COURSES.parallel", ("parallel to {r}", "that is parallel to {r}")),
    "perpendicular": Phrases("COURSES.perpendicular", ("perpendicular to {r}", "that is perpendicular to {r}")),
}

LAST_ROW = Phrases("LAST_ROW", ("the last row", "the {c} row", "the {c} line", "the last line"))

# One more of what was built last; {c} is another color.
AGAIN = {
    False: Phrases(
        "AGAIN.same",
        ("do the same again", "do the same thing", "do that again", "make another one just like it", "do the same"),
    ),
    True: Phrases(
        "AGAIN.recolored",
        (
            "do the same with {c}",
            "do the same with {c} blocks",
            "do the same thing but with {c}",
            "do the same thing with {c} blocks",
            "do the same but in {c}",
            "make another one just like it but {c}",
        ),
    ),
}

STARTING = Phrases(
    "STARTING",
    ("starting {at}", "beginning {at}", "that starts {at}", "and it starts {at}", "with the first block {at}"),
)

# Never "start {at}" alone: "start one block to the left of it" could be about a block.
STARTS_ALONE = Phrases(
    "STARTS_ALONE",
    (
        "it starts {at}",
        "start it {at}",
        "it should start {at}",
        "it will start {at}",
        "first block is {at}",
        "the first block is {at}",
        "the first block goes {at}",
        "the first block will be {at}",
        "the first block should be {at}",
    ),
)

# Empty cells between: {n} of them, and the shape starts after them.
SKIPPED_SPACES = Phrases(
    "SKIPPED_SPACES",
    ("leave a gap of {n} {at}", "skip {n} spaces {at}", "leave {n} spaces {at}", "leave a space of {n} {at}"),
)
SKIPPED_SPACE = Phrases(
    "SKIPPED_SPACE",
    (
        "leave a space {at}",
        "skip a space {at}",
        "skip one space {at}",
        "leave a gap of one {at}",
        "leave one space {at}",
    ),
)
AFTER_THE_GAP = Phrases("AFTER_THE_GAP", ("then", "and then"))
