"""How the simulated games differ from the human ones: where Builders stand, how Architects talk, what is covered.

One pass over each corpus. Of a corpus of 60,000 items it keeps the utterances of the Architect and eleven numbers an
item: some tens of MB.

    numbers = comparison({"human": human_games(kept), **simulated_games(1000)})
    console.print(report(numbers))

The heuristics for language are made to compare corpora with each other. They know no grammar: a number says that one
corpus is more varied than another, not how many ways there are.
"""

import math
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from random import Random
from statistics import fmean, median
from typing import Any

import numpy as np
from rich.console import Group
from rich.table import Table
from rich.text import Text

from bap_v2_dataset.human.game_store import KeptGames
from bap_v2_dataset.human.mdc import SPLITS
from bap_v2_dataset.items import Item, items
from bap_v2_metric.actions import net_actions
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.corpora import SIMULATORS
from bap_v2_simulators.game import Game, read_games
from bap_v2_simulators.number_words import NUMBER_WORDS
from bap_v2_simulators.simulation import Simulator, play
from bap_v2_simulators.view import off_cardinal
from bap_v2_simulators.viewpoint import EYE_HEIGHT, HORIZONTAL_FOV

SAMPLE = 1500  # utterances of each corpus whose wording is compared


def simulated_games(number: int, split: str = "train", seed: int = 0) -> dict[str, Iterator[Game]]:
    """So many games of each of the three simulators, by the name of the simulator."""
    return {name: _played(simulator(), number, split, seed) for name, simulator in SIMULATORS.items()}


def _played(simulator: Simulator, number: int, split: str, seed: int) -> Iterator[Game]:
    for index in range(number):
        yield play(simulator, split, index, seed)


def human_games(games: KeptGames) -> Iterator[Game]:
    """The games of all splits of the human corpus."""
    return chain.from_iterable(read_games(games.file(split)) for split in SPLITS.values())


def comparison(games_by_name: Mapping[str, Iterable[Game]], sample: int = SAMPLE) -> dict[str, Any]:
    """All numbers, as plain values.

    Args:
        games_by_name: the corpora; whether one is simulated is read from its games. Each is gone through once.
        sample: the number of utterances of each corpus whose wording is compared; the size of the smallest corpus if
            that is less.
    Returns:
        `sizes`, `poses`, `language`, `wording` and `coverage` (of simulated corpora) by corpus; `wording_sample`, the
        number of utterances compared; and `missing_words` and `missing_phrases`: what human Architects say most
        often in instructions and simulated ones never do, with its number of uses.
    """
    corpora = {name: _Corpus(name, games) for name, games in games_by_name.items()}
    sample = min([sample, *(len(corpus.instructions) for corpus in corpora.values())])
    return {
        "sizes": {
            name: {"games": its.games, "items": its.items, "instructions": len(its.instructions)}
            for name, its in corpora.items()
        },
        "poses": {name: its.looks.numbers() for name, its in corpora.items()},
        "language": {name: its.language() for name, its in corpora.items()},
        "wording_sample": sample,
        "wording": {name: _wording(its.sample(sample)) for name, its in corpora.items()},
        "coverage": {name: its.coverage for name, its in corpora.items() if its.simulated},
        **_missing(corpora.values()),
    }


def coverage(found: Iterable[Item]) -> dict[str, Counter]:
    """How often each thing that a simulator can plan occurs, from the metadata of its items.

    Returns:
        Counts by kind of thing: `relation`, `relation_type`, `reference_rule`, `omitted`, `dialogue_act`, `action`
        and, where there are shapes, `shape` ("l-shape, up").
    """
    counts: dict[str, Counter] = {}
    for item in found:
        _count(counts, item)
    return counts


