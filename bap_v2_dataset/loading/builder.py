"""The `datasets` builder of `load_dataset("bap_v2", ...)`: configs, columns, and the splits of each config.

`import bap_v2_dataset` makes the bare name known to `datasets` (`registration`); without that import the name is served
from the cache that `bap-v2 setup` fills (`install`).
"""

import copy
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import datasets

from bap_v2_dataset.augmentation.lexicon import LEXICON
from bap_v2_dataset.augmentation.variants import AUGMENTATION_VERSION, VARIANTS, augmented
from bap_v2_dataset.features import FEATURES
from bap_v2_dataset.human.game_store import KeptGames, chosen_labels, mdc_games
from bap_v2_dataset.human.mdc import READER_VERSION, SPLITS
from bap_v2_dataset.items import Item, items
from bap_v2_dataset.labels.clean_test import clean_test
from bap_v2_dataset.labels.label_file import OUR_LABELS, labels_file, labels_name, read_labels
from bap_v2_dataset.loading.registration import DATASET_NAME
from bap_v2_dataset.loading.sampling import SOURCES, matched_sizes, sampled, shuffled
from bap_v2_dataset.loading.shards import CleanTestShard, Shard, kept_shards, mixed_shards, simulated_shards
from bap_v2_dataset.prompts import PROMPT_VERSION
from bap_v2_dataset.rows import DATA_VERSION
from bap_v2_metric.errors import UserError
from bap_v2_simulators.corpora import SIMULATORS, SIZES, TITLES
from bap_v2_simulators.game import Game, read_games
from bap_v2_simulators.simulation import play, streams

HUMAN_CONFIGS = ("mdc_v2", "mdc", "all")  # those that hold dialogues of the human corpus
CONFIGS = ("mdc_v2", "mdc", *SIMULATORS, "all")

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


class ConfigError(UserError):
    """Arguments that a config does not have."""


class BapV2Config(datasets.BuilderConfig):
    """One config of the dataset.

    Args:
        mdc: the human corpus, a directory or an archive; by default what BAP_V2_MDC names or the last set-up chose.
        labels: of the test items, a file of JSON lines or CSV; by default what the last set-up chose, else ours.
        seed: of a synthetic corpus; the published ones have seed 0.
    """

    def __init__(self, mdc: str | None = None, labels: str | None = None, seed: int = 0, **kwargs: Any):
        kwargs.setdefault("version", datasets.Version(DATA_VERSION))
        super().__init__(**kwargs)
        self.mdc = mdc
        self.labels = labels
        self.seed = seed


_DESCRIPTIONS = {
    "mdc_v2": "The Minecraft Dialogue Corpus with the clean test set of BAP v2; train is augmented to four times that.",
    "mdc": "The Minecraft Dialogue Corpus as in the original BAP (2020): 3,709 / 1,331 / 1,616 items.",
    **{
        name: f"Synthetic, {TITLES[name]}; {' / '.join(f'{n:,}' for n in SIZES[name].values())} items."
        for name in SIMULATORS
    },
    "all": "The joint corpus: mdc_v2, dr, dsb and dss, shuffled, and a test split for each.",
}


