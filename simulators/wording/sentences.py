"""Sentences that ask for something to be built or removed.

Never "{pp} {np}": "behind a green block" would be another place.
"""

from bap_v2_simulators.wording.phrases import table

IMPERATIVES = table("IMPERATIVES")

DECLARATIVES = table("DECLARATIVES")

QUESTIONS = table("QUESTIONS")

FRAGMENTS = table("FRAGMENTS")
PLACE_FIRST = "{pp}, {np}"

NOT_AT_FIRST = ("next",)  # in a first sentence

# Where the blocks of the line before go. "{pp}" alone is as good.
IT_GOES = table("IT_GOES")
THEY_GO = table("THEY_GO")

REMOVAL_IMPERATIVES = table("REMOVAL_IMPERATIVES")

REMOVAL_DECLARATIVES = table("REMOVAL_DECLARATIVES")

REMOVAL_QUESTIONS = table("REMOVAL_QUESTIONS")

STARTS = table("STARTS")
