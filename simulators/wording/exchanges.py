"""What the Builder says, and what the Architect answers."""

from bap_v2_simulators.wording.phrases import Phrases

CONFIRMATIONS = Phrases(
    "CONFIRMATIONS",
    (
        "done!",
        "done",
        "ok, done",
        "there",
        "got it",
        "finished",
        "all set",
        "ok",
        "okay",
        "there we go",
        "done with that",
        "there you go",
        "it's done",
        "ok!",
        "that's done",
        "alright, done",
        "i'm done",
        "ready for the next one",
        "got it, what's next",
        "complete",
        "done, what next?",
        "cool, done",
        "sure, done",
        "okay, finished",
        "gotcha",
    ),
)

ASK_COLOR = Phrases(
    "ASK_COLOR",
    (
        "what color?",
        "which color?",
        "what color should it be?",
        "color?",
        "in what color?",
        "which color do you want?",
        "what color do i use?",
        "what colour?",
        "which colour?",
        "sure, what color?",
        "ok, what color?",
        "in which color?",
        "what color is it?",
        "and the color?",
        "what color would you like?",
        "hmm, what color?",
        "what color block?",
        "what color do you need?",
        "what's the color?",
        "could you tell me the color?",
    ),
)

ANSWER_COLOR = Phrases(
    "ANSWER_COLOR",
    (
        "{c}",
        "{c} please",
        "{c}, please",
        "make it {c}",
        "it should be {c}",
        "use {c}",
        "sorry, {c}",
        "oh sorry, {c}",
        "it's {c}",
        "{c}!",
        "in {c}",
        "please use {c}",
        "the color is {c}",
        "my bad, {c}",
        "i meant {c}",
        "{c} this time",
        "oops, {c}",
        "let's use {c}",
        "we want {c}",
        "let's go with {c}",
        "go for {c}",
        "{c} would be great",
    ),
)

ASK_PLACE = Phrases(
    "ASK_PLACE",
    (
        "where?",
        "where should it go?",
        "where do i put it?",
        "where exactly?",
        "in which spot?",
        "where to?",
        "ok, where?",
        "sure, where?",
        "where does it go?",
        "and where?",
        "where do you want it?",
        "in what place?",
        "which spot?",
        "where should i place it?",
        "hmm, where?",
        "where would you like it?",
        "could you tell me where?",
        "at which position?",
    ),
)

ANSWER_PLACE = Phrases(
    "ANSWER_PLACE",
    (
        "{pp}",
        "{pp} please",
        "put it {pp}",
        "it goes {pp}",
        "it should be {pp}",
        "sorry, {pp}",
        "place it {pp}",
        "oh, {pp}",
        "it should go {pp}",
        "oh sorry, {pp}",
        "my bad, {pp}",
        "i want it {pp}",
        "i meant {pp}",
        "have it {pp}",
    ),
)

ASK_PLACE_OF_SEVERAL = ASK_PLACE.only(lambda question: " it" not in question)

ANSWER_PLACE_OF_SEVERAL = Phrases(
    "ANSWER_PLACE_OF_SEVERAL",
    (
        "{pp}",
        "{pp} please",
        "put them {pp}",
        "they go {pp}",
        "they should be {pp}",
        "sorry, {pp}",
        "oh, {pp}",
        "place them {pp}",
        "i want them {pp}",
        "i meant {pp}",
        "have them {pp}",
    ),
)

ASK_WHICH = Phrases(
    "ASK_WHICH",
    (
        "which one?",
        "which block?",
        "which one do you mean?",
        "which one exactly?",
        "ok, which one?",
        "sure, which one?",
        "which of them?",
        "which block do you mean?",
        "hmm, which one?",
    ),
)

ANSWER_WHICH = Phrases(
    "ANSWER_WHICH",
    (
        "the one {pp}",
        "the {c} one {pp}",
        "the {c} block {pp}",
        "i mean the one {pp}",
        "sorry, the one {pp}",
        "the one that is {pp}",
        "the block {pp}",
        "oh, the {c} one {pp}",
        "that would be the one {pp}",
    ),
)

