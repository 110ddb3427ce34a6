"""How people correct themselves, how a Builder asks between two readings, and how a second step follows a first.

Only heard where the setting `talk.repairs` is above 0.
"""

from bap_v2_simulators.wording.phrases import Phrases

CORRECTIONS = Phrases(
    "CORRECTIONS",
    (
        "sorry, {x}",
        "oh sorry, {x}",
        "sorry, i meant {x}",
        "i meant {x}",
        "oops, {x}",
        "my bad, {x}",
        "wait, {x}",
        "no wait, {x}",
        "no, {x}",
        "actually, {x}",
    ),
)
# Before "make it red": not after "i meant".
CORRECTIONS_TO_DO = CORRECTIONS.only(lambda way: "meant" not in way)

# What follows may be plain where nothing else could be meant: "no, red" after the only color that was said.
OTHER_COLOR = Phrases("OTHER_COLOR", ("{c}", "{c} instead"))
OTHER_NUMBER = Phrases("OTHER_NUMBER", ("{n}", "{n} blocks", "only {n}", "{n} of them"))
OTHER_LENGTH = Phrases("OTHER_LENGTH", ("{n} blocks", "{n} {l}", "{n} blocks {l}"))
# Where more than one color or number was said: {o} is "it" or "them", {c} a color.
MAKE_OF_COLOR = Phrases("MAKE_OF_COLOR", ("make {o} {c}", "use {c}", "make {o} {c} instead"))
MAKE_SO_MANY = Phrases("MAKE_SO_MANY", ("make it {n} {c} blocks", "make it {n} {c} ones", "only {n} {c} blocks"))
MAKE_SO_LONG = Phrases("MAKE_SO_LONG", ("make it {n} {l}", "make it {n} blocks {l}"))
THAT_SIDE = Phrases("THAT_SIDE", ("on the other side", "the other side", "on the opposite side"))
WHICH_OF_TWO = Phrases("WHICH_OF_TWO", ("{x} or {y}?", "which one, {x} or {y}?", "do you mean {x} or {y}?"))
THAT_OF_TWO = Phrases("THAT_OF_TWO", ("{x}", "{x} please", "sorry, {x}", "i mean {x}"))
NEXT_STEP = Phrases("NEXT_STEP", ("then", "and then", "and", "after that"))
