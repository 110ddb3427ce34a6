"""Sentences: frames, numbers and articles. Marks and openings come later: `turns`."""

import re
from functools import cache
from typing import NamedTuple

from bap_v2_simulators.language.turns import Clause
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.number_words import NUMBER_WORDS
from bap_v2_simulators.wording.phrases import Phrases, table

_PLACE_FIRST_AT_ONCE = "{pp} {v} {np}"
_LARGEST_IN_WORDS = 10

# Types of sentences, in instructions of the human train split: imperative 57%, declarative 17%, question 2%,
# fragment 25%.
_IMPERATIVE, _DECLARATIVE, _QUESTION = 0.62, 0.775, 0.80  # up to there; parts of instructions are fragments, too
_PLACE_FIRST = 0.12  # of the fragments
_PLACE_BEFORE = 0.2  # of the instructions in two parts
_PLACE_ALONE = 0.6  # of the others: "on top of it", not "it goes on top of it"
_START = 0.45  # of the first instructions begin with "start"
_REMOVAL_IMPERATIVE, _REMOVAL_DECLARATIVE = 0.88, 0.96  # up to there; the others are questions


def number_word(number: int) -> str:
    """`three` for 3; digits above ten."""
    return NUMBER_WORDS[number] if number <= _LARGEST_IN_WORDS else str(number)


def typed_number(words: Words, number: int) -> str:
    """Return the number as it is typed, small ones more often in words: `two`, `3`, `12`."""
    return words.pick(f"NUMBERS.{number}") if 2 <= number <= 9 else str(number)


def article(text: str) -> str:
    """Return the text with `a` made `an` where English needs it: before a vowel and before 8.

    >>> article("a orange row of a u-shape, a 8x8 one")
    'an orange row of a u-shape, an 8x8 one'
    """
    return _BEFORE_A_VOWEL.sub("an", text)


_BEFORE_A_VOWEL = re.compile(r"\ba(?= [aeiou8])(?! u-)")


def sentence(
    words: Words,
    *,
    verbs: Phrases,
    np: str,
    pp: str,
    singular: bool = True,
    first: bool = False,
    started: bool = False,
    whole: bool = False,
    after: bool = False,
) -> tuple[Clause, ...]:
    """Return an instruction to build `np` at `pp`, as one clause: imperative, declarative, question or fragment.

    Args:
        verbs: with their -ing forms.
        pp: the place; empty leaves it open.
        singular: whether `np` is.
        first: nothing was built before.
        started: that the game begins was said already.
        whole: no fragment.
        after: the place follows what is to be built ("a row that goes ...").
    """
    # The form of the sentence.
    frames = _FRAMES["none" if not pp else "after" if after else "anywhere", first]
    question = declarative = False
    if first and not started and words.chance(_START):
        frame = words.pick(frames.starts)
    else:
        kind = words.random() * (_QUESTION if whole else 1.0)
        if kind < _IMPERATIVE:
            frame = words.pick(frames.imperatives)
        elif kind < _DECLARATIVE:
            frame, declarative = words.pick(frames.declaratives), True
        elif kind < _QUESTION:
            frame, question = words.pick(frames.questions), True
        elif pp and not after and words.chance(_PLACE_FIRST):
            frame = "{pp}, {np}"
        else:
            frame = words.pick(frames.fragments)
    # What the frame needs to agree with: number, pronouns, verbs.
    if not singular and not np.startswith("a "):  # "next is a row of two"
        frame = frame.replace("next is", "next are")
    if frame == _PLACE_FIRST_AT_ONCE and pp.endswith(("that", "this")):  # "on top of that place a red one"
        frame = "{pp}, {v} {np}"
    verbs = _fitting(verbs, np, pp, first, declarative, "{np} {pp}" in frame)
    verb, gerund = words.pick(verbs)
    # Fill it in.
    text = frame.format(v=verb, g=gerund, np=np, pp=pp)
    if "," in np:  # "..., which will float," in front of a comma, or at the end
        text = text.replace(",,", ",").rstrip(",")
    return (Clause(text, question),)


def in_parts(
    words: Words,
    *,
    verbs: Phrases,
    np: str,
    pp: str,
    singular: bool = True,
    first: bool = False,
    started: bool = False,
    whole: bool = False,
    after: bool = False,
) -> tuple[Clause, ...]:
    """Return the same as two clauses: what, and then where; seldom the place first. See `sentence`.

    The place must not refer by "it" or "that": the new block would be meant.
    """
    verbs = _without_clash(verbs, pp)
    if not (first or after) and words.chance(_PLACE_BEFORE):
        frame = words.pick(_FRAMES["none", False].imperatives)
        return Clause(pp, joint=","), Clause(frame.format(v=words.pick(without_contact(verbs))[0], np=np).rstrip(","))
    verbs = _without(verbs, _NOT_SOMEWHERE)  # "can you use two red blocks, to the left of it"
    (what,) = sentence(words, verbs=verbs, np=np, pp="", singular=singular, first=first, started=started, whole=whole)
    if after or words.chance(_PLACE_ALONE):
        return what._replace(joint=","), Clause(pp)
    frames = frames_before(pp, table("IT_GOES" if singular else "THEY_GO"))
    return what, Clause(words.pick(frames).format(pp=pp).replace(" go going ", " go "))


