"""Phrases that say something and compute what they denote (BAP v2, 5.2.2, 5.2.3, 10.2 to 10.4).

A phrase is made for a `Scene`: the board, and what the Builder sees from its pose. It is used only if it denotes
exactly one thing there. `denotes` works that out from the phrase itself, not from the plan that asked for it; the
tests compare the two for every instruction.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import NamedTuple

from bap_v2_metric.actions import ActionType, NetAction
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators import wording
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.view import Direction, Offset, View
from bap_v2_simulators.viewpoint import EYE_HEIGHT


class LanguageError(ValueError):
    """A phrase that denotes nothing, or more than one thing, in the world for which it was made."""


class Words:
    """The stream of language: what is said when a thing can be said in many ways."""

    __slots__ = ("random",)

    def __init__(self, rng: Random):
        self.random = rng.random

    def pick(self, options: Sequence[str]) -> str:
        """One of the options."""
        return options[int(self.random() * len(options))]

    def chance(self, probability: float) -> bool:
        """True with this probability."""
        return self.random() < probability


@dataclass(slots=True)
class Scene:
    """What both players know when the Architect speaks."""

    board: Mapping[Cell, Color]
    pose: Pose
    view: View
    last: Cell | None  # where the last block was placed or removed, supports aside
    last_color: Color | None  # of that block
    last_removed: bool
    last_count: int = 1  # blocks placed or removed in that turn


# --- which block


class Reference(NamedTuple):
    """A way to refer to a block: the rule of 10.2 that applies, and what it needs."""

    rule: str  # "last", "unique", "superlative", "ellipsis" or "none"
    color: Color | None = None
    superlatives: tuple[str, ...] = ()  # those that are true of the block; one is said

    def denotes(self, scene: Scene) -> Cell:
        """The block meant. Raises: LanguageError if there is none, or more than one."""
        if self.rule in ("last", "ellipsis"):
            if scene.last is None or (self.rule == "ellipsis" and scene.last_removed):
                raise LanguageError("there is no last block")
            return scene.last
        candidates = [cell for cell, color in scene.board.items() if color is self.color]
        if self.rule == "unique":
            if len(candidates) != 1:
                raise LanguageError(f"there are {len(candidates)} {self.color.value} blocks")
            return candidates[0]
        found = {cell for cell in candidates if set(self.superlatives) & set(superlatives(cell, scene))}
        if len(found) != 1:
            raise LanguageError(f"{len(found)} {self.color.value} blocks are {' or '.join(self.superlatives)}")
        return found.pop()

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        """One way to say it."""
        if self.rule == "last":
            if scene.last_removed:
                return words.pick(wording.LAST_REMOVED)
            ways = wording.LAST_IN_ANSWER if in_answer else wording.LAST_PLACED
            return words.pick(wording.LAST_OF_SEVERAL if scene.last_count > 1 else ways).format(
                c=scene.last_color.value
            )
        color = self.color.value
        if self.rule == "unique":
            return words.pick(wording.UNIQUE).format(c=color)
        adjectives, clauses = wording.SUPERLATIVES[words.pick(self.superlatives)]
        noun = "block" if words.chance(0.7) else words.pick(("brick", "one"))
        if words.chance(0.7):
            return f"the {words.pick(adjectives)} {color} {noun}"
        return f"the {color} {noun} {words.pick(clauses)}"


NO_REFERENCE = Reference("none")
ELLIPSIS = Reference("ellipsis")


def reference_to(cell: Cell, scene: Scene) -> Reference | None:
    """The reference to a cell by the priority rules of 10.2, or None if it cannot be told apart from there."""
    if cell == scene.last:
        return Reference("last")
    color = scene.board.get(cell)
    if color is None:
        return None
    if sum(other is color for other in scene.board.values()) == 1:
        return Reference("unique", color)
    true_of_it = superlatives(cell, scene)
    return Reference("superlative", color, true_of_it) if true_of_it else None


def could_be_told_apart(cell: Cell, board: Mapping[Cell, Color], last: Cell | None) -> bool:
    """Whether there are poses from which `reference_to` finds a reference: what can be said before there is a pose.

    A block that is extreme among those of its colour along an axis of the grid, or in a corner of them, can be told
    apart by a Builder that looks straight along the grid.
    """
    if cell == last:
        return True
    color = board.get(cell)
    if color is None:
        return False
    x, y, z = cell
    differences = [
        (other[0] - x, other[1] - y, other[2] - z) for other, its in board.items() if its is color and other != cell
    ]
    if not differences:
        return True
    extreme: list[int] = []  # axes along which no other block goes further one way
    for axis in range(3):
        along = [difference[axis] for difference in differences]
        low, high = min(along), max(along)
        if high < 0 or low > 0:
            return True
        if high == 0 or low == 0:
            extreme.append(axis)
    return any(all(difference[a] or difference[b] for difference in differences) for a, b in combinations(extreme, 2))


# By how much a block must be ahead of all others of its colour for a superlative to be safe, in cells.
_CLEARLY_AHEAD = 0.3
_CLEARLY_CLOSER = 0.6
_NOT_BEHIND = 0.5  # how far another may seem ahead of the block in a corner, in the direction that does not decide
# The end of each axis of the view, both ways: left, up, away.
_ENDS = (("leftmost", "rightmost"), ("topmost", "bottommost"), ("backmost", "frontmost"))


def superlatives(cell: Cell, scene: Scene) -> tuple[str, ...]:
    """The superlatives that only this block deserves among the blocks of its colour, from where the Builder stands.

    What is leftmost along the grid must be leftmost for the Builder too, whose yaw may be 30 degrees off the grid; what
    is closest to its feet must be closest to its eyes, and on the map. A block at the end of no line of sight may be in
    a corner: `topmost+leftmost` is both the leftmost of the topmost and the topmost of the leftmost.
    """
    color = scene.board.get(cell)
    others = [other for other, its in scene.board.items() if its is color and other != cell]
    if not others:
        return ()
    found = []
    grid = [scene.view.offset(cell, other) for other in others]
    sine, cosine = math.sin(math.radians(scene.pose.yaw)), math.cos(math.radians(scene.pose.yaw))
    x, _, z = cell
    seen = [  # the same differences as they look from the Builder's yaw, level with the ground: see pose.py
        (
            cosine * (other[0] - x) + sine * (other[2] - z),
            other[1] - cell[1],
            cosine * (other[2] - z) - sine * (other[0] - x),
        )
        for other in others
    ]
    weak: list[tuple[int, int]] = []  # (axis, sign) of the ends that it shares with others
    for axis in range(3):
        along = [offset[axis] for offset in grid]
        for sign, name in ((1, _ENDS[axis][0]), (-1, _ENDS[axis][1])):
            farthest = max(along) if sign > 0 else -min(along)
            if farthest < 0 and all(sign * difference[axis] <= -_CLEARLY_AHEAD for difference in seen):
                found.append(name)
            elif farthest == 0:
                weak.append((axis, sign))
    if not found:
        for first, second in combinations(weak, 2):
            if first[0] != second[0] and _in_corner(grid, seen, first, second):
                found.append(_corner_name(first, second))
    gaps = [
        [_distance(other, scene.pose, height) - _distance(cell, scene.pose, height) for other in others]
        for height in (0.0, EYE_HEIGHT, None)
    ]
    if min(map(min, gaps)) >= _CLEARLY_CLOSER:
        found.append("closest")
    elif max(map(max, gaps)) <= -_CLEARLY_CLOSER:
        found.append("furthest")
    return tuple(found)


def _in_corner(
    grid: Sequence[Offset],
    seen: Sequence[tuple[float, float, float]],
    first: tuple[int, int],
    second: tuple[int, int],
) -> bool:
    """Whether a block at two shared ends is alone where they meet, and plainly so."""
    (a, sign_a), (b, sign_b) = first, second
    for offset, difference in zip(grid, seen, strict=True):
        ahead_a, ahead_b = sign_a * difference[a], sign_b * difference[b]
        if offset[a] == 0 and (offset[b] == 0 or ahead_b > -_CLEARLY_AHEAD):
            return False
        if offset[b] == 0 and ahead_a > -_CLEARLY_AHEAD:
            return False
        if ahead_a > _NOT_BEHIND or ahead_b > _NOT_BEHIND:
            return False
    return True


def _corner_name(first: tuple[int, int], second: tuple[int, int]) -> str:
    """`topmost+leftmost`, `backmost+rightmost`: height first, sideways last."""
    ends = sorted((first, second), key=lambda end: (1, 2, 0).index(end[0]))
    return "+".join(_ENDS[axis][sign < 0] for axis, sign in ends)


def _distance(cell: Cell, pose: Pose, height: float | None) -> float:
    """From the Builder, at this height above its feet, to the middle of the cell; None: as the crow flies."""
    dx, dz = cell[0] + 0.5 - pose.x, cell[2] + 0.5 - pose.z
    dy = 0.0 if height is None else cell[1] + 0.5 - pose.y - height
    return (dx * dx + dy * dy + dz * dz) ** 0.5


# --- where


def beside(words: Words, step: Offset, reference: "str | None", count: int = 1) -> str:
    """Where the cell is that one `step` leads to from the reference, or a run of `count` cells from there on.

    Args:
        step: 1D or 2D, one cell in each of its directions.
        reference: the phrase for the reference; None leaves it out, and the last placed block is meant.
    """
    directions = step.directions
    if len(directions) == 1:
        (direction,) = directions
        if reference is None:
            return words.pick(wording.BESIDE_UNSAID[direction])
        if count == 1:
            return words.pick(wording.BESIDE[direction]).format(r=reference)
        if not step.up and words.chance(0.45):
            going = words.pick(wording.GOING[direction])
            return words.pick(wording.ALONG_GOING).format(to=going, r=reference)
        ways = wording.ALONG_VERTICAL if step.up else wording.ALONG
        return words.pick(ways).format(pp=words.pick(wording.FAR_BESIDE[direction]).format(r=reference))
    if count > 1:
        going = going_to(words, directions)
        return words.pick(wording.DIAGONAL_LINES).format(going=going, r=reference)
    if words.chance(0.4):
        corner = words.pick(wording.CORNERS[directions])
        if reference is None:
            return words.pick(wording.CORNER_UNSAID).format(corner=corner)
        return words.pick(wording.CORNER_WAYS).format(corner=corner, r=reference)
    if reference is None or words.chance(0.25):
        return steps_away(words, step, reference)
    first, second = directions if words.chance(0.6) else directions[::-1]
    return words.pick(wording.TWO_WAYS).format(
        first=words.pick(wording.FIRST_OF_TWO[first]), second=words.pick(wording.NEXT_TO_REFERENCE[second]), r=reference
    )


def steps_away(words: Words, offset: Offset, reference: "str | None") -> str:
    """Where a cell is, counted in cells each way from the reference: "two to the left and one above the last block"."""
    parts = [
        (number, direction)
        for number, direction in zip((abs(offset.up), abs(offset.left), abs(offset.away)), _slots(offset), strict=True)
        if number
    ]
    if len(parts) > 1 and words.chance(0.5):
        parts.reverse() if words.chance(0.5) else parts.append(parts.pop(0))
    noun = words.pick(wording.STEP_NOUNS)
    in_words = words.chance(0.75)
    counted = [_counted(number, noun, in_words) for number, _ in parts]
    said = [
        words.pick(wording.STEPS_AWAY[direction]).format(n=n) for n, (_, direction) in zip(counted, parts, strict=True)
    ]
    if reference is None:
        return _listed(said, words)
    if len(parts) > 1 and words.chance(0.35):
        return words.pick(wording.STEPS_RELATIVE).format(steps=_listed(said, words), r=reference)
    said[-1] = words.pick(wording.STEPS_FROM[parts[-1][1]]).format(n=counted[-1], r=reference)
    return _listed(said, words)


def going_to(words: Words, directions: Sequence[Direction]) -> str:
    """A direction with the Builder as its anchor: "up and to the left of you"."""
    order = list(directions)
    if len(order) == 2 and words.chance(0.4):
        order.reverse()
    said = [words.pick(wording.GOING[direction]) for direction in order]
    return " and ".join(said)


def _slots(offset: Offset) -> tuple[Direction | None, Direction | None, Direction | None]:
    """The direction of each part of the offset: vertical, sideways, in depth."""
    return (
        Direction.TOP if offset.up > 0 else Direction.BOTTOM,
        Direction.LEFT if offset.left > 0 else Direction.RIGHT,
        Direction.BEHIND if offset.away > 0 else Direction.FRONT,
    )


def _counted(number: int, noun: str, in_words: bool) -> str:
    return f"{number_word(number) if in_words else number}{noun}{'s' if noun and number > 1 else ''}"


def _listed(parts: list[str], words: Words) -> str:
    if len(parts) == 1:
        return parts[0]
    comma = "," if len(parts) > 2 and words.chance(0.5) else ""
    return f"{', '.join(parts[:-1])}{comma} and {parts[-1]}"


def number_word(number: int) -> str:
    """`three` for 3; digits above ten."""
    return wording.NUMBERS[number] if number < len(wording.NUMBERS) else str(number)


def article(noun: str) -> str:
    """The noun phrase with `a` made `an` where it is said so."""
    return f"an{noun[1:]}" if noun.startswith("a ") and noun[2] in "aeiou" else noun


# --- sentences


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
    verb, gerund = verbs[int(words.random() * len(verbs))]
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
    found = (wording.IMPERATIVES, wording.DECLARATIVES, wording.QUESTIONS, wording.FRAGMENTS)
    if place != "anywhere":
        found = tuple(tuple(frame for frame in frames if not frame.startswith("{pp}")) for frames in found)
    if place == "none":
        found = tuple(tuple(frame.replace(", {pp}", "").replace(" {pp}", "") for frame in frames) for frames in found)
    if first:
        found = tuple(
            tuple(frame for frame in frames if not any(word in frame for word in wording.NOT_AT_FIRST))
            for frames in found
        )
    return found


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
        return _after(words.pick(wording.FIRST), text, comma=words.chance(0.67)) if kind < 0.55 else text
    if kind < 0.4:
        return text
    if kind < 0.82:
        return _after(words.pick(wording.SEQUENCE), text, comma=words.chance(0.35))
    praise = words.pick(wording.PRAISE) + words.pick((". ", "! ", ", ", ", "))
    if kind < 0.91:
        return f"{praise}{text}"
    return praise + _after(words.pick(wording.SEQUENCE), text, comma=False)


def _after(marker: str, text: str, comma: bool) -> str:
    """The sentence after the marker; never the same word twice."""
    if marker.split()[-1] == text.split(maxsplit=1)[0]:
        return text
    return f"{marker}{', ' if comma or marker in wording.WITH_COMMA else ' '}{text}"


def typed(words: Words, text: str) -> str:
    """The line as it is sent: seldom with a capital letter, seldom with a kind word at its end."""
    if words.chance(0.03) and text[-1] not in ".!?":
        text = f"{text}, {words.pick(wording.AFTERTHOUGHTS)}"
    return text[0].upper() + text[1:] if words.chance(0.22) else text


# --- instructions about blocks


@dataclass(frozen=True, slots=True)
class BlockInstruction:
    """Place one block or a run of blocks, or remove one, at a relation to a reference block."""

    removes: bool
    color: Color
    count: int
    step: Offset | None  # None: on the ground (first block), or the last placed block itself (removal)
    reference: Reference
    floating: bool  # whether supports are needed
    omitted: str | None  # "color" or "location", to be asked for

    def denotes(self, scene: Scene) -> frozenset[NetAction] | None:
        """The net actions that it asks for; None if any place on the ground will do. Raises: LanguageError."""
        if self.removes:
            cell = scene.last if self.step is None else self._cells(scene)[0]
            if scene.board.get(cell) is not self.color or (self.step is None and scene.last_removed):
                raise LanguageError(f"there is no {self.color.value} block to remove")
            return frozenset([NetAction(ActionType.REMOVE, self.color, cell)])
        if self.step is None:
            return None
        cells = self._cells(scene)
        if any(cell in scene.board for cell in cells):
            raise LanguageError("there is a block already")
        return frozenset(NetAction(ActionType.PLACE, self.color, cell) for cell in cells)

    def _cells(self, scene: Scene) -> list[Cell]:
        start = self.reference.denotes(scene)
        return [scene.view.cell(start, self.step, times) for times in range(1, self.count + 1)]

    def dialogue(self, words: Words, scene: Scene) -> list[tuple[str, str, str]]:
        """(speaker, dialogue act, text) of each utterance: the instruction, and the exchange that it may need."""
        if self.removes:
            return self._removal(words, scene)
        pp = "" if self.step is None else self._place(words, scene)
        np = _blocks(words, self, scene, pp)
        if self.step is None:
            text = self._first(words, np)
        else:
            said = "" if self.omitted == "location" else pp
            # "two blocks to the left of it" by itself could be a distance.
            whole = self.omitted == "color" and self.count > 1
            text = sentence(words, verbs=wording.PLACE_VERBS, np=np, pp=said, singular=self.count == 1, whole=whole)
            text = opened(words, text, first=False)
        turns = [("Architect", "instruction", typed(words, text))]
        if self.omitted == "color":
            turns.append(("Builder", "clarification question", words.pick(wording.ASK_COLOR)))
            answer = words.pick(wording.ANSWER_COLOR).format(c=self.color.value)
            turns.append(("Architect", "answer", answer))
        elif self.omitted == "location":
            several = self.count > 1
            question = words.pick(wording.ASK_PLACE_OF_SEVERAL if several else wording.ASK_PLACE)
            answer = words.pick(wording.ANSWER_PLACE_OF_SEVERAL if several else wording.ANSWER_PLACE)
            turns.append(("Builder", "clarification question", question))
            turns.append(("Architect", "answer", answer.format(pp=pp)))
        return turns

    def _place(self, words: Words, scene: Scene) -> str:
        phrase = (
            None
            if self.reference.rule == "ellipsis"
            else self.reference.phrase(words, scene, self.omitted == "location")
        )
        return beside(words, self.step, phrase, self.count)

    def _first(self, words: Words, np: str) -> str:
        if words.chance(0.6):
            gerund = wording.PLACE_VERBS[int(words.random() * len(wording.PLACE_VERBS))][1]
            frame = words.pick(wording.STARTS)
            question = frame.startswith(("can", "could"))
            text = punctuated(words, frame.format(g=gerund, np=np, pp=words.pick(wording.ON_THE_GROUND)), question)
            return opened(words, text, first=True) if words.chance(0.5) else text
        text = sentence(words, verbs=wording.PLACE_VERBS, np=np, pp=words.pick(wording.ON_THE_GROUND), first=True)
        return opened(words, text, first=True)

    def _removal(self, words: Words, scene: Scene) -> list[tuple[str, str, str]]:
        color = self.color.value
        if self.step is None:
            np = words.pick(wording.LAST_PLACED).format(c=color)
            text = _removal_sentence(words, np)
            return [("Architect", "instruction", typed(words, opened(words, text, first=False)))]
        pp = self._place(words, scene)
        if self.omitted == "location":
            text = _removal_sentence(words, article(words.pick(wording.ONE_OF_THEM).format(c=color)))
            return [
                ("Architect", "instruction", typed(words, opened(words, text, first=False))),
                ("Builder", "clarification question", words.pick(wording.ASK_WHICH)),
                ("Architect", "answer", words.pick(wording.ANSWER_WHICH).format(pp=pp, c=color)),
            ]
        text = _removal_sentence(words, words.pick(wording.THE_ONE_AT).format(c=color, pp=pp))
        return [("Architect", "instruction", typed(words, opened(words, text, first=False)))]


def _blocks(words: Words, said: BlockInstruction, scene: Scene, pp: str) -> str:
    """What is to be placed: "three floating red blocks", "another red one", "a stack of 4 blocks", "two more".

    Args:
        pp: the place; "a red one space above it" would not do.
    """
    color = None if said.omitted == "color" else said.color
    same_again = color is not None and color is scene.last_color and not scene.last_removed
    if same_again and not said.floating and said.reference.rule in ("last", "ellipsis") and words.chance(0.3):
        number = number_word(said.count) if words.chance(0.6) else str(said.count)
        if scene.last_count > 1:
            ways = wording.ONE_MORE_AFTER_SEVERAL if said.count == 1 else wording.SOME_MORE_AFTER_SEVERAL
        else:
            ways = wording.ONE_MORE if said.count == 1 else wording.SOME_MORE
        return words.pick(ways).format(n=number)
    name = "" if color is None else color.value
    before = after = ""
    if said.floating and words.chance(0.6):
        if words.chance(0.7):
            before = words.pick(wording.FLOATING)
        else:
            after = words.pick(wording.FLOATING_AFTER)
    if said.count == 1:
        noun = words.pick(wording.NOUNS if name else wording.NOUNS_ALONE)
        number = words.pick(wording.ANOTHER if same_again and words.chance(0.45) else wording.SINGLE)
    else:
        noun = words.pick(wording.PLURAL_NOUNS if name else wording.PLURAL_NOUNS_ALONE)
        number = number_word(said.count) if words.chance(0.6) else str(said.count)
        if same_again and words.chance(0.4):
            number = f"{number} more"
        elif said.count == 2 and words.chance(0.2):
            number = words.pick(wording.COUPLE)
        elif pp.startswith(("going", "extending", "running")) and len(said.step.directions) == 1 and words.chance(0.5):
            number = f"{words.pick(wording.LINES)} {number}"
        elif said.step.relation == "top" and not pp.startswith(("stacked", "in a", "one")) and words.chance(0.2):
            number = f"{words.pick(wording.STACKS)} {number}"
    if noun in ("", "s", "one") and pp.startswith(("one ", "1 ")):
        noun = "block" if said.count == 1 else "blocks"
    if noun == "s":  # "two reds"
        name, noun = f"{name}s", ""
    described = f"{name} {before}" if noun and words.chance(0.2) else f"{before} {name}"
    return article(" ".join(f"{number} {described} {noun}{after}".split()).replace(" ,", ","))


def _removal_sentence(words: Words, np: str) -> str:
    kind = words.random()
    verb, gerund = wording.REMOVE_VERBS[int(words.random() * len(wording.REMOVE_VERBS))]
    question = False
    if kind < 0.6:
        frame = words.pick(wording.REMOVAL_IMPERATIVES)
    elif kind < 0.83:
        frame = words.pick(wording.REMOVAL_DECLARATIVES)
    else:
        frame, question = words.pick(wording.REMOVAL_QUESTIONS), True
    return punctuated(words, frame.format(v=verb, g=gerund, np=np), question)
