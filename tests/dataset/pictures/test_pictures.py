"""Figures and pages of items and games: orientation, what hides what, golden images, text that never overlaps.

PYTHONPATH=tests/support python tests/dataset/pictures/test_pictures.py    # redraws the golden images: look at them
"""

import io
import itertools
import json
import math
import re
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import GOLDEN
from strategies import structures

from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.labels.readings import reading_of
from bap_v2_dataset.pictures.cubes import Cube, Look, change, judged
from bap_v2_dataset.pictures.drawing import Face, faces
from bap_v2_dataset.pictures.projection import Camera, painted
from bap_v2_dataset.tasks.building.pictures.columns import BoardColumn, item_columns, replayed
from bap_v2_metric.blocks import Block, Cell, Color, Structure
from bap_v2_metric.notation import format_structure, parse_action, parse_structure
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.game import Game, Step, Utterance
from bap_v2_simulators.pose import Pose
from bap_v2_simulators.simulation import play

pytest.importorskip("matplotlib", reason="the extra `pictures` is not installed")
from bap_v2_dataset.tasks.building.pictures import figure

PICTURES_DRAWN = GOLDEN / "pictures"
HERE = Pose(0.5, 1.0, -4.0, 0.0, 20.0)
yaws = st.floats(-180, 179.9)
cameras = st.builds(lambda x, z, yaw: Camera((x, 2.0, z), yaw), st.floats(-4, 5), st.floats(-4, 5), yaws)


def cubes_of(structure: Structure) -> list[Cube]:
    return change(Structure(), structure)


# --- Where things are on the page.
@given(cameras, st.floats(0.1, 3.0))
def test_a_block_to_the_builder_s_left_is_left_on_the_picture(camera, cells):
    turn = math.radians(camera.yaw)
    x, y, z = camera.focus
    right, up = camera.on_page((x + cells * math.cos(turn), y, z + cells * math.sin(turn)))
    assert right == pytest.approx(-cells) and up == pytest.approx(0)  # at the focus a cell is a cell


@given(cameras, st.floats(0.1, 3.0))
def test_up_is_up_and_what_is_farther_is_higher_and_smaller(camera, cells):
    turn = math.radians(camera.yaw)
    x, y, z = camera.focus
    assert camera.on_page((x, y + cells, z))[1] > 0
    ahead = (x - cells * math.sin(turn), y, z + cells * math.cos(turn))
    assert camera.on_page(ahead)[1] > 0 and abs(camera.on_page(ahead)[0]) < 1e-9
    beside = tuple(a + b for a, b in zip(ahead, (math.cos(turn), 0, math.sin(turn))))
    assert abs(camera.on_page(beside)[0]) < 1


def first_hit(structure: Structure, camera: Camera, right: float, up: float) -> Cell | None:
    """The block that a ray from the camera through a point of the page meets first."""
    eye = np.array([camera.pose.x, camera.pose.y, camera.pose.z])
    focus = np.array(camera.focus)
    away = (focus - eye) / np.linalg.norm(focus - eye)
    turn = math.radians(camera.yaw)
    to_the_right = np.array([-math.cos(turn), 0.0, -math.sin(turn)])
    upward = np.cross(to_the_right, away)
    ray = camera.distance * away + right * to_the_right + up * upward
    hits = []
    for _, cell in structure:
        enters, leaves = -math.inf, math.inf
        for axis in range(3):
            if abs(ray[axis]) < 1e-12:  # along the slab: inside of it or not
                enters = enters if cell[axis] <= eye[axis] <= cell[axis] + 1 else math.inf
                continue
            a, b = sorted(((cell[axis] - eye[axis]) / ray[axis], (cell[axis] + 1 - eye[axis]) / ray[axis]))
            enters, leaves = max(enters, a), min(leaves, b)
        if enters < leaves:
            hits.append((enters, cell))
    return min(hits)[1] if hits else None


