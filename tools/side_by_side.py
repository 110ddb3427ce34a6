"""Human games beside their augmented variants, line for line: examples in docs/gallery.md."""

import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from bap_v2_dataset.augmentation.variants import VARIANTS, augmented
from bap_v2_metric.blocks import Structure
from bap_v2_metric.notation import format_action
from bap_v2_simulators.game import Game
from bap_v2_simulators.game import Step as Change

COLUMN_WIDTH = 40  # characters of each of the games that stand side by side


def side_by_side(game: Game, width: int = COLUMN_WIDTH, variants: Sequence[int] = range(1, VARIANTS + 1)) -> str:
    """A game and augmented variants of it in columns, an utterance or a run of actions beside what it became.

    Args:
        game: human, or one like it.
        width: characters of a column; one that is too narrow for a layer of the target is widened by it.
    """
    games = [game, *(augmented(game, variant) for variant in variants)]
    rows: list[list[list[str]]] = [
        [_head(version, width) for version in games],
        [layers(version.target, width).splitlines() for version in games],
        *zip(*(_events(version, width) for version in games), strict=True),
    ]
    widths = [max(width, *(len(line) for row in rows for line in row[column])) for column in range(len(games))]
    lines = []
    for number, row in enumerate(rows):
        for parts in zip_longest(*row, fillvalue=""):
            lines.append(" | ".join(part.ljust(size) for part, size in zip(parts, widths, strict=True)).rstrip(" |"))
        if number < 2:  # below the heads and below the targets
            lines.append("-+-".join("-" * size for size in widths))
    return "\n".join(lines)


def layers(structure: Structure, width: int | None = None) -> str:
    """The structure as letters, layer beside layer: `R` is a red block. With a width, more layers stand below.

    >>> from bap_v2_metric.notation import parse_structure
    >>> print(layers(parse_structure(["red 0 1 0", "blue 0 2 0", "red 1 1 0"])))
    y=1   y=2
    R R   B .
    """
    colors = structure.colors()
    if not colors:
        return ""
    xs, ys, zs = ([cell[axis] for cell in colors] for axis in range(3))
    rows = [[f"y={y}" for y in range(min(ys), max(ys) + 1)]]
    letters = {tuple(cell): color.value[0].upper() for cell, color in colors.items()}
    for z in range(min(zs), max(zs) + 1):
        rows.append(
            [
                " ".join(letters.get((x, y, z), ".") for x in range(min(xs), max(xs) + 1))
                for y in range(min(ys), max(ys) + 1)
            ]
        )
    wide = max(len(text) for text in rows[0] + rows[-1])
    fit = len(rows[0]) if width is None else max(1, (width + 3) // (wide + 3))
    return "\n\n".join(
        "\n".join("   ".join(text.ljust(wide) for text in row[first : first + fit]).rstrip() for row in rows)
        for first in range(0, len(rows[0]), fit)
    )


def _head(game: Game, width: int) -> list[str]:
    record = game.metadata.get("augmentation")
    if record is None:
        return textwrap.wrap(f"{game.game_id}: original", width)
    turned = f"turned by {90 * record['quarter_turns']} degrees" if record["quarter_turns"] else "not turned"
    colors = ", ".join(f"{old} to {new}" for old, new in record["colors"].items() if old != new)
    words = f"{record['paraphrased_words']} words or phrases exchanged"
    return textwrap.wrap(f"variant {record['variant']}: {turned}; {colors or 'the same colors'}; {words}", width)


def _events(game: Game, width: int) -> Iterator[list[str]]:
    """The lines of each utterance, and of each run of actions with the pose before it."""
    run: list[Change] = []
    for event in (*game.events, None):
        if isinstance(event, Change):
            run.append(event)
            continue
        if run:
            pose = run[0].pose
            actions = "; ".join(format_action(action) for step in run for action in step.actions)
            yield [
                f"  at {pose.x:.1f} {pose.y:.1f} {pose.z:.1f}, yaw {pose.yaw:.0f}, pitch {pose.pitch:.0f}",
                *textwrap.wrap(actions, width, initial_indent="    ", subsequent_indent="    "),
            ]
            run = []
        if event is not None:
            yield textwrap.wrap(str(event), width, subsequent_indent="  ")
