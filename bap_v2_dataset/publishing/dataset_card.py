"""The cards of what is published: the templates of `hub_cards`, with every number filled in from the build.

    dataset_card("USER/bap_v2", infos, data_files, rows=rows).save("README.md")
    model_card(facts_of_run("USER/builder", "runs/smoke", ["scores.json"])).save("README.md")

The front matter holds what `datasets` reads from the Hub (`configs`, `dataset_info`), in the form that `datasets` gives
it. The metric's card is `bap_v2_metric/README.md`: it is uploaded with the Space as it is.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from statistics import fmean, median
from typing import Any

import datasets
import jinja2
import orjson
from datasets.info import DatasetInfosDict
from datasets.utils.metadata import MetadataConfigs
from huggingface_hub import DatasetCard, DatasetCardData, EvalResult, ModelCard, ModelCardData
from huggingface_hub.utils import HFValidationError, validate_repo_id, yaml_dump

import bap_v2_metric
from bap_v2_dataset.analysis.comparison import words_of
from bap_v2_dataset.analysis.stats import PUBLISHED_ITEMS, PUBLISHED_TEST, clean_test_counts
from bap_v2_dataset.augmentation.variants import AUGMENTATION_VERSION, VARIANTS
from bap_v2_dataset.evaluation.score_tables import COLUMNS, ROWS
from bap_v2_dataset.human.game_store import KeptGames, mdc_games
from bap_v2_dataset.human.mdc import SPLITS
from bap_v2_dataset.items import items
from bap_v2_dataset.labels.agreement import annotators_of, compared
from bap_v2_dataset.labels.label_file import labels_name, read_labels
from bap_v2_dataset.loading.builder import CONFIGS, HUMAN_CONFIGS, labels_path
from bap_v2_dataset.loading.sampling import SOURCES
from bap_v2_dataset.prompts import PROMPT_VERSION, REPRESENTATIONS
from bap_v2_dataset.rows import DATA_VERSION, row
from bap_v2_metric import blocks
from bap_v2_metric.errors import UserError
from bap_v2_metric.scoring import MEASURES
from bap_v2_simulators.corpora import SIMULATORS, SIZES, TITLES, simulator_of
from bap_v2_simulators.simulation import play

# Items in the paper: Table 3, and 3.2 for the clean test set. The joint corpus is the sum of its parts.
PAPER_ITEMS: dict[str, Mapping[str, int]] = {
    "mdc_v2": {"train": 14_836, "validation": 1_331, "test": PUBLISHED_TEST["items"]},
    "mdc": PUBLISHED_ITEMS,
    **SIZES,
}
PAPER_ITEMS["all"] = {
    **{split: sum(PAPER_ITEMS[name][split] for name in SOURCES) for split in ("train", "validation")},
    **{f"test_{name}": PAPER_ITEMS[name]["test"] for name in SOURCES},
}
_CONFIG_TITLES = {
    "mdc_v2": "human dialogues, with the clean test set and the augmented train set of BAP v2",
    "mdc": "human dialogues, as in the original BAP",
    **TITLES,
    "all": "the joint corpus: `mdc_v2`, `dr`, `dsb` and `dss`",
}
_EXAMPLE_GAMES = 30  # among which a short item is looked for


class CardError(UserError):
    """Facts that do not make a card; the message names what is wrong."""


# --- datasets


def dataset_card(
    repo_id: str,
    infos: Mapping[str, datasets.DatasetInfo],
    data_files: Mapping[str, Mapping[str, str]],
    *,
    labels: str | None = None,
    default: str | None = None,
    rows: Mapping[str, Mapping[str, datasets.Dataset]] | None = None,
    games: KeptGames | None = None,
    metric_space: str | None = None,
) -> DatasetCard:
    """The card of a dataset repository that holds any of our configs.

    Args:
        repo_id: "USER/bap_v2".
        infos: by config, with features and splits (num_examples, num_bytes).
        data_files: config -> split -> pattern of its files in the repository, "data/dss/train-*.parquet".
        labels: whose labels the v2 test set uses (`annotations.labels_name`); by default the project's own.
        default: the config that is loaded if none is named.
        rows: config -> split -> rows. Without them the card has no statistics.
        games: the human corpus, if a config holds it; by default the one that was set up.
        metric_space: the Space of the metric; without one the card says how to install the metric.
    Raises:
        CardError: unknown configs, a default that is none of them, splits without files or files without splits.
        bap_v2_dataset.human.corpus_files.CorpusError: human dialogues are published and their corpus is not set up.
    """
    configs = [name for name in CONFIGS if name in infos]
    _check_configs(infos, data_files, default)
    human = [name for name in configs if name in HUMAN_CONFIGS]
    synthetic = [name for name in SIMULATORS if name in configs or "all" in configs]
    clean = [name for name in configs if name in ("mdc_v2", "all")]
    if human and games is None:
        games = mdc_games()
    own_labels = labels in (None, labels_name())
    facts = {
        "repo_id": repo_id,
        "configs": configs,
        "titles": _CONFIG_TITLES,
        "default": default,
        "loaded": default or configs[0],
        "loaded_split": _test_split(infos[default or configs[0]]),
        "human": human,
        "synthetic": synthetic,
        "clean": clean,
        "joint": "all" in configs,
        "splits": _splits(configs, infos),
        "example": _example(configs),
        "types": {name: _type_name(feature) for name, feature in next(iter(infos.values())).features.items()},
        "representations": REPRESENTATIONS,
        "statistics": _statistics(configs, rows) if rows else [],
        "simulators": {name: SIMULATORS[name].version for name in synthetic},
        "corpus": _corpus_facts(games) if human else {},
        "variants": VARIANTS,
        "augmentation_version": AUGMENTATION_VERSION,
        "labels": labels or labels_name(),
        "own_labels": own_labels,
        "agreement": compared(*annotators_of()).questions if clean and own_labels else (),
        "clean_counts": _clean_counts(games, labels) if clean else {},
        "paper_counts": PUBLISHED_TEST,
        "metric_space": metric_space,
        "signature": bap_v2_metric.SIGNATURE,
        "data_version": DATA_VERSION,
        "prompt_version": PROMPT_VERSION,
        "package_version": version("bap-v2"),
        "blocks": blocks,
    }
    total = sum(split.num_examples for info in infos.values() for split in info.splits.values())
    data = DatasetCardData(
        pretty_name="Builder Action Prediction (BAP) v2",
        language=["en"],
        license=_licenses(configs),
        task_categories=["text-generation"],
        size_categories=[_size_category(total)],
        annotations_creators=["found"] * bool(human)
        + ["machine-generated"] * bool(synthetic or (clean and own_labels)),
        language_creators=["found"] * bool(human) + ["machine-generated"] * bool(synthetic),
        source_datasets=["extended"] * bool(human) + ["original"] * bool(synthetic),
        multilinguality=["monolingual"],
        tags=[
            "minecraft",
            "dialogue",
            "instruction-following",
            "spatial-reasoning",
            "grounded-language",
            "builder-action-prediction",
            *["synthetic"] * bool(synthetic),
        ],
    )
    DatasetInfosDict({name: _published(infos[name]) for name in configs}).to_dataset_card_data(data)
    MetadataConfigs(
        {
            name: {
                "data_files": [{"split": split, "path": data_files[name][split]} for split in infos[name].splits],
                **({"default": True} if name == default else {}),
            }
            for name in configs
        }
    ).to_dataset_card_data(data)
    return DatasetCard(f"---\n{data.to_yaml()}\n---\n\n{_rendered('dataset_card.md', facts)}")


def _check_configs(
    infos: Mapping[str, datasets.DatasetInfo], data_files: Mapping[str, Mapping[str, str]], default: str | None
) -> None:
    if not infos:
        raise CardError("a dataset card needs at least one config")
    if unknown := sorted(set(infos) - set(CONFIGS)):
        raise CardError(f"unknown configs {', '.join(unknown)} (expected some of {', '.join(CONFIGS)})")
    if default is not None and default not in infos:
        raise CardError(f"the default config {default} is none of those published: {', '.join(infos)}")
    if infos.keys() != data_files.keys():
        raise CardError(f"infos of {', '.join(infos)}, but files of {', '.join(data_files)}: name the same configs")
    for name, info in infos.items():
        if not info.splits or not info.features:
            raise CardError(f"the info of {name} has no splits or no features")
        if set(info.splits) != set(data_files[name]):
            raise CardError(
                f"{name} has the splits {', '.join(info.splits)}, but files for {', '.join(data_files[name])}"
            )


def _licenses(configs: Sequence[str]) -> list[str]:
    """Identifiers of the Hub: the human corpus has its own licence, all that was added has this project's."""
    ours = any(name != "mdc" for name in configs)
    theirs = any(name in HUMAN_CONFIGS for name in configs)
    return ["apache-2.0"] * ours + ["ncsa"] * theirs


