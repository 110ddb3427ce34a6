"""What the card of a dataset says of items of building, from the template `card.md`, with numbers from the build.

Variants of items have their part in it: those of `Task.card_pieces`.
"""

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from statistics import fmean, median
from typing import Any

import datasets

from bap_v2_dataset.augmentation.variants import AUGMENTATION_VERSION, VARIANTS
from bap_v2_dataset.human.game_store import KeptGames, mdc_games
from bap_v2_dataset.human.mdc import SPLITS
from bap_v2_dataset.interface.task import Config
from bap_v2_dataset.items.item import items
from bap_v2_dataset.items.rows import WORD, row
from bap_v2_dataset.items.versions import DATA_VERSION, PROMPT_VERSION, ROW_REPRESENTATIONS
from bap_v2_dataset.labels.agreement import annotators_of, compared
from bap_v2_dataset.labels.label_file import labels_name, labels_path, read_labels
from bap_v2_dataset.publishing.published import PublishedConfigs
from bap_v2_dataset.tasks.building.corpus_stats import clean_test_counts
from bap_v2_dataset.tasks.building.paper import PAPER_ITEMS, PUBLISHED_TEST
from bap_v2_dataset.tasks.building.task import BUILDING
from bap_v2_metric import blocks
from bap_v2_simulators.corpora import SIMULATORS, simulator_of
from bap_v2_simulators.corpus_table import TITLES
from bap_v2_simulators.simulation import play

TITLE = "Builder Action Prediction (BAP) v2"
_CONFIG_TITLES = {
    "mdc_v2": "human dialogues, with the clean test set and the augmented train set of BAP v2",
    "mdc": "human dialogues, as in the original BAP",
    **TITLES,
    "all": "the joint corpus: `mdc_v2`, `dr`, `dsb` and `dss`",
}
_TAGS = (
    "minecraft", "dialogue", "instruction-following", "spatial-reasoning", "grounded-language",
    "builder-action-prediction",
)  # fmt: skip
_LABELED_PLACES = {"mdc_v2": "`test` of `mdc_v2`", "all": "`test_mdc_v2` of `all`"}
_PLACES = ("configs", "id", "metadata", "section", "citation")  # of pieces about variants, in the template
_EXAMPLE_GAMES = 30  # a short item is chosen from their items


def _with(argument: str, published: PublishedConfigs) -> list[str]:
    """Return the configs that are made from the human corpus ("mdc"), or from labels of it."""
    return [name for name in published.infos if argument in published.known[name].arguments]


def simulators_of(published: PublishedConfigs) -> list[str]:
    """Return the simulators that its configs are made with."""
    made_of = {name for config in published.infos for name in (config, *published.known[config].made_of)}
    return [name for name in SIMULATORS if name in made_of]


def _labels(published: PublishedConfigs) -> str:
    return published.labels or labels_name(labels_path())


def front_matter(published: PublishedConfigs) -> dict[str, list[str]]:
    # Who wrote and who labeled what is published
    human, synthetic = _with("mdc", published), simulators_of(published) or "written" in published.infos
    return {
        # The human corpus has its own license, all that was added has this project's.
        "license": ["apache-2.0"] + ["ncsa"] * bool(human),
        "task_categories": ["text-generation"],
        "annotations_creators": ["found"] * bool(human) + ["machine-generated"],  # readings, labels, games
        "language_creators": ["found"] * bool(human) + ["machine-generated"] * bool(synthetic),
        "source_datasets": ["extended"] * bool(human) + ["original"] * bool(synthetic),
        "tags": [*_TAGS, *["synthetic"] * bool(synthetic)],
    }


def license_files(configs: Mapping[str, Config]) -> dict[str, Path]:
    folder = Path(str(files("bap_v2_dataset") / "data"))
    human = any("mdc" in config.arguments for config in configs.values())
    return {"LICENSE-MDC.txt": folder / "MDC_LICENSE.txt"} if human else {}


