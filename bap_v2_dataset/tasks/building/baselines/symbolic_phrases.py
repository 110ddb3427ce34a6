"""The phrases that matter in an instruction, as patterns: which words name a block, a place, a shape or a number.

This is a grammar of its own. It shares no table of phrases with the simulators, so that a sentence that only its author
would understand shows up as one that is misread.
"""

import re

from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import AWAY, DOWN, LEFT, RIGHT, TOWARDS, UP
from bap_v2_metric.blocks import Color
from bap_v2_simulators.number_words import NUMBER_WORDS


def one_line(pattern: str) -> str:
    """Return a pattern without the line breaks and indentation in which it was written."""
    return re.sub(r"\n\s*", "", pattern)


def number_of(text: str | None) -> int:
    """Return the number of a word or of digits; 1 if nothing is said."""
    if text is None:
        return 1
    return int(text) if text[0].isdigit() else NUMBERS.get(text, 1)


# --- the words

COLORS = {color.value: color for color in Color}
NUMBERS = {word: number for number, word in enumerate(NUMBER_WORDS) if number}
RANKS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "fifth": 5, "5th": 5,
         "sixth": 6, "6th": 6, "middle": 0}  # fmt: skip
COLOR = "|".join(COLORS)
NUMBER = rf"\b(?:{'|'.join(NUMBERS)}|[0-9]{{1,3}})\b"
RANK = r"(?:first|second|third|fourth|fifth|sixth|1st|2nd|3rd|4th|5th|6th)"
NOUN = r"(?:block|brick|one|cube|piece)s?"
UNIT = r"(?:space|cell|step|level|spot|tile|unit|square|layer|place)s?"
_BLOCK = "(?:blocks?|bricks?)"
_BUILDER = r"(?:you(?:rself)?|me|the builder|where you(?:'re| are| stand)(?: standing)?)"
_TURNED = r"(?:vertical|upright|standing|rising|horizontal|flat|straight|diagonal|floating)"
SHAPE = one_line(r"""
    (?:rows?|lines?|bars?|strips?|columns?|pillars?|towers?|stacks?|piles?|poles?|diagonals?
    |staircases?|stairways?|set of stairs|stairs?|planes?|layers?|platforms?|floors?|rectangles?|squares?|walls?)
""")
_STRUCTURE = rf"(?:{SHAPE}|shape|structure)"

# Which of several blocks is meant, by the end at which it is, and the words that say so.
EXTREMES = {
    "left": r"left(?: ?most)?",
    "right": r"right(?: ?most)?",
    "top": r"top(?: ?most)?|upper(?: ?most)?|up|highest|tallest",
    "bottom": r"bottom(?: ?most)?|lower(?: ?most)?|(?<!put )(?<!set )(?<!laid )down|lowest",  # not "you just put down"
    "front": r"front(?: ?most)?|fore ?most",
    "back": r"back(?: ?most)?|rear(?: ?most)?|hind ?most",
    "closest": r"closest|nearest|(?:near|close)(?= end)|(?:shortest|smallest) distance",
    "furthest": r"furthest|farthest|most distant|(?:greatest|largest) distance|far(?= end)",
}

# --- phrases for a block that is there

