"""Where the phrases of a table mean what the table means: "place" is a verb only before what can be placed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from phrase_patterns import (
    BEGINS,
    BLOCK,
    COLOR,
    COMPLETE,
    DIRECTION,
    END,
    NUMBER,
    SEVERAL,
    SHAPE,
    THING,
    any_of,
)

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
_ALONE = {"before": "^", "after": "[!?]?$"}  # the whole line

# (pattern of module and table, context): the first that fits. Tables that are not here are counted anywhere.
CONTEXTS: Sequence[tuple[str, Context]] = (
    (r"verbs\.REMOVE_VERBS", Context(_VERB_HERE, rf"(?= (?:{THING}|{BLOCK}s?)\b)")),
    (r"verbs\.PLACE_VERBS", Context(_VERB_HERE, _SOMETHING)),
    (r"verbs\.STACK_VERBS", Context(_VERB_HERE, _SOMETHING + r"(?=[^|]*\b(?:on top|above|up|high|tall)\b)")),
    (r"verbs\.BUILD_VERBS", Context(_VERB_HERE, _A_SHAPE)),
    (r"blocks\.NOUNS_ALONE", Context(rf"{BEGINS}(?:an?|one|1|another|single|new) ")),
    (r"blocks\.PLURAL_NOUNS_ALONE", Context(rf"{BEGINS}(?:{SEVERAL}|more|some) ")),
    (r"blocks\.NOUNS", Context(rf"{BEGINS}(?:an?|one|1|another|single|new) {COLOR}", after_a_color=True)),
    (r"blocks\.PLURAL_NOUNS", Context(rf"{BEGINS}(?:{SEVERAL}|more|some) {COLOR}", after_a_color=True)),
    (r"blocks\.(SINGLE|ANOTHER|COUPLE|FLOATING)$", Context(after=_OF_A_BLOCK)),
    (r"blocks\.(ONE_MORE|SOME_MORE)", Context(after=COMPLETE)),
    (r"blocks\.(STACKS|LINES)", Context(after=rf"(?= (?:{NUMBER}|{COLOR})\b)")),
    (r"numbers\.", Context(after=rf"(?= (?:more )?(?:{COLOR}|{BLOCK}s))")),
    (r"references\.SUPERLATIVES.*before", Context(rf"{BEGINS}(?:the|your) ", _OF_A_BLOCK)),
    (r"references\.(LAST|UNIQUE|POINTED_AT)", Context(_REFERENCE_HERE)),
    (r"places\.BESIDE\.(left|right)", Context(rf"{BEGINS}(?<!top )(?<!bottom )(?<!upper )(?<!lower )(?<!far )")),
    (r"places\.BESIDE_UNSAID", Context(after=COMPLETE.replace("|of|", "|"))),
    (r"places\.FIRST_OF_TWO\.left", Context(after="(?= and )(?! and (?:to )?(?:the )?(?:left|right))")),
    (r"places\.FIRST_OF_TWO", Context(after="(?= and )")),
    (r"places\.SECOND_OF_TWO", Context("(?<= and )(?<!left and )(?<!right and )")),
    (r"places\.SECOND_UNSAID", Context("(?<= and )(?<!left and )(?<!right and )", COMPLETE.replace("|of|", "|"))),
    (r"places\.STEP_NOUNS", Context(BEGINS + NUMBER, rf"s?(?= {DIRECTION}\b| away\b| higher\b| lower\b)")),
    (
        r"places\.GOING",
        Context(rf"{BEGINS}(?:go|goe|extend|run|fac|point|head|build|continu|stretch|lead)(?:e|s|es|ing)?(?: out)? "),
    ),
    (r"\w+\.LETTERS", Context(rf"{BEGINS}(?:an?|the|letter|capital|upside down) ")),  # not "u see"
    (r"relative_places\.OTHER_(SIDE|END)$", Context(after=COMPLETE.replace("|of|", "|"))),
    (r"shapes\.SHAPE_NAMES", Context(rf"{BEGINS}(?:an?|the|one|another|long|tall|block|high|{NUMBER}|{COLOR}) ")),
    (r"shapes\.(LONG|TALL|WIDE|DEEP)", Context(rf"{BEGINS}(?:{NUMBER}|blocks?) ")),
    (r"sentences|shapes\.STARTS_ALONE", Context(_START)),
    (r"openings\.PRAISE", Context("^", rf"(?=,|{END}| {_MARKER}\b)")),
    (r"openings\.SEQUENCE", Context(rf"(?:^|\| )(?:{_MARKER}(?:,|[!?]? \|) )?", r"(?=,? [\w'])")),
    (r"openings\.(FIRST_)?COLORS", Context(**_ALONE)),
    (r"openings", Context("^")),
    (r"exchanges\.ANSWER", Context(**_ALONE, lines=ANSWERS)),
    (r"exchanges", Context(**_ALONE, lines=BUILDER)),
)


def context_of(module: str, name: str) -> Context:
    """The context in which a table is counted."""
    return next((context for rule, context in CONTEXTS if re.match(rule, f"{module}.{name}")), Context())
