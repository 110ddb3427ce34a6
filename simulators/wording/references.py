"""Which block is meant: the priority rules of BAP v2, 10.2."""

from bap_v2_simulators.wording.phrases import Phrases

LAST_PLACED = Phrases("LAST_PLACED")

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

POINTED_AT = Phrases("POINTED_AT")  # by the line before

LAST_REMOVED = Phrases("LAST_REMOVED")

UNIQUE = Phrases("UNIQUE")

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
    """Return the ways to name a corner: "top left", "in the top left corner", "at the top left"."""
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
    Phrases("SUPERLATIVES.leftmost.before"),
    Phrases("SUPERLATIVES.leftmost.after"),
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
        Phrases("SUPERLATIVES.topmost.before"),
        Phrases("SUPERLATIVES.topmost.after"),
    ),
    "bottommost": (
        Phrases("SUPERLATIVES.bottommost.before"),
        Phrases("SUPERLATIVES.bottommost.after"),
    ),
    "frontmost": (
        Phrases("SUPERLATIVES.frontmost.before"),
        Phrases("SUPERLATIVES.frontmost.after"),
    ),
    "backmost": (
        Phrases("SUPERLATIVES.backmost.before"),
        Phrases("SUPERLATIVES.backmost.after"),
    ),
    "closest": (
        Phrases("SUPERLATIVES.closest.before"),
        Phrases("SUPERLATIVES.closest.after"),
    ),
    "furthest": (
        Phrases("SUPERLATIVES.furthest.before"),
        Phrases("SUPERLATIVES.furthest.after"),
    ),
    "closest by distance": (
        None,
        Phrases("SUPERLATIVES.closest by distance.after"),
    ),
    "furthest by distance": (
        None,
        Phrases("SUPERLATIVES.furthest by distance.after"),
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

LAST_OF_SHAPE = Phrases("LAST_OF_SHAPE")

# In the same breath, before it is built.
LAST_SAID = Phrases("LAST_SAID")
LAST_SAID_IN_ANSWER = LAST_SAID.only(lambda phrase: phrase != "it")
LAST_OF_SHAPE_SAID = Phrases("LAST_OF_SHAPE_SAID")
# Of several blocks of a color, before the Builder asks which.
ONE_OF_SEVERAL = UNIQUE.only(lambda phrase: phrase.startswith("the {c}"))
