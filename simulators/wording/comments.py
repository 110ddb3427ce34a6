"""What an Architect says about the shape that comes into being; it asks for nothing."""

from bap_v2_simulators.wording.phrases import Phrases

# {s} is a shape with its article. After an instruction:
TO_MAKE = Phrases("TO_MAKE", ("to make {s}", "to form {s}", "so it makes {s}", "so it looks like {s}"))

# As a line of its own.
THAT_MAKES = Phrases(
    "THAT_MAKES", ("that makes {s}", "this makes {s}", "it makes {s}", "it should look like {s}", "it looks like {s}")
)

# {s} is what the shape is called.
TO_COMPLETE = Phrases("TO_COMPLETE", ("to finish the {s}", "to complete the {s}"))
THAT_COMPLETES = Phrases("THAT_COMPLETES", ("that completes the {s}", "that finishes the {s}", "that's the {s}"))

# Before the first block of a shape.
PREVIEWS = Phrases(
    "PREVIEWS",
    (
        "we're going to make {s}",
        "we are going to make {s}",
        "we're going to build {s}",
        "we'll make {s}",
        "we're building {s}",
        "we're making {s}",
    ),
)

LETTERS = {
    "t-shape": Phrases("LETTERS.t", ("t", "t shape")),
    "l-shape": Phrases("LETTERS.l", ("l", "l shape")),
    "u-shape": Phrases("LETTERS.u", ("u", "u shape")),
}
