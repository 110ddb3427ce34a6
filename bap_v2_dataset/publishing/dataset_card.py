"""The card of a dataset: a part for each task in it, written in the tasks' rooms, and the front matter of all.

    dataset_card("USER/bap_v2", infos, data_files, rows=rows).save("README.md")

The front matter holds what `datasets` reads from the Hub (`configs`, `dataset_info`), in the form that `datasets` gives
it. The metric's card is `bap_v2_metric/README.md`: it is uploaded with the Space as it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import datasets
from datasets.info import DatasetInfosDict  # outside the API: guarded by test_canaries.py
from huggingface_hub import DatasetCard, DatasetCardData

from bap_v2_dataset.human.game_store import KeptGames
from bap_v2_dataset.interface.table import TASKS
from bap_v2_dataset.interface.task import Card, Config
from bap_v2_dataset.publishing.published import PublishedConfigs


def published_configs() -> dict[str, Config]:
    """Return the configs that can be published, in the usual order: those of tasks that have a card."""
    return {name: config for task in TASKS.values() if task.card for name, config in task.configs.items()}


def cards_of(configs: Sequence[str]) -> dict[Card, list[str]]:
    """Return the cards of tasks that some of the configs belong to, each with these configs. Tasks may share a card."""
    cards: dict[Card, list[str]] = {}
    for task in TASKS.values():
        if task.card and (names := [name for name in task.configs if name in configs]):
            cards.setdefault(task.card, []).extend(names)
    return cards


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
    """Return the card of a dataset repository that holds any of our configs.

    Args:
        repo_id: "USER/bap_v2".
        infos: by config, with features and splits (num_examples, num_bytes).
        data_files: config -> split -> pattern of its files in the repository, "data/dss/train-*.parquet".
        labels: whose labels the v2 test set uses (`label_file.labels_name`); by default those that are set up.
        default: the config that is loaded if none is named.
        rows: config -> split -> rows. Without them the card has no statistics.
        games: the human corpus, if a config holds it; by default the one that was set up.
        metric_space: the Space of the metric; without one the card says how to install the metric.
    Raises:
        bap_v2_dataset.human.corpus_files.CorpusError: human dialogues are published and their corpus is not set up.
    """
    # The first card is the whole one, and has the others as parts.
    (first, whole), *others = [
        (card, PublishedConfigs(
            repo_id, {name: infos[name] for name in names}, rows or {}, default, metric_space, labels, games,
            tuple(TASKS.values()),
        ))
        for card, names in cards_of(list(infos)).items()
    ]  # fmt: skip
    parts = [(card.TITLE, card.text(published)) for card, published in others]
    fronts = [card.front_matter(published) for card, published in ((first, whole), *others)]
    united = {key: list(dict.fromkeys(value for front in fronts for value in front[key])) for key in fronts[0]}
    # The front matter: of all tasks together, in the forms that `datasets` and the Hub read.
    data = DatasetCardData(
        pretty_name=" and ".join((first.TITLE, *(title for title, _ in parts))),
        language=["en"],
        multilinguality=["monolingual"],
        size_categories=[_size_category(infos)],
        **united | {"source_datasets": sorted(united["source_datasets"])},
    )
    in_order = [name for name in published_configs() if name in infos]
    DatasetInfosDict({name: _published(infos[name]) for name in in_order}).to_dataset_card_data(data)
    data["configs"] = [  # the form that the Hub documents
        {
            "config_name": name,
            "data_files": [{"split": split, "path": data_files[name][split]} for split in infos[name].splits],
            **({"default": True} if name == default else {}),
        }
        for name in sorted(infos)
    ]
    return DatasetCard(f"---\n{data.to_yaml()}\n---\n\n{first.text(replace(whole, others=parts))}\n")


def _size_category(infos: Mapping[str, datasets.DatasetInfo]) -> str:
    """Return the Hub's name for so many rows: `n<1K`, `10K<n<100K`."""
    rows = sum(split.num_examples for info in infos.values() for split in info.splits.values())
    steps = ("1K", "10K", "100K", "1M", "10M", "100M", "1B", "10B", "100B", "1T")
    reached = sum(rows >= 10 ** (3 + power) for power in range(len(steps)))
    if reached == len(steps):
        return f"n>{steps[-1]}"
    return f"{steps[reached - 1]}<n<{steps[reached]}" if reached else f"n<{steps[0]}"


def _published(info: datasets.DatasetInfo) -> datasets.DatasetInfo:
    """Return what the front matter says of a config."""
    return datasets.DatasetInfo(
        features=info.features,
        splits=info.splits,
        download_size=info.download_size,
        dataset_size=sum(split.num_bytes for split in info.splits.values()),
    )
