"""Where blocks go, from two blocks, from the other side of one, or over a gap.

`{a}` and `{b}` are references, `{n}` and `{m}` numbers ("a space", "one"), `{at}` the start of a relation ("to the
left of {r}").
"""

from bap_v2_simulators.wording.phrases import table

BETWEEN = table("BETWEEN")

BETWEEN_TWO = table("BETWEEN_TWO")

IN_THE_CORNER = table("IN_THE_CORNER")

OTHER_SIDE_OF = table("OTHER_SIDE_OF")

OTHER_SIDE = table("OTHER_SIDE")

# A whole sentence: as many blocks of the same color.
SAME_ON_THE_OTHER_SIDE = table("SAME_ON_THE_OTHER_SIDE")

OTHER_END = table("OTHER_END")

# Whole sentences: the cell after `{n}` empty ones.
SKIPPING = table("SKIPPING")

# A row beside the one built in the last turn, or in one before.
PERPENDICULAR = table("PERPENDICULAR")
PERPENDICULAR_TO_THE_LAST = PERPENDICULAR.only(lambda phrase: "just" not in phrase)
PARALLEL = table("PARALLEL")
PARALLEL_TO_THE_LAST = PARALLEL.only(lambda phrase: "just" not in phrase)