def _size_category(rows: int) -> str:
    """The Hub's name for so many rows.

    >>> _size_category(999), _size_category(13_868), _size_category(2_000_000)
    ('n<1K', '10K<n<100K', '1M<n<10M')
    """
    steps = ("1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T")
    reached = sum(rows >= 10 ** (3 + power) for power in range(len(steps)))
    if reached == len(steps):
        return f"n>{steps[-1]}"
    return f"{steps[reached - 1]}<n<{steps[reached]}" if reached else f"n<{steps[0]}"


def _published(info: datasets.DatasetInfo) -> datasets.DatasetInfo:
    """What the front matter says of a config."""
    return datasets.DatasetInfo(
        features=info.features,
        splits=info.splits,
        download_size=info.download_size,
        dataset_size=sum(split.num_bytes for split in info.splits.values()),
    )


def _test_split(info: datasets.DatasetInfo) -> str:
    return next((name for name in info.splits if name.startswith("test")), next(iter(info.splits)))


def _splits(configs: Sequence[str], infos: Mapping[str, datasets.DatasetInfo]) -> list[dict[str, Any]]:
    """A line for each config and split: its items, and those of the paper."""
    return [
        {"config": name, "split": split.name, "items": split.num_examples, "paper": PAPER_ITEMS[name].get(split.name)}
        for name in configs
        for split in infos[name].splits.values()
    ]