class _Corpus:
    """What is kept of one corpus."""

    def __init__(self, name: str, games: Iterable[Game]):
        self.name = name
        self.games = self.items = 0
        self.simulated = False
        self.looks = Looks()
        self.coverage: dict[str, Counter] = {}
        self.utterances: list[str] = []  # of the Architect
        self.instructions: list[str] = []  # those that tell the Builder to place or remove
        self._all_utterances = self._with_question = 0
        for game in games:
            self.games += 1
            for item in items(game):
                self.items += 1
                self._add(item)

    def _add(self, item: Item) -> None:
        self.looks.add(item)
        acts: Sequence[str | None] = [None] * len(item.dialogue)
        if "plan" in item.metadata:
            self.simulated = True
            acts = item.metadata["dialogue_acts"]
            _count(self.coverage, item)
        asked = False
        for line, act in zip(item.dialogue, acts, strict=True):
            speaker, text = line[1:].split("> ", 1) if "> " in line else (line[1:-1], "")
            if speaker == "Builder":
                asked = asked or "?" in text
                continue
            text = text.lower()
            self.utterances.append(text)
            if is_instruction(text) if act is None else act == "instruction":
                self.instructions.append(text)
        self._all_utterances += len(item.dialogue)
        self._with_question += asked

    def sample(self, number: int) -> list[str]:
        """So many instructions at random, always the same ones."""
        return Random(f"comparison {self.name}").sample(self.instructions, number)

    def language(self) -> dict[str, float]:
        """How much is said, and with how many words."""
        lines = [words_of(text) for text in self.utterances]
        lengths = [len(line) for line in lines]
        return {
            "utterances": len(lines),
            "distinct": len({" ".join(line) for line in lines}),
            "vocabulary": len(set(chain.from_iterable(lines))),
            "words_mean": fmean(lengths) if lengths else 0.0,
            "words_median": median(lengths) if lengths else 0.0,
            "utterances_per_item": self._all_utterances / self.items if self.items else 0.0,
            "words_per_item": sum(lengths) / self.items if self.items else 0.0,
            "items_with_a_question": self._with_question / self.items if self.items else 0.0,
        }


# --- poses


class Looks:
    """From where the Builder looks at what it changes first, item by item."""

    def __init__(self) -> None:
        self._poses = array("d")  # x, y, z, yaw, pitch
        self._lasting = array("b")  # x, y, z of the first cell whose change lasts: no temporary support
        self._first = array("b")  # x, y, z of the cell of the first action

    def add(self, item: Item) -> None:
        """Takes one more item in."""
        pose, first = item.pose, item.actions[0].cell
        self._poses.extend((pose.x, pose.y, pose.z, pose.yaw, pose.pitch))
        self._first.extend(first)
        self._lasting.extend(_first_lasting(item) or first)

    def numbers(self, corners: bool = False) -> dict[str, Any]:
        """Shares, and the quantiles of distances (cells) and angles (degrees).

        Args:
            corners: measure to the minimum corner of the cell of the first action (but for its height from the eyes),
                and to the region as if cells were centred on their coordinates. That is how the human corpus was
                measured first; it makes yaws look less precise than they are. Otherwise to the middle of the first
                cell whose change lasts, distances to the middle of its bottom.
        """
        if not self._poses:
            return {}
        x, y, z, yaw, pitch = np.frombuffer(self._poses).reshape(-1, 5).T
        cells = np.frombuffer(self._first if corners else self._lasting, dtype=np.int8).reshape(-1, 3).T.astype(float)
        middle = 0.0 if corners else 0.5
        dx, dy, dz = cells[0] + middle - x, cells[1] - y, cells[2] + middle - z
        horizontal = np.hypot(dx, dz)
        yaw_off = _wrapped(yaw - np.degrees(np.arctan2(-dx, dz)))
        pitch_off = pitch - np.degrees(np.arctan2(-(dy + 0.5 - EYE_HEIGHT), horizontal))
        off_grid = np.array([off_cardinal(angle) for angle in yaw])
        return {
            "above_the_ground": float(np.mean(y > 1.0)),
            "outside_the_region": float(np.mean((np.abs(x - middle) > 5.5) | (np.abs(z - middle) > 5.5))),
            "y_median": float(np.median(y)),
            "y_95": float(np.percentile(y, 95)),
            "in_view": float(np.mean(np.abs(yaw_off) <= HORIZONTAL_FOV / 2)),
            "within_5_of_the_grid": float(np.mean(off_grid <= 5.0)),
            "within_20_of_the_grid": float(np.mean(off_grid <= 20.0)),
            "horizontal_distance": _quantiles(horizontal),
            "distance": _quantiles(np.hypot(horizontal, dy)),
            "yaw_off": _quantiles(yaw_off),
            "pitch_off": _quantiles(pitch_off),
            "pitch": _quantiles(pitch),
        }


