"""Configs of training/configs make their first step: a few items, a tiny model in place of the one it names."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
import yaml
from fabricated_items import TINY
from gsu_items import gsu_rows, save_rows
from paths import ROOT
from small_test_sets import SPLITS
from transformers import logging

from bap_v2_dataset.predictions.model_records import COMPACT
from bap_v2_dataset.tasks.architect.rows import architect_row
from bap_v2_training import train_grpo, train_gru, train_pointer, train_sft
from bap_v2_training.learning.options import config_settings
from bap_v2_training.models.new_llama import save_new_llama
from bap_v2_training.pointer import row_answers

FILES = {path.stem: path for path in sorted((ROOT / "training" / "configs").glob("*.yaml"))}
SCRIPTS = {"train_sft": train_sft, "train_grpo": train_grpo, "train_gru": train_gru, "train_pointer": train_pointer}
# What a machine without a GPU and without time needs, whatever a config says.
QUICK = {
    "max_steps": 1, "per_device_train_batch_size": 2, "gradient_accumulation_steps": 1, "dataloader_num_workers": 0,
    "eval_strategy": "no", "eval_on_start": False, "save_strategy": "no", "load_best_model_at_end": False,
    "report_to": "none", "disable_tqdm": True,
}  # fmt: skip
OF_SCRIPT = {
    "train_sft": {
        "mix": None, "curriculum": None, "dataset_num_proc": None, "max_train_items": 12, "compile_layers": False,
    },
    "train_grpo": {
        "mix": None, "max_train_items": 4, "use_vllm": False,
        "per_device_train_batch_size": 8, "gradient_accumulation_steps": 1, "max_completion_length": 4,
    },
    "train_gru": {"channels": [8, 6, 8], "head": [10, 9], "early_stopping_patience": None, "max_train_items": 12},
    "train_pointer": {
        "chunk_items": 16, "vocabulary_items": 16, "eval_sets": None, "eval_scores": False,
        "metric_for_best_model": None, "greater_is_better": None,
    },
}  # fmt: skip
SMALL_POINTER = {"hidden_size": 16, "intermediate_size": 16, "encoder_layers": 1, "decoder_layers": 1,
                 "attention_heads": 2}  # fmt: skip

torch.set_num_threads(1)


def script_of(path: Path) -> str:
    """The script that the comment at the head of a config names."""
    return re.search(r"training/(\w+)\.py", path.read_text())[1]


TRAINED = [name for name, path in FILES.items() if script_of(path) in SCRIPTS]
# What a config may change of the one that it extends without another first step.
AMOUNTS = {
    "extends", "output_dir", "dataset_config", "representation", "num_train_epochs", "max_steps", "channels", "head",
    *(f"{when}_{what}" for when in ("eval", "save") for what in ("strategy", "steps", "split")), "logging_steps",
    "max_train_items", "max_eval_items",
}  # fmt: skip
TRIED = [name for name in TRAINED if (keys := yaml.safe_load(FILES[name].read_text()).keys()) - AMOUNTS
         or "extends" not in keys]  # fmt: skip


class FirstSteps:
    """Folders of models after one step, by config; a config that starts from another one's model gets that of here."""

    def __init__(self, folder: Path):
        self.folder, self._made = folder, {}
        self._building = SPLITS["dsb", "test"][:12]
        self._files: dict[str, Path] = {}
        self.tiny = folder / "tiny"
        texts = [row["prompt_n_posb_s"] + row["completion"] for row in self._building]
        save_new_llama(self.tiny, texts, {**TINY, "max_position_embeddings": 4096}, seed=1)

    def rows(self, config: str) -> Path:
        """Own data in the place of a config: a file of rows of its task."""
        if config not in self._files:
            self._files[config] = save_rows(self.folder / f"{config}.jsonl", self._made_rows(config))
        return self._files[config]

    def _made_rows(self, config: str) -> list[dict]:
        if config.startswith("gsu"):
            return gsu_rows(config, 4)
        if config.startswith("architect"):
            return [architect_row(row, config, "train") for row in self._building[:4]]
        if config.startswith("plancraft"):
            pytest.importorskip("plancraft", reason="needs the package: pip install --no-deps plancraft==0.4.9")
            from bap_v2_dataset.tasks.plancraft.rows import oracle_row, task_row
            from bap_v2_dataset.tasks.plancraft.task_files import records

            tasks = [task_row(record) for record in records("validation_small") if record["optimal_path"]]
            return [oracle_row(task) for task in sorted(tasks, key=lambda task: task["oracle_length"])[:4]]
        read = {"clear": True, "next_turn": "undone", "reading": []}  # as rows of people have it
        said = ["<Architect> same on the other side"]  # which has paraphrases
        more = [{**row, "dialogue": row["dialogue"] + said} for row in self._building]
        return [{**row, "metadata": {**(row["metadata"] or {}), "annotation": read}} for row in more]

    def folder_of(self, start: str) -> str:
        """The model that a config starts from: that of another config, made here, or a tiny one."""
        name = start.removeprefix("runs/")
        return name if name == COMPACT else str(self.made(name) if name in TRAINED else self.tiny)

    def made(self, name: str) -> Path:
        """The folder of the model of a config, after its first step."""
        if name not in self._made:
            script = script_of(FILES[name])
            given = config_settings(FILES[name])
            settings = {**given, **QUICK, **OF_SCRIPT[script], "output_dir": str(self.folder / name)}
            for key in ("init_from", "robust_model"):
                if given.get(key):
                    settings[key] = self.folder_of(given[key])
            if script == "train_pointer":
                settings["rows"] = {source: str(self.rows("building")) for source in given.get("rows") or {}}
                settings["model"] = given.get("model") and SMALL_POINTER
                settings["reader"] = given.get("reader") and {"model": str(self.tiny), "layers": [1]}
            else:
                settings["dataset_path"] = str(self.rows(given.get("dataset_config") or "building"))
            if script in ("train_sft", "train_grpo"):
                if sizes := given.get("new_model"):
                    small = {key: value for key, value in TINY.items() if key != "max_position_embeddings"}
                    settings["new_model"] = {**sizes, **small}
                else:
                    start = settings["model_name_or_path"] = self.folder_of(given["model_name_or_path"])
                    if script == "train_grpo" and start == str(self.tiny):  # no record says what it reads
                        settings["representation"] = "n_posb_s"
                if given.get("frozen_layers"):
                    settings["frozen_layers"] = 1
                if "layers" in str(given.get("lora_target_modules")):  # those of a larger model
                    settings["lora_target_modules"] = "all-linear"
                if given.get("activation_checkpointing"):
                    settings["activation_checkpointing"] = False
            file = self.folder / f"{name}.yaml"
            file.write_text(json.dumps(settings))  # JSON is YAML
            run = SCRIPTS[script].main(*SCRIPTS[script].parse_arguments(["--config", str(file)]))
            assert run["steps"] == 1 and (self.folder / name / "training_run.json").is_file()
            self._made[name] = self.folder / name
        return self._made[name]


@pytest.fixture(scope="module")
def steps(tmp_path_factory) -> Iterator[FirstSteps]:
    logging.set_verbosity_error()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_answers, "synthetic_dialogues", lambda row: [row["dialogue"]])  # rows of here have none
        yield FirstSteps(tmp_path_factory.mktemp("first_steps"))


@pytest.mark.slow
@pytest.mark.parametrize("name", TRIED)
def test_a_config_makes_its_first_step(name, steps):
    steps.made(name)


def test_only_the_config_of_predict_is_no_training():
    assert FILES.keys() - {*TRAINED} == {"llama_crafts_published"}  # test_configs.py reads its command
