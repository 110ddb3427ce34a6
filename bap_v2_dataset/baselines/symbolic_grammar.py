"""What the words of an instruction mean: from a chat line to tokens that know no board (BAP v2, 5.2.3).

This is a grammar of its own. It shares no table with the simulators, so that a sentence that only its author would
understand shows up as one that is misread.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from bap_v2_metric.blocks import Color
from bap_v2_simulators.number_words import NUMBER_WORDS


class Way(NamedTuple):
    """A direction as the Builder sees it: one cell to the left, up, or away (negative: the opposite)."""

    left: int
    up: int
    away: int


class Step(NamedTuple):
    """A direction, with its distance if one was given: "two to the left", "behind"."""

    way: Way
    count: int | None = None
    in_blocks: bool = False  # "two blocks to the left"; may turn out to be two blocks, to the left


class ParsedReference(NamedTuple):
    """A block that is there, or the place of one that was: "the leftmost red block", "the gap you just made"."""

    rule: str  # "last", "removed", or "described" by what follows
    color: Color | None = None
    extremes: tuple[str, ...] = ()  # of EXTREMES


class Form(NamedTuple):
    """What the name of a shape says: "tower", "vertical plane"."""

    two_sides: bool  # flat or a wall; otherwise a line, straight or diagonal
    upright: bool


class Extent(NamedTuple):
    """A number with the side that it measures: "3 wide", "a height of 4"."""

    number: int
    side: str  # "along", "tall" or "deep"


class Token(NamedTuple):
    """A word or phrase that matters.

    kind        value
    step        Step
    reference   ParsedReference
    form        Form
    extent      Extent
    size        (int, int)
    number      int
    color       Color
    noun        the word: "block", "bricks", "another"
    start       the word: what follows is where the first block goes
    removal     the words: something is taken away
    """

    kind: str
    value: object


LEFT, RIGHT = Way(1, 0, 0), Way(-1, 0, 0)
UP, DOWN = Way(0, 1, 0), Way(0, -1, 0)
AWAY, TOWARDS = Way(0, 0, 1), Way(0, 0, -1)

# Which of several blocks is meant, by the end at which it is, and the words that say so.
EXTREMES = {
    "left": r"left(?: ?most)?",
    "right": r"right(?: ?most)?",
    "top": r"top(?: ?most)?|upper(?: ?most)?|up|highest|tallest",
    "bottom": r"bottom(?: ?most)?|lower(?: ?most)?|down|lowest",
    "front": r"front(?: ?most)?|fore ?most",
    "back": r"back(?: ?most)?|rear(?: ?most)?|hind ?most",
    "closest": r"closest|nearest",
    "furthest": r"furthest|farthest|most distant",
}


def _normalized(text: str) -> str:
    """Lower case, single spaces, no hyphens: "Top-left" is "top left", "3-block" is "3 block"."""
    return " ".join(text.lower().replace("\u2019", "'").replace("-", " ").split())


# --- the words

_COLORS = {color.value: color for color in Color}
_NUMBERS = {word: number for number, word in enumerate(NUMBER_WORDS) if number}
_COLOR = "|".join(_COLORS)
_NUMBER = rf"\b(?:{'|'.join(_NUMBERS)}|[0-9]{{1,3}})\b"
_NOUN = r"(?:block|brick|one|cube|piece)s?"
_UNIT = r"(?:space|cell|step|level|spot|tile|unit|square)s?"
_BUILDER = r"(?:you(?:rself)?|me|the builder|where you(?:'re| are| stand)(?: standing)?)"


def _one_line(pattern: str) -> str:
    """A pattern without the line breaks and indentation in which it was written."""
    return re.sub(r"\n\s*", "", pattern)


# --- phrases for a block that is there

_PARTICLE = r"(?: (?:down|up|away|off|out))?"
_CLEARLY_PAST = r"(?!need|indeed)(?:[a-z]+ed|built|laid|made|stuck|broke|took|left|got|did)"
_PAST = rf"(?:{_CLEARLY_PAST}|put|set)"  # "you put" alone may begin an instruction
_WHEN = r" (?:last|just now|right now|a moment ago|most recently|just before|earlier)"
_DONE = _one_line(rf"""
    (?:(?:that|which) )?(?:you|we|i)(?:'ve| have)?
    (?: (?:just|last|most recently) {_PAST}{_PARTICLE}(?: (?:a|the) block)?(?:{_WHEN})?
    | {_PAST}{_PARTICLE}{_WHEN}
    | {_CLEARLY_PAST}{_PARTICLE})
""")
_END = r"(?:left|right|top|up|upper|bottom|down|lower|front|back|rear)"
_MOST = r"(?:left|right|top|upper|bottom|lower|front|back|rear|fore|hind) ?most"
_CORNER = rf"{_END} {_END}"
_FAR = r"(?:furthest|farthest|most distant)"
_NEAR = r"(?:closest|nearest)"
_EXTREME = _one_line(rf"""(?:
    (?:furthest|farthest|far|very) (?:to )?(?:the |your )?{_END}
    |(?:highest|lowest)(?: up| down)?
    |{_MOST}
    |{_NEAR}(?: to {_BUILDER})?
    |{_FAR}(?: away)?(?: from {_BUILDER})?
    |you are {_NEAR} to
    |{_CORNER}(?: corner)?(?! (?:of|edge|side|face|diagonal)\b)
)\b""")
_AFTER_NOUN = _one_line(rf"""(?:
    {_DONE}
    |(?:(?:that|which) (?:is|are) )?(?:(?:at|in|on) the )?{_EXTREME}(?: (?:level|layer|side|end)\b)?
    |from the (?:last|previous|latest) (?:step|turn|move)
    |of the (?:last|previous) shape
    |(?:that|which) is (?:already )?(?:there|here)
)""")
_NO_ADJECTIVE = "|".join(
    ("of to in on at from than a an and or is are was more another other next first second", *_NUMBERS)
).replace(" ", "|")
_ADJECTIVE = _one_line(rf"""(?:
    very|last|latest|newest|previous|prior|final|recent|most recent|(?:most )?recently [a-z]+ed|just [a-z]+ed
    |only|single|lone|sole|existing|removed|empty|floating|same|one(?= (?:{_COLOR})\b)
    |(?:(?:furthest|farthest|far) )?{_END}(?! one\b)|{_MOST}
    |highest|lowest|tallest|{_NEAR}|{_FAR}
    |(?:{_COLOR})
    |(?!(?:{_NO_ADJECTIVE})\b)[a-z]+(?= (?:{_COLOR})\b)
)""")
_REFERENCE = _one_line(rf"""
    (?:the|that|this|those|these|our|your|my) (?:{_ADJECTIVE} ){{0,5}}(?:{_NOUN}|thing)\b
        (?:,? {_AFTER_NOUN}(?![\w'])){{0,2}}
    |(?:the|that|this) (?:(?:last|empty|free) )?(?:spot|gap|hole|place|space|position) (?:where )?{_DONE}
    |(?:what|where) {_DONE}
""")

# --- phrases by kind, in the order in which they are tried

_WAYS = {
    AWAY: rf"(?:(?:further|farther|out) )?away from {_BUILDER}|(?:further|farther) (?:back|from {_BUILDER})"
    r"|behind|(?:in )?back(?:wards?)?|rear|far(?= (?:side|face|end))",
    TOWARDS: rf"towards? {_BUILDER}|(?:closer|nearer) to {_BUILDER}|in your direction|fac(?:es|ing) you"
    r"|(?:in )?front|near(?= (?:side|face|end))",
    LEFT: r"left(?:wards?)?",
    RIGHT: r"right(?:wards?)?",
    UP: r"up(?:wards?|per)?|above|(?:on )?top|higher|atop|upon",
    DOWN: r"down(?:wards?)?|below|beneath|under(?:neath|side)?|bottom|lower",
}
_PHRASES = {
    "idle": rf"""
        one (?:over|above|on top of|after|behind|by|beside) (?:the other|another|one)
        |(?:of|like) (?:those|these|them|the same)|like (?:that|this|it)(?: one(?! (?:after|over)\b))?
        |(?:for )?(?:the )?next (?:one(?! (?:more|{_UNIT})\b)|step|thing)|next up(?= (?:is|are|comes?)\b)
        |(?:that's|that is|you got|got) (?:it|right)(?=[.,!]|$)
        |(?:start|begin)(?:s|ing|ning)? from|all right|(?:after|following) that
        |(?<!the )(?<!your )right(?= (?:on top|above|below|under|beneath|next to|behind|in front|now)\b)
        |(?:(?:down|flat) )?(?:on|at|onto|to) (?:the )?
            (?:ground|floor|(?:bottom|lowest|ground) (?:level|layer))(?: level)?
    """,
    "reference": _REFERENCE,
    "removal": rf"""
        remov(?:e|es|ed|ing)|delet(?:e|ed|ing)|destroy(?:ed|ing)?|break(?:ing)?|eras(?:e|ed|ing)|undo(?:ing)?
        |punch(?:ing)?(?: out)?|knock(?:ing)? (?:out|off|down)|chop(?:ping)?|smash(?:ing)?
        |(?:tak(?:e|en|ing)|clear(?:ed|ing)?|pick(?:ed|ing)?|throw(?:n|ing)?)
            (?: (?:it|them|that|those|that {_NOUN}))? (?:away|out|off|up)
        |(?:get|getting) rid of|(?:don't|do not) need|go away(?! from)|(?:has|have|needs?) to go(?= ?[.!?,]|$)
        |must go(?= ?[.!?,]|$)
    """,
    "verb": r"(?:put|putting|set|setting|place|placing|lay|laying|stick|sticking|drop|dropping) (?:down|up|out)",
    "extent": rf"""
        {_NUMBER}(?: blocks?)? (?:long|wide|deep|tall|high|in (?:length|width|height|depth))
        |(?:length|width|height|depth) (?:of )?{_NUMBER}
    """,
    "size": rf"{_NUMBER} by {_NUMBER}|[0-9]{{1,3}} ?x ?[0-9]{{1,3}}",
    "form": r"""
        (?:(?:vertical|upright|standing|rising|horizontal|flat|straight|diagonal) ){0,3}
        (?:rows?|lines?|bars?|strips?|columns?|pillars?|towers?|stacks?|piles?|poles?|diagonals?
        |staircases?|stairways?|set of stairs|stairs?|planes?|layers?|platforms?|floors?|rectangles?|squares?|walls?)
    """,
    "start": r"(?:start|begin)(?:s|ing|ning)?(?: (?:block|point|spot))?|first (?:block|one|brick|cube|piece)",
    **{f"way{number}": pattern for number, pattern in enumerate(_WAYS.values())},
    "pair": r"(?:couple|pair) of",
    "number": _NUMBER,
    "color": rf"(?:{_COLOR})s?",
    "noun": rf"{_NOUN}|another",
    "unit": _UNIT,
    "pronoun": r"(?:it|that|this)(?! [a-z]+s\b)",
    "filler": r"to|the|of|off|your|on|in|at|toward|towards|straight|directly|over|its",
}
_WORD = r"[\w']+|[^\w\s]"  # anything else, marks too
_SCANNER = re.compile(
    "|".join(rf"(?P<{kind}>(?<![\w'])(?:{_one_line(pattern)})(?![\w']))" for kind, pattern in _PHRASES.items())
    + rf"|(?P<word>{_WORD})"
)

# --- from phrases to tokens

_WORDS_OF_EXTREMES = {name: re.compile(rf"\b(?:{pattern})\b") for name, pattern in EXTREMES.items()}
_COLOR_WORD = re.compile(rf"\b(?:{_COLOR})\b")
_NUMBER_WORD = re.compile(_NUMBER)
_MEASURED = re.compile(rf" (?:{_UNIT}|blocks?)\b")  # after a number
_ABOUT_REMOVAL = re.compile(
    r"\b(?:removed|deleted|destroyed|erased|broke|took|cleared|emptied|picked|spot|gap|hole|place|space|position)\b"
)
_ABOUT_LAST = re.compile(
    r"^(?:that|this|what)\b|\b(?:last|latest|newest|previous|prior|final|recent|recently|just|moment ago|earlier"
    r"|(?:you|we|i) (?!are\b)[a-z]+)\b"
)
_UPRIGHT = re.compile(r"vertical|upright|standing|rising|column|pillar|tower|stack|pile|pole|stair|wall")
_TWO_SIDES = re.compile(r"plane|layer|platform|floor|rectangle|square|wall")


def _number(text: str) -> int:
    return int(text) if text[0].isdigit() else _NUMBERS[text]


def _reference(text: str) -> ParsedReference:
    color = _COLOR_WORD.search(text)
    color = None if color is None else _COLORS[color[0]]
    if _ABOUT_REMOVAL.search(text):
        return ParsedReference("removed", color)
    if _ABOUT_LAST.search(text):
        return ParsedReference("last", color)
    extremes = tuple(name for name, words in _WORDS_OF_EXTREMES.items() if words.search(text))
    if len(extremes) > 1:  # "furthest to the left" is about the left only
        extremes = tuple(name for name in extremes if name not in ("closest", "furthest"))
    return ParsedReference("described", color, extremes)


def _form(text: str) -> Form:
    return Form(bool(_TWO_SIDES.search(text)), bool(_UPRIGHT.search(text)))


def _extent(text: str) -> Extent:
    number = _number(_NUMBER_WORD.search(text)[0])
    if any(word in text for word in ("tall", "high", "height")):
        return Extent(number, "tall")
    return Extent(number, "deep" if "deep" in text or "depth" in text else "along")


def _size(text: str) -> tuple[int, int]:
    first, second = re.split(r" by |(?<=[0-9]) ?x ?", text)
    return _number(first), _number(second)


_VALUES = {
    "reference": _reference,
    "extent": _extent,
    "size": _size,
    "form": _form,
    "number": _number,
    "color": lambda text: _COLORS[text.removesuffix("s")],
}
_CONSTANTS = {"pair": 2, **{f"way{number}": Step(way) for number, way in enumerate(_WAYS)}}
_KINDS = {"pair": "number", "verb": "word", **{f"way{number}": "step" for number in range(len(_WAYS))}}
_NEEDS_A_BLOCK = {"of", "to", "on", "from", "than", "against", "beside", "touching"}


@lru_cache(maxsize=16_384)
def tokens(text: str) -> tuple[Token, ...]:
    """The tokens of one chat line; words that say nothing about what to build are left out.

    >>> [token.kind for token in tokens("Now put two red blocks to the left of it, please")]
    ['number', 'color', 'noun', 'step', 'reference']
    >>> tokens("three to your left")
    (Token(kind='step', value=Step(way=Way(left=1, up=0, away=0), count=3, in_blocks=False)),)
    """
    read_so_far: list[Token] = []
    line = _normalized(text)
    for match in _SCANNER.finditer(line):
        phrase, words = match.lastgroup, match[0]
        if phrase == "idle":
            continue
        kind = _KINDS.get(phrase, phrase)
        value = _VALUES[phrase](words) if phrase in _VALUES else _CONSTANTS.get(phrase, words)
        before = read_so_far[-1] if read_so_far else Token("word", "")
        if kind == "pronoun":  # a block where a relation needs one ("under it", "of that"); not in "put it there"
            sideways = before.kind == "step" and before.value.way.left  # "to the left it is dark"
            refers = (before.kind == "step" and not sideways) or before.value in _NEEDS_A_BLOCK
            kind, value = ("reference", ParsedReference("last")) if refers else ("word", words)
        elif words == "one" and before.kind == "color" and not _MEASURED.match(line, match.end()):  # "a red one"
            kind, value = "noun", words
        elif kind == "form" and words in ("square", "squares") and before.kind == "number":  # "one square to the left"
            kind = "unit"
        elif kind == "step" and (counted := _count_before(read_so_far)):
            value = Step(value.way, *counted)
        read_so_far.append(Token(kind, value))
    return tuple(token for token in read_so_far if token.kind not in ("word", "unit", "filler"))


def _count_before(read_so_far: list[Token]) -> tuple[int, bool] | None:
    """The number that belongs to a direction, and whether it counts blocks: "two blocks to the" left.

    It is removed from the end of `read_so_far`.
    """
    end = len(read_so_far)
    while end and read_so_far[end - 1].kind == "filler":
        end -= 1
    noun = read_so_far[end - 1] if end else Token("word", "")
    if noun.kind in ("noun", "unit") or (noun.kind == "word" and noun.value.endswith("s")):
        end -= 1
    if not end or read_so_far[end - 1].kind != "number":
        return None
    number = read_so_far[end - 1].value
    del read_so_far[end - 1 :]
    return number, noun.kind == "noun"
