"""Which block is meant: referring expressions that compute what they denote (BAP v2, 10.2).

A referring expression is made for a `Scene`: the board, and what the Builder sees from its pose. It is used only if it
denotes exactly one block in that scene. `denotes` computes this from the expression itself, not from the plan; the
tests compare the two for every instruction.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from typing import NamedTuple

from bap_v2_metric.actions import ActionType, NetAction
from bap_v2_metric.blocks import EYE_HEIGHT, Cell, Color
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.view import Offset, View
from bap_v2_simulators.wording.phrases import Phrases, table


class LanguageError(ValueError):
    """A phrase that denotes nothing, or more than one thing, in the world for which it was made: a bug of ours."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The knowledge of both players when the Architect speaks."""

    board: Mapping[Cell, Color]
    pose: Pose
    view: View
    last: Cell | None  # where the last block was placed or removed, supports aside
    last_color: Color | None  # of that block
    last_removed: bool
    last_count: int = 1  # blocks placed or removed in that turn; 0: it is long ago, and "it" would be none of them
    last_cells: tuple[Cell, ...] = ()  # of that turn, in order
    built: tuple[tuple[Cell, ...], ...] = ()  # what each earlier turn placed, in order; some may be removed again
    asked: bool = False  # the Builder has just asked whether what it built is right
    continuing: bool = False  # the Architect is still speaking: the last block is yet to be built
    last_steps: int = 1  # of that turn: "the same" after two would be both
    named: Mapping[str, tuple[Cell, ...]] = field(default_factory=dict)  # parts of objects, and their blocks
    last_kind: str = "new"  # what that turn did: after a move "the same" is no thing
    goal: Mapping[Cell, Color] | None = None  # what should stand here, if that turn was not built as it was meant

    def seen_from(self, pose: Pose) -> "Scene":
        """Return the scene for a Builder with this pose."""
        return Scene(  # `dataclasses.replace` takes twice as long, and this is called for every pose tried
            self.board, pose, View.of(pose.yaw), self.last, self.last_color, self.last_removed,
            self.last_count, self.last_cells, self.built, self.asked, self.continuing, self.last_steps,
            self.named, self.last_kind, self.goal,
        )  # fmt: skip


class ReferringExpression(NamedTuple):
    """A way to refer to a block: the rule of 10.2 that applies, and what it needs."""

    rule: str  # "last", "unique", "superlative", "ellipsis" or "none"; "vague" if the Builder has to ask
    color: Color | None = None
    superlatives: tuple[str, ...] = ()  # those that are true of the block; one is spoken

    def denotes(self, scene: Scene) -> Cell:
        """Return the block meant. Raises: LanguageError if there is none, or more than one."""
        if self.rule in ("last", "ellipsis"):
            if scene.last is None or (self.rule == "ellipsis" and scene.last_removed):
                raise LanguageError("there is no last block")
            return scene.last
        candidates = [cell for cell, color in scene.board.items() if color is self.color]
        if self.rule == "unique":
            if len(candidates) != 1:
                raise LanguageError(f"there are {len(candidates)} {self.color.value} blocks")
            return candidates[0]
        matches = {cell for cell in candidates if set(self.superlatives) & set(superlatives(cell, scene))}
        if len(matches) != 1:
            raise LanguageError(f"{len(matches)} {self.color.value} blocks are {' or '.join(self.superlatives)}")
        return matches.pop()

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        """Return one way to say it."""
        # The last block, in words that point to it.
        if self.rule == "last":
            if not scene.last_count:
                return words.pick("LAST_LONG_AGO")
            if scene.continuing:
                return words.pick("LAST_SAID_IN_ANSWER" if in_answer else "LAST_SAID")
            if scene.last_removed:
                return words.pick("LAST_REMOVED")
            ways = "LAST_IN_ANSWER" if in_answer else "LAST_PLACED"
            return words.pick("LAST_OF_SEVERAL" if scene.last_count > 1 else ways).format(c=scene.last_color.value)
        # Blocks by color, and by where they lie among those of the color.
        color = self.color.value
        if self.rule == "unique":
            return words.pick("UNIQUE").format(c=color)
        if self.rule == "vague":
            return words.pick("ONE_OF_SEVERAL").format(c=color)
        name = words.pick(_by_use(self.superlatives))
        noun = "block" if words.chance(0.7) else words.pick(("one", "one", "brick"))
        if words.chance(_BEFORE_THE_COLOR[name]):
            return f"the {words.pick(f'SUPERLATIVES.{name}.before')} {color} {noun}"
        return f"the {color} {noun} {words.pick(f'SUPERLATIVES.{name}.after')}"