def _example(configs: Sequence[str]) -> dict[str, Any]:
    """A short row of a synthetic train split with blocks on the board; of a config that is published, if one is."""
    name = next((name for name in ("dss", "dsb", "dr") if name in configs), "dss")
    games = (play(simulator_of(name), "train", index) for index in range(_EXAMPLE_GAMES))
    rows = (row(item) for game in games for item in items(game) if len(item.before))
    return min(rows, key=lambda its: len(its["prompt_n_posb_s"]) + len(its["completion"]))


def _type_name(feature: Any) -> str:
    """The type of a column as a reader says it."""
    if isinstance(feature, dict):
        types = {_type_name(its) for its in feature.values()}
        return f"{{{', '.join(feature)}}} of {' or '.join(sorted(types))}"
    if isinstance(feature, datasets.List):
        return f"list of {_type_name(feature.feature)}"
    return "JSON" if isinstance(feature, datasets.Json) else feature.dtype


def _statistics(configs: Sequence[str], rows: Mapping[str, Mapping[str, datasets.Dataset]]) -> list[dict[str, Any]]:
    """A line for train and test of each config (of the joint one, whose tests are those of its parts, for train)."""
    return [
        {"config": config, "split": split, **_statistics_of(rows[config][split])}
        for config in configs
        for split in (("train",) if config == "all" else ("train", "test"))
        if split in rows.get(config, ())
    ]


