"""Training as on a cluster: labels, order, packing, kills, several processes, 4 bits, dry runs; on a tiny model."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import fields
from pathlib import Path

import pytest
import torch
from case_tables import cases_of
from datasets import load_from_disk
from paths import ROOT
from safetensors.torch import load_file
from tiny_runs import MEMORISE, NEBULA, arguments, options
from transformers import TrainingArguments
from trl import SFTConfig, SFTTrainer

from bap_v2_dataset.items.versions import PROMPT_VERSION
from bap_v2_simulators.corpus_table import SIZES
from bap_v2_training import train_sft
from bap_v2_training.errors import UsageError
from bap_v2_training.learning import checkpoints, sft_trainer
from bap_v2_training.learning.dataset_rows import sources_of
from bap_v2_training.learning.sft_trainer import CpuTrainer
from bap_v2_training.learning.training_data import mix_in_cache
from bap_v2_training.learning.training_settings import DECIDED_HERE

SCRIPT = str(ROOT / "training" / "train_sft.py")
torch.set_num_threads(1)


ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}


def launched(args: list[str], launcher: list[str]) -> str:
    done = subprocess.run([*launcher, *args], capture_output=True, text=True, env=ENVIRONMENT, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def weights(folder: Path) -> dict[str, torch.Tensor]:
    return load_file(folder / "adapter_model.safetensors")


def furthest_apart(one: Path, other: Path) -> float:
    one, other = weights(one), weights(other)
    assert one.keys() == other.keys()
    return max(float((one[name] - other[name]).abs().max()) for name in one)


@pytest.fixture
def own_precision(monkeypatch):
    """The precision that transformers notes in the environment is not left to other tests."""
    monkeypatch.setenv("ACCELERATE_MIXED_PRECISION", "no")


# What is learned of an item


def test_collated_labels_are_the_completion_and_its_eos_and_nothing_else(data, tiny, tmp_path):
    trainer, _ = train_sft.prepared(*arguments(data, tiny, tmp_path / "run"))
    tokenizer = trainer.processing_class
    completions = {row["prompt_n_posb_s"]: row["completion"] for row in load_from_disk(data)["train"]}
    seen = set()
    for batch in trainer.get_train_dataloader():
        for ids, mask, labels in zip(batch["input_ids"], batch["attention_mask"], batch["labels"]):
            ids, labels = ids[mask == 1], labels[mask == 1]
            n_prompt = int((labels == -100).sum())
            prompt, answer = ids[:n_prompt], ids[n_prompt:]
            assert torch.equal(labels[n_prompt:], answer), "something other than the end of the text is learned"
            assert answer[-1] == tokenizer.eos_token_id and tokenizer.eos_token_id not in answer[:-1]
            text = tokenizer.decode(prompt).removeprefix(tokenizer.bos_token)
            assert tokenizer.decode(answer[:-1]) == completions[text]
            assert prompt.tolist() == tokenizer(text)["input_ids"], "training and prediction tokenize differently"
            seen.add(text)
        assert (batch["labels"][batch["attention_mask"] == 0] == -100).all(), "padding is learned"
    assert seen == set(completions)


@pytest.mark.parametrize("in_all", [None, 500])
def test_on_a_cpu_the_loss_and_its_gradients_are_those_of_trl(data, tiny, tmp_path, in_all):
    trainer, _ = train_sft.prepared(*arguments(data, tiny, tmp_path / "run"))
    assert isinstance(trainer, CpuTrainer)
    batch = next(iter(trainer.get_train_dataloader()))
    results, metrics = [], []
    for compute_loss in (CpuTrainer.compute_loss, SFTTrainer.compute_loss):
        trainer.model.zero_grad()
        trainer._metrics["train"].clear()
        trainer._total_train_tokens = 0
        loss = compute_loss(trainer, trainer.model, dict(batch), num_items_in_batch=in_all)
        loss.backward()
        results.append([loss, *(weight.grad for weight in trainer.model.parameters() if weight.requires_grad)])
        metrics.append(dict(trainer._metrics["train"]))
    assert (
        sum(bool(grad.any()) for grad in results[0]) > len(results[0]) // 2
    )  # LoRA's A has none before the first step
    for ours, theirs in zip(*results, strict=True):
        torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-7)
    assert metrics[0].keys() == metrics[1].keys() >= {"entropy", "mean_token_accuracy", "num_tokens"}
    for name, values in metrics[1].items():
        assert metrics[0][name] == pytest.approx(values, rel=1e-4), name


@pytest.mark.slow
@pytest.mark.parametrize("packing", ["packing", "padding_free"])
def test_packed_items_do_not_see_each_other(data, tiny, tmp_path, packing):
    losses = []
    for name, changes in {"alone": [], "together": [f"--{packing}", "true", "--max_length", "600"]}.items():
        trainer, _ = train_sft.prepared(*arguments(data, tiny, tmp_path / name, "--use_peft", "false", *changes))
        batches = [trainer.data_collator([trainer.train_dataset[index]]) for index in range(len(trainer.train_dataset))]
        if name == "together":
            batches = [trainer.data_collator(list(trainer.train_dataset))]
        with torch.no_grad():
            model = trainer.model.eval()
            counts = [int((batch["labels"] != -100).sum()) for batch in batches]
            each = [float(model(**batch).loss) for batch in batches]
        losses.append(sum(loss * count for loss, count in zip(each, counts)) / sum(counts))
        assert len(batches) == (30 if name == "alone" else 1)
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)


# Settings of TRL
REFUSED = {
    "completion_only_loss": "false", "assistant_only_loss": "true", "dataset_text_field": "content",
    "dataset_kwargs": '{"skip_prepare_dataset": true}', "chat_template_path": "x.jinja", "truncation_mode": "keep_end",
    "shuffle_dataset": "true", "length_column_name": "size", "eval_packing": "true",
}  # fmt: skip
OBEYED = {
    "model_init_kwargs", "trust_remote_code", "router_aux_loss_coef", "dataset_num_proc", "eos_token", "max_length",
    "packing", "packing_strategy", "padding_free", "pad_to_multiple_of", "loss_type", "activation_offloading",
    "pad_token",
}  # fmt: skip


def test_each_setting_of_trl_is_obeyed_or_refused(data, tiny, tmp_path):
    of_trl = {field.name for field in fields(SFTConfig)} - {field.name for field in fields(TrainingArguments)}
    assert of_trl | {"length_column_name"} == REFUSED.keys() | OBEYED
    for name, value in REFUSED.items():
        with pytest.raises(UsageError, match=f"{name} is "):
            arguments(data, tiny, tmp_path / "run", f"--{name}", value)
    same = [part for name, (values, _) in DECIDED_HERE.items() if values[-1] for part in (f"--{name}", str(values[-1]))]
    arguments(data, tiny, tmp_path / "run", *same)


@pytest.mark.parametrize("name", ["eos_token", "pad_token"])
def test_a_token_that_was_asked_for_is_learned_and_saved(data, tiny, tmp_path, name):
    trainer, _ = train_sft.prepared(*arguments(data, tiny, tmp_path / "run", f"--{name}", "place"))
    batch = next(iter(trainer.get_train_dataloader()))
    token = trainer.processing_class.convert_tokens_to_ids("place")
    assert getattr(trainer.processing_class, name) == "place"
    for ids, mask, labels in zip(batch["input_ids"], batch["attention_mask"], batch["labels"]):
        assert name == "pad_token" or labels[mask == 1][-1] == token
        assert name == "eos_token" or (ids[mask == 0] == token).all()
    with pytest.raises(UsageError, match=f"{name} is '<none>', which is no token of "):
        train_sft.prepared(*arguments(data, tiny, tmp_path / "run", f"--{name}", "<none>"))


# Stages


@pytest.mark.parametrize("grouped", [[], ["--train_sampling_strategy", "group_by_length"]])
def test_with_a_curriculum_batches_come_in_its_order(data, tiny, tmp_path, grouped):
    changes = ["--curriculum", "synthetic,human", "--num_train_epochs", "2", *grouped]
    trainer, record = train_sft.prepared(*arguments(data, tiny, tmp_path / "run", *changes))
    assert record["curriculum"] == [{"stage": "synthetic", "items": 20}, {"stage": "human", "items": 10}]
    assert record["train"]["sources"] == {"dr": 10, "dss": 10, "human": 10}
    rows = load_from_disk(data)["train"]
    source = dict(zip(rows["prompt_n_posb_s"], sources_of(rows)))
    learned = []
    for batch in trainer.get_train_dataloader():
        for ids, labels, mask in zip(batch["input_ids"], batch["labels"], batch["attention_mask"]):
            prompt = trainer.processing_class.decode(ids[(labels == -100) & (mask == 1)])
            learned.append(source[prompt.removeprefix("<|begin_of_text|>")])
    assert len(learned) == 60
    assert "human" not in learned[:40] and set(learned[40:]) == {"human"}
    assert trainer.args.num_train_epochs == 1 and record["train"]["items"] == 30


@pytest.mark.parametrize(
    ("changes", "message"),
    cases_of(__file__, "wrong_settings"),
)
def test_wrong_settings_are_errors_that_name_the_fix(data, tiny, tmp_path, changes, message):
    (tmp_path / "run").mkdir()
    record = tmp_path / "run" / "training_run.json"
    record.write_text("{}")
    replaced = ["--overwrite"] * ("--resume_from_checkpoint" not in changes)
    with pytest.raises(UsageError, match=message):
        train_sft.main(*arguments(data, tiny, tmp_path / "run", *replaced, *changes))
    assert record.exists()  # the model that was here before is whole


@pytest.mark.slow
def test_a_mix_may_be_named_or_be_a_folder(tiny, tmp_path, own_home, monkeypatch):
    monkeypatch.setitem(SIZES, "dss", {"train": 60, "validation": 10, "test": 10})  # the whole corpus takes a while
    settings = ["--config", MEMORISE, "--max_train_items", "1000", "--output_dir", str(tmp_path)]
    named, record = train_sft.prepared(*train_sft.parse_arguments([*settings, "--mix", "dss=40"]))
    assert record["train"]["sources"] == {"dss": 40}
    assert record["mix"]["request"]["amounts"] == {"dss": 40} and record["dataset_version"]
    folder = ["--dataset_path", str(mix_in_cache("dss=40")[0])]
    same, again = train_sft.prepared(*train_sft.parse_arguments([*settings, *folder]))
    assert again["train"] == record["train"]
    assert same.train_dataset["input_ids"][:] == named.train_dataset["input_ids"][:]


# Kills, processes, precision


@pytest.mark.slow
def test_a_killed_run_that_is_resumed_ends_with_the_same_weights(data, tiny, tmp_path, capsys):
    # Dropout and shuffling, so that the random state has to be right; partial files are never used.
    changes = ["--max_steps", "40", "--lora_dropout", "0.1", "--save_strategy", "steps", "--save_steps", "4"]
    train_sft.main(*arguments(data, tiny, tmp_path / "unbroken", *changes))

    killed = tmp_path / "killed"
    changes += ["--resume_from_checkpoint", "auto"]
    args = options(data, tiny, killed, *changes)
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([sys.executable, SCRIPT, *args], env=ENVIRONMENT, start_new_session=True, **silent)
    deadline = time.monotonic() + 300
    while not (killed / "checkpoint-8").exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not (killed / "training_run.json").exists(), "it was killed too late"
    whole = checkpoints.last_whole_checkpoint(killed)
    shutil.copytree(whole, killed / "checkpoint-39")
    state = (whole / "trainer_state.json").read_bytes()
    (killed / "checkpoint-39" / "trainer_state.json").write_bytes(state[: len(state) // 2])
    assert checkpoints.last_whole_checkpoint(killed) == whole

    train_sft.main(*arguments(data, tiny, killed, *changes))
    assert f"resuming from {whole}" in capsys.readouterr().out
    assert furthest_apart(killed, tmp_path / "unbroken") == 0.0
    record = json.loads((killed / "training_run.json").read_text())
    assert record["resumed_from"] == str(whole) and record["steps"] == 40


@pytest.mark.slow
def test_a_checkpoint_is_not_resumed_with_other_items_or_another_order(data, tiny, tmp_path):
    changes = ["--max_steps", "2", "--save_strategy", "steps", "--save_steps", "1"]
    train_sft.main(*arguments(data, tiny, tmp_path / "run", *changes))
    again = [*changes, "--resume_from_checkpoint", "true"]
    for other, named in [
        (["--representation", "n"], "the items"),
        (["--seed", "7"], "the seed"),
        (["--curriculum", "synthetic,human"], "the curriculum"),
        (["--use_peft", "false", "--frozen_layers", "1"], "the use_peft, the frozen_layers"),
    ]:
        with pytest.raises(UsageError, match=f"trained with other settings .{named}.*start over"):
            train_sft.main(*arguments(data, tiny, tmp_path / "run", *again, *other))
    record = (tmp_path / "run" / "training_run.json").read_text()
    train_sft.main(*arguments(data, tiny, tmp_path / "run", *again))  # nothing was left to learn
    assert (tmp_path / "run" / "training_run.json").read_text() == record


@pytest.mark.slow
def test_trackers_and_processes_are_finished_when_the_record_is_written(data, tiny, tmp_path, monkeypatch):
    recorded = []
    monkeypatch.setattr(CpuTrainer, "end", lambda _: recorded.append((tmp_path / "run/training_run.json").is_file()))
    train_sft.main(*arguments(data, tiny, tmp_path / "run", "--max_steps", "1"))
    assert recorded == [True]


@pytest.mark.slow
def test_two_processes_learn_what_one_learns_in_batches_twice_as_large(data, tiny, tmp_path):
    # Not to the end of the epoch: there the second process would fill up its last batch with items seen already.
    changes = ["--max_steps", "7", "--per_device_train_batch_size", "2", "--ddp_find_unused_parameters", "false"]
    one = train_sft.main(*arguments(data, tiny, tmp_path / "one", *changes, "--gradient_accumulation_steps", "2"))
    two_processes = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", "2", SCRIPT]
    launched(options(data, tiny, tmp_path / "two", *changes), two_processes)
    two = json.loads((tmp_path / "two" / "training_run.json").read_text())
    assert (one["processes"], two["processes"]) == (1, 2) and one["steps"] == two["steps"] == 7
    losses = [[entry["loss"] for entry in run["log"] if "loss" in entry] for run in (one, two)]
    assert len(losses[0]) == 7 and losses[1] == pytest.approx(losses[0], rel=1e-5)
    assert furthest_apart(tmp_path / "one", tmp_path / "two") < 1e-5


@pytest.mark.slow
def test_the_published_settings_train_in_4_bits(data, tiny, tmp_path, own_precision):
    changes = ["--max_steps", "3", "--max_length", "512", "--learning_rate", "1e-2"]
    record = train_sft.main(*arguments(data, tiny, tmp_path / "run", *changes, config=NEBULA))
    assert record["arguments"]["model"]["load_in_4bit"] and record["arguments"]["training"]["max_length"] == 512
    assert record["versions"].keys() >= {"bitsandbytes", "peft", "torch", "transformers", "trl"}
    assert (record["seed"], record["prompt_version"], record["steps"]) == (20, PROMPT_VERSION, 3)
    adapter = weights(tmp_path / "run")
    assert {weight.dtype for weight in adapter.values()} == {torch.float32}
    assert all(weight.any() for name, weight in adapter.items() if "lora_B" in name), "nothing was learned"
    assert sum(weight.numel() for weight in adapter.values()) == record["trained_parameters"]


# Dry runs


def test_a_dry_run_of_the_8b_model_needs_neither_weights_nor_the_hub(data, tiny, tmp_path, own_precision, capsys):
    changes = ["--dry_run", "true", "--model_name_or_path", "nobody/has-this"]
    plan = train_sft.main(*arguments(data, tiny, tmp_path / "run", *changes, config=NEBULA))
    shown = capsys.readouterr().out
    assert plan["trained_parameters"] == 27_262_976 and "27,262,976 (0.34%)" in shown
    assert plan["parameters"] - plan["trained_parameters"] == 8_030_261_248
    assert len(plan["notes"]) == 2 and "stands in for it" in shown and "stand-in" in shown and "1.25" in shown
    assert 5 * 2**30 < sum(plan["memory"].values()) < 12 * 2**30  # the 8B model in 4 bits, on a card of 24 GB
    assert plan["steps"] == 3 * 8  # 30 items, four at a time: QUICK overrides Nebula's single ones
    assert not (tmp_path / "run").exists()


def test_a_dry_run_counts_what_training_will_learn(data, tiny, tmp_path, own_precision):
    changes = ["--max_length", "190", "--max_prompt_tokens", "170"]
    planned = train_sft.main(*arguments(data, tiny, tmp_path / "run", *changes, "--dry_run", "true"))
    trainer, record = train_sft.prepared(*arguments(data, tiny, tmp_path / "run", *changes))
    counts = planned["items"]["train"]["all"]
    assert counts == {name: record["train"][name] for name in counts}
    assert counts["shortened"] > 0 and counts["too_long_left_out"] > 0
    lengths = [len(ids) for ids in trainer.train_dataset["input_ids"]]
    answers = [sum(label != -100 for label in labels) for labels in trainer.train_dataset["labels"]]
    assert planned["tokens"]["both"]["max"] == max(lengths) <= 190
    assert planned["tokens"]["both"]["sum"] == sum(lengths)
    assert planned["tokens"]["completion and EOS"]["sum"] == sum(answers)
    trained = sum(weight.numel() for weight in trainer.model.parameters() if weight.requires_grad)
    assert planned["trained_parameters"] == trained and not planned["notes"]


def test_a_dry_run_knows_that_frozen_layers_are_not_trained(data, tiny, tmp_path, own_precision):
    whole = ["--use_peft", "false", "--activation_checkpointing", "false"]
    frozen = [*whole, "--frozen_layers", "1"]  # of 2
    planned = train_sft.main(*arguments(data, tiny, tmp_path / "run", *frozen, "--dry_run", "true"))
    trainer, _ = train_sft.prepared(*arguments(data, tiny, tmp_path / "run", *frozen))
    trained = sum(weight.numel() for weight in trainer.model.parameters() if weight.requires_grad)
    assert 0 < planned["trained_parameters"] == trained < planned["parameters"]
    everything = train_sft.main(*arguments(data, tiny, tmp_path / "run", *whole, "--dry_run", "true"))
    assert everything["trained_parameters"] == everything["parameters"] == planned["parameters"]
    as_stored = train_sft.main(*arguments(data, tiny, tmp_path / "run", *whole, "--dry_run", "true", "--dtype", "auto"))
    assert as_stored["memory"] == everything["memory"]  # the model is stored in float32
    for part in ("gradients", "optimizer"):
        assert planned["memory"][part] / everything["memory"][part] == trained / planned["parameters"]
    assert planned["memory"]["activations"] == everything["memory"]["activations"] / 2


@pytest.mark.parametrize(("nested", "frozen_dtype"), [("false", "bfloat16"), ("true", "float32")])
def test_the_estimate_of_4_bit_weights_is_what_they_take(data, tiny, tmp_path, own_precision, nested, frozen_dtype):
    changes = ["--load_in_4bit", "true", "--dtype", "bfloat16", "--use_bnb_nested_quant", nested]
    changes += ["--frozen_dtype", frozen_dtype, "--optim", "adamw_torch"]
    changes += ["--lora_modules_to_save", "norm"]  # small, so that the frozen weights are the base
    planned = train_sft.main(*arguments(data, tiny, tmp_path / "run", *changes, "--dry_run", "true"))
    trainer, _ = train_sft.prepared(*arguments(data, tiny, tmp_path / "run", *changes))
    frozen = trained = 0
    for weight in trainer.model.parameters():
        if weight.requires_grad:
            trained += weight.nbytes
            continue
        frozen += weight.nbytes
        scales = getattr(weight, "quant_state", None)
        if scales is not None:
            frozen += scales.absmax.nbytes + (scales.state2.absmax.nbytes if scales.nested else 0)
    assert planned["memory"]["frozen weights"] == pytest.approx(frozen, rel=0.02)
    assert planned["memory"]["trained weights"] == trained
    assert planned["memory"]["optimizer"] == 2 * trained


# Settings


@pytest.mark.filterwarnings("error::FutureWarning")
def test_installed_kernels_are_switched_on_in_the_form_that_trl_keeps(data, tiny, tmp_path, monkeypatch):
    _, training, model = arguments(data, tiny, tmp_path / "run")
    assert sft_trainer.use_installed_kernels(training, model) == []  # on a CPU
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(sft_trainer, "is_kernels_available", lambda: True)
    assert sft_trainer.use_installed_kernels(training, model) == ["kernels"]
    assert training.model_init_kwargs == {"use_kernels": True} and not training.use_liger_kernel
    monkeypatch.setattr(sft_trainer, "is_flash_attn_2_available", lambda: True)
    assert sft_trainer.use_installed_kernels(training, model) == ["flash_attention_2", "kernels"]
    assert model.attn_implementation == "flash_attention_2"
    model.attn_implementation = "flash_attention_3"  # what was chosen stays
    assert sft_trainer.use_installed_kernels(training, model) == ["kernels"]
