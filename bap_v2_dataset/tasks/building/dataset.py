"""The rows of Builder Action Prediction: columns, splits, and what the rows of each config depend on."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import datasets

from bap_v2_dataset.augmentation.lexicon import LEXICON
from bap_v2_dataset.augmentation.variants import AUGMENTATION_VERSION, VARIANTS, augmented
from bap_v2_dataset.human.game_store import KeptGames, chosen_labels, mdc_games
from bap_v2_dataset.human.mdc import READER_VERSION, SPLITS
from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.items.item import Item, items
from bap_v2_dataset.items.prompts import PROMPT_VERSION
from bap_v2_dataset.items.rows import DATA_VERSION, hashed
from bap_v2_dataset.labels.clean_test import clean_test
from bap_v2_dataset.labels.label_file import OUR_LABELS, labels_file, labels_name, read_labels
from bap_v2_dataset.loading.sampling import SOURCES
from bap_v2_dataset.loading.shards import CleanTestShard, Shard, joint_shards, kept_shards, simulated_shards
from bap_v2_dataset.tasks.building.task import CONFIGS
from bap_v2_simulators.corpora import SIMULATORS, SIZES, TITLES
from bap_v2_simulators.game import Game, read_games
from bap_v2_simulators.simulation import play

if TYPE_CHECKING:
    from bap_v2_dataset.loading.config import BapV2Config

_DESCRIPTIONS = {
    "mdc_v2": "The Minecraft Dialogue Corpus with the clean test set of BAP v2; train is augmented to four times that.",
    "mdc": "The Minecraft Dialogue Corpus as in the original BAP (2020): 3,709 / 1,331 / 1,616 items.",
    "all": "The joint corpus: mdc_v2, dr, dsb and dss, shuffled, and a test split for each.",
}


_CITATION = """\
@article{jayannavar2025bapv2,
  title = {{BAP} v2: An Enhanced Task Framework for Instruction Following in {Minecraft} Dialogues},
  author = {Jayannavar, Prashant and Ren, Liliang and Hudspeth, Marisa and Sidhu, Risham and Lambert, Charlotte and
            Cordes, Ariel and Kaplan, Elizabeth and Narayan-Chen, Anjali and Hockenmaier, Julia},
  year = {2025}
}
@inproceedings{narayan-chen2019mdc,
  title = {Collaborative Dialogue in {Minecraft}},
  author = {Narayan-Chen, Anjali and Jayannavar, Prashant and Hockenmaier, Julia},
  booktitle = {Proceedings of the 57th Annual Meeting of the Association for Computational Linguistics},
  year = {2019}
}"""


def description(config: str) -> str:
    """One line about a config."""
    if config in SIMULATORS:
        sizes = " / ".join(f"{size:,}" for size in SIZES[config].values())
        return f"Synthetic, {TITLES[config]}; {sizes} items."
    return _DESCRIPTIONS[config]


def info(config: str) -> datasets.DatasetInfo:
    """The columns of a config, which all have the same, and whose data they are."""
    return datasets.DatasetInfo(
        description="Builder Action Prediction (BAP) v2: which blocks does the Builder place and remove next?",
        features=FEATURES,
        license="Human data: University of Illinois/NCSA Open Source License.",
        citation=_CITATION,
    )


def shards(
    config: "BapV2Config", rows_of: Callable[[str], Mapping[str, datasets.Dataset]]
) -> dict[str, Sequence[Shard]]:
    """The shards of each split of a config, in the order of the rows.

    Args:
        rows_of: gives the splits of another config, made from the same corpus and labels.
    """
    if config.name in SIMULATORS:
        return {split: simulated_shards(config.name, split, config.seed) for split in SIZES[config.name]}
    if config.name == "all":
        return joint_shards({name: rows_of(name) for name in SOURCES}, matched=True)
    return _human_shards(config)


def _human_shards(config: "BapV2Config") -> dict[str, Sequence[Shard]]:
    games = mdc_games(config.mdc)
    files = {split: games.file(split) for split in SPLITS.values()}
    splits: dict[str, Sequence[Shard]] = {
        split: kept_shards(file) if _has_items(file) else () for split, file in files.items()
    }
    if config.name == "mdc_v2":
        path = labels_path(config.labels)
        labels = read_labels(path)
        clean = clean_test(_test_items(games), labels)  # complains about what does not fit
        splits["train"] = [shard._replace(variants=VARIANTS) for shard in splits["train"]]
        source = labels_name(path)
        splits["test"] = [CleanTestShard(shard, labels, source) for shard in splits["test"]] if clean.items else ()
    return splits


def depends_on(config: str, mdc: str | None = None, labels: str | None = None) -> list[str]:
    """What the rows of a config depend on: the versions of their parts, and the corpus and labels or the simulator.

    Also a digest of some games: a change whose author forgot to raise the version is not served from the cache.
    """
    parts = [DATA_VERSION, PROMPT_VERSION]
    if config == "all":
        parts += [hashed(depends_on(name, mdc, labels)) for name in SOURCES]
    elif config in SIMULATORS:
        games = [play(SIMULATORS[config](), split, index) for split in SPLITS.values() for index in range(3)]
        parts += [config, SIMULATORS[config].version, _digest(games)]
    else:
        corpus = mdc_games(mdc)
        parts += [READER_VERSION, corpus.digest]
        if config == "mdc_v2":
            first = islice(read_games(corpus.file("train")), 3)
            parts += [AUGMENTATION_VERSION, repr(LEXICON), _digest(augmented(game, 1) for game in first)]
            parts += [labels_name(labels_path(labels))]
    return parts


def labels_of(rows: Sequence[Mapping], config: str) -> str:
    """Whose labels say which items can be scored and which have several interpretations; shown with every score."""
    is_own = config not in CONFIGS
    annotations = [row["metadata"].get("annotation") for row in rows]
    sources = {value.get("labels") for value in annotations if isinstance(value, Mapping)} - {None}
    if sources and not (is_own and not all(isinstance(name, str) for name in sources)):
        return "; ".join(sorted(sources))
    if config == "mdc":
        return "none (legacy MDC): every item counts, with a unique interpretation"
    if all(row["metadata"].get("source") == "simulated" for row in rows):
        return "none needed (synthetic): items on an empty board have multiple interpretations"
    if is_own:
        return "none (own data): every item counts, with the interpretations that it names"
    return "none: of human items, every one counts, with a unique interpretation"


def labels_path(labels: str | None = None) -> Path:
    """The labels of the test items: those that were named, else those that the last setup chose, else ours."""
    return labels_file(labels) if labels else chosen_labels() or OUR_LABELS


def _digest(games: Iterable[Game]) -> str:
    return hashlib.sha256(b"".join(game.to_json() for game in games)).hexdigest()


def _test_items(games: KeptGames) -> Iterator[Item]:
    return (item for game in read_games(games.file("test")) for item in items(game))


def _has_items(path: Path) -> bool:
    return any(True for game in read_games(path) for _ in items(game))