def inside(polygon, right: float, up: float) -> bool:
    sides = [
        (b[0] - a[0]) * (up - a[1]) - (b[1] - a[1]) * (right - a[0])
        for a, b in zip(polygon, [*polygon[1:], polygon[0]])
    ]
    return all(side > 0 for side in sides) or all(side < 0 for side in sides)


@settings(max_examples=40)
@given(structures(max_size=14, reach=2), cameras, st.integers(0, 2**32))
def test_nearer_blocks_hide_farther_ones(structure, camera, seed):
    strokes = [stroke for stroke in painted(cubes_of(structure), camera) if isinstance(stroke.of, Face) and stroke.fill]
    for right, up in np.random.default_rng(seed).uniform(-4, 4, (25, 2)):
        on_top = next((s.of.cube.cell for s in reversed(strokes) if inside(s.points, right, up)), None)
        assert on_top == first_hit(structure, camera, right, up)


@given(structures(reach=3), cameras)
def test_every_face_that_is_turned_to_the_camera_is_painted_once(structure, camera):
    cubes = cubes_of(structure)
    drawn_faces = [(s.of.cube, s.of.normal) for s in painted(cubes, camera) if isinstance(s.of, Face) and s.fill]
    visible = [(face.cube, face.normal) for face in faces(cubes, camera.yaw) if camera.sees(face)]
    assert sorted(drawn_faces, key=repr) == sorted(visible, key=repr)
    assert max((sum(cube == other for other, _ in drawn_faces) for cube in cubes), default=0) <= 3


def test_floating_blocks_darken_the_ground_below_and_others_do_not():
    def shadows(*lines):
        strokes = painted(cubes_of(parse_structure(lines)), Camera((0.5, 1.0, 0.5), 10.0))
        return sum(stroke.fill == (216, 219, 223) for stroke in strokes)

    assert [shadows("red 0 1 0"), shadows("red 0 2 0"), shadows("red 0 2 0", "red 0 3 0"), shadows()] == [0, 1, 1, 0]


def test_an_outline_is_seen_through_the_block_before_it():
    cubes = [Cube(Cell(0, 1, 3), Color.RED, Look.MISSED), Cube(Cell(0, 1, 2), Color.BLUE, Look.OLD)]
    strokes = painted(cubes, Camera((0.5, 1.0, 0.5), 0.0))
    last_face = max(place for place, stroke in enumerate(strokes) if isinstance(stroke.of, Face))
    assert any(stroke.of == cubes[0] and stroke.alpha < 1 for stroke in strokes[last_face:])


@pytest.mark.parametrize(("z", "is_hidden"), [(1, True), (-1, False)])
def test_a_wrong_block_has_its_mark_over_everything_also_if_it_is_hidden(z, is_hidden):
    wall = [Cube(Cell(x, y, 0), Color.BLUE, Look.OLD) for x in (-1, 0, 1) for y in (1, 2, 3)]
    wrong = Cube(Cell(0, 1, z), Color.RED, Look.WRONG)
    strokes = painted([*wall, wrong], Camera((0.5, 1.0, 0.5), 0.0))  # looks along +z
    last_face = max(place for place, stroke in enumerate(strokes) if isinstance(stroke.of, Face))
    after = strokes[last_face + 1 :]
    assert after and (wrong in {stroke.of for stroke in after}) == is_hidden


def test_an_outline_inside_of_others_is_not_drawn_and_edges_between_them_once():
    missed = [Cube(Cell(x, y, z), Color.RED, Look.MISSED) for x in range(3) for y in range(1, 4) for z in range(3)]
    strokes = [stroke for stroke in painted(missed, Camera((1.5, 2.0, 1.5), 20.0)) if stroke.of]
    assert Cell(1, 2, 1) not in {stroke.of.cell for stroke in strokes}
    dashes = [tuple(stroke.points) for stroke in strokes if stroke.edge and stroke.alpha == 1 and stroke.width == 1.3]
    assert len(dashes) == len(set(dashes))


