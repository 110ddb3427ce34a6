"""The configs of GSU as users load them: rows, splits, seeds, the joint config, errors."""

import datasets
import pytest
from gsu_items import gsu_rows
from in_process import use_home

import bap_v2_dataset  # noqa: F401 (registers the name)
from bap_v2_dataset.interface.table import TASKS, all_configs
from bap_v2_dataset.loading import install
from bap_v2_dataset.loading.builder import ConfigError
from bap_v2_dataset.loading.sampling import shuffled
from bap_v2_dataset.tasks.gsu import dataset as gsu
from bap_v2_dataset.tasks.gsu.baselines import BASELINES
from bap_v2_dataset.tasks.gsu.dataset import GSU_FEATURES
from bap_v2_dataset.tasks.gsu.task import MAIN_CONFIGS
from bap_v2_simulators.gsu.configs import CONFIGS, SIZES
from bap_v2_simulators.settings import SettingsError

FEW = {"train": 6, "validation": 3, "test": 4}


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An HF_HOME with the joint config, and those of Table 1 that it is made of, of a few items."""
    with pytest.MonkeyPatch.context() as patch:
        use_home(patch, tmp_path_factory.mktemp("gsu"))
        for split, size in FEW.items():
            patch.setitem(SIZES, split, size)
        install.install_dataset("gsu")
        yield


def test_the_table_of_configs_is_that_of_the_simulators():
    configs = TASKS["gsu"].configs
    assert set(configs) == {*CONFIGS, "gsu"} and len(MAIN_CONFIGS) == 8 and set(MAIN_CONFIGS) < set(CONFIGS)
    assert configs["gsu"].made_of == MAIN_CONFIGS
    assert configs["gsu"].splits == ("train", "validation", *(f"test_{name}" for name in MAIN_CONFIGS))
    assert all(configs[name].splits == tuple(SIZES) and configs[name].arguments == ("seed",) for name in CONFIGS)
    assert TASKS["gsu"].baselines == tuple(BASELINES)


def test_every_config_has_the_sizes_of_the_paper_and_as_many_for_validation():
    for name in CONFIGS:
        builder_config = gsu_config(name)
        shards = TASKS["gsu"].shards(builder_config, None)
        assert {split: sum(shard.end - shard.first for shard in parts) for split, parts in shards.items()} == {
            "train": 3000, "validation": 300, "test": 100
        }  # fmt: skip


def gsu_config(name: str, seed: int = 0):
    from bap_v2_dataset.loading.config import BapV2Config

    return BapV2Config(name=name, seed=seed)


@pytest.mark.parametrize("size", [1, 15, 16, 17, 100])
def test_shards_hold_every_item_once_in_order(size, monkeypatch):
    monkeypatch.setitem(SIZES, "test", size)
    shards = TASKS["gsu"].shards(gsu_config("gsu_structure"), None)["test"]
    assert [index for shard in shards for index in range(shard.first, shard.end)] == list(range(size))
    assert len(shards) <= 16


@pytest.mark.parametrize("config", ["gsu_follower_ego_2d", "gsu_structure"])
def test_a_config_holds_the_rows_of_its_items(home, config):
    splits = datasets.load_dataset("bap_v2", config)
    for split, size in FEW.items():
        assert splits[split].to_list() == gsu_rows(config, size, split)
        assert splits[split].features == GSU_FEATURES


def test_another_seed_gives_other_items_whose_ids_say_so(home):
    rows = datasets.load_dataset("bap_v2", "gsu_card2ego_2d", seed=3, split="test")
    assert rows.to_list() == gsu_rows("gsu_card2ego_2d", 4, "test", seed=3)
    assert rows["id"][:2] == ["gsu_card2ego_2d-seed3-test-0", "gsu_card2ego_2d-seed3-test-1"]


def test_the_joint_config_shuffles_train_and_validation_and_keeps_each_test_set(home):
    joint = datasets.load_dataset("bap_v2", "gsu")
    assert set(joint) == set(all_configs()["gsu"].splits)
    for split in ("train", "validation"):
        parts = {name: datasets.load_dataset("bap_v2", name, split=split) for name in MAIN_CONFIGS}
        order = shuffled({name: rows["id"][:] for name, rows in parts.items()})
        assert joint[split]["id"][:] == [parts[name][position]["id"] for name, position in order]
    ids = joint["train"]["id"][:]
    assert len(set(ids)) == len(ids) == 8 * FEW["train"] and len({row_id.rpartition("-")[0] for row_id in ids[:12]}) > 2
    for name in MAIN_CONFIGS:
        assert joint[f"test_{name}"].to_list() == gsu_rows(name, FEW["test"], "test")


def test_the_joint_config_streams(home):
    streamed = datasets.load_dataset("bap_v2", "gsu", split="test_gsu_structure", streaming=True)
    assert [row["id"] for row in streamed.take(2)] == ["gsu_structure-test-0", "gsu_structure-test-1"]


def test_a_config_has_no_corpus_and_no_labels_and_the_joint_one_no_seed(home):
    with pytest.raises(ConfigError, match="gsu_structure is made without the human corpus: leave out mdc="):
        datasets.load_dataset("bap_v2", "gsu_structure", mdc="corpus")
    with pytest.raises(ConfigError, match="gsu_structure is made without labels: leave out labels="):
        datasets.load_dataset("bap_v2", "gsu_structure", labels="mine.jsonl")
    with pytest.raises(ConfigError, match="the config gsu has no seed: leave out seed="):
        datasets.load_dataset("bap_v2", "gsu", seed=3)
    with pytest.raises(SettingsError, match=r"seed=0\.5: expected a whole number"):
        datasets.load_dataset("bap_v2", "gsu_structure", seed=0.5)


@pytest.mark.parametrize("name", ["PROMPT_VERSION", "GSU_DATA_VERSION"])
def test_other_rows_are_another_folder(name, monkeypatch):
    before = gsu.depends_on("gsu_structure"), gsu.depends_on("gsu")
    monkeypatch.setattr(gsu, name, "other")
    after = gsu.depends_on("gsu_structure"), gsu.depends_on("gsu")
    assert all(one != other for one, other in zip(before, after, strict=True))


def test_every_config_has_a_description_and_the_citation_of_its_paper():
    for name in TASKS["gsu"].configs:
        assert gsu.description(name).startswith("GSU")
        assert "sidhu2026gsu" in gsu.info(name).citation
