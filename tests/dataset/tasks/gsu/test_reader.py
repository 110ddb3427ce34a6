"""The independent reader answers every question of GSU from its text alone, without what makes the questions."""

import ast
import re
from itertools import chain

import pytest
from case_tables import cases_of
from paths import ROOT

from bap_v2_dataset.tasks.gsu.blocks import REPRESENTATIONS
from bap_v2_dataset.tasks.gsu.counts import score_items
from bap_v2_dataset.tasks.gsu.questions import question_of
from bap_v2_dataset.tasks.gsu.reader import parse, read
from bap_v2_dataset.tasks.gsu.reading.blocks import read_blocks
from bap_v2_dataset.tasks.gsu.reading.phrases import GsuQuestionError
from bap_v2_dataset.tasks.gsu.solved import solved
from bap_v2_metric.errors import UserError
from bap_v2_simulators.gsu.configs import CONFIGS, SIZES, config_of

WALKS = [name for name, config in CONFIGS.items() if config.task in ("follower", "instructor", "card2ego")]
SCENES = [name for name, config in CONFIGS.items() if config.task == "localization"]
SETTINGS = [
    *((name, {}) for name in CONFIGS),
    *((name, {"decimals": "2", "most_steps": "9", "longest": "40"}) for name in WALKS),
    *((name, {"dims": "2"}) for name in SCENES),
    *((name, {"sides": sides}) for name in SCENES if "allo" in name for sides in ("rotated", "viewer")),
    ("gsu_structure", {"front": "near"}),
    ("gsu_structure", {"scrambled": "true"}),
    ("gsu_structure", {"scrambled": "true", "front": "near"}),
]
ids = ["-".join([name, *map("=".join, settings.items())]) for name, settings in SETTINGS]


COLORS = re.compile(r"\b(?:blue|green|orange|purple|red|yellow)\b")
KINDS = re.compile(r"\b(?:row|column|plane|tower|cube)\b")
RELATIONS = {"on its left": "left", "on its right": "right", "in front of it": "front", "behind it": "behind",
             "above it": "above", "below it": "below"}  # fmt: skip
ENDS = {"far": ("left right", "back front", "bottom top"), "near": ("left right", "front back", "bottom top")}


def terms_of(sentence):
    """What a sentence of the reader says: colors, kinds, sizes, relations, and the pattern with its ends."""
    relations = [word for phrase, word in RELATIONS.items() for _ in range(sentence.count(phrase))]
    pattern = re.findall(r"(\w+) half", sentence) or ["layers"] * ("by turns" in sentence)
    return (
        sorted(COLORS.findall(sentence)),
        sorted(KINDS.findall(sentence)),
        sorted(re.findall(r"\d+", sentence)),
        sorted(relations),
        pattern,
    )


def terms_in(facts, front):
    """The same of what the simulator drew."""
    pattern = facts["pattern"]
    if pattern:
        axis = "xyz".index(pattern["axis"])
        pattern = ENDS[front][axis].split() if pattern["kind"] == "halves" else ["layers"]
    return (
        sorted(color for shape in facts["shapes"] for color in shape["colors"]),
        sorted(shape["kind"] for shape in facts["shapes"]),
        sorted(str(side) for shape in facts["shapes"] for side in shape["extents"] if side > 1),
        sorted(facts["relations"]),
        pattern or [],
    )


def misread(config, split, indexes, representations):
    """The items that the reader answers otherwise: (index, representation, its answer, the right one).

    Its sentences about structures name what was drawn, and the metric scores them as right in every measure.
    """
    wrong = []
    for index in indexes:
        item = solved(config, split, 0, index)
        drawn = config.simulator.item(split, 0, index)
        for representation in representations:
            answer = read(question_of(config, drawn, representation))
            right = answer == item.answer
            if config.task == "structure":
                common = {"task": config.task, "frame": config.frame, "dims": 3, "group": item.group}
                (score,) = score_items([f"Answer: {answer}"], [{**common, "answer": item.answer}])
                right = score["exact"] == 1 and terms_of(answer) == terms_in(item.facts, config.simulator.front)
            if not right:
                wrong.append((index, representation, answer, item.answer))
    return wrong


@pytest.mark.parametrize("n", [8, pytest.param(3_000, marks=pytest.mark.slow, id="corpus")])
@pytest.mark.parametrize(("name", "settings"), SETTINGS, ids=ids)
def test_every_question_has_the_answer_that_the_text_tells(name, settings, n):
    """In all representations; of the corpus, every tenth train item."""
    config = config_of(name, settings)
    representations = ("text",) if name in WALKS or (n > 8 and name in SCENES) else REPRESENTATIONS
    step = 10 if n > 8 else 1
    for split, size in SIZES.items():
        indexes = range(0, min(n, size), step if split == "train" else 1)
        assert misread(config, split, indexes, representations) == []


@pytest.mark.parametrize("name", [*SCENES, "gsu_structure", "gsu_combined"])
def test_all_representations_name_the_same_blocks(name):
    config = CONFIGS[name]
    for index in range(6):
        item = config.simulator.item("test", 0, index)
        named = [read_blocks(question_of(config, item, representation)) for representation in REPRESENTATIONS]
        assert all(blocks == named[0] for blocks in named)
        padded = {(*cell, 0)[:3]: color for color, cell in ((str(block[0]), tuple(block[1])) for block in item.blocks)}
        assert named[0] == padded


# Questions worked by hand


