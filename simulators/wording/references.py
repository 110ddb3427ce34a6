"""Which block is meant: the priority rules of BAP v2, 10.2."""

from bap_v2_simulators.wording.phrases import table

LAST_PLACED = table("LAST_PLACED")

# After a run of blocks "it", "that" or "what you just placed" could be all of them.
LAST_OF_SEVERAL = LAST_PLACED.only(
    lambda phrase: (
        any(word in phrase for word in ("last ", "placed last", "down last", "latest", "recent", "newest"))
        and not any(word in phrase for word in ("thing", "step"))
    )
)

# Who built or removed other things since then: not "that", nor "just".
LAST_LONG_AGO = LAST_OF_SEVERAL.only(lambda phrase: not any(word in phrase for word in ("that", "just", "{c}")))

# In an answer "it" is the new block: "put it on top of it".
LAST_IN_ANSWER = LAST_PLACED.only(
    lambda phrase: phrase not in ("it", "that", "that one", "that block", "this one", "this block")
)

POINTED_AT = table("POINTED_AT")  # by the line before

LAST_REMOVED = table("LAST_REMOVED")

UNIQUE = table("UNIQUE")

# How often human Architects of the train split use each way, left and right taken together; depth is seldom one.
SUPERLATIVE_NAMES = table("SUPERLATIVE_NAMES")


def _corner(name):
    return table(f"SUPERLATIVES.{name}.before"), table(f"SUPERLATIVES.{name}.after")


def _mirrored(tables):
    return tables[0].mirrored(), tables[1].mirrored()


_LEFTMOST = (
    table("SUPERLATIVES.leftmost.before"),
    table("SUPERLATIVES.leftmost.after"),
)
_TOP_LEFT = _corner("topmost+leftmost")
_BOTTOM_LEFT = _corner("bottommost+leftmost")
_BACK_LEFT = _corner("backmost+leftmost")
_FRONT_LEFT = _corner("frontmost+leftmost")

# Also by what it looks like from where the Builder stands; every adjective goes before "{c} block", every clause after.
SUPERLATIVES = {
    "leftmost": _LEFTMOST,
    "rightmost": _mirrored(_LEFTMOST),
    "topmost": (
        table("SUPERLATIVES.topmost.before"),
        table("SUPERLATIVES.topmost.after"),
    ),
    "bottommost": (
        table("SUPERLATIVES.bottommost.before"),
        table("SUPERLATIVES.bottommost.after"),
    ),
    "frontmost": (
        table("SUPERLATIVES.frontmost.before"),
        table("SUPERLATIVES.frontmost.after"),
    ),
    "backmost": (
        table("SUPERLATIVES.backmost.before"),
        table("SUPERLATIVES.backmost.after"),
    ),
    "closest": (
        table("SUPERLATIVES.closest.before"),
        table("SUPERLATIVES.closest.after"),
    ),
    "furthest": (
        table("SUPERLATIVES.furthest.before"),
        table("SUPERLATIVES.furthest.after"),
    ),
    "closest by distance": (
        None,
        table("SUPERLATIVES.closest by distance.after"),
    ),
    "furthest by distance": (
        None,
        table("SUPERLATIVES.furthest by distance.after"),
    ),
    "topmost+leftmost": _TOP_LEFT,
    "topmost+rightmost": _mirrored(_TOP_LEFT),
    "bottommost+leftmost": _BOTTOM_LEFT,
    "bottommost+rightmost": _mirrored(_BOTTOM_LEFT),
    "backmost+leftmost": _BACK_LEFT,
    "backmost+rightmost": _mirrored(_BACK_LEFT),
    "frontmost+leftmost": _FRONT_LEFT,
    "frontmost+rightmost": _mirrored(_FRONT_LEFT),
    "topmost+backmost": _corner("topmost+backmost"),
    "topmost+frontmost": _corner("topmost+frontmost"),
    "bottommost+backmost": _corner("bottommost+backmost"),
    "bottommost+frontmost": _corner("bottommost+frontmost"),
}

LAST_OF_SHAPE = table("LAST_OF_SHAPE")

# In the same breath, before it is built.
LAST_SAID = table("LAST_SAID")
LAST_SAID_IN_ANSWER = LAST_SAID.only(lambda phrase: phrase != "it")
LAST_OF_SHAPE_SAID = table("LAST_OF_SHAPE_SAID")
# Of several blocks of a color, before the Builder asks which.
ONE_OF_SEVERAL = UNIQUE.only(lambda phrase: phrase.startswith("the {c}"))
