"""Where a cell is and which way it is, in words (BAP v2, 5.2.3).

A phrase made here denotes what it was made for: "to the left of {r}" is one cell to the left of whatever {r} is. One
word means one thing, in all corpora:

- Left, right, in front and behind are the Builder's; a relation without a number is one cell away.
- Two relations joined by "and" ("up and to the left of", "behind and to the right of") are one step both ways, and
  one block; "diagonally" says so once more. The noun "diagonal" is three or more blocks, never one.
- "on top of the red block but one to the left": the step is taken from the cell on top of it.
- Several blocks at one reference go on in the direction of the relation: "two red blocks behind the last block" (the
  paper's own form), or the phrase names the direction ("going away from you"). Words for one contact ("directly",
  "side", "next to") are for one block.
- Several blocks on top of or under a reference are a stack, one above the other.
- Neighbors have no edges and faces; "back" is no offset: it is "behind" or "away from you".
- "N spaces to the left" is an offset of N; "with a gap of N", "with N spaces in between" an offset of N + 1.
"""

from collections.abc import Sequence

from bap_v2_metric.blocks import Cell
from bap_v2_simulators.language.sentences import article, number_word
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.view import Direction, Offset

_ON_TOP = 0.4  # of the names of a cell above and to a side: in train, "on top of" is 31% of all names of top
_ASIDE = 0.25  # of those: "on top of it but one to the left"
_STEPPED_FROM = {
    Direction.TOP: "on top of {r}", Direction.BOTTOM: "under {r}", Direction.FRONT: "in front of {r}",
    Direction.BEHIND: "behind {r}",
}  # fmt: skip
_DIAGONALLY = 0.45  # 22 of the 49 times that train says "up and (to the) left" or "right"
_VERTICAL_FIRST = 0.9  # 45 of 50: "up and to the left" rather than "to the left and up"
_IN_WORDS = 0.7  # "two", not "2"


_MIDDLE = 2  # cells from the middle of the ground, each way: what is near it
_SAYS_MIDDLE = 0.6  # of the first blocks that go there; people begin most games in the middle


def near_the_middle(words: Words, cells: Sequence[Cell]) -> bool:
    """Return whether to say of a first block or shape that it goes near the middle of the ground: mostly, if it
    does."""
    xs, zs = [cell[0] for cell in cells], [cell[2] for cell in cells]
    near = max(abs(min(xs) + max(xs)), abs(min(zs) + max(zs))) <= 2 * _MIDDLE
    return near and words.chance(_SAYS_MIDDLE * words.talk.places)


def beside(words: Words, step: Offset, reference: str | None, count: int = 1, *, plain: bool = False) -> str:
    """Return where the cell is that one `step` leads to from the reference, or a run of `count` cells from there on.

    Args:
        step: 1D or 2D, one cell in each of its directions.
        reference: the phrase for the reference; None leaves it out, and the last placed block is meant.
        plain: only what can follow "starting".
    """
    directions = step.directions
    if len(directions) == 2:
        if count > 1:
            return _diagonal_line(words, directions, reference)
        return _two_ways(words, step, directions, reference, plain)
    (direction,) = directions
    if reference is None:
        return words.pick(f"BESIDE_UNSAID.{direction.value}")
    if count == 1:
        ways = "PLAIN_BESIDE" if plain else "BESIDE"
        return words.pick(f"{ways}.{direction.value}").format(r=reference)
    return _row(words, direction, reference)


def start_from(words: Words, offset: Offset, reference: str, *, gap: bool = False) -> str:
    """Return where a shape starts from the reference: see `beside` and `steps_away`."""
    if offset == offset.step and len(offset.directions) < 3 and words.chance(0.8):
        return beside(words, offset, reference, plain=True)
    return steps_away(words, offset, reference, gap=gap)


def _row(words: Words, direction: Direction, reference: str) -> str:
    """Return several blocks straight on from the reference."""
    # Up or down: the place alone, or that the blocks go on there.
    pp = words.pick(f"SEVERAL_BESIDE.{direction.value}").format(r=reference)
    going = words.pick(f"GOING.{direction.value}")
    # Up or down, then level ways.
    if direction in (Direction.TOP, Direction.BOTTOM):
        kind = words.random() * words.talk.names
        if kind < 0.5:
            return pp
        if kind < 0.75:
            return words.pick("ALONG_GOING_UP").format(to=going, r=reference)
        return words.pick("ALONG_VERTICAL").format(pp=pp)
    kind = words.random() * words.talk.names
    if kind < (0.35 if direction in (Direction.LEFT, Direction.RIGHT) else 0.5):  # "in front of" is most of its names
        return pp
    if kind < 0.65:
        return words.pick("ALONG_BESIDE").format(pp=pp, to=going)
    ways = "ALONG_GOING_AWAY" if direction is Direction.BEHIND else "ALONG_GOING"
    return words.pick(ways).format(to=going, r=reference)


def _diagonal_line(words: Words, directions: Sequence[Direction], reference: str) -> str:
    going = going_to(words, directions)
    ways = "DIAGONAL_LINES_AWAY" if Direction.BEHIND in directions else "DIAGONAL_LINES"
    return words.pick(ways if words.talk.names else f"{ways}_OF_THE_PAPER").format(going=going, r=reference)