def _statistics_of(split: datasets.Dataset) -> dict[str, Any]:
    """What the rows of a split are like; goes through the Arrow columns once."""
    games: set[str] = set()
    vocabulary: set[str] = set()
    net: list[int] = []
    spoken: list[int] = []  # words of the dialogue
    lengths: list[int] = []  # characters of the fullest prompt
    empty = multiple = removals = 0
    prompt = f"prompt_{REPRESENTATIONS[-1]}"
    columns = split.select_columns(["game_id", "dialogue", "before", "after", "interpretations", prompt])
    for batch in columns.with_format("arrow").iter(1000):
        for its in batch.to_pylist():
            before, after = set(its["before"]), set(its["after"])
            words = [word for line in its["dialogue"] for word in words_of(line.partition("> ")[2])]
            games.add(its["game_id"])
            vocabulary.update(words)
            net.append(len(before ^ after))
            spoken.append(len(words))
            lengths.append(len(its[prompt]))
            empty += not before
            removals += bool(before - after)
            multiple += its["interpretations"] == "multiple"
    return {
        "items": len(net),
        "games": len(games),
        "empty": empty / len(net),
        "multiple": multiple / len(net),
        "removals": removals / len(net),
        "net": fmean(net),
        "words": fmean(spoken),
        "vocabulary": len(vocabulary),
        "prompt_median": round(median(lengths)),
        "prompt_longest": max(lengths),
    }


def _clean_counts(games: KeptGames, labels: str | None) -> dict[str, int]:
    """What becomes of the test items, if these are the labels that are set up."""
    path = labels_path()
    return clean_test_counts(games, read_labels(path)) if labels in (None, labels_name(path)) else {}


def _corpus_facts(games: KeptGames) -> dict[str, Any]:
    """Where the human rows come from, and what was dropped."""
    report = games.report
    return {
        "logs": report.logs,
        "warm_ups": len(report.warm_ups),
        "unreadable": len(report.problems),
        "games": {split: report.games[split] for split in SPLITS.values()},
        "states_without_pose": report.states_without_pose,
        "skipped": {split: len(runs) for split, runs in games.skipped.items()},
        "steps": report.steps,
        "steps_of_several_blocks": report.steps_of_several_blocks,
        "digest": games.digest,
    }


# --- models


@dataclass(frozen=True)
class SplitResult:
    """The scores of a model on one test set."""

    config: str
    split: str
    scores: Mapping[str, Any]  # of `bap_v2_metric.score`, with its signature
    labels: str  # whose labels the test set uses
    split_items: int | None = None  # of the split, if only a part of it was scored
    intervals: Mapping[str, Sequence[float]] = field(default_factory=dict)  # by key of scores: low, high
    confidence: float = 0.95  # of the intervals
    name: str = field(default="", compare=False)  # of the system, in the file that the scores are from


@dataclass(frozen=True)
class ModelFacts:
    """What a model card says."""

    repo_id: str
    kind: str  # "adapter", or "full": all weights are in the repository
    base_model: str | None  # a model of the Hub; None: it began with random weights
    data: Mapping[str, int]  # items learned, by config
    representation: str  # one of prompts.REPRESENTATIONS
    hyperparameters: Mapping[str, Any]  # as in a YAML file of training/configs
    results: Sequence[SplitResult]
    seed: int
    versions: Mapping[str, str]  # of libraries
    data_version: str = DATA_VERSION
    prompt_version: str = PROMPT_VERSION
    dataset_repo: str | None = None  # where the data are on the Hub
    metric_space: str | None = None
    license: str | None = None  # by default that of the base model
    hardware: str | None = None
    seconds: float | None = None  # of training
    limits: Sequence[str] = ()  # sentences, besides those that hold for every such model


def facts_of_run(repo_id: str, folder: "str | Path", scores: Iterable["str | Path"] = (), **more: Any) -> ModelFacts:
    """The facts of a model that `training/train_sft.py` made.

    Args:
        repo_id: "USER/builder".
        folder: what it wrote, with `training_run.json`.
        scores: files of `bap-v2 score --json`, one for each test set; the first system of each is the model.
        more: other fields of ModelFacts; they take the place of what was recorded.
    Raises:
        CardError: a file that is missing or is not what it should be.
    """
    path = Path(folder) / "training_run.json"
    run = _read(path, "training/train_sft.py")
    try:
        recorded: dict[str, Any] = {
            "kind": "adapter" if run["arguments"]["model"]["use_peft"] else "full",
            "base_model": None if run["arguments"]["bap"]["new_model"] else run["model"],
            "data": _learned(run),
            "representation": run["representation"],
            "hyperparameters": _settings(run["arguments"]),
            "results": [_result(Path(file)) for file in scores],
            "seed": run["seed"],
            "versions": run["versions"],
            "data_version": run["dataset_version"],
            "prompt_version": run["prompt_version"],
            "seconds": run["seconds"],
            "hardware": _hardware(run),
        }
    except (KeyError, TypeError, AttributeError) as error:
        raise CardError(f"{path} is not a record of training/train_sft.py: {error!r}") from None
    return ModelFacts(repo_id=repo_id, **{**recorded, **more})