_PARTICLE = r"(?: (?:down|up|away|off|out))?"
_CLEARLY_PAST = r"(?!need|indeed)(?:[a-z]+ed|built|laid|made|stuck|broke|took|left|got|did)"
_PAST = rf"(?:{_CLEARLY_PAST}|put|set)"  # "you put" alone may begin an instruction
_WHEN = r" (?:last|just now|right now|a moment ago|most recently|just before|earlier)"
DONE = one_line(rf"""
    (?:(?:that|which) )?(?:you|we|i)(?:'ve| have)?
    (?: (?:just|last|most recently) {_PAST}{_PARTICLE}(?: (?:a|the) block)?(?:{_WHEN})?
    | {_PAST}{_PARTICLE}{_WHEN}
    | {_CLEARLY_PAST}{_PARTICLE})
""")
_END = r"(?:left|right|top|up|upper|bottom|down|lower|front|back|rear)"
_MOST = r"(?:left|right|top|upper|bottom|lower|front|back|rear|fore|hind) ?most"
_CORNER = rf"{_END} {_END}"
_FAR = r"(?:furthest|farthest|most distant|at the (?:greatest|largest) distance)"
_NEAR = r"(?:closest|nearest|at the (?:shortest|smallest) distance)"
_WHICH_END = r"(?:very|exact|other|opposite|near|far|close)"
_PART = r"(?:middle|center|centre|end|tip|corner)"
_EXTREME = one_line(rf"""(?:
    (?:furthest|farthest|far|very) (?:to )?(?:the |your )?{_END}
    |(?:highest|lowest)(?: up| down)?
    |{_MOST}
    |{_NEAR}(?: (?:to|from) {_BUILDER})?
    |{_FAR}(?: away)?(?: from {_BUILDER})?
    |you are {_NEAR} to
    |{_CORNER}(?: corner)?(?! (?:of|edge|side|face|diagonal)\b)
)\b""")
_OF_A_COLOR = rf"(?: (?:of|with|made of|made from) (?:the )?(?:{COLOR})(?: {NOUN})?)?"
_OF_A_SHAPE = one_line(rf"""
    (?:of|in|on|at) (?:(?:it|that|those|these|them)(?! [a-z])
    |(?:the|that|this|those|these|your)(?: (?:last|latest|previous|same|{NUMBER}|{COLOR}|{_TURNED}))*
        (?: (?:{_STRUCTURE}|l shape|l|(?:block|brick|cube|piece|one)s))\b{_OF_A_COLOR}(?:,? {DONE}(?![\w']))?)
""")
_FROM_AN_END = rf"from (?:the |your )?(?:{_END}(?: end| side)?|{_BUILDER})"
_BETWEEN_COLORS = one_line(rf"""
    (?:in )?between (?:(?:the |an? )?(?:{COLOR})(?: (?:{NOUN}))? and (?:the |an? )?(?:{COLOR})(?: {NOUN})?
    |(?:the )?(?:(?:two|2) )?(?:{COLOR}) (?:block|brick|one|cube|piece)s)
    (?! (?:{NOUN}|closest|nearest|furthest|farthest|that|which|at|in|on|you|with|from)\b)
""")
_AFTER_NOUN = one_line(rf"""(?:
    {DONE}
    |(?:(?:that|which) (?:is|are) )?(?:(?:at|in|on) the )?{_EXTREME}(?: (?:level|layer|side|end)\b)?
    |(?:(?:that|which) is )?(?:at|in|on) the (?:(?:{_WHICH_END}|{_END}) )*{_PART}(?: {_OF_A_SHAPE})?
    |(?:(?:that|which) is )?(?:the )?{RANK} {_FROM_AN_END}
    |from the (?:last|previous|latest) (?:step|turn|move)
    |(?:of|in) (?:the (?:last|previous) {_STRUCTURE}|(?:it|that|this)(?! [a-z]))
    |(?:that|which|with) (?:has |have )?(?:an? |the )?(?:{COLOR})(?: {NOUN})? on (?:both|either|each)(?: of its)? sides?
    |(?:(?:that|which) is )?{_BETWEEN_COLORS}
    |(?:that|which) is (?:already )?(?:there|here)
)""")
_NO_ADJECTIVE = "|".join(
    ("of to in on at from than a an and or is are was more another other next first second", *NUMBERS)
).replace(" ", "|")
_ADJECTIVE = one_line(rf"""(?:
    very|exact|last|latest|newest|previous|prior|final|recent|most recent|(?:most )?recently [a-z]+ed|just [a-z]+ed
    |only|single|lone|sole|existing|removed|empty|floating|same|other|opposite
    |(?:near|far|close)(?= end)|one(?= (?:{COLOR})\b)
    |(?:(?:furthest|farthest|far) )?{_END}(?! one\b(?! ?(?:$|[.,!?]|please)))|{_MOST}|{_PART}
    |highest|lowest|tallest|{_NEAR}|{_FAR}
    |(?:{COLOR})
    |(?!(?:{_NO_ADJECTIVE})\b)[a-z]+(?= (?:{COLOR})\b)
)""")
_THE = r"(?:the|that|this|those|these|our|your|my|its)"
_WHICH_OF_IT = rf"(?: (?:{_FROM_AN_END}|{DONE}|(?:(?:that|which) is )?{_EXTREME}))?"
REFERENCE = one_line(rf"""
    (?:each|every(?: one)?|all|both)(?: one)?(?: of)?(?: {_THE})?(?: {NUMBER})?(?: {_ADJECTIVE}){{0,3}}(?: {NOUN})\b
        (?: {_OF_A_SHAPE}|,? {_AFTER_NOUN}(?![\w']))?
    |{_THE} (?:{_ADJECTIVE} ){{0,3}}{RANK} (?:{_ADJECTIVE} ){{0,2}}(?:{NOUN} )?{_FROM_AN_END}(?: {_OF_A_SHAPE})?
    |{_THE} {RANK} {NOUN} {_OF_A_SHAPE} {_FROM_AN_END}
    |{_THE} (?:{_ADJECTIVE} )*{_PART}(?: (?:{COLOR}))?(?: {NOUN})? {_OF_A_SHAPE}{_WHICH_OF_IT}
    |{_THE} (?:{_ADJECTIVE} )*{NOUN}(?: (?:at|in|on) the (?:(?:very|{_END}|{_PART}) ?)+)? {_OF_A_SHAPE}{_WHICH_OF_IT}
    |{_THE} {RANK} (?:{_MOST}|highest|lowest|{_NEAR}|{_FAR}) (?:(?:{COLOR}) )?{NOUN}\b
    |{_THE} (?:{_ADJECTIVE} ){{0,5}}(?:{NOUN}|thing)\b(?:,? {_AFTER_NOUN}(?![\w'])){{0,2}}
    |(?:the|that|this) (?:(?:last|empty|free) )?(?:spot|gap|hole|place|space|position) (?:where )?{DONE}
    |(?:what|where) {DONE}
""")
# Only after a relation: "on top of the tower", "behind the two red blocks", "to the left of the end".
SHAPE_REFERENCE = one_line(rf"""
    (?:the|that|this|your) (?:(?:{_ADJECTIVE}|{_TURNED}) )*{_STRUCTURE}\b(?<!diagonal)(?:,? {DONE}(?![\w']))?
    |{_THE} (?:last |previous )?(?:two|three|four|2|3|4) (?:{_ADJECTIVE} )*(?:{NOUN}|ones)\b(?:,? {DONE}(?![\w']))?
    |(?:the|its) (?:(?:very|exact|far|other|opposite|{_END}) )*{_PART}(?! of)
""")

