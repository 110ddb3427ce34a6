"""The card of a dataset: the template `hub_cards/dataset_card.md`, with every number filled in from the build.

    dataset_card("USER/bap_v2", infos, data_files, rows=rows).save("README.md")

The front matter holds what `datasets` reads from the Hub (`configs`, `dataset_info`), in the form that `datasets` gives
it. The metric's card is `bap_v2_metric/README.md`: it is uploaded with the Space as it is.
"""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from statistics import fmean, median
from typing import Any

import datasets
from datasets.info import DatasetInfosDict  # outside the API: guarded by test_canaries.py
from huggingface_hub import DatasetCard, DatasetCardData

import bap_v2_metric
from bap_v2_dataset.analysis.language import words_of
from bap_v2_dataset.analysis.stats import clean_test_counts
from bap_v2_dataset.augmentation.variants import AUGMENTATION_VERSION, VARIANTS
from bap_v2_dataset.human.game_store import KeptGames, mdc_games
from bap_v2_dataset.human.mdc import SPLITS
from bap_v2_dataset.labels.agreement import annotators_of, compared
from bap_v2_dataset.labels.label_file import labels_name, read_labels
from bap_v2_dataset.publishing.other_tasks import OTHER_TASKS, PUBLISHED_CONFIGS, OtherTask
from bap_v2_dataset.publishing.template import CardError, rendered
from bap_v2_dataset.tasks.building.dataset import labels_path
from bap_v2_dataset.tasks.building.items import items
from bap_v2_dataset.tasks.building.paper import PAPER_ITEMS, PUBLISHED_TEST
from bap_v2_dataset.tasks.building.prompts import PROMPT_VERSION, REPRESENTATIONS
from bap_v2_dataset.tasks.building.rows import DATA_VERSION, row
from bap_v2_dataset.tasks.robustness.families import FAMILIES, PERTURBATION_VERSION
from bap_v2_dataset.tasks.robustness.task import BASE_OF as BASE_OF_ROBUST
from bap_v2_dataset.tasks.table import HUMAN_CONFIGS, ITEM_CONFIGS, LABELED_CONFIGS
from bap_v2_metric import blocks
from bap_v2_simulators.corpora import SIMULATORS, TITLES, simulator_of
from bap_v2_simulators.simulation import play

_CONFIG_TITLES = {
    "mdc_v2": "human dialogues, with the clean test set and the augmented train set of BAP v2",
    "mdc": "human dialogues, as in the original BAP",
    **TITLES,
    "all": "the joint corpus: `mdc_v2`, `dr`, `dsb` and `dss`",
}
_LABELED_PLACES = {
    "mdc_v2": "`test` of `mdc_v2`",
    "all": "`test_mdc_v2` of `all`",
    "robust_mdc_v2": "what `robust_mdc_v2` is made of",
}
_EXAMPLE_GAMES = 30  # a short item is chosen from their items


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
        labels: whose labels the v2 test set uses (`label_file.labels_name`); by default the project's own.
        default: the config that is loaded if none is named.
        rows: config -> split -> rows. Without them the card has no statistics.
        games: the human corpus, if a config holds it; by default the one that was set up.
        metric_space: the Space of the metric; without one the card says how to install the metric.
    Raises:
        CardError: unknown configs, a default that is none of them, splits without files or files without splits.
        bap_v2_dataset.human.corpus_files.CorpusError: human dialogues are published and their corpus is not set up.
    """
    _check_configs(infos, data_files, default)
    configs = [name for name in ITEM_CONFIGS if name in infos]
    others = [task for task in OTHER_TASKS if any(name in infos for name in task.configs)]
    others_configs = [name for task in others for name in task.configs if name in infos]
    parts = [
        task.text(
            repo_id,
            {name: infos[name] for name in task.configs if name in infos},
            rows or {},
            metric_space,
            alone=not configs and task is others[0],
        )
        for task in others
    ]
    if not configs:
        text = "\n\n".join(parts)
        return _with_front_matter(
            _data_of_others(infos, others), infos, others_configs, data_files, default, f"{text}\n"
        )
    human = [name for name in configs if name in HUMAN_CONFIGS]
    robust = [name for name in BASE_OF_ROBUST if name in configs]
    synthetic = [name for name in SIMULATORS if {name, "all", f"robust_{name}"} & set(configs)]
    clean = [name for name in configs if name in LABELED_CONFIGS]
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
        "splits": _splits([name for name in configs if name not in robust], infos),
        "robust": robust,
        "base_of": BASE_OF_ROBUST,
        "robust_splits": _robust_splits(robust, infos),
        "perturbation_version": PERTURBATION_VERSION,
        "labeled_places": [words for name, words in _LABELED_PLACES.items() if name in configs],
        "example": _example(configs),
        "types": {name: _type_name(feature) for name, feature in infos[configs[0]].features.items()},
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
        "other_parts": parts,
        "other_titles": [task.title for task in others],
    }
    data = DatasetCardData(
        pretty_name="Builder Action Prediction (BAP) v2",
        language=["en"],
        license=list(dict.fromkeys([*_licenses(configs), *(task.license for task in others)])),
        task_categories=["text-generation"],
        size_categories=[_size_category(_n_rows(infos))],
        annotations_creators=["found"] * bool(human)
        + ["machine-generated"] * bool(synthetic or others or (clean and own_labels)),
        language_creators=["found"] * bool(human) + ["machine-generated"] * bool(synthetic or others),
        source_datasets=sorted(
            {*["extended"] * bool(human), *["original"] * bool(synthetic), *(task.source for task in others)}
        ),
        multilinguality=["monolingual"],
        tags=[
            "minecraft",
            "dialogue",
            "instruction-following",
            "spatial-reasoning",
            "grounded-language",
            "builder-action-prediction",
            *["synthetic"] * bool(synthetic or others),
        ],
    )
    data.tags = list(dict.fromkeys([*data.tags, *(tag for task in others for tag in task.tags)]))
    text = rendered("dataset_card.md", facts)
    return _with_front_matter(data, infos, [*configs, *others_configs], data_files, default, text)


def _data_of_others(infos: Mapping[str, datasets.DatasetInfo], others: Sequence[OtherTask]) -> DatasetCardData:
    """The front matter of a repository that holds no items of building."""
    return DatasetCardData(
        pretty_name=" and ".join(task.title for task in others),
        language=["en"],
        license=list(dict.fromkeys(task.license for task in others)),
        task_categories=list(dict.fromkeys(name for task in others for name in task.categories)),
        size_categories=[_size_category(_n_rows(infos))],
        annotations_creators=["machine-generated"],
        language_creators=["machine-generated"],
        source_datasets=sorted({task.source for task in others}),
        multilinguality=["monolingual"],
        tags=list(dict.fromkeys(tag for task in others for tag in task.tags)),
    )


def _with_front_matter(
    data: DatasetCardData,
    infos: Mapping[str, datasets.DatasetInfo],
    configs: Sequence[str],
    data_files: Mapping[str, Mapping[str, str]],
    default: str | None,
    text: str,
) -> DatasetCard:
    """The card, with what `datasets` reads of it."""
    DatasetInfosDict({name: _published(infos[name]) for name in configs}).to_dataset_card_data(data)
    data["configs"] = [  # the form that the Hub documents
        {
            "config_name": name,
            "data_files": [{"split": split, "path": data_files[name][split]} for split in infos[name].splits],
            **({"default": True} if name == default else {}),
        }
        for name in sorted(configs)
    ]
    return DatasetCard(f"---\n{data.to_yaml()}\n---\n\n{text}")


def _n_rows(infos: Mapping[str, datasets.DatasetInfo]) -> int:
    return sum(split.num_examples for info in infos.values() for split in info.splits.values())


def _check_configs(
    infos: Mapping[str, datasets.DatasetInfo], data_files: Mapping[str, Mapping[str, str]], default: str | None
) -> None:
    if not infos:
        raise CardError("a dataset card needs at least one config")
    if unknown := sorted(set(infos) - set(PUBLISHED_CONFIGS)):
        raise CardError(f"unknown configs {', '.join(unknown)} (expected some of {', '.join(PUBLISHED_CONFIGS)})")
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
    """Identifiers of the Hub: the human corpus has its own license, all that was added has this project's."""
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


