"""Verbs, with their -ing forms: people place and put a block, and build and make a row or a wall."""

from bap_v2_simulators.wording.phrases import Phrases

# One in six human verbs of placing is none of the plain five. Most of them say what is not said here (move, fill in,
# connect the two, use, extend it): the rare ones that also place a block are heard a little more often instead.
_TAIL = 0.18

PLACE_VERBS = Phrases(  # blocks
    "PLACE_VERBS",
    tail=_TAIL,
)

STACK_VERBS = Phrases("STACK_VERBS", (*PLACE_VERBS, ("stack", "stacking")), tail=_TAIL)  # on top of something

BUILD_VERBS = Phrases(  # a row, a tower, a wall
    "BUILD_VERBS",
    tail=0.3,  # of shapes one in five
)

REMOVE_VERBS = Phrases("REMOVE_VERBS")
