"""What is to be placed or removed: "three floating red blocks", "another one"."""

from bap_v2_simulators.wording.phrases import table

NOUNS = table("NOUNS")

PLURAL_NOUNS = table("PLURAL_NOUNS")

# Without its color; "a cube" would be a shape then.
NOUNS_ALONE = table("NOUNS_ALONE")

PLURAL_NOUNS_ALONE = table("PLURAL_NOUNS_ALONE")

ONE_OF_THEM = table("ONE_OF_THEM")

THE_ONE_AT = table("THE_ONE_AT")

THE_BLOCK_AT = THE_ONE_AT.only(lambda name: " one " not in name)

SINGLE = table("SINGLE")

ANOTHER = table("ANOTHER")

ONE_MORE = table("ONE_MORE")

SOME_MORE = table("SOME_MORE")

ONE_MORE_AFTER_SEVERAL = table("ONE_MORE_AFTER_SEVERAL")

SOME_MORE_AFTER_SEVERAL = table("SOME_MORE_AFTER_SEVERAL")

COUPLE = table("COUPLE")

FLOATING = table("FLOATING")

FLOATING_AFTER = table("FLOATING_AFTER")

STACKS = table("STACKS")

COLUMNS = STACKS.only(lambda phrase: phrase == "a column of")

LINES = table("LINES")
