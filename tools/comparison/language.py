"""Rules of thumb for the English of building instructions: verbs, names of relations, types of sentences.

A heuristic, made to compare corpora with each other by the same rules. It knows no grammar: a number says that one
corpus is more varied than another, not how many ways there are. Its lists are for this world alone: blocks,
colors, places. General measures (distinct-n, MTLD, the tags of a part-of-speech tagger) do not know that "to the left
of" and "on its left side" name one relation, which is what is compared here.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import yaml

from bap_v2_dataset.items.rows import WORD
from bap_v2_metric.blocks import Color
from bap_v2_simulators.number_words import NUMBER_WORDS


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_FILE = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
WORDS = {name: _set(words) for name, words in _FILE["words"].items()}

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_ARTICLES = _set("a an the")
_NUMBERS = {*NUMBER_WORDS, *map(str, range(100))}
_MASKS = {color.value: "C" for color in Color} | dict.fromkeys(_NUMBERS, "N")
_SIZE = re.compile(r"^\d+x\d+(x\d+)?$")
_BLOCKS = _set("block blocks brick bricks one ones cube cubes") | {color.value for color in Color}

# What simulators talk about, for choosing human utterances.
_DOMAIN = re.compile(
    r"\b(left|right (?:of|side|face|corner|end)|(?:the|your|its) right|on top|top of|above|below|under|underneath"
    r"|beneath|behind|in front|diagonal|diagonally"
    r"|(?:row|line|column|tower|wall|plane|layer|staircase|stack|pillar) (?:of|that|which|going|with|along|on|to)"
    r"|remove|removing|delete|deleting|break|breaking|destroy|destroying|erase|punch"
    r"|(?:get|getting) rid|(?:take|taking|clear|knock) (?:\w+ ){0,4}(?:away|off|out|down))\b"
)

_PLACING = WORDS["placing"]
REMOVING = WORDS["removing"]
_LIGHT = _set("do use leave stand rest form start begin hit cut")  # verbs here only if an article or number follows
_WITH_DISTANT_PARTICLE = _set("take pick clear knock")
_PARTICLES = _set("away off out up down")
_DOUBLED = _set("put set get drop hit cut begin chop")


def _ing(verb: str) -> str:
    stem = verb[:-1] if verb.endswith("e") else verb + verb[-1] if verb in _DOUBLED else verb
    return f"{stem}ing"


_VERB_FORMS = {form: verb for verb in _PLACING | REMOVING for form in (verb, _ing(verb))}
_SAYS_WHERE = _set("starting beginning")  # "starting two below it"
_BASE_FORMS = _PLACING | REMOVING | _set("try go please let's lets keep")
_BEFORE_A_NOUN = _set("a an the that this first each second new your its same empty in")
_BEFORE_AN_INFINITIVE = _set("you to we i will i'll we'll you'll can should would could must")

RELATIONS = _FILE["relations"]  # with their words
_RELATION_WORDS = {word: relation for relation, words in RELATIONS.items() for word in words.split()}
_NOT_WHERE = _BLOCKS | {"C", *_VERB_FORMS} | WORDS["not_where"]
_NOT_THE_RIGHT = _set("on above behind below under underneath next in there here now where beside at before after over")
_NOT_TO_THE_RIGHT = _set("that's thats yes yeah all is yep looks was")

_OPENERS = WORDS["openers"]
_ASKING = _set("can could would will do does did may shall is are what where which how when why have")
_DECLARATIVE = re.compile(
    r"(?:you|we|i|it|they|there|these|those|this|that|blocks?|ones?|row|column|line) "
    r"(?:should|needs?|want|can|will|is|are|has|have|must|would|go|goes|be|got|starts?|begins?|extends?|runs?)\b"
    r"|(?:you'll|you're|we'll|we're|i'll|i'd|i'm|it's|its|there's|it'll|there'll|that's|thats|they're|theres) (?!right)"
    r"|next (?:comes|is|up|step|thing)\b|(?:goes|should|needs) "
)
SENTENCE_TYPES = ("imperative", "declarative", "question", "fragment")


def words_of(text: str) -> list[str]:
    """The words of an utterance, in lower case and without punctuation.

    >>> words_of("Now, it's a 3x3 Top-Left one!")
    ['now', "it's", 'a', '3x3', 'top', 'left', 'one']
    """
    return WORD.findall(text.lower())


def skeleton(words: Sequence[str]) -> tuple[str, ...]:
    """The words with colors and numbers masked and without articles.

    >>> " ".join(skeleton(words_of("put the two red blocks on a 3x3 square")))
    'put N C blocks on NxN square'
    """
    return tuple(_MASKS.get(word) or _SIZE.sub("NxN", word) for word in words if word not in _ARTICLES)


def masked(words: Sequence[str]) -> tuple[str, ...]:
    """The words with colors and numbers masked; sizes such as 3x3 are words.

    >>> " ".join(masked(words_of("put the two red blocks")))
    'put the N C blocks'
    """
    return tuple(_MASKS.get(word, word) for word in words)


def is_instruction(text: str) -> bool:
    """Whether a human utterance is about what simulators talk of too: a block, and where it goes or that it goes away.

    >>> is_instruction("to the left of that, add a blue one"), is_instruction("it looks like a bell, right?")
    (True, False)
    """
    words = words_of(text)
    return not _BLOCKS.isdisjoint(words) and bool(_DOMAIN.search(" ".join(words)))


def relations_in(words: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(relation, its name) for each relation that the words name: the keyword, up to two words before, one after.

    Articles are left out. The name ends at whatever says what is there or another relation: blocks, verbs, "and".

    >>> list(relations_in(words_of("put a red block on the left side of the green one")))
    [('left', ('on', 'left', 'side'))]
    >>> list(relations_in(words_of("now two to the left and one right on top of it")))
    [('left', ('N', 'to', 'left')), ('top', ('right', 'on', 'top', 'of'))]
    """
    words = skeleton(words)
    for position, word in enumerate(words):
        relation = _RELATION_WORDS.get(word)
        before = words[position - 1] if position else ""
        after = words[position + 1] if position + 1 < len(words) else ""
        if relation is None or _another_sense(word, before, after):
            continue
        name = [word]
        for other in reversed(words[max(0, position - 2) : position]):
            if other in _NOT_WHERE or other == "of":
                break
            name.insert(0, other)
        if after and after not in _NOT_WHERE:
            name.append(after)
        yield relation, tuple(name)


