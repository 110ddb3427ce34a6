"""Numbers, in words or digits."""

from bap_v2_simulators.wording.phrases import table

NUMBERS = {number: table(f"NUMBERS.{number}") for number in range(2, 10)}
