"""What comes before an instruction: greetings, praise, "now", "ok then"."""

from bap_v2_simulators.wording.phrases import Phrases

GREETINGS = Phrases("GREETINGS", ("hi", "hello", "hey", "hi there", "hello builder", "good morning", "welcome"))

PRAISE = Phrases(
    "PRAISE",
    (
        "perfect",
        "great",
        "yes",
        "yeah",
        "yep",
        "yup",
        "good",
        "nice",
        "cool",
        "awesome",
        "excellent",
        "good job",
        "great job",
        "well done",
        "looks good",
        "very good",
        "beautiful",
        "that's good",
    ),
)

# In front of a later instruction.
SEQUENCE = Phrases(
    "SEQUENCE",
    (
        "now",
        "and",
        "then",
        "so",
        "ok",
        "okay",
        "and then",
        "okay now",
        "ok now",
        "okay so",
        "alright",
        "ok then",
        "next",
        "and now",
        "ok so",
        "also",
        "alright now",
        "ok next",
        "after that",
    ),
)

# After praise: "great, now put ..."
AFTER_PRAISE = SEQUENCE.only(lambda marker: marker in ("now", "so", "then", "next", "ok now", "okay now", "and now"))

# In front of the first instruction of a game.
FIRST = Phrases("FIRST", ("ok", "okay", "so", "alright", "first", "ok so", "okay so", "ok first", "to start"))

# How often a comma follows (human train split); without one "after that one red block" would be about "that one", and
# "next to the left of it" be next to something.
COMMA = {
    "and": 0.0,
    "after that": 1.0,
    "to start": 1.0,
    "first": 0.35,
    "okay": 0.35,
    "alright": 0.35,
    "ok": 0.18,
    "next": 0.17,
}
RARE_COMMA = 0.02  # after all others
BEFORE_A_PLACE = ("next",)  # always with a comma if "to", "on" or "above" follows

# The color of the next instruction, as a line of its own.
COLORS = Phrases(
    "COLORS",
    (
        "switch to {c}",
        "now switch to {c}",
        "now {c}",
        "now we'll do {c}",
        "now we'll use {c}",
        "now we'll switch to {c}",
        "now we need {c}",
        "next is {c}",
        "use {c}",
        "we'll use {c} now",
        "now for {c}",
        "the next color is {c}",
    ),
)

FIRST_COLORS = Phrases(
    "FIRST_COLORS",
    ("start with {c}", "we'll start with {c}", "let's start with {c}", "lets start with {c}", "start in {c}"),
)

# The reference of the next line, which calls it "it" or "that".
POINTING = Phrases("POINTING", ("see {r}", "do you see {r}", "you see {r}"))
