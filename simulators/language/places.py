"""Where a cell is and which way it is, in words (BAP v2, 5.2.3).

A phrase made here denotes what it was made for: "to the left of {r}" is one cell to the left of whatever {r} is.
"""

from collections.abc import Sequence

from bap_v2_simulators.language.sentences import number_word
from bap_v2_simulators.language.words import Words
from bap_v2_simulators.view import Direction, Offset
from bap_v2_simulators.wording import places


def beside(words: Words, step: Offset, reference: str | None, count: int = 1, *, plain: bool = False) -> str:
    """Where the cell is that one `step` leads to from the reference, or a run of `count` cells from there on.

    Args:
        step: 1D or 2D, one cell in each of its directions.
        reference: the phrase for the reference; None leaves it out, and the last placed block is meant.
        plain: only what can follow "starting".
    """
    directions = step.directions
    if len(directions) == 1:
        (direction,) = directions
        if reference is None:
            return words.pick(places.BESIDE_UNSAID[direction])
        if count == 1:
            return words.pick((places.PLAIN_BESIDE if plain else places.BESIDE)[direction]).format(r=reference)
        if not step.up and words.chance(0.45):
            going = words.pick(places.GOING[direction])
            ways = places.ALONG_GOING_AWAY if direction is Direction.BEHIND else places.ALONG_GOING
            return words.pick(ways).format(to=going, r=reference)
        ways = places.ALONG_VERTICAL if step.up else places.ALONG
        return words.pick(ways).format(pp=words.pick(places.FAR_BESIDE[direction]).format(r=reference))
    if count > 1:
        going = going_to(words, directions)
        ways = places.DIAGONAL_LINES_AWAY if Direction.BEHIND in directions else places.DIAGONAL_LINES
        return words.pick(ways).format(going=going, r=reference)
    if words.chance(0.4):
        corner = words.pick(places.CORNERS[directions])
        if reference is None:
            return words.pick(places.CORNER_UNSAID).format(corner=corner)
        ways = places.PLAIN_CORNER_WAYS if plain else places.CORNER_WAYS
        return words.pick(ways).format(corner=corner, r=reference)
    if reference is None or words.chance(0.25):
        return steps_away(words, step, reference)
    first, second = directions if words.chance(0.6) else directions[::-1]
    return words.pick(places.TWO_WAYS).format(
        first=words.pick(places.FIRST_OF_TWO[first]), second=words.pick(places.NEXT_TO_REFERENCE[second]), r=reference
    )


def steps_away(words: Words, offset: Offset, reference: str | None) -> str:
    """Where a cell is, counted in cells each way from the reference: "two to the left and one above the last block"."""
    parts = [
        (number, direction)
        for number, direction in zip((abs(offset.up), abs(offset.left), abs(offset.away)), _slots(offset), strict=True)
        if number
    ]
    if len(parts) > 1 and words.chance(0.5):
        parts.reverse() if words.chance(0.5) else parts.append(parts.pop(0))
    noun = words.pick(places.STEP_NOUNS)
    in_words = words.chance(0.75)
    counted = [_counted(number, noun, in_words) for number, _ in parts]
    phrases = [
        words.pick(places.STEPS_AWAY[direction]).format(n=n) for n, (_, direction) in zip(counted, parts, strict=True)
    ]
    if reference is None:
        return _listed(phrases, words)
    if len(parts) > 1 and words.chance(0.35):
        steps = _listed(phrases, words)
        ways = places.STEPS_RELATIVE[1:] if steps.endswith("from you") else places.STEPS_RELATIVE
        return words.pick(ways).format(steps=steps, r=reference)
    phrases[-1] = words.pick(places.STEPS_FROM[parts[-1][1]]).format(n=counted[-1], r=reference)
    return _listed(phrases, words)


def going_to(words: Words, directions: Sequence[Direction]) -> str:
    """A direction with the Builder as its anchor: "up and to the left of you"."""
    order = list(directions)
    if len(order) == 2 and words.chance(0.4):
        order.reverse()
    return " and ".join(words.pick(places.GOING[direction]) for direction in order)


def _slots(offset: Offset) -> tuple[Direction, Direction, Direction]:
    """The direction of each part of the offset, if there is any of it: vertical, sideways, in depth."""
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
