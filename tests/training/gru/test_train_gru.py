"""train_gru.py: from settings to a model that predict.py, the report and the card can use; killed and resumed."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch
from datasets import Dataset, DatasetDict, load_from_disk
from fabricated_items import fabricated_rows
from paths import ROOT
from safetensors.torch import load_file

import bap_v2_metric
from bap_v2_dataset.predictions.model_records import facts_of
from bap_v2_dataset.publishing.model_card import model_card
from bap_v2_dataset.publishing.model_facts import facts_of_run
from bap_v2_training import predict, train_gru, train_pointer, train_sft
from bap_v2_training.errors import UsageError
from bap_v2_training.gru.decoding import GruBuilder
from bap_v2_training.gru.features import vocabulary_of
from bap_v2_training.learning.vocabulary import Vocabulary

SCRIPT = str(ROOT / "training" / "train_gru.py")
CONFIG = str(ROOT / "training" / "configs" / "gru_smoke.yaml")
QUICK = ["--disable_tqdm", "true", "--logging_steps", "1", "--max_train_items", "1000"]
SMALL = ["--channels", "8", "6", "8", "--head", "10", "9"]

torch.set_num_threads(1)


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    """A folder with 30 fabricated items, as users would bring their own."""
    folder = tmp_path_factory.mktemp("data") / "items"
    DatasetDict(train=fabricated_rows(6), validation=fabricated_rows(1, seed="other")).save_to_disk(folder)
    return folder


def options(data: Path, output_dir: Path, *changes: str, sizes=SMALL) -> list[str]:
    return ["--config", CONFIG, "--data", str(data), "--output_dir", str(output_dir), *QUICK, *sizes, *changes]


def trained(data: Path, output_dir: Path, *changes: str, sizes=SMALL) -> dict:
    return train_gru.main(*train_gru.parse_arguments(options(data, output_dir, *changes, sizes=sizes)))


@pytest.fixture(scope="module")
def run(data, tmp_path_factory) -> tuple[Path, dict]:
    """A finished run with a checkpoint every fourth update, and its record."""
    folder = tmp_path_factory.mktemp("runs") / "gru"
    every = ["--eval_strategy", "steps", "--eval_steps", "4", "--save_strategy", "steps", "--save_steps", "4"]
    return folder, trained(data, folder, *every, "--steps_per_batch", "10", "--save_total_limit", "9")


@pytest.mark.slow
def test_the_record_says_what_was_trained_on_what_and_how_it_went(run, data):
    folder, record = run
    assert json.loads((folder / "training_run.json").read_text()) == json.loads(json.dumps(record))
    assert (record["model_type"], record["representation"], record["dataset"]) == (
        "bap_gru", None, {"path": str(data)})  # fmt: skip
    rows = load_from_disk(data)
    steps = sum(len(actions) + 1 for actions in rows["train"]["actions"])
    assert record["train"] | {"sha256": "", "words": 0} == {
        "split": "train", "items": 30, "steps": steps, "words": 0, "sources": {"own": 30}, "sha256": ""}  # fmt: skip
    assert record["eval"]["items"] == 5 and record["seed"] == 1 and record["steps"] > 8
    assert record["metric_signature"] == bap_v2_metric.SIGNATURE
    assert [loss["eval_loss"] for loss in record["losses"]] and record["best"] == min(
        loss["eval_loss"] for loss in record["losses"]
    )
    assert record["arguments"]["bap"]["channels"] == [8, 6, 8]
    model = GruBuilder.load(str(folder)).model
    assert record["trained_parameters"] == sum(weight.numel() for weight in model.parameters())
    assert list(model.config.channels) == [8, 6, 8] and Vocabulary.load(folder).words == vocabulary_of(
        rows["train"]
    ).words  # fmt: skip


@pytest.mark.slow
def test_the_checkpoint_of_the_best_dev_loss_is_what_is_saved(run):
    folder, record = run
    best = min(record["losses"], key=lambda loss: loss["eval_loss"])
    checkpoints = sorted(folder.glob("checkpoint-*"))
    states = {path: json.loads((path / "trainer_state.json").read_text()) for path in checkpoints}
    (path,) = [path for path, state in states.items() if state["epoch"] == pytest.approx(best["epoch"])]
    saved, kept = load_file(folder / "model.safetensors"), load_file(path / "model.safetensors")
    assert all(torch.equal(saved[name], kept[name]) for name in saved) and len(checkpoints) > 1
    assert GruBuilder.load(str(path)).vocabulary.words == GruBuilder.load(str(folder)).vocabulary.words


@pytest.mark.slow
def test_a_run_resumed_from_a_checkpoint_has_the_same_losses_and_weights(run, data, tmp_path):
    whole, record = run
    folder = tmp_path / "gru"
    (folder / "checkpoint-8").mkdir(parents=True)
    shutil.copytree(whole / "checkpoint-8", folder / "checkpoint-8", dirs_exist_ok=True)
    shutil.copytree(whole / "checkpoint-4", folder / "checkpoint-4")
    (folder / "checkpoint-9").mkdir()  # a kill left it incomplete
    every = ["--eval_strategy", "steps", "--eval_steps", "4", "--save_strategy", "steps", "--save_steps", "4"]
    changes = [*every, "--steps_per_batch", "10", "--save_total_limit", "9", "--resume_from_checkpoint", "auto"]
    again = trained(data, folder, *changes)
    assert again["resumed_from"] == str(folder / "checkpoint-8")
    losses = [
        [(entry["step"], entry["loss"]) for entry in log if "loss" in entry] for log in (record["log"], again["log"])
    ]
    assert losses[0] == losses[1] and len(losses[0]) == record["steps"]
    assert again["losses"] == record["losses"]
    one, other = (load_file(path / "model.safetensors") for path in (whole, folder))
    assert all(torch.equal(one[name], other[name]) for name in one)
    for other_items, named in (["--max_train_items", "20"], "the items"), (["--steps_per_batch", "11"], "steps_per_"):
        with pytest.raises(UsageError, match=named):
            trained(data, folder, *changes, *other_items)


def test_what_is_wrong_is_said_before_anything_is_learned(data, tmp_path):
    for changes, message in [
        (["--early_stopping_patience", "3", "--load_best_model_at_end", "false"], "needs load_best_model_at_end"),
        (["--steps_per_item", "0"], "steps_per_item is 0"),
        (["--channels", "8", "8"], "expected 3 positive numbers"),
        (["--mix", "dsb=3"], "not both"),
        (["--vectors", str(tmp_path / "none.txt")], "none.txt is not a file of word vectors"),
        (["--train_split", "holdout"], "holdout"),
        (["--resume_from_checkpoint", "true"], "no checkpoint to resume from"),
    ]:
        with pytest.raises(UsageError, match=message):
            trained(data, tmp_path / "run", *changes)
    with pytest.raises(UsageError, match="no setting stepz"):
        (tmp_path / "wrong.yaml").write_text("stepz: 3\n")
        train_gru.parse_arguments(["--config", str(tmp_path / "wrong.yaml")])
    own = tmp_path / "own.jsonl"
    item = {"id": "a", "history": [], "dialogue": ["<Architect> hi"], "before": [], "actions": ["place red 0 1 0"]}
    own.write_text(json.dumps(item) + "\n")
    with pytest.raises(UsageError, match=r"1 items have no pose, e\.g\. a: this model reads it"):
        trained(own, tmp_path / "run", "--eval_strategy", "no", "--load_best_model_at_end", "false")


@pytest.mark.slow
def test_early_stopping_ends_a_run_whose_dev_loss_rises(data, tmp_path):
    changes = ["--learning_rate", "1.0", "--num_train_epochs", "30", "--early_stopping_patience", "2"]
    record = trained(data, tmp_path / "run", *changes)
    losses = [loss["eval_loss"] for loss in record["losses"]]
    best = int(np.argmin(losses))
    assert len(losses) == best + 3 < 30


@pytest.mark.slow
def test_vectors_of_a_file_are_used_and_not_trained(data, tmp_path):
    lines = ["please 1 2 3", "red 4 5 6", "tower 7 8 9", "<unk> 5 5 5", ". 1 1 1"]
    (tmp_path / "vectors.txt").write_text("\n".join(lines) + "\n")
    record = trained(data, tmp_path / "run", "--vectors", str(tmp_path / "vectors.txt"), "--max_steps", "3")
    builder = GruBuilder.load(str(tmp_path / "run"))
    words, weight = builder.vocabulary, builder.model.words.weight
    known = words.words[-2:]  # "red" is no word of these dialogues, nor is the dot
    assert set(known) == {"please", "tower"} and builder.model.config.embedding == 3
    assert weight[words.ids(["please", "tower"])].tolist() == [[1, 2, 3], [7, 8, 9]]
    special = weight[: len(words) - 2].detach()
    assert ((special >= 0) & (special <= 1)).all() and special.std() > 0.2
    assert builder.model.config.vectors["name"] == "vectors.txt"
    others = sum(weight.numel() for name, weight in builder.model.named_parameters() if name != "words.weight")
    assert record["trained_parameters"] == others


@pytest.mark.slow
def test_it_memorizes_ten_items_and_the_predictions_are_scored(data, tmp_path):
    folder, output = tmp_path / "run", tmp_path / "run" / "train.jsonl"
    rows = [row for row in load_from_disk(data)["train"].to_list() if row["before"]][:10]
    for number, row in enumerate(rows):  # else many differ in the pose alone: that takes long to learn
        row["dialogue"] = [*row["dialogue"], f"<Architect> {number} {number}"]
    DatasetDict(train=Dataset.from_list(rows)).save_to_disk(tmp_path / "ten")
    changes = ["--eval_strategy", "no", "--load_best_model_at_end", "false", "--save_strategy", "no",
               "--num_train_epochs", "100", "--learning_rate", "2e-3", "--lr_scheduler_type", "linear",
               "--steps_per_batch", "8", "--steps_per_item", "8", "--logging_steps", "100",
               "--bf16", "false"]  # fmt: skip
    trained(tmp_path / "ten", folder, *changes, sizes=["--channels", "64", "32", "64", "--head", "96", "64"])
    asked = ["--model", str(folder), "--data", str(tmp_path / "ten"), "--split", "train", "--out", str(output)]
    predict.main(predict.parse_arguments(asked))
    lines = {line["id"]: line for line in map(json.loads, output.read_text().splitlines())}
    assert all(line["finished"] for line in lines.values())
    scores = bap_v2_metric.score(predictions=[lines[row["id"]]["prediction"] for row in rows], references=rows)
    assert scores["fairer_f1"] == 1.0

    settings = json.loads(Path(f"{output}.settings.json").read_text())
    facts = facts_of(output, settings)
    assert facts["model_type"] == "bap_gru" and facts["train_items"] == 10 and facts["seeds"] == (1,)
    card = str(model_card(facts_of_run("me/gru", folder)))
    assert "GRUs read the words" in card and "steps_per_batch: 8" in card


def test_ctrl_c_ends_with_a_sentence_that_says_how_to_resume(data, tmp_path, monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(train_gru, "main", interrupted)
    monkeypatch.setattr("sys.argv", ["train_gru.py", *options(data, tmp_path / "run")])
    with pytest.raises(SystemExit) as stop:
        train_gru.command()
    shown = capsys.readouterr().out
    assert stop.value.code == 130
    assert "with --resume-from-checkpoint auto the same command resumes from the last checkpoint" in shown


@pytest.mark.parametrize("capability, bf16", [("avx2", False), ("avx512_f", False), ("avx512_bf16", True)])
def test_a_config_is_computed_in_bfloat16_where_the_cpu_has_instructions_for_it(monkeypatch, capsys, capability, bf16):
    monkeypatch.setattr(torch.accelerator, "is_available", lambda: False)
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: {capability: True})
    for module, config, asks in (
        (train_gru, "gru_mc", True), (train_pointer, "pointer_demo", True), (train_sft, "smollm2", True),
        (train_sft, "smoke", False),  # says nothing, and so it is float32
    ):  # fmt: skip
        words = ["--config", str(ROOT / "training" / "configs" / f"{config}.yaml")]
        assert module.parse_arguments(words)[1].bf16 is (bf16 and asks)
        assert ("no instructions for it" in capsys.readouterr().err) is (asks and not bf16)
        assert module.parse_arguments([*words, "--bf16", "true"])[1].bf16  # who asks for it gets it
        assert not capsys.readouterr().err
