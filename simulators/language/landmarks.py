"""Landmarks: references by what the blocks of a color look like together ("the middle of the red row").

10.2 has no rule for them; people use them all the time. Each is used only where it denotes exactly one block, and what
is left or in front must be so along the grid and for the eye, as with superlatives. One meaning a word:

- A row is flat, a column upright, a diagonal touches itself at edges only: three blocks or more, in one color, and the
  only one of its kind in that color, or the one just built. A row or column of only two is another one of its kind.
- The middle is the exact middle of an odd number. An end is the outermost block of a line; a corner is that of a
  filled rectangle, or where the two arms of an L meet.
- The second from the left is so among all blocks of the color, or in its line; no two of those before it are level.
- Between two blocks is the cell halfway on the straight line from one to the other.
"""

from dataclasses import dataclass
from typing import ClassVar

from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.language import arrangements
from bap_v2_simulators.language.lines import FLAT, STRAIGHT, UPRIGHT, component, corner_of_an_l, corners, runs
from bap_v2_simulators.language.references import LanguageError, Scene
from bap_v2_simulators.language.sentences import article, number_word
from bap_v2_simulators.language.words import Words

ALL_KINDS = ("middle", "between", "either", "second", "corner", "other", "end")


class Landmark:
    """A reference of one of these kinds."""

    __slots__ = ()
    rule: ClassVar[str] = "landmark"
    kind: str  # of ALL_KINDS

    def denotes(self, scene: Scene) -> Cell:
        """The block meant. Raises: LanguageError if there is none, or more than one."""
        raise NotImplementedError

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        """One way to say it."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class InLine(Landmark):
    """A block of a row, a column or a diagonal: its middle, one of its ends, or so many blocks from an end."""

    color: Color | None  # None: the line just built
    line: str  # "row", "column" or "diagonal"
    part: str  # "middle", "end" or "second" (whatever the number)
    side: str = ""  # of SIDES; an end may also be "closest", "furthest", or "other" than the last block
    number: int = 0  # from that side

    @property
    def kind(self) -> str:
        return self.part

    def denotes(self, scene: Scene) -> Cell:
        line = (
            arrangements.line_just_built(scene)
            if self.color is None
            else arrangements.only_line(self.color, self.line, scene)
        )
        if line is None or arrangements.line_name(line) != self.line:
            raise LanguageError(f"there is not one {self.line}")
        for part, side, number, cell in arrangements.parts_of_a_line(line, scene):
            if (part, side, number) == (self.part, self.side, self.number):
                return cell
        raise LanguageError(f"the {self.line} has no {self.part} {self.side}")

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        # The name of the line.
        nouns = f"LANDMARKS.LINES.{self.line}"
        if self.color is None:
            color = scene.last_color.value
            ways = "LANDMARKS.JUST_BUILT"
        else:
            color = self.color.value
            ways = "LANDMARKS.OF_A_COLOR"
            if self.line == "row" and any(runs(arrangements.of_color(self.color, scene), UPRIGHT)):
                nouns = "LANDMARKS.LINES.row_beside_stacks"
        counted = None if self.part in ("middle", "end") else words.pick(f"LANDMARKS.NTH_IN_LINE.{self.side}")
        if counted is not None and "{r} from" in counted:
            ways = "LANDMARKS.SHORT_JUST_BUILT" if self.color is None else "LANDMARKS.SHORT_OF_A_COLOR"
        # The part of it.
        line = words.pick(ways).format(c=color, s=words.pick(nouns))
        if self.part == "middle":
            return article(words.pick("LANDMARKS.MIDDLES").format(r=line))
        if self.part == "end":
            return words.pick(f"LANDMARKS.ENDS.{self.side}").format(r=line)
        number = words.pick(f"LANDMARKS.ORDINALS.{self.number}")
        return counted.format(r=line, o=number)


@dataclass(frozen=True, slots=True)
class InPlane(Landmark):
    """The center or a corner of the only filled rectangle of a color."""

    color: Color
    plane: str  # "square", "rectangle" or "wall"
    corner: str = ""  # a corner of SUPERLATIVES ("topmost+leftmost"); none: the center

    @property
    def kind(self) -> str:
        return "corner" if self.corner else "middle"

    def denotes(self, scene: Scene) -> Cell:
        plane = arrangements.only_plane(self.color, scene)
        if plane is not None and arrangements.plane_name(plane) == self.plane:
            for corner, cell in arrangements.parts_of_a_plane(plane, scene):
                if corner == self.corner:
                    return cell
        raise LanguageError(f"there is not one {self.color.value} {self.plane} with a {self.corner or 'center'}")

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        noun = words.pick(f"LANDMARKS.PLANES.{self.plane}")
        plane = words.pick("LANDMARKS.OF_A_COLOR").format(c=self.color.value, s=noun)
        if not self.corner:
            return words.pick("LANDMARKS.MIDDLES").format(r=plane)
        adjective = words.pick(f"SUPERLATIVES.{self.corner}.before")
        return words.pick("LANDMARKS.CORNERS_OF_PLANES").format(r=plane, a=adjective)


@dataclass(frozen=True, slots=True)
class CornerOfL(Landmark):
    """Where the two arms of the only L of a color meet; no other two lines of that color meet at their ends."""

    kind: ClassVar[str] = "corner"
    color: Color

    def denotes(self, scene: Scene) -> Cell:
        cells = arrangements.of_color(self.color, scene)
        meeting = corners(cells)
        if len(meeting) == 1:
            (cell,) = meeting
            if corner_of_an_l(component(cell, cells)) == cell:
                return cell
        raise LanguageError(f"there is not one {self.color.value} L")

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        others = {color for color in scene.board.values() if color is not self.color}
        if any(corners(arrangements.of_color(color, scene)) for color in others):  # "the corner of the l": of which?
            return words.pick("LANDMARKS.CORNER_OF_A_COLORED_L").format(c=self.color.value)
        return words.pick("LANDMARKS.CORNER_OF_AN_L").format(c=self.color.value)


@dataclass(frozen=True, slots=True)
class OfColor(Landmark):
    """The middle one of the blocks of a color, or the second or third of them from some side."""

    color: Color
    side: str = ""  # of SIDES; none: the middle
    number: int = 0  # from that side

    @property
    def kind(self) -> str:
        return "second" if self.side else "middle"

    def denotes(self, scene: Scene) -> Cell:
        cells = arrangements.of_color(self.color, scene)
        if not self.side:
            middle = arrangements.middle_of(cells, scene)
            if middle is not None:
                return middle
        elif len(cells) >= arrangements.SHORTEST_LINE and 1 < self.number < len(cells):
            ranked = arrangements.ranks(cells, scene)[self.side]
            if len(ranked) >= self.number:
                return ranked[self.number - 1]
        raise LanguageError(f"no {self.color.value} block is {self.number or 'the middle'} {self.side}")

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        color = self.color.value
        if not self.side:
            count = number_word(len(arrangements.of_color(self.color, scene)))
            return words.pick("LANDMARKS.MIDDLE_OF_COLOR").format(c=color, n=count)
        number = words.pick(f"LANDMARKS.ORDINALS.{self.number}")
        return words.pick(f"LANDMARKS.NTH_OF_COLOR.{self.side}").format(c=color, o=number)


@dataclass(frozen=True, slots=True)
class BetweenLandmark(Landmark):
    """The only block of a color between two others: the only two of their color, or the only one of each of two."""

    kind: ClassVar[str] = "between"
    color: Color
    colors: tuple[Color, Color]  # of the two others

    def denotes(self, scene: Scene) -> Cell:
        first, second = self.colors
        ends = arrangements.of_color(first, scene)
        if first is not second:
            both = (ends, arrangements.of_color(second, scene))
            ends = ends + both[1] if len(both[0]) == len(both[1]) == 1 else ()
        if len(ends) == 2 and self.color not in self.colors:
            inside = arrangements.halfway(*ends)
            if inside is not None and arrangements.is_alone_between(inside, self.color, ends, scene):
                return inside
        raise LanguageError(f"not one {self.color.value} block is between {first.value} and {second.value}")

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        a, b = (color.value for color in self.colors)
        ways = "LANDMARKS.BETWEEN_TWO" if a == b else "LANDMARKS.BETWEEN"
        return words.pick(ways).format(c=self.color.value, a=a, b=b)


@dataclass(frozen=True, slots=True)
class BothSides(Landmark):
    """The only block of a color that touches blocks of another color on two opposite sides."""

    kind: ClassVar[str] = "either"
    color: Color
    other: Color

    def denotes(self, scene: Scene) -> Cell:
        found = [
            cell
            for cell in arrangements.of_color(self.color, scene)
            if self.other in arrangements.enclosing(cell, scene, STRAIGHT)
        ]
        if len(found) != 1 or self.other not in arrangements.enclosing(found[0], scene, FLAT):
            raise LanguageError(f"not one {self.color.value} block has {self.other.value} ones on both sides")
        return found[0]

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        return article(words.pick("LANDMARKS.BOTH_SIDES").format(c=self.color.value, a=self.other.value))


@dataclass(frozen=True, slots=True)
class OtherOfTwo(Landmark):
    """The other block of a color that has two: the one that is not the last block placed."""

    kind: ClassVar[str] = "other"
    color: Color

    def denotes(self, scene: Scene) -> Cell:
        others = [cell for cell in arrangements.of_color(self.color, scene) if cell != scene.last]
        if len(others) != 1 or scene.board.get(scene.last) is not self.color or scene.last_count > 1:
            raise LanguageError(f"there is not one other {self.color.value} block")
        return others[0]

    def phrase(self, words: Words, scene: Scene, in_answer: bool = False) -> str:
        return words.pick("LANDMARKS.OTHER_OF_TWO").format(c=self.color.value)