def _learned(run: Mapping[str, Any]) -> dict[str, int]:
    """The items learned, by config or, of own data, by the name of the file; of a mix by the configs in it."""
    mix = run["dataset"].get("mix")
    if mix is None:
        return {Path(str(*run["dataset"].values())).name: run["train"]["items"]}
    human = next((name for name in HUMAN_CONFIGS if f"{name}=" in mix), "mdc_v2")
    return {human if name == "human" else name: items for name, items in run["train"]["sources"].items()}


def _hardware(run: Mapping[str, Any]) -> str | None:
    device, processes = run.get("device"), run.get("processes", 1)
    if device is None or device == "cpu":
        return device and "CPU"
    return device if processes == 1 else f"{processes} × {device}"


_ITEMS = (
    "dataset_config", "mix", "curriculum", "train_split", "max_train_items", "max_prompt_tokens", "new_model",
)  # fmt: skip
_MODEL = ("use_peft", "load_in_4bit", "dtype")
_LORA = ("lora_r", "lora_alpha", "lora_dropout", "lora_target_modules", "lora_modules_to_save")
_FOUR_BIT = ("bnb_4bit_quant_type", "use_bnb_nested_quant")
_TRAINING = (
    "num_train_epochs", "per_device_train_batch_size", "gradient_accumulation_steps", "learning_rate",
    "lr_scheduler_type", "warmup_steps", "weight_decay", "max_grad_norm", "optim", "max_length", "packing", "bf16",
    "fp16",
)  # fmt: skip