# How often a superlative stands before the color: "the leftmost red block", but "the red block closest to you".
def _before_the_color(name: str) -> float:
    if name.endswith("by distance"):
        return 0.0
    before, after = (sum(table(f"SUPERLATIVES.{name}.{where}").counts) for where in ("before", "after"))
    return (before + 1) / (before + after + 2)


_BEFORE_THE_COLOR = {name: _before_the_color(name) for name in table("SUPERLATIVE_NAMES")}


@cache
def _by_use(superlatives: tuple[str, ...]) -> Phrases[str]:
    """Return these superlatives with the weights of their use."""
    return table("SUPERLATIVE_NAMES").only(lambda name: name in superlatives)


def net_placements(color: Color, cells: Sequence[Cell], scene: Scene) -> frozenset[NetAction]:
    """Return the net actions that place blocks of a color. Raises: LanguageError if a cell is not free."""
    if any(cell in scene.board for cell in cells):
        raise LanguageError("there is a block already")
    return frozenset(NetAction(ActionType.PLACE, color, cell) for cell in cells)


NO_REFERENCE = ReferringExpression("none")
ELLIPSIS = ReferringExpression("ellipsis")


def referring_expression(cell: Cell, scene: Scene, corners: bool = True) -> ReferringExpression | None:
    """The expression for a cell by the priority rules of 10.2, or None if nothing tells it apart from that pose.

    Args:
        corners: whether two superlatives may, or the distance alone: the paper has neither.
    """
    last = ReferringExpression("last") if cell == scene.last else None
    if last and scene.last_count:
        return last
    color = scene.board.get(cell)
    if color is None:
        return None
    if sum(other is color for other in scene.board.values()) == 1:
        return ReferringExpression("unique", color)
    names = tuple(name for name in superlatives(cell, scene) if corners or name in _SINGLE)
    return ReferringExpression("superlative", color, names) if names else last


def could_be_told_apart(cell: Cell, board: Mapping[Cell, Color], last: Cell | None, corners: bool = True) -> bool:
    """Whether some pose exists from which `referring_expression` finds one: what can be known before there is a pose.

    A block that is extreme among those of its color along an axis of the grid, or in a corner of them, can be told
    apart by a Builder that looks straight along the grid.
    """
    if cell == last:
        return True
    # The last block needs no name, and an only block of its color has one.
    color = board.get(cell)
    if color is None:
        return False
    x, y, z = cell
    differences = [
        (other[0] - x, other[1] - y, other[2] - z)
        for other, other_color in board.items()
        if other_color is color and other != cell
    ]
    if not differences:
        return True
    # Alone at an end of one axis, or in a corner of two.
    extreme: list[int] = []  # axes along which no other block goes further one way
    for axis in range(3):
        along = [difference[axis] for difference in differences]
        low, high = min(along), max(along)
        if high < 0 or low > 0:
            return True
        if high == 0 or low == 0:
            extreme.append(axis)
    return corners and any(
        all(difference[a] or difference[b] for difference in differences) for a, b in combinations(extreme, 2)
    )


# By how much a block must be ahead of all others of its color for a superlative to be safe, in cells.
CLEARLY_AHEAD = 0.3
_CLEARLY_CLOSER = 0.6
_NOT_BEHIND = 0.5  # how far another may seem ahead of the block in a corner, in the direction that does not decide
# The end of each axis of the view, both ways: left, up, away.
_ENDS = (("leftmost", "rightmost"), ("topmost", "bottommost"), ("backmost", "frontmost"))
_SINGLE = frozenset((*sum(_ENDS, ()), "closest", "furthest"))


