"""The form of a shape for the Builder, its name and size: "a red wall that is 4 long and 3 tall" (BAP v2, 10.4).

One meaning a word:

    row, line          level with the ground; "vertical line" stands
    column, tower      stand
    diagonal           three or more blocks in a diagonal line, level or rising
    staircase          a rising diagonal; which way it goes always says "up"
    wall               upright
    platform, layer    flat; "floor" is the ground
    square             has equal sides; flat, if no word says that it stands
    tall, high         upwards
    wide               from the Builder's left to its right
    deep               away from the Builder, of what is flat
    long               of a line, and of a wall along the ground, whichever way it goes
"""

from dataclasses import dataclass

from bap_v2_metric.blocks import Color
from bap_v2_simulators.language.places import going_to
from bap_v2_simulators.language.sentences import article, number_word
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.shapes import ShapeKind
from bap_v2_simulators.view import Direction, Offset


@dataclass(frozen=True, slots=True)
class ShapeForm:
    """A kind of shape, its size, and the directions in which it goes on from its first block."""

    kind: ShapeKind
    size: tuple[int, ...]  # blocks along each of `steps`
    steps: tuple[Offset, ...]

    @property
    def upright(self) -> bool:
        """True if it rises."""
        return any(step.up for step in self.steps)

    @property
    def column(self) -> bool:
        """True if it is a line that goes straight up."""
        return self.kind is ShapeKind.ROW and self.upright

    @property
    def plane(self) -> bool:
        """True if it has two sides."""
        return self.kind is ShapeKind.PLANE

    @property
    def equal_sides(self) -> bool:
        """True if it is a square."""
        return self.plane and self.size[0] == self.size[1]

    @property
    def sides(self) -> tuple[int, int]:
        """Length along the ground and height; of flat planes width and depth; for lines twice the length."""
        if not self.plane:
            return self.size[0], self.size[0]
        first = self.steps[0]
        return self.size[::-1] if first.up or (not self.upright and first.away) else self.size

    @property
    def sideways(self) -> bool:
        """True if it goes to the left or to the right."""
        return any(step.left for step in self.steps)

    @property
    def directions(self) -> tuple[Direction, ...]:
        """The directions that are said: of a wall and of a column it goes without saying that they go up."""
        shown = tuple(direction for step in reversed(self.steps) for direction in step.directions)
        if self.plane and self.upright:
            return tuple(direction for direction in shown if direction is not Direction.TOP)
        return shown


# Of the planes have so many blocks "on each side" or rows of so many "each": "each" is 3 in 1,000 words.
_IN_SIDES = 0.1


def shape_name(words: Words, form: ShapeForm, *, says_up: bool = False) -> str:
    """Return a name: "row", "staircase", "wall".

    Args:
        says_up: of what rises, only names that say so.
    """
    square = 0.5 if form.upright else 0.7  # people: half of the walls, most squares
    if form.equal_sides and words.chance(square * words.talk.names):
        return words.pick("EQUAL_SIDES.upright" if form.upright else "EQUAL_SIDES.flat")
    way = "flat"
    if form.upright:  # rows and planes that stand always say so
        way = "up" if form.kind is not ShapeKind.DIAGONAL or says_up or words.chance(0.6) else "upright"
    names = "SHAPE_NAMES" if words.talk.names else "SHAPE_NAMES_OF_THE_PAPER"
    return words.pick(f"{names}.{form.kind.value}.{way}")


def sized(
    words: Words,
    form: ShapeForm,
    name: str,
    color: Color | None,
    *,
    floating: bool,
    another: frozenset[str] | None,
    size: str,
) -> str:
    """Return what is to be built: "a row of 4 red blocks".

    Args:
        another: what it has in common with a last shape of the same name: "size", "color"; None: say no "another".
        size: "said", "later" or "same" (as the last shape's).
    """
    # A phrase with the size, or with what stands for it.
    numbers = _numbers(words, form)
    if size == "same":
        measure = "size" if form.plane else "height" if form.column else "length"
        template, numbers = words.pick("SAME_SIZE"), {"l": measure}
    else:
        template = words.pick("UNSIZED" if size == "later" else _sized_table(words, form, name))
    if "x{" in template:  # "4x4", never "fourxfour"
        numbers |= {"n": form.sides[0], "m": form.sides[1]}
    # Fill it in.
    text = template.format(
        d="another" if another is not None and _is_another(template, name, floating, color, another) else "a",
        f=words.pick("FLOATING") if floating else "",
        c="" if color is None else color.value,
        s=name,
        **numbers,
    )
    text = text.removesuffix(" of ") if color is None else text
    return article(" ".join(text.split()).replace(" ,", ","))


