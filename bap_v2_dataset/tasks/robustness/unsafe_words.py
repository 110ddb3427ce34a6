"""Words of people that a perturbation would make wrong: where one of them is said, there is no such variant.

The lists were written from the chat lines of the human corpus. Simulated instructions need none: the symbolic reader
understands them, and a variant that it reads in another way is refused (see `validity`).
"""

from bap_v2_dataset.augmentation.patterns import patterns_beside

UNSAFE = patterns_beside(__file__)  # by what they name: QUANTIFIERS, PLURALS, ...
