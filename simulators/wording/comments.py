"""What an Architect says about the shape that comes into being; it asks for nothing."""

from bap_v2_simulators.wording.phrases import table

# {s} is a shape with its article. After an instruction:
TO_MAKE = table("TO_MAKE")

# As a line of its own.
THAT_MAKES = table("THAT_MAKES")

# {s} is what the shape is called.
TO_COMPLETE = table("TO_COMPLETE")
THAT_COMPLETES = table("THAT_COMPLETES")

# Before the first block of a shape.
PREVIEWS = table("PREVIEWS")

LETTERS = {
    "t-shape": table("LETTERS.t"),
    "l-shape": table("LETTERS.l"),
    "u-shape": table("LETTERS.u"),
}
