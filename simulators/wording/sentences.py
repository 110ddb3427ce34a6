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
        "go ahead and {v} {np} {pp}",
        "just {v} {np} {pp}",
        "{v} {np} {pp} please",
        "let's {v} {np} {pp}",
        "lets {v} {np} {pp}",
        "start {g} {np} {pp}",
        "{pp} please {v} {np}",
        "try {g} {np} {pp}",
        "continue by {g} {np} {pp}",
        "go and {v} {np} {pp}",
        "simply {v} {np} {pp}",
    ),
)

DECLARATIVES = Phrases(
    "DECLARATIVES",
    (
        "there should be {np} {pp}",
        "we need {np} {pp}",
        "i need {np} {pp}",
        "i want {np} {pp}",
        "i'd like {np} {pp}",
        "you need {np} {pp}",
        "we want {np} {pp}",
        "next comes {np} {pp}",
        "next is {np} {pp}",
        "next up is {np} {pp}",
        "you can {v} {np} {pp}",
        "you should {v} {np} {pp}",
        "you need to {v} {np} {pp}",
        "i need you to {v} {np} {pp}",
        "i want you to {v} {np} {pp}",
        "you'll want to {v} {np} {pp}",
        "we're going to {v} {np} {pp}",
        "we will {v} {np} {pp}",
        "we'll {v} {np} {pp}",
        "you will {v} {np} {pp}",
        "i'd like you to {v} {np} {pp}",
        "{pp} there should be {np}",
        "{pp} we need {np}",
        "{pp} i want {np}",
        "{pp}, you {v} {np}",
        "the next step is {np} {pp}",
        "the next step is to {v} {np} {pp}",
        "{pp} comes {np}",
        "{pp} we {v} {np}",
        "it's time for {np} {pp}",
        "we are missing {np} {pp}",
        "we still need {np} {pp}",
        "you're going to {v} {np} {pp}",
        "the next thing is {np} {pp}",
        "what comes next is {np} {pp}",
        "{pp}, we'll {v} {np}",
        "we're gonna {v} {np} {pp}",
        "we are going to {v} {np} {pp}",
        "we just need {np} {pp}",
        "we'll have {np} {pp}",
        "there will be {np} {pp}",
        "it needs {np} {pp}",
        "you wanna {v} {np} {pp}",
        "{pp}, you'll {v} {np}",
        "{pp}, it needs {np}",
        "we only need {np} {pp}",
        "i think we need {np} {pp}",
        "{pp} there will be {np}",
    ),
)

QUESTIONS = Phrases(
    "QUESTIONS",
    (
        "can you {v} {np} {pp}",
        "could you {v} {np} {pp}",
        "would you {v} {np} {pp}",
        "will you {v} {np} {pp}",
        "can you please {v} {np} {pp}",
        "could you please {v} {np} {pp}",
        "would you mind {g} {np} {pp}",
        "do you mind {g} {np} {pp}",
        "how about {np} {pp}",
        "can i get {np} {pp}",
        "can we have {np} {pp}",
        "can we get {np} {pp}",
        "shall we {v} {np} {pp}",
        "can you go ahead and {v} {np} {pp}",
        "{pp}, can you {v} {np}",
        "{pp}, could you {v} {np}",
        "may i have {np} {pp}",
        "can we {v} {np} {pp}",
        "do you think you can {v} {np} {pp}",
    ),
)

# Never "{pp} {np}": "behind a green block" would be another place.
FRAGMENTS = Phrases("FRAGMENTS", ("{np} {pp}", "{np}, {pp}", "{pp}, {np}"))

NOT_AT_FIRST = ("next", "continue", "still", "missing", "it's time")  # in a first sentence

REMOVAL_IMPERATIVES = Phrases(
    "REMOVAL_IMPERATIVES",
    (
        "{v} {np}",
        "please {v} {np}",
        "go ahead and {v} {np}",
        "just {v} {np}",
        "{v} {np} please",
        "{v} {np}, please",
        "let's {v} {np}",
        "start {g} {np}",
    ),
)

REMOVAL_DECLARATIVES = Phrases(
    "REMOVAL_DECLARATIVES",
    (
        "you can {v} {np}",
        "you should {v} {np}",
        "you need to {v} {np}",
        "i need you to {v} {np}",
        "i want you to {v} {np}",
        "you'll want to {v} {np}",
        "we're going to {v} {np}",
        "we will {v} {np}",
        "we'll {v} {np}",
        "we don't need {np}",
        "{np} should go away",
        "{np} has to go",
        "{np} must go",
        "i'd like you to {v} {np}",
        "we need to {v} {np}",
        "{np} needs to be removed",
        "{np} should be removed",
        "{np} can be removed",
        "we have to {v} {np}",
    ),
)

REMOVAL_QUESTIONS = Phrases(
    "REMOVAL_QUESTIONS",
    (
        "can you {v} {np}",
        "could you {v} {np}",
        "would you {v} {np}",
        "will you {v} {np}",
        "can you please {v} {np}",
        "could you please {v} {np}",
        "would you mind {g} {np}",
        "do you mind {g} {np}",
        "can we {v} {np}",
        "shall we {v} {np}",
    ),
)

STARTS = Phrases(
    "STARTS",
    (
        "start by {g} {np} {pp}",
        "begin by {g} {np} {pp}",
        "start with {np} {pp}",
        "begin with {np} {pp}",
        "let's start with {np} {pp}",
        "we'll start with {np} {pp}",
        "we will begin with {np} {pp}",
        "we start by {g} {np} {pp}",
        "start off with {np} {pp}",
        "the first thing is {np} {pp}",
        "the first block is {np} {pp}",
        "let's start by {g} {np} {pp}",
        "we'll begin by {g} {np} {pp}",
        "our first step is {np} {pp}",
        "start out by {g} {np} {pp}",
        "it all starts with {np} {pp}",
        "you can start by {g} {np} {pp}",
        "can you start by {g} {np} {pp}",
        "could you begin by {g} {np} {pp}",
        "kick off with {np} {pp}",
    ),
)
