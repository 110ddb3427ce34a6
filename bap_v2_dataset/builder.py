"""The `datasets` builder of `load_dataset("bap_v2", ...)`: configs, columns, and the splits of each config.

`register()` (called by `import bap_v2_dataset`) makes the bare name known to `datasets`; without that import the name
is served from the cache that `bap-v2 setup` fills (`install`).
"""

import functools
import hashlib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import datasets
import datasets.inspect
import datasets.load

from bap_v2_dataset.game_store import mdc_games
from bap_v2_dataset.items import Item, items
from bap_v2_dataset.mdc import READER_VERSION, SPLITS
from bap_v2_dataset.prompts import PROMPT_VERSION, REPRESENTATIONS, completion, render
from bap_v2_metric.notation import format_action, format_structure
from bap_v2_simulators.corpora import SIMULATORS, SIZES, TITLES, games_of, simulator_of
from bap_v2_simulators.game import Game, read_games
from bap_v2_simulators.simulation import play, streams

DATASET_NAME = "bap_v2"
DATA_VERSION = "0.1.0"  # raised whenever rows change
_SHARDS_PER_SPLIT = 16

_TEXTS = datasets.List(datasets.Value("string"))
FEATURES = datasets.Features(
    {
        "id": datasets.Value("string"),
        "game_id": datasets.Value("string"),
        "history": _TEXTS,
        "dialogue": _TEXTS,
        "pose": {name: datasets.Value("float64") for name in ("x", "y", "z", "yaw", "pitch")},
        "before": _TEXTS,
        "after": _TEXTS,
        "actions": _TEXTS,
        "target": _TEXTS,
        "interpretations": datasets.Value("string"),
        **{f"prompt_{representation}": datasets.Value("string") for representation in REPRESENTATIONS},
        "completion": datasets.Value("string"),
        "metadata": datasets.Json(),
    }
)

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


def row(item: Item) -> dict[str, Any]:
    """The dataset row of an item: FEATURES says which columns, the README what they mean."""
    pose = item.pose
    columns: dict[str, Any] = {
        "id": item.item_id,
        "game_id": item.game_id,
        "history": list(item.history),
        "dialogue": list(item.dialogue),
        "pose": {"x": pose.x, "y": pose.y, "z": pose.z, "yaw": pose.yaw, "pitch": pose.pitch},
        "before": format_structure(item.before),
        "after": format_structure(item.after),
        "actions": [format_action(action) for action in item.actions],
        "target": format_structure(item.target),
        "interpretations": item.interpretations,
    }
    for representation in REPRESENTATIONS:
        columns[f"prompt_{representation}"] = render(columns, representation)
    columns["completion"] = completion(columns["actions"])
    columns["metadata"] = dict(item.metadata)
    if infeasible := item.infeasible_actions:
        columns["metadata"]["infeasible_actions"] = infeasible
    return columns


class BapV2Config(datasets.BuilderConfig):
    """One config of the dataset.

    Args:
        mdc: the human corpus, a directory or an archive; by default what BAP_V2_MDC names or the last set-up chose.
        seed: of a synthetic corpus; the published ones have seed 0.
    """

    def __init__(self, mdc: str | None = None, seed: int = 0, **kwargs: Any):
        kwargs.setdefault("version", datasets.Version(DATA_VERSION))
        super().__init__(**kwargs)
        self.mdc = mdc
        self.seed = seed


class BapV2(datasets.GeneratorBasedBuilder):
    """Rows of Builder Action Prediction."""

    BUILDER_CONFIG_CLASS = BapV2Config
    BUILDER_CONFIGS = [  # noqa: RUF012 (the name and the list are what datasets asks for)
        BapV2Config(
            name="mdc",
            description="The Minecraft Dialogue Corpus as in the original BAP (2020): 3,709 / 1,331 / 1,616 items.",
        ),
        *(
            BapV2Config(
                name=name,
                description=f"Synthetic, {TITLES[name]}; {' / '.join(f'{n:,}' for n in SIZES[name].values())} items.",
            )
            for name in SIMULATORS
        ),
    ]

    def __init__(self, *args: Any, hash: str | None = None, **kwargs: Any):
        # The last part of the cache folder: other rows, other folder (hashing the sources would rebuild for a comment).
        super().__init__(*args, hash=hash or rows_hash(kwargs.get("config_name"), kwargs.get("mdc")), **kwargs)
        if self.config.name in SIMULATORS:
            if self.config.mdc is not None:
                raise ValueError(f"the config {self.config.name} is made without the human corpus: leave out mdc=")
            streams(SIMULATORS[self.config.name], "train", self.config.seed, 0)  # says what is wrong with the seed
        elif self.config.seed != 0:
            raise ValueError(f"the config {self.config.name} has no seed: leave out seed=")

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
            shards = {split: _simulated_shards(name, split, self.config.seed) for split in SIZES[name]}
        else:
            games = mdc_games(self.config.mdc)
            # datasets cannot load an empty split
            files = {split: games.file(split) for split in SPLITS.values() if _has_items(games.file(split))}
            shards = {split: _kept_shards(file) for split, file in files.items()}
        return [datasets.SplitGenerator(name=split, gen_kwargs={"shards": its}) for split, its in shards.items()]

    def _generate_examples(self, shards: "list[_Shard]") -> Iterator[tuple[datasets.builder.Key, dict]]:
        for shard in shards:
            index = 0
            for game in shard.games():
                for item in items(game):
                    yield datasets.builder.Key(shard.number, index), row(item)
                    index += 1


