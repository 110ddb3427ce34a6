"""Quick trainings of a tiny model on fabricated items: their data, their model, and their command lines."""

import json
from pathlib import Path

from datasets import Dataset, DatasetDict, load_from_disk
from fabricated_items import TINY, fabricated_rows
from paths import ROOT

from bap_v2_training import train_sft
from bap_v2_training.learning.options import config_settings
from bap_v2_training.models.new_llama import save_new_llama

MEMORISE = str(ROOT / "training" / "configs" / "memorise.yaml")
NEBULA = str(ROOT / "training" / "configs" / "nebula.yaml")
QUICK = ["--disable_tqdm", "true", "--logging_steps", "1", "--per_device_train_batch_size", "4"]


def with_sources(rows: Dataset) -> Dataset:
    """Every third item human, the others simulated; no two prompts are equal."""
    kinds = [
        {"source": "human"},
        {"source": "simulated", "simulator": "dr"},
        {"source": "simulated", "simulator": "dss"},
    ]
    return rows.add_column("metadata", [kinds[number % 3] for number in range(len(rows))])


def save_data(folder: Path) -> None:
    """30 fabricated items, as users would bring their own."""
    DatasetDict(train=with_sources(fabricated_rows(6)), validation=fabricated_rows(1, seed="other")).save_to_disk(
        folder
    )


def save_tiny(folder: Path, data: Path) -> None:
    """A model with random weights, as a Hub model would lie on this machine."""
    rows = load_from_disk(data)["train"]
    save_new_llama(folder, rows["prompt_n_posb_s"][:] + rows["completion"][:], TINY, seed=1)


def options(data: Path, tiny: Path, output_dir: Path, *changes: str, config: str = MEMORISE) -> list[str]:
    """The command line of a quick run on own data; of memorise.yaml, with another model."""
    if config == MEMORISE:
        config = str(output_dir.parent / "memorise_tiny.yaml")
        settings = config_settings(Path(MEMORISE)) | {"max_prompt_tokens": 480}
        del settings["new_model"], settings["max_train_items"]
        Path(config).write_text(json.dumps(settings))  # JSON is YAML
    places = ["--dataset_path", str(data), "--model_name_or_path", str(tiny), "--output_dir", str(output_dir)]
    return ["--config", config, *places, *QUICK, *changes]


def arguments(*args, **kwargs):
    return train_sft.parse_arguments(options(*args, **kwargs))
