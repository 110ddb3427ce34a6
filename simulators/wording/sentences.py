"""Sentences that ask for something to be built or removed.

Never "{pp} {np}": "behind a green block" would be another place.
"""

from bap_v2_simulators.wording.phrases import Phrases

IMPERATIVES = Phrases("IMPERATIVES")

DECLARATIVES = Phrases("DECLARATIVES")

QUESTIONS = Phrases("QUESTIONS")

FRAGMENTS = Phrases("FRAGMENTS")
PLACE_FIRST = "{pp}, {np}"

NOT_AT_FIRST = ("next",)  # in a first sentence

# Where the blocks of the line before go. "{pp}" alone is as good.
IT_GOES = Phrases("IT_GOES")
THEY_GO = Phrases("THEY_GO")

REMOVAL_IMPERATIVES = Phrases("REMOVAL_IMPERATIVES")

REMOVAL_DECLARATIVES = Phrases("REMOVAL_DECLARATIVES")

REMOVAL_QUESTIONS = Phrases("REMOVAL_QUESTIONS")

STARTS = Phrases("STARTS")
