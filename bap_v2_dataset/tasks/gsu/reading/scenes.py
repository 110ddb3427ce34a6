"""Questions about where a block or a structure is: relative to the viewer, or to another one, also after a walk."""

from typing import NamedTuple

from bap_v2_dataset.tasks.gsu.reading import phrases
from bap_v2_dataset.tasks.gsu.reading.blocks import CORNERS, Bounds, Cell, boxes, read_blocks
from bap_v2_dataset.tasks.gsu.reading.walks import WalkQuestion, read_instructions, read_own_start

Spans = tuple[tuple[int, int], tuple[int, int], tuple[int, int]]  # lowest and highest coordinate along x, y, z


class Sides(NamedTuple):
    """The meaning of the words to the viewer."""

    ahead: str  # front: further from the viewer is in front; or behind
    right: str  # right: the viewer's right; or left


class SceneQuestion(NamedTuple):
    """Two things on the grid, and who looks at them."""

    viewer: phrases.Axes
    sides: Sides
    target: Spans
    base: Spans  # the viewer, the reference block or the reference structure

    @property
    def answer(self) -> str:
        """Every direction in which the whole of the target lies beyond the whole of the base."""
        left = "left" if self.sides.right == "right" else "right"
        back = "behind" if self.sides.ahead == "front" else "front"
        of_axes = (
            (self.viewer.right, self.sides.right, left),
            (self.viewer.ahead, self.sides.ahead, back),
            (phrases.way_of("positive z"), "above", "below"),
        )
        words = []
        for way, further, nearer in of_axes:
            (low, high), (base_low, base_high) = _along(self.target, way), _along(self.base, way)
            if low > base_high:
                words.append(further)
            elif high < base_low:
                words.append(nearer)
        return ", ".join(words)


def read_scene(question: str) -> SceneQuestion:
    """Return the scene that a question is about.

    Raises:
        GsuQuestionError: for a text that is not such a question.
    """
    # The viewer: what is on the right at first, then where they face.
    right = phrases.found(
        rf"To somebody who faces ({phrases.WAY}), ({phrases.WAY}) is on the right", question, "what is on the right"
    )
    you = phrases.found(rf"You are at ({phrases.POSITION}), facing ({phrases.WAY})\.", question, "where you are")
    viewer = phrases.Axes(phrases.way_of(right[1]), phrases.way_of(right[2])).facing(phrases.way_of(you[2]))
    # The blocks by color; what is asked must be among them.
    places: dict[str, Cell] = {}
    for cell, color in read_blocks(question).items():
        if color in places:
            raise phrases.GsuQuestionError(f"two {color} blocks: expected one block per color")
        places[color] = cell
    # What is asked, and relative to what.
    asked = phrases.found(
        r"\nWhere is the (\w+) block relative to (?:you|the (\w+) block, as you see it)\? ", question, "the question"
    )
    for color in filter(None, asked.groups()):
        if color not in places:
            raise phrases.GsuQuestionError(f"no {color} block: expected one of {', '.join(places)}")
    if asked[2]:
        base, sides = places[asked[2]], read_sides(question)
    else:
        phrases.found(r"\? Front is the way you face\.\n", question, "what is in front of you")
        base, sides = _whole(phrases.position_of(you[1])), Sides("front", "right")
    return SceneQuestion(viewer, sides, _spans(places[asked[1]]), _spans(base))


def read_sides(question: str) -> Sides:
    """Return which sides of a thing are its front, left and right, for the viewer."""
    front = phrases.found(
        r"The front of a \w+ is the side (towards|away from) you; ([^.]*)\.", question, "what is in front"
    )
    known = {
        "its left and right are your left and right": "right",
        "its left is on your right, and its right is on your left": "left",
    }
    if front[2] not in known:
        raise phrases.GsuQuestionError(f"{front[2]!r}: expected {' or '.join(map(repr, known))}")
    return Sides("behind" if front[1] == "towards" else "front", known[front[2]])


def _along(spans: Spans, way: phrases.Vector) -> tuple[int, int]:
    """From where to where something reaches along a way."""
    axis = next(axis for axis, value in enumerate(way) if value)
    low, high = spans[axis]
    return (low, high) if way[axis] > 0 else (-high, -low)


def _spans(cell: Cell) -> Spans:
    x, y, z = cell
    return (x, x), (y, y), (z, z)


def _whole(position: phrases.Vector) -> Cell:
    x, y, z = map(int, position)
    return x, y, z


class OutlookQuestion(NamedTuple):
    """A walk, and two of the structures that stand around its end."""

    walk: WalkQuestion
    sides: Sides
    target: Spans
    base: Spans

    @property
    def scene(self) -> SceneQuestion:
        """The scene at the end of the walk."""
        return SceneQuestion(self.walk.walked[1], self.sides, self.target, self.base)

    @property
    def answer(self) -> str:
        """Every direction that applies."""
        return self.scene.answer


def read_outlook(question: str) -> OutlookQuestion:
    """Return the walk and the structures that a question is about.

    Raises:
        GsuQuestionError: for a text that is not such a question.
    """
    walk = WalkQuestion(3, True, read_own_start(question), steps=read_instructions(question))
    phrases.found(
        "A direction applies if the whole of one lies beyond the whole of the other", question, "what applies"
    )
    names: dict[str, Bounds] = {}
    for color, bounds in boxes(read_blocks(question), CORNERS):
        name = f"{color} {bounds.kind}"
        if name in names:
            raise phrases.GsuQuestionError(f"two structures are a {name}: expected one")
        names[name] = bounds
    asked = phrases.found(
        r"\nWhere is the (\w+ \w+) relative to the (\w+ \w+), as you see it after the walk\?", question, "the question"
    )
    for name in asked.groups():
        if name not in names:
            raise phrases.GsuQuestionError(f"no {name}: expected one of {', '.join(names)}")
    return OutlookQuestion(walk, read_sides(question), _of_box(names[asked[1]]), _of_box(names[asked[2]]))


def _of_box(bounds: Bounds) -> Spans:
    x, y, z = zip(*bounds)
    return x, y, z
