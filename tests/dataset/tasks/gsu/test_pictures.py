"""Figures and text of GSU items: what is where, that words do not cover each other, and that nothing is left out."""

import re
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from bap_v2_dataset.tasks.gsu.pictures.answers import answered
from bap_v2_dataset.tasks.gsu.pictures.charts import walk_chart
from bap_v2_dataset.tasks.gsu.pictures.item import Walk, blocks_of, question_lines, walk_of
from bap_v2_dataset.tasks.gsu.pictures.text import item_text
from bap_v2_dataset.tasks.gsu.rows import row_of
from bap_v2_simulators.gsu.configs import CONFIGS
from bap_v2_simulators.gsu.walks import WalkStep, chain_text, directions_of

pytest.importorskip("matplotlib", reason="the extra `pictures` is not installed")
from matplotlib.figure import Figure

from bap_v2_dataset.tasks.gsu.pictures import figure as gsu_figure
from bap_v2_dataset.tasks.gsu.pictures.labels import MapLabel, placed
from bap_v2_dataset.tasks.gsu.pictures.panels import Canvas
from bap_v2_dataset.tasks.gsu.pictures.walk_panel import beside_each_other, on_page

configs = pytest.mark.parametrize("config", CONFIGS)


def item(config: str, index: int) -> dict:
    return row_of(CONFIGS[config], "test", index)


def shown(row: dict, predictions: dict[str, str] | None = None, width: int = 80) -> str:
    """What a terminal shows."""
    console = Console(width=width, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    for part in item_text(row, answered(row, predictions or {}), width, None):
        console.print(part, highlight=False)
    return console.export_text()


def walks(dims: int):
    steps = st.builds(WalkStep, st.sampled_from(directions_of(dims)), st.integers(1, 10))
    frames = st.sampled_from(["cardinal", "egocentric"])
    return st.builds(lambda steps, frame: Walk.of(steps, frame, dims), st.lists(steps, min_size=1, max_size=6), frames)


# --- In a terminal.
@configs
def test_text_fits_into_eighty_columns_and_has_question_and_answer(config):
    for index in range(4):
        row = item(config, index)
        text = shown(row, {"mine": "I do not know.", "right": row["completion"]})
        assert max(len(line.rstrip()) for line in text.splitlines()) <= 80
        words = " ".join(text.split())
        assert " ".join(question_lines(row)[-1].split()) in words
        assert f"Answer {row['answer']}" in words and "✗ mine" in words and "✓ right" in words


@settings(max_examples=60)
@given(walks(2))
def test_a_map_of_a_walk_has_its_end_where_the_coordinates_say(walk):
    chart = walk_chart(walk, "", 80)
    if "cells per mark" in chart.title or walk.path[-1] == walk.path[0]:
        return
    lines = [line.plain for line in chart.lines]
    numbers = lines[-1]
    (row,) = (line for line in lines if re.search(r"E(?![a-z])", line[5:]))
    assert int(row[:4]) == walk.path[-1][1]
    column = row.index("E", 5)
    left = next(match for match in re.finditer(r"-?\d+", numbers))
    assert int(left[0]) + (column - left.start()) / 2 == walk.path[-1][0]


@pytest.mark.parametrize("dims", [2, 3])
def test_a_map_of_a_long_walk_is_drawn_to_a_scale(dims):
    steps = [WalkStep("forward", 10), WalkStep("right", 10)] * 20
    chart = walk_chart(Walk.of(steps, "cardinal", dims), "walk", 80)
    assert chart.title == "walk; 10 cells per mark" and chart.width <= 80 and len(chart.lines) < 40


def test_layers_hold_every_block_of_a_structure():
    for index in range(9):
        row = item("gsu_structure", index)
        letters = {tuple(block.place): block.color[0].upper() for block in blocks_of(row)}
        found, layers = {}, []
        lines = shown(row, width=400).split("Answer: DESCRIPTION")[1].split("Each layer")[0].splitlines()
        titles = [(match.start(), match[0]) for match in re.finditer(r"z \d+(?: to \d+)?", lines[2])]
        xs, ys = ([place[axis] for place in letters] for axis in (0, 1))
        for start, title in titles:
            low, _, high = title.removeprefix("z ").partition(" to ")
            layers += range(int(low), int(high or low) + 1)
            for down, line in enumerate(lines[3 : 4 + max(ys) - min(ys)]):
                for x in range(min(xs), max(xs) + 1):
                    letter = line[start + 5 + 2 * (x - min(xs))]
                    if letter != "·":
                        found |= {(x, max(ys) - down, z): letter for z in range(int(low), int(high or low) + 1)}
        assert found == letters and layers == list(range(max(layers) + 1))


def test_a_long_list_of_blocks_is_shortened_and_says_by_how_much():
    row = item("gsu_structure", 5)
    lines = question_lines(row)
    (shortened,) = (line for line in lines if "more blocks" in line)
    left_out = int(re.search(r"\[\.\.\. (\d+) more blocks \.\.\.\]", shortened)[1])
    assert shortened.count(" block at ") + left_out == len(row["blocks"])
    assert [line for line in lines if line != shortened] == [
        line for line in row["question"].splitlines() if not line.startswith("Blocks:")
    ]


# --- Answers.
@configs
def test_the_gold_answer_is_right_and_nothing_is_wrong(config):
    for index in range(8):
        row = item(config, index)
        gold, empty = answered(row, {"gold": row["completion"], "empty": ""})
        assert gold.right and gold.mark == "✓" and gold.note == "" and not empty.right
        assert empty.said == "(no answer)"


def test_a_wrong_chain_is_carried_out_in_the_frame_of_the_item():
    row = item("gsu_instructor_ego_2d", 3)
    walk = walk_of(row)
    mirrored = [WalkStep({"left": "right", "right": "left"}.get(word, word), length) for word, length in walk.steps]
    (answer,) = answered(row, {"mirrored": f"Answer: {chain_text(mirrored)}"})
    (x, y), (gold_x, gold_y) = answer.walk.path[-1], walk.path[-1]
    assert (x, y) == (-gold_x, gold_y) and answer.note == f"{2 * abs(gold_x)} cells away"


def test_steps_that_the_grid_does_not_have_are_not_drawn():
    row = item("gsu_instructor_ego_2d", 3)
    (answer,) = answered(row, {"up": "Answer: up 3, right 2"})
    assert answer.walk is None and not answer.right


# --- Figures.
@settings(max_examples=80)
@given(walks(3))
def test_steps_on_the_same_line_are_drawn_beside_each_other(walk):
    segments = [(on_page(a), on_page(b)) for a, b in zip(walk.path, walk.path[1:])]
    drawn = beside_each_other(segments, 0.2)
    for (start, end), (was, to) in zip(drawn, segments):
        assert end[0] - start[0] == pytest.approx(to[0] - was[0]) and end[1] - start[1] == pytest.approx(to[1] - was[1])
    for (first, was), (second, other) in combinations(zip(drawn, segments), 2):
        if {*was} == {*other}:  # there and back again
            assert first != second and {*first} != {*second}


@configs
def test_words_on_maps_neither_cover_each_other_nor_leave_the_picture(config, monkeypatch):
    drawn = []

    def kept(labels, taken, frame):
        result = placed(labels, taken, frame)
        drawn.append((result, frame))
        return result

    monkeypatch.setattr("bap_v2_dataset.tasks.gsu.pictures.panels.placed", kept)
    for index in range(3):
        row = item(config, index)
        gsu_figure.figure(row, gsu_figure.panels_of(row), (), "")
    assert len(drawn) >= 3
    for labels, frame in drawn:
        boxes = [box_of(label) for label in labels]
        for box in boxes:
            assert frame[0] - 0.01 <= box[0] and box[2] <= frame[2] + 0.01, config
            assert frame[1] - 0.01 <= box[1] and box[3] <= frame[3] + 0.01, config
        for one, other in combinations(boxes, 2):
            assert not (one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]), config


