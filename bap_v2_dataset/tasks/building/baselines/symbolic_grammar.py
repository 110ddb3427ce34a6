"""From a chat line to tokens: the words of an instruction that matter, with what they mean (BAP v2, 5.2.3)."""

import re
from functools import lru_cache

from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import ENDS, Extent, Form, Reference, Shift, Token
from bap_v2_dataset.tasks.building.baselines.symbolic_phrases import COLOR_WORD, COLORS, NUMBERS, RANKS, phrases

_P, _WORDS = phrases("grammar"), phrases("words")
_WORDS_OF_EXTREMES = {name: re.compile(rf"\b(?:{pattern})\b") for name, pattern in _WORDS.EXTREMES.items()}
_PARTS = {"middle": re.compile(r"\b(?:middle|cent(?:er|re))\b"), "end": re.compile(r"\b(?:end|tip)\b"),
          "corner": re.compile(r"\bcorner\b")}  # fmt: skip
SCANNER = re.compile(
    rf"(?<![\w'])(?:{'|'.join(f'(?P<{kind}>{text})' for kind, text in _WORDS.KINDS.items())})(?![\w'])"
    r"|(?P<word>[\w']+|[^\w\s])"  # anything else, marks too
)


def _normalized(text: str) -> str:
    """Lower case, single spaces, no hyphens: "Top-left" is "top left", "3-block" is "3 block"."""
    return " ".join(text.lower().replace("\u2019", "'").replace("-", " ").split())


def _number(text: str) -> int:
    return int(text) if text[0].isdigit() else NUMBERS[text]


@lru_cache(maxsize=4_096)
def _reference(text: str) -> Reference:
    # A block between colors; the rest of the text is about the block itself.
    flanked = _P.flanked.search(text)
    if flanked:
        beside = tuple(COLORS[word] for word in COLOR_WORD.findall(flanked[0]))
        text = text[: flanked.start()]
    color = COLOR_WORD.search(text)
    color = None if color is None else COLORS[color[0]]
    if flanked:
        return Reference("described", color, between=beside)
    # References without a description.
    if _P.that_one.match(text):
        return Reference("it")
    if _P.about_removal.search(text):
        return Reference("removed", color)
    # What the description says: part, rank, shape, number, extremes.
    rule = (
        "last" if _P.about_last.search(text) else "other" if re.search(r"\b(?:other|opposite)\b", text) else "described"
    )
    part = next((name for name, words in _PARTS.items() if words.search(text)), None)
    rank = _P.rank_word.search(text)
    shape = _P.shape_word.search(text)
    shape = None if shape is None else _form(shape[0])
    several = _P.of_several.search(text)
    extremes = tuple(name for name, words in _WORDS_OF_EXTREMES.items() if words.search(text))
    if len(extremes) > 1:  # "furthest to the left" is about the left only
        extremes = tuple(name for name in extremes if name not in ("closest", "furthest"))
    if rule == "last" and not (part or rank) and (not (shape or several) or _P.last_block.match(text)):
        return Reference("last", color)
    if rank and not extremes and text.endswith("from you"):
        extremes = ("closest",)
    return Reference(
        rule,
        color,
        extremes,
        part if not (rule == "described" and part == "corner" and len(extremes) > 1) else None,
        None if rank is None else RANKS[rank[0]],
        shape,
        None if several is None else _number(several[1]),
        bool(_P.every.match(text)),
    )


def _form(text: str) -> Form:
    return Form(bool(_P.two_sides.search(text)), bool(_P.upright.search(text)), bool(_P.slanted.search(text)))


def _extent(text: str) -> Extent:
    number = _number(_P.number_word.search(text)[0])
    for side, words in _SIDES.items():
        if words.search(text):
            return Extent(number, side)
    raise AssertionError(text)


_SIDES = {"tall": re.compile("tall|high|height"), "deep": re.compile("deep|depth"), "wide": re.compile("wide|width"),
          "long": re.compile("long|length")}  # fmt: skip


def _size(text: str) -> tuple[int, int]:
    first, second = re.split(r" by |(?<=[0-9]) ?x ?", text)
    return _number(first), _number(second)


def _gap(text: str) -> int:
    number = _P.number_word.search(text)
    return 1 if number is None else _number(number[0])


def _grid(text: str) -> tuple[int, int]:
    """Blocks along a row, and rows."""
    first, second = (_number(number[0]) for number in _P.number_word.finditer(text))
    return (first, second) if "column" in text or "stack" in text or "tower" in text else (second, first)


def _again(text: str) -> str:
    """Return what is as it was before: the number of blocks, the way they go, or both."""
    if re.search("leng|long|size|many|tall|height|dimension|number", text):
        return "length"
    if re.search("direction|way", text):
        return "back" if re.search("opposite|other", text) else "way"
    return "all"


_VALUES = {
    "grid": _grid,
    "again": _again,
    "cube": lambda text: (_number(text.split()[0]),) * 2,
    "reference": _reference,
    "extent": _extent,
    "size": _size,
    "form": _form,
    "number": _number,
    "color": lambda text: COLORS[text.removesuffix("s")],
    "gap": _gap,
    "there": lambda text: Reference("there"),
    "relative": lambda text: "across" if text in ("perpendicular", "crosswise") else "along",
}
_CONSTANTS = {"pair": 2, **{f"way_{end}": Shift(way) for end, way in ENDS.items()}}
_KINDS = {
    "pair": "number",
    "cube": "size",
    "there": "reference",
    **{f"way_{end}": "step" for end in ENDS},
}
_NEEDS_A_BLOCK = {"of", "to", "on", "from", "than", "against", "beside", "touching", "off", "onto", "between", "by",
                  "with", "in"}  # fmt: skip
