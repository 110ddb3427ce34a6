"""Where the phrases of a table mean what the table means: "place" is a verb only before what can be placed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import phrase_patterns
import yaml
from phrase_patterns import BEGINS, BLOCK, COLOR, NUMBER, SHAPE, THING, any_of

ARCHITECT, ANSWERS, BUILDER = "Architect", "Architect's answers", "Builder"  # whose lines: answers follow a question


@dataclass(frozen=True)
class Context:
    """What stands around a phrase."""

    before: str = BEGINS  # a pattern that ends where the phrase begins
    after: str = r"(?![\w'-])"
    lines: str = ARCHITECT
    after_a_color: bool = False  # the phrase may be nothing at all, or only an s: "red", "two reds"


_MARKER = any_of(
    "now next then ok okay alright so and also great perfect nice good cool awesome excellent yes yup yep yeah ya well "
    "but first finally lastly oh thanks hi hello hey sweet sorry after_that and_then once_that's_done please just "
    "good_job great_job nice_job well_done"
)
_START = rf"(?:^|\| )(?:{_MARKER},? )*"  # of a sentence, after discourse markers
_VERB_HERE = (  # before a verb that asks for something
    rf"(?:{_START}|(?:^|(?<= ))(?:to|you|we|i|can|could|should|will|let's|lets|and|then|please|just|now|we'll|you'll"
    r"|i'll|you're|we're|gonna|wanna|ahead|also|or|by|start|try|begin|keep|about|mind),? )"
)
# People make and build rows more often than blocks, and connect what is there; a verb has one count for all of it.
_SOMETHING = rf"(?= (?!(?:it|them|that|this|the same|what|where)\b){THING}\b)"
_A_SHAPE = rf"(?= (?:an?|another|the|{NUMBER})(?: [\w'-]+){{0,4}}? {SHAPE}s?\b)"
_OF_A_BLOCK = rf"(?= (?:single |new |more |floating )?(?:(?:{COLOR} )?{BLOCK}s?\b|{COLOR}s?\b))"
_REFERENCE_HERE = (  # after a preposition of place, or a verb of removing
    rf"{BEGINS}(?:of|to|behind|above|below|under|underneath|beneath|from|beside|on|onto|touching|than|atop|over|with"
    r"|remove|delete|destroy|break|erase|rid of|away|off) "
)


_PATTERNS = vars(phrase_patterns) | {
    "MARKER": _MARKER, "START": _START, "VERB_HERE": _VERB_HERE, "SOMETHING": _SOMETHING, "A_SHAPE": _A_SHAPE,
    "OF_A_BLOCK": _OF_A_BLOCK, "REFERENCE_HERE": _REFERENCE_HERE,
    "COMPLETE_BUT_OF": phrase_patterns.COMPLETE.replace("|of|", "|"),
}  # fmt: skip # by their names in the file


def _contexts() -> Iterator[tuple[str, Context]]:
    """Yield a pattern of names of tables or families, and their context; the first that fits counts."""
    for row in yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8")):
        for name in {"before", "after"} & row.keys():
            row[name] = re.sub(r"\{([A-Z_]+)\}", lambda match: _PATTERNS[match[1]], row[name])
        yield row.pop("tables"), Context(**row)


CONTEXTS = tuple(_contexts())


def context_of(name: str) -> Context:
    """The context in which a table is counted."""
    return next((context for rule, context in CONTEXTS if re.fullmatch(rf"(?:{rule})(?:\..*)?", name)), Context())
