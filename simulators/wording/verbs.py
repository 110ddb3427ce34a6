"""Verbs, with their -ing forms: people place and put a block, and build and make a row or a wall."""

from bap_v2_simulators.wording.phrases import Phrases

# One in six human verbs of placing is none of the plain five. Most of them say what is not said here (move, fill in,
# connect the two, use, extend it): the rare ones that also place a block are heard a little more often instead.
_TAIL = 0.18

PLACE_VERBS = Phrases(  # blocks
    "PLACE_VERBS",
    (
        ("place", "placing"),
        ("put", "putting"),
        ("add", "adding"),
        ("make", "making"),
        ("build", "building"),
        ("have", "having"),
        ("use", "using"),
        ("get", "getting"),
        ("put down", "putting down"),
        ("do", "doing"),
        ("attach", "attaching"),
        ("connect", "connecting"),
        ("stick", "sticking"),
        ("set", "setting"),
        ("position", "positioning"),
        ("lay", "laying"),
        ("place down", "placing down"),
        ("create", "creating"),
    ),
    tail=_TAIL,
)

STACK_VERBS = Phrases("STACK_VERBS", (*PLACE_VERBS, ("stack", "stacking")), tail=_TAIL)  # on top of something

BUILD_VERBS = Phrases(  # a row, a tower, a wall
    "BUILD_VERBS",
    (
        ("make", "making"),
        ("build", "building"),
        ("add", "adding"),
        ("place", "placing"),
        ("put", "putting"),
        ("have", "having"),
        ("do", "doing"),
        ("put down", "putting down"),
        ("form", "forming"),
        ("create", "creating"),
        ("place down", "placing down"),
        ("lay", "laying"),
        ("connect", "connecting"),
    ),
    tail=0.3,  # of shapes one in five
)

REMOVE_VERBS = Phrases(
    "REMOVE_VERBS",
    (
        ("remove", "removing"),
        ("delete", "deleting"),
        ("break", "breaking"),
        ("get rid of", "getting rid of"),
        ("punch out", "punching out"),
        ("punch", "punching"),
        ("take out", "taking out"),
        ("take away", "taking away"),
        ("take off", "taking off"),
        ("knock out", "knocking out"),
        ("undo", "undoing"),
        ("clear", "clearing"),
    ),
)
