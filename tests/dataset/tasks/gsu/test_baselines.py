"""What the baselines of GSU score on items of the simulators: the chances that follow from how items are drawn."""

import math
from functools import cache

import numpy as np
import pytest

from bap_v2_dataset.tasks.gsu.baselines import BASELINES
from bap_v2_dataset.tasks.gsu.scorer import SCORER, score_items
from bap_v2_dataset.tasks.gsu.solved import solved
from bap_v2_simulators.gsu.configs import CONFIGS, config_of

SPLITS = ("train", "train", "validation", "test")  # half of all items belong to train, a quarter to each other
# Expected accuracies in per cent, by enumeration of all walks.
WRONG_FRAME = {(2, "follower"): 31.84, (3, "follower"): 55.75, (2, "others"): 31.25, (3, "others"): 55.5}
ONE_CELL = {(2, "ego"): 1.2337, (2, "cardinal"): 1.1979, (3, "ego"): 0.6328, (3, "cardinal"): 0.6242}
# Expected overlaps in per cent, by enumeration of all scenes.
SCENES = {
    "gsu_ego_adjacent": 3,
    "gsu_ego_random_distractors": 2,
    "gsu_allo_y_adjacent": 3,
    "gsu_allo_reference_random": 3,
}
OVERLAPS = {  # of SCENES, where the answer has a closed form
    "random": (24.08, 32.58, 24.08, 28.58),
    "constant": (29.23, 40.15, 29.23, 38.56),
    "all-words": (34.62, 47.73, 34.62, 47.82),
    "facing-y": (50.26, 40.15, None, 54.16),
    "front-behind-exchanged": (56.41, 34.85, 56.41, 52.31),
    "both-exchanged": (24.10, 0, 24.10, 20.74),
}
STRUCTURES = {  # spatial, color, number, shape in per cent: no closed form, counted over 6,000 items
    "empty": (66.67, 0, 0, 0),
    "constant": (66.67, 0, 0, 44.3),
    "colors": (66.67, 97.8, 0, 44.3),
    "groups": (66.67, 97.8, 78.3, 75.2),
    "all-words": (77.8, 0, 0, 44.3),
    "symbolic": (100, 100, 100, 100),
    "cardinal-reader": (100, 100, 100, 100),
    "facing-y": (100, 100, 100, 100),
}


@cache
def items(name, n, **settings):
    """(what baselines see, the item) of n items of all splits, in the shares in which items belong to them."""
    config = config_of(name, settings)
    drawn = [solved(config, SPLITS[index // 4 % 4], 0, index) for index in range(n)]
    seen = {"task": config.task, "frame": config.frame, "dims": config.dims}
    return [({**seen, "question": item.question}, item) for item in drawn]


def scores_of(name, system, measure, n, **settings):
    """The scores of a baseline on n items."""
    rows = items(name, n, **settings)
    references = [{**row, "group": item.group, "answer": item.answer} for row, item in rows]
    counted = score_items([BASELINES[system](row) for row, _ in rows], list(map(SCORER.reference_of, references)))
    return [item[measure] for item in counted]


def assert_within_four_standard_errors(scores, per_cent):
    mean, spread = np.mean(scores), np.std(scores)
    assert abs(mean - per_cent / 100) <= 4 * spread / math.sqrt(len(scores)) + 1e-9, (mean, per_cent)


@pytest.mark.parametrize(
    "name", [name for name in CONFIGS if CONFIGS[name].task in ("follower", "instructor", "card2ego")]
)
def test_walks_in_the_wrong_frame_score_as_expected(name):
    config = CONFIGS[name]
    expected = WRONG_FRAME[config.dims, config.task if config.task == "follower" else "others"]
    assert_within_four_standard_errors(scores_of(name, "cardinal-reader", "accuracy", 2_000), expected)


@pytest.mark.parametrize(("dims", "frame"), ONE_CELL)
def test_constant_points_score_as_expected(dims, frame):
    scores = scores_of(f"gsu_follower_{frame}_{dims}d", "constant", "accuracy", 2_000)
    assert_within_four_standard_errors(scores, ONE_CELL[dims, frame])


@pytest.mark.parametrize("system", OVERLAPS)
def test_baselines_of_scenes_score_as_expected(system):
    for (name, dims), expected in zip(SCENES.items(), OVERLAPS[system], strict=True):
        if expected is not None:
            assert_within_four_standard_errors(scores_of(name, system, "overlap", 1_000, dims=str(dims)), expected)


@pytest.mark.slow
@pytest.mark.parametrize("system", STRUCTURES)
def test_baselines_of_structures_score_as_expected(system):
    for measure, expected in zip(("spatial", "color", "number", "shape"), STRUCTURES[system], strict=True):
        assert 100 * np.mean(scores_of("gsu_structure", system, measure, 400)) == pytest.approx(expected, abs=5)


@pytest.mark.parametrize("system", BASELINES)
def test_a_baseline_answers_every_question_from_what_it_sees(system):
    """All of them answer from four columns; nothing else is there to read. The symbolic one is always right."""
    for name in CONFIGS:
        for row, item in items(name, 8):
            prediction = BASELINES[system](row)
            assert prediction == BASELINES[system](row)
            assert prediction == "" if system == "empty" else prediction.startswith("Answer:")
            if system == "symbolic" and name != "gsu_structure":  # a sentence: see STRUCTURES
                assert prediction == f"Answer: {item.answer}"


@pytest.mark.parametrize(
    ("system", "prediction"),
    [
        ("symbolic", "Answer: left, behind"),
        ("facing-y", "Answer: left, front"),
        ("cardinal-reader", "Answer: left, front"),
        ("front-behind-exchanged", "Answer: left, front"),
        ("both-exchanged", "Answer: right, front"),
        ("constant", "Answer: right, front"),
        ("all-words", "Answer: left, right, front, behind"),
    ],
)
def test_one_scene_read_by_every_baseline(system, prediction):
    """The target is at (-1, 1) of somebody who faces positive x: one behind, one to the left."""
    question = (
        "A position is (x, y). To somebody who faces positive y, positive x is on the right. You are at (0, 0), facing "
        "positive x. There is a red block at (-1, 1).\nWhere is the red block relative to you? Front is the way you "
        "face.\nEnd with one line: ..."
    )
    row = {"task": "localization", "frame": "egocentric", "dims": 2, "question": question}
    assert BASELINES[system](row) == prediction
