"""Sentences: frames, numbers and articles. Marks and openings come later: `turns`."""

import re
from collections.abc import Sequence

from bap_v2_simulators.language.turns import Clause
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.number_words import NUMBER_WORDS
from bap_v2_simulators.wording import sentences

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
) -> tuple[Clause, ...]:
    """The clauses of an instruction to build `np` at `pp`: imperative, declarative, question or fragment.

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
    return (Clause(text, question),)


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
