"""What the Builder says, and what the Architect answers."""

from bap_v2_simulators.wording.phrases import Phrases

CONFIRMATIONS = Phrases("CONFIRMATIONS")

# Whether what was built is right, and the Architect's yes.
CHECKS = Phrases("CHECKS")

ANSWER_CHECK = Phrases("ANSWER_CHECK")

PLAIN_YES = ANSWER_CHECK.only(lambda reply: reply in ("yes", "yep", "yeah", "yup"))  # before it is removed again

ACKNOWLEDGMENTS = Phrases("ACKNOWLEDGMENTS")

BUILDER_GREETINGS = Phrases("BUILDER_GREETINGS")

ASK_COLOR = Phrases("ASK_COLOR")

ANSWER_COLOR = Phrases("ANSWER_COLOR")

ASK_PLACE = Phrases("ASK_PLACE")

ANSWER_PLACE = Phrases("ANSWER_PLACE")

ASK_PLACE_OF_SEVERAL = ASK_PLACE.only(lambda question: " it" not in question)

ANSWER_PLACE_OF_SEVERAL = Phrases("ANSWER_PLACE_OF_SEVERAL")

ASK_WHICH = Phrases("ASK_WHICH")

ANSWER_WHICH = Phrases("ANSWER_WHICH")

BLOCK_IN_ANSWER = ANSWER_WHICH.only(lambda answer: " block " in answer)

ASK_SIZE = Phrases("ASK_SIZE")

ASK_LENGTH = Phrases("ASK_LENGTH")

ASK_HEIGHT = Phrases("ASK_HEIGHT")

ASK_DIRECTION = Phrases("ASK_DIRECTION")

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

ANSWER_START = Phrases("ANSWER_START")

ANSWER_DIRECTION = Phrases("ANSWER_DIRECTION")

ANSWER_FLAT = Phrases("ANSWER_FLAT")

ANSWER_LENGTH = Phrases("ANSWER_LENGTH")

ANSWER_SQUARE = Phrases("ANSWER_SQUARE")

ANSWER_UPRIGHT = Phrases("ANSWER_UPRIGHT")