def _settings(arguments: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The settings that a reader needs to train such a model, as in a YAML file of training/configs."""
    bap, model, training = (arguments[part] for part in ("bap", "model", "training"))
    of_model = _MODEL + _LORA * bool(model["use_peft"]) + _FOUR_BIT * bool(model["load_in_4bit"])
    chosen = {
        **{name: bap.get(name) for name in _ITEMS},
        **{name: model[name] for name in of_model},
        **{name: training[name] for name in _TRAINING},
    }
    if bap["dataset_path"]:
        chosen["dataset_path"] = Path(bap["dataset_path"]).name
        del chosen["dataset_config"]
    if training["max_steps"] > 0:
        chosen["max_steps"] = training["max_steps"]
    return {name: value for name, value in chosen.items() if value is not None}


def _result(path: Path) -> SplitResult:
    """What a file of `bap-v2 score --json` says of its first system."""
    record = _read(path, "bap-v2 score --json")
    try:
        settings, system = record["settings"], record["systems"][0]
        return SplitResult(
            config=settings["config"],
            split=settings["split"],
            scores=system["scores"],
            labels=settings["labels"],
            split_items=settings["split_items"],
            intervals=system["confidence_intervals"],
            confidence=settings["confidence"],
            name=system["name"],
        )
    except (KeyError, TypeError, IndexError) as error:
        raise CardError(f"{path} was not written by bap-v2 score --json: {error!r}") from None


def _read(path: Path, maker: str) -> Any:
    try:
        return orjson.loads(path.read_bytes())
    except OSError as error:
        raise CardError(f"{path}: {error.strerror or error} (it is written by {maker})") from None
    except ValueError as error:
        raise CardError(f"{path} is not JSON: {error}") from None


def model_card(facts: ModelFacts) -> ModelCard:
    """The card of an adapter or a model.

    Raises:
        CardError: an unknown kind or representation, a base model that is no name of the Hub, no data, scores that are
            not those of `bap_v2_metric.score`.
    """
    _check_model(facts)
    dataset = facts.dataset_repo or "bap_v2"
    inherited = facts.base_model is not None and facts.license is None
    data = ModelCardData(
        language=["en"],
        license="other" if inherited else facts.license or "apache-2.0",
        license_name="license-of-the-base-model" if inherited else None,
        license_link=f"https://huggingface.co/{facts.base_model}" if inherited else None,
        library_name="peft" if facts.kind == "adapter" else "transformers",
        pipeline_tag="text-generation",
        base_model=facts.base_model,
        base_model_relation=facts.base_model and ("adapter" if facts.kind == "adapter" else "finetune"),
        datasets=facts.dataset_repo and [facts.dataset_repo],
        metrics=[facts.metric_space or "bap_v2"],
        tags=[*_MODEL_TAGS, *["lora"] * (facts.kind == "adapter")],
        model_name=facts.repo_id.rpartition("/")[2] if facts.results else None,
        eval_results=[entry for result in facts.results for entry in _eval_results(result, dataset)] or None,
    )
    settings = {"model_name_or_path": facts.base_model} if facts.base_model else {}
    settings |= {**facts.hyperparameters, "representation": facts.representation, "seed": facts.seed}
    human = any(name in HUMAN_CONFIGS for name in (*facts.data, *(result.config for result in facts.results)))
    example = ("mdc_v2" if human else "dss", "test")
    if facts.results:
        example = (facts.results[0].config, facts.results[0].split)
    body = _rendered(
        "model_card.md",
        {
            "facts": facts,
            "dataset": dataset,
            "metric": facts.metric_space or "bap_v2",
            "example": example,
            "columns": COLUMNS,
            "boards": ROWS,
            "settings": yaml_dump(settings, sort_keys=False).strip(),
            "human": human,
        },
    )
    return ModelCard(f"---\n{data.to_yaml()}\n---\n\n{body}")


MODEL_TAG = "builder-action-prediction"  # by which our cards are known
_MODEL_TAGS = ("minecraft", "dialogue", "instruction-following", "spatial-reasoning", MODEL_TAG)


def _check_model(facts: ModelFacts) -> None:
    if facts.kind not in ("adapter", "full"):
        raise CardError(f"kind={facts.kind!r}: expected adapter or full")
    if facts.representation not in REPRESENTATIONS:
        raise CardError(f"representation={facts.representation!r}: expected one of {', '.join(REPRESENTATIONS)}")
    if not facts.data:
        raise CardError("data is empty: a model card says what was learned")
    for name in (facts.repo_id, facts.base_model, facts.dataset_repo, facts.metric_space):
        try:
            if name is not None:
                validate_repo_id(name)
        except HFValidationError:
            raise CardError(f"{name!r} is no name on the Hub: expected e.g. USER/bap_v2") from None
    for result in facts.results:
        if missing := {"signature", "n_items", *(f"{measure}_f1" for measure in MEASURES)} - result.scores.keys():
            raise CardError(f"the scores on {result.config} lack {', '.join(sorted(missing))}: pass those of score()")


def _eval_results(result: SplitResult, dataset: str) -> list[EvalResult]:
    """F1 of each measure, as a fraction; the headline first."""
    return [
        EvalResult(
            task_type="text-generation",
            task_name="Builder Action Prediction",
            dataset_type=dataset,
            dataset_name=f"BAP v2, {result.config}",
            dataset_config=result.config,
            dataset_split=result.split,
            dataset_args={"items": result.scores["n_items"], "labels": result.labels},
            metric_type=f"{measure}_f1",
            metric_name=f"{measure} F1",
            metric_value=result.scores[f"{measure}_f1"],
            metric_args={"signature": result.scores["signature"]},
        )
        for measure in sorted(MEASURES, key=lambda measure: measure != "fairer")
    ]


# --- text


def _rendered(template: str, facts: Mapping[str, Any]) -> str:
    """A template of `hub_cards`, filled in. A name that is missing is an error, not a gap."""
    environment = jinja2.Environment(
        trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True, undefined=jinja2.StrictUndefined
    )
    environment.filters["n"] = "{:,}".format
    environment.filters["percent"] = "{:.0%}".format
    environment.filters["score"] = lambda fraction: f"{100 * fraction:.1f}"
    text = environment.from_string((files("bap_v2_hub_cards") / template).read_text(encoding="utf-8")).render(facts)
    return re.sub(r"\n{3,}", "\n\n", text)  # what a condition leaves behind
