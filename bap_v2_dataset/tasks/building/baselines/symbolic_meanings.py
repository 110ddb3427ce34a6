"""What the words of an instruction mean before a board is known: steps, references, sizes (BAP v2, 5.2.3)."""

from typing import NamedTuple

from bap_v2_metric.blocks import Color


class Way(NamedTuple):
    """A direction as the Builder sees it: one cell to the left, up, or away (negative: the opposite)."""

    left: int
    up: int
    away: int


LEFT, RIGHT = Way(1, 0, 0), Way(-1, 0, 0)
UP, DOWN = Way(0, 1, 0), Way(0, -1, 0)
AWAY, TOWARDS = Way(0, 0, 1), Way(0, 0, -1)
NOWHERE = Way(0, 0, 0)
ENDS = {"left": LEFT, "right": RIGHT, "top": UP, "bottom": DOWN, "back": AWAY, "front": TOWARDS}


class Shift(NamedTuple):
    """A direction, with its distance if one was given: "two to the left", "behind"."""

    way: Way
    count: int | None = None
    in_blocks: bool = False  # "two blocks to the left"; may turn out to be two blocks, to the left


class Form(NamedTuple):
    """The meaning of the name of a shape: "tower", "vertical plane"."""

    two_sides: bool  # flat or a wall; otherwise a line, straight or diagonal
    upright: bool
    slanted: bool = False


class Extent(NamedTuple):
    """A number with the side that it measures: "3 wide", "a height of 4"."""

    number: int
    side: str  # "wide", "long", "deep" or "tall"


class Reference(NamedTuple):
    """A block that is there, or the place of one that was: "the leftmost red block", "the gap you just made"."""

    rule: str  # "last", "removed", "it", "there", "other", or "described" by what follows
    color: Color | None = None
    extremes: tuple[str, ...] = ()  # "left", "top" ..., "closest", "furthest"
    part: str | None = None  # of a shape: "middle", "end" or "corner"
    rank: int | None = None  # 2 for the second from the first of the extremes
    shape: Form | None = None  # the shape that is meant, or the one of which this is a part: "the end of the row"
    count: int | None = None  # how many blocks are meant: "the two red blocks"
    every: bool = False  # "each of the red blocks"
    between: tuple[Color, ...] = ()  # "the blue block between the red and the green one"


class Token(NamedTuple):
    """A word or phrase that matters.

    kind        value
    step        Step
    reference   Reference
    form        Form
    extent      Extent
    size        (int, int)
    number      int
    color       Color
    noun        the word: "block", "bricks", "another"
    start       the word: what follows is where the first block goes
    removal     the words: something is taken away
    verb        the word: something is placed
    but         the word: the step that follows goes on from the place ("on top of it but one to the left")
    between     the word: the two references that follow have the place between them
    opposite    the words: the other side of the block named next, or of what the last block is beside
    gap         int: so many cells stay empty
    sides       the words: a block on each of two sides
    grid        (int, int): blocks along a row, and rows
    hollow      the word: a rectangle without its inside
    corners     the words: the corners of a rectangle only
    again       "length", "way" or "all" of the last shape, or the way "back"
    relative    "along" or "across" the last line: "parallel", "perpendicular"
    correction  the words: what follows replaces what was said
    going       the word: "going", "extending"
    subject     "it", "that", "they": what was asked for already
    ground      the words: on the ground
    cut         the mark or word: here another clause may begin
    """

    kind: str
    value: object
