"""What is to be placed or removed: "three floating red blocks", "another one"."""

from bap_v2_simulators.wording.phrases import Phrases

NOUNS = Phrases("NOUNS")

PLURAL_NOUNS = Phrases("PLURAL_NOUNS")

# Without its color; "a cube" would be a shape then.
NOUNS_ALONE = Phrases("NOUNS_ALONE")

PLURAL_NOUNS_ALONE = Phrases("PLURAL_NOUNS_ALONE")

ONE_OF_THEM = Phrases("ONE_OF_THEM")

THE_ONE_AT = Phrases("THE_ONE_AT")

THE_BLOCK_AT = THE_ONE_AT.only(lambda name: " one " not in name)

SINGLE = Phrases("SINGLE")

ANOTHER = Phrases("ANOTHER")

ONE_MORE = Phrases("ONE_MORE")

SOME_MORE = Phrases("SOME_MORE")

ONE_MORE_AFTER_SEVERAL = Phrases("ONE_MORE_AFTER_SEVERAL")

SOME_MORE_AFTER_SEVERAL = Phrases("SOME_MORE_AFTER_SEVERAL")

COUPLE = Phrases("COUPLE")

FLOATING = Phrases("FLOATING")

FLOATING_AFTER = Phrases("FLOATING_AFTER")

STACKS = Phrases("STACKS")

COLUMNS = STACKS.only(lambda phrase: phrase == "a column of")

LINES = Phrases("LINES")