def _first_lasting(item: Item) -> Cell | None:
    changed = {action.cell for action in net_actions(item.before, item.after)}
    return next((action.cell for action in item.actions if action.cell in changed), None)


def _wrapped(degrees: np.ndarray) -> np.ndarray:
    return (degrees + 180.0) % 360.0 - 180.0


def _quantiles(values: np.ndarray) -> dict[str, float]:
    found = np.percentile(values, [5, 25, 50, 75, 95])
    return {
        **{name: float(value) for name, value in zip(("5%", "25%", "50%", "75%", "95%"), found, strict=True)},
        "sd": float(np.std(values)),
    }


# --- language


def words_of(text: str) -> list[str]:
    """The words of an utterance, in lower case and without punctuation.

    >>> words_of("Now, it's a 3x3 Top-Left one!")
    ['now', "it's", 'a', '3x3', 'top', 'left', 'one']
    """
    return _WORD.findall(text.lower())


def skeleton(words: Sequence[str]) -> tuple[str, ...]:
    """The words with colours and numbers masked and without articles.

    >>> " ".join(skeleton(words_of("put the two red blocks on a 3x3 square")))
    'put N C blocks on NxN square'
    """
    return tuple(_MASKS.get(word) or _SIZE.sub("NxN", word) for word in words if word not in _ARTICLES)


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


def _wording(texts: Sequence[str]) -> dict[str, Any]:
    """In how many ways a sample of instructions says things."""
    lines = [words_of(text) for text in texts]
    types = Counter(map(sentence_type, texts))
    names: dict[str, Counter] = {relation: Counter() for relation in _RELATIONS}
    placing, removing = Counter(), Counter()
    for line in lines:
        for relation, name in relations_in(line):
            names[relation][" ".join(name)] += 1
        for verb, particle in _verbs(line):
            (removing if verb in _REMOVING else placing)[f"{verb} {particle}".strip()] += 1
    lengths = [len(line) for line in lines]
    return {
        "distinct": len({" ".join(line) for line in lines}),
        "skeletons": len({skeleton(line) for line in lines}),
        "vocabulary": len(set(chain.from_iterable(lines))),
        "first_words": len({line[0] for line in lines if line}),
        "placing_verbs": _by_number(placing),
        "removing_verbs": _by_number(removing),
        "relation_names": {relation: _by_number(found) for relation, found in names.items()},
        "types": {kind: types[kind] / len(texts) if texts else 0.0 for kind in _SENTENCE_TYPES},
        "words_mean": fmean(lengths) if lengths else 0.0,
        "words_median": median(lengths) if lengths else 0.0,
    }


