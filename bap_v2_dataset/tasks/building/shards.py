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
from bap_v2_dataset.loading.shards import CleanTestShard, Shard, joint_shards, kept_shards, simulated_shards
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
    games = mdc_games(config.mdc)
    files = {split: games.file(split) for split in SPLITS.values()}
    splits: dict[str, Sequence[Shard]] = {
        split: kept_shards(file) if _has_items(file) else () for split, file in files.items()
    }
    if config.name == "mdc_v2":
        path = labels_path(config.labels)
        labels = read_labels(path)
        clean = clean_test(games.items("test"), labels)  # complains about what does not fit
        splits["train"] = [shard._replace(variants=VARIANTS) for shard in splits["train"]]
        source = labels_name(path)
        splits["test"] = [CleanTestShard(shard, labels, source) for shard in splits["test"]] if clean.items else ()
    return splits


def _has_items(path: Path) -> bool:
    return any(True for game in read_games(path) for _ in items(game))
