"""Training of a small pointer transformer: it learns, resumes to the same losses, and its folder answers."""

import json
import re
from pathlib import Path

import datasets
import pytest
import torch
from case_tables import cases_of
from killed_trainings import killed_after
from safetensors.torch import load_file

from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import row
from bap_v2_dataset.predictions import model_records
from bap_v2_dataset.predictions.model_records import learned_from
from bap_v2_dataset.publishing.model_facts import facts_of_run
from bap_v2_metric import score
from bap_v2_simulators.corpora import simulator_of
from bap_v2_simulators.simulation import play
from bap_v2_training import train_pointer
from bap_v2_training.errors import UsageError
from bap_v2_training.pointer import row_answers, stream
from bap_v2_training.pointer.decoding import PointerBuilder
from bap_v2_training.pointer.examples import example_of_row
from bap_v2_training.pointer.features import FeatureSettings, collate
from bap_v2_training.pointer.settings import parse_arguments
from bap_v2_training.pointer.trainer import AverageWeights

ROWS = [row(item) for index in range(5) for item in items(play(simulator_of("dsb"), "validation", index, seed=9))]
SMALL = {
    "hidden_size": 32, "intermediate_size": 64, "encoder_layers": 1, "decoder_layers": 1, "attention_heads": 2,
    "max_actions": 8,
}  # fmt: skip


@pytest.fixture(autouse=True)
def people(monkeypatch):
    """Rows that stand for those of people, and for validation items: `rows_of` finds them under any name."""
    monkeypatch.setattr(stream, "rows_of", lambda name, split: ROWS)
    monkeypatch.setattr(train_pointer, "rows_of", lambda name, split, max_items=None: ROWS[:max_items])


def arguments(folder: Path, **settings) -> list[str]:
    usual = {
        "output_dir": folder, "mix": "dsb=1,human=1", "rows": "human=mdc", "augmentation": {"human": {}},
        "word_dropout": "human=0.1", "model": {**SMALL, "dropout": 0.1}, "vocabulary_items": 40, "chunk_items": 48,
        "eval_sets": "mdc", "max_steps": 6, "per_device_train_batch_size": 8, "learning_rate": 3e-3, "save_steps": 3,
        "logging_steps": 1, "eval_strategy": "steps", "eval_steps": 3, "ema_decay": 0.9, "bf16": "true", "seed": 5,
        "report_to": "none", "disable_tqdm": "true",
    }  # fmt: skip
    return [
        part
        for name, value in {**usual, **settings}.items()
        if value is not None
        for part in (f"--{name}", json.dumps(value) if isinstance(value, dict) else str(value))
    ]


def trained(folder: Path, **settings) -> dict:
    return train_pointer.main(*parse_arguments(arguments(folder, **settings)))


def losses(run: dict) -> list[float]:
    return [entry[name] for entry in run["log"] for name in ("loss", "eval_loss") if name in entry]


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> tuple[Path, dict]:
    """A training that nothing interrupts: its folder and record."""
    folder = tmp_path_factory.mktemp("runs") / "whole"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "rows_of", lambda name, split: ROWS)
        patch.setattr(train_pointer, "rows_of", lambda name, split, max_items=None: ROWS[:max_items])
        return folder, trained(folder)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 1])
def test_a_resumed_training_has_the_losses_that_it_would_have_had(whole, tmp_path, workers):
    with killed_after(4, train_pointer.PointerTrainer):
        trained(tmp_path, dataloader_num_workers=workers)
    assert not (tmp_path / "training_run.json").exists()
    resumed = trained(tmp_path, dataloader_num_workers=workers, resume_from_checkpoint="auto")
    folder, run = whole
    assert resumed["resumed_from"].endswith("checkpoint-3")
    assert losses(resumed) == losses(run)
    last, other = load_file(tmp_path / "model.safetensors"), load_file(folder / "model.safetensors")
    assert all(torch.equal(last[name], other[name]) for name in other)


@pytest.mark.slow
def test_items_are_learned_in_the_same_order_by_any_number_of_workers(whole, tmp_path):
    assert losses(trained(tmp_path, dataloader_num_workers=1)) == losses(whole[1])


@pytest.mark.slow
def test_a_training_on_streamed_rows_is_resumed_with_the_same_shards_alone(tmp_path):
    shards = tmp_path / "shards"
    shards.mkdir()
    for number in range(2):
        file = shards / f"dsb-train-{number:05d}.parquet"
        datasets.Dataset.from_list(ROWS[20 * number : 20 * number + 20], features=FEATURES).to_parquet(str(file))
    settings = {
        "mix": "big=1",
        "rows": f"big={shards}",
        "streaming": "true",
        "augmentation": None,
        "word_dropout": None,
    }
    run = trained(tmp_path / "run", **settings)
    assert run["train"]["sources"] == {"big": 40} and run["dataset"]["rows"] == {"big": str(shards)}
    checkpoint = tmp_path / "run" / "checkpoint-3"
    assert losses(trained(tmp_path / "again", **settings, resume_from_checkpoint=checkpoint)) == losses(run)
    file.unlink()
    with pytest.raises(UsageError, match=r"with other settings \(the shards\)"):
        trained(tmp_path / "other", **settings, resume_from_checkpoint=checkpoint)


