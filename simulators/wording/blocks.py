"""What is to be placed or removed: "three floating red blocks", "another one"."""

from bap_v2_simulators.wording.phrases import Phrases

NOUNS = Phrases("NOUNS", ("block", "brick", "one", "cube", "piece", ""))

PLURAL_NOUNS = Phrases("PLURAL_NOUNS", ("blocks", "bricks", "ones", "cubes", "pieces", "", "s"))

# Without its color; "a cube" would be a shape then.
NOUNS_ALONE = Phrases("NOUNS_ALONE", ("block", "brick", "piece"))

PLURAL_NOUNS_ALONE = Phrases("PLURAL_NOUNS_ALONE", ("blocks", "bricks", "cubes", "pieces"))

ONE_OF_THEM = Phrases(
    "ONE_OF_THEM", ("a {c} block", "one of the {c} blocks", "one {c} block", "a {c} one", "one of those {c} blocks")
)

THE_ONE_AT = Phrases(
    "THE_ONE_AT",
    (
        "the {c} block {pp}",
        "the {c} one {pp}",
        "the {c} brick {pp}",
        "the {c} block that is {pp}",
        "the {c} one that is {pp}",
    ),
)

THE_BLOCK_AT = THE_ONE_AT.only(lambda name: " one " not in name)

SINGLE = Phrases("SINGLE", ("a", "one", "1", "a single", "just one"))

ANOTHER = Phrases("ANOTHER", ("another", "one more", "1 more"))

ONE_MORE = Phrases("ONE_MORE", ("another one", "one more", "1 more", "another one of those", "one more of those"))

SOME_MORE = Phrases("SOME_MORE", ("{n} more", "{n} more of those"))

ONE_MORE_AFTER_SEVERAL = Phrases("ONE_MORE_AFTER_SEVERAL", ("another one", "one more", "1 more"))

SOME_MORE_AFTER_SEVERAL = Phrases("SOME_MORE_AFTER_SEVERAL", ("{n} more",))

COUPLE = Phrases("COUPLE", ("two", "2", "a couple of", "a pair of"))

FLOATING = Phrases("FLOATING", ("floating", "hovering"))

FLOATING_AFTER = Phrases(
    "FLOATING_AFTER",
    (" floating", " floating in the air", ", floating,", " suspended in the air", " in the air", " hovering"),
)

STACKS = Phrases("STACKS", ("a stack of", "a tower of", "a column of"))

COLUMNS = STACKS.only(lambda phrase: phrase == "a column of")

LINES = Phrases("LINES", ("a row of", "a line of"))
