"""Rows of Architect generation as a language model reads and writes them."""

import datasets
import pytest
from simulated_rows import row_of

from bap_v2_dataset.tasks.architect.dataset import ARCHITECT_FEATURES
from bap_v2_dataset.tasks.architect.prompts import render
from bap_v2_dataset.tasks.architect.rows import architect_row
from bap_v2_training.decoding.predict_settings import parse_arguments
from bap_v2_training.errors import UsageError
from bap_v2_training.learning.dataset_rows import load_rows
from bap_v2_training.learning.tokenization import fitting_prompt
from bap_v2_training.tasks.architect import ARCHITECT, ArchitectTexts
from bap_v2_training.tasks.table import task_asked, task_of_columns


@pytest.fixture(scope="module")
def rows() -> datasets.Dataset:
    made = [architect_row(row_of(f"dsb-test-0/{number}"), "architect_dsb", "test") for number in range(6)]
    return datasets.Dataset.from_list(made, features=ARCHITECT_FEATURES)


@pytest.mark.parametrize("representation", ["structures", "ego"])
@pytest.mark.parametrize("newest", [None, 2])
def test_a_model_reads_the_prompt_and_learns_the_words(rows, representation, newest):
    texts = ArchitectTexts(representation, newest)
    for row, text in zip(rows, texts.prompted(rows, ["completion"]), strict=True):
        assert text["prompt"] == render(row, representation, newest) and text["completion"] == row["completion"]
        limit = len(text["prompt"])
        shortest, dropped = fitting_prompt(text["prompt"], text["history"], lambda one, limit=limit: len(one) < limit)
        assert dropped >= 1 and shortest.endswith("### US:\n")
        assert texts.prediction(row["completion"], row) == row["completion"]


def test_the_task_is_read_off_config_and_columns(rows, tmp_path):
    assert task_of_columns(rows.column_names) is ARCHITECT is task_asked("architect_mdc", None, "train")
    rows.to_json(tmp_path / "own.jsonl")
    assert task_asked(None, str(tmp_path / "own.jsonl"), "train") is ARCHITECT
    assert load_rows(None, "train", str(tmp_path / "own.jsonl"))["prompt"][:] == rows["prompt"][:]


def test_a_chat_model_is_asked_by_the_prompt_alone():
    endpoint = ["--backend", "openai", "--base_url", "http://localhost:1/v1", "--model", "x", "--out", "x.jsonl"]
    arguments = parse_arguments([*endpoint, "--dataset_config", "architect_dsb", "--split", "test"])
    assert (arguments.task, arguments.representation, arguments.shots) == ("architect", "structures", 0)
    with pytest.raises(UsageError, match="Architect configs are asked by their prompts"):
        parse_arguments([*endpoint, "--dataset_config", "architect_dsb", "--prompt", "reasoning"])
