"""What the readers of all questions share: finding a phrase or saying which one is missing, and reading numbers."""

import re
from decimal import Decimal
from typing import NamedTuple

from bap_v2_metric.errors import UserError

NUMBER = r"-?\d+(?:\.\d+)?"
POSITION = rf"\({NUMBER}(?:, {NUMBER}){{1,2}}\)"
WAY = r"(?:positive|negative) [xyz]"

Vector = tuple[Decimal, Decimal, Decimal]


class GsuQuestionError(UserError):
    """A question that the reader does not understand; the message names what it looked for."""


class Axes(NamedTuple):
    """Where ahead and to the right are for somebody, as vectors of length 1."""

    ahead: Vector
    right: Vector

    def facing(self, way: Vector) -> "Axes":
        """Return the same person turned to face this way; what leads up or down turns nobody.

        >>> Axes(way_of("positive y"), way_of("positive x")).facing(way_of("negative x")).right == way_of("positive y")
        True
        """
        turns = {
            self.ahead: self.right,
            self.right: opposite(self.ahead),
            opposite(self.ahead): opposite(self.right),
            opposite(self.right): self.ahead,
        }
        return Axes(way, turns[way]) if way in turns else self


def found(pattern: str, question: str, what: str) -> re.Match[str]:
    """Return where a pattern stands in a question. Raises: GsuQuestionError, with `what` was looked for."""
    match = re.search(pattern, question)
    if match is None:
        raise GsuQuestionError(f"cannot find {what} in the question {question[:80]!r}: expected a question of GSU")
    return match


def way_of(text: str) -> Vector:
    """Return a way by its name.

    >>> [int(value) for value in way_of("negative y")]
    [0, -1, 0]
    """
    sign, axis = text.split()
    values = [Decimal(0)] * 3
    values["xyz".index(axis)] = Decimal(1 if sign == "positive" else -1)
    return values[0], values[1], values[2]


def position_of(text: str) -> Vector:
    """Return a position as it is printed; without a third coordinate at the height 0."""
    values = [Decimal(number) for number in re.findall(NUMBER, text)]
    return values[0], values[1], values[2] if len(values) == 3 else Decimal(0)


def opposite(vector: Vector) -> Vector:
    """Return the vector that leads back."""
    x, y, z = vector
    return 0 - x, 0 - y, 0 - z


def number_text(number: Decimal) -> str:
    """Return a number without zeros at its end.

    >>> number_text(Decimal("-20")), number_text(Decimal("1.50")), number_text(Decimal("-0"))
    ('-20', '1.5', '0')
    """
    return format(number.normalize() + 0, "f")
