"""What turns that change, repeat, mirror or extend something do to a board.

Each function gives an effect: from the world to the actions, None if it makes no sense there.
"""

from collections.abc import Callable, Iterable, Sequence

from bap_v2_dataset.tasks.building.baselines.symbolic_meanings import UP, Way
from bap_v2_dataset.tasks.building.baselines.symbolic_objects import part_added
from bap_v2_dataset.tasks.building.baselines.symbolic_shapes import on_the_ground
from bap_v2_dataset.tasks.building.baselines.symbolic_things import picture, thing
from bap_v2_dataset.tasks.building.baselines.symbolic_world import World
from bap_v2_metric.actions import Action, Remove
from bap_v2_metric.blocks import Cell, Color
from bap_v2_simulators.building import placement
from bap_v2_simulators.shapes import along

Effect = Callable[[World, Callable[[str, World], Cell | None]], list[Action] | None]


def recolored(name: str, color: Color | None) -> Effect:
    """Give a thing another color; without one, take it away."""

    def effect(world: World, _at) -> list[Action] | None:
        cells = thing(name, world)
        if cells is None or (color is None and name in ("it", "that", "this", "them", "those")):
            return None
        return changed(world, cells, [] if color is None else [(cell, color) for cell in cells])

    return effect


def removed_last(count: int = 0) -> Effect:
    """Take away the last blocks of the turn before, or all of them."""

    def effect(world: World, _at) -> list[Action] | None:
        return changed(world, world.run[-count:], []) if world.run else None

    return effect


def removed_newest() -> Effect:
    """Take away the block placed last."""

    def effect(world: World, _at) -> list[Action] | None:
        return changed(world, (world.last,), []) if world.last is not None else None

    return effect


def shifted(name: str, way: Way, count: int) -> Effect:
    """Move a thing."""

    def effect(world: World, _at) -> list[Action] | None:
        cells = thing(name, world)
        if cells is None:
            return None
        return changed(world, cells, [(_gone(world, cell, way, count), world.board[cell]) for cell in cells])

    return effect


def lengthened(name: str, way: Way | None, count: int) -> Effect:
    """Let a line go on at one end; without a way as it was built, and a tower up."""

    def effect(world: World, _at) -> list[Action] | None:
        cells = thing(name, world)
        if cells is None:
            return None
        # Which way it goes: as it is said, up, or as it was built.
        ordered = sorted(cells)
        goes = way
        if goes is None and len({(cell.x, cell.z) for cell in cells}) == 1:
            goes = UP
        if goes is None:
            run = world.run if len(world.run) > 1 and set(world.run) <= set(cells) else cells
            first, second = run[-2:] if len(run) > 1 else (ordered[0], ordered[-1])
            goes = Way(*((part > 0) - (part < 0) for part in world.way(first, second)))
        # Go on from the block that is farthest that way.
        end = max(cells, key=lambda cell: along(cell, world.vector(goes)))
        color = world.board[end]
        return changed(world, (), [(_gone(world, end, goes, number), color) for number in range(1, count + 1)])

    return effect


def continued(way: Way | None, count: int) -> Effect:
    """Return so many blocks more from the last one on, in its color; without a way as the last run went."""

    def effect(world: World, _at) -> list[Action] | None:
        if world.last is None or world.last not in world.board or (way is None and len(world.run) < 2):
            return None
        goes = world.way(*world.run[-2:]) if way is None else way
        cells = [_gone(world, world.last, goes, number) for number in range(1, count + 1)]
        return changed(world, (), [(cell, world.board[world.last]) for cell in cells])

    return effect


def copied(name: str, way: Way, gap: int, color: Color | None, *, one: bool = False) -> Effect:
    """Return the same once more, so many empty cells away.

    Args:
        one: it is called "another one of those", which after a single block means such a block.
    """

    def effect(world: World, _at) -> list[Action] | None:
        cells = thing(name, world)
        if cells is None or (one and len(world.run) == 1 < len(cells)):
            return None
        reach = [along(cell, world.vector(way)) for cell in cells]
        far = max(reach) - min(reach) + 1 + gap
        return changed(world, (), [(_gone(world, cell, way, far), color or world.board[cell]) for cell in cells])

    return effect


def mirrored(name: str, pivot: str) -> Effect:
    """Return the mirror image on the other side of another thing, along the axis on which that is beside it."""

    def effect(world: World, _at) -> list[Action] | None:
        cells, middle = thing(name, world), thing(pivot, world)
        if cells is None or middle is None or cells == middle:
            return None
        for axis in (0, 2):
            low, high = min(cell[axis] for cell in middle), max(cell[axis] for cell in middle)
            if all(cell[axis] > high for cell in cells) or all(cell[axis] < low for cell in cells):
                images = [
                    Cell(*(low + high - part if i == axis else part for i, part in enumerate(cell))) for cell in cells
                ]
                return changed(world, (), [(cell, world.board[own]) for cell, own in zip(images, cells, strict=True)])
        return None

    return effect


def with_part(line: str) -> Effect:
    """Return a further part of an object."""

    def effect(world: World, _at) -> list[Action] | None:
        cells, color, alike = part_added(line, world.names, world.vector)
        color = color or world.board.get(alike)
        return changed(world, (), [(cell, color) for cell in cells]) if cells and color else None

    return effect


def drawn(name: str, color: Color | None, size: tuple[int, int], upright: bool, at: str | None) -> Effect:
    """Return a letter as the Builder reads it; on the ground, or with its bottom left block at a place."""

    def effect(world: World, first_cell) -> list[Action] | None:
        blocks = picture(name, *size)
        if blocks is None:
            return None
        # The cells of the letter as the Builder sees them, from the bottom left.
        ways = [Way(-u, v, 0) if upright else Way(-u, 0, v) for u, v in sorted(blocks, key=lambda block: block[::-1])]
        start = None if at is None else first_cell(at, world)
        if at is not None and start is None:
            return None
        # Move the first cell to its place, or the letter to the ground.
        origin = start or Cell(0, 1, 0)
        first = world.cell(Cell(0, 0, 0), ways[0])
        cells = [world.cell(Cell(*(a - b for a, b in zip(origin, first, strict=True))), way) for way in ways]
        if at is None:
            cells = on_the_ground([Cell(x, y - 1, z) for x, y, z in cells], Cell(0, 1, 0))
        return changed(world, (), [(cell, color or Color.RED) for cell in cells])

    return effect


def changed(world: World, goes: Iterable[Cell], comes: Sequence[tuple[Cell, Color]]) -> list[Action]:
    """Return the actions that take some blocks away and place others; what stays as it is is left alone."""
    wanted = dict(comes)
    gone = [cell for cell in goes if cell in world.board and wanted.get(cell) is not world.board[cell]]
    board = {cell: color for cell, color in world.board.items() if cell not in set(gone)}
    actions: list[Action] = [Remove(cell) for cell in reversed(gone)]
    for cell, color in comes:
        if cell.in_region and cell not in board:
            actions += placement(color, cell, board, wanted)
            board[cell] = color
    return actions


def _gone(world: World, cell: Cell, way: Way, times: int) -> Cell:
    return world.cell(cell, Way(*(times * part for part in way)))
