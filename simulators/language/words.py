"""The random stream of language, and how often the players say what."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from random import Random
from typing import TypeVar

from bap_v2_simulators.settings import check_rates
from bap_v2_simulators.wording.phrases import Phrases, table

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class DialogueSettings:
    """Rates of what the players say, whatever they build. The paper says "low" and "much lower" probabilities only."""

    clarification: float = 0.12  # of the instructions leave something out, and the Builder asks for it
    confirmation: float = 0.10  # of the turns end with a word of the Builder ("done")
    verification: float = 0.10  # of the turns end with its question whether this is right; people: 0.16
    ellipsis: float = 0.15  # of the references to the last placed block are left unsaid
    landmarks: float = 0.8  # of the references that could be the middle of something say so; other landmarks less often
    # Of the turns: the Architect corrects itself, the Builder asks between two readings, or a turn has two steps.
    repairs: float = 0.0
    proposals: float = 0.0  # of the Builder's questions say an answer: "to the left?"
    # What the paper has no rule for; 1: as often as in the published corpora, 0: never.
    chat: float = 1.0  # greetings, praise, words in between, comments on a shape
    parts: float = 1.0  # the color, the reference, the size or the place in a clause or line of its own
    places: float = 1.0  # no step from one block: between, the other side, over a gap, near the middle, parallel
    likeness: float = 1.0  # to what was built last: another, two more, the same size, the opposite direction
    names: float = 1.0  # of rows and stacks in `dr` and `dsb`; of shapes besides those of 10.4 in `dss` (platform)
    corners: bool = True  # a block may be told apart by two superlatives ("the top left red block")

    def __post_init__(self) -> None:
        check_rates(**asdict(self))


class Words:
    """The random stream of language: it picks one of many ways to say a thing, as often as the settings say."""

    __slots__ = ("random", "talk")

    def __init__(self, rng: Random, talk: DialogueSettings = DialogueSettings()):
        self.random = rng.random
        self.talk = talk

    def pick(self, options: Phrases[T] | Sequence[T] | str) -> T:
        """Return one of the options: of a table (or of that with this name) by its weights, of other sequences each
        equally often."""
        share = self.random()
        if isinstance(options, str):
            options = table(options)
        if isinstance(options, Phrases):
            return options.at(share)
        return options[int(share * len(options))]

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.random() < probability
