"""Numbers, in words or digits."""

from bap_v2_simulators.number_words import NUMBER_WORDS
from bap_v2_simulators.wording.phrases import Phrases

NUMBERS = {number: Phrases(f"NUMBERS.{number}", (NUMBER_WORDS[number], str(number))) for number in range(2, 10)}
