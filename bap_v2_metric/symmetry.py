"""Symmetries of the world: mirrored, turned, shifted, in other colors; what means the same there moves along.

The square BuildRegion looks the same from its four sides and in a mirror, no place on it is special, and no color is.
So a Builder that understands an instruction gives in the transformed world the transformed answer.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from .actions import Action, NetAction, Place, Remove
from .alignment import quarter_turned
from .blocks import Block, Cell, Color, Structure
from .errors import UserError

_COLORS = tuple(Color)


class SymmetryError(UserError):
    """A record that is not a symmetry; the message names the value and what was expected."""


class Symmetry(NamedTuple):
    """First the mirror, x to -x; then quarter turns, (x, z) to (-z, x); then the shift; and the colors.

    >>> moved = Symmetry(quarter_turns=1, dx=2)
    >>> moved.cell(Cell(1, 1, 0)), moved.inverse.cell(Cell(2, 1, 1))
    (Cell(x=2, y=1, z=1), Cell(x=1, y=1, z=0))
    """

    mirror: bool = False
    quarter_turns: int = 0  # 0..3, about the vertical axis through x = z = 0
    dx: int = 0  # cells
    dz: int = 0
    colors: tuple[Color, ...] = _COLORS  # what each color becomes, in the order of `Color`

    def cell(self, cell: Cell) -> Cell:
        """Return the cell in the transformed world, perhaps outside the BuildRegion."""
        x, y, z = cell
        x, z = quarter_turned(-x if self.mirror else x, z, self.quarter_turns)
        return Cell(x + self.dx, y, z + self.dz)

    def color(self, color: Color) -> Color:
        """Return the color in the transformed world."""
        return self.colors[_COLORS.index(color)]

    def action(self, action: Action) -> Action:
        """Return the action in the transformed world."""
        if isinstance(action, Remove):
            return Remove(self.cell(action.cell))
        return Place(self.color(action.color), self.cell(action.cell))

    def net_action(self, action: NetAction) -> NetAction:
        """Return the net action in the transformed world."""
        return NetAction(action.type, self.color(action.color), self.cell(action.cell))

    def structure(self, structure: Structure) -> Structure:
        """Return the structure in the transformed world, its blocks in the same order."""
        return Structure(Block(self.color(color), self.cell(cell)) for color, cell in structure)

    @property
    def inverse(self) -> "Symmetry":
        """The symmetry that leads back."""
        turns = self.quarter_turns if self.mirror else -self.quarter_turns % 4
        dx, _, dz = Symmetry(self.mirror, turns).cell(Cell(-self.dx, 0, -self.dz))
        return Symmetry(self.mirror, turns, dx, dz, tuple(_COLORS[self.colors.index(color)] for color in _COLORS))

    def to_json(self) -> dict[str, Any]:
        """Return the record that stands in the metadata of a row: `from_json` reads it.

        >>> Symmetry(dx=3).to_json()["dx"], IDENTITY.to_json()["colors"]["red"]
        (3, 'red')
        """
        colors = {old.value: new.value for old, new in zip(_COLORS, self.colors)}
        return {**self._asdict(), "colors": colors}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "Symmetry":
        """Return the symmetry of `to_json`; what the record does not name is as in the identity.

        Raises:
            SymmetryError: for another field, a number that is none, quarter turns outside 0..3, or colors that are not
                a permutation of all six.
        """
        # No other fields.
        if not isinstance(record, Mapping) or (unknown := sorted(map(str, set(record) - set(cls._fields)))):
            shown = repr(unknown[0]) if isinstance(record, Mapping) else repr(record)
            raise SymmetryError(f"{shown} is not part of a symmetry (expected {', '.join(cls._fields)})")
        # The numbers, each of its kind.
        mirror, turns = record.get("mirror", False), record.get("quarter_turns", 0)
        dx, dz = record.get("dx", 0), record.get("dz", 0)
        if not isinstance(mirror, bool):
            raise SymmetryError(f"mirror is {mirror!r} (expected true or false)")
        for name, number in (("quarter_turns", turns), ("dx", dx), ("dz", dz)):
            if not isinstance(number, int) or isinstance(number, bool):
                raise SymmetryError(f"{name} is {number!r} (expected a whole number)")
        if not 0 <= turns <= 3:
            raise SymmetryError(f"quarter_turns is {turns} (expected 0, 1, 2 or 3)")
        # Every color becomes another one, or stays.
        colors = record.get("colors") or {color.value: color.value for color in _COLORS}
        names = [color.value for color in _COLORS]
        permuted = isinstance(colors, Mapping) and all(
            sorted(map(str, c)) == sorted(names) for c in (colors, colors.values())
        )
        if not permuted:
            raise SymmetryError(f"colors are {colors!r} (expected a permutation of {', '.join(names)})")
        return cls(mirror, turns, dx, dz, tuple(Color(colors[name]) for name in names))


IDENTITY = Symmetry()