def _verbs(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    for position, word in enumerate(words):
        verb = _VERB_FORMS.get(word)
        if verb is None or (position and words[position - 1] in _BEFORE_A_NOUN):
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


def _missing(corpora: Iterable[_Corpus]) -> dict[str, dict[str, int]]:
    """What humans say most often in instructions and simulators never do: words, and phrases of two to four words."""
    humans: Counter = Counter()
    human_phrases: Counter = Counter()
    simulated: set[str] = set()
    simulated_phrases: set[str] = set()
    any_simulated = False
    for corpus in corpora:
        any_simulated = any_simulated or corpus.simulated
        for text in corpus.utterances if corpus.simulated else corpus.instructions:
            words = words_of(text)
            phrases = {" ".join(phrase) for phrase in _phrases(skeleton(words))}
            if corpus.simulated:
                simulated.update(words)
                simulated_phrases |= phrases
            else:
                humans.update(set(words))
                human_phrases.update(phrases)
    if not any_simulated:
        return {"missing_words": {}, "missing_phrases": {}}
    return {
        "missing_words": _most(humans, simulated),
        "missing_phrases": _most(human_phrases, simulated_phrases),
    }


def expected_kinds(counts: Mapping[str, int], uses: int) -> float:
    """How many different names there are among so many uses, on average (rarefaction): corpora differ in uses."""
    total = sum(counts.values())
    if uses > total:
        return math.nan
    return sum(1.0 - math.comb(total - number, uses) / math.comb(total, uses) for number in counts.values())


def _phrases(words: Sequence[str]) -> Iterator[Sequence[str]]:
    for length in (2, 3, 4):
        for start in range(len(words) - length + 1):
            yield words[start : start + length]


def _most(counts: Counter, known: set[str], number: int = 60) -> dict[str, int]:
    return _by_number(Counter({word: count for word, count in counts.items() if word not in known}), number)


def _by_number(counts: Counter, number: int | None = None) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:number])


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_WORD = re.compile(r"[a-z0-9']+")
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

_PLACING = _set(
    "place put add build set lay drop attach stick position insert make create construct stack extend continue "
    "repeat fill connect complete finish form hang cover do use replicate duplicate mirror copy move shift replace "
    "raise start begin join append install assemble draw throw rest leave stand"
)
_REMOVING = _set("remove delete break destroy erase punch take pick clear knock get hit eliminate cut undo chop")
_LIGHT = _set("do use leave stand rest form start begin hit cut")  # verbs here only if an article or number follows
_WITH_DISTANT_PARTICLE = _set("take pick clear knock")
_PARTICLES = _set("away off out up down")
_DOUBLED = _set("put set get drop hit cut begin chop")


def _ing(verb: str) -> str:
    stem = verb[:-1] if verb.endswith("e") else verb + verb[-1] if verb in _DOUBLED else verb
    return f"{stem}ing"


_VERB_FORMS = {form: verb for verb in _PLACING | _REMOVING for form in (verb, _ing(verb))}
_BASE_FORMS = _PLACING | _REMOVING | _set("try go please let's lets keep")
_BEFORE_A_NOUN = _set("a an the that this first each second new your its same empty in")
_BEFORE_AN_INFINITIVE = _set("you to we i will i'll we'll you'll can should would could must")

_RELATIONS = {
    "left": "left leftmost leftwards",
    "right": "right rightmost rightwards",
    "top": "top above over atop up upper upward upwards higher highest topmost",
    "bottom": "bottom below under underneath beneath down lower downward downwards lowest bottommost",
    "front": "front towards toward closer closest nearer nearest frontmost",
    "behind": "behind back rear away further farther furthest farthest backmost",
}
_RELATION_WORDS = {word: relation for relation, words in _RELATIONS.items() for word in words.split()}
_NOT_WHERE = (
    _BLOCKS
    | {"C", *_VERB_FORMS}
    | _set("piece pieces row rows line lines column columns tower square wall platform layer stack ring ground")
    | _set("it that this these those them other another more each which its my is are be goes going runs running")
    | _set("and or but then now next so with please also should will we i")
)
_NOT_THE_RIGHT = _set("on above behind below under underneath next in there here now where beside at before after over")
_NOT_TO_THE_RIGHT = _set("that's thats yes yeah all is yep looks was")

