"""What comes before an instruction: greetings, praise, "now", "ok then"."""

from bap_v2_simulators.wording.phrases import table

GREETINGS = table("GREETINGS")

PRAISE = table("PRAISE")

# In front of a later instruction.
SEQUENCE = table("SEQUENCE")

# After praise: "great, now put ..."
AFTER_PRAISE = SEQUENCE.only(lambda marker: marker in ("now", "so", "then", "next", "ok now", "okay now", "and now"))

# In front of the first instruction of a game.
FIRST = table("FIRST")

# How often a comma follows (human train split); without one "after that one red block" would be about "that one", and
# "next to the left of it" be next to something.
COMMA = {
    "and": 0.0,
    "after that": 1.0,
    "to start": 1.0,
    "first": 0.35,
    "okay": 0.35,
    "alright": 0.35,
    "ok": 0.18,
    "next": 0.17,
}
RARE_COMMA = 0.02  # after all others
BEFORE_A_PLACE = ("next",)  # always with a comma if "to", "on" or "above" follows

# The color of the next instruction, as a line of its own.
COLORS = table("COLORS")

FIRST_COLORS = table("FIRST_COLORS")

# The reference of the next line, which calls it "it" or "that".
POINTING = table("POINTING")
