"""Rows of GSU as a language model reads and writes them: questions, shots, traces, and answers."""

from pathlib import Path

import pytest
from fabricated_items import fabricated_rows
from gsu_items import gsu_rows, gsu_table, save_rows

from bap_v2_dataset.tasks.gsu.prompts import render
from bap_v2_training import train_sft
from bap_v2_training.decoding.trained_model import learned_texts
from bap_v2_training.errors import UsageError
from bap_v2_training.learning import training_data
from bap_v2_training.learning.training_data import examples_of, learned_items, tokenizer_texts
from bap_v2_training.models.new_llama import new_tokenizer
from bap_v2_training.tasks.building import BUILDING
from bap_v2_training.tasks.gsu import GSU, GsuTexts
from bap_v2_training.tasks.table import task_asked, task_of_columns

WALKS, PLACES, SHAPES = "gsu_follower_ego_2d", "gsu_ego_adjacent_distractors", "gsu_structure"
SMOKE = ["--config", "gsu_smoke"]


@pytest.fixture(scope="module")
def walks(tmp_path_factory) -> Path:
    """Eight items of one's own, as `bap-v2 generate` writes them."""
    return save_rows(tmp_path_factory.mktemp("gsu") / "walks.jsonl", gsu_rows(WALKS, 8))


def texts_of_rows(texts: GsuTexts, config: str, items: int = 4) -> list[tuple[dict, dict]]:
    """Rows, each with its prompt and completion."""
    rows = gsu_table(config, items)
    return list(zip(rows, texts.prompted(rows, ["completion"]), strict=True))


@pytest.mark.parametrize("reasoning", [True, False])
def test_an_answer_is_learned_after_its_trace_or_alone(reasoning):
    for row, text in texts_of_rows(GsuTexts("text", 0, reasoning), WALKS):
        assert text["prompt"] == row["question"] + "\n" and text["history"] == []
        assert text["completion"] == (f"{row['reasoning']}\n" if reasoning else "") + f"Answer: {row['answer']}"


@pytest.mark.parametrize("reasoning", [True, False, None])
def test_structures_never_reason(reasoning):
    for row, text in texts_of_rows(GsuTexts("set", 1, reasoning), SHAPES):
        assert text["prompt"] == render(row, 1, False, "set") and text["completion"] == row["completion"]


@pytest.mark.parametrize("config", [WALKS, PLACES, SHAPES])
def test_a_model_that_has_learned_nothing_reads_the_prompts_of_table_1(config):
    for row, text in texts_of_rows(GsuTexts("text"), config):
        assert text["prompt"] == row["prompt"]


@pytest.mark.parametrize("representation", ["plain", "set", "dict", "text"])
@pytest.mark.parametrize("shots", [0, 1, 3])
def test_every_form_of_a_prompt_can_be_learned(shots, representation):
    for config in (WALKS, PLACES):
        for row, text in texts_of_rows(GsuTexts(representation, shots, True), config, items=2):
            assert text["prompt"] == render(row, shots, True, representation)


def test_what_follows_an_answer_is_no_part_of_it():
    texts = GsuTexts("text")
    answer = "I start.\nFor Example, x.\nAnswer: (3, 0)"
    for further in ("\n\nExample\nYou walk.\nAnswer: (9, 9)", "\nYour turn\n"):
        assert texts.prediction(answer + further, {}).strip() == answer
    assert texts.prediction(answer, {}) == answer


def test_the_task_is_that_of_the_columns(walks):
    assert task_of_columns(gsu_rows(WALKS, 1)[0]) is GSU is task_asked(None, str(walks), "train")
    assert task_asked("dss", None, "train") is BUILDING is task_asked(None, "nowhere", "train")
    assert task_asked(f"{WALKS},{SHAPES}", None, "test") is GSU
    with pytest.raises(UsageError, match=rf"dataset_config {WALKS},dss: .* need a run each"):
        task_asked(f"{WALKS},dss", None, "test")


def test_pieces_of_a_tokenizer_are_for_a_new_one(walks):
    given = ["--new_model", "null", "--model_name_or_path", "x", "--data", str(walks)]
    with pytest.raises(UsageError, match="are for new_model"):
        train_sft.parse_arguments([*SMOKE, *given, "--tokenizer_pieces", "sentences"])


def test_items_that_are_too_long_are_left_out_and_counted(walks):
    bap, training, _ = train_sft.parse_arguments([*SMOKE, "--data", str(walks)])
    rows = gsu_table(WALKS, 8)
    tokenizer = new_tokenizer(tokenizer_texts(rows, bap)[0], 700, 1024)
    lengths = examples_of(rows, bap, training, tokenizer, lengths_only=True)
    training.max_length = sorted(map(sum, zip(lengths["prompt_tokens"], lengths["completion_tokens"])))[5]
    counts = learned_items(rows, bap, training, tokenizer).counts
    assert (counts["items"], counts["too_long_left_out"]) == (6, 2)
    assert "shortened" not in counts and counts["sources"] == {"navigation": 6}


def test_the_same_text_is_learned_whatever_the_tokenizer(walks):
    bap, training, _ = train_sft.parse_arguments([*SMOKE, "--data", str(walks)])
    rows = gsu_table(WALKS, 4)
    lengths = {}
    for pieces in ("words", "sentences"):
        bap.tokenizer_pieces = pieces
        texts, sentences = tokenizer_texts(rows, bap)
        tokenizer = new_tokenizer(texts, 1024, 1024, sentences)
        examples = learned_items(rows, bap, training, tokenizer).examples
        for row, example in zip(rows, examples, strict=True):
            learned = [token for token in example["labels"] if token != -100]
            assert tokenizer.decode(learned) == f"{row['reasoning']}\n{row['completion']}{tokenizer.eos_token}"
        lengths[pieces] = sum(examples["length"])
    assert lengths["sentences"] < 0.8 * lengths["words"]


def test_a_tokenizer_knows_the_texts_of_what_is_learned_later(walks, monkeypatch):
    later = fabricated_rows(2)
    loaded = []
    monkeypatch.setattr(training_data, "load_rows", lambda *args, **_: loaded.append(args) or later)
    bap, _, _ = train_sft.parse_arguments([*SMOKE, "--data", str(walks), "--tokenizer_configs", "dss:n"])
    texts = list(tokenizer_texts(gsu_table(WALKS, 2), bap)[0])
    assert loaded == [("dss", "train")] and (bap.task, bap.representation) == ("gsu", "text")
    assert [row["question"] + "\n" for row in gsu_rows(WALKS, 2)] == texts[:2]
    assert texts[4:] == later["prompt_n"][:] + later["completion"][:]


def test_a_further_training_remembers_what_was_learned_before():
    gsu = {"task": "gsu", "representation": "set", "shots": 1, "reasoning": True, "max_prompt_tokens": None}
    bap = {"task": "bap", "representation": "ego", "history_lines": 4}
    first = {"representation": "set", "arguments": {"bap": gsu}}
    second = {"representation": "ego", "arguments": {"bap": bap}, "learned_before": learned_texts(first)}
    texts = learned_texts(second)
    assert (texts["gsu"]["shots"], texts["gsu"]["representation"]) == (1, "set")
    assert (texts["bap"]["history_lines"], texts["bap"]["representation"]) == (4, "ego")
    assert learned_texts({}) == {}
