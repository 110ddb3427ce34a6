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
    ("row", False): (Phrases("SHAPE_NAMES.row.flat"), None),
    ("row", True): (
        None,
        Phrases("SHAPE_NAMES.row.up"),
    ),
    ("diagonal", False): (Phrases("SHAPE_NAMES.diagonal.flat"), None),
    ("diagonal", True): (
        Phrases("SHAPE_NAMES.diagonal.upright"),
        Phrases("SHAPE_NAMES.diagonal.up"),
    ),
    ("plane", False): (
        Phrases("SHAPE_NAMES.plane.flat"),
        None,
    ),
    ("plane", True): (
        None,
        Phrases("SHAPE_NAMES.plane.up"),
    ),
}

EQUAL_SIDES = {  # whether it stands upright
    False: Phrases("EQUAL_SIDES.flat"),
    True: Phrases("EQUAL_SIDES.upright"),
}

LONG = Phrases("LONG")
TALL = Phrases("TALL")
WIDE = Phrases("WIDE")
WIDE_OR_LONG = Phrases("WIDE_OR_LONG")
DEEP = Phrases("DEEP")

# {d} a determiner, {f} floating or nothing, {c} the color or nothing, {s} the shape, {n} a number, {l} long or tall.
LINES_OF_BLOCKS = Phrases("LINES_OF_BLOCKS")

STEPPED = Phrases("STEPPED")

STAIRS = Phrases("STAIRS")

SQUARES = Phrases("SQUARES")

SQUARE_SIDES = Phrases("SQUARE_SIDES")

# {n} along the ground and {m} up, or {n} across and {m} in depth; {l} and {t} are the words for them.
TWO_SIDES = Phrases("TWO_SIDES")

# Of a wall: its rows lie on top of each other.
ROWS_OF_A_WALL = Phrases("ROWS_OF_A_WALL")

UNSIZED = Phrases("UNSIZED")

# {l} is "length", "height" or "size": that of the shape before it.
SAME_SIZE = Phrases("SAME_SIZE")

# A shape without its size, and then "make it 4 long": {z} is "4 long", "4 long and 3 tall", "4x4".
SIZES_ALONE = Phrases("SIZES_ALONE")

ONE_SIZE = Phrases("ONE_SIZE")
EQUAL_SIZES = Phrases("EQUAL_SIZES")
TWO_SIZES = Phrases("TWO_SIZES")

EXTENDING = Phrases("EXTENDING")

# The direction of the shape before it.
EXTENDING_LIKEWISE = {
    "same": Phrases("EXTENDING_LIKEWISE.same"),
    "opposite": Phrases("EXTENDING_LIKEWISE.opposite"),
}

COURSES = {
    "parallel": Phrases("COURSES.parallel"),
    "perpendicular": Phrases("COURSES.perpendicular"),
}

LAST_ROW = Phrases("LAST_ROW")

# One more of what was built last; {c} is another color.
AGAIN = {
    False: Phrases("AGAIN.same"),
    True: Phrases("AGAIN.recolored"),
}

STARTING = Phrases("STARTING")

# Never "start {at}" alone: "start one block to the left of it" could be about a block.
STARTS_ALONE = Phrases("STARTS_ALONE")

# Empty cells between: {n} of them, and the shape starts after them.
SKIPPED_SPACES = Phrases("SKIPPED_SPACES")
SKIPPED_SPACE = Phrases("SKIPPED_SPACE")
AFTER_THE_GAP = Phrases("AFTER_THE_GAP")
