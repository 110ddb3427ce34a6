"""Sentences as they are typed: frames, marks, discourse markers, numbers and articles."""

import re
from collections.abc import Sequence

from bap_v2_simulators.language.words import Words
from bap_v2_simulators.number_words import NUMBER_WORDS
from bap_v2_simulators.wording import openings, sentences

_LARGEST_IN_WORDS = 10


def number_word(number: int) -> str:
    """`three` for 3; digits above ten."""
    return NUMBER_WORDS[number] if number <= _LARGEST_IN_WORDS else str(number)


def article(text: str) -> str:
    """The text with `a` made `an` where English needs it: before a vowel and before 8.

    >>> article("a orange row of a u-shape, a 8x8 one")
    'an orange row of a u-shape, an 8x8 one'
    """
    return _BEFORE_A_VOWEL.sub("an", text)


_BEFORE_A_VOWEL = re.compile(r"\ba(?= [aeiou8])(?! u-)")


def sentence(
    words: Words,
    *,
    verbs: Sequence[tuple[str, str]],
    np: str,
    pp: str,
    singular: bool = True,
    first: bool = False,
    whole: bool = False,
    after: bool = False,
) -> str:
    """An instruction to build `np` at `pp`: imperative, declarative, question or fragment.

    Args:
        verbs: with their -ing forms.
        pp: the place; empty leaves it open.
        singular: whether `np` is.
        first: nothing was built before.
        whole: no fragment.
        after: the place follows what is to be built ("a row that goes ...").
    """
    kind = words.random() * (0.82 if whole else 1.0)
    verb, gerund = words.pick(verbs)
    place = "none" if not pp else "after" if after else "anywhere"
    imperatives, declaratives, questions, fragments = _FRAMES[place, first]
    question = False
    if kind < 0.56:
        frame = words.pick(imperatives)
    elif kind < 0.75:
        frame = words.pick(declaratives)
        if not singular:  # "there are", "come"
            frame = frame.replace(" is {np}", " are {np}").replace("comes {np}", "come {np}")
    elif kind < 0.82:
        frame, question = words.pick(questions), True
    else:
        frame = words.pick(fragments)
    text = frame.format(v=verb, g=gerund, np=np, pp=pp)
    if "," in np:  # "..., which will float," in front of a comma, or at the end
        text = text.replace(",,", ",").rstrip(",")
    return punctuated(words, text, question)


def _frames(place: str, first: bool) -> tuple[tuple[str, ...], ...]:
    """The sentences for a place that comes "anywhere", only "after" what is built, or not at all ("none")."""
    kinds = (sentences.IMPERATIVES, sentences.DECLARATIVES, sentences.QUESTIONS, sentences.FRAGMENTS)
    if place != "anywhere":
        kinds = tuple(tuple(frame for frame in frames if not frame.startswith("{pp}")) for frames in kinds)
    if place == "none":
        kinds = tuple(tuple(frame.replace(", {pp}", "").replace(" {pp}", "") for frame in frames) for frames in kinds)
    if first:
        kinds = tuple(
            tuple(frame for frame in frames if not any(word in frame for word in sentences.NOT_AT_FIRST))
            for frames in kinds
        )
    return kinds


_FRAMES = {(place, first): _frames(place, first) for place in ("anywhere", "after", "none") for first in (False, True)}


def punctuated(words: Words, text: str, question: bool = False) -> str:
    """The sentence as it is typed: mostly lower case, often without a full stop."""
    if question:
        return f"{text}?" if words.chance(0.85) else text
    end = words.random()
    return f"{text}." if end < 0.3 else f"{text}!" if end < 0.33 else text


def opened(words: Words, text: str, first: bool) -> str:
    """The sentence after a discourse marker, or without one."""
    kind = words.random()
    if first:
        return _after(words.pick(openings.FIRST), text, comma=words.chance(0.67)) if kind < 0.55 else text
    if kind < 0.4:
        return text
    if kind < 0.82:
        return _after(words.pick(openings.SEQUENCE), text, comma=words.chance(0.35))
    praise = words.pick(openings.PRAISE) + words.pick((". ", "! ", ", ", ", "))
    if kind < 0.91:
        return f"{praise}{text}"
    return praise + _after(words.pick(openings.SEQUENCE), text, comma=False)


def _after(marker: str, text: str, comma: bool) -> str:
    """The sentence after the marker; never the same word twice."""
    if marker.split()[-1] == text.split(maxsplit=1)[0]:
        return text
    return f"{marker}{', ' if comma or marker in openings.WITH_COMMA else ' '}{text}"


def typed(words: Words, text: str) -> str:
    """The line as it is sent: seldom with a capital letter, seldom with a polite word at its end."""
    if words.chance(0.03) and text[-1] not in ".!?":
        text = f"{text}, {words.pick(openings.AFTERTHOUGHTS)}"
    return text[0].upper() + text[1:] if words.chance(0.22) else text
