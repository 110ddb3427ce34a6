"""The form of a row, a diagonal or a plane as the Builder sees it: what its words depend on."""

from dataclasses import dataclass

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
        """Whether it rises."""
        return any(step.up for step in self.steps)

    @property
    def column(self) -> bool:
        """Whether it is a line that goes straight up."""
        return self.kind is ShapeKind.ROW and self.upright

    @property
    def plane(self) -> bool:
        """Whether it has two sides."""
        return self.kind is ShapeKind.PLANE

    @property
    def equal_sides(self) -> bool:
        """Whether it is a square."""
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
        """Whether it goes to the left or to the right."""
        return any(step.left for step in self.steps)

    @property
    def directions(self) -> tuple[Direction, ...]:
        """The directions that are said: of a wall and of a column it goes without saying that they go up."""
        shown = tuple(direction for step in reversed(self.steps) for direction in step.directions)
        if self.plane and self.upright:
            return tuple(direction for direction in shown if direction is not Direction.TOP)
        return shown
