"""What the paper on GSU reports is copied right: its numbers are in their units, and what we say about them is true."""

import re

from paths import ROOT

from bap_v2_dataset.tasks.gsu.baselines import empty
from bap_v2_dataset.tasks.gsu.counts import MEASURES, score_items
from bap_v2_dataset.tasks.gsu.paper import COLUMNS, NOTES, PROMPTED, TABLE_1
from bap_v2_dataset.tasks.gsu.scorer import SCORER
from bap_v2_dataset.tasks.gsu.solved import solved
from bap_v2_dataset.tasks.gsu.task import MAIN_CONFIGS
from bap_v2_simulators.gsu.configs import CONFIGS


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


def test_notes_name_configs_that_there_are():
    assert {config for note in NOTES for config in note.configs} <= set(CONFIGS)
    scores = {model.name: model.scores for model in TABLE_1 if model.training == PROMPTED}
    assert scores["Qwen-7b"][7:9] == scores["QwenVL-7b (vision)"][7:9]


def test_silence_gets_the_67_percent_in_spatial_that_table_7_has_before_training():
    """34 simple, 33 cohesive and 33 composite structures: the first 67 have no relations."""
    references = structures("test", 100)
    result = SCORER.aggregate(score_items(list(map(empty, references)), references))
    assert 100 * result["structure_spatial"] == 67


# The document


def test_the_rows_of_table_1_in_the_document_are_those_of_the_data():
    text = (ROOT / "docs/gsu.md").read_text(encoding="utf-8")
    shown = re.findall(r"^\| .+? \| (?:\d\.\d\d \| ){5}(?:\d+\.\d\d(?: \| | \|$)){6}", text, re.MULTILINE)
    rows = []
    for model in TABLE_1:
        title = model.name if model.training == PROMPTED else f"**{model.name}**, {model.training}"
        rows.append(f"| {title} | {' | '.join(f'{score:.2f}' for score in model.scores)} |")
    assert len(shown) == 6 and set(shown) <= set(rows)
