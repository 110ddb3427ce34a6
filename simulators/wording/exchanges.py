"""What the Builder says, and what the Architect answers."""

from bap_v2_simulators.wording.phrases import table

CONFIRMATIONS = table("CONFIRMATIONS")

# Whether what was built is right, and the Architect's yes.
CHECKS = table("CHECKS")

ANSWER_CHECK = table("ANSWER_CHECK")

PLAIN_YES = ANSWER_CHECK.only(lambda reply: reply in ("yes", "yep", "yeah", "yup"))  # before it is removed again

ACKNOWLEDGMENTS = table("ACKNOWLEDGMENTS")

BUILDER_GREETINGS = table("BUILDER_GREETINGS")

ASK_COLOR = table("ASK_COLOR")

ANSWER_COLOR = table("ANSWER_COLOR")

ASK_PLACE = table("ASK_PLACE")

ANSWER_PLACE = table("ANSWER_PLACE")

ASK_PLACE_OF_SEVERAL = ASK_PLACE.only(lambda question: " it" not in question)

ANSWER_PLACE_OF_SEVERAL = table("ANSWER_PLACE_OF_SEVERAL")

ASK_WHICH = table("ASK_WHICH")

ANSWER_WHICH = table("ANSWER_WHICH")

BLOCK_IN_ANSWER = ANSWER_WHICH.only(lambda answer: " block " in answer)

ASK_SIZE = table("ASK_SIZE")

ASK_LENGTH = table("ASK_LENGTH")

ASK_HEIGHT = table("ASK_HEIGHT")

ASK_DIRECTION = table("ASK_DIRECTION")

ASK_START = table("ASK_START")

ANSWER_START = table("ANSWER_START")

ANSWER_DIRECTION = table("ANSWER_DIRECTION")

ANSWER_FLAT = table("ANSWER_FLAT")

ANSWER_LENGTH = table("ANSWER_LENGTH")

ANSWER_SQUARE = table("ANSWER_SQUARE")

ANSWER_UPRIGHT = table("ANSWER_UPRIGHT")
