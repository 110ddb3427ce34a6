"""Whole shapes: what they are called, how large they are, where they start and which way they go (BAP v2, 10.4)."""

from bap_v2_simulators.wording.phrases import Phrases

EQUAL_SIDES = {
    False: Phrases("EQUAL_SIDES.flat", ("square", "flat square")),
    True: Phrases("EQUAL_SIDES.upright", ("square", "vertical square", "upright square")),
}

SHAPE_NAMES = {  # (kind, whether it stands upright): names that leave the direction open, and names that say "up"
    ("row", False): (
        Phrases(
            "SHAPE_NAMES.row.flat",
            ("row", "line", "straight line", "horizontal row", "horizontal line", "bar", "strip"),
        ),
        None,
    ),
    ("row", True): (
        Phrases("SHAPE_NAMES.row.upright", ("row", "line")),
        Phrases(
            "SHAPE_NAMES.row.up",
            ("column", "pillar", "tower", "stack", "vertical row", "vertical line", "upright row", "pole"),
        ),
    ),
    ("diagonal", False): (
        Phrases(
            "SHAPE_NAMES.diagonal.flat",
            ("diagonal", "diagonal line", "diagonal row", "flat diagonal", "horizontal diagonal"),
        ),
        None,
    ),
    ("diagonal", True): (
        Phrases("SHAPE_NAMES.diagonal.upright", ("diagonal", "diagonal line")),
        Phrases(
            "SHAPE_NAMES.diagonal.up",
            (
                "staircase",
                "stairway",
                "stair",
                "vertical diagonal",
                "set of stairs",
                "rising diagonal",
                "diagonal staircase",
            ),
        ),
    ),
    ("plane", False): (
        Phrases(
            "SHAPE_NAMES.plane.flat",
            ("plane", "layer", "flat layer", "horizontal plane", "platform", "flat plane", "floor", "flat rectangle"),
        ),
        None,
    ),
    ("plane", True): (
        Phrases("SHAPE_NAMES.plane.upright", ("plane",)),
        Phrases(
            "SHAPE_NAMES.plane.up",
            ("wall", "vertical plane", "upright plane", "standing plane", "vertical wall", "vertical rectangle"),
        ),
    ),
}

LONG = Phrases("LONG", ("long", "in length"))

TALL = Phrases("TALL", ("tall", "high", "in height"))

# {d} a determiner, {f} floating or nothing, {c} the color or nothing, {s} the shape, {n} a number, {l} long or tall.
LINES_OF_BLOCKS = Phrases(
    "LINES_OF_BLOCKS",
    (
        "{d} {n} block {l} {f} {c} {s}",
        "{d} {n}-block {f} {c} {s}",
        "{d} {f} {c} {s} of {n} blocks",
        "{d} {f} {s} of {n} {c} blocks",
        "{d} {f} {c} {s} that is {n} blocks {l}",
        "{n} {c} blocks in {d} {f} {s}",
        "{d} {f} {c} {s} made of {n} blocks",
        "{d} {f} {s} made of {n} {c} blocks",
        "{d} {f} {c} {s}, {n} blocks {l},",
        "{d} {f} {c} {s} with {n} blocks",
        "{d} {f} {s} with {n} {c} blocks",
        "{d} {f} {c} {s} of length {n}",
        "{d} {f} {s} of {n} {c} bricks",
        "{d} {n} {l} {f} {c} {s}",
        "{d} {f} {c} {s} consisting of {n} blocks",
        "{d} {f} {s} of {n} {c} ones",
        "{d} {f} {c} {s} {n} blocks {l}",
        "{d} {f} {c} {s} which is {n} {l}",
        "{n} {f} {c} blocks that form {d} {s}",
        "{d} {f} {c} {s} with a total of {n} blocks",
    ),
)

STEPPED = Phrases(
    "STEPPED", ("{d} {n}x{n} {f} {c} {s}", "{d} {f} {c} {s} of {n} by {n}", "{d} {f} {c} {s} that spans {n}x{n}")
)