def box_of(label) -> tuple[float, float, float, float]:
    from bap_v2_dataset.pictures.figures import width_of

    half = width_of(label.label.text, label.label.size, label.label.bold) / 2, label.label.size / 72 / 2
    (x, y) = label.middle
    return x - half[0], y - half[1], x + half[0], y + half[1]


def test_a_label_stands_beside_what_it_names():
    (label,) = placed([MapLabel("here", (1.0, 1.0), 7.0)], [], (0, 0, 2, 2))
    assert 0.05 < label.middle[0] - 1.0 < 0.5 and label.middle[1] == 1.0 and not label.far


@pytest.mark.parametrize("index", range(6))
def test_structures_of_any_size_and_place_are_wholly_in_the_picture(index):
    row = item("gsu_structure", index)
    for panel in gsu_figure.panels_of(row):
        axes = Figure().add_axes((0, 0, 1, 1))
        canvas = Canvas(axes, panel.frame, 0.1)
        panel.draw(canvas)
        left, bottom, right, top = panel.frame
        for x, y in canvas.taken:
            assert 0 <= x <= 0.1 * (right - left) and 0 <= y <= 0.1 * (top - bottom)
        blocks = {tuple(map(int, numbers)) for numbers in re.findall(r"\((-?\d+), (-?\d+), (-?\d+)\)", panel.words)}
        assert blocks == {block.place for block in blocks_of(row)}
