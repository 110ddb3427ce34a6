"""Variants by their ids: made again from the item, without rows of any config."""

import pytest
from case_tables import cases_of
from in_process import use_home
from simulated_rows import row_of

from bap_v2_dataset.evaluation.test_sets import split_rows
from bap_v2_dataset.interface.table import task_of_item
from bap_v2_dataset.interface.viewer import ItemLocation, NotFoundError
from bap_v2_dataset.tasks.robustness.families import variants_in_all, variants_of
from bap_v2_dataset.tasks.shown import located_item

PARENT = "dsb-test-9/5"


def located(item_id: str, *place, **options) -> ItemLocation:
    return located_item(item_id, *place, **options)[1]


@pytest.fixture
def nothing_set_up(monkeypatch, tmp_path):
    use_home(monkeypatch, tmp_path)


def test_every_variant_of_a_simulated_item_is_found_by_its_id_without_rows(nothing_set_up):
    parent = row_of(PARENT)
    variants = list(variants_in_all(parent, config="dsb"))
    assert len(variants) > 20
    for row in variants:
        found = located(row["id"])
        family = row["metadata"]["perturbation"]["family"]
        assert (found.row, found.parent, found.config, found.split) == (row, parent, "robust_dsb", family)


def test_a_variant_may_be_of_any_split_and_seed(nothing_set_up):
    for parent in ("dss-train-3/1", "dss-seed7-test-2/1"):
        game, _, number = parent.partition("/")
        found = located(f"{game}~sa_turn-2/{number}")
        assert found.parent["id"] == parent
        assert found.row["metadata"]["perturbation"]["transform"]["quarter_turns"] == 2
        assert found.config == "dss" and found.split in game  # in no config of variants


def test_the_config_and_split_of_a_variant_may_be_named_or_those_of_its_parent(nothing_set_up):
    expected = located("dss-test-6~sa_turn-1/1")
    for config, split in (("robust_dss", "sa_turn"), ("robust_dss", None), ("dss", "test"), ("robust_dss", "probe")):
        assert located("dss-test-6~sa_turn-1/1", config, split) == expected
    parent = located("dss-test-6/1", "robust_dss", "original")
    assert parent.row == row_of("dss-test-6/1") and parent.parent is None


@pytest.mark.parametrize(
    ("item_id", "config", "split", "problem"),
    cases_of(__file__, "not_there"),
)
def test_what_there_is_not_is_named(nothing_set_up, item_id, config, split, problem):
    with pytest.raises(NotFoundError, match=problem):
        located(item_id, config or None, split or None)


def test_the_game_of_a_variant_is_that_of_its_parent(nothing_set_up):
    with pytest.raises(NotFoundError, match=r"--game dss-test-6$"):
        task_of_item("dss-test-6~sa_turn-1").viewer.game("dss-test-6~sa_turn-1")


def test_a_variant_of_a_human_item_is_made_of_the_row_that_is_set_up(set_up_home, monkeypatch):
    use_home(monkeypatch, set_up_home)
    parents = [row for split in ("train", "validation", "test") for row in split_rows("mdc", split)]
    row = next(variant for parent in parents for variant in variants_of(parent, "spg", 1, "mdc"))
    found = located(row["id"])
    assert found.row == row and found.parent in parents and found.config == "mdc"


def test_variants_in_own_data_are_beside_the_item_they_name(tmp_path, set_up_home, monkeypatch):
    import orjson

    from bap_v2_dataset.loading.own_data import read_data

    use_home(monkeypatch, set_up_home)
    parent = row_of(PARENT)
    variant = variants_of(parent, "spl", 1)[0]
    mine = {**parent, "id": "mine/0", "game_id": "mine"}
    own = variants_of(mine, "sa_turn", 1)[0]
    (tmp_path / "v.jsonl").write_bytes(b"\n".join(map(orjson.dumps, (variant, mine, own))))
    data = read_data(str(tmp_path / "v.jsonl"))
    assert located(variant["id"], data=data).parent == parent  # from its game
    assert located(own["id"], data=data).parent["id"] == "mine/0"  # from the data
    assert located("mine/0", data=data).parent is None