def superlatives(cell: Cell, scene: Scene) -> tuple[str, ...]:
    """The superlatives that only this block deserves among the blocks of its color, from where the Builder stands.

    What is leftmost along the grid must be leftmost for the Builder too, whose yaw may be 30 degrees off the grid. What
    is closest must be closest to its feet, to its eyes and on the map, and no other block of the color may lie nearer
    along the view, by the grid or by the eye: people mean the one or the other. The furthest likewise. A block that is
    not alone at any end may be in a corner: `topmost+leftmost` is both the leftmost of the topmost and the topmost of
    the leftmost. A block for which there is nothing but its distance may still be `closest by distance`.
    """
    # The other blocks of the color, on the grid and for the eye.
    color = scene.board.get(cell)
    others = [other for other, other_color in scene.board.items() if other_color is color and other != cell]
    if not others:
        return ()
    names = []
    grid = [scene.view.offset(cell, other) for other in others]
    seen = seen_offsets(cell, others, scene.pose)
    weak: list[tuple[int, int]] = []  # (axis, sign) of the ends that it shares with others
    # The ends of the three axes; corners only where the block is at no end alone.
    for axis in range(3):
        along = [offset[axis] for offset in grid]
        for sign, name in ((1, _ENDS[axis][0]), (-1, _ENDS[axis][1])):
            farthest = max(along) if sign > 0 else -min(along)
            if farthest < 0 and all(sign * difference[axis] <= -CLEARLY_AHEAD for difference in seen):
                names.append(name)
            elif farthest == 0:
                weak.append((axis, sign))
    if not names:
        for first, second in combinations(weak, 2):
            if first[0] != second[0] and _in_corner(grid, seen, first, second):
                names.append(_corner_name(first, second))
    # Distance, from feet and eyes.
    for name, by_distance, sign in (("closest", "closest by distance", 1), ("furthest", "furthest by distance", -1)):
        if is_clearly_nearer(cell, others, scene, sign):
            if not _is_beaten_along_the_view(grid, seen, sign):
                names.append(name)
            elif not names:
                names.append(by_distance)
    return tuple(names)


def nearer(cell: Cell, others: Sequence[Cell], scene: Scene) -> bool:
    """Return whether a block is plainly closer to the Builder than each of the others: by distance, and along the
    view."""
    grid = [scene.view.offset(cell, other) for other in others]
    seen = seen_offsets(cell, others, scene.pose)
    return is_clearly_nearer(cell, others, scene) and not _is_beaten_along_the_view(grid, seen, 1)


def is_clearly_nearer(cell: Cell, others: Sequence[Cell], scene: Scene, sign: int = 1) -> bool:
    """Return whether a block is clearly closer than all others (sign -1: farther), from feet, from eyes and on the
    map."""
    for height in (0.0, EYE_HEIGHT, None):
        own = _distance(cell, scene.pose, height)
        if any(sign * (_distance(other, scene.pose, height) - own) < _CLEARLY_CLOSER for other in others):
            return False
    return True


def seen_offsets(start: Cell, ends: Sequence[Cell], pose: Pose) -> list[tuple[float, float, float]]:
    """Return the ways from a cell to others as they look from the Builder's yaw, level with the ground: see pose.py.

    As those of `Offset`, they go to the left, up and away.
    """
    sine, cosine = math.sin(math.radians(pose.yaw)), math.cos(math.radians(pose.yaw))
    x, y, z = start
    return [
        (cosine * (end[0] - x) + sine * (end[2] - z), end[1] - y, cosine * (end[2] - z) - sine * (end[0] - x))
        for end in ends
    ]


def _is_beaten_along_the_view(grid: Sequence[Offset], seen: Sequence[tuple[float, float, float]], sign: int) -> bool:
    """Return whether any other block lies nearer along the view (farther, if the sign is -1), on the grid or for the
    eye."""
    return any(sign * offset.away < 0 for offset in grid) or any(sign * way[2] <= -CLEARLY_AHEAD for way in seen)


def _in_corner(
    grid: Sequence[Offset],
    seen: Sequence[tuple[float, float, float]],
    first: tuple[int, int],
    second: tuple[int, int],
) -> bool:
    """Return whether a block at two shared ends is alone where they meet, and plainly so."""
    (a, sign_a), (b, sign_b) = first, second
    for offset, difference in zip(grid, seen, strict=True):
        ahead_a, ahead_b = sign_a * difference[a], sign_b * difference[b]
        if offset[a] == 0 and (offset[b] == 0 or ahead_b > -CLEARLY_AHEAD):
            return False
        if offset[b] == 0 and ahead_a > -CLEARLY_AHEAD:
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