# --- Columns.
def game_of(*parts) -> Game:
    """From chat lines, poses and actions in notation, in order."""
    events, pose = [], HERE
    for part in parts:
        if isinstance(part, Pose):
            pose = part
        elif part.startswith("<"):
            events.append(Utterance.parse(part))
        else:
            events.append(Step(pose, (parse_action(part),)))
    return Game("own-1", "test", Structure(), tuple(events))


def test_the_target_stands_beside_the_result_where_it_fits_best():
    row = {**rows_of(*THREE)[2], "target": ["green -1 2 4", "red -1 1 3"]}  # turned and moved away
    *_, target, model = item_columns(row, {"m": ""})
    assert (target.name, target.title) == ("target", "what the Architect sees")
    assert looks(target) == {"red 0 1 0": "target", "green 0 2 1": "target"} or "rotated and moved" in target.note
    assert model.name == "m" and target.pose == model.pose
    (there,) = (c for c in item_columns({**row, "target": ["red 0 1 0", "green 1 2 0"]}) if c.name == "target")
    assert there.note == "" and looks(there) == {"red 0 1 0": "target", "green 1 2 0": "target"}


def rows_of(*parts) -> list[dict]:
    return [row(item) for item in items(game_of(*parts))]


THREE = (
    "<Architect> a red one",
    "place red 0 1 0",
    "<Architect> now blue on top",
    Pose(2.0, 3.0, 2.0, 80.0, 10.0),
    "place blue 0 2 0",
    "<Builder> like this?",
    "<Architect> and a floating green one, without the blue",
    Pose(0.0, 1.0, -3.0, -20.0, 0.0),
    "pick 0 2 0",
    "place yellow 0 2 0",
    "place green 1 2 0",
    "pick 0 2 0",
)


def looks(column: BoardColumn) -> dict[str, str]:
    return {" ".join(map(str, (cube.color.value, *cube.cell))): cube.look.value for cube in column.cubes}


def test_the_columns_are_those_of_the_paper():
    rows = rows_of(*THREE)
    earlier, now, result = item_columns(rows[2], earlier=rows[1])
    assert [column.name for column in (earlier, now, result)] == ["Sᵗ⁻²", "Sᵗ⁻¹", "Sₕ"]  # no target is known
    assert looks(earlier) == {"red 0 1 0": "new"}
    assert looks(now) == {"red 0 1 0": "old", "blue 0 2 0": "new"}
    assert looks(result) == {"red 0 1 0": "old", "blue 0 2 0": "removed", "green 1 2 0": "new"}  # no yellow support
    assert list(earlier.dialogue) == ["<Architect> now blue on top"]
    assert list(now.dialogue) == ["<Builder> like this?", "<Architect> and a floating green one, without the blue"]
    assert (earlier.pose.yaw, now.pose.yaw, result.pose.yaw) == (80.0, -20.0, -20.0)
    assert result.note == "1 placed, 1 taken away, 2 actions without net effect"


def test_without_the_row_of_the_turn_before_its_board_is_replayed():
    row = rows_of(*THREE)[2]
    replayed_column, *others = item_columns(row)
    assert looks(replayed_column) == {"red 0 1 0": "new"}
    assert replayed_column.pose.yaw == -20.0
    first, before, _ = rows_of(*THREE)
    assert others == item_columns(row, earlier=before)[1:]
    assert item_columns(row, earlier=first)[0].pose.yaw == -20.0  # of another turn
    assert [column.name for column in item_columns(first)] == ["Sᵗ⁻¹", "Sₕ"]  # has none before it