_ARTICLES = {"a", "one", "the", 1}
_MARKS = {".", "!", "?", ";", ":", ","}
_SAID = {"color", "noun", "number", "form", "step", "reference"}
_WANTS = {"want", "need", "like", "going", "gonna", "have", "got", "try", "wanna", "you", "us", "time"}
_LEFT_OUT = {"word", "unit", "filler"}


@lru_cache(maxsize=16_384)
def tokens(text: str) -> tuple[Token, ...]:
    """Return the tokens of one chat line; words that say nothing about what to build are left out.

    >>> [token.kind for token in tokens("Now put two red blocks to the left of it")]
    ['verb', 'number', 'color', 'noun', 'step', 'reference']
    >>> tokens("three to your left")
    (Token(kind='step', value=Shift(way=Way(left=1, up=0, away=0), count=3, in_blocks=False)),)
    """
    # Phrases of the grammar, from left to right.
    read_so_far: list[Token] = []
    line = _normalized(text)
    named = ""  # a shape that is there: "the blue tower"
    position = 0
    while match := SCANNER.search(line, position):
        phrase, words = match.lastgroup, match[0]
        position = match.end()
        if phrase == "purpose":
            if not _has_a_purpose(read_so_far):  # "we need to make a wall"
                position = match.start() + len("to ")
            continue
        if phrase == "idle":
            continue
        # The kind of the phrase and its value; some depend on the token before.
        kind = _KINDS.get(phrase, phrase)
        before = read_so_far[-1] if read_so_far else Token("word", "")
        if phrase == "side":  # "behind the top of the tower" is a block; "on the top of the tower" is a place
            if before.kind != "step" and before.value not in ("of", "from"):
                position = match.start() + len("the ")
                continue
            kind = phrase = "reference"
        if kind == "shape":
            relation = before.kind in ("step", "between", "opposite", "sides") or before.value in _NEEDS_A_BLOCK
            if relation or not _P.shape_word.search(words):
                kind, value = ("reference", _reference(words)) if relation else ("word", words)
            else:
                kind, value, named = "form", _form(words), words
                if color := COLOR_WORD.search(words):
                    read_so_far.append(Token("color", COLORS[color[0]]))
        elif kind == "pair_of_colors":
            colors = COLOR_WORD.findall(words)
            read_so_far.append(Token("between", words))
            if len(colors) > 1:
                read_so_far.append(Token("reference", Reference("described", COLORS[colors[0]])))
            kind, value = "reference", Reference("described", COLORS[colors[-1]])
        elif phrase in _VALUES:
            value = _VALUES[phrase](words)
        else:
            value = _CONSTANTS.get(phrase, words)
        # What else depends on the tokens before.
        if kind == "pronoun":  # a block where a relation needs one ("under it", "of that"); not in "put it there"
            sideways = before.kind == "step" and before.value.way.left  # "to the left it is dark"
            refers = (
                (before.kind == "step" and not sideways)
                or before.kind == "between"
                or before.value in _NEEDS_A_BLOCK
                or words == "its"
                or _between_what(read_so_far)
            )
            kind, value = ("reference", Reference("it")) if refers else ("subject", words)
        elif kind == "grid":
            read_so_far += [Token("color", COLORS[color[0]]) for color in COLOR_WORD.finditer(words)]
            kind = "size"
        elif words == "one" and before.kind == "color" and not _P.measured.match(line, match.end()):  # "a red one"
            kind, value = "noun", words
        elif kind == "form" and words in ("square", "squares") and before.kind == "number":  # "one square to the left"
            kind = "unit"
        elif kind == "verb" and words == "stack" and (before.kind in ("color", "noun") or before.value in _ARTICLES):
            kind, value = "form", _form(words)
        elif kind == "step" and (counted := _count_before(read_so_far)):
            value = Shift(value.way, *counted)
        elif kind == "word" and words in _MARKS:
            kind = "cut"
        read_so_far.append(Token(kind, value))
        if kind == "opposite" and "same" in words:
            read_so_far.append(Token("again", "length"))
    kinds = [token.kind for token in read_so_far if token.kind not in ("word", "unit", "filler", "cut", "color")]
    if kinds == ["form"] and named:
        return (Token("reference", _reference(named)),)
    return tuple(token for token in read_so_far if token.kind not in _LEFT_OUT)


def _has_a_purpose(read_so_far: list[Token]) -> bool:
    """Return whether "to make a wall" is a remark on what was asked for in this sentence: not after "we need"."""
    marks = [position for position, token in enumerate(read_so_far) if token.value in _MARKS - {","}]
    sentence = read_so_far[marks[-1] + 1 if marks else 0 :]
    return any(token.kind in _SAID for token in sentence) and sentence[-1].value not in _WANTS


def _between_what(read_so_far: list[Token]) -> bool:
    """Return whether the second of two references is still to come: "between the red block and" that."""
    kinds = [token.kind for token in read_so_far]
    return "between" in kinds and kinds[-1] == "cut" and kinds[kinds.index("between") :].count("reference") == 1


def _count_before(read_so_far: list[Token]) -> tuple[int, bool] | None:
    """Return the number that belongs to a direction, and whether it counts blocks: "two blocks to the" left.

    It is removed from the end of `read_so_far`.
    """
    end = len(read_so_far)
    while end and read_so_far[end - 1].kind == "filler":
        end -= 1
    noun = read_so_far[end - 1] if end else Token("word", "")
    if noun.kind in ("noun", "unit") or (noun.kind == "word" and str(noun.value).endswith("s")):
        end -= 1
    if not end or read_so_far[end - 1].kind != "number":
        return None
    number = read_so_far[end - 1].value
    del read_so_far[end - 1 :]
    return number, noun.kind == "noun"
