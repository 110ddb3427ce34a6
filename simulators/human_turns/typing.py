"""How the lines of a turn are typed: small talk, slips, "ontop", "thats", a next line "*left", letters in capitals.

What is meant stays: small talk asks for nothing, and a slip changes no number and makes no other word.
"""

import re
from collections import Counter
from functools import cache
from importlib import resources

from bap_v2_simulators.language import turns
from bap_v2_simulators.language.turns import Line
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.number_words import NUMBER_WORDS
from bap_v2_simulators.targets import COLORS
from bap_v2_simulators.wording.phrases import table, tables

_TALK_BEFORE, _TALK_AFTER, _TALK_OF_BUILDER = 0.45, 0.85, 0.7  # up to there; the last overlap
_LEAST = 5  # letters of a word with a slip
_JOINED = 0.2  # of the slips are a space that is left out, if there is one to leave out
_CORRECTED = 0.1  # of the slips, by the next line
_NO_APOSTROPHE = 0.3  # of the words that have one
_CAPITAL = 0.75  # of the letters that are shapes
_WORD = re.compile(r"(?<![\w'*])[A-Za-z]+(?![\w'])")
_LETTER = re.compile(r"(?<![\w'*])(?:[ltchx]|u(?= shape)|(?<=letter )u|i(?= shape)|(?<=letter )i)(?![\w'])")
_APOSTROPHE = re.compile(r"\b(that|let|don|there|you)'(s|t|re)\b", re.IGNORECASE)

_IN_FULL = re.compile(r"\b(?:like|same|copy|connect|attach|stick)\b")  # with them nothing is left out
_THEN_NEXT = re.compile(r"\bthen (?=next (?:is|are)\b)")  # one of them is enough
_COLOR = "|".join(color.value for color in COLORS)
_PLACE = "(?:left|right|top|front) of|on|behind|under|below|above|beneath|underneath|beside"
_SHORTER = (  # how often, what is left out where a block is named, and what is left
    (
        0.55,
        rf"\b({_PLACE}|and|between) the ({_COLOR}) block(?=$|[.,!?]| (?:and|at|in|on|closest|furthest)\b)",
        r"\1 the \2",
    ),
    (0.2, rf"\b({_PLACE}) the ({_COLOR})(?: block)?(?=$|[.,!?])", r"\1 \2"),
    (0.2, rf"\b(an?) ({_COLOR}) block\b(?! with| that| next| one)", r"\1 \2 one"),
    (0.15, rf"^(?:an? |(put )an? )(?=(?:{_COLOR}) (?:block|one)\b)", r"\1"),
    (0.25, r"(?<!more )\bto the (left|right) of\b", r"\1 of"),
)


def with_small_talk(words: Words, lines: list[Line], share: float, *, asked: bool) -> list[Line]:
    """Return the lines of a turn with some that ask for nothing.

    Args:
        share: of the turns that have some.
        asked: the Builder has just asked a question: that is answered first.
    """
    instructing = [number for number, (_, act, _) in enumerate(lines) if act == "instruction"]
    if not instructing or not words.chance(share):
        return lines
    lines = list(lines)
    kind = words.random()
    answers = lines[instructing[0] - 1][0] == "Builder" if instructing[0] else asked
    if kind < _TALK_BEFORE and not answers:
        number = words.pick((1, 1, 1, 2, 3, 4))
        said = [turns.typed(words, words.pick("CHAT.before")) for _ in range(number)]
        lines[instructing[0] : instructing[0]] = [("Architect", "comment", text) for text in dict.fromkeys(said)]
    elif kind < _TALK_AFTER:
        lines.append(("Architect", "comment", turns.typed(words, words.pick("CHAT.after"))))
    if kind > _TALK_OF_BUILDER:
        lines.append(("Builder", "comment", words.pick("CHAT.builder")))
    return lines


def as_typed(words: Words, lines: list[Line], slips: float) -> list[Line]:
    """Return the lines of a turn as somebody in a hurry types them.

    Args:
        slips: the share of the turns with a word that is mistyped.
    """
    # Letters and apostrophes.
    typed = []
    for speaker, act, text in lines:
        if words.chance(_CAPITAL):
            text = _LETTER.sub(lambda match: match[0].upper(), text)
        if words.chance(_NO_APOSTROPHE):
            text = _APOSTROPHE.sub(lambda match: match[1] + match[2], text)
        if speaker == "Architect" and not _IN_FULL.search(text):
            for rate, words_left_out, left in _SHORTER:
                if words.chance(rate):
                    text = re.sub(words_left_out, left, text)
        text = _THEN_NEXT.sub("", text)
        typed.append((speaker, act, text))
    # A slip in a line of the Architect, perhaps corrected by the next one.
    own = [
        number
        for number, (speaker, _, text) in enumerate(typed)
        if speaker == "Architect" and any(map(slips_of, re.findall("[a-z]+", text.lower())))
    ]
    if not own or not words.chance(slips):
        return typed
    number = words.pick(own)
    speaker, act, text = typed[number]
    text, meant = _mistyped(words, text)
    typed[number] = (speaker, act, text)
    if meant and words.chance(_CORRECTED):
        typed.insert(number + 1, (speaker, "repair", f"*{meant}"))
    return typed


def _mistyped(words: Words, text: str) -> tuple[str, str]:
    """Return a text with one slip, and the word that was meant; the same text if there is no word for it."""
    joined = [pair for pair in table("JOINED") if f" {pair} " in f" {text} "]
    if joined and words.chance(_JOINED):
        pair = words.pick(joined)
        return f" {text} ".replace(f" {pair} ", f" {pair.replace(' ', '')} ", 1).strip(), ""
    places = [match for match in _WORD.finditer(text) if slips_of(match[0].lower())]
    if not places:
        return text, ""
    match = words.pick(places)
    slip = words.pick(slips_of(match[0].lower()))
    return f"{text[: match.start()]}{match[0][0]}{slip[1:]}{text[match.end() :]}", match[0].lower()


@cache
def slips_of(word: str) -> tuple[str, ...]:
    """Return the ways to mistype a word that can be no other word's; none of numbers."""
    if len(word) < _LEAST or word in _fixed():
        return ()
    return tuple(sorted(slip for slip in _one_slip(word) - _vocabulary() if _meanings()[slip] < 2))


def _one_slip(word: str) -> set[str]:
    """Return a word with two letters exchanged, a letter doubled or, if it is not short, one left out."""
    inner = range(1, len(word) - 1)
    slips = {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in inner}
    slips |= {word[:i] + word[i] + word[i:] for i in inner}
    if len(word) > _LEAST:
        slips |= {word[:i] + word[i + 1 :] for i in inner}
    return slips - {word}


@cache
def _meanings() -> Counter[str]:
    """Return of how many words each slip may be: "stcking" is of two."""
    return Counter(slip for word in _vocabulary() for slip in _one_slip(word))


@cache
def _fixed() -> frozenset[str]:
    """Return the words that are never mistyped: numbers, and names that are heard once and used then."""
    objects = resources.files(__package__).joinpath("objects.json").read_text(encoding="utf-8")
    return frozenset((*NUMBER_WORDS, *table("NEVER_MISTYPED"), *re.findall("[a-z]+", objects)))


@cache
def _vocabulary() -> frozenset[str]:
    """Return the words that a slip must not make: those of all phrases, and what people say besides."""
    texts = [" ".join([option] if isinstance(option, str) else option) for one in tables().values() for option in one]
    words = re.findall(r"[a-z]+", " ".join(texts).lower())
    return frozenset((*words, *NUMBER_WORDS, *(color.value for color in COLORS), *table("OTHER_WORDS")))