def relation_names(lines: Iterable[Sequence[str]]) -> dict[str, Counter[str]]:
    """How often each name of each relation is used in lines of words."""
    names: dict[str, Counter[str]] = {relation: Counter() for relation in RELATIONS}
    for line in lines:
        for relation, name in relations_in(line):
            names[relation][" ".join(name)] += 1
    return names


def sentence_type(text: str) -> str:
    """`question`, `imperative`, `declarative` or `fragment`: what comes first, a verb or somebody who is to do it.

    >>> [sentence_type(text) for text in ("now place it", "you can place it", "red on top", "can you add one")]
    ['imperative', 'declarative', 'fragment', 'question']
    """
    # Of several sentences, the first that names a block.
    text = next((part for part in _SENTENCE_END.split(text) if not _BLOCKS.isdisjoint(words_of(part))), text)
    words = words_of(text)
    start = next((i for i, word in enumerate(words) if word not in _OPENERS), len(words))
    if "?" in text or (words[start:] and words[start] in _ASKING):
        return "question"
    for position in range(start, len(words)):
        before, word = words[position - 1] if position else "", words[position]
        if word in _BASE_FORMS and before not in _BEFORE_A_NOUN:
            return "declarative" if before in _BEFORE_AN_INFINITIVE else "imperative"
        relative = before in ("that", "which") or (word == "that" and position > start)  # "a row that goes up"
        if not relative and _DECLARATIVE.match(" ".join(words[position : position + 3])):
            return "declarative"
    return "fragment"


def verbs_in(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """(verb, its particle or "") for each verb of placing or removing.

    >>> list(verbs_in(words_of("put down a red one, then take the blue one away")))
    [('put', 'down'), ('take', 'away')]
    """
    for position, word in enumerate(words):
        verb = _VERB_FORMS.get(word)
        if verb is None or word in _SAYS_WHERE or (position and words[position - 1] in _BEFORE_A_NOUN):
            continue
        following = words[position + 1 : position + 6]
        if verb in _LIGHT and not (following and (following[0] in _ARTICLES or following[0] in _MASKS)):
            continue
        if verb == "get":
            if following[:1] == ["rid"]:
                yield "get", "rid"
        elif verb in _WITH_DISTANT_PARTICLE:  # "take the red one away"
            if particle := next((other for other in following if other in _PARTICLES), ""):
                yield verb, particle
        else:
            yield verb, following[0] if following and following[0] in ("down", "up", "out") else ""


def by_number(counts: Counter[str], number: int | None = None) -> dict[str, int]:
    """What is counted, the most frequent first."""
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:number])


def _another_sense(word: str, before: str, after: str) -> bool:
    """Whether a relation's word says something else: "right on top", "that's right", "pick up", "go back"."""
    if word == "right":
        return after in _NOT_THE_RIGHT or (not after and before in _NOT_TO_THE_RIGHT)
    if word in ("up", "down", "away", "back", "over"):
        return before in _VERB_FORMS or before in ("go", "come", "turn")
    return False
