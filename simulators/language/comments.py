"""Comments on the shape that comes into being: "to make a t", "that completes the wall", "we're going to make a u".

They ask for nothing and change nothing of what an instruction denotes. They are true: the blocks of the instruction
complete the shape, and no other block of its color touches it, so that it looks like one.
"""

import re
from dataclasses import dataclass

from bap_v2_metric.blocks import Cell
from bap_v2_simulators.language.lines import around
from bap_v2_simulators.language.references import Scene
from bap_v2_simulators.language.turns import Line
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.shapes import Shape, ShapeKind
from bap_v2_simulators.wording.phrases import table

# People comment on a shape in about 1 of 100 items. Ours do it more often: only here is it said what a shape is called.
_COMPLETED = 0.12  # of the turns that complete a shape
_ANNOUNCED = 0.06  # of the first turns of a letter


@dataclass(frozen=True, slots=True)
class Comment:
    """That a shape is complete, or is to come."""

    shape: Shape
    complete: bool

    def added(self, words: Words, lines: list[Line]) -> list[Line]:
        """Return the lines of an instruction, with the comment before or after."""
        if not self.complete:
            text = words.pick("PREVIEWS").format(s=_with_article(self._letter(words)))
            instructing = [i for i, (_, act, _) in enumerate(lines) if act == "instruction"]
            replies = _REPLIES.match(lines[instructing[0]][2])  # "yes! ..." comes first, before anything else is said
            at = instructing[-1] + 1 if replies else instructing[0]
            return [*lines[:at], ("Architect", "comment", text), *lines[at:]]
        named = self.shape.kind in _CALLED and words.chance(0.5)
        name = self._name(words)
        speaker, act, last = lines[-1]
        if last[-1] not in "?!." and words.chance(0.6):  # in the same line
            ways, name = ("TO_COMPLETE", name) if named else ("TO_MAKE", self._sized(name))
            return [*lines[:-1], (speaker, act, f"{last} {words.pick(ways).format(s=name)}")]
        ways, name = ("THAT_COMPLETES", name) if named else ("THAT_MAKES", self._sized(name))
        return [*lines, ("Architect", "comment", words.pick(ways).format(s=name))]

    def _letter(self, words: Words) -> str:
        """ "upside down t", "l shape"."""
        name = words.pick(f"LETTERS.{self.shape.kind.value[0]}")
        return f"upside down {name}" if self.shape.orientation == "down" else name

    def _name(self, words: Words) -> str:
        """Return what it is called, without its size."""
        if self.shape.kind in _LETTERS:
            return self._letter(words)
        upright = self.shape.orientation != "horizontal"
        if self.shape.kind is ShapeKind.PLANE and not upright:
            return "square" if len(set(self.shape.size)) == 1 else "rectangle"
        return _NAMES[self.shape.kind, upright]

    def _sized(self, name: str) -> str:
        """With its article, and its size if that has one number."""
        size = f" of {self.shape.size[0]}" if self.shape.kind is ShapeKind.ROW else ""
        return _with_article(f"{name}{size}")


def comment_on(words: Words, shape: Shape, cells: tuple[Cell, ...], scene: Scene) -> Comment | None:
    """Return what the Architect says about the shape to which these new cells belong: mostly nothing."""
    built = {cell for cell in shape.cells if cell in scene.board}
    if not built:
        letter = shape.kind in _LETTERS
        return Comment(shape, complete=False) if letter and words.chance(_ANNOUNCED * words.talk.chat) else None
    complete = all(cell in built or cell in cells for cell in shape.cells)
    if complete and words.chance(_COMPLETED * words.talk.chat) and _stands_out(shape, cells, scene):
        return Comment(shape, complete=True)
    return None


def _stands_out(shape: Shape, cells: tuple[Cell, ...], scene: Scene) -> bool:
    """Return whether no other block of its color touches the shape."""
    own = set(shape.cells)
    if not own.issuperset(cells):
        return False
    beside = {other for cell in own for other in around(cell)} - own
    return all(scene.board.get(other) is not shape.color for other in beside)


def _with_article(name: str) -> str:
    """ "a t", "an l", "an upside down u"."""
    return f"an {name}" if name.startswith("up") or name.split()[0] == "l" else f"a {name}"


# How an instruction begins that has praise, an answer or a greeting in front.
_IN_FRONT = (*table("PRAISE"), *table("ANSWER_CHECK"), *table("GREETINGS"))
_REPLIES = re.compile(f"(?:{'|'.join(map(re.escape, _IN_FRONT))})[,.!]", re.IGNORECASE)
_LETTERS = (ShapeKind.T, ShapeKind.L, ShapeKind.U)
_CALLED = (*_LETTERS, ShapeKind.PLANE, ShapeKind.ROW)  # "to finish the row"
_NAMES = {
    (ShapeKind.ROW, False): "row",
    (ShapeKind.ROW, True): "column",
    (ShapeKind.DIAGONAL, False): "diagonal",
    (ShapeKind.DIAGONAL, True): "staircase",
    (ShapeKind.PLANE, True): "wall",
}