def removal(words: Words, *, verbs: Phrases | str, np: str) -> tuple[Clause, ...]:
    """Return an instruction to remove `np`."""
    kind = words.random()
    verb, gerund = words.pick(verbs)
    question = False
    if kind < _REMOVAL_IMPERATIVE:
        frame = words.pick("REMOVAL_IMPERATIVES")
    elif kind < _REMOVAL_DECLARATIVE:
        frame = words.pick("REMOVAL_DECLARATIVES")
    else:
        frame, question = words.pick("REMOVAL_QUESTIONS"), True
    return (Clause(frame.format(v=verb, g=gerund, np=np), question),)


def without_contact(verbs: Phrases) -> Phrases:
    """Return the verbs of a command that do not say that it touches something."""
    return _without(verbs, (*_TOUCHING, *_NO_COMMAND))


def without_color(verbs: Phrases) -> Phrases:
    """Return the verbs for blocks whose color is not said: nobody is asked to "use a block"."""
    return _without(verbs, _NOT_SOMEWHERE)


def _fitting(verbs: Phrases, np: str, pp: str, first: bool, declarative: bool, placed: bool) -> Phrases:
    """Return the verbs for a place and a type of sentence.

    What is connected has a neighbor (to which it is connected) and does not float, "have" is no command, and what is
    used is not used somewhere: "use a block on the ground" would be a block that lies there.

    Args:
        placed: whether the place follows the blocks.
    """
    touching = (
        not first
        and pp.split(" ", 1)[0] in _BESIDE
        and not any(part in pp for part in _NOT_BESIDE)
        and not any(part in np for part in ("floating", "hovering", " air"))
    )
    out = (
        *(() if touching else _TOUCHING),
        *(() if declarative else _NO_COMMAND),
        *(_NOT_SOMEWHERE if placed or first else ()),
        *(() if placed and pp.startswith("to ") else _WITH_TO),
    )
    return _without(_without_clash(verbs, pp), out)


def _without_clash(verbs: Phrases, pp: str) -> Phrases:
    """Those that say nothing that the place says: not "put down" with "one down from it", "stack" with "that stack"."""
    if "down" in pp or "up" in pp:
        verbs = _without(verbs, _WITH_PARTICLE)
    return _without(verbs, ("stack",)) if "stack" in pp else verbs


_BESIDE = {  # how a place begins that is next to something
    "to", "on", "above", "below", "under", "underneath", "beneath", "behind", "directly"
}  # fmt: skip
_NOT_BESIDE = (  # what makes it another: "above and to the left of it", "to the top left of it", "leaving a gap of one"
    " and ", " but ", "space", "gap", "leaving", "going",
    "the top left", "the top right", "the upper", "the bottom left", "the bottom right", "the lower",
)  # fmt: skip
_TOUCHING = ("connect", "attach", "stick")
_NO_COMMAND = ("have",)
_NOT_SOMEWHERE = ("use",)
_WITH_TO = ("connect",)
_PARTICIPLES = frozenset(("attached", "extending", "stacked", "starting"))  # how a place may begin
_WITH_PARTICLE = ("put down", "place down", "set down", "lay down", "put up", "set up")


@cache
def _without(verbs: Phrases, others: tuple[str, ...]) -> Phrases:
    return verbs.only(lambda verb: verb[0] not in others)


def frames_before(pp: str, frames: Phrases) -> Phrases:
    """Return the frames that fit a place: "they should be stacked on top of it", not "they go stacked".

    And "place them starting from it and going left", not "they should be starting from it".
    """
    begins = pp.split(" ", 1)[0]
    if begins not in _PARTICIPLES:
        return frames
    return _without_words(frames, (" go", " be ") if begins == "starting" else (" go",))


@cache
def _without_words(frames: Phrases, words: tuple[str, ...]) -> Phrases:
    return frames.only(lambda frame: not any(word in frame for word in words))


class _Frames(NamedTuple):
    """The sentences that fit a place."""

    starts: Phrases
    imperatives: Phrases
    declaratives: Phrases
    questions: Phrases
    fragments: Phrases


def _frames(place: str, first: bool) -> _Frames:
    """Return the sentences for a place that comes "anywhere", only "after" what is built, or not at all ("none")."""
    kinds = [table(name) for name in ("STARTS", "IMPERATIVES", "DECLARATIVES", "QUESTIONS", "FRAGMENTS")]
    if place != "anywhere":
        kinds = [kind.only(lambda frame: not frame.startswith("{pp}")) for kind in kinds]
    if place == "none":
        kinds = [kind.mapped(lambda frame: frame.replace(", {pp}", "").replace(" {pp}", "")) for kind in kinds]
    if first:
        kinds = [kind.only(lambda frame: not frame.startswith("next")) for kind in kinds]
    return _Frames(*kinds)


_FRAMES = {(place, first): _frames(place, first) for place in ("anywhere", "after", "none") for first in (False, True)}
