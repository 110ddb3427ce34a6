"""What the paper on GSU reports is copied right: its numbers are in their units, and what we say about them is true."""

import re

import pytest
from paths import ROOT

from bap_v2_dataset.tasks.gsu.baselines import empty
from bap_v2_dataset.tasks.gsu.counts import MEASURES, score_items
from bap_v2_dataset.tasks.gsu.paper import COLUMNS, NOTES, PROMPTED, TABLE_1, TABLE_2, TABLE_3, TABLE_5, WALKS
from bap_v2_dataset.tasks.gsu.scorer import SCORER
from bap_v2_dataset.tasks.gsu.solved import solved
from bap_v2_dataset.tasks.gsu.task import MAIN_CONFIGS
from bap_v2_simulators.gsu.configs import CONFIGS

SHARES = [*TABLE_2.values(), *TABLE_3.values(), *TABLE_5.values()]


def structures(split: str, number: int) -> list[dict]:
    """The references of the first structures of a split."""
    config = CONFIGS["gsu_structure"]
    items = (solved(config, split, 0, index) for index in range(number))
    common = {"task": config.task, "frame": config.frame, "dims": 3}
    return [{**common, "group": item.group, "answer": item.answer} for item in items]


def test_the_columns_of_table_1_are_scores_of_the_main_configs_in_their_order():
    assert list(dict.fromkeys(column.config for column in COLUMNS)) == list(MAIN_CONFIGS)
    for column in COLUMNS:
        task, _, measure = column.score.partition("_")
        assert CONFIGS[column.config].task == task and measure in MEASURES[task]


def test_every_row_of_table_1_is_in_its_units():
    for model in TABLE_1:
        assert len(model.scores) == len(COLUMNS) and len(model.distances) in (0, WALKS)
        assert all(0 <= score <= 1 for score in model.scores[:WALKS])
        assert all(1 < score <= 100 for score in model.scores[WALKS:])
        for accuracy, distance in zip(model.scores, model.distances):
            assert (accuracy == 1) <= (distance == 0) or model.name == "FlanT5"
    assert [model.name for model in TABLE_1 if not model.distances] == ["Llama-70b"]


def test_notes_name_configs_that_there_are():
    assert {config for note in NOTES for config in note.configs} <= set(CONFIGS)
    scores = {model.name: model.scores for model in TABLE_1 if model.training == PROMPTED}
    assert scores["Qwen-7b"][7:9] == scores["QwenVL-7b (vision)"][7:9]


def test_silence_gets_the_67_percent_in_spatial_that_table_7_has_before_training():
    """34 simple, 33 cohesive and 33 composite structures: the first 67 have no relations."""
    references = structures("test", 100)
    result = SCORER.aggregate(score_items(list(map(empty, references)), references))
    assert 100 * result["structure_spatial"] == 67


@pytest.mark.slow
def test_the_best_constant_shape_and_numbers_of_structures():
    """The other shapes are named in the document, on the same 3,000 train items as its table of baselines."""
    references = structures("train", 3000)

    def always(prediction, measure):
        scores = score_items([prediction] * len(references), references)
        return round(100 * sum(score[measure] for score in scores) / len(references), 1)

    shapes = {kind: always(f"a {kind}", "shape") for kind in ("tower", "cube", "column", "row", "plane")}
    assert shapes == {"tower": 43.6, "cube": 35.9, "column": 33.4, "row": 29.1, "plane": 19.9}
    assert always("2 3 4 5", "number") == 33.6


def test_shares_add_up_to_all_but_for_the_two_of_the_document():
    assert [round(sum(shares.values()), 1) for shares in SHARES] == [100, 100, 100, 100, 103.6, 88.1, 99.9, 100, 100]


@pytest.mark.parametrize(
    ("shares", "total", "tolerance"),
    [
        *zip(TABLE_2.values(), (250, 277, 75, 96), (0.005,) * 4),
        (TABLE_3["gsu_ego_adjacent_distractors"], 196, 0.005),
        (TABLE_5["relations"], 66, 0.03),
        (TABLE_5["colors"], 184, 0.01),
        (TABLE_5["shapes"], 166, 0.011),
    ],
)
def test_shares_are_of_whole_numbers(shares, total, tolerance):
    """66 relations are of 33 composite structures, 166 shapes of 34 + 33 + 3 x 33, 184 colors 49 + 2 x 18 + 3 x 33."""
    counts = [round(share * total / 100) for share in shares.values()]
    assert [100 * count / total for count in counts] == pytest.approx(list(shares.values()), abs=tolerance + 1e-9)


# The document


def test_the_rows_of_table_1_in_the_document_are_those_of_the_data():
    text = (ROOT / "docs/gsu.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| .+? \| (?:\d\.\d\d \| ){5}(?:\d+\.\d\d(?: \| | \|$)){6}", text, re.MULTILINE)
    rows = []
    for model in TABLE_1:
        title = model.name if model.training == PROMPTED else f"**{model.name}**, {model.training}"
        rows.append(f"| {title} | {' | '.join(f'{score:.2f}' for score in model.scores)} |")
    assert len(shown) == 6 and set(shown) <= set(rows)


def test_what_the_document_says_about_table_1_beside_the_baselines():
    prompted = [model for model in TABLE_1 if model.training == PROMPTED]
    small = [model for model in prompted if not model.name.endswith(("-70b", "-72b", "-4o", "-Pro"))]
    like_fixed = [model for model in small if 0.29 <= model.scores[0] <= 0.38 and 6.3 <= model.distances[0] <= 7.9]
    assert (len(prompted), len(small), len(like_fixed)) == (14, 10, 8)
    assert [model.name for model in prompted if model.scores[3] > 0.3125] == ["Qwen-72b", "GPT-4o", "Gemini-3-Pro"]
    assert sum(45 <= round(model.scores[6]) <= 55 for model in prompted) == 10
    assert sum(model.scores[7] < 66.67 for model in prompted) == 9