# --- phrases by kind, in the order in which they are tried

WAYS = {
    AWAY: rf"(?:(?:further|farther|out) )?away from {_BUILDER}|(?:further|farther) (?:back|from {_BUILDER})"
    r"|behind|(?:in )?back(?:wards?)?|rear|far(?= (?:side|face|end))",
    TOWARDS: rf"towards? {_BUILDER}|(?:closer|nearer) to {_BUILDER}|in your direction|fac(?:es|ing) you"
    r"|(?:in )?front|near(?= (?:side|face|end))",
    LEFT: r"left(?:wards?)?",
    RIGHT: r"right(?:wards?)?",
    UP: r"up(?:wards?|per)?|above|(?:on )?top|higher|atop|upon",
    DOWN: r"down(?:wards?)?|below|beneath|under(?:neath|side)?|bottom|lower",
}
_EMPTY = r"(?:empty|blank|free|open)"
_SO_WIDE = rf"(?: of {NUMBER}(?: (?:{UNIT}|{_BLOCK}))?)?"
_REST = r"[^.!?,;]*"  # of a remark, up to the next mark
_PHRASES = {
    "idle": rf"""
        one (?:over|above|on top of|after|behind|by|beside) (?:the other|another|one)(?! (?:{COLOR}|{NOUN}))
        |(?:of|like) (?:those|these|them|the same(?! (?:length|height|size|dimensions|number|way|direction)))
        |like (?:that|this|it)(?: one(?! (?:after|over)\b))?
        |(?:for )?(?:the )?next (?:one(?! (?:more|{UNIT})\b)|step|thing)|next up(?= (?:is|are|comes?)\b)
        |(?:that's|that is|you got|got|you're|you are|you were|yes|yeah|yep) (?:it|right)(?=[.,!]|$)
        |(?:hey|hi|hello) there|(?:go|come|try|be sure)(?: ahead)? and
        |stacked(?: up)?(?= (?:on|atop|above|under|underneath|beneath|below|over|upon|up|down|straight|directly)\b)
        |^(?:all )?right(?= ?[,.!]| now| so)
        |(?:start|begin)(?:s|ing|ning)? from(?! (?:it|that|this)\b)|all right
        |(?:nice|good|great) (?:one|work|job)|one (?:sec|second|moment|last thing|more thing)|at once|once
        |(?<!the )(?<!your )right
            (?= (?:on top|atop|above|below|under(?:neath)?|beneath|next to|behind|in back|in front|now|beside)\b)
        |(?:and |so )?(?:that|this|it|which)
            (?:(?:'ll| will| should| would| now)+ (?:make|complete|finish|look|resemble)
            | (?:makes|completes|finishes|looks|resembles))\b{_REST}
        |(?:that's|thats|that is|this is) (?:the|our|your|an?)
            [ ](?:[a-z]+ ){{0,3}}(?:[ltu]|{SHAPE})(?: shape)?(?: done)?(?=$|[.!?,])
        |upside down|so that (?:it|you|we|there)\b{_REST}|(?:kind of |sort of |shaped |sorta )like an? {_REST}
    """,
    "ground": r"""
        (?:(?:down|flat) )?(?:on|at|onto|to) (?:the )?
            (?:ground|floor|(?:bottom|lowest|ground) (?:level|layer))(?: level)?
        |(?:in|near|around|towards?|close to|at|to|on) (?:the |an? )?(?:middle|center|centre|corner|edge)s? of the
            [ ](?:board|grid|map|field|ground|floor|area|region|space|world|room|surface)
        |(?:near|around|close to|somewhere in) (?:the )?(?:middle|center|centre)(?! of)
        |any ?where(?: you (?:want|like))?|wherever(?: you (?:want|like))?
    """,
    "purpose": rf"to (?:make|complete|finish|form) (?:an?|the|that|our|your)\b{_REST}",
    "correction": r"""
        (?:oh |oops |ah )?no(?:,? (?:wait|sorry|actually|i meant?))?(?=,| wait| sorry)|oops|whoops|wait(?! for| until)
        |(?:oh |oops |ah )?no,? (?:wait|sorry|actually|i meant?)|sorry|actually|scratch that|correction
        |(?:sorry,? )?(?:i mean|i meant|my bad|my mistake)|never ?mind
    """,
    "opposite": r"""
        (?:the )?same (?:thing )?(?:on|for|at|to) the (?:other|opposite) (?:side|end)
        |(?:the )?(?:other|opposite) (?:side|end(?! of))
    """,
    "gap": rf"""
        skip(?:ping)? (?:an?|{NUMBER})?(?: {_EMPTY})? ?(?:{UNIT}|{_BLOCK})
        |leav(?:e|ing) (?:an?|{NUMBER})?(?: {_EMPTY})? ?
            (?:(?:spaces?|gaps?){_SO_WIDE}|(?:{UNIT}|{_BLOCK})(?: of space)?(?= (?:{_EMPTY}|(?:in )?between)))
            (?: {_EMPTY})?(?: (?:in )?between(?: (?:them|it|the two))?)?
        |(?:with )?(?:an?|{NUMBER})(?: {_EMPTY})? (?:gap|space)s?{_SO_WIDE}
            (?: (?:left|{_EMPTY}))? (?:in ?)?between(?: (?:them|it|the two))?
        |(?:with )?(?:an?|{NUMBER}) {_EMPTY} (?:cell|block|brick|spot)s? (?:in ?)?between(?: (?:them|it|the two))?
        |(?:with|after) an? (?:\w+ )?gap{_SO_WIDE}(?: between(?: them)?)?
    """,
    "hollow": r"hollow(?:ed)?(?: out)?|perimeter|outline|border|unfilled|not filled|don't fill",
    "corners": rf"(?:the )?(?:(?:4|four) )?corners of(?= an? (?:{COLOR}|{_TURNED}|[0-9x]+|imaginary)\b)",
    "sides": r"(?:on )?(?:both|either|each) (?:of its )?(?:sides?|ends?)",
    "again": r"""
        (?:of )?(?:the )?same (?:length|height|size|dimensions|number(?: of blocks)?|direction|way)
        |(?:just )?as (?:long|many|tall)(?: as (?:that|the last one|it|before))?
        |(?:in |going )?(?:the )?(?:opposite|other) (?:direction|way)
        |(?:the )?same (?:thing|shape|again)|do (?:exactly )?the same
        |(?:do|build|make|place) (?:that|it|this)(?: one)? again
        |repeat(?: (?:that|it|this))?
        |(?:just |exactly )?like (?:it|that one|the last one|before)
    """,
    "reference": REFERENCE,
    "side": rf"the (?:very )?{_END} {_OF_A_SHAPE}",
    "shape": SHAPE_REFERENCE,
    "removal": rf"""
        remov(?:e|es|ed|ing)|delet(?:e|ed|ing)|destroy(?:ed|ing)?|break(?:ing)?|eras(?:e|ed|ing)|undo(?:ing)?
        |punch(?:ing)?(?: out)?|knock(?:ing)? (?:out|off|down)|chop(?:ping)?|smash(?:ing)?
        |(?:tak(?:e|en|ing)|clear(?:ed|ing)?|pick(?:ed|ing)?|throw(?:n|ing)?)
            (?: (?:it|them|that|those|that {NOUN}))? (?:away|out|off|up)
        |clear(?= (?:it|that|this|the|out|an?)\b)
        |(?:get|getting) rid of|(?:don't|do not) need|go away(?! from)|(?:has|have|needs?) to go(?= ?[.!?,]|$)
        |must go(?= ?[.!?,]|$)
    """,
    "verb": rf"""
        (?:put|putting|set|setting|place|placing|lay|laying|stick|sticking|drop|dropping)(?: (?:down|up|out))?
        |(?:add|build|attach)(?:ing)?|mak(?:e|ing)|stack(?:ing)?(?= (?:an?|another|more|{NUMBER})\b)
    """,
    "going": r"(?:go|head|extend|runn|lead|point|stretch|continu)ing",
    "cube": rf"{NUMBER}(?: {NOUN})?(?: long)? (?:in (?:both|each) directions?|on (?:each|every|all) sides?)",
    "extent": rf"""
        {NUMBER}(?: {_BLOCK})? (?:long|wide|deep|tall|high|in (?:length|width|height|depth))
        |(?:length|width|height|depth) (?:of )?{NUMBER}
    """,
    "grid": rf"""
        {NUMBER} (?:rows|columns|layers|stacks|towers) (?:of|with) {NUMBER}(?: (?:{COLOR}))?(?: {NOUN})?(?: each)?
    """,
    "size": rf"{NUMBER} by {NUMBER}|[0-9]{{1,3}} ?x ?[0-9]{{1,3}}",
    "form": rf"(?:{_TURNED} ){{0,3}}{SHAPE}",
    "start": r"""
        (?:start|begin)(?:s|ing|ning)?(?: (?:block|brick|point|spot))?|(?:first|1st) (?:block|one|brick|cube|piece)
    """,
    "but": rf"but(?= (?:an?|{NUMBER})\b)",
    "relative": r"parallel|perpendicular|crosswise|in line",
    "pair_of_colors": _BETWEEN_COLORS,
    "corner": r"(?:in|at) the corner(?= between)",
    "between": r"(?:in )?between",
    **{f"way{number}": pattern for number, pattern in enumerate(WAYS.values())},
    "pair": r"(?:couple|pair) of",
    "number": NUMBER,
    "color": rf"(?:{COLOR})s?",
    "noun": rf"{NOUN}|another",
    "unit": UNIT,
    "there": r"there(?! (?:is|are|will|should|'s|goes|comes)\b)",
    "pronoun": rf"(?:it|that|this)(?! [a-z]+s\b)|its(?= (?:{_END}|far|near|other|opposite|end|middle|center)\b)",
    "filler": r"to|the|of|off|your|on|in|at|toward|towards|straight|directly|over",
    "cut": r"and then|and after that|then|and|(?:after|following) that",
}
_WORD = r"[\w']+|[^\w\s]"  # anything else, marks too
SCANNER = re.compile(
    rf"(?<![\w'])(?:{'|'.join(f'(?P<{kind}>{one_line(pattern)})' for kind, pattern in _PHRASES.items())})(?![\w'])"
    rf"|(?P<word>{_WORD})"
)
