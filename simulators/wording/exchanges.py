"""What the Builder says, and what the Architect answers."""

from bap_v2_simulators.wording.phrases import Phrases

CONFIRMATIONS = Phrases(
    "CONFIRMATIONS",
    (
        "ok",
        "okay",
        "done",
        "got it",
        "gotcha",
        "there",
        "there we go",
        "ready",
        "alright",
        "ok done",
        "cool",
    ),
)

# Whether what was built is right, and the Architect's yes.
CHECKS = Phrases(
    "CHECKS",
    (
        "like this?",
        "like that?",
        "here?",
        "there?",
        "this?",
        "that?",
        "good?",
        "like so?",
        "is this good?",
        "is that right?",
        "that good?",
        "how's that?",
        "right there?",
    ),
)

ANSWER_CHECK = Phrases(
    "ANSWER_CHECK",
    (
        "yes",
        "yep",
        "yeah",
        "yup",
        "perfect",
        "great",
        "good",
        "exactly",
        "yes perfect",
        "just like that",
        "yeah like that",
        "yep like that",
        "yes like that",
        "that's good",
    ),
)

PLAIN_YES = ANSWER_CHECK.only(lambda reply: reply in ("yes", "yep", "yeah", "yup"))  # before it is removed again

ACKNOWLEDGMENTS = Phrases("ACKNOWLEDGMENTS", ("ok", "okay", "got it", "gotcha", "cool", "oh ok", "alright", "sure"))

BUILDER_GREETINGS = Phrases("BUILDER_GREETINGS", ("hi", "hello", "hey", "good morning", "hello architect", "hi again"))

ASK_COLOR = Phrases(
    "ASK_COLOR",
    (
        "what color?",
        "color?",
        "which color?",
        "what color is it?",
        "what color should it be?",
        "ok, what color?",
        "what color block?",
        "and the color?",
        "in what color?",
        "sure, what color?",
    ),
)

ANSWER_COLOR = Phrases(
    "ANSWER_COLOR",
    (
        "{c}",
        "{c} please",
        "make it {c}",
        "it's {c}",
        "it should be {c}",
        "sorry, {c}",
        "oh sorry, {c}",
        "oops, {c}",
        "in {c}",
        "use {c}",
        "{c} this time",
    ),
)

ASK_PLACE = Phrases(
    "ASK_PLACE",
    (
        "where?",
        "where exactly?",
        "where should it go?",
        "where does it go?",
        "where do i put it?",
        "ok, where?",
        "and where?",
        "where do you want it?",
        "sure, where?",
        "where at?",
    ),
)

ANSWER_PLACE = Phrases(
    "ANSWER_PLACE",
    (
        "{pp}",
        "{pp} please",
        "put it {pp}",
        "place it {pp}",
        "it goes {pp}",
        "it should be {pp}",
        "it should go {pp}",
        "sorry, {pp}",
        "oh sorry, {pp}",
        "my bad, {pp}",
    ),
)

ASK_PLACE_OF_SEVERAL = ASK_PLACE.only(lambda question: " it" not in question)

ANSWER_PLACE_OF_SEVERAL = Phrases(
    "ANSWER_PLACE_OF_SEVERAL",
    (
        "{pp}",
        "{pp} please",
        "put them {pp}",
        "place them {pp}",
        "they go {pp}",
        "they should be {pp}",
        "sorry, {pp}",
        "oh sorry, {pp}",
        "my bad, {pp}",
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
    ),
)

ANSWER_WHICH = Phrases(
    "ANSWER_WHICH",
    (
        "the one {pp}",
        "the {c} one {pp}",
        "the {c} block {pp}",
        "sorry, the one {pp}",
        "the block {pp}",
        "i mean the one {pp}",
    ),
)

BLOCK_IN_ANSWER = ANSWER_WHICH.only(lambda answer: " block " in answer)

ASK_SIZE = Phrases(
    "ASK_SIZE",
    (
        "how big?",
        "what size?",
        "how many blocks?",
        "what size should it be?",
        "how big should it be?",
        "what are the dimensions?",
        "ok, what size?",
        "sure, how big?",
    ),
)

ASK_LENGTH = Phrases(
    "ASK_LENGTH",
    (
        "how long?",
        "how many blocks?",
        "how many?",
        "how long should it be?",
        "how many blocks long?",
        "what length?",
        "ok, how long?",
    ),
)

ASK_HEIGHT = Phrases(
    "ASK_HEIGHT",
    (
        "how tall?",
        "how high?",
        "how many blocks?",
        "how tall should it be?",
        "how many blocks tall?",
        "how many blocks high?",
        "how high should it be?",
        "ok, how high?",
    ),
)

ASK_DIRECTION = Phrases(
    "ASK_DIRECTION",
    (
        "which direction?",
        "which way?",
        "in which direction?",
        "which way should it go?",
        "which way does it go?",
        "going which way?",
        "what direction?",
        "what direction should it go?",
        "ok, which way?",
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
        "start it {at}",
        "the first block goes {at}",
        "sorry, {at}",
        "it should start {at}",
        "put the first block {at}",
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
        "{to} please",
        "make it go {to}",
    ),
)

ANSWER_FLAT = Phrases(
    "ANSWER_FLAT",
    (
        "{n} wide and {m} deep",
        "{n} blocks wide and {m} blocks deep",
        "make it {n} wide and {m} deep",
        "it should be {n} wide and {m} deep",
        "{m} deep and {n} wide",
        "it's {n} wide and {m} deep",
        "sorry, {n} wide and {m} deep",
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
        "it's {n} {l}",
        "sorry, {n} blocks",
        "{n} please",
        "{n} blocks total",
    ),
)

ANSWER_SQUARE = Phrases(
    "ANSWER_SQUARE",
    (
        "{n}x{n}",
        "{n} by {n}",
        "make it {n}x{n}",
        "it should be {n} by {n}",
        "it's {n}x{n}",
        "sorry, {n}x{n}",
        "{n}x{n} please",
    ),
)

ANSWER_UPRIGHT = Phrases(
    "ANSWER_UPRIGHT",
    (
        "{n} long and {m} tall",
        "{n} wide and {m} tall",
        "{n} wide and {m} high",
        "{n} blocks long and {m} blocks tall",
        "make it {n} long and {m} high",
        "it should be {m} tall and {n} long",
        "sorry, {n} wide and {m} tall",
    ),
)