ASK_SIZE = Phrases(
    "ASK_SIZE",
    (
        "how big?",
        "what size?",
        "how many blocks?",
        "what size should it be?",
        "how large?",
        "which size?",
        "and the size?",
        "how big should it be?",
        "how many blocks should i use?",
        "sure, how big?",
        "ok, what size?",
        "what are the dimensions?",
    ),
)

ASK_LENGTH = Phrases(
    "ASK_LENGTH",
    (
        "how long?",
        "how many blocks?",
        "how long should it be?",
        "what length?",
        "what size?",
        "how many blocks long?",
        "and the length?",
        "sure, how long?",
        "ok, how long?",
        "how many?",
    ),
)

ASK_HEIGHT = Phrases(
    "ASK_HEIGHT",
    (
        "how tall?",
        "how high?",
        "how tall should it be?",
        "how many blocks?",
        "how many blocks tall?",
        "what height?",
        "how high should it be?",
        "sure, how tall?",
        "ok, how high?",
        "how many blocks high?",
    ),
)

ASK_DIRECTION = Phrases(
    "ASK_DIRECTION",
    (
        "which direction?",
        "which way?",
        "in which direction?",
        "which way should it go?",
        "in what direction?",
        "what orientation?",
        "which way does it go?",
        "going which way?",
        "how should it be oriented?",
        "going where?",
        "what direction should it go?",
        "sure, which way?",
        "ok, in which direction?",
        "how is it oriented?",
    ),
)

ASK_START = Phrases(
    "ASK_START",
    (
        *ASK_PLACE,
        "where does it start?",
        "where should it start?",
        "where do i start?",
        "starting where?",
        "what is the starting point?",
    ),
)

ANSWER_START = Phrases(
    "ANSWER_START",
    (
        "{at}",
        "starting {at}",
        "start {at}",
        "it starts {at}",
        "the first block goes {at}",
        "start it {at}",
        "begin {at}",
        "sorry, {at}",
        "the first block should be {at}",
        "its first block is {at}",
        "oh sorry, start {at}",
        "put the first block {at}",
        "it should start {at}",
    ),
)

ANSWER_DIRECTION = Phrases(
    "ANSWER_DIRECTION",
    (
        "{to}",
        "going {to}",
        "it goes {to}",
        "it should go {to}",
        "sorry, going {to}",
        "build it {to}",
        "extending {to}",
        "it extends {to}",
        "{to} please",
        "make it go {to}",
        "oh, {to}",
        "i want it to go {to}",
        "my bad, {to}",
    ),
)

ANSWER_FLAT = Phrases(
    "ANSWER_FLAT",
    (
        "{n} wide and {m} deep",
        "{n} blocks wide and {m} blocks deep",
        "make it {n} wide and {m} deep",
        "sorry, {n} wide and {m} deep",
        "it should be {m} deep and {n} wide",
        "{m} blocks deep and {n} blocks wide",
        "it is {n} wide and {m} deep",
    ),
)

ANSWER_LENGTH = Phrases(
    "ANSWER_LENGTH",
    (
        "{n}",
        "{n} blocks",
        "{n} blocks {l}",
        "{n} {l}",
        "make it {n} blocks {l}",
        "it should be {n} blocks {l}",
        "sorry, {n} blocks",
        "{n} please",
        "it is {n} {l}",
        "use {n} blocks",
        "{n} blocks in total",
        "i meant {n} blocks",
    ),
)

ANSWER_SQUARE = Phrases(
    "ANSWER_SQUARE",
    (
        "{n}x{n}",
        "{n} by {n}",
        "make it {n}x{n}",
        "it should be {n} by {n}",
        "sorry, {n}x{n}",
        "{n}x{n} please",
        "it is {n} by {n} blocks",
    ),
)

ANSWER_UPRIGHT = Phrases(
    "ANSWER_UPRIGHT",
    (
        "{n} long and {m} tall",
        "{n} blocks long and {m} blocks tall",
        "{n} wide and {m} high",
        "make it {n} long and {m} high",
        "it should be {m} tall and {n} long",
        "sorry, {n} wide and {m} tall",
        "{m} blocks high and {n} blocks wide",
    ),
)