@pytest.mark.slow
def test_a_training_is_resumed_only_with_the_same_items(whole):
    folder, _ = whole
    with pytest.raises(UsageError, match="with other settings \\(the stream\\)"):
        trained(folder, mix="dsb=1", resume_from_checkpoint=folder / "checkpoint-3")


def test_the_record_says_what_was_learned(whole):
    folder, run = whole
    assert json.loads((folder / "training_run.json").read_bytes()) == json.loads(json.dumps(run))
    assert run["model_type"] == "bap_pointer" and run["representation"] is None and run["seed"] == 5
    assert run["train"]["items"] == 48 and run["train"]["chunk"] == {"dsb": 24, "human": 24}
    assert run["train"]["sources"] == {"dsb": None, "human": len(ROWS)}
    assert learned_from(run) == ("dsb", "mdc")
    assert run["arguments"]["bap"]["model"] == {**SMALL, "dropout": 0.1}


def test_the_folder_answers_as_the_record_says(whole):
    folder, run = whole
    builder = PointerBuilder.load(str(folder), "bfloat16", None, False)
    answers = [text for text, _ in builder.answers(ROWS)]
    f1 = score(answers, ROWS)["fairer_f1"]
    assert f1 == pytest.approx(run["validation"]["mdc"]["fairer_f1"], abs=0.02)  # the batches were others


@pytest.mark.slow
def test_a_model_learns_twenty_items_by_heart(tmp_path, monkeypatch):
    monkeypatch.setattr(train_pointer, "rows_of", lambda name, split, max_items=None: ROWS[:20])
    monkeypatch.setattr(stream, "rows_of", lambda name, split: ROWS[:20])
    run = trained(
        tmp_path, mix="human=1", augmentation=None, word_dropout=None, max_steps=150, chunk_items=20,
        per_device_train_batch_size=20, ema_decay=None, save_strategy="no", eval_strategy="no", bf16="false",
        model={**SMALL, "hidden_size": 64, "intermediate_size": 128}, learning_rate=4e-3, lr_scheduler_type="cosine",
    )  # fmt: skip
    assert run["validation"]["mdc"]["fairer_f1"] == 1.0 and run["validation"]["mdc"]["exact"] == 20


@pytest.mark.slow
def test_a_training_starts_from_another_one(whole, tmp_path):
    folder, _ = whole
    run = trained(tmp_path, init_from=folder, model=None, mix="human=1", max_steps=1, learning_rate=0.0, ema_decay=None)
    before, after = load_file(folder / "model.safetensors"), load_file(tmp_path / "model.safetensors")
    assert all(torch.equal(before[name], after[name]) for name in before)
    assert learned_from(run) == ("dsb", "mdc")
    assert (tmp_path / "vocabulary.json").read_bytes() == (folder / "vocabulary.json").read_bytes()


@pytest.mark.slow
def test_what_a_larger_model_said_stays_on_record(whole, tmp_path, monkeypatch):
    said = [{**one, "metadata": {"annotation": {"clear": True, "reading": ["place red 0 1 0"]}}} for one in ROWS]
    monkeypatch.setattr(stream, "rows_of", lambda name, split: said)
    monkeypatch.setattr(train_pointer, "rows_of", lambda name, split, max_items=None: said[:8])
    further = {"model": None, "mix": "human=1", "max_steps": 1, "ema_decay": None, "eval_strategy": "no"}
    runs = {
        "read": trained(tmp_path / "read", init_from=whole[0], readings="human=0.5", **further),
        "later": trained(tmp_path / "later", init_from=tmp_path / "read", **further),
        "judged": trained(tmp_path / "judged", init_from=whole[0], next_turn_weights={"different": 0.5}, **further),
    }
    monkeypatch.setattr(row_answers, "synthetic_dialogues", lambda row: [["<Architect> this"]])
    monkeypatch.setattr(stream, "has_paraphrases", lambda example: True)
    words = {"augmentation": {"human": {"paraphrases": 0.5}}, "synthetic_instructions": "human=0.5"}
    run = trained(tmp_path / "words", init_from=tmp_path / "read", **words, **further)
    assert "is the larger model's in 50% of `human`" in facts_of_run("me/it", tmp_path / "words").chosen
    run = trained(tmp_path / "after", init_from=tmp_path / "words", **further)
    all_three = (
        "its readings of people's turns, its paraphrases of people's lines and its instructions for what people built"
    )
    assert model_records.learned_of_larger_model(run) == all_three
    for name, run in runs.items():
        assert model_records.larger_model_sources(run) == {"readings": ["human"]}, name
        told = model_records.facts_of(tmp_path / "answers.jsonl", {"model": str(tmp_path / name)})["larger_model"]
        assert told == "its readings of people's turns" and told in facts_of_run("me/it", tmp_path / name).chosen
        assert run["validation"]["mdc"]["reader_f1"] < 1.0, name
    assert not model_records.learned_of_larger_model(whole[1])


