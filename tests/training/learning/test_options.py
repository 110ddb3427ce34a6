"""YAML files that extend one another."""

from types import NoneType
from typing import get_args

import pytest
import yaml
from case_tables import cases_of
from paths import ROOT
from transformers import TrainingArguments
from trl import GRPOConfig, ModelConfig, SFTConfig

from bap_v2_training.choose_checkpoint import CheckpointArguments
from bap_v2_training.decoding import predict_settings
from bap_v2_training.errors import UsageError
from bap_v2_training.games.episode_arguments import PlayArguments
from bap_v2_training.gru.settings import GruArguments
from bap_v2_training.learning import training_settings
from bap_v2_training.learning.grpo_settings import GrpoArguments
from bap_v2_training.learning.options import _TEXTS, _Parser, config_settings, group_options
from bap_v2_training.learning.training_data import mix_in_cache
from bap_v2_training.learning.training_settings import BapArguments
from bap_v2_training.make_ensemble import EnsembleArguments
from bap_v2_training.play_games import GameArguments
from bap_v2_training.pointer import settings as pointer_settings
from bap_v2_training.pointer.settings import PointerArguments

CONFIGS = ROOT / "training" / "configs"


def test_a_file_changes_only_what_it_names(tmp_path):
    (tmp_path / "base.yaml").write_text("seed: 1\nlora_r: 8\n")
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "own.yaml").write_text("extends: ../base.yaml\nlora_r: 16\n")
    assert config_settings(tmp_path / "deeper" / "own.yaml") == {"seed": 1, "lora_r": 16}


def test_values_of_a_file_are_checked_like_those_of_the_command_line(tmp_path):
    path = tmp_path / "mine.yaml"
    for name, value in {"prompt_format": "nebulla", "backend": "vLLM", "dtype": "fp16", "bos_tokens": 7}.items():
        path.write_text(yaml.safe_dump({"model": "mine", "output": "out.jsonl", name: value}))
        for words in (["--config", str(path)], [f"--config={path}"]):
            with pytest.raises(UsageError, match=f"{name} is {value!r} .expected one of"):
                predict_settings.parse_arguments(words)
    for name, value in {"adapter_dtype": "fp16", "frozen_dtype": "fp32", "max_prompt_tokens": -5}.items():
        path.write_text(yaml.safe_dump({"extends": str(CONFIGS / "nebula.yaml"), name: value}))
        for words in (["--config", str(path)], [f"--config={path}"]):
            with pytest.raises(UsageError, match=f"{name} is {value!r}"):
                training_settings.parse_arguments(words)
    for name in ("history_lines", "max_prompt_tokens"):
        with pytest.raises(UsageError, match=f"{name} is -1: expected at least"):
            predict_settings.parse_arguments(["--model", "mine", "--out", "out.jsonl", f"--{name}=-1"])


def test_a_file_and_the_command_line_have_the_same_names(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text("model: mine\nbackend: openai\nbase_url: http://localhost:9/v1\nout: a.jsonl\nlimit: 3\n")
    arguments = predict_settings.parse_arguments(["--config", str(path), "--dataset-config", "dss"])
    assert (arguments.output, arguments.max_items) == ("a.jsonl", 3)
    path.write_text(path.read_text().replace("out:", "output:").replace("limit:", "max_items:"))
    again = predict_settings.parse_arguments(["--config", str(path), "--dataset_config", "dss", "--max-items", "4"])
    assert (again.output, again.max_items) == ("a.jsonl", 4)


def test_a_config_of_the_data_is_no_file_of_settings():
    with pytest.raises(UsageError, match="dss is a config of the data: --dataset-config dss"):
        predict_settings.parse_arguments(["--model", "mine", "--config", "dss"])


def test_a_recipe_for_4_bit_weights_also_runs_without_them():
    words = ["--config", str(CONFIGS / "nebula.yaml"), "--load_in_4bit", "false"]
    assert training_settings.parse_arguments(words)[0].frozen_dtype is None


@pytest.mark.parametrize(
    ("text", "message"),
    cases_of(__file__, "files"),
)
def test_a_file_that_cannot_be_used_is_an_error_that_says_why(tmp_path, text, message):
    (tmp_path / "own.yaml").write_text(text, encoding="cp1252")
    (tmp_path / "other.yaml").write_text("extends: own.yaml")
    with pytest.raises(UsageError, match=message):
        training_settings.parse_arguments(["--config", str(tmp_path / "own.yaml")])


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_may_begin_with_the_mark_of_its_encoding(tmp_path, encoding):
    (tmp_path / "own.yaml").write_text("# Größe\nseed: 1\n", encoding=encoding)
    assert config_settings(tmp_path / "own.yaml") == {"seed": 1}


KINDS = (
    (BapArguments, SFTConfig, ModelConfig), (GrpoArguments, GRPOConfig, ModelConfig),
    (PointerArguments, TrainingArguments), (GruArguments, TrainingArguments), (GameArguments,), (PlayArguments,),
)  # fmt: skip


def test_every_text_of_help_is_of_an_option():
    kinds = {one for own in (*KINDS, (CheckpointArguments, EnsembleArguments)) for kind in own for one in kind.__mro__}
    names = {one.__name__: {*vars(one).get("__annotations__", ()), "group", "common", "needed"} for one in kinds}
    assert {name: texts.keys() - names[name] for name, texts in _TEXTS.items() if texts.keys() - names[name]} == {}


@pytest.mark.parametrize("kinds", KINDS)
def test_every_option_that_can_be_null_is_null_on_the_command_line_too(kinds):
    parser = _Parser(kinds)
    group_options(parser)
    can_be_null = {name for name, hint in parser.types.items() if NoneType in get_args(hint)}
    names = {
        action.dest: action.option_strings[0]
        for action in parser._actions
        if action.dest in can_be_null and action.nargs != 0
    }
    for action in parser._actions:
        action.required = False
    given = parser.parse_args([word for name in names.values() for word in (name, "null")])
    assert len(names) > 10 and {getattr(given, name) for name in names} == {None}


def test_null_takes_back_what_a_file_sets(tmp_path):
    words = ["--config", "games_reader", "--reader", "null", "--init-from=null"]
    pointer, _ = pointer_settings.parse_arguments(words)
    assert pointer.reader is None and pointer.init_from is None


def test_a_mapping_that_names_something_twice_is_refused():
    for option in (["--mix", "dr=1,dr=2"], ["--rows", '{"a": "dr", "a": "dsb"}']):
        with pytest.raises(UsageError, match="each name once"):
            pointer_settings.parse_arguments(["--config", "pointer_smoke", *option])
    with pytest.raises(UsageError, match="mix: dr stands twice"):
        mix_in_cache("dr=1,dsb=all,dr=2")
    with pytest.raises(UsageError, match="--config stands twice"):
        training_settings.parse_arguments(["--config", "smoke", "--config", "memorise"])


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--lerning-rate", "3"], "unknown option 'lerning-rate'; did you mean learning_rate"),
        (["--max_step=3"], "unknown option 'max_step'; did you mean max_steps"),
        (["--config", "pointer_demo"], "no setting model, vocabulary_items here: the first line of a config names its"),
    ],
)
def test_a_wrong_name_is_answered_with_a_near_one_before_what_is_missing(args, message):
    with pytest.raises(UsageError, match=message):
        training_settings.parse_arguments(args)
