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

# (pattern of the name of a table or of a family, context): the first that fits. Others are counted anywhere.
CONTEXTS: Sequence[tuple[str, Context]] = (
    (r"REMOVE_VERBS", Context(_VERB_HERE, rf"(?= (?:{THING}|{BLOCK}s?)\b)")),
    (r"PLACE_VERBS", Context(_VERB_HERE, _SOMETHING)),
    (r"STACK_VERBS", Context(_VERB_HERE, _SOMETHING + r"(?=[^|]*\b(?:on top|above|up|high|tall)\b)")),
    (r"BUILD_VERBS", Context(_VERB_HERE, _A_SHAPE)),
    (r"NOUNS_ALONE", Context(rf"{BEGINS}(?:an?|one|1|another|single|new) ")),
    (r"PLURAL_NOUNS_ALONE", Context(rf"{BEGINS}(?:{SEVERAL}|more|some) ")),
    (r"NOUNS", Context(rf"{BEGINS}(?:an?|one|1|another|single|new) {COLOR}", after_a_color=True)),
    (r"PLURAL_NOUNS", Context(rf"{BEGINS}(?:{SEVERAL}|more|some) {COLOR}", after_a_color=True)),
    (r"SINGLE|ANOTHER|COUPLE|FLOATING", Context(after=_OF_A_BLOCK)),
    (r"(ONE_MORE|SOME_MORE)(_AFTER_SEVERAL)?", Context(after=COMPLETE)),
    (r"STACKS|LINES", Context(after=rf"(?= (?:{NUMBER}|{COLOR})\b)")),
    (r"NUMBERS", Context(after=rf"(?= (?:more )?(?:{COLOR}|{BLOCK}s))")),
    (r"SUPERLATIVES.*before", Context(rf"{BEGINS}(?:the|your) ", _OF_A_BLOCK)),
    (r"LAST_(PLACED|REMOVED|SAID|OF_SHAPE|OF_SHAPE_SAID)|UNIQUE|POINTED_AT", Context(_REFERENCE_HERE)),
    (r"BESIDE\.(left|right)", Context(rf"{BEGINS}(?<!top )(?<!bottom )(?<!upper )(?<!lower )(?<!far )")),
    (r"BESIDE_UNSAID", Context(after=COMPLETE.replace("|of|", "|"))),
    (r"FIRST_OF_TWO\.left", Context(after="(?= and )(?! and (?:to )?(?:the )?(?:left|right))")),
    (r"FIRST_OF_TWO", Context(after="(?= and )")),
    (r"SECOND_OF_TWO", Context("(?<= and )(?<!left and )(?<!right and )")),
    (r"SECOND_UNSAID", Context("(?<= and )(?<!left and )(?<!right and )", COMPLETE.replace("|of|", "|"))),
    (r"STEP_NOUNS", Context(BEGINS + NUMBER, rf"s?(?= {DIRECTION}\b| away\b| higher\b| lower\b)")),
    (
        r"GOING",
        Context(rf"{BEGINS}(?:go|goe|extend|run|fac|point|head|build|continu|stretch|lead)(?:e|s|es|ing)?(?: out)? "),
    ),
    (r"LETTERS", Context(rf"{BEGINS}(?:an?|the|letter|capital|upside down) ")),  # not "u see"
    (r"OTHER_(SIDE|END)", Context(after=COMPLETE.replace("|of|", "|"))),
    (r"SHAPE_NAMES", Context(rf"{BEGINS}(?:an?|the|one|another|long|tall|block|high|{NUMBER}|{COLOR}) ")),
    (r"LONG|TALL|WIDE|WIDE_OR_LONG|DEEP", Context(rf"{BEGINS}(?:{NUMBER}|blocks?) ")),
    (
        r"(REMOVAL_)?(IMPERATIVES|DECLARATIVES|QUESTIONS)|FRAGMENTS|IT_GOES|THEY_GO|STARTS|STARTS_ALONE",
        Context(_START),
    ),
    (r"PRAISE", Context("^", rf"(?=,|{END}| {_MARKER}\b)")),
    (r"SEQUENCE", Context(rf"(?:^|\| )(?:{_MARKER}(?:,|[!?]? \|) )?", r"(?=,? [\w'])")),
    (r"(FIRST_)?COLORS", Context(**_ALONE)),
    (r"GREETINGS|FIRST|POINTING", Context("^")),
    (r"ANSWER_(?!WHERE).*", Context(**_ALONE, lines=ANSWERS)),
    (
        r"CONFIRMATIONS|CHECKS|ACKNOWLEDGMENTS|BUILDER_GREETINGS|ASK_(?!HOW_FAR|HOW_MANY|WHERE).*",
        Context(**_ALONE, lines=BUILDER),
    ),
)


def context_of(name: str) -> Context:
    """The context in which a table is counted."""
    return next((context for rule, context in CONTEXTS if re.fullmatch(rf"(?:{rule})(?:\..*)?", name)), Context())
