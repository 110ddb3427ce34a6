"""Choosing a checkpoint by its answers; on a tiny model that learns six items by heart and then is ruined."""

import json
import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file
from tiny_runs import arguments

from bap_v2_training import choose_checkpoint, predict, train_sft
from bap_v2_training.decoding.predict_settings import parse_arguments
from bap_v2_training.errors import UsageError

torch.set_num_threads(1)

BY_HEART = ["--representation", "n", "--max_train_items", "6", "--per_device_train_batch_size", "6",
            "--num_train_epochs", "150", "--eval_split", "train"]  # fmt: skip
WEIGHTS = "adapter_model.safetensors"
OPTIONS = {"batch_size": None, "max_new_tokens": 60, "dtype": None}


@pytest.fixture(scope="module")
def run(data, tiny, tmp_path_factory):
    """A run with two checkpoints; the later one and what the run ended with are ruined."""
    folder = tmp_path_factory.mktemp("adapter") / "run"
    changes = [*BY_HEART, "--save_strategy", "steps", "--save_steps", "150"]
    train_sft.main(*arguments(data, tiny, folder, *changes))
    (later,) = folder.glob("checkpoint-*")
    good = folder / "checkpoint-140"
    shutil.copytree(later, good)
    ruined = {key: torch.randn_like(weight) for key, weight in load_file(good / WEIGHTS).items()}
    for place in (later, folder):
        save_file(ruined, place / WEIGHTS, metadata={"format": "pt"})
    return folder


@pytest.mark.slow
def test_the_better_checkpoint_is_kept_although_it_is_the_earlier_one(run, data, tmp_path):
    folder = run
    items = choose_checkpoint.items_asked(folder, None, None, None, max_items=6)
    assert items == {"dataset_config": None, "data": str(data), "split": "train", "max_items": 6}
    result = choose_checkpoint.main(folder, items, OPTIONS)
    scores = {score["steps"]: score for score in result["checkpoints"]}
    assert result["best"] == "checkpoint-140" and list(scores) == [140, 150]
    assert scores[140]["fairer_f1"] > 0.8 and scores[150]["fairer_f1"] < 0.2
    assert json.loads((folder / "checkpoints.json").read_text()) == result
    assert "chosen_checkpoint" not in json.loads((folder / "training_run.json").read_text())

    # It resumes: an answer that a kill left out is written again, and nothing else.
    (answers,) = folder.glob("checkpoint_answers/checkpoint-140/*.jsonl")
    lines = answers.read_text().splitlines(keepends=True)
    answers.write_text("".join(lines[:-1]))

    # What answered before is not taken for the model that is kept now.
    command = ["--model", str(folder), "--split", "train", "--max_items", "6", "--max_new_tokens", "60"]
    command += ["--out", str(tmp_path / "all.jsonl")]
    predict.main(parse_arguments(command))
    assert choose_checkpoint.main(folder, items, OPTIONS, keep=True)["checkpoints"] == result["checkpoints"]
    assert sorted(answers.read_text().splitlines(keepends=True)) == sorted(lines)
    kept, good = load_file(folder / WEIGHTS), load_file(folder / "checkpoint-140" / WEIGHTS)
    assert all(torch.equal(kept[name], good[name]) for name in good)
    record = json.loads((folder / "training_run.json").read_text())["chosen_checkpoint"]
    assert record["checkpoint"] == "checkpoint-140" and record["fairer_f1"]["checkpoint-150"] < 0.2
    with pytest.raises(Exception, match="model_finished"):
        predict.main(parse_arguments(command))
    predict.main(parse_arguments([*command, "--overwrite"]))
    chosen = {json.loads(line)["prediction"] for line in (tmp_path / "all.jsonl").read_text().splitlines()}
    assert chosen == {json.loads(line)["prediction"] for line in lines}
    # Again after that: the answers of the checkpoints are still theirs.
    assert choose_checkpoint.main(folder, items, OPTIONS, keep=True)["best"] == "checkpoint-140"


@pytest.mark.slow
def test_a_run_without_checkpoints_is_an_error_that_names_the_setting(data, tiny, tmp_path):
    train_sft.main(*arguments(data, tiny, tmp_path / "run", "--max_steps", "1"))
    with pytest.raises(UsageError, match="no checkpoints; save_strategy: epoch"):
        choose_checkpoint.items_asked(tmp_path / "run", None, None, None, max_items=6)
    with pytest.raises(UsageError, match="no training ended in this folder"):
        choose_checkpoint.items_asked(tmp_path / "nothing", None, None, None, max_items=6)