STAIRS = Phrases(
    "STAIRS", ("{d} {f} {c} {s} with {n} steps", "{d} {f} {c} {s} of {n} steps", "{d} {n}-step {f} {c} {s}")
)

SQUARES = Phrases(
    "SQUARES",
    (
        "{d} {n}x{n} {f} {c} {s}",
        "{d} {n} by {n} {f} {c} {s}",
        "{d} {f} {c} {s} of {n}x{n}",
        "{d} {f} {c} {s} that is {n}x{n}",
        "{d} {f} {c} {s} of {n} by {n} blocks",
        "{d} {n}x{n} {f} {s} of {c} blocks",
        "{d} {f} {c} {s}, {n} by {n},",
        "{d} {f} {s} made of {n}x{n} {c} blocks",
        "{d} {n}x{n} {f} {s} in {c}",
    ),
)

UPRIGHT = Phrases(
    "UPRIGHT",
    (
        "{d} {f} {c} {s}, {n} blocks long and {m} tall,",
        "{d} {f} {c} {s} that is {n} long and {m} tall",
        "{d} {n} block long and {m} block tall {f} {c} {s}",
        "{d} {f} {c} {s}, {n} wide and {m} high,",
        "{d} {f} {c} {s} which is {n} wide and {m} tall",
        "{d} {m} block tall and {n} block long {f} {c} {s}",
        "{d} {f} {s} of {c} blocks, {n} long and {m} high,",
        "{d} {n}x{m} {f} {c} {s} ({n} long, {m} tall)",
        "{d} {f} {c} {s} {n} blocks wide and {m} blocks high",
        "{d} {f} {c} {s} with a length of {n} and a height of {m}",
        "{d} {f} {c} {s} with a height of {m} and a width of {n}",
    ),
)

FLAT = Phrases(
    "FLAT",
    (
        "{d} {f} {c} {s}, {n} blocks wide and {m} deep,",
        "{d} {f} {c} {s} that is {n} wide and {m} deep",
        "{d} {n} block wide and {m} block deep {f} {c} {s}",
        "{d} {f} {c} {s} which is {n} blocks wide and {m} blocks deep",
        "{d} {f} {s} of {c} blocks, {n} wide and {m} deep,",
        "{d} {n}x{m} {f} {c} {s} ({n} wide, {m} deep)",
        "{d} {f} {c} {s} with a width of {n} and a depth of {m}",
        "{d} {f} {c} {s} {n} blocks wide and {m} blocks deep",
        "{d} {m} block deep and {n} block wide {f} {c} {s}",
        "{d} {f} {c} {s} with a depth of {m} and a width of {n}",
    ),
)

UNSIZED = Phrases("UNSIZED", ("{d} {f} {c} {s}", "{d} {f} {s} of {c} blocks", "{d} {f} {s} in {c}"))

EXTENDING = Phrases(
    "EXTENDING",
    (
        "going {to}",
        "extending {to}",
        "running {to}",
        "that goes {to}",
        "pointing {to}",
        "which extends {to}",
        "stretching {to}",
        "heading {to}",
        "that runs {to}",
        "that stretches {to}",
        "leading {to}",
        "which goes {to}",
        "that extends {to}",
    ),
)

STARTING = Phrases(
    "STARTING",
    (
        "starting {at}",
        "beginning {at}",
        "with its first block {at}",
        "with the first block {at}",
        "starting off {at}",
        "whose first block is {at}",
        "that starts {at}",
        "which begins {at}",
    ),
)

STARTS_ALONE = Phrases(
    "STARTS_ALONE",
    (
        "it starts {at}",
        "start it {at}",
        "the first block goes {at}",
        "its first block is {at}",
        "start {at}",
        "begin {at}",
        "the first block is {at}",
        "the first block should be {at}",
        "you start {at}",
        "its starting block is {at}",
        "the starting point is {at}",
        "it begins {at}",
    ),
)
