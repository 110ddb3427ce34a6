"""How people correct themselves, how a Builder asks between two readings, and how a second step follows a first.

Only heard where the setting `talk.repairs` is above 0.
"""

from bap_v2_simulators.wording.phrases import Phrases

CORRECTIONS = Phrases("CORRECTIONS")
# Before "make it red": not after "i meant".
CORRECTIONS_TO_DO = CORRECTIONS.only(lambda way: "meant" not in way)

# What follows may be plain where nothing else could be meant: "no, red" after the only color that was said.
OTHER_COLOR = Phrases("OTHER_COLOR")
OTHER_NUMBER = Phrases("OTHER_NUMBER")
OTHER_LENGTH = Phrases("OTHER_LENGTH")
# Where more than one color or number was said: {o} is "it" or "them", {c} a color.
MAKE_OF_COLOR = Phrases("MAKE_OF_COLOR")
MAKE_SO_MANY = Phrases("MAKE_SO_MANY")
MAKE_SO_LONG = Phrases("MAKE_SO_LONG")
THAT_SIDE = Phrases("THAT_SIDE")
WHICH_OF_TWO = Phrases("WHICH_OF_TWO")
THAT_OF_TWO = Phrases("THAT_OF_TWO")
NEXT_STEP = Phrases("NEXT_STEP")
