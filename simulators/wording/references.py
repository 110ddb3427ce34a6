"""Which block is meant: the priority rules of BAP v2, 10.2."""

from bap_v2_simulators.wording.phrases import Phrases

LAST_PLACED = Phrases(
    "LAST_PLACED",
    (
        "it",
        "that",
        "that one",
        "that block",
        "this one",
        "this block",
        "that {c} block",
        "that {c} one",
        "that last block",
        "that last one",
        "that last {c} block",
        "that last {c} one",
        "the last block",
        "the last one",
        "the last {c} block",
        "the last {c} one",
        "the last brick",
        "the last block you placed",
        "the last one you placed",
        "the last {c} block you placed",
        "the last {c} one you placed",
        "the last block you built",
        "the last block you added",
        "the block you just placed",
        "the {c} block you just placed",
        "the one you just placed",
        "the {c} one you just placed",
        "the block you just put down",
        "the {c} block you just put down",
        "the one you just put down",
        "the block you just added",
        "the one you just added",
        "the block you just built",
        "the one you just built",
        "the brick you just placed",
        "the block you placed last",
        "the most recently placed block",
        "the most recently placed {c} block",
        "the most recently added brick",
        "the most recent block",
        "the previous one",
        "what you just placed",
    ),
)

# After a run of blocks "it", "that" or "what you just placed" could be all of them.
LAST_OF_SEVERAL = LAST_PLACED.only(
    lambda phrase: (
        any(word in phrase for word in ("last ", "placed last", "down last", "latest", "recent", "newest"))
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
        "the one you just removed",
        "the last one you removed",
        "the block you removed last",
        "the block you just took away",
        "the block you just deleted",
        "the block you just broke",
        "the spot where you just removed a block",
        "where you just removed the block",
    ),
)

