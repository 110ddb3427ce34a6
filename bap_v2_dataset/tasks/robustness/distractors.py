"""Families spc_add and spc_remove: one, two or three blocks more or fewer, far from what is talked about (SPC).

The history changes with the board: it tells of the added blocks first of all, and no longer of those that are gone.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from random import Random

from bap_v2_dataset.augmentation.transforms import color_words
from bap_v2_dataset.items.rows import last_turn
from bap_v2_dataset.tasks.robustness.parent import Parent, VariantChange, words_of
from bap_v2_dataset.tasks.robustness.unsafe_words import UNSAFE
from bap_v2_metric.actions import Place
from bap_v2_metric.blocks import X_MAX, X_MIN, Y_MIN, Z_MAX, Z_MIN, Block, Cell, Color
from bap_v2_metric.notation import format_action, format_block, parse_action
from bap_v2_simulators.targets import BLOCKS_PER_COLOR
from bap_v2_simulators.view import manhattan

FAR = 3  # steps along the axes from what the instruction is about
APART = 2  # and from every other block, past or present
_DRAWS = 24  # of blocks to take away
_AN_ORDER = 4  # words of the Architect, fewer are a yes or a sorry
_GROUND = [Cell(x, Y_MIN, z) for x in range(X_MIN, X_MAX + 1) for z in range(Z_MIN, Z_MAX + 1)]


def with_more_blocks(parent: Parent, rng: Random, number: int) -> VariantChange | None:
    """Return the item with `number` blocks more on the ground, of colors that the dialogue does not name.

    Nobody mentions them: they are placed before the first action of the history, so that the newest block stays the
    newest. None on an empty board, without an action in the history, where there is no room or no color; and, of human
    items, where a word of the dialogue may mean every block.
    """
    # Where a further block would change what the words mean, there is no variant.
    if not parent.blocks or not parent.runs or _means_every_block(parent):
        return None
    # Cells far from everything, and colors that nobody speaks of.
    colors = _free_colors(parent, number)
    room, cells = _room(parent), []
    while room and len(cells) < number:
        cells.append(rng.choice(room))
        room = [cell for cell in room if cell not in _around(cells[-1:], APART)]
    if len(cells) < number or not colors:
        return None
    # They were placed at the beginning of the history, and stand on both boards.
    added = [Block(rng.choice(colors), cell) for cell in cells]
    lines = [format_block(block) for block in added]
    history = list(parent.row["history"])
    first = parent.runs[0][0]
    history[first:first] = [format_action(Place(*block)) for block in added]
    before, after = (lines + list(parent.row[name]) for name in ("before", "after"))
    return VariantChange({"history": history, "before": before, "after": after}, facts={"blocks": lines})


@lru_cache(maxsize=1)
def _room(parent: Parent) -> list[Cell]:
    """Return the cells on the ground where a block may be added."""
    taken = {action.cell for action in parent.past} | {block.cell for block in parent.blocks}
    near = _around(parent.matters, FAR) | _around(taken, APART)
    if parent.pose is not None:
        near.add(Cell(int(parent.pose.x // 1), Y_MIN, int(parent.pose.z // 1)))  # where the Builder's feet are
    return [cell for cell in _GROUND if cell not in near]


def with_fewer_blocks(parent: Parent, rng: Random, number: int) -> VariantChange | None:
    """Return the item with `number` blocks fewer, and without the actions that placed them.

    Blocks of simulated items: not of the last run of actions, and every run keeps an action. Of human items only whole
    figures, blocks that touch no others, in colors that the dialogue does not name: people talk of a figure by its
    parts, so a part that is gone changes what they mean. Of several blocks of a color that the dialogue names never
    all but one are taken away: of one there is no leftmost.
    """
    # Where fewer blocks would change what the words mean, there is no variant.
    if len(parent.blocks) <= number or len(parent.runs) < 2 or _means_every_block(parent):
        return None
    # Blocks to leave out, so that no run of actions is empty and none stands alone.
    history, figures = parent.row["history"], _removable(parent)
    placed = {line: position for position, line in enumerate(history)}  # the last of equal lines
    for _ in range(_DRAWS):
        gone = _drawn(figures, number, rng)
        dropped = {placed.get(format_action(Place(parent.before.color_at(cell), cell))) for cell in gone}
        emptied = None in dropped or any(dropped.issuperset(run) for run in parent.runs)
        if gone and not emptied and not _leaves_one(parent, gone):
            break
    else:
        return None
    # They are left out of the history and of both boards.
    lines = [format_block(block) for block in parent.blocks if block.cell in gone]
    return VariantChange(
        {
            "history": [line for position, line in enumerate(history) if position not in dropped],
            "before": [line for line in parent.row["before"] if line not in lines],
            "after": [line for line in parent.row["after"] if line not in lines],
        },
        facts={"blocks": lines},
    )


def _drawn(figures: Sequence[Sequence[Cell]], number: int, rng: Random) -> set[Cell]:
    """Return so many cells of whole figures; none if the figures that were drawn do not add up."""
    gone: set[Cell] = set()
    for figure in rng.sample(figures, len(figures)):
        if len(gone) + len(figure) <= number:
            gone.update(figure)
    return gone if len(gone) == number else set()


def _leaves_one(parent: Parent, gone: Collection[Cell]) -> bool:
    """Return whether of several blocks of a color that the dialogue names one would be left."""
    before = Counter(block.color for block in parent.blocks)
    after = before - Counter(parent.before.color_at(cell) for cell in gone)
    return any(after[color] == 1 < before[color] for color in color_words(parent.dialogue_words))


@lru_cache(maxsize=1)
def _removable(parent: Parent) -> list[list[Cell]]:
    """Return the figures that may be taken away: of simulated items single blocks."""
    history = parent.row["history"]
    last_run = {parse_action(history[position], anywhere=True).cell for position in parent.runs[-1]}
    near = set(parent.matters) | (set() if parent.simulated else last_run)
    figures = [frozenset([block.cell]) for block in parent.blocks] if parent.simulated else _figures(parent)
    named = set() if parent.simulated else set(color_words(parent.dialogue_words))
    return [
        sorted(figure)
        for figure in figures
        if not figure & last_run
        and all(manhattan(cell, other) >= FAR for cell in figure for other in near)
        and not any(parent.before.color_at(cell) in named for cell in figure)
    ]


def _means_every_block(parent: Parent) -> bool:
    """Check if people may mean blocks elsewhere, too: in the dialogue or, if it only agrees, in what it agrees to."""
    if parent.simulated:
        return False
    orders = words_of([line for line in parent.row["dialogue"] if line.startswith("<Architect>")])
    words = parent.dialogue_words
    if len(orders.split()) < _AN_ORDER:
        words += "\n" + words_of(last_turn(parent.row["history"])[0])
    alone = len(parent.runs) == 1 and UNSAFE.PLURALS.search(words) is not None
    return alone or UNSAFE.QUANTIFIERS.search(words) is not None


def _free_colors(parent: Parent, number: int) -> list[Color]:
    """Colors that the dialogue does not name and the newest block does not have, with so many blocks left."""
    used = set(color_words(parent.dialogue_words)) | ({parent.newest.color} if parent.newest else set())
    return [color for color in Color if color not in used and parent.most_blocks[color] + number <= BLOCKS_PER_COLOR]


def _around(cells: Iterable[Cell], steps: int) -> set[Cell]:
    """Return the cells on the ground that are fewer steps away from one of these."""
    around = set()
    for x, y, z in cells:
        left = steps - 1 - abs(y - Y_MIN)
        for dx in range(-left, left + 1):
            rest = left - abs(dx)
            around.update(Cell(x + dx, Y_MIN, z + dz) for dz in range(-rest, rest + 1))
    return around


def _figures(parent: Parent) -> Iterable[frozenset[Cell]]:
    """Return the blocks of the board that touch, also at an edge or a corner, together."""
    left = {block.cell for block in parent.blocks}
    figures = []
    for block in parent.blocks:
        if block.cell not in left:
            continue
        figure, front = {block.cell}, [block.cell]
        while front:
            here = front.pop()
            touching = {cell for cell in left if max(abs(a - b) for a, b in zip(cell, here)) == 1} - figure
            figure |= touching
            front += touching
        left -= figure
        figures.append(frozenset(figure))
    return figures
