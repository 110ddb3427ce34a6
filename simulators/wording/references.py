"""Which block is meant: the priority rules of BAP v2, 10.2."""

from bap_v2_simulators.wording.phrases import Phrases

LAST_PLACED = Phrases(
    "LAST_PLACED",
    (
        "the last block",
        "the last block you placed",
        "the block you just placed",
        "the last one",
        "the last one you placed",
        "the block you placed last",
        "the one you just placed",
        "the block you just put down",
        "the one you put down last",
        "the last block you added",
        "the block you just added",
        "the most recent block",
        "the most recently placed block",
        "the previous block",
        "that",
        "that one",
        "that block",
        "it",
        "the {c} block you just placed",
        "the {c} one you just put down",
        "the last {c} block",
        "the last {c} block you placed",
        "your last block",
        "the block we just added",
        "the newest block",
        "the {c} block you just added",
        "what you just placed",
        "the one from the last step",
        "the last brick",
        "the brick you just placed",
        "that {c} block",
        "that {c} one",
        "the last piece",
        "that last block",
        "that last one",
        "the one you placed just now",
        "the block from the previous step",
        "the most recent {c} block",
        "the last thing you placed",
        "your most recent block",
        "this one",
        "this block",
        "the one you just did",
    ),
)

# After a run of blocks "it", "that" or "what you just placed" could be all of them.
LAST_OF_SEVERAL = LAST_PLACED.only(
    lambda phrase: (
        any(word in phrase for word in ("last ", "placed last", "down last", "recent", "newest"))
        and not any(word in phrase for word in ("thing", "step"))
    )
)

# In an answer "it" is the new block: "put it on top of it".
LAST_IN_ANSWER = LAST_PLACED.only(
    lambda phrase: phrase not in ("it", "that", "that one", "that block", "this one", "this block")
)

POINTED_AT = Phrases("POINTED_AT", ("it", "that", "that one", "that block"))  # by the line before

LAST_REMOVED = Phrases(
    "LAST_REMOVED",
    (
        "the last block you removed",
        "the block you just removed",
        "the spot where you just removed a block",
        "the block you just took away",
        "the empty spot you just made",
        "the block you removed last",
        "the one you just removed",
        "the last one you removed",
        "the block you just deleted",
        "the last block you took away",
        "the one you took away last",
        "the removed block",
        "where you just removed the block",
        "the gap you just made",
        "the block that you just broke",
        "the hole you just left",
    ),
)

UNIQUE = Phrases(
    "UNIQUE",
    (
        "the {c} block",
        "the {c} one",
        "the only {c} block",
        "the single {c} block",
        "the {c} brick",
        "the only {c} one",
        "the one {c} block",
        "the lone {c} block",
        "our {c} block",
        "our only {c} block",
        "the {c} cube",
        "the {c} piece",
        "the {c} block that is there",
        "the existing {c} block",
    ),
)

# How often human Architects of the train split use each way, left and right taken together; depth is seldom one.
SUPERLATIVE_NAMES = Phrases(
    "SUPERLATIVE_NAMES",
    (
        *("leftmost", "rightmost", "topmost", "bottommost", "frontmost", "backmost", "closest", "furthest"),
        *("topmost+leftmost", "topmost+rightmost", "bottommost+leftmost", "bottommost+rightmost"),
        *("topmost+backmost", "topmost+frontmost", "bottommost+backmost", "bottommost+frontmost"),
        *("backmost+leftmost", "backmost+rightmost", "frontmost+leftmost", "frontmost+rightmost"),
        *("closest by distance", "furthest by distance"),
    ),
    counts=(36, 36, 31, 6, 1, 2, 26, 12, 25, 25, 24, 24, 0, 0, 0, 0, 1, 1, 1, 1, 0, 0),
)

