"""The settings of the published models, and of the machines they are trained on."""

import dataclasses
import importlib
import json
import re
from pathlib import Path

import pytest
import yaml
from accelerate.commands.config.config_args import load_config_from_file
from accelerate.commands.launch import launch_command_parser
from case_tables import cases_of
from paths import ROOT

from bap_v2_dataset.publishing.model import _published_run
from bap_v2_dataset.publishing.model_card import model_card
from bap_v2_dataset.publishing.model_facts import facts_of_run
from bap_v2_training import train_sft
from bap_v2_training.choose_checkpoint import checkpoints_of
from bap_v2_training.decoding import resolved_model
from bap_v2_training.decoding.resolved_model import ResolvedModel
from bap_v2_training.learning.checkpoints import last_whole_checkpoint

TRAINING = ROOT / "training"
CONFIGS = sorted((TRAINING / "configs").glob("*.yaml"))
MACHINES = sorted((TRAINING / "accelerate").glob("*.yaml"))

# Table 6: what each model reads, and what it learns from.
TABLE_6 = {
    "nebula": ("n", "mdc_v2"),
    "m_agg": ("n", "all"),
    "m_mc_posb": ("n_posb", "mdc_v2"),
    "m_agg_posb": ("n_posb", "all"),
    "llama_crafts": ("n_posb_s", "all"),
}
PUBLISHED = cases_of(__file__, "published")  # of Nebula


def settings(name: str) -> dict:
    """All settings of a config, as the script understands them."""
    parts = train_sft.parse_arguments(["--config", str(TRAINING / "configs" / f"{name}.yaml")])
    return {field.name: getattr(part, field.name) for part in parts for field in dataclasses.fields(part)}


def command_in(path: Path) -> list[str]:
    """The words of the command in the comment at the head of a file."""
    line = next(line for line in path.read_text().splitlines() if re.search("training/(train_|predict)", line))
    line = re.sub(r"\$\([^)]*\)|\$\w+", "0", line)  # what the shell puts in
    return line[re.search("accelerate launch|python training", line).start() :].strip("'").split()


@pytest.mark.parametrize("name", TABLE_6)
def test_the_models_of_table_6_differ_in_input_and_data_alone(name):
    model, nebula = settings(name), settings("nebula")
    assert (model["representation"], model["dataset_config"]) == TABLE_6[name]
    differing = {key for key in model if model[key] != nebula[key]}
    # logging_dir and run_name follow from output_dir
    assert differing <= {"representation", "dataset_config", "output_dir", "logging_dir", "run_name"}


def test_nebula_is_trained_as_published():
    nebula = settings("nebula")
    assert {key: nebula[key] for key in PUBLISHED} == PUBLISHED


def test_the_published_settings_stand_in_one_place():
    own = {name: yaml.safe_load((TRAINING / "configs" / f"{name}.yaml").read_text()) for name in TABLE_6}
    for name in TABLE_6.keys() - {"nebula"}:
        assert own[name].keys() == {"extends", "dataset_config", "representation", "output_dir"}
    assert own["nebula"].keys() >= PUBLISHED.keys()


def test_the_fast_variant_is_the_same_model_and_data():
    fast, published = settings("llama_crafts_fast"), settings("llama_crafts")
    equal = ["representation", "dataset_config", "model_name_or_path", "load_in_4bit", "learning_rate", "max_length"]
    equal += [name for name in fast if name.startswith("lora_")]
    assert {name: fast[name] for name in equal} == {name: published[name] for name in equal}
    assert fast["packing"] and fast["dtype"] == "bfloat16"


@pytest.mark.parametrize("path", CONFIGS + MACHINES, ids=lambda path: path.stem)
def test_each_file_begins_with_a_command_that_is_understood(path, tmp_path, monkeypatch):
    words = command_in(path)
    at = next(number for number, word in enumerate(words) if re.match("training/(train_|predict)", word))
    assert str(path.relative_to(ROOT)) in words
    if words[0] == "accelerate":
        launcher = launch_command_parser().parse_args(words[2 : at + 1])
        if launcher.config_file:
            assert (ROOT / launcher.config_file).is_file()
    args = [str(ROOT / word) if word.startswith("training/") else word for word in words[at + 1 :]]
    script = importlib.import_module(f"bap_v2_training.{Path(words[at]).stem}")
    if words[at] == "training/predict.py":
        monkeypatch.setattr(resolved_model, "resolve_model", lambda name: ResolvedModel(str(tmp_path), "commit"))
    settings = script.parse_arguments(args)
    if path in CONFIGS and words[at] != "training/predict.py":
        assert settings[1].output_dir == f"runs/{path.stem}"


