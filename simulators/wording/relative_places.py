"""Where blocks go, from two blocks, from the other side of one, or over a gap.

`{a}` and `{b}` are references, `{n}` and `{m}` numbers ("a space", "one"), `{at}` the start of a relation ("to the
left of {r}").
"""

from bap_v2_simulators.wording.phrases import Phrases

BETWEEN = Phrases("BETWEEN", ("between {a} and {b}", "in between {a} and {b}", "in the space between {a} and {b}"))

BETWEEN_TWO = Phrases(
    "BETWEEN_TWO",
    (
        "between the two {c} blocks",
        "in between the two {c} blocks",
        "between the {c} blocks",
        "between the two {c} ones",
    ),
)

IN_THE_CORNER = Phrases("IN_THE_CORNER", ("in the corner between {a} and {b}",))

OTHER_SIDE_OF = Phrases("OTHER_SIDE_OF", ("on the other side of {r}", "on the opposite side of {r}"))

OTHER_SIDE = Phrases("OTHER_SIDE", ("on the other side", "on the opposite side"))

# A whole sentence: as many blocks of the same color.
SAME_ON_THE_OTHER_SIDE = Phrases(
    "SAME_ON_THE_OTHER_SIDE",
    (
        "same thing on the other side",
        "do the same thing on the other side",
        "same on the other side",
        "do the same on the other side",
        "same for the other side",
        "the same on the opposite side",
        "do the same for the other side",
        "repeat on the other side",
    ),
)

OTHER_END = Phrases(
    "OTHER_END",
    ("on the other end", "on the other end of the row", "at the other end of the row", "on the opposite end"),
)

# Whole sentences: the cell after `{n}` empty ones.
SKIPPING = Phrases(
    "SKIPPING",
    (
        "skip {n} {at} and {v} {np}",
        "skip {n} {at}, then {v} {np}",
        "leave {n} {at} and {v} {np}",
        "leave a gap of {m} {at} and {v} {np}",
        "leave a gap of {m} {at}, then {v} {np}",
    ),
)

# A row beside the one built in the last turn, or in one before.
PERPENDICULAR = Phrases("PERPENDICULAR", ("perpendicular to the row you just built", "perpendicular to the last row"))
PERPENDICULAR_TO_THE_LAST = PERPENDICULAR.only(lambda phrase: "just" not in phrase)
PARALLEL = Phrases("PARALLEL", ("parallel to the row you just built", "parallel to the last row"))
PARALLEL_TO_THE_LAST = PARALLEL.only(lambda phrase: "just" not in phrase)