def text(published: PublishedConfigs) -> str:
    """Return the card, or a part of one.

    Raises:
        bap_v2_dataset.human.corpus_files.CorpusError: human dialogues are published and their corpus is not set up.
    """
    # Which parts of the template this dataset needs
    configs = list(published.infos)
    human, clean, synthetic = _with("mdc", published), _with("labels", published), simulators_of(published)
    labels = _labels(published)
    own_labels = labels == labels_name()
    games = mdc_games() if human and published.games is None else published.games

    # Their numbers: of the configs, the corpus, its labels, and the versions of what made the rows
    facts = {
        "titles": _CONFIG_TITLES,
        "human": human,
        "synthetic": synthetic or "written" in configs,
        "written": "written" in configs,
        "clean": clean,
        "joint": "all" in configs,
        "splits": [name for name in configs if name in BUILDING.configs],
        "paper_items": PAPER_ITEMS,
        "labeled_places": [_LABELED_PLACES.get(name, f"what `{name}` is made of") for name in clean],
        "example": _example(synthetic),
        "statistics": _statistics(configs, published.rows),
        "simulators": {name: SIMULATORS[name].version for name in synthetic},
        "games": games,
        "mdc_splits": [*SPLITS.values()],
        "variants": VARIANTS,
        "augmentation_version": AUGMENTATION_VERSION,
        "labels": labels,
        "own_labels": own_labels,
        "agreement": compared(*annotators_of()).questions if clean and own_labels else (),
        "clean_counts": _clean_counts(games, labels) if clean else {},
        "paper_counts": PUBLISHED_TEST,
        "signature": BUILDING.scorer.signature(),
        "data_version": DATA_VERSION,
        "prompt_version": PROMPT_VERSION,
        "blocks": blocks,
    }

    # What other tasks add
    pieces = {place: "".join(texts.get(place, "") for texts in published.pieces) for place in _PLACES}
    return published.rendered("building/card.md", **facts, pieces=pieces)


def _example(synthetic: Sequence[str]) -> dict[str, Any]:
    """A short row of a synthetic train split with blocks on the board; of a config that is published, if one is."""
    name = next((name for name in ("dss", "dsb", "dr") if name in synthetic), "dss")
    games = (play(simulator_of(name), "train", index) for index in range(_EXAMPLE_GAMES))
    rows = (row(item) for game in games for item in items(game) if len(item.before))
    return min(rows, key=lambda candidate: len(candidate["prompt_n_posb_s"]) + len(candidate["completion"]))


def _statistics(configs: Sequence[str], rows: Mapping[str, Mapping[str, datasets.Dataset]]) -> list[dict[str, Any]]:
    """A line for train and test of each config (of the joint one, whose tests are those of its parts, for train)."""
    return [
        {"config": config, "split": split, **_statistics_of(rows[config][split])}
        for config in configs
        for split in (("train",) if config == "all" else ("train", "test"))
        if split in rows.get(config, ())
    ]


def _statistics_of(split: datasets.Dataset) -> dict[str, Any]:
    """Count what the rows of a split are like, going through the Arrow columns once."""
    games, vocabulary = set(), set()
    net, words, lengths = [], [], []  # by item: net actions, words of the dialogue, characters of the fullest prompt
    empty = multiple = removals = 0

    # Count item by item
    prompt = f"prompt_{ROW_REPRESENTATIONS[-1]}"
    columns = split.select_columns(["game_id", "dialogue", "before", "after", "interpretations", prompt])
    for batch in columns.with_format("arrow").iter(1000):
        for item in batch.to_pylist():
            before, after = set(item["before"]), set(item["after"])
            dialogue = [word for line in item["dialogue"] for word in WORD.findall(line.partition("> ")[2].lower())]
            games.add(item["game_id"])
            vocabulary.update(dialogue)
            net.append(len(before ^ after))
            words.append(len(dialogue))
            lengths.append(len(item[prompt]))
            empty += not before
            removals += bool(before - after)
            multiple += item["interpretations"] == "multiple"

    # The numbers of the card
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


def _clean_counts(games: KeptGames, labels: str) -> dict[str, int]:
    """Count what becomes of the test items, if these are the labels that are set up."""
    path = labels_path()
    return clean_test_counts(games, read_labels(path)) if labels == labels_name(path) else {}