@pytest.mark.slow
def test_a_model_that_is_trained_further_can_read_more(whole, tmp_path):
    folder, _ = whole
    more = {"earlier_dialogues": 8, "previous_words": 256}
    further = {"init_from": folder, "model": None, "mix": "dh=1", "max_steps": 1, "ema_decay": None}
    run = trained(tmp_path, **further, features=more, learning_rate=0.0)
    assert run["features"] == {**whole[1]["features"], **more}
    after = PointerBuilder.load(str(tmp_path), "float32", None, False)
    assert after.features == FeatureSettings(**run["features"])
    games = [play(simulator_of("dh"), "train", index, seed=3) for index in range(4)]
    rows = [row(item) for game in games for item in items(game)]
    read = [
        [collate([example_of_row(one)], after.vocabulary, features)["words"].tolist() for one in rows]
        for features in (FeatureSettings(), after.features)
    ]
    losses = [[builder.losses([one]) for one in rows] for builder in (PointerBuilder.load(str(folder)), after)]
    # What was not read before is read now, and nothing else has changed
    same = [first == pytest.approx(second, rel=1e-5) for first, second in zip(*losses)]
    assert same == [first == second for first, second in zip(*read)] and 0 < sum(same) < len(rows) / 2
    assert trained(tmp_path / "again", **{**further, "init_from": str(tmp_path)}, features=more)["steps"] == 1
    with pytest.raises(UsageError, match="reads 8 earlier dialogues already"):
        trained(tmp_path / "fewer", **{**further, "init_from": str(tmp_path)}, features={"earlier_dialogues": 2})


def test_the_best_model_is_kept_with_its_average(whole, tmp_path):
    # "Best" is what is worst: with this learning rate not the last one.
    run = trained(
        tmp_path, load_best_model_at_end="true", metric_for_best_model="eval_mdc_loss", greater_is_better="true",
        eval_steps=1, save_steps=1, learning_rate=0.5, max_steps=4, eval_scores="true",
    )  # fmt: skip
    evaluations = [entry["eval_mdc_loss"] for entry in run["log"] if "eval_mdc_loss" in entry]
    best = evaluations.index(max(evaluations)) + 1
    assert best < len(evaluations) == 4
    kept, final = (load_file(folder / "model.safetensors") for folder in (tmp_path / f"checkpoint-{best}", tmp_path))
    assert all(torch.equal(kept[name], final[name]) for name in kept)
    assert any("eval_mdc_f1" in entry and "eval_f1" in entry for entry in run["log"])


def test_neither_embeddings_nor_norms_decay(tmp_path):
    trainer, _, _ = train_pointer.prepared(*parse_arguments(arguments(tmp_path)))
    decaying = trainer.get_decay_parameter_names(trainer.model)
    weights = dict(trainer.model.named_parameters())
    assert "encoder.0.wide.weight" in decaying
    assert all(weights[name].ndim == 2 for name in decaying)
    assert not [name for name in decaying if re.search("norm|words|places|kinds.weight", name)]


def test_an_average_follows_the_weights():
    model = torch.nn.Linear(1, 1, bias=False)
    average = AverageWeights(model, 0.5)
    with torch.no_grad():
        start = model.weight.item()
        model.weight += 1.0
    average.update(100)
    assert average.values["weight"].item() == pytest.approx(start + 0.5)
    with average.in_use():
        assert model.weight.item() == pytest.approx(start + 0.5)
    assert model.weight.item() == pytest.approx(start + 1.0)
    average.stay()
    assert model.weight.item() == pytest.approx(start + 0.5)


@pytest.mark.parametrize(
    "settings, message",
    [
        *cases_of(__file__, "wrong_settings"),
        ({"max_steps": None}, "set max_steps"),
        ({"init_from": "x", "model": None, "features": {"pose": True}}, "pose is that of x, where the training starts"),
    ],
)
def test_mistakes_in_the_settings_are_named(tmp_path, settings, message):
    with pytest.raises(UsageError, match=message):
        parse_arguments(arguments(tmp_path, **settings))


def test_fields_of_the_model_are_checked(tmp_path):
    with pytest.raises(UsageError, match="no field 'width'"):
        trained(tmp_path, model={"width": 3})
    with pytest.raises(UsageError, match="no readable vocabulary"):
        trained(tmp_path, init_from=str(tmp_path / "nothing"), model=None)