_OPENERS = _set(
    "now next then ok okay alright so and also great perfect nice good cool awesome excellent yes yup yep yeah well "
    "but first finally lastly oh hmm job done thanks hi hello hey sweet sorry"
)
_ASKING = _set("can could would will do does did may shall is are what where which how when why have")
_DECLARATIVE = re.compile(
    r"(?:you|we|i|it|they|there|these|those|this|that|blocks?|ones?|row|column|line) "
    r"(?:should|needs?|want|can|will|is|are|has|have|must|would|go|goes|be|got|starts?|begins?|extends?|runs?)\b"
    r"|(?:you'll|you're|we'll|we're|i'll|i'd|i'm|it's|its|there's|it'll|there'll|that's|thats|they're|theres) (?!right)"
    r"|next (?:comes|is|up|step|thing)\b|(?:goes|should|needs) "
)
_SENTENCE_TYPES = ("imperative", "declarative", "question", "fragment")


def _another_sense(word: str, before: str, after: str) -> bool:
    """Whether a relation's word says something else: "right on top", "that's right", "pick up", "go back"."""
    if word == "right":
        return after in _NOT_THE_RIGHT or (not after and before in _NOT_TO_THE_RIGHT)
    if word in ("up", "down", "away", "back", "over"):
        return before in _VERB_FORMS or before in ("go", "come", "turn")
    return False


# --- coverage


def _count(counts: dict[str, Counter], item: Item) -> None:
    plan = item.metadata["plan"]
    values = {name: plan[name] or "none" for name in ("action", "relation_type", "relation", "reference_rule")}
    values["omitted"] = plan["omitted"] or "nothing"
    if "shape" in plan:
        values["shape"] = f"{plan['shape']}, {plan['shape_orientation']}"
    for name, value in values.items():
        counts.setdefault(name, Counter())[value] += 1
    counts.setdefault("dialogue_act", Counter()).update(item.metadata["dialogue_acts"])


# --- tables


def report(numbers: Mapping[str, Any]) -> Group:
    """The numbers of `comparison` as tables."""
    names = list(numbers["sizes"])
    sizes = "\n".join(
        f"{name}: {its['games']:,} games, {its['items']:,} items, {its['instructions']:,} instructions"
        for name, its in numbers["sizes"].items()
    )
    parts: list[Any] = [Text(sizes), _shares_table(numbers, names), _quantiles_table(numbers, names)]
    parts += [_language_table(numbers, names), _wording_table(numbers, names)]
    for label, key in (("Verbs for placing", "placing_verbs"), ("Verbs for removing", "removing_verbs")):
        table = _table(label, ["", "by number of uses in the sample"], left=2)
        for name in names:
            table.add_row(name, ", ".join(numbers["wording"][name][key]))
        parts.append(table)
    if numbers["coverage"]:
        parts.append(_coverage_table(numbers["coverage"]))
    parts += [Text(note, style="dim") for note in _NOTES]
    return Group(*parts)


_NOTES = (
    "Poses: from the feet to the middle of the cell, angles from the eyes; the region's sides are at -5 and 6.",
    "Instructions: of simulated corpora by their dialogue act; of the human one, utterances that name a block and say "
    "where it goes or that it goes away. Their types, verbs and names of relations are found by rules of thumb.",
)


_SHARES = {
    "above_the_ground": "above the ground",
    "outside_the_region": "outside the region",
    "in_view": "block within ±51.2° of the yaw",
    "within_5_of_the_grid": "yaw within 5° of the grid",
    "within_20_of_the_grid": "yaw within 20° of the grid",
}
_QUANTITIES = {
    "horizontal_distance": "horizontal distance (cells)",
    "distance": "distance (cells)",
    "yaw_off": "yaw minus yaw towards the block (°)",
    "pitch_off": "pitch minus pitch towards the block, from the eyes (°)",
    "pitch": "pitch (°)",
}
_LANGUAGE = {
    "utterances": "utterances of the Architect",
    "distinct": "  distinct",
    "vocabulary": "  vocabulary",
    "words_mean": "words an utterance: mean",
    "words_median": "  median",
    "utterances_per_item": "utterances before an item",
    "words_per_item": "words of the Architect before an item",
    "items_with_a_question": "items with a Builder's question",
}


