"""Training items with another number: three blocks of a line, in the words and on the board, become five."""

from collections.abc import Sequence
from random import Random

from bap_v2_dataset.augmentation.lexicon import cased, with_article
from bap_v2_dataset.augmentation.patterns import patterns_beside
from bap_v2_metric.blocks import Y_MIN, Cell, Color
from bap_v2_simulators.number_words import NUMBER_WORDS
from bap_v2_simulators.targets import BLOCKS_PER_COLOR
from bap_v2_training.learning.net_actions import REMOVE
from bap_v2_training.pointer.examples import PointerExample

MOST = 8  # blocks of a line
_DIGITS = {word: str(number) for number, word in enumerate(NUMBER_WORDS)}
_SAYS = patterns_beside(__file__, COLORS="|".join(color.value for color in Color), NUMBERS="|".join(NUMBER_WORDS[2:]))


def recounted(example: PointerExample, rng: Random) -> PointerExample:
    """Return the example with another length of its line, in words and blocks; as it is where that is not safe."""
    # The number that is said, and the line that has it
    said = _number_in(example.dialogue)
    line = _line_of(example) if said is not None else None
    if line is None or len(line) != int(_DIGITS.get(said[1].lower(), said[1])):
        return example
    # The numbers whose blocks there are, inside and free; a level line keeps away from what it does not touch
    color, full = example.net[0][0], {Cell(*cell) for _, *cell in example.blocks}
    step = [there - here for here, there in zip(*line[:2])]
    longest = [Cell(*(start + n * by for start, by in zip(line[0], step))) for n in range(max(MOST, len(line)) + 1)]
    most = min(MOST, BLOCKS_PER_COLOR - sum(block[0] == color for block in example.blocks))
    for length in range(len(line), MOST + 1):
        cell = longest[length]
        if not cell.in_region or cell in full or (not step[1] and not full.isdisjoint(cell.neighbors)):
            most = min(most, length)
    others = [length for length in range(2, most + 1) if length != len(line)]
    if not others or longest[len(line)] in full:
        return example
    # One of them, in the same form
    (before, number, after), new = said, rng.choice(others)
    word = str(new) if number.isdigit() else cased(NUMBER_WORDS[new], number)
    changed = with_article(before, number, word) + word + after
    dialogue = tuple(changed if text == "".join(said) else text for text in example.dialogue)
    return example._replace(dialogue=dialogue, net=tuple((color, *cell) for cell in longest[:new]))


def _number_in(dialogue: Sequence[str]) -> tuple[str, str, str] | None:
    """Return the one number above 1, with what stands before and after it in its line, if it counts what is built."""
    numbers = [(line, one) for line in dialogue for one in _SAYS.number.finditer(line.lower())]
    found = [(line, one.span()) for line, one in numbers if int(_DIGITS.get(one[0], one[0])) > 1]
    if len(found) != 1 or any(_SAYS.bound.search(line.lower()) for line in dialogue):
        return None
    line, (start, end) = found[0]
    lower = line.lower()
    counts = _SAYS.counts.match(lower, end) and not _SAYS.before.search(lower[:start])
    return (line[:start], line[start:end], line[end:]) if counts and lower.startswith("<architect>") else None


def _line_of(example: PointerExample) -> list[Cell] | None:
    """Return the cells that are built if they are a straight line of a color, from the end on where it is held."""
    cells = sorted(Cell(*cell) for _, *cell in example.net)
    axes = [axis for axis in range(3) if cells and cells[0][axis] != cells[-1][axis]]
    kinds = {kind for kind, *_ in example.net}
    if len(axes) != 1 or cells[-1][axes[0]] - cells[0][axes[0]] != len(cells) - 1 or len(kinds) != 1 or REMOVE in kinds:
        return None
    full, words = {Cell(*cell) for _, *cell in example.blocks}, " ".join(example.dialogue).lower()
    first, last = cells[0], cells[-1]
    if axes == [1]:  # a tower
        below, above = first._replace(y=first.y - 1) in full, last._replace(y=last.y + 1) in full
        stands = below or (first.y == Y_MIN and not _SAYS.down.search(words))
        return None if stands == above else cells if stands else cells[::-1]
    if not full:
        return cells if example.net[0][1:] != last else cells[::-1]
    held = [cell for cell in cells if not full.isdisjoint(cell.neighbors)]
    if _SAYS.level.search(words) or held not in ([first], [last]):
        return None
    return cells if held == [first] else cells[::-1]
