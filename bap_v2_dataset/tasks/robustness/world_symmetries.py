"""Families sa_mirror, sa_turn, sa_color and sa_shift: the item in a transformed world (SA)."""

from collections.abc import Callable, Sequence
from random import Random

from bap_v2_dataset.augmentation.mirroring import mirrored_pose
from bap_v2_dataset.augmentation.transforms import recolored
from bap_v2_dataset.items.ego import is_utterance
from bap_v2_dataset.tasks.robustness.parent import Parent, VariantChange
from bap_v2_dataset.tasks.robustness.poses import as_row
from bap_v2_dataset.tasks.robustness.side_words import counts_columns, mirrored_lines, names_a_chiral_figure
from bap_v2_dataset.tasks.robustness.unsafe_words import UNSAFE
from bap_v2_metric.blocks import X_MAX, X_MIN, Z_MAX, Z_MIN, Block, Color
from bap_v2_metric.notation import format_action, format_block, parse_action, parse_block
from bap_v2_metric.symmetry import IDENTITY, Symmetry
from bap_v2_simulators.pose import Pose, turned


def mirrored(parent: Parent, rng: Random, number: int) -> VariantChange | None:
    """Return the item in a mirror, with left for right and right for left in what is said.

    None where a word of the compass is said, where the dialogue of people names a figure that looks different in a
    mirror or counts columns, and where the words have no sure mirror image (see `side_words`).
    """
    human, dialogue = not parent.simulated, parent.row["dialogue"]
    if UNSAFE.COMPASS.search(parent.all_words) or (
        human and (names_a_chiral_figure(dialogue) or counts_columns(dialogue))
    ):
        return None
    said = [*filter(is_utterance, parent.row["history"]), *dialogue]
    if (mirrored_words := mirrored_lines(said, human)) is None:
        return None
    lines = dict(zip(said, mirrored_words))
    if any(lines[old] != new for old, new in zip(said, mirrored_words)):  # the same words, meant in two ways
        return None
    swapped = sum(old != new for old, new in lines.items())
    return _transformed(parent, Symmetry(mirror=True), lambda line: lines[line], {"swapped": swapped})


def in_a_turned_world(parent: Parent, rng: Random, number: int) -> VariantChange | None:
    """Return the item after `number` quarter turns of the world with the Builder: what is said stays.

    None where a word of the compass is said.
    """
    if UNSAFE.COMPASS.search(parent.all_words):
        return None
    return _transformed(parent, Symmetry(quarter_turns=number))


def in_other_colors(parent: Parent, rng: Random, number: int) -> VariantChange | None:
    """Return the item with every color exchanged for another, also in what is said.

    None for human items with a misspelled color, which would be spelled right, or a color that no block has.
    """
    if not parent.simulated and (UNSAFE.FOREIGN_COLORS.search(parent.dialogue_words) or _misspells_a_color(parent)):
        return None
    colors = list(Color)
    while any(old is new for old, new in zip(Color, colors)):
        rng.shuffle(colors)
    names = dict(zip(Color, colors))

    def said(line: str) -> str:
        speaker, _, text = line.partition(" ")
        return f"{speaker} {recolored(text, names)}"

    return _transformed(parent, Symmetry(colors=tuple(colors)), said)


def elsewhere(parent: Parent, rng: Random, number: int) -> VariantChange | None:
    """Return the item with Builder and blocks moved over the board.

    None on an empty board, where nothing past or present could move without leaving the BuildRegion, and where a word
    of the dialogue means a place of the region. The target may leave it: nobody sees the target.
    """
    if not parent.blocks or UNSAFE.REGION.search(parent.dialogue_words) or UNSAFE.COMPASS.search(parent.all_words):
        return None
    cells = [action.cell for action in (*parent.past, *parent.actions)]
    cells += [block.cell for block in (*parent.before, *parent.after)]
    xs, zs = [cell.x for cell in cells], [cell.z for cell in cells]
    reach_x = range(X_MIN - min(xs), X_MAX - max(xs) + 1)
    reach_z = range(Z_MIN - min(zs), Z_MAX - max(zs) + 1)
    shifts = [(dx, dz) for dx in reach_x for dz in reach_z if (dx, dz) != (0, 0)]
    if not shifts or 0 not in reach_x or 0 not in reach_z:  # the second: something is outside already
        return None
    dx, dz = rng.choice(shifts)
    return _transformed(parent, Symmetry(dx=dx, dz=dz))


def transformed_pose(pose: Pose, symmetry: Symmetry) -> Pose:
    """Return the pose in the transformed world. The mirror and turns are about the middle of cell 0.

    >>> transformed_pose(Pose(2.0, 1.0, -3.0, yaw=90.0, pitch=20.0), Symmetry(mirror=True, dx=2))
    Pose(x=1.0, y=1.0, z=-3.0, yaw=-90.0, pitch=20.0)
    """
    if symmetry.mirror:
        pose = mirrored_pose(pose)
    if symmetry.quarter_turns:
        pose = turned(pose, symmetry.quarter_turns)
    return Pose(pose.x + symmetry.dx, pose.y, pose.z + symmetry.dz, pose.yaw, pose.pitch)


def _transformed(
    parent: Parent, symmetry: Symmetry, said: Callable[[str], str] = lambda line: line, facts: dict | None = None
) -> VariantChange:
    """Return the item in the transformed world.

    Args:
        said: what an utterance is there.
    """
    row = parent.row

    def line_of(line: str) -> str:
        return said(line) if is_utterance(line) else format_action(symmetry.action(parse_action(line, anywhere=True)))

    def blocks(lines: Sequence[str]) -> list[str]:
        moved = (parse_block(line, anywhere=True) for line in lines)
        return [format_block(Block(symmetry.color(color), symmetry.cell(cell))) for color, cell in moved]

    # Words, actions and blocks, each transformed.
    columns = {
        "history": list(map(line_of, row["history"])),
        "dialogue": list(map(line_of, row["dialogue"])),
        **{name: blocks(row[name]) for name in ("before", "after", "target")},
        "actions": list(map(line_of, row["actions"])),
    }
    # The Builder turns with the board.
    if parent.pose is not None and symmetry._replace(colors=IDENTITY.colors) != IDENTITY:
        columns["pose"] = as_row(transformed_pose(parent.pose, symmetry))
    return VariantChange(columns, symmetry, facts or {})


def _misspells_a_color(parent: Parent) -> bool:
    """Return whether a color word would be spelled in another way if nothing were exchanged."""
    same = {color: color for color in Color}
    return recolored(parent.all_words, same) != parent.all_words