UNIQUE = Phrases(
    "UNIQUE",
    (
        "the {c} block",
        "the {c} one",
        "the {c} brick",
        "the {c} cube",
        "the {c} piece",
        "the only {c} block",
        "the single {c} block",
        "the one {c} block",
        "the only {c} one",
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


def _corner(name: str, *adjectives: str) -> tuple[Phrases, Phrases]:
    """The ways to name a corner: "top left", "in the top left corner", "at the top left"."""
    hyphens = tuple(adjective.replace(" ", "-") for adjective in adjectives)
    clauses = tuple(f"{way} {adjective}{noun}" for adjective in adjectives for way, noun in _IN_CORNERS)
    return (
        Phrases(f"SUPERLATIVES.{name}.before", (*adjectives, *hyphens)),
        Phrases(f"SUPERLATIVES.{name}.after", clauses),
    )


def _mirrored(tables: tuple[Phrases, Phrases]) -> tuple[Phrases, Phrases]:
    return tables[0].mirrored(), tables[1].mirrored()


_IN_CORNERS = (("in the", " corner"), ("at the", ""))

_LEFTMOST = (
    Phrases(
        "SUPERLATIVES.leftmost.before",
        (
            "leftmost",
            "left most",
            "left-most",
            "left",
            "furthest left",
            "farthest left",
            "far left",
        ),
    ),
    Phrases(
        "SUPERLATIVES.leftmost.after",
        (
            "on the far left",
            "furthest to the left",
            "farthest to the left",
        ),
    ),
)
_TOP_LEFT = _corner("topmost+leftmost", "top left", "upper left")
_BOTTOM_LEFT = _corner("bottommost+leftmost", "bottom left", "lower left")
_BACK_LEFT = _corner("backmost+leftmost", "back left")
_FRONT_LEFT = _corner("frontmost+leftmost", "front left")

# Also by what it looks like from where the Builder stands; every adjective goes before "{c} block", every clause after.
SUPERLATIVES = {
    "leftmost": _LEFTMOST,
    "rightmost": _mirrored(_LEFTMOST),
    "topmost": (
        Phrases(
            "SUPERLATIVES.topmost.before",
            (
                "top",
                "topmost",
                "top-most",
                "highest",
                "tallest",
            ),
        ),
        Phrases(
            "SUPERLATIVES.topmost.after",
            (
                "at the very top",
                "that is highest up",
            ),
        ),
    ),
    "bottommost": (
        Phrases(
            "SUPERLATIVES.bottommost.before",
            (
                "bottom",
                "bottommost",
                "bottom-most",
                "lowest",
            ),
        ),
        Phrases(
            "SUPERLATIVES.bottommost.after",
            (
                "at the very bottom",
                "that is lowest",
            ),
        ),
    ),
    "frontmost": (
        Phrases(
            "SUPERLATIVES.frontmost.before",
            (
                "front",
                "front most",
                "front-most",
            ),
        ),
        Phrases(
            "SUPERLATIVES.frontmost.after",
            (
                "at the very front",
                "in the very front",
            ),
        ),
    ),
    "backmost": (
        Phrases(
            "SUPERLATIVES.backmost.before",
            (
                "back",
                "backmost",
                "back-most",
                "back most",
            ),
        ),
        Phrases(
            "SUPERLATIVES.backmost.after",
            (
                "at the very back",
                "in the very back",
            ),
        ),
    ),
    "closest": (
        Phrases(
            "SUPERLATIVES.closest.before",
            (
                "closest",
                "nearest",
            ),
        ),
        Phrases(
            "SUPERLATIVES.closest.after",
            (
                "closest to you",
                "nearest to you",
                "that is closest to you",
                "that is nearest to you",
            ),
        ),
    ),
    "furthest": (
        Phrases(
            "SUPERLATIVES.furthest.before",
            (
                "furthest",
                "farthest",
            ),
        ),
        Phrases(
            "SUPERLATIVES.furthest.after",
            (
                "farthest from you",
                "furthest from you",
                "farthest away from you",
                "furthest away from you",
            ),
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
    "topmost+leftmost": _TOP_LEFT,
    "topmost+rightmost": _mirrored(_TOP_LEFT),
    "bottommost+leftmost": _BOTTOM_LEFT,
    "bottommost+rightmost": _mirrored(_BOTTOM_LEFT),
    "backmost+leftmost": _BACK_LEFT,
    "backmost+rightmost": _mirrored(_BACK_LEFT),
    "frontmost+leftmost": _FRONT_LEFT,
    "frontmost+rightmost": _mirrored(_FRONT_LEFT),
    "topmost+backmost": _corner("topmost+backmost", "top back", "upper back"),
    "topmost+frontmost": _corner("topmost+frontmost", "top front", "upper front"),
    "bottommost+backmost": _corner("bottommost+backmost", "bottom back", "lower back"),
    "bottommost+frontmost": _corner("bottommost+frontmost", "bottom front", "lower front"),
}

LAST_OF_SHAPE = Phrases(
    "LAST_OF_SHAPE",
    (
        "the last block",
        "the last {c} block",
        "the last brick",
        "the last block you placed",
        "the last {c} block you placed",
        "the last block you added",
        "the last brick you placed",
        "the block you just placed",
        "the {c} block you just placed",
        "the block you placed last",
        "the {c} block you placed last",
        "the most recent block",
        "the most recently placed block",
        "that last block",
        "that last {c} block",
    ),
)

# In the same breath, before it is built.
LAST_SAID = Phrases("LAST_SAID", ("it", "that", "that one", "that block"))
LAST_SAID_IN_ANSWER = LAST_SAID.only(lambda phrase: phrase != "it")
LAST_OF_SHAPE_SAID = Phrases("LAST_OF_SHAPE_SAID", ("its last block", "the last block of that", "the last block of it"))
# Of several blocks of a color, before the Builder asks which.
ONE_OF_SEVERAL = UNIQUE.only(lambda phrase: phrase.startswith("the {c}"))