def _robust_splits(configs: Sequence[str], infos: Mapping[str, datasets.DatasetInfo]) -> list[dict[str, Any]]:
    """A line for each split of the configs of variants: what is changed, and the items of each config."""
    titles = {"original": "the test items", **{name: family.title for name, family in FAMILIES.items()}}
    titles["probe"] = "200 test items, and the first variant of each family: for models that are slow or dear"
    there = [name for name in titles if any(name in infos[config].splits for config in configs)]
    return [
        {
            "split": name,
            "title": titles[name],
            "items": [
                infos[config].splits[name].num_examples if name in infos[config].splits else None for config in configs
            ],
        }
        for name in there
    ]


def _example(configs: Sequence[str]) -> dict[str, Any]:
    """A short row of a synthetic train split with blocks on the board; of a config that is published, if one is."""
    name = next((name for name in ("dss", "dsb", "dr") if {name, f"robust_{name}"} & set(configs)), "dss")
    games = (play(simulator_of(name), "train", index) for index in range(_EXAMPLE_GAMES))
    rows = (row(item) for game in games for item in items(game) if len(item.before))
    return min(rows, key=lambda candidate: len(candidate["prompt_n_posb_s"]) + len(candidate["completion"]))


def _type_name(feature: Any) -> str:
    """The type of a column as a reader says it."""
    if isinstance(feature, dict):
        types = {_type_name(part) for part in feature.values()}
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
    words: list[int] = []  # of the dialogue
    lengths: list[int] = []  # characters of the fullest prompt
    empty = multiple = removals = 0
    prompt = f"prompt_{REPRESENTATIONS[-1]}"
    columns = split.select_columns(["game_id", "dialogue", "before", "after", "interpretations", prompt])
    for batch in columns.with_format("arrow").iter(1000):
        for item in batch.to_pylist():
            before, after = set(item["before"]), set(item["after"])
            dialogue = [word for line in item["dialogue"] for word in words_of(line.partition("> ")[2])]
            games.add(item["game_id"])
            vocabulary.update(dialogue)
            net.append(len(before ^ after))
            words.append(len(dialogue))
            lengths.append(len(item[prompt]))
            empty += not before
            removals += bool(before - after)
            multiple += item["interpretations"] == "multiple"
    return {
        "items": len(net),
        "games": len(games),
        "empty": empty / len(net),
        "multiple": multiple / len(net),
        "removals": removals / len(net),
        "net": fmean(net),
        "words": fmean(words),
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