# Also by what it looks like from where the Builder stands; every adjective goes before "{c} block", every clause after.
SUPERLATIVES = {
    "leftmost": (
        Phrases("SUPERLATIVES.leftmost.before", ("leftmost", "left-most", "left most", "furthest left", "far left")),
        Phrases(
            "SUPERLATIVES.leftmost.after",
            (
                "furthest to the left",
                "that is furthest left",
                "on the far left",
                "farthest to your left",
                "furthest to your left",
            ),
        ),
    ),
    "rightmost": (
        Phrases(
            "SUPERLATIVES.rightmost.before", ("rightmost", "right-most", "right most", "furthest right", "far right")
        ),
        Phrases(
            "SUPERLATIVES.rightmost.after",
            (
                "furthest to the right",
                "that is furthest right",
                "on the far right",
                "farthest to your right",
                "furthest to your right",
            ),
        ),
    ),
    "topmost": (
        Phrases("SUPERLATIVES.topmost.before", ("topmost", "top-most", "highest", "top", "tallest")),
        Phrases(
            "SUPERLATIVES.topmost.after",
            ("at the very top", "that is highest", "that is highest up", "on the highest level", "furthest up"),
        ),
    ),
    "bottommost": (
        Phrases("SUPERLATIVES.bottommost.before", ("bottommost", "bottom-most", "lowest", "bottom")),
        Phrases(
            "SUPERLATIVES.bottommost.after",
            ("at the very bottom", "that is lowest", "that is lowest down", "on the lowest level", "furthest down"),
        ),
    ),
    "frontmost": (
        Phrases("SUPERLATIVES.frontmost.before", ("front-most", "front most", "front")),
        Phrases("SUPERLATIVES.frontmost.after", ("at the very front", "in the very front", "that is front-most")),
    ),
    "backmost": (
        Phrases("SUPERLATIVES.backmost.before", ("backmost", "back-most", "back most", "back")),
        Phrases("SUPERLATIVES.backmost.after", ("at the very back", "in the very back", "that is at the very back")),
    ),
    "closest": (
        Phrases("SUPERLATIVES.closest.before", ("closest", "nearest")),
        Phrases(
            "SUPERLATIVES.closest.after",
            (
                "closest to you",
                "nearest to you",
                "that is closest to you",
                "that is nearest to you",
                "you are closest to",
            ),
        ),
    ),
    "furthest": (
        Phrases("SUPERLATIVES.furthest.before", ("furthest", "farthest")),
        Phrases(
            "SUPERLATIVES.furthest.after",
            ("furthest from you", "farthest from you", "farthest away from you", "that is furthest away from you"),
        ),
    ),
    "closest by distance": (
        None,
        Phrases(
            "SUPERLATIVES.closest by distance.after",
            ("that is closest to you by distance",),
        ),
    ),
    "furthest by distance": (
        None,
        Phrases(
            "SUPERLATIVES.furthest by distance.after",
            ("that is farthest from you by distance",),
        ),
    ),
    "topmost+leftmost": (
        Phrases("SUPERLATIVES.topmost+leftmost.before", ("top left", "upper left", "top-left", "upper-left")),
        Phrases(
            "SUPERLATIVES.topmost+leftmost.after",
            ("in the top left corner", "at the top left", "in the upper left corner", "at the upper left"),
        ),
    ),
    "topmost+rightmost": (
        Phrases("SUPERLATIVES.topmost+rightmost.before", ("top right", "upper right", "top-right", "upper-right")),
        Phrases(
            "SUPERLATIVES.topmost+rightmost.after",
            ("in the top right corner", "at the top right", "in the upper right corner", "at the upper right"),
        ),
    ),
    "bottommost+leftmost": (
        Phrases("SUPERLATIVES.bottommost+leftmost.before", ("bottom left", "lower left", "bottom-left", "lower-left")),
        Phrases(
            "SUPERLATIVES.bottommost+leftmost.after",
            ("in the bottom left corner", "at the bottom left", "in the lower left corner", "at the lower left"),
        ),
    ),
    "bottommost+rightmost": (
        Phrases(
            "SUPERLATIVES.bottommost+rightmost.before", ("bottom right", "lower right", "bottom-right", "lower-right")
        ),
        Phrases(
            "SUPERLATIVES.bottommost+rightmost.after",
            ("in the bottom right corner", "at the bottom right", "in the lower right corner", "at the lower right"),
        ),
    ),
    "topmost+backmost": (
        Phrases("SUPERLATIVES.topmost+backmost.before", ("top back", "upper back", "top-back", "upper-back")),
        Phrases(
            "SUPERLATIVES.topmost+backmost.after",
            ("in the top back corner", "at the top back", "in the upper back corner", "at the upper back"),
        ),
    ),
    "topmost+frontmost": (
        Phrases("SUPERLATIVES.topmost+frontmost.before", ("top front", "upper front", "top-front", "upper-front")),
        Phrases(
            "SUPERLATIVES.topmost+frontmost.after",
            ("in the top front corner", "at the top front", "in the upper front corner", "at the upper front"),
        ),
    ),
    "bottommost+backmost": (
        Phrases("SUPERLATIVES.bottommost+backmost.before", ("bottom back", "lower back", "bottom-back", "lower-back")),
        Phrases(
            "SUPERLATIVES.bottommost+backmost.after",
            ("in the bottom back corner", "at the bottom back", "in the lower back corner", "at the lower back"),
        ),
    ),
    "bottommost+frontmost": (
        Phrases(
            "SUPERLATIVES.bottommost+frontmost.before", ("bottom front", "lower front", "bottom-front", "lower-front")
        ),
        Phrases(
            "SUPERLATIVES.bottommost+frontmost.after",
            ("in the bottom front corner", "at the bottom front", "in the lower front corner", "at the lower front"),
        ),
    ),
    "backmost+leftmost": (
        Phrases("SUPERLATIVES.backmost+leftmost.before", ("back left", "back-left")),
        Phrases(
            "SUPERLATIVES.backmost+leftmost.after",
            ("in the back left corner", "at the back left"),
        ),
    ),
    "backmost+rightmost": (
        Phrases("SUPERLATIVES.backmost+rightmost.before", ("back right", "back-right")),
        Phrases(
            "SUPERLATIVES.backmost+rightmost.after",
            ("in the back right corner", "at the back right"),
        ),
    ),
    "frontmost+leftmost": (
        Phrases("SUPERLATIVES.frontmost+leftmost.before", ("front left", "front-left")),
        Phrases("SUPERLATIVES.frontmost+leftmost.after", ("in the front left corner", "at the front left")),
    ),
    "frontmost+rightmost": (
        Phrases("SUPERLATIVES.frontmost+rightmost.before", ("front right", "front-right")),
        Phrases("SUPERLATIVES.frontmost+rightmost.after", ("in the front right corner", "at the front right")),
    ),
}

LAST_OF_SHAPE = Phrases(
    "LAST_OF_SHAPE",
    (
        "the last block",
        "the last block you placed",
        "the block you just placed",
        "the block you placed last",
        "the last {c} block",
        "the last {c} block you placed",
        "the most recent block",
        "the most recently placed block",
        "the last block you added",
        "the last brick",
        "the last brick you placed",
        "the block you just put down",
        "the {c} block you placed last",
        "your last block",
        "the last block you put down",
        "the {c} block you just placed",
        "the very last block",
        "the newest block",
        "the last block of the previous shape",
        "the final block you placed",
        "your most recent block",
        "the last piece you placed",
        "the block you added last",
    ),
)

# In the same breath, before it is built.
LAST_SAID = Phrases("LAST_SAID", ("it", "that", "that one", "that block"))
LAST_SAID_IN_ANSWER = LAST_SAID.only(lambda phrase: phrase != "it")
LAST_OF_SHAPE_SAID = Phrases("LAST_OF_SHAPE_SAID", ("its last block", "the last block of that", "the last block of it"))
# Of several blocks of a color, before the Builder asks which.
ONE_OF_SEVERAL = UNIQUE.only(lambda phrase: phrase.startswith("the {c}"))