EGOCENTRIC = (
    "You walk on a grid. A position is (x, y). You start at (0, 0), facing positive y, with positive x to your right. "
    "Directions are your own. To go left, right or backward you turn that way, walk, and go on facing that way; to go "
    "forward you do not turn.\n"
)
CARDINAL = (
    "You walk on a grid. A position is (x, y). You start at (0, 0). Directions are fixed: right is positive x, left is "
    "negative x, forward is positive y, backward is negative y.\n"
)
SCENE = (
    "A position is (x, y, z); z is height. To somebody who faces positive y, positive x is on the right. You are at "
    "(0, 0, 0), facing negative x. There is a red block at (-4, 2, 1) and a blue block at (-5, 1, 1).\n"
    "Where is the red block relative to the blue block, as you see it? The front of a block is the side towards you; "
    "its left and right are your left and right.\n"
    "End with one line that has every direction that applies, out of left, right, front, behind, above, below: Answer: "
    "DIRECTION, DIRECTION"
)
STRUCTURE = (
    "A position is (x, y, z); z is height. You look along positive y: left is negative x, right is positive x, front "
    "is positive y, behind is negative y, above is positive z, below is negative z.\nBlocks: {}.\n"
    "Describe the structure in one sentence: ...\nEnd with one line: Answer: DESCRIPTION"
)


def test_directions_of_a_walk_are_taken_as_the_question_says():
    asked = "Instructions: move right 2, then move forward 1.\nWhere do you end?\nEnd with one line: Answer: (x, y)"
    assert read(EGOCENTRIC + asked) == "(3, 0)"
    assert read(CARDINAL + asked) == "(2, 1)"


def test_a_grid_on_which_right_is_elsewhere_is_read_as_it_is_told():
    """The reader knows the geometry from the question, not from us."""
    mirrored = CARDINAL.replace("right is positive", "right is negative").replace(
        "left is negative", "left is positive"
    )
    assert read(f"{mirrored}Instructions: move right 2, then move forward 1.\nWhere do you end?") == "(-2, 1)"
    left_handed = EGOCENTRIC.replace("with positive x to your right", "with negative x to your right")
    assert read(f"{left_handed}Instructions: move right 2, then move forward 1.\nWhere do you end?") == "(-3, 0)"


def test_the_sides_of_a_block_are_taken_as_the_question_says():
    assert read(SCENE) == "right, front"
    assert read(SCENE.replace("towards you", "away from you")) == "right, behind"
    own = SCENE.replace(
        "its left and right are your left and right", "its left is on your right, and its right is on your left"
    )
    assert read(own) == "left, front"
    assert read(SCENE.replace("positive x is on the right", "negative x is on the right")) == "left, front"


@pytest.mark.parametrize(
    ("blocks", "answer"),
    cases_of(__file__, "structures"),
)
def test_small_structures(blocks, answer):
    assert read(STRUCTURE.format(blocks)) == answer


# What cannot be read


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("", "cannot find what is asked in ''"),
        ("Where is the station?", "cannot find what is asked"),
        (f"{EGOCENTRIC}Where do you end?", "cannot find the path"),
        (f"{EGOCENTRIC}Instructions: move north 2.\nWhere do you end?", "unknown direction 'north'"),
        (f"{EGOCENTRIC}Instructions: jump 2.\nWhere do you end?", "unknown instruction 'jump 2'"),
        (f"{EGOCENTRIC}Path: (0, 0), (1, 1).\nWhich?", "no straight way between"),
        (
            f"{CARDINAL.replace('Directions are fixed', 'Ways are')}Instructions: move left 1.\n",
            "cannot find what the dir",
        ),
        (CARDINAL.replace("left is negative x", "left is positive x") + "Instructions: move left 1.\n", "opposites"),
        (SCENE.replace("There is", "I see"), "cannot find the blocks"),
        (SCENE.replace("You are at", "You were at"), "cannot find where you are"),
        (SCENE.replace("a blue block", "a red block"), "two red blocks"),
        (SCENE.replace("is the red block", "is the green block"), "no green block"),
        (SCENE.replace("(-5, 1, 1)", "(-4, 2, 1)"), r"two blocks at \(-4, 2, 1\)"),
        (SCENE.replace("its left and right are your left and right", "it has no left"), "'it has no left': expected"),
        (STRUCTURE.format("red 0 0 0, red 5 0 0"), "2 shapes, 0 of which touch two others"),
        (STRUCTURE.format("red 0 0 0, red 1 0 0, blue 2 0 0"), "no pattern of blue, red"),
        (STRUCTURE.format("red 0 0 0, and so on"), "between blocks"),
        (STRUCTURE.format("none"), "between blocks"),
        (STRUCTURE.replace("left is", "port is").format("red 0 0 0"), "directions port, right"),
    ],
)
def test_a_question_that_cannot_be_read_is_named(question, message):
    with pytest.raises(GsuQuestionError, match=message) as error:
        read(question)
    assert isinstance(error.value, UserError)


# Independence


READER = [
    ROOT / "bap_v2_dataset/tasks/gsu/reader.py",
    *sorted((ROOT / "bap_v2_dataset/tasks/gsu/reading").glob("*.py")),
]


@pytest.mark.parametrize("path", READER, ids=lambda path: path.name)
def test_the_reader_imports_nothing_of_what_makes_the_questions(path):
    allowed = ("bap_v2_dataset.tasks.gsu.reading", "bap_v2_metric.errors")
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    modules = chain(
        (node.module or "." for node in nodes if isinstance(node, ast.ImportFrom)),
        (alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names),
    )
    assert not [name for name in modules if name.startswith(("bap_v2", ".")) and not name.startswith(allowed)]


def test_what_a_question_tells_can_be_changed():
    """As baselines do, which read the same question in another frame."""
    walk = parse(f"{EGOCENTRIC}Instructions: move right 2, then move forward 1.\nWhere do you end?")
    assert walk._replace(turns=False).answer == "(2, 1)"
