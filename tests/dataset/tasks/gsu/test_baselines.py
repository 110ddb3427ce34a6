"""What the baselines of GSU score on items of the simulators: the chances that follow from how items are drawn."""

import math
from functools import cache

import numpy as np
import pytest
from case_tables import cases_of

from bap_v2_dataset.tasks.gsu.baselines import BASELINES
from bap_v2_dataset.tasks.gsu.scorer import SCORER, score_items
from bap_v2_dataset.tasks.gsu.solved import solved
from bap_v2_simulators.gsu.configs import CONFIGS, config_of

SPLITS = ("train", "train", "validation", "test")  # half of all items belong to train, a quarter to each other
# Expected accuracies in per cent, by enumeration of all walks.
WRONG_FRAME = {(2, "follower"): 31.84, (3, "follower"): 55.75, (2, "others"): 31.25, (3, "others"): 55.5}


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
    cases_of(__file__, "readings"),
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
