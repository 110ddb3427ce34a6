"""What an Architect says about the shape that comes into being; it asks for nothing."""

from bap_v2_simulators.wording.phrases import Phrases

# {s} is a shape with its article. After an instruction:
TO_MAKE = Phrases("TO_MAKE")

# As a line of its own.
THAT_MAKES = Phrases("THAT_MAKES")

# {s} is what the shape is called.
TO_COMPLETE = Phrases("TO_COMPLETE")
THAT_COMPLETES = Phrases("THAT_COMPLETES")

# Before the first block of a shape.
PREVIEWS = Phrases("PREVIEWS")

LETTERS = {
    "t-shape": Phrases("LETTERS.t"),
    "l-shape": Phrases("LETTERS.l"),
    "u-shape": Phrases("LETTERS.u"),
}
