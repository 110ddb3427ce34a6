"""A GSU item in a terminal: the question, a map of characters or layers of blocks, the answer, and those of systems."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from bap_v2_dataset.pictures.terminal_colors import Palette
from bap_v2_dataset.tasks.gsu.pictures import item
from bap_v2_dataset.tasks.gsu.pictures.charts import DARTS, Chart, Mark, beside, chart, walk_chart
from bap_v2_metric.blocks import Color
from bap_v2_simulators.gsu.grid import seen_from
from bap_v2_simulators.gsu.walks import position_text

if TYPE_CHECKING:
    from bap_v2_dataset.tasks.gsu.pictures.answers import Answer

_MARGIN = 1  # cells around what is shown


def item_text(
    row: Mapping[str, Any], answers: "Sequence[Answer]", width: int, colors: Palette | None
) -> Iterator[RenderableType]:
    """Yield the parts of an item, one below the other.

    Args:
        answers: of systems (`gsu_answers.answered`).
        width, colors: of the terminal.
    """
    # The right answer, and those of systems.
    yield Text("\n".join(item.question_lines(row)))
    yield Text()
    palette = colors or Palette.EXACT
    if row["task"] == "structure":
        yield from _structure(row, width, palette)
    elif row["task"] == "localization":
        yield from _scene(row, width, palette)
    else:
        walk = item.walk_of(row)
        assert walk is not None
        if row["task"] == "combined":
            yield from _outlook(row, walk, width, palette)
        else:
            yield from beside([walk_chart(walk, _title(walk), width, _ends(answers))], width)
            yield Text("\n".join(["", *walk.lines()]))
    # The right answer, and those of systems.
    yield Text("\nAnswer  ", "bold").append(row["answer"], "not bold")
    for answer in answers:
        note = f"   {answer.note}" if answer.note else ""
        yield Text(f"{answer.mark} {answer.name}", "bold").append(note, "not bold")
        yield Padding(Text(answer.said), (0, 0, 0, 2))
        if answer.walk is not None and not answer.right:
            yield Padding(Text(f"ends at {position_text(answer.walk.path[-1])}", "dim"), (0, 0, 0, 2))


def _title(walk: item.Walk) -> str:
    marks = "S start, E end" + (", ▲▶▼◀ where the walker faces" if walk.turns else "")
    return f"From above: {marks}" + (", ↕ up or down" if walk.dims == 3 else "")


def _ends(answers: "Sequence[Answer]") -> list[item.Place]:
    """Return where wrong answers end."""
    wrong = [answer for answer in answers if not answer.right]
    return [answer.walk.path[-1] if answer.walk else answer.point for answer in wrong if answer.walk or answer.point]


def _scene(row: Mapping[str, Any], width: int, palette: Palette) -> Iterator[RenderableType]:
    """Yield a map, in three dimensions also what is beside and above each other, and a line for each block."""
    # The map, and in three dimensions what the viewer sees.
    facts, blocks = row["metadata"], item.blocks_of(row)
    heading, viewer = facts["heading"], tuple(facts["viewer"])
    base = tuple(facts["reference"]) if facts.get("reference") else viewer
    solid = row["dims"] == 3
    you = Mark(DARTS[heading], "bold")
    order = (lambda place: -place[2]) if solid else (lambda place: 0)
    charts = [
        _seen(f"The map; you are {you.text}", blocks, viewer, you, lambda place: place[:2], order, width, palette)
    ]
    units = ((1, 0, 0)[: row["dims"]], (0, 1, 0)[: row["dims"]])
    if solid:

        def as_seen(place: item.Place) -> item.Place:
            return seen_from(heading, viewer, place).right, place[2]

        def distance(place: item.Place) -> int:
            return seen_from(heading, viewer, place).ahead

        title = "As you see it: right, and height"
        charts.append(_seen(title, blocks, viewer, Mark("@", "bold"), as_seen, distance, width, palette))
    yield from beside(charts, width)
    # What the directions on the map are called.
    of = "the reference" if facts.get("reference") else "you"
    right, left, above, below = item.words_around(heading, base, item.sides_of(row), units)
    has = "have" if of == "you" else "has"
    around = f"{above} above, {below} below, {left} to the left, {right} to the right"
    yield Text(f"\nOn the map {of} {has} {around}.", "dim")
    yield Text(f"{you.text if not solid else f'{you.text} @'} you at {position_text(viewer)}, facing {heading}")
    # A line for each block, the target first.
    for block in sorted(blocks, key=lambda block: ("target", "reference", "").index(block.role)):
        role = f", the {block.role}" if block.role else ""
        from_base = ""
        if block.role == "target" and base != viewer:
            from_base = f"; from the reference {item.place_of(heading, base, block.place)}"
        line = Text().append(_letter(block.color), palette.block(Color(block.color)))
        line.append(f" {block.color} at {position_text(block.place)}{role}: ", "bold" if role else "")
        yield line.append(f"from you {item.place_of(heading, viewer, block.place)}{from_base}", "not bold")


def _seen(
    title: str,
    blocks: Sequence[item.PicturedBlock],
    viewer: item.Place,
    you: Mark,
    on: Callable[[item.Place], item.Place],
    order: Callable[[item.Place], float],
    width: int,
    palette: Palette,
) -> Chart:
    """Return a map of letters; of several at one place the one that is nearest to the eye comes first."""
    # The letters at each place, the nearest block first; the viewer stands before all.
    there: dict[tuple[int, int], list[item.PicturedBlock]] = {}
    for block in sorted(blocks, key=lambda block: order(block.place)):
        there.setdefault(on(block.place), []).append(block)  # type: ignore
    cells: dict[tuple[int, int], Mark] = {}
    for at, here in there.items():
        letters = "".join(_letter(block.color) for block in here)
        cells[at] = Mark(letters, palette.block(Color(here[0].color)) if len(here) == 1 else "bold")  # type: ignore
    at = on(viewer)
    mine = cells.get(at)  # type: ignore
    cells[at] = Mark(f"{you.text}{mine.text if mine else ''}", "bold")  # type: ignore
    # If the map is too wide, a place has two characters.
    frame = _frame(cells)
    widest = max(len(mark.text) for mark in cells.values())
    wide = widest + 1
    if 5 + wide * (frame[2] - frame[0] + 1) > width:
        wide = 2
        cells = {
            at: mark if len(mark.text) == 1 else Mark(f"{mark.text[0]}+"[:2], mark.style) for at, mark in cells.items()
        }
    return chart(title, cells, frame, wide)


def _structure(row: Mapping[str, Any], width: int, palette: Palette) -> Iterator[RenderableType]:
    """Yield the layers of a structure from the ground up; equal ones once."""
    yield from beside(_layers(item.blocks_of(row), palette), width)
    yield Text("\nEach layer from above; the viewer looks up the page, along +y.", "dim")
    yield from _shapes(row, palette)


def _layers(blocks: Sequence[item.PicturedBlock], palette: Palette) -> list[Chart]:
    everything = {(block.place[0], block.place[1]): Mark("") for block in blocks}
    frame = _frame(everything, 0)
    layers: dict[int, dict[tuple[int, int], Mark]] = {}
    for block in blocks:
        x, y, z = block.place
        layers.setdefault(z, {})[x, y] = Mark(_letter(block.color), palette.block(Color(block.color)))
    groups: list[tuple[int, int, dict[tuple[int, int], Mark]]] = []
    for z in sorted(layers):
        if groups and groups[-1][2] == layers[z] and groups[-1][1] == z - 1:
            groups[-1] = (groups[-1][0], z, layers[z])
        else:
            groups.append((z, z, layers[z]))
    return [chart(f"z {low}" if low == high else f"z {low} to {high}", cells, frame, 2) for low, high, cells in groups]


def _shapes(row: Mapping[str, Any], palette: Palette) -> Iterator[RenderableType]:
    facts = row["metadata"]
    for shape in facts["shapes"]:
        spans = [
            f"{axis} {low}" if side == 1 else f"{axis} {low} to {low + side - 1}"
            for axis, low, side in zip("xyz", shape["origin"], shape["extents"])
        ]
        name, role = item.shape_name(shape, facts)
        role = f", the {role}" if role else ""
        line = Text()
        for color in shape["colors"]:
            line.append(_letter(color), palette.block(Color(color)))
        yield line.append(f" {name}{role}: ", "bold" if role else "").append(", ".join(spans), "not bold")


def _outlook(row: Mapping[str, Any], walk: item.Walk, width: int, palette: Palette) -> Iterator[RenderableType]:
    """Yield the walk, then the map around its end with the highest block at every place."""
    yield from beside(
        [walk_chart(walk, _title(item.Walk(walk.steps, tuple(p[:2] for p in walk.path), walk.headings, True)), width)],
        width,
    )
    yield Text("\n".join(["", *walk.lines()]))
    yield Text()
    cells = {}
    for block in sorted(item.blocks_of(row), key=lambda block: block.place[2]):
        x, y, _ = block.place
        cells[x, y] = Mark(_letter(block.color), palette.block(Color(block.color)))
    x, y, *_ = walk.path[-1]
    you = DARTS[item.heading_of(row)]
    cells[int(x), int(y)] = Mark(you, "bold")
    yield from beside([chart(f"The structures from above; you are {you}", cells, _frame(cells), 2)], width)
    yield Text()
    yield from _shapes(row, palette)


def _frame(cells: Mapping[tuple[int, int], Mark], margin: int = _MARGIN) -> tuple[int, int, int, int]:
    columns, rows = zip(*cells)
    return min(columns) - margin, min(rows) - margin, max(columns) + margin, max(rows) + margin


def _letter(color: str) -> str:
    return color[0].upper()