def test_models_have_their_scores_and_what_is_wrong_with_their_text():
    row = rows_of(*THREE)[2]
    right, wrong, idle = item_columns(
        row, {"right": "pick 0 2 0\nplace green 1 1 0\nplace green 1 2 0\npick 1 1 0", "wrong": "so:\nplace red 5 5 5\n"
              "pick 0 2 0\nplace blue 1 1 0", "idle": ""}
    )[3:]  # fmt: skip
    assert set(right.scores.values()) == {1.0} and right.note == ""
    assert wrong.note == "1 unparsed line, 1 infeasible action"
    assert wrong.scores == {"type": 1.0, "color": 0.5, "location": 0.5, "shape": 0.5, "fairer": 0.5}
    assert idle.note == "changes nothing" and set(idle.scores.values()) == {0.0}
    assert {cube.look for cube in idle.cubes} == {Look.OLD, Look.MISSED}


def test_an_aligned_prediction_is_shown_where_it_fits_and_says_so():
    row = {**rows_of(*THREE)[0], "interpretations": "multiple"}
    column = item_columns(row, {"elsewhere": "place red 4 1 -4"})[-1]
    assert looks(column) == {"red 0 1 0": "right"}
    assert column.note == "rotated and moved to fit best"
    assert item_columns(row, {"there": "place red 0 1 0"})[-1].note == ""


def test_a_replayed_history_is_what_was_seen_also_if_it_is_not_feasible():
    history = ["<Architect> x", "place red 0 5 0", "place blue 7 1 0", "pick 7 1 0", "place green 0 5 0"]
    assert replayed(history) == parse_structure(["green 0 5 0"])


def test_the_columns_of_human_items_meet(mdc_rows):
    for split in ("validation", "test"):
        rows = list(mdc_rows[split].select(range(150)))
        for earlier, now in itertools.pairwise(rows):
            if earlier["game_id"] == now["game_id"]:
                columns = item_columns(now, earlier=earlier)
                result = columns[-2 if reading_of(now) is None else -3]  # before the target and a reading
                solid = {line for line, look in looks(result).items() if look != "removed"}
                assert solid == set(now["after"])
                so_far = [*earlier["history"], *earlier["dialogue"], *earlier["actions"]]
                assert columns[0].pose == Pose(**(earlier if so_far == now["history"] else now)["pose"])


# --- Figures.
def sixty() -> Structure:
    colors = itertools.cycle(Color)
    cells = [Cell(x, y, z) for y in (1, 2, 3) for x in range(-3, 2) for z in range(-2, 2)]
    return Structure(Block(next(colors), cell) for cell in cells)


def judged_column() -> BoardColumn:
    before = parse_structure(["red 0 1 0", "blue 1 1 0", "green 2 1 0", "yellow 3 1 0"])
    predicted = parse_structure(["blue 1 1 0", "yellow 3 1 0", "orange 0 1 1", "purple 0 1 2"])
    after = parse_structure(["green 2 1 0", "yellow 3 1 0", "orange 0 1 1", "purple 0 2 2"])
    scores = dict.fromkeys(("type", "color", "location", "shape", "fairer"), 0.5)
    return BoardColumn(
        "a model", "", judged(before, predicted, after), Pose(-1.0, 2.0, -4.0, -25.0, 10.0), scores=scores
    )


PICTURES = {
    "empty_board": [BoardColumn("Sᵗ⁻¹", "now", [], HERE, "Dᵗ", ["<Architect> hello, a red one on the left"])],
    "one_block": [
        BoardColumn(
            "Sₕ", "", cubes_of(parse_structure(["red 2 1 1"])), Pose(-8.0, 4.0, 6.5, -120.0, 25.0)
        )  # it is outside
    ],
    "judged": [judged_column()],
    "sixty_blocks": [BoardColumn("Sₕ", "what the human built", cubes_of(sixty()), Pose(4.0, 3.0, -5.0, 35.0, 30.0))],
}


def pixels(png: bytes) -> np.ndarray:
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"), dtype=float)


def drawn(columns) -> bytes:
    return figure.image(columns, "an item", "a config, a split", dpi=60)