def _table(title: str, headings: Sequence[str], left: int = 1) -> Table:
    table = Table(title=title, title_justify="left", header_style="bold")
    for position, heading in enumerate(headings):
        table.add_column(heading, justify="left" if position < left else "right")
    return table


def _shares_table(numbers: Mapping[str, Any], names: Sequence[str]) -> Table:
    table = _table("Poses", ["", *names])
    poses = [numbers["poses"][name] for name in names]
    for key, label in _SHARES.items():
        table.add_row(label, *(f"{its[key]:.1%}" if its else "" for its in poses))
    for key, label in (("y_median", "y: median"), ("y_95", "  95th percentile")):
        table.add_row(label, *(f"{its[key]:.1f}" if its else "" for its in poses))
    return table


def _quantiles_table(numbers: Mapping[str, Any], names: Sequence[str]) -> Table:
    title = "Poses, seen from the first block whose change lasts"
    table = _table(title, ["", "", "5%", "25%", "median", "75%", "95%", "sd"], left=2)
    for key, label in _QUANTITIES.items():
        digits = 1 if "distance" in key else 0
        table.add_section()
        for position, name in enumerate(names):
            if its := numbers["poses"][name]:
                values = (f"{value:.{digits}f}" for value in its[key].values())
                table.add_row(label if not position else "", name, *values)
    return table


def _language_table(numbers: Mapping[str, Any], names: Sequence[str]) -> Table:
    table = _table("Language of the items", ["", *names])
    for key, label in _LANGUAGE.items():
        values = [numbers["language"][name][key] for name in names]
        whole = key in ("utterances", "distinct", "vocabulary")
        share = key == "items_with_a_question"
        table.add_row(
            label, *(f"{value:,}" if whole else f"{value:.1%}" if share else f"{value:.1f}" for value in values)
        )
    return table


def _wording_table(numbers: Mapping[str, Any], names: Sequence[str]) -> Table:
    title = f"Ways of saying the same things: {numbers['wording_sample']:,} instructions of each"
    table = _table(title, ["", *names])
    found = [numbers["wording"][name] for name in names]
    for key, label in (
        ("distinct", "distinct utterances"),
        ("skeletons", "  colours and numbers masked"),
        ("vocabulary", "vocabulary"),
        ("first_words", "first words"),
    ):
        table.add_row(label, *(f"{its[key]:,}" for its in found))
    for key, label in (("placing_verbs", "verbs for placing"), ("removing_verbs", "verbs for removing")):
        table.add_row(label, *(f"{len(its[key]):,}" for its in found))
    table.add_section()
    for relation in _RELATIONS:
        said = [its["relation_names"][relation] for its in found]
        uses = min(sum(counts.values()) for counts in said)
        table.add_row(f"names of {relation}, in {uses:,} uses", *(f"{expected_kinds(c, uses):.0f}" for c in said))
    table.add_section()
    for kind in _SENTENCE_TYPES:
        table.add_row(f"{kind}s", *(f"{its['types'][kind]:.1%}" for its in found))
    table.add_row("words: mean", *(f"{its['words_mean']:.1f}" for its in found))
    table.add_row("  median", *(f"{its['words_median']:.0f}" for its in found))
    return table


def _coverage_table(found: Mapping[str, Mapping[str, Counter]]) -> Table:
    table = _table("Covered by the simulators (items; utterances for dialogue acts)", ["", "", *found], left=2)
    for kind in ("action", "relation_type", "relation", "reference_rule", "omitted", "dialogue_act", "shape"):
        total = sum((Counter(counts.get(kind, {})) for counts in found.values()), Counter())
        table.add_section()
        order = sorted(total, key=lambda value: (value == "none", value.count("+"), value))
        for position, value in enumerate(order):
            cells = (counts.get(kind, {}).get(value, 0) for counts in found.values())
            table.add_row(
                kind.replace("_", " ") if not position else "", value, *(f"{n:,}" if n else "" for n in cells)
            )
    return table
