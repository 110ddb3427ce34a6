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

from bap_v2_simulators.wording.phrases import table

SHAPE_NAMES = {  # (kind, whether it stands upright): names that leave the direction open, and names that say "up"
    ("row", False): (table("SHAPE_NAMES.row.flat"), None),
    ("row", True): (
        None,
        table("SHAPE_NAMES.row.up"),
    ),
    ("diagonal", False): (table("SHAPE_NAMES.diagonal.flat"), None),
    ("diagonal", True): (
        table("SHAPE_NAMES.diagonal.upright"),
        table("SHAPE_NAMES.diagonal.up"),
    ),
    ("plane", False): (
        table("SHAPE_NAMES.plane.flat"),
        None,
    ),
    ("plane", True): (
        None,
        table("SHAPE_NAMES.plane.up"),
    ),
}

EQUAL_SIDES = {  # whether it stands upright
    False: table("EQUAL_SIDES.flat"),
    True: table("EQUAL_SIDES.upright"),
}

LONG = table("LONG")
TALL = table("TALL")
WIDE = table("WIDE")
WIDE_OR_LONG = table("WIDE_OR_LONG")
DEEP = table("DEEP")

# {d} a determiner, {f} floating or nothing, {c} the color or nothing, {s} the shape, {n} a number, {l} long or tall.
LINES_OF_BLOCKS = table("LINES_OF_BLOCKS")

STEPPED = table("STEPPED")

STAIRS = table("STAIRS")

SQUARES = table("SQUARES")

SQUARE_SIDES = table("SQUARE_SIDES")

# {n} along the ground and {m} up, or {n} across and {m} in depth; {l} and {t} are the words for them.
TWO_SIDES = table("TWO_SIDES")

# Of a wall: its rows lie on top of each other.
ROWS_OF_A_WALL = table("ROWS_OF_A_WALL")

UNSIZED = table("UNSIZED")

# {l} is "length", "height" or "size": that of the shape before it.
SAME_SIZE = table("SAME_SIZE")

# A shape without its size, and then "make it 4 long": {z} is "4 long", "4 long and 3 tall", "4x4".
SIZES_ALONE = table("SIZES_ALONE")

ONE_SIZE = table("ONE_SIZE")
EQUAL_SIZES = table("EQUAL_SIZES")
TWO_SIZES = table("TWO_SIZES")

EXTENDING = table("EXTENDING")

# The direction of the shape before it.
EXTENDING_LIKEWISE = {
    "same": table("EXTENDING_LIKEWISE.same"),
    "opposite": table("EXTENDING_LIKEWISE.opposite"),
}

COURSES = {
    "parallel": table("COURSES.parallel"),
    "perpendicular": table("COURSES.perpendicular"),
}

LAST_ROW = table("LAST_ROW")

# One more of what was built last; {c} is another color.
AGAIN = {
    False: table("AGAIN.same"),
    True: table("AGAIN.recolored"),
}

STARTING = table("STARTING")

# Never "start {at}" alone: "start one block to the left of it" could be about a block.
STARTS_ALONE = table("STARTS_ALONE")

# Empty cells between: {n} of them, and the shape starts after them.
SKIPPED_SPACES = table("SKIPPED_SPACES")
SKIPPED_SPACE = table("SKIPPED_SPACE")
AFTER_THE_GAP = table("AFTER_THE_GAP")