def difference(a: np.ndarray, b: np.ndarray) -> float:
    """The share of pixels that clearly differ; 1 if the sizes do."""
    return 1.0 if a.shape != b.shape else float((np.abs(a - b).max(axis=2) > 60).mean())


TOLERANCE = 0.01  # fonts and lines are smoothed differently from version to version


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_are_those_that_were_looked_at(name):
    golden = PICTURES_DRAWN / f"{name}.png"
    assert difference(pixels(drawn(PICTURES[name])), pixels(golden.read_bytes())) < TOLERANCE, (
        f"{name} has changed: look at it, and if it is right, redraw it with the command at the top of this file"
    )


@pytest.mark.parametrize("name", ["one_block", "judged", "sixty_blocks"])
def test_the_tolerance_does_not_forgive_a_mirrored_board(name):
    (column,) = PICTURES[name]
    mirrored = [replace(cube, cell=cube.cell._replace(x=-cube.cell.x)) for cube in column.cubes]
    turned = replace(column, pose=replace(column.pose, yaw=-column.pose.yaw))
    golden = pixels((PICTURES_DRAWN / f"{name}.png").read_bytes())
    for wrong in (replace(column, cubes=mirrored), turned):
        assert difference(pixels(drawn([wrong])), golden) > TOLERANCE


def long_row() -> dict:
    talk = [f"<{('Architect', 'Builder')[n % 2]}> {n} " + "so we go on and on about it " * (n % 4) for n in range(30)]
    talk += ["<Architect> " + "x" * 300, "<Builder> ☃ \t 你好 $x^2$ the last words"]
    return rows_of("<Architect> a red one", "place red 0 1 0", *talk, "place blue 5 9 5", "place blue 1 1 0")[1]


@pytest.mark.slow
@pytest.mark.parametrize("models", [0, 2, 9])
def test_texts_never_overlap_and_nothing_leaves_the_page(models):
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from bap_v2_dataset.pictures.figures import STYLE

    names = ["m", "a rather long name of a model " * 5, *"abcdefg"][:models]
    columns = item_columns(long_row(), dict.fromkeys(names, "so:\nplace red 9 9 9\nplace blue 1 1 0"))
    with rc_context(STYLE):
        drawing = figure.figure([columns], "B1-A3-C5-1522432776975/10 " * models, "labels: " + "somebody's " * 20)
    renderer = FigureCanvasAgg(drawing).get_renderer()
    boxes = [text.get_window_extent(renderer) for text in drawing.texts if text.get_text().strip()]
    boards = [axes.get_window_extent(renderer) for axes in drawing.axes]
    assert len(boards) == 3 + models
    for box in [*boxes, *boards]:
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= drawing.bbox.x1 + 1 and box.y1 <= drawing.bbox.y1 + 1
    for a, b in itertools.combinations([*boxes, *boards], 2):
        shared = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
        assert min(shared) <= 2, (a, b)  # pixels at 100 to an inch


def test_a_long_dialogue_loses_its_beginning():
    drawing = figure.figure([item_columns(long_row())], "t", "")
    texts = [text.get_text() for text in drawing.texts]
    assert "…" in texts
    assert any(text.endswith("the last words") for text in texts)
    assert not any(text.startswith("3 so we") for text in texts)
    assert any("☃" in text and "□" not in text for text in texts) or any("□" in text for text in texts)


@settings(max_examples=15)
@given(structures(max_size=20, height=9), st.floats(-20, 20), st.floats(1, 15), st.floats(-20, 20), yaws)
def test_all_blocks_and_the_builder_are_inside_the_frame(structure, x, y, z, yaw):
    column = BoardColumn("S", "", cubes_of(structure), Pose(x, y, z, yaw, 10.0))
    drawing = figure.figure([[column]], "t", "")
    (axes,) = drawing.axes
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    camera, ground, _ = figure.shared_view([column])
    assert all(left < x < right and bottom < y < top for x, y in (camera.on_page(t.point) for t in ground.ticks(yaw)))
    for stroke in painted(column.cubes, camera, column.pose, ground):
        if stroke.framed:
            assert all(left <= point[0] <= right and bottom <= point[1] <= top for point in stroke.points)


