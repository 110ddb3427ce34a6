"""The losses of gold answers, by which `robust_mode: static` chooses variants."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from small_builders import save_builder
from small_test_sets import SPLITS
from transformers import AutoModelForCausalLM, AutoTokenizer

from bap_v2_training.learning import gold_losses
from bap_v2_training.tasks.robustness import hardest

ROWS = sorted(SPLITS["dsb", "test"][:12], key=lambda row: len(row["prompt_n_posb_s"]))

torch.set_num_threads(1)


@pytest.mark.parametrize("model_type", ["bap_gru", "bap_pointer"])
def test_losses_do_not_depend_on_the_batch(model_type, tmp_path, monkeypatch):
    model = str(save_builder(tmp_path / "model", model_type))
    alone = [gold_losses.gold_losses(model, [row])[0] for row in ROWS]
    monkeypatch.setattr(gold_losses, "_BATCH", 5)
    assert gold_losses.gold_losses(model, ROWS) == pytest.approx(alone, rel=1e-4)
    assert hardest(alone, [0] * len(alone)) == {0: alone.index(max(alone))}


def test_the_loss_of_a_language_model_is_that_of_its_completion_and_the_end(tiny, tmp_path):
    folder = Path(shutil.copytree(tiny, tmp_path / "model"))
    tokenizer = AutoTokenizer.from_pretrained(folder)
    settings = {"bap": {"representation": "n_posb_s", "max_prompt_tokens": 400}, "training": {"max_length": 460},
                "model": {"use_peft": False}}  # fmt: skip
    (folder / "training_run.json").write_text(json.dumps({"arguments": settings, "finished": "today"}))
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32).eval()
    for row, loss in zip(ROWS, gold_losses.gold_losses(str(folder), ROWS[:4])):
        prompt = tokenizer(row["prompt_n_posb_s"])["input_ids"]
        whole = tokenizer(row["prompt_n_posb_s"] + row["completion"] + tokenizer.eos_token)["input_ids"]
        labels = [-100] * len(prompt) + whole[len(prompt) :]
        with torch.inference_mode():
            mean = model(input_ids=torch.tensor([whole]), labels=torch.tensor([labels])).loss.item()
        assert loss == pytest.approx(mean * (len(whole) - len(prompt)), rel=1e-4)