class BapV2(datasets.GeneratorBasedBuilder):
    """Rows of Builder Action Prediction."""

    BUILDER_CONFIG_CLASS = BapV2Config
    BUILDER_CONFIGS = [  # noqa: RUF012 (the name and the list are what datasets asks for)
        BapV2Config(name=name, description=_DESCRIPTIONS[name]) for name in CONFIGS
    ]

    def __init__(self, *args: Any, hash: str | None = None, **kwargs: Any):
        # The last part of the cache folder: other rows, other folder (hashing the sources would rebuild for a comment).
        own = hash or rows_hash(kwargs.get("config_name"), kwargs.get("mdc"), kwargs.get("labels"))
        super().__init__(*args, hash=own, **kwargs)
        name = self.config.name
        if self.config.mdc is not None and name not in HUMAN_CONFIGS:
            raise ConfigError(f"the config {name} is made without the human corpus: leave out mdc=")
        if self.config.labels is not None and name not in ("mdc_v2", "all"):
            raise ConfigError(f"the config {name} is made without labels: leave out labels=")
        if name in SIMULATORS:
            streams(SIMULATORS[name], "train", self.config.seed, 0)  # says what is wrong with the seed
        elif self.config.seed != 0:
            raise ConfigError(f"the config {name} has no seed: leave out seed=")

    def _info(self) -> datasets.DatasetInfo:
        return datasets.DatasetInfo(
            description="Builder Action Prediction (BAP) v2: which blocks does the Builder place and remove next?",
            features=FEATURES,
            license="Human data: University of Illinois/NCSA Open Source License.",
            citation=_CITATION,
        )

    def _split_generators(self, dl_manager: Any) -> list[datasets.SplitGenerator]:
        name = self.config.name
        if name in SIMULATORS:
            shards = {split: simulated_shards(name, split, self.config.seed) for split in SIZES[name]}
        elif name == "all":
            shards = self._joint_shards()
        else:
            shards = self._human_shards()
        # datasets cannot load an empty split
        return [
            datasets.SplitGenerator(name=split, gen_kwargs={"shards": list(enumerate(its))})
            for split, its in shards.items()
            if its
        ]

    def _human_shards(self) -> dict[str, Sequence[Shard]]:
        games = mdc_games(self.config.mdc)
        files = {split: games.file(split) for split in SPLITS.values()}
        shards: dict[str, Sequence[Shard]] = {
            split: kept_shards(file) if _has_items(file) else () for split, file in files.items()
        }
        if self.config.name == "mdc_v2":
            path = labels_path(self.config.labels)
            labels = read_labels(path)
            clean = clean_test(_test_items(games), labels)  # says what does not fit
            shards["train"] = [shard._replace(variants=VARIANTS) for shard in shards["train"]]
            source = labels_name(path)
            shards["test"] = [CleanTestShard(shard, labels, source) for shard in shards["test"]] if clean.items else ()
        return shards

    def _joint_shards(self) -> dict[str, Sequence[Shard]]:
        sources = {}
        for name in SOURCES:
            own = (self.config.mdc, self.config.labels) if name in HUMAN_CONFIGS else ()
            builder = builder_of(name, *own, cache_dir=self._cache_dir_root)
            builder.download_and_prepare()  # at once if it is set up
            sources[name] = builder.as_dataset()
        train, validation = ({name: its[split] for name, its in sources.items() if split in its}
                             for split in ("train", "validation"))  # fmt: skip
        sizes = matched_sizes({n: len(its) for n, its in train.items()}, {n: len(its) for n, its in validation.items()})
        ids = {name: its["id"][:] for name, its in validation.items()}
        matched = {name: set(sampled(its, sizes.get(name, 0))) for name, its in ids.items()}
        order = shuffled(ids)
        return {
            "train": mixed_shards(train, shuffled({name: its["id"][:] for name, its in train.items()})),
            "validation": mixed_shards(validation, order),
            "validation_matched": mixed_shards(
                validation, [(name, position) for name, position in order if position in matched[name]]
            ),
            **{
                f"test_{name}": mixed_shards({name: its["test"]}, [(name, n) for n in range(len(its["test"]))])
                for name, its in sources.items()
                if "test" in its
            },
        }

    def _generate_examples(self, shards: list[tuple[int, Shard]]) -> Iterator[tuple[datasets.builder.Key, dict]]:
        for number, shard in shards:
            for index, columns in enumerate(shard.rows()):
                yield datasets.builder.Key(number, index), columns


def builder_of(config: str, mdc: str | None = None, labels: str | None = None, **kwargs: Any) -> BapV2:
    """The builder of a config, whose folder has the same name however the corpus and the labels were named."""
    builder = BapV2(config_name=config, dataset_name=DATASET_NAME, hash=rows_hash(config, mdc, labels), **kwargs)
    builder.config = copy.copy(builder.config)  # the original is the class's
    builder.config.mdc, builder.config.labels = mdc, labels  # not arguments: the folder would have another name
    return builder


def rows_hash(config: str | None, mdc: str | None = None, labels: str | None = None) -> str:
    """A name for what the rows of a config depend on: the versions of their parts, the corpus and labels or simulator.

    Also a digest of some games: a change whose author forgot to raise the version is not served from the cache.
    """
    parts = [DATA_VERSION, PROMPT_VERSION]
    if config == "all":
        parts += [rows_hash(name, mdc, labels) for name in SOURCES]
    elif config in SIMULATORS:
        games = [play(SIMULATORS[config](), split, index) for split in SPLITS.values() for index in range(3)]
        parts += [config, SIMULATORS[config].version, _digest(games)]
    elif config in HUMAN_CONFIGS:
        games = mdc_games(mdc)
        parts += [READER_VERSION, games.digest]
        if config == "mdc_v2":
            first = islice(read_games(games.file("train")), 3)
            parts += [AUGMENTATION_VERSION, repr(LEXICON), _digest(augmented(game, 1) for game in first)]
            parts += [labels_name(labels_path(labels))]
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()[:16]


def labels_path(labels: str | None = None) -> Path:
    """The labels of the test items: those that were named, else those that the last set-up chose, else ours."""
    return labels_file(labels) if labels else chosen_labels() or OUR_LABELS


def _digest(games: Iterable[Game]) -> str:
    return hashlib.sha256(b"".join(game.to_json() for game in games)).hexdigest()


def _test_items(games: KeptGames) -> Iterator[Item]:
    return (item for game in read_games(games.file("test")) for item in items(game))


def _has_items(path: Path) -> bool:
    return any(True for game in read_games(path) for _ in items(game))