@pytest.mark.parametrize(
    "name", ["predict", "train_sft", "train_grpo", "train_gru", "train_pointer", "play", "play_games"]
)
def test_help_shows_the_options_in_groups(name, capsys):
    script = importlib.import_module(f"bap_v2_training.{name}")
    with pytest.raises(SystemExit) as stop:
        script.parse_arguments(["--help", "all"])
    groups = re.split(r"^(?=\w[\w -]*:$)", capsys.readouterr().out, flags=re.MULTILINE)[1:]
    ours = [
        group.count("\n  --") for group in groups if " of tr" not in group.partition("\n")[0]
    ]  # of TRL, transformers
    assert stop.value.code == 0 and len(ours) > 3 and max(ours) <= 20


@pytest.mark.parametrize("path", MACHINES, ids=lambda path: path.stem)
def test_accelerate_knows_every_setting_of_a_machine(path):
    machine = load_config_from_file(str(path))  # refuses keys that it does not know
    assert str(machine.distributed_type).removeprefix("DistributedType.") in ("NO", "MULTI_GPU", "FSDP", "DEEPSPEED")
    options = {option.lstrip("-") for action in launch_command_parser()._actions for option in action.option_strings}
    for key in machine.fsdp_config:
        assert key in options, key
    for key in machine.deepspeed_config:
        assert key in options, key


def test_fsdp_gets_weights_of_one_type():
    # FSDP flattens what it divides: 4-bit weights, adapters and the rest have to be stored alike.
    words = command_in(TRAINING / "accelerate" / "fsdp_qlora.yaml")
    args = [str(ROOT / word) if word.startswith("training/") else word for word in words[words.index("--config") :]]
    bap, _, model = train_sft.parse_arguments(args)
    assert {bap.adapter_dtype, model.bnb_4bit_quant_storage, model.dtype} == {"bfloat16"}


def test_what_is_ours_in_nebula_says_so():
    lines = (TRAINING / "configs" / "nebula.yaml").read_text().splitlines()
    ours = False
    for line in lines:
        if match := re.match(r"(\w+):", line):
            ours = ours or "from here on: ours" in line
            known = match[1] in PUBLISHED or match[1] in ("dataset_config", "representation")
            assert known != (ours or "ours" in line), line


def test_what_a_recipe_shows_of_the_history_is_published_with_the_model(tmp_path):
    bap, training, model = train_sft.parse_arguments(["--config", str(TRAINING / "configs" / "m_agg_ego.yaml")])
    run = {
        "arguments": {
            "bap": dataclasses.asdict(bap), "training": training.to_dict(), "model": dataclasses.asdict(model)
        },
        "dataset": {"config": "all"}, "train": {"items": 9}, "representation": "ego", "prompt_version": "ego 1",
        "model": model.model_name_or_path, "seed": 20, "versions": {}, "seconds": 60.0, "steps": 9, "device": "cpu",
        "processes": 1, "trained_parameters": 3,
        "chosen_checkpoint": {"checkpoint": "checkpoint-1200", "items": {"split": "validation", "data": "/me/x.jsonl"}},
    }  # fmt: skip
    (tmp_path / "training_run.json").write_text(json.dumps(run))
    facts = facts_of_run("USER/builder", tmp_path)
    text = model_card(facts).text
    assert 'render(row, "ego", newest=8)' in text
    assert "The checkpoint after 1,200 steps was chosen by its answers to items of `validation`." in text
    assert "frozen_dtype: float32" in text and "adapter_dtype: float32" in text and "model_revision" not in text
    record = json.loads(_published_run(run, facts))
    assert record["arguments"]["bap"]["history_lines"] == 8
    assert record["chosen_checkpoint"]["items"]["data"] == "x.jsonl"


def test_checkpoints_of_another_training_are_not_chosen(tmp_path):
    (tmp_path / "training_run.json").write_text(json.dumps({"train": {"sha256": "A"}, "seed": 1, "steps": 300}))
    for steps, facts in {
        100: {"sha256": "A", "seed": 1},
        200: {"sha256": "B", "seed": 1},
        9000: {"sha256": "A"},
    }.items():
        folder = tmp_path / f"checkpoint-{steps}"
        folder.mkdir()
        state = {"stateful_callbacks": {"DataFingerprint": {"args": facts}}}
        (folder / "trainer_state.json").write_text(json.dumps(state))  # no random state: save_only_model
    assert list(checkpoints_of(tmp_path)) == [100]
    assert last_whole_checkpoint(tmp_path) is None
