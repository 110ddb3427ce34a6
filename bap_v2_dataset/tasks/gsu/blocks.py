"""Blocks at positions, as questions write them: four representations, and the way back (GSU, 3.1.3 and Table 4)."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from bap_v2_metric.errors import UserError

PositionedBlock = tuple[str, tuple[int, ...]]  # color, (x, y) or (x, y, z)


class BlockListError(UserError):
    """A representation that does not exist, or a text that is not in it."""


class BlockNotation(NamedTuple):
    """A way to write a list of blocks."""

    write: Callable[[str, Sequence[int]], str]  # a block
    pattern: re.Pattern  # of a block; the first group is the color, the second the coordinates
    last: str = ", "  # before the last of several blocks


def _plain(color: str, position: Sequence[int]) -> str:
    return f"{color} {' '.join(map(str, position))}"


def _set(color: str, position: Sequence[int]) -> str:
    return f"({color}, {str(tuple(position))[1:]}"


def _dict(color: str, position: Sequence[int]) -> str:
    return f"(color = {color}, {', '.join(f'{axis} = {value}' for axis, value in zip('xyz', position))})"


def _text(color: str, position: Sequence[int]) -> str:
    return f"{_ARTICLES.get(color, 'a')} {color} block at {tuple(position)}"


_ARTICLES = {"orange": "an"}
_COLOR = r"([a-z]{1,20})"
_NUMBER = r"-?\d{1,9}"  # as in the notation of building; thousands of digits are no number to Python
REPRESENTATIONS: Mapping[str, BlockNotation] = {
    "plain": BlockNotation(_plain, re.compile(rf"{_COLOR} ({_NUMBER}(?: {_NUMBER}){{1,2}})")),
    "set": BlockNotation(_set, re.compile(rf"\({_COLOR}, ({_NUMBER}(?:, {_NUMBER}){{1,2}})\)")),
    "dict": BlockNotation(_dict, re.compile(rf"\(color = {_COLOR}, (x = {_NUMBER}(?:, [yz] = {_NUMBER}){{1,2}})\)")),
    "text": BlockNotation(_text, re.compile(rf"an? {_COLOR} block at \(({_NUMBER}(?:, {_NUMBER}){{1,2}})\)"), ", and "),
}


def format_block(block: PositionedBlock) -> str:
    """Return a block as the column `blocks` has it: `red 1 2 0`."""
    return _plain(*block)


def format_blocks(blocks: Iterable[PositionedBlock], representation: str = "text") -> str:
    """Blocks in their order, in one line.

    Args:
        representation: plain, set, dict or text.
    Raises:
        BlockListError: for an unknown representation.

    >>> format_blocks([("orange", (0, 0, 0)), ("red", (1, 0, 0))])
    'an orange block at (0, 0, 0), and a red block at (1, 0, 0)'
    >>> format_blocks([("orange", (0, 0)), ("red", (1, 0))], "dict")
    '(color = orange, x = 0, y = 0), (color = red, x = 1, y = 0)'
    """
    of = _representation(representation)
    *others, last = [of.write(color, position) for color, position in blocks] or [""]
    return f"{', '.join(others)}{of.last}{last}" if others else last


def parse_blocks(text: str, representation: str = "text") -> list[PositionedBlock]:
    """Return the blocks of a text: the inverse of `format_blocks`.

    Raises:
        BlockListError: for an unknown representation, and a text that is not in this one.

    >>> parse_blocks("(red, 1, 2, 0), (orange, 1, -2, 0)", "set")
    [('red', (1, 2, 0)), ('orange', (1, -2, 0))]
    """
    of = _representation(representation)
    blocks = [
        (match[1], tuple(int(number) for number in re.findall(_NUMBER, match[2])))
        for match in of.pattern.finditer(text)
    ]
    if format_blocks(blocks, representation) != text:
        raise BlockListError(f"not a list of blocks in the representation {representation}: {text[:80]!r}")
    return blocks


def _representation(name: str) -> BlockNotation:
    if name not in REPRESENTATIONS:
        known = ", ".join(REPRESENTATIONS)
        raise BlockListError(f"unknown representation {name!r} (expected one of {known})")
    return REPRESENTATIONS[name]
