"""A model that learned GSU, from the record of its training to what is published."""

import json

import pytest
from gsu_items import gsu_rows
from small_cards import assert_well_formed

from bap_v2_dataset.explorer.sources import InstalledSource, SourceError
from bap_v2_dataset.publishing.model import model_of
from bap_v2_dataset.publishing.model_card import model_card
from bap_v2_dataset.publishing.model_facts import facts_of_run
from bap_v2_dataset.tasks.gsu.task import GSU

RUN = {
    "arguments": {
        "bap": {"task": "gsu", "dataset_config": "gsu_card2ego_2d", "dataset_path": None, "train_split": "train",
                "representation": "text", "shots": 0, "reasoning": True, "new_model": None, "tokenizer_pieces": "words",
                "max_prompt_tokens": None},
        "model": {"use_peft": True, "load_in_4bit": False, "dtype": "bfloat16", "model_revision": "main", "lora_r": 64,
                  "lora_alpha": 8, "lora_dropout": 0.0, "lora_target_modules": ["all-linear"],
                  "lora_modules_to_save": None, "model_name_or_path": "meta-llama/Llama-3.1-8B-Instruct"},
        "training": {"num_train_epochs": 4, "per_device_train_batch_size": 8, "gradient_accumulation_steps": 1,
                     "learning_rate": 1e-4, "lr_scheduler_type": "cosine", "warmup_steps": 10, "weight_decay": 0.0,
                     "max_grad_norm": 1.0, "optim": "adamw_torch", "max_length": 512, "packing": False, "bf16": True,
                     "fp16": False, "max_steps": -1},
    },
    "dataset": {"config": "gsu_card2ego_2d"},
    "train": {"items": 3000, "sources": {"gsu_card2ego_2d": 3000}},
    "representation": "text", "prompt_version": "1.1", "model": "meta-llama/Llama-3.1-8B-Instruct", "seed": 1,
    "seconds": 60.0, "device": "one GPU", "processes": 1, "versions": {"torch": "2.13.0"}, "dataset_version": "1.0.0",
    "metric_signature": "none",
}  # fmt: skip


def test_a_model_is_published_with_its_settings_and_results(tmp_path):
    folder = tmp_path / "walks"
    folder.mkdir()
    (folder / "training_run.json").write_text(json.dumps(RUN))
    (folder / "adapter_config.json").write_text('{"base_model_name_or_path": "meta-llama/Llama-3.1-8B-Instruct"}')
    (folder / "adapter_model.safetensors").write_bytes(b"weights")
    rows = gsu_rows("gsu_card2ego_2d", 4, "test")
    references = [GSU.scorer.reference_of(row) for row in rows]
    counts = GSU.scorer.score_items([row["completion"] for row in rows[:3]] + ["no idea"], references)
    settings = {"config": "gsu_card2ego_2d", "split": "test", "items": 4, "split_items": 4, "labels": "none needed",
                "confidence": 0.95}  # fmt: skip
    system = {"name": "walks", "scores": GSU.scorer.aggregate(counts), "confidence_intervals": {}}
    scores = tmp_path / "scores.json"
    scores.write_text(json.dumps({"settings": settings, "systems": [system]}))

    model = model_of("tester/Llama-walks", folder, [scores], dataset_repo="tester/bap_v2")
    assert (model.facts.task, model.facts.kind, model.facts.data) == ("gsu", "adapter", {"gsu_card2ego_2d": 3000})
    files = {file.path: file.content for file in model.files}
    results = files[".eval_results/bap_v2.yaml"]
    assert b"value: 75.0" in results and b"score in percent; signature: " in results and model.unlisted == []
    record = json.loads(files["training_run.json"])
    assert record["arguments"]["bap"]["task"] == "gsu" and record["arguments"]["bap"]["reasoning"] is True
    text = model_card(model.facts).text
    assert "shots: 0" in text and "reasoning: true" in text and "tokenizer_pieces" not in text

    unscored = model_card(facts_of_run("tester/walks", folder)).text
    assert_well_formed(unscored)
    assert "It was not scored." in unscored and '"gsu_card2ego_2d", split="test"' in unscored


def test_the_explorer_says_where_items_of_gsu_are_shown():
    for config in ("gsu", "gsu_structure"):
        with pytest.raises(SourceError, match="`bap-v2 show gsu_structure-test-0`"):
            InstalledSource().splits(config)