def test_an_svg_says_in_words_what_it_shows():
    columns = item_columns(rows_of(*THREE)[2])
    tree = ElementTree.fromstring(figure.image(columns, "an <item>", format="svg"))
    words = " ".join(tree.itertext())
    assert "an <item>" in words
    assert "Sₕ: red 0 1 0 (was there before), blue 0 2 0 (taken away), green 1 2 0 (placed)" in words


# --- Pages.
@pytest.fixture
def plotly():
    return pytest.importorskip("plotly", reason="the extra `pictures` is not installed")


def data_of(page: str) -> object:
    return json.loads(re.search(r"<script id='data' type='application/json'>(.*?)</script>", page, re.DOTALL)[1])


WICKED = "</script><img src=x onerror=alert(1)> & <b>"


def test_a_page_holds_every_column_and_asks_for_nothing(plotly):
    from bap_v2_dataset.tasks.building.pictures.page import page

    row = rows_of(f"<Architect> {WICKED}", "place red 0 1 0", *THREE[2:])[2]
    columns = item_columns({**row, "dialogue": [f"<Builder> {WICKED}"]}, {WICKED: "place red 4 1 0"})
    text = page(columns, f"id {WICKED}", "where")
    assert len(data_of(text)) == 4 == text.count("class='board'")
    own = text.replace(re.search(r"<script>.*?</script>", text, re.DOTALL)[0], "")  # without plotly
    assert "<img" not in own and "http" not in own
    assert "green 1 2 0 (placed)" in own


def test_a_replay_has_a_frame_for_every_utterance_and_action(plotly):
    from bap_v2_dataset.tasks.building.pictures.replay import replay

    game = game_of(*THREE, f"<Builder> {WICKED}")
    text = replay(game)
    data = data_of(text)
    assert "target" not in data and "id='target'" not in text  # this game has none
    assert len(data["frames"]) == len(game.events) + 1 == text.count("<li><button")
    assert f"max='{len(game.events)}'" in text and "<img" not in text.split("<script>")[0]
    words = [
        {word for n in frame["pieces"] for trace in data["pieces"][n] for word in trace.get("hovertext", ())}
        for frame in data["frames"]
    ]
    assert not any(word.startswith("red") for word in words[1]) and "red 0 1 0<br>placed" in words[2]
    assert {"red 0 1 0<br>was there before", "blue 0 2 0<br>placed"} <= words[4]
    assert {"blue 0 2 0<br>taken away", "green 1 2 0<br>placed"} <= words[-2]
    assert not any("blue" in word for word in words[-1])  # nobody speaks of what is gone
    assert any("yaw 80" in word for word in words[4]) and any("yaw -20" in word for word in words[-1])


@pytest.mark.parametrize("name", ["dr", "dsb", "dss"])
def test_simulated_games_are_replayed_to_their_last_board(name, plotly):
    from bap_v2_dataset.tasks.building.pictures.replay import replay

    game = play(simulator_of(name), "test", 3)
    data = data_of(replay(game))
    board = {}
    for event in game.events:
        if isinstance(event, Step):
            event.apply_to(board)
    words = {word for n in data["frames"][-1]["pieces"] for t in data["pieces"][n] for word in t.get("hovertext", ())}
    blocks = {word.split("<br>")[0] for word in words if "the Builder" not in word}
    assert blocks == set(format_structure(Structure.from_colors(board)))


def draw_golden() -> None:
    PICTURES_DRAWN.mkdir(parents=True, exist_ok=True)
    for name, columns in PICTURES.items():
        (PICTURES_DRAWN / f"{name}.png").write_bytes(drawn(columns))
        print(PICTURES_DRAWN / f"{name}.png")


if __name__ == "__main__":
    sys.exit(draw_golden())