def _two_ways(words: Words, step: Offset, directions: tuple[Direction, ...], reference: str | None, plain: bool) -> str:
    """Return one cell in each of two directions."""
    # Now and then in numbers, or diagonally.
    vertical, level = directions  # if neither is vertical: sideways, in depth
    upright = bool(step.up)
    diagonally = "diagonally " if words.chance(_DIAGONALLY if upright else 0.25) else ""
    if words.chance(0.12):
        return steps_away(words, step, reference, noun=words.pick("NEXT_STEP_NOUNS"))
    first, second = (vertical, level) if upright else (level, vertical)
    # Without a reference the two ways alone.
    if reference is None:
        if words.chance(1.0 - _VERTICAL_FIRST):
            first, second = second, first
        ahead, after = words.pick(f"FIRST_UNSAID.{first.value}"), words.pick(f"SECOND_UNSAID.{second.value}")
        return f"{diagonally}{ahead} and {after}"
    # Corners, and two places in one phrase.
    if upright and step.left and words.chance(0.05):
        return words.pick("CORNER_WAYS").format(corner=words.pick(f"CORNERS.{step.relation}"), r=reference)
    if words.chance(_ON_TOP if first is Direction.TOP else 0.15 if upright else 0.3):
        if first is not Direction.TOP or words.chance(_ASIDE):
            at, to = _STEPPED_FROM[first], words.pick(f"ASIDE_TO.{second.value}")
            return words.pick("ASIDE_WAYS").format(at=at, to=to).format(r=reference)
        return f"on top of and {words.pick(f'SECOND_OF_TWO.{second.value}')}".format(r=reference)
    # Otherwise one way after the other.
    if words.chance(1.0 - _VERTICAL_FIRST if upright else 0.5):
        first, second = second, first
    ways = "PLAIN_FIRST_OF_TWO" if plain else "FIRST_OF_TWO"
    ahead, after = words.pick(f"{ways}.{first.value}"), words.pick(f"SECOND_OF_TWO.{second.value}")
    return f"{diagonally}{ahead} and {after}".format(r=reference)


def steps_away(
    words: Words, offset: Offset, reference: str | None, *, gap: bool = False, noun: str | None = None
) -> str:
    """Where a cell is, counted in cells each way from the reference: "two to the left and one above the last block".

    Args:
        gap: the cells on the way are empty: "to the left of the last block with two spaces in between" will do, if
            the offset goes one way.
        noun: what is counted: " space"; None: any of STEP_NOUNS.
    """
    # A gap says where the cell is, too.
    far = len(offset.directions) == 1 and max(map(abs, offset)) > 1
    if gap and far and reference is not None and words.chance(0.3 * words.talk.places):
        return gap_away(words, offset, reference)
    # The numbers of cells each way, in any order.
    parts = [
        (number, direction)
        for number, direction in zip((abs(offset.up), abs(offset.left), abs(offset.away)), _slots(offset), strict=True)
        if number
    ]
    if len(parts) > 1 and words.chance(0.5):
        parts.reverse() if words.chance(0.5) else parts.append(parts.pop(0))
    noun = words.pick("STEP_NOUNS") if noun is None else noun
    in_words = words.chance(_IN_WORDS)
    counted = [_counted(number, noun, in_words) for number, _ in parts]
    if len(parts) == 2 and noun and words.chance(0.4):  # "one space up and two to the left"
        counted[1] = _counted(parts[1][0], "", in_words)
    phrases = [
        words.pick(f"STEPS_AWAY.{direction.value}").format(n=n)
        for n, (_, direction) in zip(counted, parts, strict=True)
    ]
    # The reference is said once, at the end.
    if reference is None:
        return _listed(phrases, words)
    if len(parts) > 1 and words.chance(0.3) and not any(phrase.endswith(_NO_FROM) for phrase in phrases):
        return f"{_listed(phrases, words)} from {reference}"
    phrases[-1] = words.pick(f"STEPS_FROM.{parts[-1][1].value}").format(n=counted[-1], r=reference)
    return _listed(phrases, words)


# "away from you from it", "one above and two left from it" are nothing that people say, "one to the left from it" rare.
_NO_FROM = (
    "you", "above", "below", "underneath", "behind", "in front", "higher", "lower",
    "the left", "the right", "your left", "your right",
)  # fmt: skip


def gap_away(words: Words, offset: Offset, reference: str) -> str:
    """Return where a cell is, by the empty cells between it and the reference: "with a gap of two in between".

    Args:
        offset: two cells or more in one direction.
    """
    (direction,) = offset.directions
    empty = max(map(abs, offset)) - 1
    pp = words.pick(f"SEVERAL_BESIDE.{direction.value}").format(r=reference)
    spaces = counted_spaces(words, empty, words.pick("GAP_NOUNS"))
    return words.pick("GAPS").format(pp=pp, n=spaces, m=number_word(empty))


def counted_spaces(words: Words, number: int, noun: str) -> str:
    """Empty cells: "a space", "2 empty spaces"."""
    if number == 1 and words.chance(0.6):
        return article(f"a{noun}")
    return _counted(number, noun, words.chance(_IN_WORDS))


def going_to(words: Words, directions: Sequence[Direction]) -> str:
    """Return a direction with the Builder as its anchor: "up and to your left"."""
    order = list(directions)
    if len(order) == 2 and words.chance(0.15):
        order.reverse()
    ways = [words.pick(f"GOING.{direction.value}") for direction in order]
    if sum(way.startswith("toward") for way in ways) > 1:  # not "towards your right and towards you"
        ways = [way.replace("towards your ", "to your ") for way in ways]
    return " and ".join(ways)


def _slots(offset: Offset) -> tuple[Direction, Direction, Direction]:
    """Return the direction of each part of the offset, if there is any of it: vertical, sideways, in depth."""
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
