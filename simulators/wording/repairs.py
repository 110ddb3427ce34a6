"""How people correct themselves, how a Builder asks between two readings, and how a second step follows a first.

Only heard where the setting `talk.repairs` is above 0.
"""

from bap_v2_simulators.wording.phrases import table

CORRECTIONS = table("CORRECTIONS")
# Before "make it red": not after "i meant".
CORRECTIONS_TO_DO = CORRECTIONS.only(lambda way: "meant" not in way)

# What follows may be plain where nothing else could be meant: "no, red" after the only color that was said.
OTHER_COLOR = table("OTHER_COLOR")
OTHER_NUMBER = table("OTHER_NUMBER")
OTHER_LENGTH = table("OTHER_LENGTH")
# Where more than one color or number was said: {o} is "it" or "them", {c} a color.
MAKE_OF_COLOR = table("MAKE_OF_COLOR")
MAKE_SO_MANY = table("MAKE_SO_MANY")
MAKE_SO_LONG = table("MAKE_SO_LONG")
THAT_SIDE = table("THAT_SIDE")
WHICH_OF_TWO = table("WHICH_OF_TWO")
THAT_OF_TWO = table("THAT_OF_TWO")
NEXT_STEP = table("NEXT_STEP")
