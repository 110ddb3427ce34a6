"""The robustness configs as users load them: splits, parents, the probe, errors."""

import datasets
import pytest
from in_process import use_home

import bap_v2_dataset  # noqa: F401 (registers the name)
from bap_v2_dataset.interface.table import all_configs
from bap_v2_dataset.items.features import FEATURES
from bap_v2_dataset.loading import install
from bap_v2_dataset.loading.builder import ConfigError
from bap_v2_dataset.loading.sampling import sampled
from bap_v2_dataset.tasks.robustness import dataset as robust
from bap_v2_dataset.tasks.robustness.families import FAMILIES, variants_of
from bap_v2_dataset.tasks.robustness.shards import PROBE, families_of
from bap_v2_dataset.tasks.robustness.variant_rows import variant_name
from bap_v2_simulators.corpus_table import SIZES


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """An HF_HOME with robust_dsb of 60 test items."""
    with pytest.MonkeyPatch.context() as patch:
        home = use_home(patch, tmp_path_factory.mktemp("robust")) or None
        patch.setitem(SIZES, "dsb", {"train": 20, "validation": 10, "test": 60})
        install.install_dataset("robust_dsb")
        yield home


@pytest.fixture
def splits(home):
    return datasets.load_dataset("bap_v2", "robust_dsb")


@pytest.mark.slow
def test_original_holds_the_test_items_as_they_are(splits):
    base = datasets.load_dataset("bap_v2", "dsb", split="test")
    assert splits["original"].to_list() == base.to_list()
    assert splits["original"].features == FEATURES


@pytest.mark.slow
def test_a_split_of_a_family_holds_the_variants_of_all_items(splits):
    parents = splits["original"].to_list()
    for family in ("spl", "spp", "sa_shift"):
        expected = [variant for parent in parents for variant in variants_of(parent, family, config="dsb")]
        assert splits[family].to_list() == expected


def test_the_probe_holds_the_first_variant_of_each_family_behind_its_parent(splits):
    ids, families = splits["original"]["id"][:], [name for name in splits if name in FAMILIES]
    drawn = {ids[position] for position in sampled(ids, PROBE)}
    probe = splits["probe"].to_list()
    parents = [row["id"] for row in probe if variant_name(row["id"]) is None]
    assert parents == [row_id for row_id in ids if row_id in drawn]
    current = ""
    for row in probe:
        name = variant_name(row["id"])
        if name is None:
            current = row["id"]
        else:
            assert (name.parent, name.number) == (current, 1)
    first = {row["id"] for row in probe if variant_name(row["id"])}
    names = {row_id: variant_name(row_id) for family in families for row_id in splits[family]["id"][:]}
    assert first == {row_id for row_id, name in names.items() if name.number == 1 and name.parent in drawn}


def test_parts_of_splits_concatenate_and_stream(home, splits):
    both = datasets.load_dataset("bap_v2", "robust_dsb", split="original+sa_turn")
    assert both["id"][:] == splits["original"]["id"][:] + splits["sa_turn"]["id"][:]
    streamed = datasets.load_dataset("bap_v2", "robust_dsb", split="spg", streaming=True)
    assert [row["id"] for row in streamed.take(5)] == splits["spg"]["id"][:5]


def test_a_config_has_the_arguments_of_its_base(home):
    with pytest.raises(ConfigError, match="the config robust_dsb has no seed: leave out seed="):
        datasets.load_dataset("bap_v2", "robust_dsb", seed=3)
    with pytest.raises(ConfigError, match="the config robust_dsb is made without the human corpus: leave out mdc="):
        datasets.load_dataset("bap_v2", "robust_dsb", mdc="corpus")


def test_a_family_without_variants_has_no_split(splits):
    one = splits["original"].select([0]).to_list()
    assert "spp" not in families_of("robust_dsb", one) and "sa_turn" in families_of("robust_dsb", one)
    assert "spc_remove" not in all_configs()["robust_mdc_v2"].splits


def test_another_version_of_the_variants_is_another_folder(monkeypatch):
    before = robust.depends_on("robust_dss")
    monkeypatch.setattr(robust, "PERTURBATION_VERSION", "other")
    assert robust.depends_on("robust_dss") != before