def _is_another(template: str, name: str, floating: bool, color: Color | None, shared: frozenset[str]) -> bool:
    """Return whether all that stands between "another" and the name is true of the last shape, too.

    "another row of 4 red blocks" may follow a blue row, "another red row" may not.
    """
    between = template[template.index("{d}") : template.index("{s}")]
    said = {detail for mark, detail in (("{n}", "size"), ("{m}", "size"), ("{c}", "color")) if mark in between}
    if color is None:
        said.discard("color")
    if "square" in name:  # the last one may be none
        said.add("size")
    return said <= shared and not (floating and "{f}" in between)


def size_alone(words: Words, form: ShapeForm) -> str:
    """Return the size by itself: "4 long and 3 tall", "3x3"."""
    if not form.plane:
        template = words.pick("ONE_SIZE")
    else:
        template = words.pick("EQUAL_SIZES" if form.equal_sides else "TWO_SIZES")
    numbers = _numbers(words, form)
    if "x{" in template:
        numbers |= {"n": form.sides[0], "m": form.sides[1]}
    return template.format(**numbers)


def size_exchange(words: Words, form: ShapeForm) -> tuple[str, str]:
    """Return what the Builder asks and the Architect answers if the size was left out."""
    numbers = _numbers(words, form)
    if not form.plane:
        question = "ASK_HEIGHT" if form.column else "ASK_LENGTH"
        return words.pick(question), words.pick("ANSWER_LENGTH").format(**numbers)
    if form.equal_sides:
        answers = "ANSWER_SQUARE"
    elif form.upright:
        answers = "ANSWER_UPRIGHT" if form.sideways else "ANSWER_UPRIGHT_IN_DEPTH"
    else:
        answers = "ANSWER_FLAT"
    answer = words.pick(answers)
    if "x{" in answer:
        numbers |= {"n": form.sides[0], "m": form.sides[1]}
    return words.pick("ASK_SIZE"), answer.format(**numbers)


def direction(words: Words, form: ShapeForm, *, alone: bool = False) -> str:
    """Return which way it goes, with the Builder as the anchor: "going to your left".

    Args:
        alone: not after what goes there ("a row that goes").
    """
    ways = "EXTENDING_ALONE" if alone else "EXTENDING"
    return words.pick(ways).format(to=going_to(words, form.directions))


def _sized_table(words: Words, form: ShapeForm, name: str) -> str:
    if form.equal_sides:
        return "SQUARE_SIDES" if words.chance(_IN_SIDES) else "SQUARES"
    if form.plane:
        return "ROWS_OF_A_WALL" if form.upright and words.chance(_IN_SIDES) else "TWO_SIDES"
    if form.kind is ShapeKind.DIAGONAL and words.chance(0.15):
        return "STAIRS" if "stair" in name else "STEPPED"
    return "LINES_OF_BLOCKS"


def _numbers(words: Words, form: ShapeForm) -> dict[str, object]:
    """Numbers as words or digits, and the words for what they measure."""
    along, up = form.sides
    in_words = words.chance(0.45)  # people: 723 words and 867 digits from two to seven
    if not form.plane:
        measures = {"l": words.pick("TALL" if form.column else "LONG")}
    elif form.upright:
        measures = {
            "l": words.pick("WIDE_OR_LONG" if form.sideways else "LONG"),
            "t": words.pick("TALL"),
        }
    else:
        measures = {"l": words.pick("WIDE"), "t": words.pick("DEEP")}
    return {"n": number_word(along) if in_words else along, "m": number_word(up) if in_words else up} | measures