class _KeptShard(NamedTuple):
    """A run of whole lines in a file of games."""

    number: int
    path: str
    start: int  # bytes
    end: int

    def games(self) -> Iterator[Game]:
        with open(self.path, "rb") as file:
            file.seek(self.start)
            while file.tell() < self.end:
                yield Game.from_json(file.readline())


class _SimulatedShard(NamedTuple):
    """A run of games that are played when their rows are asked for."""

    number: int
    simulator: str
    split: str
    seed: int
    games_with_turns: tuple[tuple[int, int], ...]

    def games(self) -> Iterator[Game]:
        simulator = simulator_of(self.simulator)
        for index, turns in self.games_with_turns:
            yield play(simulator, self.split, index, self.seed, turns=turns)


_Shard = _KeptShard | _SimulatedShard


def rows_hash(config: str | None, mdc: str | None = None) -> str:
    """A name for what the rows of a config depend on: the versions of their parts, and the corpus or the simulator."""
    source = ""
    if config in SIMULATORS:
        # Also of what the games say: a change whose author forgot to raise the version is not served from the cache.
        games = [play(SIMULATORS[config](), split, index).to_json() for split in SPLITS.values() for index in range(3)]
        source = f"{config} {SIMULATORS[config].version} {hashlib.sha256(b''.join(games)).hexdigest()}"
    elif config == "mdc":
        source = f"{READER_VERSION} {mdc_games(mdc).digest}"
    return hashlib.sha256(f"{DATA_VERSION} {PROMPT_VERSION} {source}".encode()).hexdigest()[:16]


def _has_items(path: Path) -> bool:
    return any(True for game in read_games(path) for _ in items(game))


def _kept_shards(path: Path) -> list[_KeptShard]:
    """Runs of whole lines, in order: any number of processes gives the same rows."""
    ends = [0]
    with open(path, "rb") as file:
        for line in file:
            ends.append(ends[-1] + len(line))
    return [_KeptShard(number, str(path), ends[a], ends[b]) for number, (a, b) in enumerate(_runs(len(ends) - 1))]


def _simulated_shards(name: str, split: str, seed: int) -> list[_SimulatedShard]:
    """Runs of games, in order."""
    games = [tuple(game) for game in games_of(simulator_of(name), split, SIZES[name][split], seed)]
    return [
        _SimulatedShard(number, name, split, seed, tuple(games[a:b])) for number, (a, b) in enumerate(_runs(len(games)))
    ]


def _runs(length: int) -> "pairwise[tuple[int, int]]":
    """Where each shard begins and ends."""
    return pairwise(sorted({round(length * share / _SHARDS_PER_SPLIT) for share in range(_SHARDS_PER_SPLIT + 1)}))


def register() -> None:
    """Makes `load_dataset("bap_v2", ...)` use this builder: config names, keyword arguments, streaming, num_proc.

    `datasets` has no entry point for this, so its module factory is wrapped for exactly this name. Any other name, and
    calls with data files of the user's, go through untouched.
    """
    original = datasets.load.dataset_module_factory
    if getattr(original, "_serves_bap_v2", False):
        return

    @functools.wraps(original)
    def factory(path: str, *args: Any, **kwargs: Any) -> datasets.load.DatasetModule:
        if path == DATASET_NAME and not kwargs.get("data_files") and not kwargs.get("data_dir"):
            # No hash: the builder makes its own, which knows the corpus.
            return datasets.load.DatasetModule(__name__, "", {"dataset_name": DATASET_NAME})
        return original(path, *args, **kwargs)

    factory._serves_bap_v2 = True
    datasets.load.dataset_module_factory = factory
    datasets.inspect.dataset_module_factory = factory
