"""Sentences that ask for something to be built or removed.

Never "{pp} {np}": "behind a green block" would be another place.
"""

from bap_v2_simulators.wording.phrases import Phrases

IMPERATIVES = Phrases(
    "IMPERATIVES",
    (
        "{v} {np} {pp}",
        "{pp}, {v} {np}",
        "{pp} {v} {np}",
        "please {v} {np} {pp}",
        "{v} {np} {pp} please",
        "go ahead and {v} {np} {pp}",
        "let's {v} {np} {pp}",
        "lets {v} {np} {pp}",
    ),
)

DECLARATIVES = Phrases(
    "DECLARATIVES",
    (
        "we'll {v} {np} {pp}",
        "we will {v} {np} {pp}",
        "we are going to {v} {np} {pp}",
        "we're going to {v} {np} {pp}",
        "we're gonna {v} {np} {pp}",
        "we need {np} {pp}",
        "we want {np} {pp}",
        "we will need {np} {pp}",
        "there will be {np} {pp}",
        "there should be {np} {pp}",
        "you can {v} {np} {pp}",
        "you need to {v} {np} {pp}",
        "you should {v} {np} {pp}",
        "you will {v} {np} {pp}",
        "you're going to {v} {np} {pp}",
        "you'll want to {v} {np} {pp}",
        "you want to {v} {np} {pp}",
        "i need {np} {pp}",
        "next is {np} {pp}",
        "{pp} we need {np}",
        "{pp}, we'll {v} {np}",
        "{pp} there should be {np}",
        "{pp} there will be {np}",
    ),
)

QUESTIONS = Phrases(
    "QUESTIONS",
    (
        "can you {v} {np} {pp}",
        "{pp}, can you {v} {np}",
        "can you please {v} {np} {pp}",
        "could you {v} {np} {pp}",
    ),
)

FRAGMENTS = Phrases("FRAGMENTS", ("{np} {pp}", "{np}, {pp}"))
PLACE_FIRST = "{pp}, {np}"

NOT_AT_FIRST = ("next",)  # in a first sentence

# Where the blocks of the line before go. "{pp}" alone is as good.
IT_GOES = Phrases(
    "IT_GOES", ("put it {pp}", "place it {pp}", "it goes {pp}", "it should be {pp}", "it should go {pp}", "it's {pp}")
)
THEY_GO = Phrases(
    "THEY_GO", ("put them {pp}", "place them {pp}", "they go {pp}", "they should be {pp}", "they should go {pp}")
)

REMOVAL_IMPERATIVES = Phrases(
    "REMOVAL_IMPERATIVES",
    (
        "{v} {np}",
        "please {v} {np}",
        "go ahead and {v} {np}",
        "{v} {np} please",
        "let's {v} {np}",
    ),
)

REMOVAL_DECLARATIVES = Phrases(
    "REMOVAL_DECLARATIVES",
    (
        "you can {v} {np}",
        "we will {v} {np}",
        "we'll {v} {np}",
        "you'll want to {v} {np}",
        "you need to {v} {np}",
        "we need to {v} {np}",
        "{np} can be removed",
        "{np} should be removed",
        "{np} needs to be removed",
    ),
)

REMOVAL_QUESTIONS = Phrases("REMOVAL_QUESTIONS", ("can you {v} {np}", "can you please {v} {np}", "could you {v} {np}"))

STARTS = Phrases(
    "STARTS",
    (
        "start with {np} {pp}",
        "start by {g} {np} {pp}",
        "begin by {g} {np} {pp}",
        "begin with {np} {pp}",
        "start off with {np} {pp}",
        "let's start with {np} {pp}",
        "lets start with {np} {pp}",
        "we'll start with {np} {pp}",
        "we'll start by {g} {np} {pp}",
        "let's start by {g} {np} {pp}",
        "we're going to start with {np} {pp}",
        "we're going to start by {g} {np} {pp}",
    ),
)
