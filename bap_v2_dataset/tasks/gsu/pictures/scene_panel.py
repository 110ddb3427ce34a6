"""Blocks around a viewer: a map from above, and in three dimensions what is beside each other as the viewer sees it."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from matplotlib.patches import Rectangle

from bap_v2_dataset.pictures.drawing import RGB
from bap_v2_dataset.tasks.gsu.pictures import item
from bap_v2_dataset.tasks.gsu.pictures.labels import Flat, along
from bap_v2_dataset.tasks.gsu.pictures.panels import INK, QUIET, SMALL, Canvas, Panel, draw_grid, framed, signed
from bap_v2_dataset.tasks.gsu.pictures.walk_panel import draw_walk
from bap_v2_metric.blocks import Color
from bap_v2_simulators.gsu.grid import seen_from
from bap_v2_simulators.gsu.walks import VECTORS

_SIDE = 0.84  # of a block, in cells
_FRONT_LINE = "#8d99a6"


class _Thing(NamedTuple):
    """A thing on a panel."""

    at: Flat
    height: float  # of several at one place the highest is drawn last
    words: str
    color: str = ""  # of a block; "": the viewer
    role: str = ""


def scene_panels(row: Mapping[str, Any]) -> list[Panel]:
    """Return the panels of a localization."""
    # Who looks where, and from which place the sides are told.
    facts, blocks = row["metadata"], item.blocks_of(row)
    heading, viewer = facts["heading"], tuple(facts["viewer"])
    base = tuple(facts["reference"]) if facts.get("reference") else viewer
    sides = item.sides_of(row)
    solid = row["dims"] == 3

    # Places and words of the two projections: the map, and the view to the front.
    def from_above(place: item.Place) -> Flat:
        return float(place[0]), float(place[1])

    def as_seen(place: item.Place) -> Flat:
        seen = seen_from(heading, viewer, place)
        return float(seen.right), float(place[2])

    def depth(place: item.Place) -> float:
        return -seen_from(heading, viewer, place).ahead

    def words_on_map(place: item.Place) -> str:
        return f"z {signed(place[2])}" if solid else ""

    def words_as_seen(place: item.Place) -> str:
        ahead = seen_from(heading, viewer, place).ahead
        return f"{abs(ahead)} {'ahead' if ahead > 0 else 'back'}" if ahead else "level with you"

    def things(
        on: Callable[[item.Place], Flat], order: Callable[[item.Place], float], words: Callable[[item.Place], str]
    ):
        here = [
            _Thing(
                on(viewer), order(viewer), " ".join(filter(None, ("you", words(viewer) if on is from_above else "")))
            )
        ]
        return here + [
            _Thing(on(block.place), order(block.place), _joined(block, words(block.place)), block.color, block.role)
            for block in blocks
        ]

    def panel(name: str, on, order, words, axes: tuple[str, str], units: tuple[item.Place, item.Place]) -> Panel:
        shown = things(on, order, words)
        spans = [max(values) - min(values) for values in zip(*(thing.at for thing in shown))]
        frame = framed([thing.at for thing in shown], max(1.8, 0.22 * max(spans)), 8.0)

        def draw(canvas: Canvas) -> None:
            draw_grid(canvas, axes)
            _draw_sides(canvas, on(base), item.words_around(heading, base, sides, units))
            ahead = on(tuple(a + b for a, b in zip(viewer, VECTORS[heading])))
            away = (ahead[0] - on(viewer)[0], ahead[1] - on(viewer)[1])
            _draw_things(canvas, shown, away if any(away) else None)

        return Panel(name, frame, draw, ", ".join(thing.words for thing in shown))

    # The map is always drawn, the view only in three dimensions.
    flat = row["dims"]
    x, y, z = ((1, 0, 0)[:flat], (0, 1, 0)[:flat], (0, 0, 1))
    facing = f"the map, from above; you face {signed(heading)}"
    panels = [panel(facing, from_above, lambda place: place[2] if solid else 0, words_on_map, ("x", "y"), (x, y))]
    if solid:
        right = next(way for way in VECTORS.values() if seen_from(heading, (0, 0, 0), way).right == 1)
        panels.append(
            panel(
                "as you see it: cells to your right, and heights",
                as_seen,
                depth,
                words_as_seen,
                ("right", "z"),
                (right, z),
            )
        )
    return panels


def map_panel(row: Mapping[str, Any]) -> Panel:
    """Return the map of an item of walk and structures: the walk, and the ground that each structure covers."""
    walk, facts = item.walk_of(row), row["metadata"]
    assert walk is not None
    # The frame holds the walk and the ground of every structure, lower ones first.
    boxes = sorted(facts["shapes"], key=lambda shape: shape["origin"][2])
    corners = [
        (origin + side, other + depth)
        for (origin, other, _), (width, length, _) in ((shape["origin"], shape["extents"]) for shape in boxes)
        for side, depth in ((-0.5, -0.5), (width - 0.5, length - 0.5))
    ]
    frame = framed([*(place[:2] for place in walk.path), *corners], 1.6, 9.0)
    names = [item.shape_name(shape, facts) for shape in boxes]

    def draw(canvas: Canvas) -> None:
        draw_grid(canvas, ("x", "y"))
        for shape, (name, role) in zip(boxes, names):
            # The ground that the structure covers, named with its heights.
            (x, y, z), (width, length, height) = shape["origin"], shape["extents"]
            _rectangle(canvas, (x - 0.5, y - 0.5), width, length, shape["colors"][0], 0.85)
            heights = f"z {z}" if height == 1 else f"z {z} to {z + height - 1}"
            words = f"{role}: {name}" if role else name
            middle = (x + (width - 1) / 2, y + (length - 1) / 2)
            # Labels stay off its outline.
            outline = [
                (x - 0.5, y - 0.5),
                (x + width - 0.5, y - 0.5),
                (x + width - 0.5, y + length - 0.5),
                (x - 0.5, y + length - 0.5),
            ]
            for start, end in zip(outline, [*outline[1:], outline[0]]):
                canvas.taken += along(canvas.inches(start), canvas.inches(end), 0.08)
            reach = canvas.scale * min(width, length) / 2
            canvas.name(f"{words}, {heights}", middle, SMALL, INK, bool(role), min(reach, 0.3))
        draw_walk(canvas, walk, flat=True, with_steps=False, viewer=True)

    # The same in words, for those who cannot see it.
    spans = ", ".join(f"{name} at {tuple(shape['origin'])}" for shape, (name, _) in zip(boxes, names))
    return Panel("the map, from above", frame, draw, f"{'; '.join(walk.lines())}; {spans}")


def _joined(block: item.PicturedBlock, words: str) -> str:
    return " ".join(filter(None, (block.role, words)))


def _draw_sides(canvas: Canvas, base: Flat, words: Sequence[str]) -> None:
    """Lines through a place, which part right from left and front from behind, with the words at their ends."""
    # Two dashed lines through the place.
    left, bottom, right, top = canvas.frame
    style = {"linestyle": (0, (4, 3))}
    edge, corner = canvas.cells(0.06), canvas.cells(0.28)
    canvas.line([(left + corner, base[1]), (right, base[1])], _FRONT_LINE, 0.9, 0.8, **style)
    canvas.line([(base[0], bottom + corner * 0.75), (base[0], top)], _FRONT_LINE, 0.9, 0.8, **style)
    # The words at their ends, whose places other labels leave free.
    ends = (
        ((right - edge, base[1]), {"ha": "right", "va": "center"}),
        ((left + corner, base[1]), {"ha": "left", "va": "center"}),
        ((base[0], top - edge), {"ha": "center", "va": "top"}),
        ((base[0], bottom + corner * 0.75), {"ha": "center", "va": "bottom"}),
    )
    for word, (at, aligned) in zip(words, ends):
        box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 0.8}
        canvas.axes.text(*at, word, fontsize=7, color="#3c6e9f", fontstyle="italic", zorder=1.5, bbox=box, **aligned)
        shift = {"right": -0.2, "left": 0.2}.get(aligned["ha"], 0.0)
        x, y = canvas.inches(at)
        canvas.taken += [
            (x + shift + across / 16, y + {"top": -0.06, "bottom": 0.06}.get(aligned["va"], 0))
            for across in (-3, -2, -1, 0, 1, 2, 3)
        ]


def _draw_things(canvas: Canvas, things: Sequence[_Thing], ahead: Flat | None) -> None:
    """Blocks, smaller ones on top of each other, the viewer, and their names."""
    # Blocks in one place are stacked by height, smaller ones on top.
    at_place: dict[Flat, list[_Thing]] = defaultdict(list)
    for thing in sorted(things, key=lambda thing: thing.height):
        at_place[thing.at].append(thing)
    for at, there in at_place.items():
        blocks = [thing for thing in there if thing.color]
        for number, thing in enumerate(blocks):
            side = _SIDE * (1 - 0.36 * number)
            _rectangle(canvas, (at[0] - side / 2, at[1] - side / 2), side, side, thing.color, 1.0, thing.role)
        half = _SIDE / 2
        ring = [(at[0] + half * a, at[1] + half * b) for a in (-1, -0.5, 0, 0.5, 1) for b in (-1, -0.5, 0, 0.5, 1)]
        canvas.keep(ring if blocks else [at])
    # Name the targets first, so that they get the best places.
    away = 0.06 + canvas.scale * _SIDE / 2
    order = {"target": 0, "reference": 1, "": 2}
    for thing in sorted(things, key=lambda thing: (thing.color == "", order[thing.role])):
        if thing.color and thing.words:
            color_word = f"{thing.color} " if len(at_place[thing.at]) > 1 else ""
            words = thing.words.replace("target", "target,").replace("reference", "reference,").rstrip(",")
            canvas.name(
                f"{color_word}{words}", thing.at, SMALL, INK if thing.role else QUIET, bool(thing.role), min(away, 0.3)
            )
        elif not thing.color:
            if ahead is None:
                canvas.axes.plot(*thing.at, "o", markersize=6, color="#2b3a4a", markeredgecolor="white", zorder=6)
                canvas.keep([thing.at])
            else:
                canvas.walker(thing.at, ahead, inches=0.13)
            canvas.name(thing.words, thing.at, SMALL, INK, False, 0.14)


def _rectangle(
    canvas: Canvas, corner: Flat, width: float, height: float, color: str, alpha: float, role: str = ""
) -> None:
    rgb = tuple(value / 255 for value in RGB[Color(color)])
    canvas.axes.add_patch(
        Rectangle(
            corner, width, height, facecolor=(*rgb, alpha), edgecolor=INK, zorder=3,
            linewidth=2.0 if role == "target" else 0.8,
        )
    )  # fmt: skip
