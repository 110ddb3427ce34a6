"""What makes an instruction of people hard, by rules over its words: kinds that an engineer can act on.

The rules read the dialogue since the Builder's last action, as people type it. They were compared with kinds that were
read by hand, item by item (docs/results.md has the agreement).
"""

import re
from collections.abc import Mapping

from bap_v2_metric.blocks import Color
from bap_v2_simulators.number_words import NUMBER_WORDS


def _words(pattern: str) -> re.Pattern:
    return re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)


_COLORS = _words("|".join(f"{color.value}s?" for color in Color))
_PLACES = _words(
    r"left(?:most)?|right(?:most)?|top|bottom|up|down|above|below|under(?:neath)?|beneath|over|behind|front|back|before"
    r"|forwards?|backwards?|next|beside|adjacent|between|middle|center|centre|corners?|edges?|ends?|sides?|inside"
    r"|outside|around|towards?|away|closest|closer|nearest|farthest|furthest|far|diagonal(?:ly)?|perpendicular"
    r"|parallel|across|along|on|onto|off|floating|floats?|ground|floor|here|there"
)
_REPEATED = _words(
    r"same|again|repeat|another|each|every|both|other (?:side|end|ones?|direction|way)|opposite|mirror(?:ed|s)?"
    r"|mirror image|symmetric(?:al|ally)?|symmetry|extend(?:ed|s|ing)?|continu(?:e|es|ing)|longer|taller|wider|higher"
    r"|(?:\w+ )?more|like (?:before|the (?:first|last|other|previous))|as before|copy|likewise|identical|matching|also"
    r"|do (?:that|this|it)|(?:the )?rest|all the way"
)
_SHAPES = _words(
    r"square|rectangle|ring|circle|arch(?:es)?|archway|stairs?|staircase|stairway|steps|bell|cross|plus|diamond|cube"
    r"|pyramid|triangle|heart|flower|tree|house|table|chair|bench|bridge|door(?:way)?|gate|window|frame|box|star"
    r"|arrow|smiley|face|letter|zig ?zag|spiral|hook|claw|arms?|legs?|wings?|hat|crown|sword|key|flag|fence|cup|bowl"
    r"|pi|checker(?:ed|board)?|snake|ladder|hammer|anchor|[a-z]-?shaped?|shape of (?:an? )?\w+|upside ?down [a-z]"
)
_LETTERS = re.compile(
    r"(?:\b(?:an?|the|letter|like an?|another|sideways|backwards?) \"?'?(?-i:[B-HJ-Z])\b|\b[a-z] shape)"
)
_CORRECTIONS = _words(
    r"wrong|o+ps|whoops|woops|sorry|actually|instead|should(?:n't| not| only)(?: be| have)?|supposed|mistake"
    r"|my bad|undo|remov(?:e|ed|ing)|delet(?:e|ed|ing)|destroy|break|get rid|hollow out|only leave"
    r"|put back|other way|rather than"
    r"|take (?:\w+ ){0,3}(?:off|away|out|down)|(?:move|bring) (?:the|that|this|those|these|it|them|everything|all|both)"
    r"|shift(?:ed)?|replace|swap|switch|change|fix|incorrect|scratch that|wait"
    r"|(?:not|isn't) (?:there|that|on|in|the|like|right)"
    r"|need to be|too (?:far|high|low|many|much|long|tall|close)|to the (?:left|right) (?:one|two|\d)"
)
_DENIED = re.compile(r"^(?:no|nope|nah)\b(?!,? (?:worries|problem|idea|need))", re.IGNORECASE | re.MULTILINE)
_NUMBERS = _words(rf"\d+|\d+ ?x ?\d+|{'|'.join(word for word in NUMBER_WORDS if word not in ('a', 'an', 'one'))}")
_REMOVES = "removes or changes"

KINDS = (
    _REMOVES, "correction", "again or more", "named shape", "number", "question in between",
    "neither color nor place", "none of these",
)  # fmt: skip


def kinds_of_instruction(row: Mapping) -> tuple[str, ...]:
    """Return the kinds of a row, in the order of `KINDS`: several may hold.

    >>> row = {"before": [], "after": ["red 0 1 0"], "dialogue": ["<Architect> no, put two more reds on each end"]}
    >>> kinds_of_instruction(row)
    ('correction', 'again or more', 'number')
    >>> kinds_of_instruction({"before": [], "after": ["red 0 1 0"], "dialogue": ["<Architect> a red one on the left"]})
    ('none of these',)
    """
    lines = [line.partition("> ")[2] for line in row["dialogue"] if line.startswith("<Architect>")]
    text = "\n".join(lines)
    asked = any(line.startswith("<Builder>") and line.rstrip().endswith("?") for line in row["dialogue"])
    holds = {
        _REMOVES: bool(set(row["before"]) - set(row["after"])),
        "correction": bool(_CORRECTIONS.search(text) or _DENIED.search(text)),
        "again or more": bool(_REPEATED.search(text)),
        "named shape": bool(_SHAPES.search(text) or _LETTERS.search(text)),
        "number": bool(_NUMBERS.search(text)),
        "question in between": asked,
        "neither color nor place": not (_COLORS.search(text) or _PLACES.search(text)),
    }
    return tuple(kind for kind in KINDS if holds.get(kind)) or (KINDS[-1],)
