"""The mirrored world: left and right change places where they are directions, and nowhere else."""

from dataclasses import asdict

import pytest
import strategies
from case_tables import cases_of
from hypothesis import given

from bap_v2_dataset.augmentation.mirroring import (
    has_a_mirror_image,
    mirrored_cell,
    mirrored_lines,
    mirrored_pose,
    mirrored_text,
)
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.tasks.building.baselines.symbolic_reader import read
from bap_v2_metric.notation import format_action, format_block, parse_action
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.pose import Pose, perspective_coordinates
from bap_v2_simulators.simulation import play

SWAPPED = [
    ("place it to the left of the red one", "place it to the right of the red one"),
    ("the Leftmost, and the RIGHT-most", "the Rightmost, and the LEFT-most"),
    ("go to your left-hand side, two spaces right", "go to your right-hand side, two spaces left"),
    ("one right, one up, then diagonally left", "one left, one up, then diagonally right"),
    ("move it right next to the left edge", "move it right next to the right edge"),
    ("that's right, now the top right corner", "that's right, now the top left corner"),
    ("Right, two on top of the left and right ones", "Right, two on top of the right and left ones"),
    ("yes, right in front of it. it's in the right place", None),  # the line itself
    ("all right, what's left?", None),
    ("alright, the upright copyright", None),
    ("is the pillar to your right, right?", "is the pillar to your left, right?"),
    (
        "two red blocks left of it, and 3 blocks right from there",
        "two red blocks right of it, and 3 blocks left from there",
    ),
    ("move 2 blocks left and 1 up", "move 2 blocks right and 1 up"),
]


@pytest.mark.parametrize("text, expected", SWAPPED)
def test_directions_are_swapped_and_nothing_else(text, expected):
    assert mirrored_text(text) == (expected or text)


@pytest.mark.parametrize(
    "text",
    cases_of(__file__, "no_image"),
)
def test_what_could_mean_both_has_no_mirror_image(text):
    assert mirrored_text(text) is None


@pytest.mark.parametrize(
    "text", ["an L shape", "a 7-shape", "like a 3", "a question mark", "go clockwise", "face north"]
)
def test_figures_that_look_different_in_a_mirror(text):
    assert not has_a_mirror_image(text)
    assert mirrored_lines(["<Architect> hi", f"<Architect> {text}"]) is None


@pytest.mark.parametrize("text", ["a T", "3 blocks", "a 4x4 square", "2 to the left", "it's an X", "don't"])
def test_figures_that_look_the_same_in_a_mirror(text):
    assert has_a_mirror_image(text)


def test_lines_of_people_come_back_from_the_mirror(mdc_items):
    lines = {line for split in mdc_items.values() for item in split for line in item.dialogue}
    mirrored = {line: mirrored_text(line) for line in lines}
    undecided = sum(other is None for other in mirrored.values())
    changed = sum(other not in (None, line) for line, other in mirrored.items())
    assert (changed > 1000, undecided < 140) == (True, True), (changed, undecided)
    for line, other in mirrored.items():
        if other is not None:
            assert mirrored_text(other) == line


@pytest.mark.parametrize("name, games", [("dr", 6), ("dsb", 8), ("dss", 16)])
def test_mirrored_instructions_are_understood_as_the_mirrored_actions(name, games):
    understood = 0
    for index in range(games):
        for item in items(play(simulator_of(name), "train", index, seed=77)):
            old = row(item)
            lines = {part: mirrored_history(old[part]) for part in ("dialogue", "history")}
            if None in (*lines["dialogue"], *lines["history"]):
                continue
            pose = asdict(mirrored_pose(item.pose))
            before = [format_block(block._replace(cell=mirrored_cell(block.cell))) for block in item.before]
            actions = read({**lines, "pose": pose, "before": before})
            expected = {action._replace(cell=mirrored_cell(action.cell)) for action in read(old)}
            assert not len(item.before) or set(actions) == expected, old["dialogue"]  # on an empty board, anywhere
            understood += 1
    assert understood > games


def mirrored_history(lines: list[str]) -> list[str | None]:
    """Utterances and actions in the mirrored world; None for those of which that cannot be said."""
    mirrored = []
    for line in lines:
        speaker, _, text = line.partition(" ")
        if speaker in ("place", "pick"):
            action = parse_action(line)
            mirrored.append(format_action(action._replace(cell=mirrored_cell(action.cell))))
        else:
            other = mirrored_text(text)
            mirrored.append(None if other is None else f"{speaker} {other}")
    return mirrored


@given(strategies.poses, strategies.cells())
def test_the_builder_sees_the_mirrored_world_with_left_for_right(pose, cell):
    pose = Pose(**pose)
    middle, mirrored = ([c + half for c, half in zip(at, (0.5, 0, 0.5))] for at in (cell, mirrored_cell(cell)))
    left, up, away = perspective_coordinates(middle, pose)
    assert perspective_coordinates(mirrored, mirrored_pose(pose)) == pytest.approx((-left, up, away), abs=1e-9)
