"""The shards of the configs of Builder Action Prediction: which games and items make each split."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from bap_v2_dataset.augmentation.variants import VARIANTS
from bap_v2_dataset.human.game_store import mdc_games
from bap_v2_dataset.human.mdc import SPLITS
from bap_v2_dataset.interface.task import RowsOf
from bap_v2_dataset.items.item import items
from bap_v2_dataset.labels.clean_test import clean_test
from bap_v2_dataset.labels.label_file import labels_name, labels_path, read_labels
from bap_v2_dataset.loading.shards import CleanTestShard, ReadShard, Shard, joint_shards, kept_shards, simulated_shards
from bap_v2_dataset.tasks.building.task import CONFIGS
from bap_v2_dataset.tasks.building.written import written_shards
from bap_v2_simulators.corpus_table import SIZES
from bap_v2_simulators.game import read_games

if TYPE_CHECKING:
    from bap_v2_dataset.loading.config import BapV2Config


def shards(config: "BapV2Config", rows_of: RowsOf) -> dict[str, Sequence[Shard]]:
    """Return the shards of each split of a config, in the order of the rows.

    Args:
        rows_of: gives the splits of another config, made from the same corpus and labels.
    """
    if config.name == "written":
        return {split: written_shards(split) for split in SIZES["written"]}
    if config.name in SIZES:
        made = config.seed, config.settings
        return {split: simulated_shards(config.name, split, *made) for split in SIZES[config.name]}
    if config.name == "all":
        return joint_shards({name: rows_of(name) for name in CONFIGS["all"].made_of}, matched=True)
    return _human_shards(config)


def _human_shards(config: "BapV2Config") -> dict[str, Sequence[Shard]]:
    # The games of each split that has items, and those of train in variants, too.
    games = mdc_games(config.mdc)
    kept = {split: kept_shards(games.file(split)) if _has_items(games.file(split)) else [] for split in SPLITS.values()}
    is_v2 = config.name == "mdc_v2"
    train = [ReadShard(shard._replace(variants=VARIANTS if is_v2 else 0)) for shard in kept["train"]]
    # Of validation also the items that are clear and were kept: a corpus of somebody's own has no readings.
    clear = [ReadShard(shard, only_clear=True) for shard in kept["validation"]]
    clear = clear if any(True for shard in clear for _ in shard.rows()) else []
    test: Sequence[Shard] = kept["test"]
    if is_v2:
        path = labels_path(config.labels)
        labels = read_labels(path)
        clean = clean_test(games.items("test"), labels)  # complains about what does not fit
        source = labels_name(path)
        test = [CleanTestShard(shard, labels, source) for shard in test] if clean.items else ()
    return {
        "train": train, "validation": list(map(ReadShard, kept["validation"])), "validation_clear": clear, "test": test
    }  # fmt: skip


def _has_items(path: Path) -> bool:
    return any(True for game in read_games(path) for _ in items(game))
